package org.alder.server.http;

import java.security.KeyManagementException;
import java.security.Provider;
import java.security.SecureRandom;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import org.alder.server.wire.layer.ClientCertificates;
import org.alder.server.wire.layer.TlsEngines;

/**
 * The TLS of LDAP connections as the JDK's HTTP server wants it, which keeps one context for ever: each connection gets an engine of the
 * keys and certificates that are good at that moment. Clients are not asked for certificates. Thread safe.
 */
final class LiveTls extends SSLContextSpi {
    private final TlsEngines engines;

    private LiveTls(TlsEngines engines) {
        this.engines = engines;
    }

    static SSLContext of(TlsEngines engines) {
        LiveTls live = new LiveTls(engines);
        Provider provider = new Provider("AlderLiveTls", "1", "engines of the newest certificates") { };
        return new SSLContext(live, provider, "TLS") { };
    }

    @Override
    protected SSLEngine engineCreateSSLEngine() {
        return engines.newEngine(ClientCertificates.OFF);
    }

    @Override
    protected SSLEngine engineCreateSSLEngine(String host, int port) {
        return engineCreateSSLEngine();
    }

    @Override
    protected SSLParameters engineGetDefaultSSLParameters() {
        return engineCreateSSLEngine().getSSLParameters();
    }

    @Override
    protected SSLParameters engineGetSupportedSSLParameters() {
        return engineGetDefaultSSLParameters();
    }

    @Override
    protected void engineInit(KeyManager[] keys, TrustManager[] trusted, SecureRandom random) throws KeyManagementException {
        throw new KeyManagementException("it has its keys");
    }

    @Override
    protected SSLSocketFactory engineGetSocketFactory() {
        throw new UnsupportedOperationException("engines only");
    }

    @Override
    protected SSLServerSocketFactory engineGetServerSocketFactory() {
        throw new UnsupportedOperationException("engines only");
    }

    @Override
    protected SSLSessionContext engineGetServerSessionContext() {
        return engineCreateSSLEngine().getSession().getSessionContext();
    }

    @Override
    protected SSLSessionContext engineGetClientSessionContext() {
        return engineGetServerSessionContext();
    }
}
