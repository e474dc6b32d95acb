package org.alder.partition.jdbm.store;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.alder.partition.check.StateAt;
import org.alder.partition.check.StoreDigest;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.memory.MemoryStore;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.Store;
import org.alder.partition.testing.Await;
import org.junit.After;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Equal content has equal sums wherever it lies; a difference is found by its block, its entry, its bucket. */
public class StoreDigestTest {
    private static final TestIndexer INDEXER = new TestIndexer(5, "color");
    private static final int ENTRIES = StoreDigest.BLOCK_IDS + 1000;

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private final List<Store> open = new ArrayList<>();

    @After
    public void closeAll() {
        open.forEach(Store::close);
    }

    private JdbmStore open() throws IOException {
        JdbmStore store = JdbmStore.open(temporary.newFolder().toPath(), StoreSettings.defaults().withBackgroundCompaction(false), INDEXER);
        open.add(store);
        return store;
    }

    private static void fill(Store store) {
        store.submit(context -> {
            long suffix = context.allocateId();
            context.add(suffix, StoreTests.entry(0, "suffix"));
            for (int i = 1; i < ENTRIES; i++) {
                context.add(context.allocateId(), StoreTests.entry(suffix, "n" + i, "c" + i % 100));
            }
            return null;
        }).join();
    }

    private static void change(Store store) {
        StoreTests.recolor(store, 100, List.of("c99"), List.of("other"));
        StoreTests.delete(store, 200);
    }

    private static SortedMap<Long, StoreDigest.Sum> entries(Store store) {
        try (Snapshot snapshot = store.snapshot()) {
            return StoreDigest.entries(snapshot, 0, 10, bytes -> { });
        }
    }

    private static SortedMap<Long, StoreDigest.Sum> colors(Store store) {
        try (Snapshot snapshot = store.snapshot()) {
            return StoreDigest.index(snapshot, 1, bytes -> { });
        }
    }

    private static SortedMap<Long, Long> block(Store store, long block) {
        try (Snapshot snapshot = store.snapshot()) {
            return StoreDigest.block(snapshot, block);
        }
    }

    @Test
    public void equalContentHasEqualSumsWhateverTheSegments() throws IOException {
        JdbmStore inMemory = open();
        JdbmStore inSegments = open();
        JdbmStore inOne = open();
        MemoryStore plain = new MemoryStore(INDEXER);
        open.add(plain);
        for (Store store : open) {
            fill(store);
            if (store == inSegments) {
                inSegments.flush();
            }
            change(store);
        }
        inOne.compact();
        for (Store store : open) {
            assertEquals(entries(plain), entries(store));
            assertEquals(colors(plain), colors(store));
        }
        assertEquals(Set.of(0L, 1L), entries(inMemory).keySet());
        assertEquals(ENTRIES - 1, entries(inMemory).values().stream().mapToLong(StoreDigest.Sum::count).sum());
    }

    @Test
    public void aDifferenceIsFoundByItsBlockItsEntryAndItsBucket() throws IOException {
        JdbmStore left = open();
        JdbmStore right = open();
        fill(left);
        fill(right);
        assertEquals(Set.of(), StoreDigest.unequal(entries(left), entries(right)));
        long id = StoreDigest.BLOCK_IDS + 17;
        StoreTests.recolor(left, id, List.of(), List.of("green"));
        assertEquals(Set.of(1L), StoreDigest.unequal(entries(left), entries(right)));
        assertEquals(Set.of(id), StoreDigest.unequal(block(left, 1), block(right, 1)));
        assertEquals(1, StoreDigest.unequal(colors(left), colors(right)).size());
        StoreTests.recolor(right, id, List.of(), List.of("green"));
        assertEquals(Set.of(), StoreDigest.unequal(entries(left), entries(right)));
        assertEquals(colors(left), colors(right));
        StoreTests.delete(right, id);
        assertEquals(Set.of(id), StoreDigest.unequal(block(left, 1), block(right, 1)));
        assertEquals(block(left, 0), block(right, 0));
    }

    @Test
    public void theSameValueOfAnotherEntryIsADifference() throws IOException {
        JdbmStore left = open();
        JdbmStore right = open();
        fill(left);
        fill(right);
        StoreTests.recolor(left, 10, List.of(), List.of("green"));
        StoreTests.recolor(right, 11, List.of(), List.of("green"));
        assertEquals(Set.of(10L, 11L), StoreDigest.unequal(block(left, 0), block(right, 0)));
        assertNotEquals(colors(left), colors(right));
    }

    @Test
    public void whoeverSumsIsToldWhatWasRead() throws IOException {
        JdbmStore store = open();
        fill(store);
        AtomicLong bytes = new AtomicLong();
        AtomicLong calls = new AtomicLong();
        try (Snapshot snapshot = store.snapshot()) {
            StoreDigest.entries(snapshot, 0, 1, read -> {
                bytes.addAndGet(read);
                calls.incrementAndGet();
            });
        }
        assertEquals(StoreDigest.BLOCK_IDS - 1, calls.get());
        assertTrue(bytes.get() > calls.get());
    }

    @Test
    public void aStateIsGivenThatIsAboutToComeAndNoneThatHasPassed() throws Exception {
        JdbmStore store = open();
        StoreTests.add(store, 0, "first");
        CompletableFuture<StateAt> third = StateAt.of(store, 3);
        try (StateAt now = Await.result("the state now", StateAt.of(store, 1))) {
            assertEquals(1, now.snapshot().sequence());
        }
        for (String name : List.of("second", "third", "fourth")) {
            StoreTests.add(store, 0, name);
        }
        try (StateAt state = Await.result("the third state", third)) {
            assertEquals(3, state.snapshot().sequence());
            assertEquals(Map.of(0L, 3L), Map.of(0L, StoreDigest.entries(state.snapshot(), 0, 1, bytes -> { }).get(0L).count()));
        }
        CompletableFuture<StateAt> passed = StateAt.of(store, 2);
        try {
            Await.result("a state that has passed", passed);
            throw new AssertionError("a state was given that has passed");
        } catch (ExecutionException e) {
            assertEquals(StoreException.Kind.SNAPSHOT_EXPIRED, StoreTests.kindOf(e));
        }
    }
}
