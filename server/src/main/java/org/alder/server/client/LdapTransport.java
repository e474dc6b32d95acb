package org.alder.server.client;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerWriter;

/**
 * The way to a server, and the messages that come: a unix-domain socket, or TCP with or without TLS. One thread, but for {@link #close}, which
 * ends what the thread waits for. Whoever opens it closes it.
 */
public final class LdapTransport implements Closeable {
    /** So long a server may be silent while it is asked something. */
    public static final int LIMIT_SECONDS = 60;
    private static final int LIMIT_MILLIS = LIMIT_SECONDS * 1000;
    private static final int BUFFER_BYTES = 64 << 10;
    private static final int LDAP_PORT = 389;
    private static final int LDAPS_PORT = 636;

    /** As the URL names the server; null on a unix-domain socket. */
    private final String host;
    private final Path authority;
    private final boolean wantsTls;
    private Closeable connection;
    private DataInputStream in;
    private OutputStream out;

    /** Why there is no way to a server. */
    public static final class Refusal extends IOException {
        private static final long serialVersionUID = 1L;

        /** What is wrong: the URL, that nobody answers there, TLS with who does, or the file of those that are trusted. */
        public enum Kind { URL, NO_ANSWER, TLS, AUTHORITY }

        private final Kind kind;

        Refusal(Kind kind, String message, Throwable cause) {
            super(message, cause);
            this.kind = kind;
        }

        public Kind kind() {
            return kind;
        }
    }

    private LdapTransport(SocketChannel channel) {
        this.host = null;
        this.authority = null;
        this.wantsTls = false;
        use(channel, Channels.newInputStream(channel), Channels.newOutputStream(channel));
    }

    private LdapTransport(Socket socket, String host, Path authority, boolean wantsTls) throws IOException {
        this.host = host;
        this.authority = authority;
        this.wantsTls = wantsTls;
        use(socket, socket.getInputStream(), socket.getOutputStream());
    }

    private void use(Closeable other, InputStream input, OutputStream output) {
        connection = other;
        in = new DataInputStream(new BufferedInputStream(input, BUFFER_BYTES));
        out = output;
    }

    public static LdapTransport open(Path socket) throws IOException {
        return new LdapTransport(SocketChannel.open(UnixDomainSocketAddress.of(socket)));
    }

    /**
     * @param url such as ldaps://ldap.example.com:10636, ldap://127.0.0.1:10389 or ldapi://%2Frun%2Falder%2Fldapi
     * @param authority certificates that are trusted, PEM; null for those that Java trusts
     */
    public static LdapTransport open(String url, Path authority) throws Refusal {
        try {
            URI uri = new URI(url);
            String scheme = uri.getScheme();
            if ("ldapi".equalsIgnoreCase(scheme) && uri.getRawAuthority() != null) {
                return open(Path.of(URLDecoder.decode(uri.getRawAuthority(), StandardCharsets.UTF_8)));
            } else if (uri.getHost() != null && uri.getPort() != 0 && ("ldap".equalsIgnoreCase(scheme) || "ldaps".equalsIgnoreCase(scheme))) {
                return tcp(uri, "ldaps".equalsIgnoreCase(scheme), authority);
            }
            throw new Refusal(Refusal.Kind.URL, url, null);
        } catch (URISyntaxException | IllegalArgumentException e) {
            throw new Refusal(Refusal.Kind.URL, url, e);
        } catch (Refusal e) {
            throw e;
        } catch (IOException e) {
            throw new Refusal(Refusal.Kind.NO_ANSWER, "no server answers at " + url + " ("
                    + (e instanceof UnknownHostException ? "no host has that name" : e.getMessage()) + ')', e);
        }
    }

