package org.alder.partition.jdbm.simulation;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.alder.partition.entry.Csn;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.StoreException;
import org.alder.partition.id.IdSet;
import org.alder.partition.jdbm.disk.FaultyDisk;
import org.alder.partition.jdbm.disk.SparseDisk;
import org.alder.partition.jdbm.disk.VolatileDisk;
import org.alder.partition.jdbm.settings.Durability;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.jdbm.store.CrashScript;
import org.alder.partition.jdbm.store.JdbmStore;
import org.alder.partition.jdbm.store.StoreTests;
import org.alder.partition.jdbm.store.TestIndexer;
import org.alder.partition.jdbm.task.Tasks;
import org.alder.partition.store.ChangeHistory;
import org.alder.partition.store.Commit;
import org.alder.partition.store.CommitFollower;
import org.alder.partition.store.Snapshot;
import org.alder.partition.testing.Simulation;

/**
 * One store in one {@link Simulation}: writers, readers, a follower and somebody who flushes and merges, on a disk that may fail and
 * whose power fails at some changes. Everything follows from the seed. What is held against what, docs/simulation.md says.
 */
final class StoreRun {
    private static final int MOST_IMAGES = 3;
    private static final int MOST_CHANGES = 500;

    private final long seed;
    private final Path folder;
    private final Simulation simulation;
    private final SplittableRandom random;
    private final Tasks tasks;
    private final FaultyDisk faults;
    private final SimulatedDisk disk;
    private final StoreSettings settings;
    private final TestIndexer indexer;
    private final int[] imageAt;
    private final List<Image> images = new ArrayList<>();
    private final Writer[] writers;
    private final List<Long> told = new ArrayList<>();
    private boolean isPrepared;
    private boolean missed;
    private int reads;
    private int histories;

    /** What a failure of power left, and what had been promised by then. */
    private record Image(Path folder, boolean isPrepared, int[] acknowledged, int[] sent, long told) {
    }

    /** What one client has asked for, one transaction after the other, and what it was told. */
    private final class Writer {
        private final int number;
        private final CrashScript script;
        private final List<Map<Integer, Set<String>>> states = new ArrayList<>();
        private int sent;
        private CompletableFuture<Void> pending;

        Writer(int number) {
            this.number = number;
            this.script = new CrashScript(seed, number);
            states.add(Map.of());
        }

        int acknowledged() {
            boolean isDone = pending != null && pending.isDone() && !pending.isCompletedExceptionally();
            return script.steps() + (isDone ? 1 : 0);
        }

        Map<Integer, Set<String>> state(int steps) {
            CrashScript copy = new CrashScript(seed, number);
            while (states.size() <= steps) {
                states.clear();
                states.add(Map.of());
                while (states.size() <= steps) {
                    copy.advance();
                    states.add(new TreeMap<>(copy.entries()));
                }
            }
            return states.get(steps);
        }

        void work(JdbmStore store, int transactions) {
            for (int i = 0; i < transactions; i++) {
                sent = script.steps() + 1;
                pending = script.submit(store);
                simulation.step("sent " + sent);
                try {
                    tasks.join(pending);
                } catch (CompletionException e) {
                    if (kind(e) == StoreException.Kind.DISK_FULL) {
                        // Nothing of it was done: it is sent again.
                        sent--;
                        pending = null;
                        simulation.pause(1_000_000);
                        continue;
                    }
                    requireFault(e);
                    return;
                }
                script.advance();
                pending = null;
            }
        }
    }

    /** @param parent where folders are made */
    StoreRun(long seed, Path parent) throws IOException {
        this.seed = seed;
        this.folder = Files.createTempDirectory(parent, "run");
        // Everywhere, often or now and then: each finds what the others seldom do.
        this.simulation = new Simulation(seed, 1000, 400, 80);
        this.tasks = new SimulatedTasks(simulation);
        this.random = simulation.random().split();
        boolean sound = random.nextInt(5) < 2;
        FaultyDisk.Fault fault = FaultyDisk.Fault.values()[random.nextInt(3)];
        long from = sound ? Long.MAX_VALUE : 1 + random.nextInt(MOST_CHANGES / 2);
        this.imageAt = IntStream.range(0, MOST_IMAGES).map(i -> 1 + random.nextInt(MOST_CHANGES)).toArray();
        Path root = Files.createDirectory(folder.resolve("store"));
        this.faults = new FaultyDisk(new VolatileDisk(root, this::beforeChange), from, fault, from + 1 + random.nextInt(60));
        this.disk = new SimulatedDisk(simulation, faults);
        this.settings = StoreSettings.defaults().withMemoryLayerBytes(layerBytes()).withCacheBytes(0, 0)
                .withMerging(Long.MAX_VALUE, random.nextBoolean()).withDiskLow(1000, random.nextInt(2))
                .withChangeHistory(random.nextInt(2) * 4000).withBackgroundCompaction(random.nextInt(3) > 0)
                .withDurability(Durability.SYNC, 1);
        // Each index is a table of each segment, and JDBM2 takes its time for one.
        this.indexer = random.nextInt(4) == 0 ? CrashScript.INDEXER : new TestIndexer(5, "color");
        this.writers = IntStream.range(0, 1 + random.nextInt(4)).mapToObj(Writer::new).toArray(Writer[]::new);
    }

