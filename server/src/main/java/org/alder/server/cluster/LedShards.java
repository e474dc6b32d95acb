package org.alder.server.cluster;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.alder.partition.Partition;
import org.alder.partition.ShardWriters;
import org.alder.partition.ber.BerException;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.NotLeaderException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.error.StoreException;
import org.alder.partition.prepared.LockedException;
import org.alder.partition.prepared.TransactionId;
import org.alder.partition.rule.UniqueValue;
import org.alder.partition.rule.UniqueValue.Use;
import org.alder.partition.store.ClusterService;
import org.alder.partition.store.FeatureLevel;
import org.alder.partition.store.Replica;

/**
 * The shards of a naming context in a cluster, each of which is written by whichever member leads it. This one, too, is asked what it says as the leader. Thread
 * safe.
 */
public final class LedShards implements ShardWriters {
    /** So many are encoded in no time. */
    private static final int FEW_VALUES = 100;
    private static final int FEW_BYTES = 10_000;
    /** Whoever has not answered by then is asked again: another one may lead. */
    private static final long ANSWER_MILLIS = 2000;
    /** What others have made is shown here, mostly within some milliseconds. */
    private static final long SHOWN_MILLIS = 10_000;
    /** What is locked on another member is looked at again after this. */
    private static final long LOCKED_MILLIS = 50;

    private final ClusterService.Cluster cluster;
    private final List<Partition> shards;

    /** @param shards all of the naming context, in their order */
    public LedShards(ClusterService.Cluster cluster, List<Partition> shards) {
        this.cluster = cluster;
        this.shards = List.copyOf(shards);
    }

    /** @return the name of the member that leads it; null for this one */
    static String leader(Partition shard) {
        Replica replica = shard.store().replica();
        StoreException refusal = replica == null ? null : replica.refusal();
        if (refusal == null) {
            return null;
        } else if (refusal instanceof NotLeaderException elsewhere && elsewhere.handsOn() && elsewhere.leader() != null) {
            return elsewhere.leader();
        }
        throw new StoreException(StoreException.Kind.NOT_LEADER, "nobody is known to lead " + shard.label());
    }

    /** What an answer means. */
    @FunctionalInterface
    private interface Reading<T> {
        T read(byte[] answer) throws BerException;
    }

    /** @param isLarge whether it is not encoded on the thread that asks, which may be that of a store's writer */
    private <T> CompletableFuture<T> ask(String member, Supplier<byte[]> question, boolean isLarge, Reading<T> reading) {
        CompletableFuture<byte[]> answering = isLarge ? CompletableFuture.supplyAsync(question, ShardAnswers.LOOKING).thenCompose(bytes -> cluster.ask(member, bytes))
                : cluster.ask(member, question.get());
        return answering.orTimeout(ANSWER_MILLIS, TimeUnit.MILLISECONDS)
                .thenApply(answer -> read(member, answer, reading));
    }

    private static <T> T read(String member, byte[] answer, Reading<T> reading) {
        try {
            return reading.read(answer);
        } catch (BerException e) {
            throw new CompletionException(new StoreException(StoreException.Kind.OUTCOME_UNKNOWN, member + " has answered in another way: " + e.getMessage()));
        }
    }

    @Override
    public CompletableFuture<List<Use>> uses(List<Partition> asked, List<UniqueValue> values) {
        List<Partition> own = new ArrayList<>();
        Map<String, List<String>> others = new LinkedHashMap<>();
        try {
            for (Partition each : asked) {
                String leader = leader(each);
                if (leader == null) {
                    own.add(each);
                } else {
                    others.computeIfAbsent(leader, none -> new ArrayList<>()).add(each.label());
                }
            }
        } catch (StoreException e) {
            return CompletableFuture.failedFuture(e);
        }
        CompletableFuture<List<Use>> all = own.isEmpty() ? CompletableFuture.completedFuture(Collections.nCopies(values.size(), Use.FREE))
                : CompletableFuture.supplyAsync(() -> ShardAnswers.uses(own, values), ShardAnswers.LOOKING);
        for (Map.Entry<String, List<String>> each : others.entrySet()) {
            ValueQuestion question = new ValueQuestion(each.getValue(), values);
            all = all.thenCombine(ask(each.getKey(), question::encode, values.size() > FEW_VALUES, question::decodeAnswer), ShardAnswers::both);
        }
        return all;
    }

