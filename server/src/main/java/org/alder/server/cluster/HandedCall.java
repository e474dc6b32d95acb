package org.alder.server.cluster;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import org.alder.partition.DaemonThreads;
import org.alder.partition.ber.BerException;
import org.alder.partition.error.StoreException;
import org.alder.server.protocol.HandedMessages;
import org.alder.server.protocol.HandedMessages.Response;
import org.alder.server.protocol.PreparedPart;
import org.alder.server.wire.HandedClient;
import org.alder.server.wire.InnerConnection;

/**
 * One request that another member has handed on, or a part of a transaction that it has, over a connection of its own. A transaction is begun here first, and its
 * messages are sent one after the other, each with the identifier that it has got here. Thread safe.
 */
final class HandedCall implements InnerConnection.Client {
    private final ClusterMembers members;
    private final HandedClient from;
    /** The updates that are still to be sent. */
    private final Deque<byte[]> left;
    /** Null for an update that is in no transaction. */
    private final Ending ending;
    /** Whether other members may have to make something of it. */
    private final boolean isWide;
    private final CompletableFuture<byte[]> answer = new CompletableFuture<>();
    /** What is answered. */
    private final byte[] last;
    private InnerConnection connection;
    private byte[] transaction;
    /** Whether the last message, which has something done, was sent. */
    private volatile boolean isAsked;
    private volatile boolean isNotLeader;

    /** The message behind the updates of a transaction. */
    @FunctionalInterface
    private interface Ending {
        byte[] of(byte[] transaction) throws BerException;
    }

    /** @throws BerException where it is nothing that is handed on */
    HandedCall(HandedRequest request, ClusterMembers members) throws BerException {
        this.members = members;
        this.from = request.from();
        this.left = new ArrayDeque<>(request.messages());
        this.last = request.messages().get(request.messages().size() - 1);
        boolean isTransaction = request.messages().size() > 1;
        boolean isRename = false;
        for (byte[] message : request.messages()) {
            isRename = HandedMessages.requireUpdate(message, isTransaction && message == last);
        }
        this.isWide = isTransaction || isRename;
        if (isTransaction) {
            left.removeLast();
        }
        this.ending = isTransaction ? begun -> HandedMessages.endOfTransaction(last, begun) : null;
    }

    /** @throws BerException where it has something else than updates */
    HandedCall(PartRequest part, ClusterMembers members) throws BerException {
        this.members = members;
        this.from = part.request().from();
        this.left = new ArrayDeque<>(part.request().messages());
        for (byte[] message : left) {
            HandedMessages.requireUpdate(message, false);
        }
        this.isWide = false;
        this.ending = begun -> HandedMessages.endOfPart(new PreparedPart(begun, part.shard(), part.id().uuid(), part.id().coordinator()));
        this.last = ending.of(new byte[0]);
    }

    /** In whose name it is. */
    HandedClient from() {
        return from;
    }

    CompletableFuture<byte[]> answer() {
        return answer;
    }

    void begin(InnerConnection opened) {
        connection = opened;
        if (answer.isDone()) {
            close();
        } else if (ending != null) {
            connection.send(HandedMessages.startOfTransaction());
        } else {
            isAsked = true;
            connection.send(left.poll());
        }
        if (!connection.isOpen()) {
            closed();
        }
    }

    @Override
    public void answered(byte[] bytes) {
        try {
            Response response = HandedMessages.response(bytes);
            if (response.id() == 0) {
                notice(response);
            } else if (isAsked) {
                finish(bytes);
            } else {
                goOn(response, bytes);
            }
        } catch (BerException e) {
            fail(StoreException.Kind.OUTCOME_UNKNOWN, "the leader's own answer is none: " + e.getMessage());
        }
    }

    /** Of the connection: it cannot be let in, or is about to be closed. Or: the failure that follows says that nothing was done. */
    private void notice(Response response) throws BerException {
        if (response.isNotLeader()) {
            isNotLeader = true;
        } else if (!response.isAborted()) {
            if (isAsked) {
                fail(StoreException.Kind.OUTCOME_UNKNOWN, response.result().message() + "; it is not known whether the update was made");
            } else {
                finish(HandedMessages.refusal(last, response.result()));
            }
        }
    }

    private void goOn(Response response, byte[] bytes) throws BerException {
        if (!response.isSuccess()) {
            // What was not taken into the transaction must not be left out of it: nothing of it is made.
            finish(HandedMessages.refusal(last, response.result()));
            return;
        }
        if (transaction == null) {
            transaction = HandedMessages.transactionOf(bytes);
        }
        byte[] next = left.poll();
        isAsked = next == null;
        byte[] sent = isAsked ? ending.of(transaction) : HandedMessages.inTransaction(next, transaction);
        // Not while it answers.
        DaemonThreads.MOMENTS.execute(() -> connection.send(sent));
    }

    private void finish(byte[] response) {
        if (isNotLeader) {
            fail(StoreException.Kind.NOT_LEADER, "the member that was asked does not lead any more; nothing was done");
            return;
        }
        answer.complete(new HandedAnswer(response, isWide ? members.shown() : members.written()).encode());
        close();
    }

    private void fail(StoreException.Kind kind, String message) {
        answer.completeExceptionally(new StoreException(kind, message));
        close();
    }

    private void close() {
        InnerConnection now = connection;
        if (now != null) {
            now.close();
        }
    }

    @Override
    public void closed() {
        answer.completeExceptionally(isAsked
                ? new StoreException(StoreException.Kind.OUTCOME_UNKNOWN, "the leader has closed the connection before it answered: it is not known "
                        + "whether the update was made, so read what it was to change")
                : new StoreException(StoreException.Kind.NOT_LEADER, "the leader has closed the connection; nothing was done"));
    }
}
