package org.alder.partition.bookkeeper;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.alder.partition.bookkeeper.log.LogCluster;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.disk.SystemDisk;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.jdbm.store.CrashScript;
import org.alder.partition.jdbm.store.JdbmStore;
import org.alder.partition.jdbm.store.StoreTests;
import org.alder.partition.jdbm.task.Threads;
import org.alder.partition.store.Replica;
import org.alder.partition.store.Snapshot;
import org.alder.partition.testing.Await;
import org.alder.partition.testing.Seed;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * Three stores on one log, writers that know what they were told, bookies that stop and come back, leaders that come, sleep and go, and
 * stores that are closed and opened: nothing that was acknowledged is lost, nothing is done twice, and in the end all have the same.
 * {@code -Dalder.test.steps} makes it longer.
 */
public class SharedStoreFaultsTest {
    private static final int NODES = 3;
    private static final int WRITERS = 3;
    private static final int STEPS = Integer.getInteger("alder.test.steps", 30);
    private static final int RESOLVE_MILLIS = 3_000;
    private static final int LEDGER_BYTES = 20_000;
    private static final int MOST_LEDGERS = 1000;
    private static final int PAUSE_MILLIS = 300;

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();
    private final long seed = Seed.of(SharedStoreFaultsTest.class);
    private final Random random = new Random(seed);
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final AtomicInteger acknowledged = new AtomicInteger();
    private final AtomicInteger unknown = new AtomicInteger();
    private final AtomicInteger faults = new AtomicInteger();
    private final Node[] nodes = new Node[NODES];
    private TestCluster bookies;
    private volatile int leader;
    private volatile boolean ends;

    /** A machine with a store. */
    private final class Node {
        private final String name;
        private final Path path;
        private volatile Leases lease = new Leases();
        private LogCluster cluster;
        private BookKeeperSharedLog log;
        private volatile JdbmStore store;

        Node(int number) throws IOException {
            name = "node-" + number;
            path = folder.newFolder().toPath();
            open();
        }

        void open() throws IOException {
            StoreSettings settings = StoreSettings.defaults().withMemoryLayerBytes(16_000).withCacheBytes(0, 0).withChangeHistory(0);
            cluster = LogCluster.connect(bookies.settings(RESOLVE_MILLIS, LEDGER_BYTES, MOST_LEDGERS));
            log = BookKeeperSharedLog.open(cluster, TestCluster.PATH, name, () -> lease);
            store = JdbmStore.open(path, settings, CrashScript.INDEXER, SystemDisk.INSTANCE, Threads.INSTANCE, log);
        }

        void close() throws IOException {
            store.close();
            log.close();
            cluster.close();
        }

        /** Too few bookies may be there to read the log. */
        void restart() throws IOException {
            close();
            startAll();
            open();
        }

        boolean leads() {
            return store.replica().role() == Replica.Role.LEADER;
        }
    }

    private void startAll() throws IOException {
        for (int i = 0; i < TestCluster.BOOKIES; i++) {
            bookies.start(i);
        }
    }

    private void write(CrashScript script) {
        try {
            while (!ends && failure.get() == null) {
                step(script);
            }
        } catch (Throwable e) {
            failure.compareAndSet(null, e);
        }
    }

    private void step(CrashScript script) throws Exception {
        try {
            script.submit(nodes[leader].store).get(Await.SECONDS, TimeUnit.SECONDS);
            acknowledged.incrementAndGet();
            script.advance();
        } catch (ExecutionException e) {
            switch (StoreTests.kindOf(e)) {
                case OUTCOME_UNKNOWN -> {
                    unknown.incrementAndGet();
                    learn(script);
                }
                case NOT_LEADER, CLOSED, READ_ONLY -> Thread.sleep(5);
                default -> throw e;
            }
        }
    }

    /** Asks one that has shown to lead, and so has all there was before. */
    private void learn(CrashScript script) throws Exception {
        int known = script.steps();
        boolean found = false;
        while (!found && failure.get() == null) {
            JdbmStore store = nodes[leader].store;
            Thread.sleep(10);
            try {
                store.submit(context -> {
                    context.modify(1, StoreTests.recolor(List.of(), List.of("probe" + System.nanoTime())));
                    return null;
                }).get(Await.SECONDS, TimeUnit.SECONDS);
                try (Snapshot snapshot = store.snapshot()) {
                    script.load(snapshot);
                    found = true;
                }
            } catch (ExecutionException | StoreException e) {
                // Not the leader, or no more.
                continue;
            }
        }
        assertTrue("steps known " + known + ", found " + script.steps(), !found || script.steps() == known || script.steps() == known + 1);
    }

