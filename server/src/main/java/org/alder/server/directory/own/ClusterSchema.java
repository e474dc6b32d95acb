package org.alder.server.directory.own;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.alder.partition.Partition;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.NotLeaderException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.error.StoreException;
import org.alder.partition.store.ClusterService;
import org.alder.partition.store.Replica;
import org.alder.partition.store.SharedSchema;
import org.alder.partition.store.SharedSchema.Version;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The schema that clients change, as the one of a cluster: a member makes its versions, while it and those that lead the other partitions hold updates
 * back, and each member goes by a version when it has applied all that was written before. Thread safe.
 */
public final class ClusterSchema implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterSchema.class);
    /** So long updates are held for a member that says nothing more, and so long one waits for another. */
    private static final long LIMIT_MILLIS = 10_000;
    /** So long may the next leader of a partition be on its way, at most. */
    private static final long LEADER_MILLIS = 6000;
    private static final long PAUSE_MILLIS = 50;

    private final SharedSchema shared;
    private final Supplier<Map<String, Partition>> partitions;
    private final Others others;
    private final long limitMillis;
    private final SchemaHolds holds;

    /** The other members, as far as they can be asked. Thread safe. */
    public interface Others {
        /** Who cannot be asked, as nobody is there who could. */
        Others NONE = new Others() {
            @Override
            public String own() {
                return "this member";
            }

            @Override
            public boolean asks() {
                return false;
            }

            @Override
            public CompletableFuture<byte[]> ask(String member, byte[] question) {
                return CompletableFuture.failedFuture(new StoreException(StoreException.Kind.NOT_LEADER, "nobody is asked here; nothing was done"));
            }
        };

        /** The name of this member. */
        String own();

        /** See {@link ClusterService.Cluster#asks}. */
        boolean asks();

        /** See {@link ClusterService.Cluster#ask}. */
        CompletableFuture<byte[]> ask(String member, byte[] question);

        /** Those of a cluster. */
        static Others of(ClusterService.Cluster cluster) {
            return new Others() {
                @Override
                public String own() {
                    return cluster.name();
                }

                @Override
                public boolean asks() {
                    return cluster.asks();
                }

                @Override
                public CompletableFuture<byte[]> ask(String member, byte[] question) {
                    return cluster.ask(member, question);
                }
            };
        }
    }

    /** @param partitions those that are open, by the names of their logs */
    public ClusterSchema(SharedSchema shared, Supplier<Map<String, Partition>> partitions, Others others) {
        this(shared, partitions, others, LIMIT_MILLIS);
    }

    /** @param limitMillis so long updates are held for a member that says nothing more, and so long one waits for another */
    ClusterSchema(SharedSchema shared, Supplier<Map<String, Partition>> partitions, Others others, long limitMillis) {
        this.shared = shared;
        this.partitions = partitions;
        this.others = others;
        this.limitMillis = limitMillis;
        this.holds = new SchemaHolds(shared, partitions, others.own(), limitMillis);
    }

    SharedSchema shared() {
        return shared;
    }

    SchemaHolds holds() {
        return holds;
    }

    /** Begins to answer what a member asks that changes the schema, and returns. @param schema null where there is none that clients change */
    public static CompletableFuture<byte[]> answer(OnlineSchema schema, byte[] question) {
        return schema != null && schema.cluster() != null ? schema.cluster().holds.answer(question) : CompletableFuture.failedFuture(
                new StoreException(StoreException.Kind.OUTCOME_UNKNOWN, "the schema of this member cannot be changed; nothing was done"));
    }

    /**
     * Without those that apply nothing any more, as they get copies of other members' stores, whose keys are by other versions anyway; and without those that
     * this member does not hold.
     */
    List<Partition> open() {
        return partitions.get().values().stream().filter(ClusterSchema::applies).toList();
    }

    private static boolean applies(Partition partition) {
        return partition.store().replica().role() != Replica.Role.FAILED && !partition.isElsewhere();
    }

    /** Whether all is applied here that was written before a version. A partition that is not here, or gets a copy, does not matter. */
    boolean isReached(Version version) {
        Map<String, Partition> here = partitions.get();
        return version.behind().entrySet().stream().allMatch(each -> !here.containsKey(each.getKey()) || !applies(here.get(each.getKey()))
                || here.get(each.getKey()).store().sequence() >= each.getValue().sequence());
    }

    /**
     * Begins a change, before anything is looked at.
     *
     * @throws StoreException     of kind NOT_LEADER where this member leads nothing, and asks nobody
     * @throws DirectoryException where somebody else leads a partition who cannot be asked to hold updates of it
     */
    SchemaTurn turn() throws DirectoryException {
        Map<String, Partition> all = new TreeMap<>(partitions.get());
        Map<String, String> leaders = new HashMap<>();
        List<String> elsewhere = all.keySet().stream().filter(each -> !leads(all.get(each))).toList();
        if (!elsewhere.isEmpty() && !others.asks()) {
            refuse(all, elsewhere);
        }
        long untilNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(Math.min(LEADER_MILLIS, limitMillis));
        for (String each : elsewhere) {
            Replica replica = all.get(each).store().replica();
            while (isAwaited(replica) && System.nanoTime() - untilNanos < 0 && pause()) {
                LOG.debug("{} has no leader yet", each);
            }
            String leader = leader(each, replica);
            if (leader != null) {
                leaders.put(each, leader);
            }
        }
        return new ClusterTurn(shared, holds, new LinkedHashMap<>(all), leaders,
                (turn, definitions) -> new AskedLeaders(others, limitMillis, turn, definitions), limitMillis);
    }

    private static boolean isAwaited(Replica replica) {
        return replica.refusal() instanceof NotLeaderException elsewhere && elsewhere.handsOn() && elsewhere.leader() == null;
    }

    /** Whether there is time for it. */
    private static boolean pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static boolean leads(Partition partition) {
        return partition.store().replica().role() == Replica.Role.LEADER;
    }

    /** Where nobody is asked. */
    private static void refuse(Map<String, Partition> all, List<String> elsewhere) throws DirectoryException {
        if (elsewhere.size() == all.size()) {
            for (Partition partition : all.values()) {
                // Says who leads.
                partition.holdUpdates();
                partition.resumeUpdates();
            }
        }
        throw new DirectoryException(ResultCode.UNWILLING_TO_PERFORM, "nobody may write while the schema of a cluster is changed, and this member does not lead "
                + String.join(", ", elsewhere) + ", nor asks those that do, as its cluster file says otherwise than \"updates: forward\": change the schema on a member that"
                + " asks, or have this one lead all partitions first (bin/alder cluster move-leader --partition)");
    }

    /** Whom to ask; null where this member leads by now. */
    private String leader(String name, Replica replica) throws DirectoryException {
        StoreException refusal = replica.refusal();
        if (refusal == null) {
            return null;
        } else if (replica.role() == Replica.Role.FAILED) {
            throw new DirectoryException(ResultCode.UNAVAILABLE, "what " + others.own() + " holds of " + name + " applies nothing any more, so that it cannot tell whether"
                    + " the schema may change: change it on another member");
        } else if (refusal instanceof NotLeaderException elsewhere && elsewhere.handsOn() && elsewhere.leader() != null) {
            return elsewhere.leader();
        }
        ClusterService.Status status = replica.cluster();
        if (refusal instanceof NotLeaderException elsewhere && !elsewhere.handsOn() && status != null && status.leader() != null) {
            throw new DirectoryException(ResultCode.UNAVAILABLE, status.leader() + " leads " + name + ", and cannot be asked to hold updates of it, as its line in the cluster"
                    + " file has no updates=PORT: give it one, or have another member lead (bin/alder cluster move-leader --partition " + name + ")");
        }
        throw new DirectoryException(ResultCode.UNAVAILABLE, "nobody leads " + name + " now, as far as " + others.own()
                + " knows, who could hold updates of it; the schema was not changed: try again in a few seconds");
    }

    /** Partitions by who leads them, in the order of the first ones: all members ask in that order, so that of two that change the schema one comes first. */
    static Map<String, List<String>> byLeader(Map<String, Partition> all, Map<String, String> leaders, String own) {
        Map<String, List<String>> groups = new LinkedHashMap<>();
        all.keySet().forEach(each -> groups.computeIfAbsent(leaders.getOrDefault(each, own), none -> new ArrayList<>()).add(each));
        return groups;
    }

    @Override
    public void close() {
        holds.close();
    }
}
