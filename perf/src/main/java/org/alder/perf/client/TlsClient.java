package org.alder.perf.client;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PublicKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.interfaces.ECKey;
import java.security.interfaces.RSAKey;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/** A client that speaks TLS 1.3 with servers of one certificate on this machine. Thread safe. */
public final class TlsClient {
    private static final String PROTOCOL = "TLSv1.3";
    private static final String HOST = "127.0.0.1";

    private final SSLContext context;
    private final PublicKey serverKey;
    private final AtomicLong names = new AtomicLong();
    private final AtomicLong handshakes = new AtomicLong();
    private final AtomicLong resumed = new AtomicLong();

    private TlsClient(SSLContext context, PublicKey serverKey) {
        this.context = context;
        this.serverKey = serverKey;
    }

    /** @param certificate the only one that it trusts, in PEM */
    public static TlsClient trusting(Path certificate) throws IOException {
        try (InputStream pem = Files.newInputStream(certificate)) {
            KeyStore trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, null);
            Certificate server = CertificateFactory.getInstance("X.509").generateCertificate(pem);
            trusted.setCertificateEntry("server", server);
            TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
            trust.init(trusted);
            SSLContext context = SSLContext.getInstance(PROTOCOL);
            context.init(null, trust.getTrustManagers(), null);
            return new TlsClient(context, server.getPublicKey());
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
        long before = System.currentTimeMillis();
        SSLSocket socket = handshake(name, port);
        handshakes.incrementAndGet();
        // A session that is resumed keeps the time of its first handshake.
        if (socket.getSession().getCreationTime() < before) {
            resumed.incrementAndGet();
        }
        return new LdapConnection(socket);
    }

    private SSLSocket handshake(String name, int port) throws IOException {
        Socket plain = LdapConnection.connected(HOST, port);
        try {
            SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(plain, name, port, true);
            socket.startHandshake();
            if (!socket.getSession().getProtocol().equals(PROTOCOL)) {
                throw new IOException("the server speaks " + socket.getSession().getProtocol() + ", expected " + PROTOCOL);
            }
            return socket;
        } catch (IOException e) {
            plain.close();
            throw e;
        }
    }

    /** What the server's key is. */
    public String key() {
        return serverKey instanceof ECKey curve ? "EC, " + curve.getParams()
                : serverKey instanceof RSAKey numbers ? "RSA, " + numbers.getModulus().bitLength() + " bits" : serverKey.getAlgorithm();
    }

    /** What the server and this client agree on: version, cipher suite, and the group of the key exchange. */
    public String terms(int port) throws IOException {
        try (SSLSocket socket = handshake("terms", port)) {
            return socket.getSession().getProtocol() + " with " + socket.getSession().getCipherSuite() + ", key exchange by "
                    + keyExchange(port);
        }
    }

    /** Java does not tell: it stands in the clear part of the server's answer. */
    private String keyExchange(int port) throws IOException {
        SSLEngine engine = context.createSSLEngine("group", port);
        engine.setUseClientMode(true);
        ByteBuffer hello = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        engine.wrap(ByteBuffer.allocate(0), hello);
        try (Socket plain = LdapConnection.connected(HOST, port)) {
            plain.getOutputStream().write(hello.array(), 0, hello.position());
            return ServerHello.read(plain.getInputStream()).group();
        }
    }

    /** Of all handshakes since this was asked last, in percent, how many have resumed a session; NaN if there were none. */
    public double takeResumedPercent() {
        long all = handshakes.getAndSet(0);
        long some = resumed.getAndSet(0);
        return all == 0 ? Double.NaN : 100.0 * some / all;
    }
}
