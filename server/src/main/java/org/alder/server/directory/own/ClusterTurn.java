package org.alder.server.directory.own;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.alder.partition.Partition;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.schema.SchemaRevision;
import org.alder.partition.store.SharedSchema;
import org.alder.partition.store.SharedSchema.Held;
import org.alder.partition.store.SharedSchema.Position;
import org.alder.partition.store.SharedSchema.Version;

/**
 * A change of the schema of a cluster, made on this member, whoever leads which partition: those that others lead they hold ({@link SchemaHolds}).
 */
final class ClusterTurn implements SchemaTurn {
    /** By which groups of partitions this member's own are known. */
    private static final String OWN = "";
    private static final long PAUSE_MILLIS = 50;

    private final SharedSchema shared;
    private final SchemaHolds holds;
    private final long number;
    private final Map<String, Partition> all;
    private final Map<String, String> leaders;
    private final Asking asking;
    private final long limitMillis;
    private final HeldPartitions own;
    private final Map<String, Position> behind = new TreeMap<>();
    private Held held = Held.ALONE;
    /** Null where this member leads all. */
    private AskedLeaders asked;
    private boolean isEntered;
    private boolean isMade;
    private boolean isInDoubt;

    /** Has leaders asked. */
    @FunctionalInterface
    interface Asking {
        AskedLeaders begin(long turn, byte[] definitions);
    }

    /**
     * @param all     by the names of their logs, in their order
     * @param leaders of those that others lead
     */
    ClusterTurn(SharedSchema shared, SchemaHolds holds, Map<String, Partition> all, Map<String, String> leaders, Asking asking, long limitMillis) {
        this.shared = shared;
        this.holds = holds;
        this.number = shared.adopted() + 1;
        this.all = all;
        this.leaders = leaders;
        this.asking = asking;
        this.limitMillis = limitMillis;
        this.own = new HeldPartitions(holds.member());
    }

    private void enter() throws DirectoryException {
        holds.enter();
        isEntered = true;
    }

    private void leave() {
        if (isEntered) {
            isEntered = false;
            holds.leave();
        }
    }

    @Override
    public void look() throws DirectoryException {
        enter();
    }

    @Override
    public void hold(byte[] definitions) throws DirectoryException {
        // Who has looked takes its turn with others again: two who have might refuse each other.
        leave();
        if (!leaders.isEmpty()) {
            long turn = newTurn();
            held = new Held(turn, leaders);
            asked = asking.begin(turn, definitions);
        }
        for (Map.Entry<String, List<String>> each : ClusterSchema.byLeader(all, leaders, OWN).entrySet()) {
            if (each.getKey().equals(OWN)) {
                holdOwn(each.getValue());
            } else {
                behind.putAll(asked.hold(each.getKey(), each.getValue()));
            }
        }
        awaitShown();
    }

    private long newTurn() throws DirectoryException {
        try {
            return shared.turn();
        } catch (IOException e) {
            throw new DirectoryException(ResultCode.UNAVAILABLE, "ZooKeeper does not answer (" + e.getMessage() + "); the schema was not changed");
        }
    }

    private void holdOwn(List<String> names) throws DirectoryException {
        enter();
        for (String each : names) {
            own.hold(each, all.get(each));
        }
        behind.putAll(own.positions());
    }

    /** What this member is to look at, and to have applied by the schema of before. */
    private void awaitShown() throws DirectoryException {
        for (Map.Entry<String, String> each : leaders.entrySet()) {
            long sequence = behind.get(each.getKey()).sequence();
            if (!isShown(all.get(each.getKey()), sequence)) {
                throw new DirectoryException(ResultCode.BUSY, holds.member() + " has not applied within " + limitMillis + " ms what " + each.getValue() + " has written to "
                        + each.getKey() + "; the schema was not changed: try again, on another member");
            }
        }
    }

    private boolean isShown(Partition partition, long sequence) throws DirectoryException {
        try {
            return partition.store().awaitSequence(sequence, limitMillis).get(2 * limitMillis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DirectoryException(ResultCode.UNAVAILABLE, "this member is being stopped; the schema was not changed");
        } catch (ExecutionException | TimeoutException e) {
            return false;
        }
    }

    @Override
    public void take(SchemaRevision revision, OnlineSchema file) throws DirectoryException {
        if (asked != null) {
            asked.requireHeld();
        }
        if (!published(new Version(number, behind, revision.onlineFile()))) {
            throw new DirectoryException(ResultCode.BUSY, "another member has changed the schema, or leads by now, or updates were not held any more; nothing was done: try again");
        }
        isMade = true;
        file.tryToWrite(revision.onlineFile(), revision.onlineFileBefore());
        revision.adopt();
        shared.adopted(number);
    }

    /**
     * Whoever still leads must not write before it knows: what it writes has to be checked by the newest version. Those that were asked find out by
     * themselves when their limit is over.
     */
    private boolean published(Version version) throws DirectoryException {
        long untilNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(limitMillis);
        while (true) {
            try {
                return shared.publish(version, held);
            } catch (IOException e) {
                boolean hasTime = asked != null && System.nanoTime() - untilNanos < 0;
                if (!own.leadsAny() && !hasTime) {
                    isInDoubt = true;
                    throw new DirectoryException(ResultCode.UNAVAILABLE, "nobody knows whether the schema was changed, as ZooKeeper does not answer ("
                            + e.getMessage() + "): read it when there is a leader again");
                }
            }
            pause();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        own.resume();
        leave();
        if (asked != null && isInDoubt) {
            asked.leave();
        } else if (asked != null) {
            asked.release(isMade ? number : 0);
        }
    }
}
