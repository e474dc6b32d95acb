package org.alder.partition.jdbm.store;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.settings.Durability;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.store.Commit;
import org.alder.partition.store.CommitFollower;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.Store;
import org.alder.partition.testing.Await;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** An open store that is told other settings, and one that is taken away from those who read it. */
public class OtherSettingsTest {
    private static final TestIndexer INDEXER = new TestIndexer();

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private final StoreSettings settings = StoreSettings.defaults().withBackgroundCompaction(false).withDiskLow(0, 1000);

    private Path folder() {
        return temporary.getRoot().toPath().resolve("store");
    }

    private static long add(Store store) {
        return store.submit(context -> {
            long id = context.allocateId();
            context.add(id, StoreTests.entry(0, "e" + id, "red"));
            return id;
        }).join();
    }

    private static long cacheBytes(Store store) {
        return store.maintenance().cacheStatus().caches().stream().mapToLong(cache -> cache.limitBytes()).sum();
    }

    @Test(timeout = Await.MILLIS)
    public void cachesAndMemoryLayersHaveTheirNewBounds() throws Exception {
        try (Store store = new JdbmEngine(settings.withCacheBytes(1 << 20, 1 << 20)).open(folder(), INDEXER)) {
            add(store);
            assertEquals(2 << 20, cacheBytes(store));
            assertEquals(0, store.maintenance().status().parts());
            new JdbmEngine(settings.withCacheBytes(1 << 18, 1 << 16).withMemoryLayerBytes(1)).retune(store);
            assertEquals((1 << 18) + (1 << 16), cacheBytes(store));
            add(store);
            Await.until("what is too much is written", () -> store.maintenance().status().parts() > 0);
            try (Snapshot snapshot = store.snapshot()) {
                assertNotNull(snapshot.entry(1));
                assertNotNull(snapshot.entry(2));
            }
        }
    }

    /** What was acknowledged before it was synced is on the disk soon after sync is said, also if nobody writes any more. */
    @Test(timeout = Await.MILLIS)
    public void whatWasNotSyncedIsWhenThatIsSaid() throws Exception {
        try (Store store = new JdbmEngine(settings.withDurability(Durability.NONE, 1)).open(folder(), INDEXER)) {
            add(store);
            assertEquals(0, store.maintenance().status().syncs());
            new JdbmEngine(settings.withDurability(Durability.SYNC, 1)).retune(store);
            Await.until("its log is ended", () -> store.maintenance().status().parts() == 1);
            long syncs = store.maintenance().status().syncs();
            add(store);
            assertEquals(syncs + 1, store.maintenance().status().syncs());
        }
    }

    @Test(timeout = Await.MILLIS)
    public void whoReadsAStoreThatIsTakenAwayIsTold() {
        Store store = new JdbmEngine(settings).open(folder(), INDEXER);
        long id = add(store);
        AtomicInteger ends = new AtomicInteger();
        store.feed().follow(new CommitFollower() {
            @Override
            public void committed(Commit commit) {
                commit.close();
            }

            @Override
            public void ended() {
                ends.incrementAndGet();
            }
        });
        try (Snapshot snapshot = store.snapshot()) {
            assertNotNull(snapshot.entry(id));
            store.retire();
            assertEquals(StoreException.Kind.SNAPSHOT_EXPIRED, assertThrows(StoreException.class, () -> snapshot.entry(id)).kind());
        }
        assertEquals(1, ends.get());
        assertEquals(StoreException.Kind.CLOSED, assertThrows(StoreException.class, store::snapshot).kind());
        store.retire();
        store.close();
        try (Store again = new JdbmEngine(settings).open(folder(), INDEXER); Snapshot snapshot = again.snapshot()) {
            assertNotNull(snapshot.entry(id));
            assertTrue(again.sequence() > 0);
        }
    }
}
