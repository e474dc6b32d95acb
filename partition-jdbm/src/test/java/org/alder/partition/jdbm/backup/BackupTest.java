package org.alder.partition.jdbm.backup;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.disk.Disk;
import org.alder.partition.jdbm.disk.FaultyDisk;
import org.alder.partition.jdbm.disk.SystemDisk;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.jdbm.store.JdbmStore;
import org.alder.partition.jdbm.store.StoreTests;
import org.alder.partition.jdbm.store.TestIndexer;
import org.alder.partition.store.Snapshot;
import org.alder.partition.testing.Await;
import org.alder.partition.testing.Seed;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Backups of stores that are held by somebody, and of stores that are not, and what comes back of them. */
public class BackupTest {
    private static final TestIndexer INDEXER = new TestIndexer(3, "color");
    private static final List<String> COLORS = List.of("red", "green", "blue");
    private static final int STRIDE = "all".equals(System.getProperty("alder.test.faults")) ? 1 : 7;

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private final StoreSettings settings = StoreSettings.defaults().withMemoryLayerBytes(1 << 20).withChangeHistory(1 << 20);
    private Path folder;
    private Path backups;
    private int restores;

    /** What a store held after a commit. @param millis when that was */
    private record State(long millis, Map<Long, String> entries) {
    }

    @Before
    public void name() {
        folder = temporary.getRoot().toPath().resolve("store");
        backups = temporary.getRoot().toPath().resolve("backups");
    }

    private JdbmStore open(Path store) {
        return JdbmStore.open(store, settings, INDEXER);
    }

    private BackupPoint save(Disk disk, Map<String, Path> files) {
        try (BackupWriter writer = BackupWriter.open(backups, disk)) {
            return writer.save(List.of(new BackupWriter.Source("main", folder)), () -> files, (phase, done, total) -> { });
        }
    }

    private BackupPoint save() {
        return save(SystemDisk.INSTANCE, Map.of());
    }

    private BackupFolder opened() throws IOException {
        return BackupFolder.open(backups);
    }

    private List<String> problems() throws IOException {
        return BackupChecker.check(opened(), opened().pointNames(), (phase, done, total) -> { });
    }

    /** The folder of the store that was brought back. */
    private Path restore(RestoreGoal goal) throws IOException {
        Path target = temporary.getRoot().toPath().resolve("restored-" + ++restores);
        Restore.run(opened(), goal, target, (phase, done, total) -> { });
        return target.resolve("partitions").resolve("main");
    }

    private static State state(JdbmStore store) {
        Map<Long, String> entries = new TreeMap<>();
        try (Snapshot snapshot = store.snapshot(); Snapshot.EntryCursor cursor = snapshot.entries(0)) {
            while (cursor.next()) {
                entries.put(cursor.id(), cursor.entry() + " " + StoreTests.colors(snapshot, cursor.id()));
            }
            return new State(snapshot.csn().timeMillis(), entries);
        }
    }

    private void assertRestored(String when, State expected, RestoreGoal goal) throws IOException {
        Path store = restore(goal);
        StoreTests.assertFilesSound(store);
        try (JdbmStore restored = open(store)) {
            assertEquals(when, expected.entries(), state(restored).entries());
            try (Snapshot snapshot = restored.snapshot()) {
                StoreTests.assertIndexed(snapshot, INDEXER);
            }
            // It goes on from there.
            StoreTests.add(restored, 0, "added later", "red");
            assertEquals(when, expected.entries().size() + 1, state(restored).entries().size());
        }
    }

    private static void change(JdbmStore store, Random random, List<Long> ids) {
        int kind = random.nextInt(10);
        if (kind < 5 || ids.isEmpty()) {
            ids.add(StoreTests.add(store, 0, "e" + random.nextLong(), COLORS.get(random.nextInt(3))));
        } else if (kind < 8) {
            long id = ids.get(random.nextInt(ids.size()));
            List<String> had;
            try (Snapshot snapshot = store.snapshot()) {
                had = List.copyOf(StoreTests.colors(snapshot, id));
            }
            StoreTests.recolor(store, id, had, List.of("dyed " + random.nextInt()));
        } else {
            StoreTests.delete(store, ids.remove(random.nextInt(ids.size())));
        }
    }

