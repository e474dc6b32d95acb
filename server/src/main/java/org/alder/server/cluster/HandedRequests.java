package org.alder.server.cluster;

import java.util.concurrent.CompletableFuture;
import org.alder.partition.ber.BerException;
import org.alder.partition.error.StoreException;
import org.alder.server.wire.HandedClient;
import org.alder.server.wire.InnerConnection;

/**
 * Answers what other members hand on, as the leader: each has a connection of its own, without a socket, in the name of whose request it is, so
 * that what holds for requests of clients here holds for it. Thread safe.
 */
public final class HandedRequests {
    private final Opener opener;
    private final ClusterMembers members;

    /** Opens connections. */
    @FunctionalInterface
    public interface Opener {
        InnerConnection open(HandedClient from, InnerConnection.Client client);
    }

    public HandedRequests(Opener opener, ClusterMembers members) {
        this.opener = opener;
        this.members = members;
    }

    /** What a question asks for. */
    @FunctionalInterface
    private interface Reading {
        HandedCall read() throws BerException;
    }

    /** Begins with a request, and returns. */
    public CompletableFuture<byte[]> answer(byte[] question) {
        return begin(() -> new HandedCall(HandedRequest.decode(question), members));
    }

    /** Begins with the part of a transaction that a {@link PartRequest} has, and returns. */
    CompletableFuture<byte[]> prepare(byte[] question) {
        return begin(() -> new HandedCall(PartRequest.decode(question), members));
    }

    private CompletableFuture<byte[]> begin(Reading question) {
        try {
            HandedCall call = question.read();
            call.begin(opener.open(call.from(), call));
            return call.answer();
        } catch (BerException e) {
            // As after an update of one of the two members: trying again would not help.
            return CompletableFuture.failedFuture(new StoreException(StoreException.Kind.OUTCOME_UNKNOWN, "what was handed on cannot be read ("
                    + e.getMessage() + "), as of a member of another version; nothing was done"));
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(new StoreException(StoreException.Kind.OUTCOME_UNKNOWN, "what was handed on failed: " + e
                    + "; it is not known whether it was done", e));
        }
    }
}
