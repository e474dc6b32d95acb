package org.alder.partition.jdbm.store;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotSame;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.error.StoreException;
import org.alder.partition.id.IdSet;
import org.alder.partition.jdbm.background.Tiers;
import org.alder.partition.jdbm.disk.SystemDisk;
import org.alder.partition.jdbm.settings.Durability;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.jdbm.task.Tasks;
import org.alder.partition.jdbm.task.Threads;
import org.alder.partition.store.CacheStatus;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.StoreStatus;
import org.alder.partition.testing.Await;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class JdbmStoreTest {
    private static final int COLOR = 1;

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private final StoreSettings settings = StoreSettings.defaults().withBackgroundCompaction(false);
    private Path folder;
    private JdbmStore store;

    @Before
    public void open() {
        folder = temporary.getRoot().toPath().resolve("store");
        store = JdbmStore.open(folder, settings, new TestIndexer("color"));
    }

    @After
    public void close() throws IOException {
        store.close();
        StoreTests.assertFilesSound(folder);
    }

    private void reopen(StoreSettings other) {
        store.close();
        store = JdbmStore.open(folder, other, new TestIndexer("color"));
    }

    @Test
    public void aSetCrossesTheThresholdInBothDirections() {
        long top = StoreTests.add(store, 0, "top");
        List<Long> ids = new ArrayList<>();
        for (int target : new int[] {999, 1000, 1001, 1000, 999, 1001, 3, 1000, 0, 1001}) {
            List<CompletableFuture<Long>> adds = new ArrayList<>();
            for (int i = ids.size(); i < target; i++) {
                String name = "n" + i;
                adds.add(store.submit(context -> {
                    long id = context.allocateId();
                    context.add(id, StoreTests.entry(top, name, "red"));
                    return id;
                }));
            }
            adds.forEach(future -> ids.add(future.join()));
            while (ids.size() > target) {
                StoreTests.delete(store, ids.remove(ids.size() / 2));
            }
            assertReds(top, ids);
            store.flush();
            assertReds(top, ids);
            if (target != 1001) {
                store.compact();
                assertReds(top, ids);
                assertEquals(1, store.status().parts());
            }
            reopen(settings);
            assertReds(top, ids);
        }
    }

    private void assertReds(long top, List<Long> ids) {
        IdSet expected = IdSet.of(ids.stream().mapToLong(Long::longValue).toArray());
        assertEquals(expected, StoreTests.ids(store, COLOR, "red"));
        try (Snapshot snapshot = store.snapshot()) {
            assertEquals(expected, snapshot.ids(HierarchyKeys.INDEX, HierarchyKeys.children(top)));
            assertEquals(ids.size(), StoreTests.children(snapshot, top));
            assertEquals(ids.isEmpty() ? 0 : 1, snapshot.cardinality(HierarchyKeys.INDEX, HierarchyKeys.nonLeaf()));
        }
        assertEquals(1 + ids.size(), store.status().entries());
    }

    /** For which no time passes: a group is closed when it has taken long, which a busy machine may make of anything. */
    private static Tasks stoppedClock() {
        return (Tasks) Proxy.newProxyInstance(Tasks.class.getClassLoader(), new Class<?>[] {Tasks.class}, (proxy, method, arguments) -> {
            try {
                return method.getName().equals("nanoTime") ? 0L : method.invoke(Threads.INSTANCE, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        });
    }

    @Test
    public void aTransactionSeesThoseBeforeItInItsGroup() {
        store.close();
        store = JdbmStore.open(folder, settings, new TestIndexer("color"), SystemDisk.INSTANCE, stoppedClock());
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch queued = new CountDownLatch(1);
        CompletableFuture<Long> first = store.submit(context -> {
            started.countDown();
            await(queued);
            context.add(context.allocateId(), StoreTests.entry(0, "top", "red"));
            return context.state().sequence();
        });
        await(started);
        CompletableFuture<Long> second = store.submit(context -> {
            assertEquals(1, context.state().cardinality(COLOR, StoreTests.utf8("red")));
            context.modify(1, StoreTests.recolor(List.of("red"), List.of("blue")));
            return context.state().sequence();
        });
        queued.countDown();
        assertEquals(0, (long) first.join());
        assertEquals(1, (long) second.join());
        assertEquals(IdSet.of(1), StoreTests.ids(store, COLOR, "blue"));
        StoreStatus status = store.status();
        assertEquals(2, status.transactions());
        assertEquals("one sync for the group", 1, status.syncs());
    }

    private static void await(CountDownLatch latch) {
        try {
            Await.latch("the test to go on", latch);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    public void aTransactionThatRunsOutOfStackFailsAlone() {
        CompletableFuture<Void> deep = store.submit(context -> {
            context.add(context.allocateId(), StoreTests.entry(0, "never"));
            throw new StackOverflowError("of a test");
        });
        assertEquals("of a test", assertThrows(CompletionException.class, deep::join).getCause().getMessage());
        long top = StoreTests.add(store, 0, "top");
        reopen(settings);
        assertEquals(1, store.status().entries());
        try (Snapshot snapshot = store.snapshot()) {
            assertEquals("cn=top", snapshot.entry(top).rdn());
        }
    }

    @Test
    public void aFailingTransactionFailsAlone() {
        long top = StoreTests.add(store, 0, "top", "red");
        CompletableFuture<Object> failing = store.submit(context -> {
            context.delete(top);
            throw new DirectoryException(ResultCode.UNWILLING_TO_PERFORM, "no");
        });
        CompletableFuture<Object> misfit = store.submit(context -> {
            context.add(context.allocateId(), StoreTests.entry(top, "a", "red"));
            context.delete(top);
            return null;
        });
        long other = StoreTests.add(store, top, "b", "red");
        assertTrue(assertThrows(CompletionException.class, failing::join).getCause() instanceof DirectoryException);
        assertThrows(CompletionException.class, misfit::join);
        assertEquals(IdSet.of(top, other), StoreTests.ids(store, COLOR, "red"));
        assertEquals(2, store.status().sequence());
    }

    @Test
    public void whatNoSegmentCouldHoldIsRefused() {
        CompletableFuture<Object> large = store.submit(context -> {
            context.add(context.allocateId(), StoreTests.entry(0, "top", "x".repeat(65 << 20)));
            return null;
        });
        assertEquals(StoreException.Kind.TOO_LARGE, StoreTests.kindOf(assertThrows(CompletionException.class, large::join)));
        CompletableFuture<Object> key = store.submit(context -> {
            context.add(context.allocateId(), StoreTests.entry(0, "top", "x".repeat(20_000)));
            return null;
        });
        assertTrue(assertThrows(CompletionException.class, key::join).getCause().getMessage().contains("index color"));
        StoreTests.add(store, 0, "top", "red");
        store.flush();
    }

    @Test
    public void aRenameEndsTheDnsOfNewSnapshotsOnly() {
        long top = StoreTests.add(store, 0, "top");
        Snapshot before = store.snapshot();
        before.dnMemo().put(top, "cn=top");
        StoreTests.add(store, top, "a");
        try (Snapshot same = store.snapshot()) {
            assertSame(before.dnMemo(), same.dnMemo());
        }
        store.submit(context -> {
            context.rename(top, 0, StoreTests.utf8("cn=other"), List.of());
            return null;
        }).join();
        try (Snapshot after = store.snapshot()) {
            assertNotSame(before.dnMemo(), after.dnMemo());
            assertNull(after.dnMemo().get(top));
            assertEquals("cn=other", after.entry(top).rdn());
        }
        assertEquals("cn=top", before.dnMemo().get(top));
        assertEquals("cn=top", before.entry(top).rdn());
        before.close();
        assertEquals(StoreException.Kind.CLOSED, assertThrows(StoreException.class, () -> before.entry(top)).kind());
    }

    @Test
    public void aSnapshotOpenTooLongIsTakenBack() throws Exception {
        // Long enough to begin to read.
        reopen(settings.withSnapshotTimeLimitMillis(500));
        StoreTests.add(store, 0, "top", "red");
        Snapshot snapshot = store.snapshot();
        Snapshot.EntryCursor cursor = snapshot.entries(0);
        StoreException expired = Await.value("the snapshot to expire", () -> failureOf(() -> snapshot.entry(1)), Objects::nonNull);
        assertEquals(StoreException.Kind.SNAPSHOT_EXPIRED, expired.kind());
        assertEquals(StoreException.Kind.SNAPSHOT_EXPIRED, assertThrows(StoreException.class, cursor::next).kind());
        snapshot.close();
    }

    private static StoreException failureOf(Runnable work) {
        try {
            work.run();
            return null;
        } catch (StoreException e) {
            return e;
        }
    }

    @Test
    public void theFolderIsForOneStoreOnly() {
        StoreException refused = assertThrows(StoreException.class,
                () -> JdbmStore.open(folder, settings, new TestIndexer("color")));
        assertEquals(StoreException.Kind.REFUSED, refused.kind());
        assertTrue(refused.getMessage(), refused.getMessage().contains(folder.toString()));
        assertEquals(StoreException.Kind.REFUSED,
                assertThrows(StoreException.class, () -> JdbmStore.bulkLoad(folder, settings, new TestIndexer("color"))).kind());
        StoreTests.add(store, 0, "top");
    }

    @Test
    public void aClosedStoreSaysSo() {
        StoreTests.add(store, 0, "top");
        Snapshot held = store.snapshot();
        store.close();
        store.close();
        assertEquals("cn=top", held.entry(1).rdn());
        held.close();
        assertEquals(StoreException.Kind.CLOSED, assertThrows(StoreException.class, store::snapshot).kind());
        assertEquals(StoreException.Kind.CLOSED, assertThrows(StoreException.class, store::flush).kind());
        assertEquals(StoreException.Kind.CLOSED, StoreTests.kindOf(
                assertThrows(CompletionException.class, () -> StoreTests.add(store, 0, "x"))));
    }

    @Test
    public void idsAreNeverGivenOutAgain() {
        long top = StoreTests.add(store, 0, "top");
        long gone = StoreTests.add(store, top, "a");
        StoreTests.delete(store, gone);
        store.compact();
        reopen(settings);
        assertTrue(StoreTests.add(store, top, "b") > gone);
    }

    @Test
    public void everyDurabilityKeepsWhatACleanCloseLeaves() {
        for (Durability durability : Durability.values()) {
            reopen(settings.withDurability(durability, 5));
            StoreTests.add(store, 0, durability.name(), durability.name());
        }
        reopen(settings);
        for (Durability durability : Durability.values()) {
            assertEquals(1, StoreTests.ids(store, COLOR, durability.name()).cardinality());
        }
    }

    @Test
    public void cachesAnswerAndCanBeSwitchedOff() {
        reopen(settings.withCacheBytes(1 << 20, 1 << 16).withKeyTables(false));
        for (int i = 0; i < 50; i++) {
            StoreTests.add(store, 0, "n" + i, "red");
        }
        store.flush();
        for (int i = 0; i < 3; i++) {
            StoreTests.ids(store, COLOR, "red");
        }
        CacheStatus status = store.cacheStatus();
        assertTrue(status.toString(), status.caches().stream().limit(1).allMatch(cache -> cache.hits() > 0 && cache.count() > 0));
        CacheStatus.Cache pages = status.caches().get(2);
        assertEquals("pages", pages.name());
        assertTrue(pages.toString(), pages.count() > 0 && pages.sizeBytes() > 0 && pages.limitBytes() > 0 && pages.misses() > 0);
        store.clearCaches();
        assertTrue(store.cacheStatus().caches().stream().allMatch(cache -> cache.count() == 0));
        reopen(settings.withCacheBytes(0, 0));
        StoreTests.ids(store, COLOR, "red");
        assertEquals(50, StoreTests.ids(store, COLOR, "red").cardinality());
        assertTrue(store.cacheStatus().caches().stream().allMatch(cache -> cache.count() == 0 && cache.hits() == 0));
    }

    @Test
    public void writersAreSlowedButNotFailedWhenFlushesCannotKeepUp() {
        reopen(settings.withMemoryLayerBytes(1).withDurability(Durability.NONE, 10));
        for (int i = 0; i < 40; i++) {
            StoreTests.add(store, 0, "n" + i, "red");
        }
        assertEquals(40, StoreTests.ids(store, COLOR, "red").cardinality());
        assertTrue(store.status().background().writerStallNanos() > 0);
        store.flush();
        assertEquals(40, store.status().parts());
    }

    /** Each transaction moves one entry from red to blue or back, so that every snapshot must count all of them together. */
    @Test
    public void readersSeeWholeTransactionsWhileAllIsWrittenFlushedAndMerged() throws InterruptedException {
        reopen(settings.withMemoryLayerBytes(20_000).withBackgroundCompaction(true).withDurability(Durability.NONE, 10));
        int count = 100;
        for (int i = 0; i < count; i++) {
            StoreTests.add(store, 0, "n" + i, "red");
        }
        AtomicBoolean done = new AtomicBoolean();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        List<Thread> readers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            readers.add(new Thread(() -> {
                try {
                    while (!done.get()) {
                        readOnce(count);
                    }
                } catch (Throwable e) {
                    failure.compareAndSet(null, e);
                }
            }));
        }
        readers.forEach(Thread::start);
        for (int i = 0; i < 3000; i++) {
            boolean toBlue = i / count % 2 == 0;
            long id = 1 + i % count;
            store.submit(context -> {
                context.modify(id, StoreTests.recolor(List.of(toBlue ? "red" : "blue"), List.of(toBlue ? "blue" : "red")));
                return null;
            }).join();
            if (i % 1000 == 999) {
                store.compact();
            }
        }
        done.set(true);
        Await.end(readers.toArray(Thread[]::new));
        if (failure.get() != null) {
            throw new AssertionError(failure.get());
        }
        assertTrue(store.status().parts() <= Tiers.MAX_SEGMENTS + 1);
    }

    private void readOnce(int count) {
        try (Snapshot snapshot = store.snapshot()) {
            IdSet red = snapshot.ids(COLOR, StoreTests.utf8("red"));
            IdSet blue = snapshot.ids(COLOR, StoreTests.utf8("blue"));
            assertEquals(count, red.cardinality() + blue.cardinality());
            assertTrue(red.and(blue).isEmpty());
            assertEquals(red.cardinality(), snapshot.cardinality(COLOR, StoreTests.utf8("red")));
            int entries = 0;
            try (Snapshot.EntryCursor cursor = snapshot.entries(0)) {
                while (cursor.next()) {
                    byte[] color = cursor.entry().userAttributes().get(0).values().get(0);
                    assertTrue(snapshot.ids(COLOR, color).contains(cursor.id()));
                    entries++;
                }
            }
            assertEquals(count, entries);
        }
    }
}