    private static LdapTransport tcp(URI uri, boolean isTls, Path authority) throws IOException {
        String host = uri.getHost().replaceAll("[\\[\\]]", "");
        InetAddress address = InetAddress.getByName(host);
        int port = uri.getPort() > 0 ? uri.getPort() : isTls ? LDAPS_PORT : LDAP_PORT;
        Socket socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(address, port), LIMIT_MILLIS);
            socket.setSoTimeout(LIMIT_MILLIS);
            if (isTls) {
                return new LdapTransport(secured(socket, host, authority), host, authority, false);
            }
            return new LdapTransport(socket, host, authority, authority != null || !address.isLoopbackAddress());
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** Whether TLS has to be started before a password is sent. */
    public boolean wantsTls() {
        return wantsTls;
    }

    /** Whether the server can ask the system who is at this end. */
    public boolean isLocal() {
        return host == null;
    }

    public void send(byte[] message) throws IOException {
        out.write(message);
        out.flush();
    }

    /** Whether more has come already. */
    public boolean hasMore() throws IOException {
        return in.available() > 0;
    }

    /**
     * The next whole message (RFC 4511 5.1).
     *
     * @param mostBytes a longer one is refused before it is read
     * @throws java.net.SocketTimeoutException if nothing comes for {@link #LIMIT_SECONDS}: it may be called again
     * @throws EOFException if the server has closed the connection, or is silent in the midst of a message
     * @throws BerException if it is none; the connection is of no more use
     */
    public byte[] message(int mostBytes) throws IOException, BerException {
        int tag = in.readUnsignedByte();
        try {
            return rest(tag, mostBytes);
        } catch (SocketTimeoutException e) {
            throw (EOFException) new EOFException("the server is silent in the midst of a message").initCause(e);
        }
    }

    private byte[] rest(int tag, int mostBytes) throws IOException, BerException {
        int first = in.readUnsignedByte();
        int length = first;
        if (first > 0x80) {
            length = 0;
            for (int i = first & 0x7F; i > 0 && length >= 0; i--) {
                length = length > mostBytes >> 8 ? -1 : length << 8 | in.readUnsignedByte();
            }
        }
        if (tag != BerWriter.SEQUENCE || first == 0x80 || length < 0 || length > mostBytes) {
            throw new BerException("a message of tag " + tag + " and length " + (length < 0 ? "beyond " + mostBytes : length));
        }
        byte[] content = in.readNBytes(length);
        if (content.length < length) {
            throw new EOFException();
        }
        BerWriter whole = new BerWriter(content.length + 8);
        whole.octets(BerWriter.SEQUENCE, content);
        return whole.toByteArray();
    }

    /** From now on the server may take as long as it likes to answer. */
    public void waitForEver() throws IOException {
        if (connection instanceof Socket socket) {
            socket.setSoTimeout(0);
        }
    }

    /** What comes and goes from now on is TLS. */
    public void startTls() throws IOException {
        SSLSocket secured = secured((Socket) connection, host, authority);
        use(secured, secured.getInputStream(), secured.getOutputStream());
    }

    /** With a server whose certificate is trusted and has the name, or the address, that was asked for (RFC 4513 3.1.3). */
    private static SSLSocket secured(Socket socket, String host, Path authority) throws IOException {
        SSLSocket secured = (SSLSocket) context(authority).getSocketFactory().createSocket(socket, host, socket.getPort(), true);
        SSLParameters parameters = secured.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("LDAPS");
        secured.setSSLParameters(parameters);
        try {
            secured.startHandshake();
        } catch (IOException e) {
            throw new Refusal(Refusal.Kind.TLS, "no TLS with the server (" + e.getMessage() + ')', e);
        }
        return secured;
    }

    private static SSLContext context(Path authority) throws IOException {
        try {
            if (authority == null) {
                return SSLContext.getDefault();
            }
            KeyStore trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, null);
            try (InputStream pem = Files.newInputStream(authority)) {
                for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(pem)) {
                    trusted.setCertificateEntry(Integer.toString(trusted.size()), each);
                }
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
            trust.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new Refusal(Refusal.Kind.AUTHORITY, authority + ": expected certificates as PEM: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}
