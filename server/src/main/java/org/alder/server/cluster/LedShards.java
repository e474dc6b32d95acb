package org.alder.server.cluster;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.alder.partition.Partition;
import org.alder.partition.ShardWriters;
import org.alder.partition.ber.BerException;
import org.alder.partition.error.NotLeaderException;
import org.alder.partition.error.StoreException;
import org.alder.partition.rule.UniqueValue;
import org.alder.partition.rule.UniqueValue.Use;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.ClusterService;
import org.alder.partition.store.Replica;
import org.alder.partition.update.rules.ValueUses;

/** The shards of a cluster, each of which is written by whichever member leads it; this one, too, is asked what it says as the leader. Thread safe. */
public final class LedShards implements ShardWriters {
    /** Whoever has not answered by then is asked again: another one may lead. */
    private static final long ANSWER_MILLIS = 2000;

    private final ClusterService.Cluster cluster;
    private final Executor executor;

    /** @param executor looks up what this member has */
    public LedShards(ClusterService.Cluster cluster, Executor executor) {
        this.cluster = cluster;
        this.executor = executor;
    }

    @Override
    public CompletableFuture<List<Use>> uses(List<Partition> shards, List<UniqueValue> values) {
        List<Partition> own = new ArrayList<>();
        Map<String, List<String>> others = new LinkedHashMap<>();
        try {
            for (Partition each : shards) {
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
        // On the writer's thread nothing is looked up, nor encoded.
        CompletableFuture<List<Use>> all = CompletableFuture.supplyAsync(() -> said(own, values), executor);
        for (Map.Entry<String, List<String>> each : others.entrySet()) {
            CompletableFuture<List<Use>> answer = CompletableFuture.supplyAsync(() -> new ValueQuestion(each.getValue(), values), executor)
                    .thenCompose(question -> cluster.ask(each.getKey(), question.encode()).thenApply(bytes -> decoded(question, bytes)))
                    .orTimeout(ANSWER_MILLIS, TimeUnit.MILLISECONDS);
            all = all.thenCombine(answer, LedShards::both);
        }
        return all;
    }

    /** @return the name of the member that leads it; null for this one */
    private static String leader(Partition shard) {
        Replica replica = shard.store().replica();
        StoreException refusal = replica == null ? null : replica.refusal();
        if (refusal == null) {
            return null;
        } else if (refusal instanceof NotLeaderException elsewhere && elsewhere.handsOn() && elsewhere.leader() != null) {
            return elsewhere.leader();
        }
        throw new StoreException(StoreException.Kind.NOT_LEADER, "nobody is known to lead " + shard.label());
    }

    private static List<Use> said(List<Partition> shards, List<UniqueValue> values) {
        List<Use> all = Collections.nCopies(values.size(), Use.FREE);
        for (Partition each : shards) {
            all = both(all, ValueUses.of(each, values));
        }
        return all;
    }

    private static List<Use> both(List<Use> one, List<Use> other) {
        List<Use> both = new ArrayList<>(one.size());
        for (int i = 0; i < one.size(); i++) {
            both.add(one.get(i).compareTo(other.get(i)) >= 0 ? one.get(i) : other.get(i));
        }
        return both;
    }

    private static List<Use> decoded(ValueQuestion question, byte[] answer) {
        try {
            return question.decodeAnswer(answer);
        } catch (BerException e) {
            throw new CompletionException(new StoreException(StoreException.Kind.IO, "a leader's answer is none: " + e.getMessage()));
        }
    }

    /**
     * Answers such a question of another member.
     *
     * @param byLabel the shard with a label; null where there is none
     */
    static CompletableFuture<byte[]> answer(byte[] bytes, Schema schema, Function<String, Partition> byLabel, Executor executor) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                ValueQuestion question = ValueQuestion.decode(schema, bytes);
                List<Partition> shards = new ArrayList<>();
                for (String each : question.shards()) {
                    Partition shard = byLabel.apply(each);
                    if (shard == null) {
                        throw new StoreException(StoreException.Kind.NOT_LEADER, "this member has no partition " + each);
                    }
                    shards.add(shard);
                }
                return ValueQuestion.encodeAnswer(said(shards, question.values()));
            } catch (BerException e) {
                throw new StoreException(StoreException.Kind.OUTCOME_UNKNOWN, "values were asked about in another way (" + e.getMessage()
                        + "), as by a member of another version");
            }
        }, executor);
    }
}
