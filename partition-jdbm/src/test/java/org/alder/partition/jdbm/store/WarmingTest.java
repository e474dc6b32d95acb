package org.alder.partition.jdbm.store;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.alder.partition.jdbm.background.WorkPace;
import org.alder.partition.jdbm.settings.Durability;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.store.CacheStatus;
import org.alder.partition.store.Snapshot;
import org.junit.After;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The first searches after a flush or a merge find in the caches what those before it left there. */
public class WarmingTest {
    private static final TestIndexer INDEXER = new TestIndexer(3, "color").withoutPrimaryKey();
    private static final int COLOR = INDEXER.indexes().size() - 1;
    private static final int ENTRIES = 600;
    private static final long ROOMY = 16 << 20;

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private JdbmStore store;

    @After
    public void close() {
        store.close();
    }

    private void open(long cacheBytes, boolean warm) {
        store = JdbmStore.open(folder.getRoot().toPath(), StoreSettings.defaults().withBackgroundCompaction(false)
                .withDurability(Durability.NONE, 100)
                .withCacheBytes(cacheBytes, 0).withMerging(WorkPace.UNLIMITED, warm), INDEXER);
    }

    /** In several segments, the newer ones with changes to entries of the older. */
    private void fill(int segments) {
        for (int i = 1; i <= ENTRIES; i++) {
            StoreTests.add(store, 0, "entry number " + i, "color" + i % 50);
            if (i % (ENTRIES / segments) == 0) {
                int changed = i / 2;
                store.submit(context -> {
                    context.modify(changed, StoreTests.recolor(List.of("color" + changed % 50), List.of("new" + changed)));
                    return null;
                }).join();
                store.flush();
            }
        }
    }

    private void search() {
        try (Snapshot snapshot = store.snapshot()) {
            for (long id = 1; id <= ENTRIES; id++) {
                assertNotNull(snapshot.entry(id));
            }
            for (int color = 0; color < 50; color++) {
                assertTrue(snapshot.ids(COLOR, ("color" + color).getBytes(StandardCharsets.UTF_8)).cardinality() > 0);
            }
        }
    }

    private Map<String, Long> misses() {
        Map<String, Long> misses = new TreeMap<>();
        for (CacheStatus.Cache cache : store.cacheStatus().caches()) {
            misses.put(cache.name(), cache.misses());
        }
        return misses;
    }

    private long count(String cache) {
        return store.cacheStatus().caches().stream().filter(each -> each.name().equals(cache)).findFirst().orElseThrow().count();
    }

    @Test
    public void nothingIsMissedAfterAMerge() {
        open(ROOMY, true);
        fill(4);
        search();
        store.compact();
        assertEquals(1, store.status().parts());
        Map<String, Long> before = misses();
        search();
        assertEquals(before, misses());
    }

    @Test
    public void nothingIsMissedAfterAFlush() {
        open(ROOMY, true);
        fill(3);
        search();
        store.submit(context -> {
            context.modify(5, StoreTests.recolor(List.of("color5"), List.of("changed")));
            context.modify(500, StoreTests.recolor(List.of("color0"), List.of("changed")));
            return null;
        }).join();
        store.flush();
        Map<String, Long> before = misses();
        search();
        assertEquals(before, misses());
    }

    @Test
    public void withoutWarmingTheFirstSearchesMiss() {
        open(ROOMY, false);
        fill(4);
        search();
        store.compact();
        Map<String, Long> before = misses();
        search();
        Map<String, Long> after = misses();
        for (String cache : List.of("id-sets", "index-blocks", "pages")) {
            assertTrue(cache + ": " + before + ", " + after, after.get(cache) > before.get(cache));
        }
    }

    @Test
    public void whatNobodyReadIsNotLoaded() {
        open(ROOMY, true);
        fill(4);
        store.clearCaches();
        store.compact();
        assertEquals(0, count("index-blocks"));
        assertEquals(0, count("id-sets"));
    }

    @Test
    public void mergedSegmentsLeaveNothingBehind() {
        open(ROOMY, true);
        fill(4);
        search();
        long sets = count("id-sets");
        store.compact();
        assertTrue("the same sets of one segment in place of four", count("id-sets") * 3 < sets);
    }

    @Test
    public void cachesThatAreTooSmallStayWithinTheirBounds() {
        open(40_000, true);
        fill(4);
        search();
        store.compact();
        search();
        for (CacheStatus.Cache cache : store.cacheStatus().caches()) {
            assertTrue(cache.toString(), cache.sizeBytes() <= cache.limitBytes());
        }
    }

    @Test
    public void cachesThatAreOffStayEmpty() {
        open(0, true);
        fill(4);
        search();
        store.compact();
        search();
        assertTrue(store.cacheStatus().caches().stream().allMatch(cache -> cache.count() == 0));
    }
}