    @Test
    public void everyPointAndEveryChangeBetweenComesBack() throws IOException {
        Random random = Seed.random(BackupTest.class);
        Map<Long, State> states = new HashMap<>();
        List<Long> ids = new ArrayList<>();
        List<BackupPoint> points = new ArrayList<>();
        JdbmStore store = open(folder);
        try {
            for (int i = 0; i < 300; i++) {
                change(store, random, ids);
                states.put(store.sequence(), state(store));
                int other = random.nextInt(40);
                if (other == 0) {
                    store.flush();
                } else if (other == 1) {
                    store.compact();
                } else if (other == 2) {
                    store.close();
                    store = open(folder);
                } else if (other < 5) {
                    points.add(save());
                }
            }
            points.add(save());
        } finally {
            store.close();
        }
        assertEquals(List.of(), problems());
        for (BackupPoint point : points) {
            long sequence = point.stores().get(0).sequence();
            assertRestored(point.name(), states.get(sequence), new RestoreGoal.Point(point.name()));
            assertEquals(states.get(sequence).entries().size(), point.stores().get(0).entries());
        }
        long last = states.keySet().stream().max(Long::compare).orElseThrow();
        long oldest = points.get(0).stores().get(0).baseSequence();
        for (int i = 0; i < 10; i++) {
            long sequence = Math.max(1, oldest) + random.nextInt((int) (last + 1 - Math.max(1, oldest)));
            assertRestored("change " + sequence, states.get(sequence), new RestoreGoal.Change(sequence));
            long millis = states.get(sequence).millis();
            long newest = states.keySet().stream().filter(each -> states.get(each).millis() <= millis).max(Long::compare).orElseThrow();
            assertRestored("up to " + millis, states.get(newest), new RestoreGoal.At(Instant.ofEpochMilli(millis)));
        }
        try (BackupWriter writer = BackupWriter.open(backups)) {
            writer.keepNewest(2);
        }
        assertEquals(List.of(), problems());
        assertEquals(Math.min(2, points.size()), opened().points().size());
        assertRestored("the newest of those kept", states.get(last), new RestoreGoal.Point(null));
        assertRestored("the older of those kept", states.get(points.get(Math.max(0, points.size() - 2)).stores().get(0).sequence()),
                new RestoreGoal.Point(opened().pointNames().get(0)));
        assertEquals(points.get(points.size() - 1), opened().points().get(opened().points().size() - 1));
    }

