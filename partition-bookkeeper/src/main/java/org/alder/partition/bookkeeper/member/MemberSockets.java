package org.alder.partition.bookkeeper.member;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.alder.partition.bookkeeper.socket.Sockets;

/** TLS 1.3 between members that copy from each other, which both show certificates of the cluster's authority. Thread safe. */
public final class MemberSockets implements Sockets {
    private static final String[] PROTOCOLS = {"TLSv1.3"};
    /** Of a key store in memory. */
    private static final char[] PASSWORD = "memory".toCharArray();

    private final SSLContext context;

    private MemberSockets(SSLContext context) {
        this.context = context;
    }

    /** @param keys null where members speak without TLS */
    public static Sockets of(MemberKeys keys) {
        if (keys == null) {
            return PLAIN;
        }
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setKeyEntry("member", keys.key(), PASSWORD, new Certificate[] {keys.certificate()});
            KeyManagerFactory shown = KeyManagerFactory.getInstance("PKIX");
            shown.init(store, PASSWORD);
            KeyStore authorities = KeyStore.getInstance("PKCS12");
            authorities.load(null, null);
            for (X509Certificate each : keys.authorities()) {
                authorities.setCertificateEntry("authority" + authorities.size(), each);
            }
            TrustManagerFactory trusted = TrustManagerFactory.getInstance("PKIX");
            trusted.init(authorities);
            SSLContext context = SSLContext.getInstance(PROTOCOLS[0]);
            context.init(shown.getKeyManagers(), trusted.getTrustManagers(), null);
            return new MemberSockets(context);
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("the keys were read before, and every Java has TLS 1.3", e);
        }
    }

    @Override
    public ServerSocket listening(int port, int backlog, InetAddress address) throws IOException {
        SSLServerSocket socket = (SSLServerSocket) context.getServerSocketFactory().createServerSocket(port, backlog, address);
        socket.setEnabledProtocols(PROTOCOLS);
        socket.setNeedClientAuth(true);
        return socket;
    }

    @Override
    public Socket connecting() throws IOException {
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket();
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setProtocols(PROTOCOLS);
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        socket.setSSLParameters(parameters);
        return socket;
    }
}
