package org.alder.server.wire;

import java.net.InetAddress;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.alder.server.wire.layer.ClientCertificates;

/**
 * Where clients come in, and what holds for those who do. Immutable.
 *
 * @param host name or address to listen on; null for a unix-domain socket
 * @param port TCP port, 0 for any free one
 * @param socket null for TCP
 * @param clients whether clients show certificates when TLS starts
 * @param plaintextBind which clients may send passwords that nothing protects
 * @param proxies those who say, by the PROXY protocol, for whom they connect; from them nothing else is taken
 */
public record Listener(Scheme scheme, String host, int port, UnixSocket socket, ClientCertificates clients, PlaintextBind plaintextBind,
                       List<AddressRange> proxies) {
    /** How it begins. */
    public enum Scheme {
        /** In clear, until the client asks for TLS. */
        LDAP("ldap"),
        /** With a TLS handshake. */
        LDAPS("ldaps"),
        /** On a unix-domain socket. */
        LDAPI("ldapi");

        private final String text;

        Scheme(String text) {
            this.text = text;
        }

        /** As URLs have it. */
        public String text() {
            return text;
        }
    }

    public Listener {
        if ((scheme == Scheme.LDAPI) != (socket != null)) {
            throw new IllegalArgumentException(scheme + " with the socket " + socket);
        }
        proxies = List.copyOf(proxies);
    }

    /** Without client certificates, with passwords in clear from this machine alone, and without proxies. */
    public static Listener of(Scheme scheme, String host, int port) {
        return new Listener(scheme, host, port, null, ClientCertificates.OFF, PlaintextBind.LOCAL, List.of());
    }

    /** On a unix-domain socket, which is as good as protected. */
    public static Listener of(UnixSocket socket) {
        return new Listener(Scheme.LDAPI, null, 0, socket, ClientCertificates.OFF, PlaintextBind.LOCAL, List.of());
    }

    public Listener withClients(ClientCertificates other) {
        return new Listener(scheme, host, port, socket, other, plaintextBind, proxies);
    }

    public Listener withPlaintextBind(PlaintextBind other) {
        return new Listener(scheme, host, port, socket, clients, other, proxies);
    }

    public Listener withProxies(List<AddressRange> others) {
        return new Listener(scheme, host, port, socket, clients, plaintextBind, others);
    }

    /** Whether the other one listens in the same place, in the same way. */
    boolean isAt(Listener other) {
        return scheme == other.scheme && port == other.port && Objects.equals(host, other.host) && Objects.equals(socket, other.socket);
    }

    boolean isProxy(InetAddress address) {
        return !proxies.isEmpty() && proxies.stream().anyMatch(each -> each.contains(address));
    }

    /** For clients, with the port that is listened on. */
    String url(int boundPort) {
        String where = socket != null ? URLEncoder.encode(socket.path().toString(), StandardCharsets.UTF_8).replace("+", "%20")
                : (host.contains(":") ? "[" + host + "]" : host) + ":" + boundPort;
        return scheme.text() + "://" + where;
    }
}
