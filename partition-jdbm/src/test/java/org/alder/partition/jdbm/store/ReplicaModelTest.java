package org.alder.partition.jdbm.store;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.alder.partition.check.StateAt;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.disk.Disk;
import org.alder.partition.jdbm.disk.SystemDisk;
import org.alder.partition.jdbm.disk.VolatileDisk;
import org.alder.partition.jdbm.log.MemorySharedLog;
import org.alder.partition.jdbm.log.MemorySharedLog.Script;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.jdbm.task.Threads;
import org.alder.partition.store.Commit;
import org.alder.partition.store.CommitFollower;
import org.alder.partition.store.Replica;
import org.alder.partition.store.Snapshot;
import org.alder.partition.testing.Await;
import org.alder.partition.testing.Seed;
import org.junit.Rule;
import org.junit.Test;

/**
 * Three stores on one log, writers that know what they were told, leaders that come and go, appends that end in each way, crashes and
 * restarts: nothing that was acknowledged is lost, nothing is done twice, and in the end all have the same.
 */
public class ReplicaModelTest {
    private static final int NODES = 3;
    private static final int WRITERS = 3;
    /** Its steps are sent by who decides about leaders, so that the log goes on. */
    private static final int OWN = WRITERS;
    private static final double SECONDS = Double.parseDouble(System.getProperty("alder.test.replicas", "6"));

    @Rule
    public final FaultFolder temporary = FaultFolder.inMemory();

    private final long seed = Seed.of(ReplicaModelTest.class);
    private final MemorySharedLog log = new MemorySharedLog();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final AtomicInteger unknown = new AtomicInteger();
    private final AtomicInteger acknowledged = new AtomicInteger();
    private final Node[] nodes = new Node[NODES];
    private int compared;
    private volatile int leader;
    private volatile boolean ends;

    /** A machine. What is done to it is done by the one thread of the test; others use its store. */
    private final class Node {
        private final Random random;
        private volatile Path folder;
        private volatile JdbmStore store;
        /** What the power failure left. */
        private volatile Path image;

        Node(int number) {
            random = new Random(seed + number);
        }

        void openNew() throws IOException {
            Path parent = temporary.newFolder().toPath();
            Path root = Files.createDirectory(parent.resolve("store"));
            AtomicInteger changes = new AtomicInteger();
            int crashAt = random.nextInt(600);
            image = null;
            open(root, new VolatileDisk(root, now -> {
                if (changes.incrementAndGet() == crashAt) {
                    try {
                        Path target = parent.resolve("image");
                        now.writeTo(target, random.nextBoolean() ? new Random(seed) : null);
                        image = target;
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                }
            }));
        }

        void open(Path root, Disk disk) {
            StoreSettings settings = StoreSettings.defaults().withMemoryLayerBytes(4096 << random.nextInt(4)).withCacheBytes(0, 0)
                    .withChangeHistory(0);
            folder = root;
            JdbmStore opened = JdbmStore.open(root, settings, CrashScript.INDEXER, disk, Threads.INSTANCE, log.member());
            opened.follow(new Follower());
            store = opened;
        }

        void restart() throws IOException {
            store.close();
            requireNotFailed();
            if (image != null) {
                Path left = image;
                image = null;
                open(left, SystemDisk.INSTANCE);
            } else if (random.nextInt(3) == 0) {
                openNew();
            } else {
                open(folder, SystemDisk.INSTANCE);
            }
        }

        void requireNotFailed() {
            StoreException problem = store.replica().problem();
            if (store.replica().role() == Replica.Role.FAILED && problem.kind() != StoreException.Kind.CLOSED) {
                throw new AssertionError("a replica failed", store.replica().problem());
            }
        }
    }

    /** Told each commit once, in order. */
    private final class Follower implements CommitFollower {
        private long last = -1;

        @Override
        public void committed(Commit commit) {
            try (commit) {
                if (last >= 0 && commit.sequence() != last + 1 || commit.after().sequence() != commit.sequence()) {
                    failure.compareAndSet(null, new AssertionError("a follower was told " + commit.sequence() + " behind " + last));
                }
                last = commit.sequence();
            }
        }

        @Override
        public void missed() {
            failure.compareAndSet(null, new AssertionError("a follower missed commits"));
        }
    }

