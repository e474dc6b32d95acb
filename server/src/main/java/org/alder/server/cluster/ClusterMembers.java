package org.alder.server.cluster;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.alder.partition.DaemonThreads;
import org.alder.partition.Partition;
import org.alder.partition.ShardGroup;
import org.alder.partition.ber.BerException;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.NotLeaderException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.error.StoreException;
import org.alder.partition.store.ClusterService;
import org.alder.partition.store.Replica;
import org.alder.partition.store.Store;
import org.alder.server.control.ReadPoint;
import org.alder.server.directory.UpdateTransaction;
import org.alder.server.policy.LoginEvent;
import org.alder.server.protocol.OtherMembers;
import org.alder.server.resource.Counters;
import org.alder.server.wire.HandedClient;

/**
 * {@link OtherMembers} by the partitions of this member. An update is sent again only where the answer says that nothing was done, for
 * {@value #MOST_MILLIS} ms: so long may the next leader be on its way. Thread safe.
 */
public final class ClusterMembers implements OtherMembers {
    static final long MOST_MILLIS = 6000;
    private static final long PAUSE_MILLIS = 50;
    /** Requests that are handed on, or wait for a leader. */
    private static final int MOST_REQUESTS = 2000;

    private final ClusterService.Cluster cluster;
    private final Supplier<List<Partition>> partitions;
    private final Function<Dn, Partition> byName;
    private final AtomicInteger requests = new AtomicInteger();
    /** What this member answers to itself; null before it does. */
    private volatile HandedRequests own;
    private final LeaderStates leaders;
    private final HandedLogins logins;

    /**
     * @param partitions those there are now
     * @param byName     the one in which a name is; null if there is none
     */
    public ClusterMembers(ClusterService.Cluster cluster, Supplier<List<Partition>> partitions, Function<Dn, Partition> byName, Counters counters) {
        this.cluster = cluster;
        this.partitions = partitions;
        this.byName = byName;
        this.leaders = new LeaderStates(cluster, partitions);
        this.logins = new HandedLogins(this::refusal, cluster::ask, counters);
    }

    @Override
    public String own() {
        return cluster.name();
    }

    /** Null where this member leads, or there is no such partition. */
    StoreException refusal(Dn dn) {
        Partition partition = byName.apply(dn);
        Replica replica = partition == null ? null : partition.store().replica();
        return replica == null ? null : replica.refusal();
    }

    @Override
    public boolean lead(Dn dn) {
        return refusal(dn) instanceof NotLeaderException elsewhere && elsewhere.handsOn();
    }

    @Override
    public String shard(Dn dn) {
        Partition partition = byName.apply(dn);
        return partition == null || ShardGroup.isWrittenAlone(partition) ? null : partition.label();
    }

    @Override
    public UpdateTransaction.Part part(String shard, HandedClient from, List<byte[]> messages) {
        return new HandedPart(this, named(shard), from, messages);
    }

    /** What the cluster may write where its members read it: {@link org.alder.partition.store.FeatureLevel}. */
    int level() {
        return cluster.level();
    }

    /** @param requests answers what this member asks as one of those who lead */
    public void answerOwn(HandedRequests requests) {
        own = requests;
    }

