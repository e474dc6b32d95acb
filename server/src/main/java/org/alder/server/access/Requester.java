package org.alder.server.access;

import java.net.InetAddress;
import org.alder.server.auth.Identity;

/**
 * Who asks, and over which connection. Immutable.
 *
 * @param connection null for the server itself, which no rule about connections means
 */
public record Requester(Identity identity, Connection connection) {
    /** What rules may want of a connection. Thread safe. */
    public interface Connection {
        /** Null on a unix-domain socket. */
        InetAddress address();

        /** The key bits of what protects it; 0 if nothing does. What does not leave the machine counts as 256. */
        int strength();

        /** Whether that is TLS. */
        boolean isTls();

        /** How the identity was proved: {@code SIMPLE} or a SASL mechanism, in capitals; empty for anonymous. */
        String mechanism();
    }
}
