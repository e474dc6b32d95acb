package org.alder.server.cli.client;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.net.UnixDomainSocketAddress;
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
import org.alder.server.cli.option.CommandException;

/** The way to a server: a unix-domain socket, or TCP with or without TLS. Passwords leave this machine in TLS only. One thread. */
final class LdapTransport implements Closeable {
    private static final String EXPECTED = ": expected such as ldaps://ldap.example.com:10636, ldap://127.0.0.1:10389 or"
            + " ldapi://%2Frun%2Falder%2Fldapi";
    static final int LIMIT_SECONDS = 60;
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

    static LdapTransport open(Path socket) throws IOException {
        return new LdapTransport(SocketChannel.open(UnixDomainSocketAddress.of(socket)));
    }

    /** @param authority certificates that are trusted, PEM; null for those that Java trusts */
    static LdapTransport open(String url, Path authority) throws CommandException {
        try {
            URI uri = new URI(url);
            String scheme = uri.getScheme();
            if ("ldapi".equalsIgnoreCase(scheme) && uri.getRawAuthority() != null) {
                return open(Path.of(URLDecoder.decode(uri.getRawAuthority(), StandardCharsets.UTF_8)));
            } else if (uri.getHost() != null && uri.getPort() != 0 && ("ldap".equalsIgnoreCase(scheme) || "ldaps".equalsIgnoreCase(scheme))) {
                return tcp(uri, "ldaps".equalsIgnoreCase(scheme), authority);
            }
            throw new CommandException("--url " + url + EXPECTED);
        } catch (URISyntaxException | IllegalArgumentException e) {
            throw new CommandException("--url " + url + EXPECTED, e);
        } catch (IOException e) {
            throw new CommandException("no server answers at " + url + " (" + e.getMessage() + "): start it, or say with --url where it"
                    + " listens", e);
        }
    }

    private static LdapTransport tcp(URI uri, boolean isTls, Path authority) throws IOException, CommandException {
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
        } catch (IOException | CommandException e) {
            socket.close();
            throw e;
        }
    }

    /** Whether TLS has to be started before a password is sent. */
    boolean wantsTls() {
        return wantsTls;
    }

    /** Whether the server can ask the system who is at this end. */
    boolean isLocal() {
        return host == null;
    }

    DataInputStream in() {
        return in;
    }

    OutputStream out() {
        return out;
    }

    /** From now on the server may take as long as it likes to answer. */
    void waitForEver() throws IOException {
        if (connection instanceof Socket socket) {
            socket.setSoTimeout(0);
        }
    }

    /** What comes and goes from now on is TLS. */
    void startTls() throws IOException, CommandException {
        SSLSocket secured = secured((Socket) connection, host, authority);
        use(secured, secured.getInputStream(), secured.getOutputStream());
    }

    /** With a server whose certificate is trusted and has the name, or the address, that was asked for (RFC 4513 3.1.3). */
    private static SSLSocket secured(Socket socket, String host, Path authority) throws IOException, CommandException {
        SSLSocket secured = (SSLSocket) context(authority).getSocketFactory().createSocket(socket, host, socket.getPort(), true);
        SSLParameters parameters = secured.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("LDAPS");
        secured.setSSLParameters(parameters);
        try {
            secured.startHandshake();
        } catch (IOException e) {
            throw new CommandException("no TLS with the server (" + e.getMessage() + "): name the file with the certificate of its"
                    + " authority, or its own, with --ca, and the server as its certificate does", e);
        }
        return secured;
    }

    private static SSLContext context(Path authority) throws IOException, CommandException {
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
            throw new CommandException("--ca " + authority + ": expected certificates as PEM: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}