    /** Has whoever leads a shard, which may be this member, keep a part of a transaction. @param question a {@link PartRequest} */
    CompletableFuture<byte[]> askLeader(Partition shard, byte[] question) {
        HandedRequests here = own;
        try {
            String leader = LedShards.leader(shard);
            if (leader == null && here == null) {
                throw new StoreException(StoreException.Kind.NOT_LEADER, "this member answers nothing yet; nothing was done");
            }
            return leader == null ? here.prepare(question) : cluster.ask(leader, question);
        } catch (StoreException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public CompletableFuture<Handed> hand(Dn dn, HandedClient from, List<byte[]> messages) {
        if (requests.incrementAndGet() > MOST_REQUESTS) {
            requests.decrementAndGet();
            return CompletableFuture.failedFuture(new DirectoryException(ResultCode.BUSY, MOST_REQUESTS
                    + " updates are being handed on to leaders, as many as may be; nothing was done"));
        }
        Attempt attempt = new Attempt(dn, new HandedRequest(from, dn.text(), messages).encode());
        attempt.result.whenComplete((handed, failure) -> requests.decrementAndGet());
        attempt.run();
        return attempt.result;
    }

    /** One request until it is answered. */
    private final class Attempt implements Runnable {
        private final Dn dn;
        private final byte[] question;
        private final long beganNanos = System.nanoTime();
        private final CompletableFuture<Handed> result = new CompletableFuture<>();

        Attempt(Dn dn, byte[] question) {
            this.dn = dn;
            this.question = question;
        }

        @Override
        public void run() {
            StoreException refusal = refusal(dn);
            if (refusal == null) {
                result.complete(new Handed(null, ReadPoint.ANY));
            } else if (!(refusal instanceof NotLeaderException elsewhere) || !elsewhere.handsOn()) {
                result.completeExceptionally(refusal);
            } else if (elsewhere.leader() == null) {
                again(refusal);
            } else {
                cluster.ask(elsewhere.leader(), question).whenComplete(this::end);
            }
        }

        private void end(byte[] answer, Throwable failure) {
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            if (cause instanceof StoreException store && store.kind() == StoreException.Kind.NOT_LEADER) {
                again(store);
            } else if (cause != null) {
                result.completeExceptionally(cause);
            } else {
                take(answer);
            }
        }

        private void take(byte[] answer) {
            try {
                HandedAnswer decoded = HandedAnswer.decode(answer);
                result.complete(new Handed(decoded.message(), decoded.written()));
            } catch (BerException e) {
                result.completeExceptionally(new StoreException(StoreException.Kind.OUTCOME_UNKNOWN, "the leader's answer is none (" + e.getMessage()
                        + "): it is not known whether the update was made, so read what it was to change"));
            }
        }

        private void again(StoreException refusal) {
            if (System.nanoTime() - beganNanos > TimeUnit.MILLISECONDS.toNanos(MOST_MILLIS)) {
                result.completeExceptionally(new StoreException(StoreException.Kind.NOT_LEADER, refusal.getMessage()));
            } else {
                CompletableFuture.delayedExecutor(PAUSE_MILLIS, TimeUnit.MILLISECONDS, DaemonThreads.MOMENTS).execute(this);
            }
        }
    }

    @Override
    public ReadPoint written() {
        return sequences(replica -> replica.role() == Replica.Role.LEADER);
    }

    /** As far as each partition is shown here: what an entry that was moved to another member's shard has become is shown by then. */
    ReadPoint shown() {
        return sequences(replica -> true);
    }

    private ReadPoint sequences(Predicate<Replica> counts) {
        Map<String, Long> sequences = new TreeMap<>();
        for (Partition each : partitions.get()) {
            Replica replica = each.store().replica();
            if (replica != null && counts.test(replica)) {
                sequences.put(each.label(), each.store().sequence());
            }
        }
        return new ReadPoint(sequences);
    }

    /** Null where there is none. @param label of the partition */
    Partition named(String label) {
        return partitions.get().stream().filter(each -> each.label().equals(label)).findFirst().orElse(null);
    }

    private Store store(String label) {
        Partition named = named(label);
        return named == null ? null : named.store();
    }

    @Override
    public boolean isShown(ReadPoint point) {
        return point.sequences().entrySet().stream().allMatch(each -> {
            Store store = store(each.getKey());
            return store == null || store.sequence() >= each.getValue();
        });
    }

    @Override
    public CompletableFuture<Boolean> await(ReadPoint point, long millis) {
        CompletableFuture<Boolean> all = CompletableFuture.completedFuture(true);
        for (Map.Entry<String, Long> each : point.sequences().entrySet()) {
            Store store = store(each.getKey());
            if (store != null) {
                all = all.thenCombine(store.awaitSequence(each.getValue(), millis), Boolean::logicalAnd);
            }
        }
        return all;
    }

    /** Has the leader count a login that was seen here. Does not wait. */
    public void tell(LoginEvent event) {
        logins.add(event);
    }

    /** How far the partitions are that this member leads, where it is certain that nobody else does. */
    ReadPoint certain() {
        return leaders.own();
    }

    @Override
    public boolean isShownSince(long nanos) {
        return leaders.isShown(nanos);
    }

    @Override
    public CompletableFuture<Boolean> awaitSince(long nanos, long millis) {
        long untilNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        return leaders.asOf(nanos, millis).thenCompose(point ->
                await(point, Math.max(0, TimeUnit.NANOSECONDS.toMillis(untilNanos - System.nanoTime()))));
    }
}