    /** One after the other, each until it is known what became of it. */
    private void write(CrashScript script) throws Exception {
        while (!ends && failure.get() == null) {
            step(script);
        }
    }

    private void step(CrashScript script) throws Exception {
        try {
            script.submit(nodes[leader].store).get(Await.SECONDS, TimeUnit.SECONDS);
            acknowledged.incrementAndGet();
            script.advance();
        } catch (ExecutionException e) {
            StoreException.Kind kind = StoreTests.kindOf(e);
            if (kind == StoreException.Kind.OUTCOME_UNKNOWN) {
                unknown.incrementAndGet();
                learn(script);
            } else if (kind != StoreException.Kind.NOT_LEADER && kind != StoreException.Kind.CLOSED && kind != StoreException.Kind.DISK_FULL && kind != StoreException.Kind.READ_ONLY) {
                throw e;
            }
            Thread.sleep(1);
        }
    }

    /** Asks who has shown to lead, and so has all there was before. */
    private void learn(CrashScript script) throws Exception {
        int known = script.steps();
        int found = -1;
        while (found < 0 && failure.get() == null) {
            JdbmStore store = nodes[leader].store;
            Thread.sleep(5);
            if (store.replica().role() == Replica.Role.LEADER) {
                try {
                    store.submit(context -> {
                        context.modify(1, StoreTests.recolor(List.of(), List.of("probe" + System.nanoTime())));
                        return null;
                    }).get(Await.SECONDS, TimeUnit.SECONDS);
                } catch (ExecutionException e) {
                    continue;
                }
                try (Snapshot snapshot = store.snapshot()) {
                    script.load(snapshot);
                    found = script.steps();
                } catch (StoreException e) {
                    continue;
                }
            }
        }
        assertTrue("steps known " + known + ", found " + found, found < 0 || found == known || found == known + 1);
    }

    private Script ending(Random random) {
        synchronized (random) {
            return random.nextInt(25) > 0 ? Script.DONE : Script.values()[random.nextInt(Script.values().length)];
        }
    }

    private void lead(int next, boolean tellsTheOther) {
        try {
            if (tellsTheOther) {
                nodes[leader].store.replica().demote().get(Await.SECONDS, TimeUnit.SECONDS);
            }
            nodes[next].store.replica().promote(reason -> { }).get(Await.SECONDS, TimeUnit.SECONDS);
            leader = next;
        } catch (ExecutionException e) {
            StoreTests.kindOf(e);
        } catch (Exception e) {
            failure.compareAndSet(null, e);
        }
    }

    private void leadInTheEnd(int last) {
        while (failure.get() == null && (nodes[leader].store.replica().role() != Replica.Role.LEADER || leader != last)) {
            lead(last, true);
        }
    }

    private Thread start(CrashScript script) {
        Thread thread = new Thread(() -> {
            try {
                write(script);
            } catch (Throwable e) {
                failure.compareAndSet(null, e);
            }
        });
        thread.start();
        return thread;
    }

    @Test
    public void whoeverLeadsAndWhateverFailsAllHaveWhatWasPromised() throws Throwable {
        Random random = new Random(seed);
        for (int i = 0; i < NODES; i++) {
            nodes[i] = new Node(i);
            nodes[i].openNew();
        }
        lead(0, false);
        CrashScript.prepare(nodes[0].store).join();
        if (random.nextBoolean()) {
            log.hideLast();
        }
        Random endings = new Random(seed + 100);
        log.script(() -> ending(endings));
        log.delay(() -> endings.nextInt(4) == 0 ? endings.nextInt(500_000) : 0);
        List<CrashScript> scripts = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            scripts.add(new CrashScript(seed, i));
            threads.add(start(scripts.get(i)));
        }
        CrashScript own = new CrashScript(seed, OWN);
        scripts.add(own);
        int restarts = 0;
        long end = System.nanoTime() + (long) (SECONDS * 1e9);
        while (System.nanoTime() < end && failure.get() == null) {
            Thread.sleep(random.nextInt(60));
            if (random.nextInt(5) == 0) {
                nodes[random.nextInt(NODES)].restart();
                restarts++;
            }
            if (random.nextInt(3) == 0 || nodes[leader].store.replica().role() != Replica.Role.LEADER) {
                lead(random.nextInt(NODES), random.nextBoolean());
            }
            if (nodes[leader].store.replica().role() == Replica.Role.LEADER) {
                ownStep(own);
            }
            Arrays.stream(nodes).forEach(Node::requireNotFailed);
            if (random.nextInt(4) == 0) {
                compare(3);
            }
        }
        log.script(() -> Script.DONE);
        int last = random.nextInt(NODES);
        ends = true;
        // What was appended before may still end as the script said, and its leader with it, for whom those wait who do not know what came of theirs.
        Await.until("the end of all writers", () -> {
            leadInTheEnd(last);
            return threads.stream().noneMatch(Thread::isAlive);
        });
        leadInTheEnd(last);
        if (failure.get() != null) {
            throw failure.get();
        }
        check(scripts);
        System.out.println("ReplicaModelTest: " + acknowledged + " acknowledged, " + unknown + " unknown, " + restarts + " restarts, " + compared + " states compared, epoch "
                + log.epoch() + ", sequence " + log.last());
    }