    /** Seldom so few that each transaction is flushed: most of the time would go there. */
    private long layerBytes() {
        return 1L << (random.nextInt(8) == 0 ? 9 : 12) + random.nextInt(4);
    }

    long traceHash() {
        return simulation.traceHash();
    }

    long turns() {
        return simulation.turns();
    }

    int images() {
        return images.size();
    }

    int reads() {
        return reads;
    }

    int histories() {
        return histories;
    }

    boolean hasFailed() {
        return faults.hasFailed();
    }

    String trace() {
        return simulation.trace();
    }

    private static StoreException.Kind kind(CompletionException e) {
        return e.getCause() instanceof StoreException cause ? cause.kind() : null;
    }

    /** A store may fail only after its disk has, and says so. */
    private void requireFault(RuntimeException e) {
        Throwable cause = e instanceof CompletionException ? e.getCause() : e;
        boolean isExpected = cause instanceof StoreException store && (store.kind() == StoreException.Kind.READ_ONLY
                || store.kind() == StoreException.Kind.IO || store.kind() == StoreException.Kind.DISK_FULL
                || store.kind() == StoreException.Kind.OUTCOME_UNKNOWN || store.kind() == StoreException.Kind.CLOSED);
        if (!isExpected || !faults.hasFailed()) {
            throw e;
        }
    }

