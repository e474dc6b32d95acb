package org.alder.partition.jdbm.store;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.StoreException;
import org.alder.partition.index.IndexDefinition;
import org.alder.partition.index.IndexKind;
import org.alder.partition.jdbm.disk.Disk;
import org.alder.partition.jdbm.disk.FaultyDisk;
import org.alder.partition.jdbm.disk.SystemDisk;
import org.alder.partition.jdbm.folder.FolderChecker;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.store.Snapshot;
import org.alder.partition.testing.Await;
import org.alder.partition.testing.Seed;
import org.alder.partition.testing.TextDirectory;
import org.junit.Rule;
import org.junit.Test;

/**
 * The disk fails for ever at some change of a run that builds, changes and removes indexes: the next start has what was acknowledged,
 * and every index whole. It gets full: the build goes on when there is room. {@code -Dalder.test.seed} repeats a run.
 */
public final class OnlineIndexFaultTest {
    private static final boolean ALL = "all".equals(System.getProperty("alder.test.faults"));
    private static final int RUNS = ALL ? 60 : 20;
    private static final int STRIDE = ALL ? 1 : 4;
    /** More than a flush needs, which may use it. */
    private static final long RESERVE = 1 << 20;
    private static final List<IndexDefinition> FIRST = TextDirectory.DEFINITIONS;

    @Rule
    public final FaultFolder temporary = FaultFolder.inMemory();

    private List<IndexDefinition> wanted;
    private List<String> acknowledged;

    private static List<IndexDefinition> with(IndexDefinition... others) {
        List<IndexDefinition> all = new ArrayList<>(FIRST);
        for (IndexDefinition other : others) {
            all.removeIf(each -> each.type() == other.type());
            all.add(other);
        }
        return all;
    }

    private void add(TextDirectory directory, int from, int to) throws DirectoryException {
        for (int i = from; i < to; i++) {
            String dn = "cn=n" + i + ",dc=example,dc=com";
            directory.addPerson(dn, "cn: n" + i, "employeeNumber: " + i, "description: d" + i % 3);
            acknowledged.add(dn);
        }
    }

    private void change(JdbmStore store, TextDirectory directory, List<IndexDefinition> next) throws Exception {
        wanted = next;
        directory.partition().changeIndexes(next, Set.of());
        add(directory, acknowledged.size(), acknowledged.size() + 3);
        directory.modify(acknowledged.get(1), "replace description: changed");
        Await.until("indexes are built", () -> store.indexBuild() == null || store.indexBuild().failure() != null);
    }

    private void run(Path data, FaultyDisk disk) throws Exception {
        wanted = FIRST;
        acknowledged = new ArrayList<>();
        try (JdbmStore store = JdbmStore.open(data, StoreSettings.defaults().withBackgroundCompaction(false),
                TextDirectory.indexer(FIRST), disk)) {
            TextDirectory directory = new TextDirectory(store).withSuffix();
            add(directory, 0, 20);
            store.flush();
            change(store, directory, with(TextDirectory.index("employeeNumber", IndexKind.EQUALITY)));
            store.flush();
            store.compact();
            change(store, directory, with(TextDirectory.index("cn", IndexKind.EQUALITY)));
            store.flush();
            change(store, directory, with(TextDirectory.index("description", IndexKind.EQUALITY, IndexKind.SUBSTRING),
                    TextDirectory.index("cn", IndexKind.EQUALITY)));
            store.compact();
        } catch (StoreException e) {
            if (!disk.hasFailed()) {
                throw e;
            }
        }
    }

    private static JdbmStore open(Path data, FaultyDisk disk) {
        return JdbmStore.open(data, StoreSettings.defaults().withBackgroundCompaction(false).withDiskLow(RESERVE, 1), TextDirectory.indexer(FIRST),
                disk);
    }

    private TextDirectory start(JdbmStore store) throws DirectoryException {
        wanted = FIRST;
        acknowledged = new ArrayList<>();
        TextDirectory directory = new TextDirectory(store).withSuffix();
        add(directory, 0, 20);
        return directory;
    }

    private static void awaitShortage(JdbmStore store) throws Exception {
        Await.until("the build waits for room", () -> store.indexBuild() != null && store.indexBuild().failure() != null);
        assertEquals("waiting for room on the disk", store.indexBuild().phase());
    }

    private static void awaitBuilt(JdbmStore store) throws Exception {
        Await.until("indexes are built", () -> store.indexBuild() == null);
        try (Snapshot snapshot = store.snapshot()) {
            assertTrue(snapshot.indexer().building().isEmpty());
        }
    }

    @Test
    public void aBuildWaitsForRoomAndUpdatesGoOn() throws Exception {
        FaultyDisk disk = FaultyDisk.sound();
        Path data = temporary.newFolder().toPath().resolve("data");
        try (JdbmStore store = open(data, disk)) {
            TextDirectory directory = start(store);
            disk.setFreeBytes(RESERVE);
            wanted = with(TextDirectory.index("employeeNumber", IndexKind.EQUALITY));
            directory.partition().changeIndexes(wanted, Set.of());
            awaitShortage(store);
            String message = store.indexBuild().failure();
            assertTrue(message, message.contains(data.toString()) && message.contains("has " + RESERVE + " bytes free"));
            add(directory, 20, 23);
            assertEquals(List.of(), directory.check().problems());
            wanted = with(TextDirectory.index("title", IndexKind.EQUALITY));
            directory.partition().changeIndexes(wanted, Set.of());
            awaitShortage(store);
            assertEquals(List.of("title"), store.indexBuild().indexes());
            directory.modify(acknowledged.get(1), "replace title: changed");
            disk.setFreeBytes(Long.MAX_VALUE);
            awaitBuilt(store);
            assertEquals(List.of(), directory.check().problems());
        }
        verify(data, "after a shortage");
    }

