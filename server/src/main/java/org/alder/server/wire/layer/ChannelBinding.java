package org.alder.server.wire.layer;

/** What ties an authentication to the TLS connection it is done in (RFC 5056), by the names that SASL mechanisms send. */
public enum ChannelBinding {
    /** The hash of the server's certificate (RFC 5929 4). */
    TLS_SERVER_END_POINT("tls-server-end-point"),
    /** Key material of the connection (RFC 9266). The JDK tells it from Java 25 on only: until then there is none. */
    TLS_EXPORTER("tls-exporter");

    private final String registeredName;

    ChannelBinding(String registeredName) {
        this.registeredName = registeredName;
    }

    public String registeredName() {
        return registeredName;
    }
}
