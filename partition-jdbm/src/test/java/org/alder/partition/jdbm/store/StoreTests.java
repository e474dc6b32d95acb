package org.alder.partition.jdbm.store;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.alder.partition.check.StoreDigest;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.AttributeDelta;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.entry.StoredName;
import org.alder.partition.error.StoreException;
import org.alder.partition.id.IdSet;
import org.alder.partition.jdbm.folder.FolderChecker;
import org.alder.partition.memory.MemoryStore;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.KeyRange;
import org.alder.partition.store.LargeValues;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.Store;

/** What the tests of the store share. */
public final class StoreTests {
    /** Of what tests add, about one in three. */
    private static final IdSet SOME = IdSet.of(LongStream.range(1, 4_000).filter(id -> id % 3 == 1).toArray());

    private StoreTests() {
    }

    public static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    public static EntryRecord entry(long parent, String name, String... colors) {
        List<byte[]> values = Stream.of(colors).map(StoreTests::utf8).toList();
        return EntryRecord.of(parent, utf8("cn=" + name), List.of(new Attribute("color", values)), List.of());
    }

    public static List<AttributeDelta> recolor(List<String> removed, List<String> added) {
        return List.of(new AttributeDelta("color", false, removed.stream().map(StoreTests::utf8).toList(),
                added.stream().map(StoreTests::utf8).toList()));
    }

    public static void recolor(Store store, long id, List<String> removed, List<String> added) {
        store.submit(context -> {
            context.modify(id, recolor(removed, added));
            return null;
        }).join();
    }

    /** The colours of an entry in the record or outside of it, in some order. */
    public static Set<String> colors(Snapshot snapshot, long id) {
        Set<String> colors = new TreeSet<>();
        for (Attribute attribute : new LargeValues(snapshot, id).whole(snapshot.entry(id)).userAttributes()) {
            if (attribute.description().equals("color")) {
                attribute.values().forEach(value -> colors.add(new String(value, StandardCharsets.UTF_8)));
            }
        }
        return colors;
    }

    public static long add(Store store, long parent, String name, String... colors) {
        return store.submit(context -> {
            long id = context.allocateId();
            context.add(id, entry(parent, name, colors));
            return id;
        }).join();
    }

    public static void delete(Store store, long id) {
        store.submit(context -> {
            context.delete(id);
            return null;
        }).join();
    }

    public static IdSet ids(Store store, int index, String key) {
        try (Snapshot snapshot = store.snapshot()) {
            assertEquals(snapshot.ids(index, utf8(key)).cardinality(), snapshot.cardinality(index, utf8(key)));
            return snapshot.ids(index, utf8(key));
        }
    }

    /** The sums of all tables, by their names. */
    public static SortedMap<String, StoreDigest.Sum> digest(Snapshot snapshot, EntryIndexer indexer) {
        SortedMap<String, StoreDigest.Sum> sums = new TreeMap<>();
        StoreDigest.tables(snapshot, indexer).forEach(table -> sums.put(table.name(),
                StoreDigest.slice(snapshot, table, new byte[0], Long.MAX_VALUE, bytes -> { }).sum()));
        return sums;
    }

    /** Both show the same entries, keys, sets, cardinalities and system records. */
    public static void assertSame(String when, int indexCount, Snapshot expected, Snapshot found) {
        assertEquals(when, expected.systemRecords(), found.systemRecords());
        try (Snapshot.EntryCursor left = expected.entries(0); Snapshot.EntryCursor right = found.entries(0)) {
            while (left.next()) {
                assertTrue(when + ": entry " + left.id() + " is missing", right.next());
                assertEquals(when, left.id(), right.id());
                assertEquals(when, left.entry(), right.entry());
                assertEquals(when, left.entry(), found.entry(left.id()));
                assertSameName(when, left.entry(), found.name(left.id()));
            }
            assertFalse(when + ": an entry too many", right.next());
        }
        assertSameLookups(when, expected, found);
        for (int index = 0; index < indexCount; index++) {
            assertSameKeys(when + ", index " + index, index, expected, found);
        }
    }

    /** With gaps of several widths, and once back to the start. */
    private static void assertSameLookups(String when, Snapshot expected, Snapshot found) {
        Snapshot.EntryLookup lookup = found.lookup(IdSet.of(LongStream.range(1, 40).toArray()));
        for (int step : new int[] {1, 2, 7}) {
            for (long id = 0; id < 40; id += step) {
                assertEquals(when + ": lookup of " + id, expected.entry(id), lookup.entry(id));
                assertSameName(when + ": name of " + id, expected.entry(id), lookup.name(id));
            }
        }
    }

    private static void assertSameName(String when, EntryRecord expected, StoredName found) {
        assertEquals(when, expected == null, found == null);
        if (expected != null) {
            assertEquals(when, expected.rdn(), found.rdn());
            assertEquals(when, expected.parentId(), found.parentId());
        }
    }

    private static void assertSameKeys(String when, int index, Snapshot expected, Snapshot found) {
        try (Snapshot.KeyCursor left = expected.keys(index, KeyRange.ALL); Snapshot.KeyCursor right = found.keys(index, KeyRange.ALL)) {
            while (left.next()) {
                assertTrue(when + ": a key is missing", right.next());
                assertArrayEquals(when, left.key(), right.key());
                assertEquals(when, left.ids(), right.ids());
                assertEquals(when, left.ids().cardinality(), right.cardinality());
                assertEquals(when, left.ids(), found.ids(index, left.key()));
                assertEquals(when, left.ids().and(SOME), found.ids(index, left.key(), SOME));
                assertEquals(when, left.ids().cardinality(), found.cardinality(index, left.key()));
            }
            assertFalse(when + ": a key too many", right.next());
        }
    }

    /** The indexes are exactly what the indexer derives from the entries. */
    public static void assertIndexed(Snapshot snapshot, EntryIndexer indexer) {
        MemoryStore oracle = new MemoryStore(indexer);
        try (Snapshot.EntryCursor entries = snapshot.entries(0)) {
            while (entries.next()) {
                copy(entries.id(), new LargeValues(snapshot, entries.id()).whole(entries.entry()), oracle);
            }
        }
        assertSame("rebuilt", indexer.indexes().size(), oracle.snapshot(), snapshot);
    }

    private static void copy(long id, EntryRecord entry, MemoryStore target) {
        target.submit(context -> {
            long allocated = context.allocateId();
            while (allocated < id) {
                allocated = context.allocateId();
            }
            context.add(id, entry);
            return null;
        }).join();
    }

    public static void assertFilesSound(Path folder) {
        assertEquals(List.of(), FolderChecker.check(folder));
    }

    public static StoreException.Kind kindOf(Throwable failure) {
        Throwable cause = failure instanceof StoreException ? failure : failure.getCause();
        assertTrue(String.valueOf(failure), cause instanceof StoreException);
        return ((StoreException) cause).kind();
    }

    public static long children(Snapshot snapshot, long id) {
        return snapshot.cardinality(HierarchyKeys.INDEX, HierarchyKeys.children(id));
    }
}