    /** As of a transaction that is about to come; those are left out that do not get there soon. */
    private void compare(int ahead) throws Exception {
        long sequence = nodes[leader].store.sequence() + ahead;
        List<CompletableFuture<StateAt>> states = Arrays.stream(nodes).map(node -> StateAt.of(node.store, sequence)).toList();
        List<Object> digests = new ArrayList<>();
        for (CompletableFuture<StateAt> each : states) {
            try (StateAt state = each.get(300, TimeUnit.MILLISECONDS)) {
                digests.add(StoreTests.digest(state.snapshot(), CrashScript.INDEXER));
            } catch (ExecutionException | TimeoutException e) {
                each.whenComplete((late, nothing) -> {
                    if (late != null) {
                        late.close();
                    }
                });
                each.cancel(false);
            }
        }
        for (Object digest : digests) {
            assertEquals("at sequence " + sequence, digests.get(0), digest);
            compared++;
        }
    }

    /** Whatever it comes to, soon: this thread has other things to do. */
    private void ownStep(CrashScript own) {
        try {
            own.submit(nodes[leader].store).get(200, TimeUnit.MILLISECONDS);
            own.advance();
            acknowledged.incrementAndGet();
        } catch (ExecutionException | TimeoutException e) {
            // Nothing was promised; what was done is found out before the next one.
            loadOwn(own);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void loadOwn(CrashScript own) {
        boolean loaded = false;
        while (!loaded && failure.get() == null) {
            int next = (leader + 1) % NODES;
            lead(next, true);
            JdbmStore store = nodes[next].store;
            if (leader == next && store.replica().role() == Replica.Role.LEADER) {
                try (Snapshot snapshot = store.snapshot()) {
                    own.load(snapshot);
                    loaded = true;
                }
            }
        }
    }

    private void check(List<CrashScript> scripts) throws Exception {
        assertEquals("what writers did that they may not", List.of(), log.faults());
        JdbmStore leading = nodes[leader].store;
        // Whatever is hidden is behind this.
        leading.submit(context -> {
            context.modify(1, StoreTests.recolor(List.of(), List.of("end")));
            return null;
        }).join();
        leading.replica().demote().join();
        for (Node node : nodes) {
            if (node.store != leading && node.store.replica().role() == Replica.Role.LEADER) {
                node.store.replica().demote().join();
            }
        }
        try (Snapshot expected = leading.snapshot()) {
            assertEquals(log.last(), expected.sequence());
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
                assertTrue(Await.result("all", node.store.awaitSequence(expected.sequence(), Await.MILLIS)));
                try (Snapshot other = node.store.snapshot()) {
                    assertEquals(expected.csn(), other.csn());
                    assertEquals(StoreTests.digest(expected, CrashScript.INDEXER), StoreTests.digest(other, CrashScript.INDEXER));
                    StoreTests.assertSame("on a replica", CrashScript.INDEXER.indexes().size(), expected, other);
                }
            }
        } finally {
            for (Node node : nodes) {
                node.store.close();
                StoreTests.assertFilesSound(node.folder);
            }
        }
    }
}