    private void lead(int next, boolean tellsTheOther) throws Exception {
        if (tellsTheOther) {
            Await.result("the end of a lead", nodes[leader].store.replica().demote());
        }
        if (next != leader) {
            // It may have led before the other did, and not have noticed it. Two never hold a lease at once: by it alone a leader knows that
            // what it has is the newest, and refuses updates for it.
            nodes[next].lease.lose();
            Await.result("the end of an earlier lead", nodes[next].store.replica().demote());
        }
        nodes[next].lease = nodes[next].leads() ? nodes[next].lease : new Leases();
        try {
            Await.result("a promotion", nodes[next].store.replica().promote(reason -> { }));
            leader = next;
        } catch (ExecutionException e) {
            StoreTests.kindOf(e);
        }
    }

    private void fault() throws Exception {
        faults.incrementAndGet();
        switch (random.nextInt(8)) {
            case 0 -> bookies.stop(random.nextInt(TestCluster.BOOKIES));
            case 1, 2 -> bookies.start(random.nextInt(TestCluster.BOOKIES));
            case 3 -> nodes[leader].lease.lose();
            case 4 -> nodes[random.nextInt(NODES)].restart();
            case 5 -> lead(random.nextInt(NODES), true);
            default -> lead(random.nextInt(NODES), false);
        }
        while (bookies.running() < 2) {
            Thread.sleep(random.nextInt(PAUSE_MILLIS));
            bookies.start(random.nextInt(TestCluster.BOOKIES));
        }
    }

    private void settle() throws Exception {
        startAll();
        int last = random.nextInt(NODES);
        while (leader != last || !nodes[last].leads()) {
            lead(last, true);
        }
    }

    @Test
    public void whateverFailsAllHaveWhatWasPromised() throws Throwable {
        bookies = new TestCluster(folder.getRoot().toPath());
        for (int i = 0; i < NODES; i++) {
            nodes[i] = new Node(i);
        }
        settle();
        Await.result("the first entries", CrashScript.prepare(nodes[leader].store));
        List<CrashScript> scripts = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            CrashScript script = new CrashScript(seed, i);
            scripts.add(script);
            threads.add(new Thread(() -> write(script)));
        }
        threads.forEach(Thread::start);
        for (int i = 0; i < STEPS && failure.get() == null; i++) {
            Thread.sleep(random.nextInt(PAUSE_MILLIS));
            fault();
            if (!nodes[leader].leads() && random.nextBoolean()) {
                lead(random.nextInt(NODES), false);
            }
        }
        settle();
        ends = true;
        Await.end(threads.toArray(new Thread[0]));
        if (failure.get() != null) {
            throw failure.get();
        }
        check(scripts);
        for (Node node : nodes) {
            node.close();
        }
        System.out.println("SharedStoreFaultsTest: " + acknowledged + " acknowledged, " + unknown + " unknown, " + faults + " faults");
        bookies.close();
    }

    private void check(List<CrashScript> scripts) throws Exception {
        try (Snapshot expected = nodes[leader].store.snapshot()) {
            StoreTests.assertIndexed(expected, CrashScript.INDEXER);
            for (int i = 0; i < scripts.size(); i++) {
                CrashScript found = new CrashScript(seed, i);
                found.load(expected);
                assertEquals("steps of writer " + i, scripts.get(i).steps(), found.steps());
                CrashScript replayed = new CrashScript(seed, i);
                while (replayed.steps() < found.steps()) {
                    replayed.advance();
                }
                assertEquals("entries of writer " + i, replayed.entries(), found.entries());
            }
            for (Node node : nodes) {
                Await.until("all", () -> node.store.sequence() >= expected.sequence() || node.store.replica().role() == Replica.Role.FAILED);
                assertEquals("" + node.store.replica().problem(), null, node.store.replica().problem());
                assertTrue(Await.result("all", node.store.awaitSequence(expected.sequence(), Await.MILLIS)));
                try (Snapshot other = node.store.snapshot()) {
                    assertEquals(expected.csn(), other.csn());
                    assertEquals(StoreTests.digest(expected, CrashScript.INDEXER), StoreTests.digest(other, CrashScript.INDEXER));
                }
            }
        }
    }

}
