package org.alder.partition.jdbm.segment;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.StoreException;
import org.alder.partition.id.IdSet;
import org.alder.partition.jdbm.layer.EntryVersion;
import org.alder.partition.jdbm.layer.IdSetDelta;
import org.alder.partition.jdbm.layer.MapLayer;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.testing.Seed;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class BulkBuilderTest {
    private static final BulkSettings LITTLE_MEMORY = new BulkSettings(SegmentSettings.defaults(), 1 << 20, 2);

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private final List<SegmentDescriptor> published = new ArrayList<>();
    private final TrigramIndexer indexer = new TrigramIndexer();

    /** The hierarchy, and the distinct trigrams of the RDN. */
    private static final class TrigramIndexer implements EntryIndexer {
        @Override
        public List<IndexSpec> indexes() {
            return Segments.specs(20);
        }

        @Override
        public void forEachKey(EntryRecord record, KeyConsumer consumer) {
            consumer.accept(0, HierarchyKeys.rdn(record.parentId(), record.rdnBytes()));
            consumer.accept(0, HierarchyKeys.children(record.parentId()));
            TreeSet<String> trigrams = new TreeSet<>();
            for (int i = 0; i + 3 <= record.rdn().length(); i++) {
                trigrams.add(record.rdn().substring(i, i + 3));
            }
            trigrams.forEach(trigram -> consumer.accept(1, Segments.bytes(trigram)));
        }
    }

    private Path folder() {
        return temporary.getRoot().toPath().resolve("generation");
    }

    private BulkBuilder create() {
        return BulkBuilder.create(folder(), indexer, Segments.SEQUENCES, LITTLE_MEMORY, published::add);
    }

    private void addExpected(MapLayer expected, long id, EntryRecord record) {
        expected.entries.put(id, new EntryVersion(record));
        indexer.forEachKey(record, (index, key) -> put(expected, index, key, id));
        if (record.parentId() != HierarchyKeys.NO_PARENT) {
            put(expected, HierarchyKeys.INDEX, HierarchyKeys.nonLeaf(), record.parentId());
        }
    }

    private static void put(MapLayer expected, int index, byte[] key, long id) {
        IdSetDelta before = expected.index(index).getOrDefault(key, IdSetDelta.EMPTY);
        expected.index(index).put(key, IdSetDelta.adding(before.added().or(IdSet.of(id))));
    }

    @Test
    public void theSegmentHoldsWhatWasAdded() {
        Random random = Seed.random(BulkBuilderTest.class);
        MapLayer expected = new MapLayer();
        try (BulkBuilder builder = create()) {
            long id = 0;
            for (int i = 0; i < 8000; i++) {
                long parent = id == 0 ? 0 : 1 + random.nextLong(Math.min(id, 300));
                id += 1 + random.nextInt(3);
                String rdn = "cn=" + Integer.toString(random.nextInt(1 << 24), 36) + i;
                EntryRecord record = Segments.record(parent, rdn, random.nextInt(90));
                builder.add(id, record);
                addExpected(expected, id, record);
            }
            builder.publish(Segments.SILENT);
        }
        assertEquals(1, published.size());
        assertEquals(8000, published.get(0).entries());
        assertFalse(Files.exists(folder().resolve("sort")));
        assertEquals(List.of(), SegmentChecker.check(folder()));
        Segment segment = Segment.open(folder(), SegmentOptions.uncached());
        Segments.assertSame(expected, segment);
        segment.release();
    }

    @Test
    public void onlyTheSuffixEntryHasNoNonLeafKey() {
        try (BulkBuilder builder = create()) {
            builder.add(1, Segments.record(0, "dc=example", 1));
            builder.publish(Segments.SILENT);
        }
        Segment segment = Segment.open(folder(), SegmentOptions.uncached());
        assertEquals(IdSetDelta.EMPTY, segment.ids(0, HierarchyKeys.nonLeaf(), 1));
        assertEquals(IdSetDelta.adding(IdSet.of(1)), segment.ids(0, HierarchyKeys.children(0), 1));
        segment.release();
    }

    @Test
    public void anEmptyLoadIsAnEmptySegment() {
        try (BulkBuilder builder = create()) {
            builder.publish(Segments.SILENT);
        }
        assertEquals(List.of(), SegmentChecker.check(folder()));
        assertEquals(0, published.get(0).entries());
    }

    @Test
    public void closingWithoutPublishingLeavesNothing() {
        try (BulkBuilder builder = create()) {
            for (int id = 1; id < 2000; id++) {
                builder.add(id, Segments.record(1, "cn=entry number " + id, 10));
            }
        }
        assertFalse(Files.exists(folder()));
        assertEquals(List.of(), published);
    }

    @Test
    public void aPublisherOrProgressThatFailsLeavesNothing() {
        IllegalStateException stop = new IllegalStateException("stop");
        BulkBuilder refused = BulkBuilder.create(folder(), indexer, Segments.SEQUENCES, LITTLE_MEMORY, segment -> {
            throw stop;
        });
        refused.add(1, Segments.record(0, "dc=example", 1));
        assertSame(stop, assertThrows(IllegalStateException.class, () -> refused.publish(Segments.SILENT)));
        assertThrows("dead", StoreException.class, () -> refused.publish(Segments.SILENT));
        refused.close();
        refused.close();
        assertFalse(Files.exists(folder()));
        for (String phase : new String[] {"sorting", "indexes"}) {
            try (BulkBuilder builder = create()) {
                builder.add(1, Segments.record(0, "dc=example", 1));
                assertThrows(IllegalStateException.class, () -> builder.publish((current, done, total) -> {
                    if (current.equals(phase)) {
                        throw stop;
                    }
                }));
            }
            assertFalse(phase, Files.exists(folder()));
        }
        assertEquals(List.of(), published);
    }

    @Test
    public void progressThatFailsAfterPublicationUndoesNothing() {
        try (BulkBuilder builder = create()) {
            builder.add(1, Segments.record(0, "dc=example", 1));
            assertThrows(IllegalStateException.class, () -> builder.publish((phase, done, total) -> {
                if (!published.isEmpty()) {
                    throw new IllegalStateException("stop");
                }
            }));
        }
        assertEquals(1, published.size());
        assertEquals(List.of(), SegmentChecker.check(folder()));
    }

    @Test
    public void idsMustAscend() {
        try (BulkBuilder builder = create()) {
            assertThrows(IllegalArgumentException.class, () -> builder.add(0, Segments.record(0, "dc=example", 1)));
            builder.add(5, Segments.record(0, "dc=example", 1));
            assertThrows(IllegalArgumentException.class, () -> builder.add(5, Segments.record(5, "cn=b", 1)));
            assertThrows(IllegalArgumentException.class, () -> builder.add(IdSet.MAX_ID + 1, Segments.record(5, "cn=b", 1)));
            builder.add(IdSet.MAX_ID, Segments.record(5, "cn=c", 1));
            builder.publish(Segments.SILENT);
        }
        assertEquals(2, published.get(0).entries());
    }

    @Test
    public void entriesOfManyMegabytesLoad() {
        try (BulkBuilder builder = create()) {
            builder.add(1, Segments.record(0, "dc=example", 1));
            builder.add(2, Segments.record(1, "cn=b", 5_000_000));
            builder.add(3, Segments.record(1, "cn=c", 4_000_000));
            builder.publish(Segments.SILENT);
        }
        assertEquals(3, published.get(0).entries());
        assertEquals(List.of(), SegmentChecker.check(folder()));
    }

    @Test
    public void aKeyThatNoTableTakesEndsTheLoad() {
        try (BulkBuilder builder = create()) {
            StringBuilder rdn = new StringBuilder("cn=");
            rdn.append("long".repeat(5000));
            IllegalArgumentException refused = assertThrows(IllegalArgumentException.class,
                    () -> builder.add(1, Segments.record(0, rdn.toString(), 1)));
            assertTrue(refused.getMessage(), refused.getMessage().contains("index hierarchy"));
            assertThrows(StoreException.class, () -> builder.add(2, Segments.record(0, "cn=x", 1)));
        }
        assertFalse(Files.exists(folder()));
    }

    @Test
    public void progressEndsWithEverythingDone() {
        List<String> reports = new ArrayList<>();
        try (BulkBuilder builder = create()) {
            for (int id = 1; id <= 500; id++) {
                builder.add(id, Segments.record(id - 1, "cn=" + id, 1));
            }
            builder.publish((phase, done, total) -> {
                assertTrue(done <= total);
                reports.add(phase + (done == total ? " done" : ""));
            });
        }
        assertEquals("publishing done", reports.get(reports.size() - 1));
        assertTrue(reports.containsAll(List.of("sorting", "sorting done", "indexes", "indexes done", "publishing")));
        assertNotNull(published.get(0));
    }
}
