package org.alder.server.login;

import java.util.concurrent.CompletableFuture;
import org.alder.server.directory.OperationContext;
import org.alder.server.wire.Peer;

/** ANONYMOUS (RFC 4505). What the client says of itself is not looked at. */
final class AnonymousMechanism implements SaslMechanism {
    @Override
    public String name() {
        return "ANONYMOUS";
    }

    @Override
    public boolean isAvailable(Peer peer) {
        return true;
    }

    @Override
    public SaslNegotiation begin(OperationContext context, Peer peer) {
        return message -> CompletableFuture.completedFuture(new SaslNegotiation.Step(Login.ANONYMOUS, null));
    }
}
