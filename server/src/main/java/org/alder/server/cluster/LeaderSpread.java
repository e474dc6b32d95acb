package org.alder.server.cluster;

import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.alder.partition.Partition;
import org.alder.partition.Ticks;
import org.alder.partition.store.ClusterService;
import org.alder.partition.store.ClusterService.Status;
import org.alder.partition.store.Replica;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the leaders of shards hand over, one after the other, where members have led unevenly for a while, as behind a restart ({@link Rebalance}). Of the members
 * only the one that leads the first shard does so. Has a thread; thread safe.
 */
public final class LeaderSpread implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LeaderSpread.class);
    /** Also between one move and the next: what is known of members is some seconds old. */
    private static final long LOOK_MILLIS = 15_000;

    private final Map<String, Partition> shards;
    private final Partition first;
    private final ClusterService.Cluster cluster;
    private final long afterNanos;
    private final Ticks ticks = new Ticks();
    private final Thread thread;
    /** Since when one move or another would have made it more even; null where none would. */
    private Long unevenNanos;

    LeaderSpread(Map<String, Partition> shards, Partition first, ClusterService.Cluster cluster) {
        this.shards = Map.copyOf(shards);
        this.first = first;
        this.cluster = cluster;
        this.afterNanos = TimeUnit.MINUTES.toNanos(cluster.spreadMinutes());
        this.thread = new Thread(this::run, "leader-spread");
        thread.setDaemon(true);
    }

    /**
     * Looks now and then from now on.
     *
     * @param shards all of a naming context, by the names of their logs; closed after this
     * @param first  the one whose leader has others hand over
     */
    public static LeaderSpread start(Map<String, Partition> shards, Partition first, ClusterService.Cluster cluster) {
        LeaderSpread started = new LeaderSpread(shards, first, cluster);
        started.thread.start();
        return started;
    }

    private void run() {
        while (ticks.pause(LOOK_MILLIS)) {
            Rebalance.Move move = due(statuses(), System.nanoTime());
            if (move != null) {
                move(move);
            }
        }
    }

    private void move(Rebalance.Move move) {
        try {
            LOG.info("{} leads more shards than {}: {} is handed over", move.from(), move.to(), move.log());
            cluster.moveLeader(move.log(), move.to());
        } catch (IOException | RuntimeException e) {
            LOG.warn("{} is not handed over from {} to {} now: {}", move.log(), move.from(), move.to(), e.toString());
        }
    }

    /** What is known of each; null where another member looks, or not all is known. */
    private Map<String, Status> statuses() {
        Replica leading = first.store().replica();
        if (leading == null || leading.certainSequence() < 0) {
            return null;
        }
        Map<String, Status> statuses = new TreeMap<>();
        for (Map.Entry<String, Partition> each : shards.entrySet()) {
            Status status = each.getValue().store().replica().cluster();
            if (status == null || status.leader() == null) {
                return null;
            }
            statuses.put(each.getKey(), status);
        }
        return statuses;
    }

    /** The move that is due; null for none. @param statuses as above */
    Rebalance.Move due(Map<String, Status> statuses, long nowNanos) {
        Rebalance.Move next = statuses == null ? null : Rebalance.next(statuses);
        if (next == null) {
            unevenNanos = null;
            return null;
        } else if (unevenNanos == null) {
            unevenNanos = nowNanos;
        }
        return nowNanos - unevenNanos >= afterNanos ? next : null;
    }

    @Override
    public void close() {
        ticks.close(thread);
    }
}
