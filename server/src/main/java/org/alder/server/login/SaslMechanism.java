package org.alder.server.login;

import org.alder.server.directory.OperationContext;
import org.alder.server.wire.Peer;

/** One way to authenticate (RFC 4422). {@link SaslMechanisms} has all there are. Implementations are immutable. */
interface SaslMechanism {
    /** As it is registered. */
    String name();

    /** Whether this connection can be authenticated so, as it is now. */
    boolean isAvailable(Peer peer);

    /** @param context of the bind that begins it */
    SaslNegotiation begin(OperationContext context, Peer peer);
}
