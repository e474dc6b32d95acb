package org.alder.perf.client;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/** A client that speaks TLS 1.3 with servers of one certificate on this machine. Thread safe. */
public final class TlsClient {
    private static final String PROTOCOL = "TLSv1.3";
    private static final String HOST = "127.0.0.1";

    private final SSLContext context;
    private final AtomicLong names = new AtomicLong();
    private final AtomicLong handshakes = new AtomicLong();
    private final AtomicLong resumed = new AtomicLong();

    private TlsClient(SSLContext context) {
        this.context = context;
    }

    /** @param certificate the only one that it trusts, in PEM */
    public static TlsClient trusting(Path certificate) throws IOException {
        try (InputStream pem = Files.newInputStream(certificate)) {
            KeyStore trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, null);
            trusted.setCertificateEntry("server", CertificateFactory.getInstance("X.509").generateCertificate(pem));
            TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
            trust.init(trusted);
            SSLContext context = SSLContext.getInstance(PROTOCOL);
            context.init(null, trust.getTrustManagers(), null);
            return new TlsClient(context);
        } catch (GeneralSecurityException e) {
            throw new IOException("no TLS client with the certificate " + certificate + ": " + e.getMessage(), e);
        }
    }

    /** A new connection whose handshake is done: one that resumes the session of the thread's last one, if that can be resumed. */
    public LdapConnection connect(int port) throws IOException {
        // Java keeps one session for each name of a host, and uses it once: each thread has a name of its own.
        return connect("thread" + Thread.currentThread().getId(), port);
    }

    /** The same with a handshake that resumes nothing. */
    public LdapConnection connectAnew(int port) throws IOException {
        // Names without a dot are not sent.
        return connect("host" + names.incrementAndGet(), port);
    }

    private LdapConnection connect(String name, int port) throws IOException {
        Socket plain = LdapConnection.connected(HOST, port);
        try {
            long before = System.currentTimeMillis();
            SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(plain, name, port, true);
            socket.startHandshake();
            if (!socket.getSession().getProtocol().equals(PROTOCOL)) {
                throw new IOException("the server speaks " + socket.getSession().getProtocol() + ", expected " + PROTOCOL);
            }
            handshakes.incrementAndGet();
            // A session that is resumed keeps the time of its first handshake.
            if (socket.getSession().getCreationTime() < before) {
                resumed.incrementAndGet();
            }
            return new LdapConnection(socket);
        } catch (IOException e) {
            plain.close();
            throw e;
        }
    }

    /** Of all handshakes since this was asked last, in percent, how many have resumed a session; NaN if there were none. */
    public double takeResumedPercent() {
        long all = handshakes.getAndSet(0);
        long some = resumed.getAndSet(0);
        return all == 0 ? Double.NaN : 100.0 * some / all;
    }
}
