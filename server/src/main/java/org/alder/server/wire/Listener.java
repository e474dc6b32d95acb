package org.alder.server.wire;

/**
 * Where clients come in, and what holds for those who do. Immutable.
 *
 * @param host name or address to listen on
 * @param port TCP port, 0 for any free one
 * @param clients whether clients show certificates when TLS starts
 * @param passwordsInClear whether clients on other machines may send passwords that nothing protects
 */
public record Listener(Scheme scheme, String host, int port, ClientCertificates clients, boolean passwordsInClear) {
    /** How it begins. */
    public enum Scheme {
        /** In clear, until the client asks for TLS. */
        LDAP,
        /** With a TLS handshake. */
        LDAPS
    }

    /** Without client certificates, and without passwords in clear. */
    public static Listener of(Scheme scheme, String host, int port) {
        return new Listener(scheme, host, port, ClientCertificates.OFF, false);
    }

    public Listener withClients(ClientCertificates other) {
        return new Listener(scheme, host, port, other, passwordsInClear);
    }

    public Listener withPasswordsInClear(boolean other) {
        return new Listener(scheme, host, port, clients, other);
    }

    /** For clients, with the port that is listened on. */
    String url(int boundPort) {
        return (scheme == Scheme.LDAPS ? "ldaps://" : "ldap://") + (host.contains(":") ? "[" + host + "]" : host) + ":" + boundPort;
    }
}
