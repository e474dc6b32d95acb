package org.alder.partition.jdbm.store;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.alder.partition.check.StateAt;
import org.alder.partition.check.StoreDigest;
import org.alder.partition.check.StoreDigest.Item;
import org.alder.partition.check.StoreDigest.Slice;
import org.alder.partition.check.StoreDigest.Sum;
import org.alder.partition.check.StoreDigest.Table;
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

/** Equal content has equal sums wherever it lies; a difference is found by its table, its bucket and its name. */
public class StoreDigestTest {
    private static final TestIndexer INDEXER = new TestIndexer(5, "color");
    private static final int ENTRIES = 5000;
    private static final byte[] START = new byte[0];

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private final List<Store> open = new ArrayList<>();

    @After
    public void closeAll() {
        open.forEach(Store::close);
    }

    private JdbmStore open() throws IOException {
        return open(INDEXER);
    }

    private JdbmStore open(TestIndexer indexer) throws IOException {
        JdbmStore store = JdbmStore.open(temporary.newFolder().toPath(), StoreSettings.defaults().withBackgroundCompaction(false), indexer);
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

    private static SortedMap<String, Sum> digest(Store store) {
        try (Snapshot snapshot = store.snapshot()) {
            return StoreTests.digest(snapshot, store.indexer());
        }
    }

    private static Table table(Snapshot snapshot, String name) {
        return StoreDigest.tables(snapshot, INDEXER).stream().filter(each -> each.name().startsWith(name)).findFirst().orElseThrow();
    }

    /** The texts of what differs in a table, found as those do who compare: by a bucket of each level. */
    private static List<String> differing(Store left, Store right, String name, int levels) {
        byte[] within = new byte[levels];
        try (Snapshot one = left.snapshot(); Snapshot other = right.snapshot()) {
            Table table = table(one, name);
            for (int level = 0; level < levels; level++) {
                byte[] above = Arrays.copyOf(within, level);
                SortedMap<Integer, Sum> sums = StoreDigest.buckets(one, table, START, null, above, bytes -> { });
                SortedMap<Integer, Sum> others = StoreDigest.buckets(other, table, START, null, above, bytes -> { });
                within[level] = (byte) IntStream.range(0, StoreDigest.BUCKETS).filter(each -> !Objects.equals(sums.get(each), others.get(each)))
                        .findFirst().orElseThrow();
            }
            Map<Long, Item> items = StoreDigest.items(one, table, START, null, within, 100, "o=test", bytes -> { });
            Map<Long, Item> others = StoreDigest.items(other, table, START, null, within, 100, "o=test", bytes -> { });
            Set<Long> keys = new TreeSet<>(items.keySet());
            keys.addAll(others.keySet());
            keys.removeIf(key -> items.containsKey(key) && others.containsKey(key) && items.get(key).sum().equals(others.get(key).sum()));
            return keys.stream().map(key -> (items.containsKey(key) ? items : others).get(key).text()).toList();
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
            assertEquals(digest(plain), digest(store));
        }
        assertEquals(Set.of("entries", "hierarchy~hierarchy", "color~color"), digest(plain).keySet());
        assertEquals(ENTRIES - 1, digest(plain).get("entries").count());
    }

    @Test
    public void aDifferenceIsFoundInItsTableAndByItsName() throws IOException {
        JdbmStore left = open();
        JdbmStore right = open();
        fill(left);
        fill(right);
        long id = 4113;
        StoreTests.recolor(left, id, List.of(), List.of("green"));
        assertEquals(digest(left).get("hierarchy~hierarchy"), digest(right).get("hierarchy~hierarchy"));
        assertEquals(List.of("cn=n4112,o=test"), differing(left, right, "entries", 2));
        assertEquals(List.of("green"), differing(left, right, "color", 1));
        StoreTests.recolor(right, id, List.of(), List.of("green"));
        assertEquals(digest(left), digest(right));
        StoreTests.delete(right, id);
        assertEquals(List.of("cn=n4112,o=test"), differing(left, right, "entries", 3));
    }

    /** The same value of another entry is a difference, of the entries and of the index. */
    @Test
    public void theSameValueOfAnotherEntryIsADifference() throws IOException {
        JdbmStore left = open();
        JdbmStore right = open();
        fill(left);
        fill(right);
        StoreTests.recolor(left, 10, List.of(), List.of("green"));
        StoreTests.recolor(right, 11, List.of(), List.of("green"));
        assertNotEquals(digest(left).get("entries"), digest(right).get("entries"));
        assertEquals(digest(left).get("entries").count(), digest(right).get("entries").count());
        assertEquals(List.of("green"), differing(left, right, "color", 2));
    }

    /** Which values are outside of records depends on when limits were changed, which is each store's own affair. */
    @Test
    public void itDoesNotMatterWhichValuesAreOutsideOfRecords() throws IOException {
        JdbmStore inside = open(new TestIndexer(5, "color").withValueTable(100));
        JdbmStore outside = open(new TestIndexer(5, "color").withValueTable(2));
        List<String> colors = List.of("red", "Green", "blue", "pink");
        for (Store store : open) {
            StoreTests.add(store, 0, "one", colors.toArray(new String[0]));
            StoreTests.add(store, 0, "two", "red");
        }
        assertEquals(digest(inside).get("entries"), digest(outside).get("entries"));
        StoreTests.recolor(inside, 1, List.of("pink"), List.of());
        assertNotEquals(digest(inside).get("entries"), digest(outside).get("entries"));
        StoreTests.recolor(outside, 1, List.of("pink"), List.of());
        assertEquals(digest(inside).get("entries"), digest(outside).get("entries"));
    }

    @Test
    public void slicesAddUpToTheWholeAndWhoeverSumsIsToldWhatWasRead() throws IOException {
        JdbmStore store = open();
        fill(store);
        try (Snapshot snapshot = store.snapshot()) {
            for (Table table : StoreDigest.tables(snapshot, INDEXER)) {
                AtomicLong read = new AtomicLong();
                Sum sum = Sum.NOTHING;
                int slices = 0;
                for (byte[] from = START; from != null; slices++) {
                    Slice slice = StoreDigest.slice(snapshot, table, from, 1000, read::addAndGet);
                    sum = sum.plus(slice.sum());
                    from = slice.next();
                }
                assertEquals(digest(store).get(table.name()), sum);
                assertTrue(table + " in " + slices + ", " + read, slices > 1 && read.get() > sum.count());
            }
        }
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
            assertEquals(3, StoreTests.digest(state.snapshot(), INDEXER).get("entries").count());
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
