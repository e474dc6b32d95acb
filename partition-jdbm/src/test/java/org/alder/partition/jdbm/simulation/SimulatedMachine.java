package org.alder.partition.jdbm.simulation;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.disk.Disk;
import org.alder.partition.jdbm.disk.SparseDisk;
import org.alder.partition.jdbm.disk.VolatileDisk;
import org.alder.partition.jdbm.log.MemorySharedLog;
import org.alder.partition.jdbm.log.MemorySharedLog.Script;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.jdbm.store.CrashScript;
import org.alder.partition.jdbm.store.JdbmStore;
import org.alder.partition.jdbm.store.StoreTests;
import org.alder.partition.jdbm.task.Tasks;
import org.alder.partition.store.Commit;
import org.alder.partition.store.CommitFollower;
import org.alder.partition.store.Replica;
import org.alder.partition.testing.Simulation;

/** A store that shares its log, on a disk of its own, and what has it lead where the {@link SimulatedLock} says so. One task at a time. */
final class SimulatedMachine {
    private final Simulation simulation;
    private final SplittableRandom random;
    private final Tasks tasks;
    private final SimulatedLock lock;
    private final MemorySharedLog shared;
    private final Supplier<Script> endings;
    private final Path parent;
    private final int number;
    private Path folder;
    /** What the last failure of power left; null where there was none since the store was opened. */
    private Path image;
    private int folders;
    private SimulatedLog log;
    private JdbmStore store;
    /** When the lock was known to be its own last. */
    private long heldAt = Long.MIN_VALUE;
    private boolean trustsForEver;
    private boolean ends;

    SimulatedMachine(int number, Simulation simulation, SimulatedLock lock, MemorySharedLog shared, Supplier<Script> endings, Path parent) {
        this.number = number;
        this.simulation = simulation;
        this.random = simulation.random().split();
        this.tasks = new SimulatedTasks(simulation);
        this.lock = lock;
        this.shared = shared;
        this.endings = endings;
        this.parent = parent;
        openNew();
    }

    /** Null while it is down. */
    JdbmStore store() {
        return store;
    }

    boolean leads() {
        return store != null && store.replica().role() == Replica.Role.LEADER;
    }

    SimulatedLog log() {
        return log;
    }

    Path folder() {
        return folder;
    }

    /** Its clock stands still: it thinks for ever that it has the lock once it had it. */
    void trustForEver(boolean trusts) {
        trustsForEver = trusts;
    }

    private void openNew() {
        Path root = parent.resolve("machine" + number + "-" + folders++);
        int crashAt = random.nextInt(400);
        int[] changes = {0};
        folder = root;
        open(root, new VolatileDisk(made(root), now -> {
            if (++changes[0] == crashAt) {
                try {
                    Path target = parent.resolve("machine" + number + "-" + folders++);
                    now.writeTo(target, random.nextBoolean() ? new Random(random.nextLong()) : null);
                    image = target;
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }));
    }

    private static Path made(Path folder) {
        try {
            return Files.createDirectory(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void open(Path root, Disk disk) {
        StoreSettings settings = StoreSettings.defaults().withMemoryLayerBytes(4096 << random.nextInt(4)).withCacheBytes(0, 0).withChangeHistory(0)
                .withBackgroundCompaction(random.nextBoolean());
        log = new SimulatedLog(simulation, shared, endings, this::hasLease);
        JdbmStore opened = JdbmStore.open(root, settings, CrashScript.INDEXER, new SimulatedDisk(simulation, disk), tasks, log);
        opened.follow(new Follower());
        store = opened;
    }

    private boolean hasLease() {
        return trustsForEver || heldAt != Long.MIN_VALUE && simulation.now() - heldAt < SimulatedLock.SESSION_NANOS * 2 / 3;
    }

    /** As a process that ends, or a machine whose power failed some time ago, and one with a new disk. */
    void restart() {
        stop();
        int how = random.nextInt(3);
        if (how == 0) {
            openNew();
        } else {
            folder = how == 1 && image != null ? image : folder;
            image = null;
            open(folder, SparseDisk.INSTANCE);
        }
    }

    void stop() {
        JdbmStore stopped = store;
        store = null;
        stopped.close();
        log.close();
        requireNotFailed(stopped);
    }

    void requireNotFailed(JdbmStore which) {
        StoreException problem = which.replica().problem();
        boolean failed = which.replica().role() == Replica.Role.FAILED && problem.kind() != StoreException.Kind.CLOSED;
        if (failed) {
            throw new AssertionError("the replica of machine " + number + " failed", problem);
        }
    }

    void end() {
        ends = true;
    }

    /** The task that has it lead, or not. */
    void elect() {
        while (!ends) {
            electOnce();
            simulation.pause(SimulatedLock.SESSION_NANOS / 6);
        }
    }

    private void electOnce() {
        JdbmStore here = store;
        if (here == null) {
            return;
        }
        log.pass("asks for the lock");
        long sent = simulation.now();
        boolean held = !log.isCutOff() && lock.hold(number);
        log.pass(held ? "has the lock" : "has not the lock");
        heldAt = held ? sent : heldAt;
        try {
            if (hasLease() && held && here.replica().role() == Replica.Role.REPLICA) {
                tasks.join(here.replica().promote(reason -> simulation.note("leads no more: " + reason.kind())));
            } else if (here.replica().role() == Replica.Role.LEADER && !hasLease()) {
                tasks.join(here.replica().demote());
            }
        } catch (CompletionException e) {
            simulation.note("could not be made the leader, or made one no more: " + StoreTests.kindOf(e));
        }
    }

    /** Told each commit once, in order. */
    private static final class Follower implements CommitFollower {
        private long last = -1;

        @Override
        public void committed(Commit commit) {
            try (commit) {
                assertTrue("told " + commit.sequence() + " behind " + last, last < 0 || commit.sequence() == last + 1);
                assertEquals(commit.sequence(), commit.after().sequence());
                last = commit.sequence();
            }
        }

        @Override
        public void missed() {
            throw new AssertionError("a follower missed commits");
        }
    }
}