    private void beforeChange(VolatileDisk.Image image) {
        long change = faults == null ? 0 : faults.changes();
        if (Arrays.stream(imageAt).noneMatch(at -> at == change) || images.size() >= MOST_IMAGES) {
            return;
        }
        try {
            Path target = folder.resolve("image" + images.size());
            image.writeTo(target, random.nextInt(4) == 0 ? null : new Random(seed + change));
            images.add(new Image(target, isPrepared, all(false), all(true), told.isEmpty() ? 0 : told.get(told.size() - 1)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private int[] all(boolean isSent) {
        return Arrays.stream(writers).mapToInt(writer -> isSent ? writer.sent : writer.acknowledged()).toArray();
    }

    /** Runs everything, and then holds what is left against what was promised. */
    void run() throws IOException {
        simulation.run(this::simulate);
        Image end = new Image(folder.resolve("store"), isPrepared, all(false), all(true), told.isEmpty() ? 0 : told.get(told.size() - 1));
        check("the end", end);
        for (int i = 0; i < images.size(); i++) {
            check("image " + i, images.get(i));
        }
    }

    private void simulate() {
        JdbmStore store;
        try {
            store = JdbmStore.open(folder.resolve("store"), settings, indexer, disk, tasks);
        } catch (StoreException e) {
            requireFault(e);
            return;
        }
        store.follow(new Follower());
        try {
            tasks.join(CrashScript.prepare(store));
            isPrepared = true;
            List<Simulation.Actor> clients = new ArrayList<>();
            for (Writer writer : writers) {
                int transactions = 2 + random.nextInt(12);
                clients.add(simulation.start("client " + writer.number, () -> writer.work(store, transactions)));
            }
            for (int i = random.nextInt(3); i > 0; i--) {
                int times = 1 + random.nextInt(6);
                clients.add(simulation.start("reader " + i, () -> read(store, times)));
            }
            int times = random.nextInt(3);
            clients.add(simulation.start("operator", () -> operate(store, times)));
            for (Simulation.Actor client : clients) {
                client.join();
            }
        } catch (CompletionException e) {
            requireFault(e);
        }
        store.close();
    }

    private void operate(JdbmStore store, int times) {
        for (int i = 0; i < times; i++) {
            simulation.pause(20_000);
            try {
                if (settings.segments().compaction()) {
                    store.flush();
                } else {
                    store.compact();
                }
            } catch (StoreException e) {
                requireFault(e);
            }
        }
    }

    /** Told each commit once, in its order, when it is shown and durable. */
    private final class Follower implements CommitFollower {
        @Override
        public void committed(Commit commit) {
            try (commit) {
                long expected = told.isEmpty() ? 1 : told.get(told.size() - 1) + 1;
                if (!missed) {
                    assertEquals("the commit that a follower is told next", expected, commit.sequence());
                }
                assertEquals(commit.sequence(), commit.after().sequence());
                told.add(commit.sequence());
            }
        }

        @Override
        public void missed() {
            missed = true;
        }
    }

    /** A snapshot shows everything that was acknowledged when it was opened, whole transactions in one order, and ever the same. */
    private void read(JdbmStore store, int times) {
        Copy copy = null;
        for (int i = 0; i < times; i++) {
            int[] acknowledged = all(false);
            try (Snapshot snapshot = store.snapshot()) {
                int[] sent = all(true);
                simulation.step("opened a snapshot");
                int[] found = new int[writers.length];
                for (int pass = 0; pass < 2; pass++) {
                    for (Writer writer : writers) {
                        CrashScript script = new CrashScript(seed, writer.number);
                        script.load(snapshot);
                        int steps = script.steps();
                        assertTrue("steps of writer " + writer.number + ": acknowledged " + acknowledged[writer.number] + ", found " + steps
                                + ", sent " + sent[writer.number], steps >= acknowledged[writer.number] && steps <= sent[writer.number]);
                        assertTrue("a snapshot shows two states", pass == 0 || found[writer.number] == steps);
                        found[writer.number] = steps;
                        assertEquals(writer.state(steps), script.entries());
                        simulation.step("read");
                    }
                }
                assertEquals("transactions in a snapshot", snapshot.sequence() - 1, IntStream.of(found).sum());
                reads++;
                if (copy != null) {
                    requireHistory(copy, store.changes(copy.csn, snapshot), snapshot);
                }
                copy = copy(snapshot);
            } catch (StoreException e) {
                requireFault(e);
            }
        }
    }

    /** What a client has that comes back later and asks what has changed. */
    private record Copy(Csn csn, Map<Long, EntryRecord> entries) {
    }

    private static Copy copy(Snapshot snapshot) {
        Map<Long, EntryRecord> entries = new TreeMap<>();
        try (Snapshot.EntryCursor cursor = snapshot.entries(0)) {
            while (cursor.next()) {
                entries.put(cursor.id(), cursor.entry());
            }
        }
        return new Copy(snapshot.csn(), entries);
    }

    /** It names everything that is not so any more, and nothing that is not there; or it is forgotten. */
    private void requireHistory(Copy before, ChangeHistory history, Snapshot snapshot) {
        if (history.answer() != ChangeHistory.Answer.KNOWN) {
            assertEquals(ChangeHistory.Answer.FORGOTTEN, history.answer());
            return;
        }
        Map<Long, EntryRecord> now = copy(snapshot).entries;
        IdSet changed = history.changed();
        IdSet there = IdSet.of(now.keySet().stream().mapToLong(Long::longValue).toArray());
        assertTrue("changed and not there: " + changed.andNot(there), changed.andNot(there).isEmpty());
        Set<String> deleted = history.deleted().stream().map(each -> new String(each, StandardCharsets.UTF_8))
                .collect(Collectors.toSet());
        now.forEach((id, entry) -> assertTrue("entry " + id + " is another one since " + before.csn + ", and not among " + changed,
                entry.equals(before.entries.get(id)) || changed.contains(id)));
        before.entries.forEach((id, entry) -> assertTrue("entry " + id + " is gone since " + before.csn + ", and not among " + deleted,
                now.containsKey(id) || deleted.contains(new String(indexer.identity(entry), StandardCharsets.UTF_8))));
        histories++;
    }

    /** What was acknowledged is there, what was not is there whole or not at all, and in the order of the log. */
    private void check(String what, Image image) {
        StoreSettings opened = settings.withBackgroundCompaction(false).withMemoryLayerBytes(layerBytes() << (random.nextInt(4) == 0 ? 0 : 8));
        try (JdbmStore store = JdbmStore.open(image.folder, opened, indexer, SparseDisk.INSTANCE); Snapshot snapshot = store.snapshot()) {
            assertTrue(what + ": told commit " + image.told + ", there are " + snapshot.sequence(), snapshot.sequence() >= image.told);
            if (snapshot.sequence() == 0) {
                assertTrue(what + ": what was prepared is lost", !image.isPrepared);
                return;
            }
            int sum = 0;
            for (Writer writer : writers) {
                CrashScript script = new CrashScript(seed, writer.number);
                script.load(snapshot);
                int steps = script.steps();
                assertTrue(what + ": writer " + writer.number + ": acknowledged " + image.acknowledged[writer.number] + ", found " + steps
                        + ", sent " + image.sent[writer.number],
                        steps >= image.acknowledged[writer.number] && steps <= image.sent[writer.number]);
                assertEquals(what, writer.state(steps), script.entries());
                sum += steps;
            }
            assertEquals(what + ": transactions", snapshot.sequence() - 1, sum);
            StoreTests.assertIndexed(snapshot, indexer);
        } catch (RuntimeException e) {
            throw new AssertionError(what + ": " + e, e);
        }
        StoreTests.assertFilesSound(image.folder);
    }

    Path folder() {
        return folder;
    }
}