    /** Entry N is added when N - 1 is acknowledged, so whatever comes back has all up to some number. */
    @Test
    public void aBackupBesideWritersIsOneMoment() throws Exception {
        AtomicBoolean stop = new AtomicBoolean();
        AtomicInteger acknowledged = new AtomicInteger();
        String much = "x".repeat(2000);
        try (JdbmStore store = open(folder)) {
            CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> {
                while (!stop.get()) {
                    StoreTests.add(store, 0, "n" + (acknowledged.get() + 1), much + acknowledged.get());
                    acknowledged.incrementAndGet();
                }
            }, Await.THREADS);
            try {
                for (int i = 0; i < 5; i++) {
                    int before = acknowledged.get();
                    BackupPoint point = save();
                    int after = acknowledged.get() + 1;
                    long entries = point.stores().get(0).entries();
                    assertTrue(before + " to " + after + ": " + entries, before <= entries && entries <= after);
                    Await.until("more entries", () -> writer.isDone() || acknowledged.get() > after + 300);
                }
            } finally {
                stop.set(true);
            }
            Await.result("the writer", writer);
        }
        assertEquals(List.of(), problems());
        for (BackupPoint point : opened().points()) {
            try (JdbmStore restored = open(restore(new RestoreGoal.Point(point.name())))) {
                long entries = point.stores().get(0).entries();
                assertEquals(entries, restored.status().entries());
                try (Snapshot snapshot = restored.snapshot(); Snapshot.EntryCursor cursor = snapshot.entries(0)) {
                    for (int i = 1; i <= entries; i++) {
                        assertTrue(cursor.next());
                        assertEquals("cn=n" + i, cursor.entry().rdn());
                    }
                }
            }
        }
    }

    private static long bytes(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
        }
    }

    @Test
    public void aSecondBackupCopiesWhatIsNew() throws IOException {
        try (JdbmStore store = open(folder)) {
            for (int i = 0; i < 500; i++) {
                StoreTests.add(store, 0, "first" + i, "red" + i);
            }
            store.compact();
            save();
            long first = bytes(backups.resolve("segments"));
            save();
            assertEquals(first, bytes(backups.resolve("segments")));
            StoreTests.add(store, 0, "second", "red");
            save();
            assertEquals("what is in the log is copied with the log", first, bytes(backups.resolve("segments")));
            store.flush();
            save();
            long second = bytes(backups.resolve("segments")) - first;
            assertTrue(second + " of " + first, second > 0 && second < first);
            assertEquals(4, opened().points().size());
        }
        // What is brought back has the same segments, and another log.
        folder = restore(new RestoreGoal.Point(null));
        long before = bytes(backups.resolve("segments"));
        try (JdbmStore store = open(folder)) {
            StoreTests.add(store, 0, "third", "red");
            save();
        }
        assertEquals(before, bytes(backups.resolve("segments")));
        assertEquals(List.of(), problems());
        assertEquals(502, opened().points().get(4).stores().get(0).entries());
    }

    @Test
    public void whatNoKeptPointNamesIsRemoved() throws IOException {
        try (JdbmStore store = open(folder)) {
            for (int i = 0; i < 3; i++) {
                StoreTests.add(store, 0, "e" + i, "red");
                store.compact();
                save(SystemDisk.INSTANCE,
                        Map.of("conf/file.txt", Files.writeString(temporary.getRoot().toPath().resolve("file"), "v" + i)));
            }
        }
        assertEquals(3, opened().segments().size());
        assertEquals(6, opened().contents().size());
        try (BackupWriter writer = BackupWriter.open(backups)) {
            assertEquals(opened().pointNames().subList(0, 2), writer.keepNewest(1));
        }
        assertEquals(1, opened().segments().size());
        assertEquals(2, opened().contents().size());
        assertEquals(List.of(), problems());
        Path target = restore(new RestoreGoal.Point(null)).getParent().getParent();
        assertEquals("v2", Files.readString(target.resolve("conf/file.txt")));
        StoreException gone = assertThrows(StoreException.class, () -> restore(new RestoreGoal.Change(1)));
        assertEquals(gone.toString(), StoreException.Kind.REFUSED, gone.kind());
    }

    @Test
    public void pointsThatAreRemovedWhileTheyAreCheckedAreNoDamage() throws IOException {
        try (JdbmStore store = open(folder)) {
            for (int i = 0; i < 3; i++) {
                StoreTests.add(store, 0, "e" + i, "red");
                store.compact();
                save();
            }
        }
        AtomicInteger looks = new AtomicInteger();
        assertEquals(List.of(), BackupChecker.check(opened(), opened().pointNames(), (phase, done, total) -> {
            if (looks.getAndIncrement() == 0) {
                try (BackupWriter writer = BackupWriter.open(backups)) {
                    writer.keepNewest(1);
                }
            }
        }));
        assertEquals(1, opened().pointNames().size());
        List<String> gone = BackupChecker.check(opened(), List.of("2020-01-01T00:00:00.000Z"), (phase, done, total) -> { });
        assertEquals(gone.toString(), 1, gone.size());
    }

    /** At whichever change the disk fails or is full. */
    @Test
    public void whatFailsLeavesEarlierPointsWhole() throws IOException {
        Map<Long, State> states = new HashMap<>();
        try (JdbmStore store = open(folder)) {
            StoreTests.add(store, 0, "first", "red");
            store.flush();
            states.put(store.sequence(), state(store));
            save();
            for (FaultyDisk.Fault fault : FaultyDisk.Fault.values()) {
                boolean failed = true;
                for (int at = 1; failed; at += STRIDE) {
                    StoreTests.add(store, 0, fault + "-" + at, "green");
                    store.flush();
                    StoreTests.add(store, 0, fault + "+" + at, "blue");
                    states.put(store.sequence(), state(store));
                    FaultyDisk disk = new FaultyDisk(at, fault);
                    failed = isFailing(() -> save(disk, Map.of()), fault);
                    assertEquals(fault + " at " + at, List.of(), problems());
                }
            }
        }
        save();
        assertEquals(List.of(), problems());
        for (String name : opened().pointNames()) {
            BackupPoint point = opened().read(name);
            assertRestored(name, states.get(point.stores().get(0).sequence()), new RestoreGoal.Point(name));
        }
        long last = states.keySet().stream().max(Long::compare).orElseThrow();
        assertRestored("the newest", states.get(last), new RestoreGoal.Point(null));
    }

    private static boolean isFailing(Runnable work, FaultyDisk.Fault fault) {
        try {
            work.run();
            return false;
        } catch (StoreException e) {
            assertTrue(e.getMessage(), e.getMessage().contains(fault == FaultyDisk.Fault.NO_SPACE ? FaultyDisk.NO_SPACE : "injected")
                    || e.kind() == StoreException.Kind.DISK_FULL);
            return true;
        }
    }

    @Test
    public void aRestoreThatFailsLeavesNothing() throws IOException {
        try (JdbmStore store = open(folder)) {
            StoreTests.add(store, 0, "first", "red");
            store.flush();
            StoreTests.add(store, 0, "second", "red");
        }
        save(SystemDisk.INSTANCE, Map.of("conf/file.txt", Files.writeString(temporary.getRoot().toPath().resolve("file"), "text")));
        Path target = temporary.getRoot().toPath().resolve("again");
        boolean failed = true;
        for (int at = 1; failed; at++) {
            FaultyDisk disk = new FaultyDisk(at, FaultyDisk.Fault.NO_SPACE);
            BackupFolder from = opened();
            failed = isFailing(() -> Restore.run(from, new RestoreGoal.Point(null), target, (phase, done, total) -> { }, disk),
                    FaultyDisk.Fault.NO_SPACE);
            assertEquals("after the fault at " + at, !failed, Files.exists(target));
        }
        try (JdbmStore restored = open(target.resolve("partitions").resolve("main"))) {
            assertEquals(2, restored.status().entries());
        }
        StoreException refused = assertThrows(StoreException.class,
                () -> Restore.run(opened(), new RestoreGoal.Point(null), target, (phase, done, total) -> { }));
        assertEquals(refused.toString(), StoreException.Kind.REFUSED, refused.kind());
    }

    @Test
    public void theRoomIsLookedAtBefore() throws IOException {
        try (JdbmStore store = open(folder)) {
            StoreTests.add(store, 0, "first", "red");
            store.flush();
        }
        FaultyDisk disk = FaultyDisk.sound();
        disk.setFreeBytes(1000);
        StoreException full = assertThrows(StoreException.class, () -> save(disk, Map.of()));
        assertEquals(full.toString(), StoreException.Kind.DISK_FULL, full.kind());
        assertTrue(full.getMessage(), full.getMessage().contains("1000"));
        assertEquals(List.of(), opened().pointNames());
        save();
        Path target = temporary.getRoot().toPath().resolve("small");
        BackupFolder from = opened();
        full = assertThrows(StoreException.class, () -> Restore.run(from, new RestoreGoal.Point(null), target,
                (phase, done, total) -> { }, disk));
        assertEquals(full.toString(), StoreException.Kind.DISK_FULL, full.kind());
        assertFalse(Files.exists(target));
    }

    /** Every file of the backup, in turn: a byte flipped, cut off, missing. */
    @Test
    public void damageIsFoundAndNothingOfItComesBack() throws IOException {
        Random random = Seed.random(BackupTest.class);
        State expected;
        try (JdbmStore store = open(folder)) {
            StoreTests.add(store, 0, "first", "red");
            store.flush();
            StoreTests.add(store, 0, "second", "red");
            expected = state(store);
        }
        save(SystemDisk.INSTANCE, Map.of("a", Files.writeString(temporary.getRoot().toPath().resolve("file"), "text")));
        List<Path> files;
        try (Stream<Path> all = Files.walk(backups)) {
            files = all.filter(file -> Files.isRegularFile(file) && !file.endsWith(BackupFolder.LOCK)).toList();
        }
        assertTrue(files.toString(), files.size() > 8);
        for (Path file : files) {
            byte[] bytes = Files.readAllBytes(file);
            byte[] flipped = bytes.clone();
            flipped[random.nextInt(flipped.length)] ^= (byte) (1 << random.nextInt(8));
            Files.write(file, flipped);
            assertDamaged(file + " flipped", expected);
            Files.write(file, java.util.Arrays.copyOf(bytes, random.nextInt(bytes.length)));
            assertDamaged(file + " cut off", expected);
            Files.delete(file);
            assertDamaged(file + " missing", expected);
            Files.write(file, bytes);
        }
        assertEquals(List.of(), problems());
        assertRestored("mended", expected, new RestoreGoal.Point(null));
    }

    /** It is found; where the point does not need what is damaged, such as the end of the log, it comes back as it was. */
    private void assertDamaged(String what, State expected) throws IOException {
        try {
            try (JdbmStore restored = open(restore(new RestoreGoal.Point(null)))) {
                assertEquals(what, expected.entries(), state(restored).entries());
            }
        } catch (StoreException e) {
            assertTrue(what + ": " + e, e.getMessage().contains(backups.toString()));
            assertFalse(what, Files.exists(temporary.getRoot().toPath().resolve("restored-" + restores)));
        }
        try {
            assertTrue(what, !problems().isEmpty() || opened().pointNames().isEmpty());
        } catch (StoreException e) {
            assertTrue(what + ": " + e, e.getMessage().contains(backups.toString()));
        }
    }

    /** A point that somebody else has written, with the right checksum. */
    @Test
    public void namesThatLeadElsewhereAreRefused() throws IOException {
        try (JdbmStore store = open(folder)) {
            StoreTests.add(store, 0, "first", "red");
        }
        BackupPoint point = save(SystemDisk.INSTANCE,
                Map.of("name", Files.writeString(temporary.getRoot().toPath().resolve("file"), "text")));
        BackupPoint.SavedFile file = point.files().get(0);
        BackupPoint.SavedStore store = point.stores().get(0);
        for (String name : List.of("../evil", "a/../../evil", "/evil", "..", ".", "a//b", "a/", "..\\evil", "C:evil", "a\nb", "")) {
            BackupPoint hostile = new BackupPoint(point.taken(), List.of(new BackupPoint.SavedFile(name, file.bytes(), file.sha256())),
                    point.stores());
            assertRefused(name, hostile);
            assertRefused(name, new BackupPoint(point.taken(), point.files(), List.of(new BackupPoint.SavedStore(name, store.storeId(),
                    store.baseSequence(), store.baseTimeMillis(), store.sequence(), store.timeMillis(), store.entries(),
                    store.manifestSha256(), store.segments()))));
        }
        for (String sha256 : List.of("../../../file", "", "A".repeat(64), "0".repeat(63) + "/")) {
            assertRefused(sha256, new BackupPoint(point.taken(), List.of(new BackupPoint.SavedFile("name", file.bytes(), sha256)),
                    point.stores()));
        }
        assertRefused("twice", new BackupPoint(point.taken(), List.of(file, file), point.stores()));
    }

    private void assertRefused(String what, BackupPoint hostile) throws IOException {
        Files.write(opened().point(hostile.name()), PointFile.encode(hostile));
        Path target = temporary.getRoot().toPath().resolve("target");
        StoreException refused = assertThrows(what, StoreException.class,
                () -> Restore.run(opened(), new RestoreGoal.Point(null), target, (phase, done, total) -> { }));
        assertEquals(what, StoreException.Kind.CORRUPT, refused.kind());
        assertFalse(what, Files.exists(target));
        assertEquals(what, 1, problems().size());
        try (Stream<Path> around = Files.list(temporary.getRoot().toPath())) {
            assertEquals(what, 3, around.count());
        }
    }

    @Test
    public void aStoreThatWentOnOtherwiseIsTold() throws IOException {
        Path copy = temporary.getRoot().toPath().resolve("copy");
        try (JdbmStore store = open(folder)) {
            StoreTests.add(store, 0, "first", "red");
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.toList()) {
                Files.copy(file, copy.resolve(folder.relativize(file).toString()));
            }
        }
        try (JdbmStore store = open(folder)) {
            StoreTests.add(store, 0, "second", "red");
            save();
        }
        folder = copy;
        StoreException refused = assertThrows(StoreException.class, this::save);
        assertTrue(refused.getMessage(), refused.getMessage().contains("another change 2"));
        assertEquals(List.of(), problems());
    }

    @Test
    public void onlyOneBackupAtATimeAndOnlyToItsOwnFolder() throws IOException {
        try (JdbmStore store = open(folder)) {
            StoreTests.add(store, 0, "first", "red");
        }
        try (BackupWriter writer = BackupWriter.open(backups)) {
            StoreException refused = assertThrows(StoreException.class, () -> BackupWriter.open(backups));
            assertEquals(refused.toString(), StoreException.Kind.REFUSED, refused.kind());
            assertEquals(backups, writer.folder().path());
        }
        Path other = Files.createDirectory(temporary.getRoot().toPath().resolve("other"));
        Files.write(other.resolve("mine"), "text".getBytes(StandardCharsets.UTF_8));
        StoreException refused = assertThrows(StoreException.class, () -> BackupWriter.open(other));
        assertTrue(refused.getMessage(), refused.getMessage().contains("mine"));
    }
}
