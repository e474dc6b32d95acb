package org.alder.server.login;

import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.server.directory.OperationContext;
import org.alder.server.wire.Peer;

/** PLAIN (RFC 4616): name and password as they are, and so only where nobody else reads them. */
record PlainMechanism(Logins logins) implements SaslMechanism {
    @Override
    public String name() {
        return "PLAIN";
    }

    @Override
    public boolean isAvailable(Peer peer) {
        return peer.isProtected();
    }

    @Override
    public SaslNegotiation begin(OperationContext context, Peer peer) {
        return message -> check(context, message);
    }

    private CompletableFuture<SaslNegotiation.Step> check(OperationContext context, byte[] message) throws DirectoryException {
        int first = indexOfZero(message, 0);
        int second = first < 0 ? -1 : indexOfZero(message, first + 1);
        if (second < 0 || indexOfZero(message, second + 1) >= 0) {
            throw new DirectoryException(ResultCode.PROTOCOL_ERROR,
                    "PLAIN: expected [authzid] NUL authcid NUL password (RFC 4616)");
        }
        String authorizationId = Logins.text(message, 0, first);
        String name = Logins.text(message, first + 1, second);
        byte[] password = Arrays.copyOfRange(message, second + 1, message.length);
        if (name.isEmpty() || password.length == 0) {
            throw Logins.wrong();
        }
        return logins.authenticate(context, name, password).thenApply(own -> step(context, own, authorizationId));
    }

    private SaslNegotiation.Step step(OperationContext context, Login own, String authorizationId) {
        try {
            return new SaslNegotiation.Step(logins.authorized(context, own, authorizationId), null);
        } catch (DirectoryException e) {
            throw new CompletionException(e);
        }
    }

    private static int indexOfZero(byte[] message, int start) {
        for (int i = start; i < message.length; i++) {
            if (message[i] == 0) {
                return i;
            }
        }
        return -1;
    }
}
