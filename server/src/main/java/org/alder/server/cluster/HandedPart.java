package org.alder.server.cluster;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.alder.partition.Partition;
import org.alder.partition.ber.BerException;
import org.alder.partition.error.Cause;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.error.StoreException;
import org.alder.partition.prepared.LockedException;
import org.alder.partition.prepared.TransactionId;
import org.alder.partition.store.FeatureLevel;
import org.alder.server.directory.local.LedPart;
import org.alder.server.protocol.HandedMessages;
import org.alder.server.wire.HandedClient;

/**
 * Updates of a transaction that are in a shard which another member may lead: that one checks them, in the name of whoever has sent them, and keeps them until all is
 * decided. Thread safe.
 */
final class HandedPart implements LedPart {
    /** Whoever has not answered by then is asked again: another one may lead. */
    private static final long ANSWER_MILLIS = 5000;
    private static final long PAUSE_MILLIS = 50;
    /** Answers of who is asked again. */
    private static final Set<ResultCode> AGAIN = Set.of(ResultCode.BUSY, ResultCode.UNAVAILABLE);

    private final ClusterMembers members;
    private final Partition shard;
    private final HandedRequest request;
    private volatile byte[] value;
    private volatile boolean isBlamed;

    HandedPart(ClusterMembers members, Partition shard, HandedClient from, List<byte[]> messages) {
        this.members = members;
        this.shard = shard;
        this.request = new HandedRequest(from, shard.suffix().text(), messages);
    }

    @Override
    public Partition partition() {
        return shard;
    }

    @Override
    public int shard() {
        return shard.shard().number();
    }

    @Override
    public byte[] value() {
        return value;
    }

    @Override
    public boolean isBlamed() {
        return isBlamed;
    }

    @Override
    public CompletableFuture<Void> prepare(TransactionId id) {
        value = null;
        isBlamed = false;
        if (members.level() < FeatureLevel.ASKED_WRITERS) {
            return CompletableFuture.failedFuture(new DirectoryException(ResultCode.AFFECTS_MULTIPLE_DSAS, "a transaction is made in several shards, which several members may"
                    + " lead, " + FeatureLevel.since(FeatureLevel.ASKED_WRITERS, members.level())));
        }
        return members.askLeader(shard, new PartRequest(shard.label(), id, request).encode()).orTimeout(ANSWER_MILLIS, TimeUnit.MILLISECONDS).handle((answer, fault) -> {
            Throwable cause = Cause.of(fault);
            if (cause instanceof DirectoryException) {
                throw new CompletionException(cause);
            } else if (cause != null) {
                throw again(String.valueOf(cause.getMessage()));
            }
            take(answer);
            return null;
        });
    }

    /** Whatever came of it, it is given up, and tried anew. */
    private LockedException again(String why) {
        return new LockedException("who leads " + shard.label() + " cannot make a part of the transaction now (" + why + "): nothing was changed",
                shard.shards().host().pause(PAUSE_MILLIS));
    }

    private void take(byte[] answer) {
        HandedMessages.Response response;
        try {
            response = HandedMessages.response(HandedAnswer.decode(answer).message());
        } catch (BerException e) {
            throw again("its answer is none: " + e.getMessage());
        }
        if (AGAIN.contains(response.result().code())) {
            throw again(response.result().message());
        }
        value = response.value();
        if (!response.isSuccess()) {
            isBlamed = true;
            throw new CompletionException(new DirectoryException(response.result().code(), response.result().message(), response.result().matchedDn()));
        }
    }

    @Override
    public CompletableFuture<Void> end(TransactionId id, boolean isMade) {
        return shard.shards().writers().end(shard(), id, isMade);
    }
}
