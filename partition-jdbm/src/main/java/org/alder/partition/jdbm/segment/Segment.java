package org.alder.partition.jdbm.segment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.alder.partition.entry.EntryProbe;
import org.alder.partition.entry.StoredName;
import org.alder.partition.error.StoreException;
import org.alder.partition.id.IdSet;
import org.alder.partition.jdbm.block.KeySpan;
import org.alder.partition.jdbm.block.RegionChecksums;
import org.alder.partition.jdbm.block.TableSummary;
import org.alder.partition.jdbm.disk.DeletedSpace;
import org.alder.partition.jdbm.disk.Disk;
import org.alder.partition.jdbm.entry.EntryFile;
import org.alder.partition.jdbm.layer.EntryFinder;
import org.alder.partition.jdbm.layer.EntryVersion;
import org.alder.partition.jdbm.layer.EntryVersionCursor;
import org.alder.partition.jdbm.layer.IdSetDelta;
import org.alder.partition.jdbm.layer.KeyDeltaCursor;
import org.alder.partition.jdbm.layer.Layer;
import org.alder.partition.jdbm.layer.StoredEntries;
import org.alder.partition.jdbm.name.NameColumn;
import org.alder.partition.jdbm.name.NameReader;
import org.alder.partition.jdbm.segment.SegmentDescriptor.IndexTable;
import org.alder.partition.jdbm.table.Table;
import org.alder.partition.jdbm.table.TableOptions;
import org.alder.partition.store.EntryIndexer.IndexSpec;
import org.alder.partition.store.KeyRange;
import org.alder.partition.store.ValueKeys;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A published segment, read: a folder of write-once tables (docs/format/segment.md). Thread safe, lock-free. The sequence numbers
 * given to the methods of {@link Layer} are ignored, because all of a segment is older than any reader.
 *
 * <p>Its users are counted. Who opens it holds the first reference; every other user must {@link #tryAcquire()} one and
 * {@link #release()} it. When the last is released the tables are closed, and if the segment was {@link #condemn() condemned} its
 * folder is removed. After that every read throws IllegalStateException.
 */
public final class Segment implements Layer {
    private static final Logger LOG = LoggerFactory.getLogger(Segment.class);
    private static final AtomicLong LAST_ID = new AtomicLong();
    /** The head, the cardinality and the ID of a set of one, and of some with two. */
    private static final int MAX_UNCACHED_BYTES = 8;

    private final long id = LAST_ID.incrementAndGet();
    private final Path folder;
    private final SegmentDescriptor descriptor;
    private final long minId;
    private final long maxId;
    private final IdSetCache idSets;
    private final Disk disk;
    /** By index number; null where there is none. */
    private final List<Table> tables;
    private final StoredEntries entries;
    /** Null where it has none. */
    private final NameColumn names;
    /** By index number; null where there is none. */
    private final IndexReader[] indexes;
    private final AtomicInteger references = new AtomicInteger(1);
    private volatile boolean condemned;

    private Segment(Path folder, SegmentDescriptor descriptor, SegmentOptions options, StoredEntries entries, NameColumn names,
            List<Table> tables) {
        this.folder = folder;
        this.descriptor = descriptor;
        this.minId = descriptor.minId();
        this.maxId = descriptor.maxId();
        this.idSets = options.idSets();
        this.disk = options.disk();
        this.tables = tables;
        this.entries = entries;
        this.names = names;
        this.indexes = tables.stream().map(table -> table == null ? null : new IndexReader(table)).toArray(IndexReader[]::new);
    }

    /**
     * Opens a segment that a {@link SegmentWriter} or {@link BulkBuilder} finished. Validates the descriptor, the length and the
     * head of every file, all checksums of key tables, and, as a sample, those of every other file's first and last region.
     *
     * @throws StoreException of kind CORRUPT or IO, naming the file
     */
    public static Segment open(Path folder, SegmentOptions options) {
        SegmentDescriptor descriptor = DescriptorFile.read(folder);
        return open(folder, descriptor, descriptor.indexNames(), true, options);
    }

    /**
     * As {@link #open(Path, SegmentOptions)}, with the index tables of these names.
     *
     * @param tables by index number. The segment has no keys of an index whose table it has not, and other tables are not looked at
     */
    public static Segment open(Path folder, SegmentOptions options, IndexTables tables) {
        List<String> names = tables.specs().stream().map(IndexSpec::name).toList();
        return open(folder, DescriptorFile.read(folder), names, true, options);
    }

    /**
     * As {@link #open}, but of the index tables, which may be damaged or missing, only the value table, because it is no copy of
     * anything, and no key tables: all keys of other indexes have empty sets, and cannot be walked.
     */
    public static Segment openEntries(Path folder, SegmentOptions options) {
        SegmentDescriptor descriptor = DescriptorFile.read(folder);
        return open(folder, descriptor, descriptor.hasValueTable() ? List.of("", ValueKeys.NAME) : List.of(), false, options);
    }

    /** @param names of the index tables, by index number */
    private static Segment open(Path folder, SegmentDescriptor descriptor, List<String> names, boolean withNames, SegmentOptions options) {
        List<Table> tables = new ArrayList<>();
        StoredEntries entries = null;
        try {
            entries = openRecords(folder, descriptor, options);
            for (String name : names) {
                IndexTable index = descriptor.index(name);
                tables.add(index == null ? null : openIndex(folder, index, options));
            }
            return new Segment(folder, descriptor, options, entries, withNames ? openNames(folder, descriptor) : null,
                    Collections.unmodifiableList(tables));
        } catch (IOException e) {
            closeAll(entries, tables);
            throw new StoreException(StoreException.Kind.IO, "cannot open segment " + folder + ": " + e, e);
        } catch (RuntimeException e) {
            closeAll(entries, tables);
            throw e;
        }
    }

    private static StoredEntries openRecords(Path folder, SegmentDescriptor descriptor, SegmentOptions options) throws IOException {
        Path file = folder.resolve(descriptor.entriesFile());
        requireSound(file, descriptor.master(), false);
        return descriptor.isWithTable() ? new TableEntries(Table.open(file, options.masterTable())) : EntryFile.open(file, descriptor.master());
    }

    /** Null where there are none. */
    private static NameColumn openNames(Path folder, SegmentDescriptor descriptor) throws IOException {
        if (descriptor.names() == null) {
            return null;
        }
        Path file = folder.resolve(SegmentDescriptor.NAMES_FILE);
        requireSound(file, descriptor.names(), false);
        return NameColumn.open(file, descriptor.names());
    }

    private static Table openIndex(Path folder, IndexTable index, SegmentOptions options) throws IOException {
        return openTable(folder.resolve(index.fileName()), index.table(), options.indexTable(),
                folder.resolve(index.keyTableName()), options.keyTables() ? index.keys() : null);
    }

    /** @param keys null to read the table without a key table */
    private static Table openTable(Path file, TableSummary table, TableOptions options, Path keysFile, TableSummary keys)
            throws IOException {
        requireSound(file, table, false);
        if (keys == null) {
            return Table.open(file, options);
        }
        // The records of a table carry checks of their own, the entries of a key table do not; and it is to be in memory.
        requireSound(keysFile, keys, true);
        return Table.open(file, options, keysFile);
    }

    /** @param whole whether all regions are read, not only the first and the last as a sample */
    private static void requireSound(Path path, TableSummary expected, boolean whole) throws IOException {
        long length = length(path);
        if (length != expected.fileBytes()) {
            throw new StoreException(StoreException.Kind.CORRUPT, path + " has " + length
                    + " bytes, its segment's descriptor says " + expected.fileBytes());
        }
        try (RegionChecksums checksums = new RegionChecksums(path, expected)) {
            int last = checksums.regionCount() - 1;
            for (int region = 0; region <= last; region += whole ? 1 : Math.max(1, last)) {
                requireSound(path, checksums, region);
            }
        }
    }

    private static long length(Path path) throws IOException {
        try {
            return Files.size(path);
        } catch (NoSuchFileException e) {
            throw new StoreException(StoreException.Kind.CORRUPT, path + " is missing, its segment's descriptor names it", e);
        }
    }

    private static void requireSound(Path path, RegionChecksums checksums, int region) throws IOException {
        String mismatch = checksums.mismatch(region);
        if (mismatch != null) {
            throw new StoreException(StoreException.Kind.CORRUPT, path + " at offset " + checksums.offset(region) + ": "
                    + mismatch);
        }
    }

    /** @param entries may be null */
    private static void closeAll(StoredEntries entries, List<Table> tables) {
        if (entries != null) {
            entries.close();
        }
        tables.stream().filter(Objects::nonNull).forEach(Table::close);
    }

    /** Unique in this process, never reused; the key of this segment's sets in a shared cache. */
    public long id() {
        return id;
    }

    /** The {@link Table#id()} of each index table, by index number; -1 where there is none. */
    public List<Long> tableIds() {
        return tables.stream().map(table -> table == null ? -1L : table.id()).toList();
    }

    /** Reads the blocks of an index that may have keys of the range into the cache; returns the heap they take, about. */
    public long loadBlocks(int index, KeySpan range) {
        Table table = tables.get(index);
        return table == null ? 0 : table.load(range);
    }

    /** Reads the pages above the leaves of all tables' trees into the cache. */
    public void loadInnerPages() {
        tables.stream().filter(Objects::nonNull).forEach(Table::loadInnerPages);
    }

    public Path folder() {
        return folder;
    }

    public SegmentDescriptor descriptor() {
        return descriptor;
    }

    /** Takes a reference unless the last one is gone already; false means that the segment must not be used. */
    public boolean tryAcquire() {
        int count = references.get();
        while (count > 0 && !references.compareAndSet(count, count + 1)) {
            count = references.get();
        }
        return count > 0;
    }

    /** Gives a reference back; the last one closes the tables and removes the folder of a condemned segment. */
    public void release() {
        int left = references.decrementAndGet();
        if (left < 0) {
            throw new IllegalStateException("segment " + folder + " was released more often than acquired");
        }
        if (left == 0) {
            closeAll(entries, tables);
            if (names != null) {
                names.close();
            }
            if (condemned) {
                deleteFolder();
            }
        }
    }

    private void deleteFolder() {
        try {
            disk.deleteTree(folder);
            DeletedSpace.OF_PROCESS.keep(this, descriptor.diskBytes());
        } catch (IOException e) {
            LOG.warn("Cannot remove the unused segment {}. It takes space until the next start, which removes it", folder, e);
        }
    }

    /** Has the folder removed when the last reference is released. Call it when no manifest names the segment any more. */
    public void condemn() {
        condemned = true;
    }

    @Override
    public EntryVersion entry(long entryId, long sequence) {
        return isInRange(entryId) ? entries.entry(entryId) : null;
    }

    private boolean isInRange(long entryId) {
        return entryId >= minId && entryId <= maxId && entryId > 0;
    }

    @Override
    public StoredName name(long entryId, long sequence) {
        if (!isInRange(entryId)) {
            return null;
        }
        StoredName name = names == null ? NameColumn.ELSEWHERE : names.reader().name(entryId);
        return name == NameColumn.ELSEWHERE ? Layer.super.name(entryId, sequence) : name == NameColumn.DELETED ? EntryFinder.DELETED : name;
    }

    @Override
    public EntryFinder finder(long sequence, IdSet expected) {
        return new Finder(expected);
    }

    /** Reads no entry ahead before it is asked for one, as it may be asked for names alone. */
    private final class Finder implements EntryFinder {
        private final IdSet expected;
        private final NameReader reader = names == null ? null : names.reader();
        /** Null before the first. */
        private EntryFinder records;

        Finder(IdSet expected) {
            this.expected = expected;
        }

        @Override
        public EntryVersion entry(long entryId) {
            return isInRange(entryId) ? records().entry(entryId) : null;
        }

        private EntryFinder records() {
            if (records == null) {
                records = entries.finder(expected);
            }
            return records;
        }

        @Override
        public Answer test(long entryId, EntryProbe probe) {
            return isInRange(entryId) ? records().test(entryId, probe) : Answer.UNKNOWN;
        }

        @Override
        public StoredName name(long entryId) {
            if (!isInRange(entryId)) {
                return null;
            }
            StoredName name = reader == null ? NameColumn.ELSEWHERE : reader.name(entryId);
            return name == NameColumn.ELSEWHERE ? EntryFinder.super.name(entryId) : name == NameColumn.DELETED ? DELETED : name;
        }
    }

    @Override
    public IdSetDelta ids(int index, byte[] key, long sequence) {
        if (!has(index)) {
            return IdSetDelta.EMPTY;
        }
        return indexes[index].hasKeyTable() ? primaryKeyIds(index, key) : cachedIds(index, key);
    }

    private boolean has(int index) {
        return index < indexes.length && indexes[index] != null;
    }

    /** A set of one ID is made faster than it is found in a cache, where it would only be in the way of others. */
    private IdSetDelta primaryKeyIds(int index, byte[] key) {
        byte[] value = indexes[index].value(key);
        if (value == null) {
            return IdSetDelta.EMPTY;
        }
        boolean small = value.length <= MAX_UNCACHED_BYTES && !IdSetCodec.isNested(value);
        return small ? indexes[index].decode(key, value) : cachedIds(index, key);
    }

    private IdSetDelta cachedIds(int index, byte[] key) {
        IdSetAddress address = new IdSetAddress(id, index, key);
        IdSetDelta delta = idSets.get(address);
        if (delta == null) {
            delta = indexes[index].ids(key);
            idSets.put(address, delta);
        }
        return delta;
    }

    @Override
    public long netCardinality(int index, byte[] key, long sequence) {
        if (!has(index)) {
            return 0;
        }
        if (indexes[index].hasKeyTable()) {
            return indexes[index].netCardinality(key);
        }
        IdSetDelta delta = idSets.get(new IdSetAddress(id, index, key));
        return delta == null ? indexes[index].netCardinality(key) : delta.netCardinality();
    }

    @Override
    public KeyDeltaCursor keys(int index, KeyRange range, long sequence) {
        return has(index) ? indexes[index].keys(range.from()) : KeyDeltaCursor.empty();
    }

    @Override
    public EntryVersionCursor entries(long fromId, long sequence) {
        return entries.entries(fromId);
    }
}
