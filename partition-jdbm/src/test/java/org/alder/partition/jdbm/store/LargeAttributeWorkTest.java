package org.alder.partition.jdbm.store;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.jdbm.disk.SystemDisk;
import org.alder.partition.jdbm.log.LogFolder;
import org.alder.partition.jdbm.segment.Segment;
import org.alder.partition.jdbm.segment.SegmentDescriptor;
import org.alder.partition.jdbm.segment.SegmentOptions;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.testing.TextDirectory;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** What changing one value of a large attribute takes, counted and not timed, is the same at 1,000 values and at 20,000. */
public class LargeAttributeWorkTest {
    private static final String PERSON = "cn=ann,dc=example,dc=com";
    private static final int CHUNK = 1000;
    private static final StoreSettings SETTINGS = StoreSettings.defaults().withBackgroundCompaction(false);

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    /**
     * What one update took.
     *
     * @param derivedKeys     index keys that were made from records and values
     * @param normalized      values of large attributes of which the store asked for the normal form
     * @param moved           values that went out of a record
     * @param loggedBytes     the commit log's length, with nothing in it but this update
     * @param changedKeys     keys of the segment that was made of this update, in all indexes
     * @param changedEntries  records in it
     */
    private record Work(long derivedKeys, long normalized, long moved, long loggedBytes, long changedKeys, long changedEntries) {
    }

    /** Counts what the store asks for. */
    private static final class CountingIndexer implements EntryIndexer {
        private final EntryIndexer indexer = TextDirectory.INDEXER;
        private final AtomicLong keys = new AtomicLong();
        private final AtomicLong forms = new AtomicLong();
        private final AtomicLong moves = new AtomicLong();

        private KeyConsumer counting(KeyConsumer consumer) {
            return (index, key) -> {
                keys.incrementAndGet();
                consumer.accept(index, key);
            };
        }

        @Override
        public List<IndexSpec> indexes() {
            return indexer.indexes();
        }

        @Override
        public String fingerprint() {
            return indexer.fingerprint();
        }

        @Override
        public void forEachKey(EntryRecord record, KeyConsumer consumer) {
            indexer.forEachKey(record, counting(consumer));
        }

        @Override
        public boolean hasValueTable() {
            return indexer.hasValueTable();
        }

        @Override
        public EntryRecord split(EntryRecord record, SlotUse slots, ValueConsumer moved) {
            return indexer.split(record, slots, (attribute, form, value) -> {
                moves.incrementAndGet();
                moved.accept(attribute, form, value);
            });
        }

        @Override
        public boolean mayStayLarge(EntryRecord record) {
            return indexer.mayStayLarge(record);
        }

        @Override
        public byte[] valueForm(String description, byte[] value) {
            forms.incrementAndGet();
            return indexer.valueForm(description, value);
        }

        @Override
        public void forEachValueKey(String description, byte[] form, KeyConsumer consumer) {
            indexer.forEachValueKey(description, form, counting(consumer));
        }
    }

    /** A store with one entry of so many values, all of them in a segment. */
    private Path fill(int values) throws IOException, DirectoryException {
        Path folder = temporary.newFolder().toPath();
        try (JdbmStore store = JdbmStore.open(folder, SETTINGS, TextDirectory.INDEXER)) {
            TextDirectory directory = new TextDirectory(store).withSuffix();
            directory.addPerson(PERSON);
            for (int from = 0; from < values; from += CHUNK) {
                directory.modify(PERSON, "add employeeType: " + IntStream.range(from, Math.min(values, from + CHUNK))
                        .mapToObj(number -> "Type " + number).collect(Collectors.joining("|")));
            }
            store.flush();
            assertEquals(values, directory.read(PERSON).record().largeAttribute("employeeType").count());
        }
        return folder;
    }

    private Work work(int values, String change) throws IOException, DirectoryException {
        Path folder = fill(values);
        CountingIndexer counted = new CountingIndexer();
        try (JdbmStore store = JdbmStore.open(folder, SETTINGS, counted)) {
            new TextDirectory(store).modify(PERSON, change);
        }
        List<Path> logs = new LogFolder(SystemDisk.INSTANCE, folder).files();
        long loggedBytes = Files.size(logs.get(logs.size() - 1));
        try (JdbmStore store = JdbmStore.open(folder, SETTINGS, TextDirectory.INDEXER)) {
            store.flush();
            assertEquals(List.of(), new TextDirectory(store).check().problems());
        }
        SegmentDescriptor changed = newestSegment(folder);
        return new Work(counted.keys.get(), counted.forms.get(), counted.moves.get(), loggedBytes,
                changed.indexes().stream().mapToLong(index -> index.table().pairCount()).sum(), changed.entries());
    }

    private static SegmentDescriptor newestSegment(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> segments = files.filter(file -> file.getFileName().toString().startsWith("segment-")).sorted().toList();
            assertEquals("that of the values and that of the change: " + segments, 2, segments.size());
            Segment segment = Segment.open(segments.get(1), SegmentOptions.uncached());
            SegmentDescriptor descriptor = segment.descriptor();
            segment.release();
            return descriptor;
        }
    }

    private void assertSameWork(String change) throws IOException, DirectoryException {
        Work few = work(1_000, change);
        Work many = work(20_000, change);
        assertEquals(few, many);
        assertEquals("the value and its index key: " + few, 2, few.changedKeys);
        assertEquals(few.toString(), 1, few.changedEntries);
        assertEquals(few.toString(), 0, few.moved);
        assertTrue(few.toString(), few.normalized > 0 && few.normalized <= 5);
        assertTrue(few.toString(), few.derivedKeys > 0 && few.derivedKeys < 60);
        assertTrue(few.toString(), few.loggedBytes > 0 && few.loggedBytes < 300);
    }

    @Test
    public void oneValueMore() throws IOException, DirectoryException {
        assertSameWork("add employeeType: One More");
    }

    @Test
    public void oneValueLess() throws IOException, DirectoryException {
        assertSameWork("delete employeeType: type 777");
    }

    /** The count is one that sees the other way, too. */
    @Test
    public void allValuesTakeWorkForEach() throws IOException, DirectoryException {
        Work all = work(1_000, "replace employeeType: one");
        assertTrue(all.toString(), all.changedKeys > 2_000 && all.loggedBytes > 5_000);
    }
}
