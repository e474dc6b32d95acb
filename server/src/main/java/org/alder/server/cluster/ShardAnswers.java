package org.alder.server.cluster;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.alder.partition.DaemonThreads;
import org.alder.partition.LedEpoch;
import org.alder.partition.Partition;
import org.alder.partition.PeerShards.Verdict;
import org.alder.partition.ShardWriters.Prepared;
import org.alder.partition.ber.BerException;
import org.alder.partition.commit.LocalPart;
import org.alder.partition.commit.LocalShards;
import org.alder.partition.error.Cause;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.StoreException;
import org.alder.partition.prepared.LockedException;
import org.alder.partition.prepared.TransactionId;
import org.alder.partition.rule.UniqueValue;
import org.alder.partition.rule.UniqueValue.Use;
import org.alder.partition.schema.Schema;
import org.alder.partition.update.Arrival;
import org.alder.partition.update.Updates;
import org.alder.partition.update.copy.CopiedBatch;
import org.alder.partition.update.rules.ValueUses;

/** What this member says of the shards that it leads to those who lead the others ({@link LedShards}). Thread safe. */
final class ShardAnswers {
    /** Looks up what members ask each other, perhaps on a disk. */
    static final Executor LOOKING = DaemonThreads.upTo(8, "looks-up-for-members");

    private final Schema schema;
    private final Function<String, Partition> byLabel;

    /** @param byLabel the shard with a label; null where there is none */
    ShardAnswers(Schema schema, Function<String, Partition> byLabel) {
        this.schema = schema;
        this.byLabel = byLabel;
    }

    /** To a {@link ValueQuestion}. */
    CompletableFuture<byte[]> values(byte[] bytes) {
        return looking(() -> {
            ValueQuestion question = ValueQuestion.decode(schema, bytes);
            return ValueQuestion.encodeAnswer(uses(question.shards().stream().map(this::shard).toList(), question.values()));
        });
    }

    /** To a {@link PartQuestion}. */
    CompletableFuture<byte[]> part(byte[] bytes) {
        return looking(() -> PartQuestion.decode(bytes)).thenCompose(this::part);
    }

    /** To a {@link CopyQuestion}. */
    CompletableFuture<byte[]> copy(byte[] bytes) {
        return looking(() -> CopyQuestion.decode(bytes)).thenCompose(question -> copy(shard(question.shard()), question.work())).thenApply(CopyQuestion.Answer::encode);
    }

    /** Reads a question, and perhaps looks up what it asks. */
    @FunctionalInterface
    private interface Look<T> {
        T at() throws BerException;
    }

    private static <T> CompletableFuture<T> looking(Look<T> look) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return look.at();
            } catch (BerException e) {
                throw otherwise(e);
            }
        }, LOOKING);
    }

    /** Completes exceptionally where another member is to be asked, or nobody knows what came of it. */
    static CompletableFuture<CopyQuestion.Answer> copy(Partition shard, byte[] work) {
        CopiedBatch batch;
        try {
            batch = CopiedBatch.decode(shard.schema(), work);
        } catch (BerException e) {
            return CompletableFuture.failedFuture(otherwise(e));
        }
        return batch.make(shard).handle((made, fault) -> {
            Throwable cause = Cause.of(fault);
            if (cause != null && !(cause instanceof DirectoryException)) {
                throw new CompletionException(cause);
            }
            return new CopyQuestion.Answer(shard.store().sequence(), cause == null ? made : new byte[0], (DirectoryException) cause);
        });
    }

    private CompletableFuture<byte[]> part(PartQuestion question) {
        Partition shard = shard(question.shard());
        List<Partition> all = shard.shards().shards();
        int coordinator = question.id().coordinator();
        if (coordinator >= all.size() || question.kind() == PartQuestion.Kind.VERDICT && all.get(coordinator) != shard) {
            return CompletableFuture.failedFuture(otherwise(new BerException("a transaction of shard " + coordinator + ", asked of " + shard.label())));
        }
        return switch (question.kind()) {
            case VERDICT -> verdict(shard, question.id()).thenApply(PartQuestion::encode);
            case PREPARE -> prepare(shard, question.id(), question.work()).thenApply(PartQuestion::encode);
            case END -> end(shard, question.id(), question.isMade()).thenApply(PartQuestion::encodeNumber);
        };
    }

    /** One that is part of a naming context. */
    private Partition shard(String label) {
        Partition shard = byLabel.apply(label);
        if (shard == null || shard.shards() == null) {
            throw new StoreException(StoreException.Kind.NOT_LEADER, "this member has no shard " + label);
        }
        return shard;
    }

    private static StoreException otherwise(BerException cause) {
        return new StoreException(StoreException.Kind.OUTCOME_UNKNOWN, "shards were asked in another way (" + cause.getMessage() + "), as by a member of another version");
    }

    static List<Use> uses(List<Partition> shards, List<UniqueValue> values) {
        List<Use> all = Collections.nCopies(values.size(), Use.FREE);
        for (Partition each : shards) {
            all = both(all, ValueUses.of(each, values));
        }
        return all;
    }

    /** What counts of what two say. */
    static List<Use> both(List<Use> one, List<Use> other) {
        List<Use> both = new ArrayList<>(one.size());
        for (int i = 0; i < one.size(); i++) {
            both.add(one.get(i).compareTo(other.get(i)) >= 0 ? one.get(i) : other.get(i));
        }
        return both;
    }

    /** Answered where no other member can have led the shard since it was asked: one that has might have decided. */
    static CompletableFuture<Verdict> verdict(Partition coordinator, TransactionId id) {
        LedEpoch epoch = LedEpoch.of(coordinator);
        return new LocalShards(coordinator.shards().shards()).verdict(id).thenApply(verdict -> {
            epoch.requireCertain();
            return verdict;
        });
    }

    /** Completes exceptionally where it may be kept, or another member is to be asked. */
    static CompletableFuture<Prepared> prepare(Partition shard, TransactionId id, byte[] work) {
        Arrival arrival;
        try {
            arrival = Arrival.decode(shard.schema(), work);
        } catch (BerException e) {
            return CompletableFuture.failedFuture(otherwise(e));
        }
        return arrival.prepare(shard, new Updates(shard), id).handle((none, fault) -> {
            Throwable cause = Cause.of(fault);
            boolean isRefusal = cause instanceof DirectoryException || cause instanceof LockedException || cause instanceof StoreException store && isRefusal(store);
            if (cause != null && !isRefusal) {
                throw cause instanceof StoreException store ? store : new CompletionException(cause);
            }
            return new Prepared(shard.store().sequence(), (Exception) cause);
        });
    }

    private static boolean isRefusal(StoreException cause) {
        return cause.kind() == StoreException.Kind.DISK_FULL || cause.kind() == StoreException.Kind.READ_ONLY || cause.kind() == StoreException.Kind.TOO_LARGE;
    }

    /** @return the sequence of the shard that shows it */
    static CompletableFuture<Long> end(Partition shard, TransactionId id, boolean isMade) {
        return LocalPart.end(shard, id, isMade).thenApply(none -> shard.store().sequence());
    }
}
