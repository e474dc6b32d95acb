package org.alder.server;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.extensions.StartTLSExtendedRequest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.UnaryOperator;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.alder.partition.testing.Await;
import org.alder.partition.x509.CertifiedKey;
import org.alder.server.tls.TlsContexts;
import org.alder.server.tls.TlsFiles;
import org.alder.server.wire.Listener;

/** A server that speaks TLS with a certificate that it signs itself, made in a folder, and clients that know it. */
public final class TestTls implements AutoCloseable {
    static final List<String> PROTOCOLS = List.of("TLSv1.3", "TLSv1.2");

    private final Path folder;
    private final TlsContexts contexts;
    private final TestServer server;

    /** @param change what the server has beside two listeners, the first one in clear */
    public TestTls(Path folder, UnaryOperator<ServerSettings> change) throws Exception {
        this(folder, TlsFiles.of(folder.resolve("tls.crt"), folder.resolve("tls.key")), change, listener -> listener);
    }

    public TestTls(Path folder, TlsFiles files, UnaryOperator<ServerSettings> change, UnaryOperator<Listener> listeners)
            throws Exception {
        this.folder = folder;
        if (!Files.exists(folder.resolve("tls.crt"))) {
            writePair(folder, Instant.now().minus(1, ChronoUnit.DAYS), 30);
        }
        contexts = TlsContexts.open(TlsContexts.Use.of(files, PROTOCOLS, List.of(), 14), 50);
        server = new TestServer(settings -> change.apply(settings.with(draft -> draft.wire = settings.wire().withListeners(
                List.of(listeners.apply(Listener.of(Listener.Scheme.LDAP, "127.0.0.1", 0)),
                        listeners.apply(Listener.of(Listener.Scheme.LDAPS, "127.0.0.1", 0))), contexts))));
    }

    static CertifiedKey writePair(Path folder, Instant from, int days) throws IOException {
        CertifiedKey pair = CertifiedKey.selfSigned(List.of("127.0.0.1"), from, days);
        Files.writeString(folder.resolve("tls.key"), pair.keyPem());
        Files.writeString(folder.resolve("tls.crt"), pair.certificatePem());
        return pair;
    }

    public TestServer server() {
        return server;
    }

    TlsContexts contexts() {
        return contexts;
    }

    public int port() {
        return server.port();
    }

    public int tlsPort() {
        String url = server.server().urls().get(1);
        return Integer.parseInt(url.substring(url.lastIndexOf(':') + 1));
    }

    /** For clients that trust the certificate in the folder. */
    SSLContext clientContext(String protocol, KeyManager... keys) throws GeneralSecurityException, IOException {
        return clientContext(Files.readString(folder.resolve("tls.crt")), protocol, keys);
    }

    static SSLContext clientContext(String certificatePem, String protocol, KeyManager... keys)
            throws GeneralSecurityException, IOException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("server", CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(certificatePem.getBytes(StandardCharsets.US_ASCII))));
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance(protocol);
        context.init(keys.length == 0 ? null : keys, trust.getTrustManagers(), null);
        return context;
    }

    /** Anonymous, with TLS from the first byte on. */
    LDAPConnection ldaps(SSLContext context) throws LDAPException {
        return new LDAPConnection(context.getSocketFactory(), TestServer.patience(), "127.0.0.1", tlsPort());
    }

    /** Anonymous, with TLS started. */
    LDAPConnection startTls(SSLContext context) throws LDAPException {
        LDAPConnection connection = server.anonymous();
        connection.processExtendedOperation(new StartTLSExtendedRequest(context));
        return connection;
    }

    SSLSocket socket(SSLContext context) throws IOException {
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", tlsPort());
        socket.setSoTimeout(Await.SECONDS * 1000);
        return socket;
    }

    @Override
    public void close() {
        server.close();
        contexts.close();
    }
}