    @Test
    public void aDiskThatGetsFullInTheMiddleOfABuildIsNoHarm() throws Exception {
        Path first = temporary.newFolder().toPath().resolve("data");
        FaultyDisk sound = FaultyDisk.sound();
        long before;
        try (JdbmStore store = open(first, sound)) {
            TextDirectory directory = start(store);
            before = sound.changes();
            directory.partition().changeIndexes(with(TextDirectory.index("employeeNumber", IndexKind.EQUALITY)), Set.of());
            awaitBuilt(store);
        }
        long changes = sound.changes() - before;
        assertTrue(changes + " changes", changes > 10);
        for (long at = before + 1; at <= before + changes; at += STRIDE) {
            FaultyDisk disk = new FaultyDisk(at, FaultyDisk.Fault.NO_SPACE);
            Path data = temporary.newFolder().toPath().resolve("data");
            try (JdbmStore store = open(data, disk)) {
                TextDirectory directory = start(store);
                wanted = with(TextDirectory.index("employeeNumber", IndexKind.EQUALITY));
                Callable<Void> begin = () -> {
                    directory.partition().changeIndexes(wanted, Set.of());
                    return null;
                };
                boolean begun = succeeds(begin);
                Await.until("the build stops", () -> store.indexBuild() == null || store.indexBuild().failure() != null);
                disk.makeRoom();
                if (!begun) {
                    Await.until("when there is room", () -> succeeds(begin));
                }
                awaitBuilt(store);
                Await.until("updates go on", () -> succeeds(() -> directory.modify(acknowledged.get(1), "replace employeeNumber: 7")));
                assertEquals(List.of(), directory.check().problems());
            }
            verify(data, "full at change " + at);
        }
    }

    /** What a start reads from the log gets the keys of all indexes: what is built of it as well would have them twice. */
    @Test
    public void aBuildBeginsWhenAllThatWasChangedBeforeIsFlushed() throws Exception {
        CountDownLatch building = new CountDownLatch(1);
        List<Boolean> begunBeforeFlush = new CopyOnWriteArrayList<>();
        Disk slowToFlush = (Disk) Proxy.newProxyInstance(Disk.class.getClassLoader(), new Class<?>[] {Disk.class}, (proxy, method, arguments) -> {
            if (method.getName().equals("createFolder") && ((Path) arguments[0]).endsWith("sort")) {
                building.countDown();
            } else if (method.getName().equals("createFolder") && Thread.currentThread().getName().endsWith("-flush")) {
                begunBeforeFlush.add(building.await(3000, TimeUnit.MILLISECONDS));
            }
            try {
                return method.invoke(SystemDisk.INSTANCE, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        });
        Path data = temporary.newFolder().toPath().resolve("data");
        try (JdbmStore store = JdbmStore.open(data, StoreSettings.defaults(), TextDirectory.indexer(FIRST), slowToFlush)) {
            TextDirectory directory = start(store);
            wanted = with(TextDirectory.index("employeeNumber", IndexKind.EQUALITY));
            directory.partition().changeIndexes(wanted, Set.of());
            add(directory, 20, 23);
            awaitBuilt(store);
            assertTrue(store.indexSizes().toString(), store.indexSizes().get("employeenumber").bytes() > 0);
            assertEquals(List.of(), directory.check().problems());
        }
        assertEquals(List.of(false), begunBeforeFlush);
        verify(data, "after a slow flush");
    }

    /** Also where it was tried before the store knows that there is room. */
    private static boolean succeeds(Callable<?> work) throws Exception {
        try {
            work.call();
            return true;
        } catch (StoreException e) {
            return false;
        }
    }

    private void verify(Path data, String when) {
        try (JdbmStore store = JdbmStore.open(data, StoreSettings.defaults(), TextDirectory.indexer(wanted))) {
            TextDirectory directory = new TextDirectory(store);
            assertEquals(when, List.of(), directory.check().problems());
            acknowledged.forEach(dn -> assertNotNull(when + ": " + dn, directory.read(dn)));
            store.flush();
            store.compact();
            assertEquals(when, List.of(), directory.check().problems());
        }
        assertEquals(when, List.of(), FolderChecker.check(data));
    }

    @Test
    public void everyIndexIsWholeAfterAFault() throws Exception {
        long seed = Seed.of(OnlineIndexFaultTest.class);
        FaultyDisk sound = FaultyDisk.sound();
        Path first = temporary.newFolder().toPath().resolve("data");
        run(first, sound);
        verify(first, "without a fault");
        long changes = sound.changes();
        assertTrue(changes + " changes", changes > RUNS);
        Random random = new Random(seed);
        for (int i = 0; i < RUNS; i++) {
            long failAt = 1 + i * changes / RUNS + random.nextInt((int) (changes / RUNS));
            Path data = temporary.newFolder().toPath().resolve("data");
            run(data, new FaultyDisk(failAt, FaultyDisk.Fault.FOR_EVER));
            verify(data, "seed " + seed + ", fault at change " + failAt + " of " + changes);
        }
    }
}