    @Override
    public CompletableFuture<Verdict> verdict(TransactionId id) {
        return part(id.coordinator(), PartQuestion.Kind.VERDICT, id, false, new byte[0], shard -> ShardAnswers.verdict(shard, id), PartQuestion::decodeVerdict);
    }

    @Override
    public CompletableFuture<Prepared> prepare(int shard, TransactionId id, byte[] work) {
        if (cluster.level() < FeatureLevel.ASKED_WRITERS) {
            return CompletableFuture.failedFuture(new DirectoryException(ResultCode.AFFECTS_MULTIPLE_DSAS, "an entry goes to another shard, which another member may"
                    + " lead, " + FeatureLevel.since(FeatureLevel.ASKED_WRITERS, cluster.level())));
        }
        return part(shard, PartQuestion.Kind.PREPARE, id, false, work, own -> ShardAnswers.prepare(own, id, work), answer -> PartQuestion.decodePrepared(answer, this::locked));
    }

    private LockedException locked(String message) {
        return new LockedException(message, shards.get(0).shards().host().pause(LOCKED_MILLIS));
    }

    /** Completes when it is shown here, too, so that whoever is answered then finds it. */
    @Override
    public CompletableFuture<Void> end(int shard, TransactionId id, boolean isMade) {
        return part(shard, PartQuestion.Kind.END, id, isMade, new byte[0], own -> ShardAnswers.end(own, id, isMade), PartQuestion::decodeNumber)
                .thenCompose(sequence -> shown(shards.get(shard), sequence));
    }

    @Override
    public CompletableFuture<byte[]> copy(int number, byte[] work) {
        Partition shard = shards.get(number);
        try {
            if (cluster.level() < FeatureLevel.ASKED_WRITERS) {
                throw new StoreException(StoreException.Kind.REFUSED, "a partition with shards, which different members write, follows another server "
                        + FeatureLevel.since(FeatureLevel.ASKED_WRITERS, cluster.level()));
            }
            String leader = leader(shard);
            CompletableFuture<CopyQuestion.Answer> answering = leader == null ? ShardAnswers.copy(shard, work)
                    : cluster.ask(leader, new CopyQuestion(shard.label(), work).encode()).thenApply(answer -> read(leader, answer, CopyQuestion.Answer::decode));
            return answering.thenCompose(answer -> answer.refusal() != null ? CompletableFuture.failedFuture(answer.refusal())
                    : shown(shard, answer.sequence()).thenApply(none -> answer.made()));
        } catch (StoreException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private static CompletableFuture<Void> shown(Partition shard, long sequence) {
        return shard.store().awaitSequence(sequence, SHOWN_MILLIS).thenAccept(isShown -> {
            if (!isShown) {
                throw new StoreException(StoreException.Kind.IO, "this member does not show it");
            }
        });
    }

    /** What the shard says where this member leads it. */
    @FunctionalInterface
    private interface Own<T> {
        CompletableFuture<T> answer(Partition shard);
    }

    private <T> CompletableFuture<T> part(int number, PartQuestion.Kind kind, TransactionId id, boolean isMade, byte[] work, Own<T> own, Reading<T> reading) {
        Partition shard = shards.get(number);
        try {
            String leader = leader(shard);
            return leader == null ? own.answer(shard) : ask(leader, new PartQuestion(kind, shard.label(), id, isMade, work)::encode, work.length > FEW_BYTES, reading);
        } catch (StoreException e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
