package org.alder.partition.jdbm.table;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.alder.partition.jdbm.block.BigEndian;
import org.alder.partition.jdbm.block.BlockCache;
import org.alder.partition.jdbm.block.BlockDecompressor;
import org.alder.partition.jdbm.block.KeySpan;
import org.alder.partition.jdbm.block.RecordCheck;
import org.alder.partition.jdbm.block.TableBlock;
import org.alder.partition.jdbm.key.KeyTable;

/**
 * A sorted write-once table, read. Thread safe and lock-free: one object serves all threads. The file is memory-mapped and must
 * not be changed or truncated while the table is open (deleting it is fine). {@link #close()} makes further use throw
 * IllegalStateException; the mappings themselves are given back when the garbage collector finds the table unreachable, so a
 * reader that raced with the close never touches unmapped memory.
 * Every method that reads throws {@code TableCorruptException} where the file is damaged.
 */
public final class Table implements Closeable {

    private static final AtomicLong NEXT_ID = new AtomicLong(1);
    private static final byte[] BELOW_ALL_KEYS = {};

    private final long id = NEXT_ID.getAndIncrement();
    private final MappedRecordManager records;
    private final BlockCache<TableBlock> blockCache;
    private final BlockCache<TreePage> pageCache;
    private final TableHeader header;
    private final StoredTree mainTree;
    private final BlockDecompressor decompressor;
    /** Null where the table has none. */
    private final KeyTable keyTable;
    private final KeyTable.Blocks blocks = this::blockAt;

    private Table(MappedRecordManager records, TableOptions options, Path keyTableFile) throws IOException {
        this.records = records;
        this.blockCache = options.blockCache();
        this.pageCache = options.pageCache();
        header = TableHeader.read(records);
        mainTree = new StoredTree(records, id, pageCache, header.mainTreeId());
        if (mainTree.header().tupleCount() != header.blockCount()) {
            throw mainTree.corrupt("found " + mainTree.header().tupleCount() + " tuples, the table header counts "
                + header.blockCount() + " blocks");
        }
        decompressor = new BlockDecompressor(readDictionary());
        keyTable = keyTableFile == null ? null : KeyTable.open(keyTableFile, header.pairCount(), header.blockCount());
    }

    /** Opens a finished table with {@link TableOptions#defaults()}. */
    public static Table open(Path file) throws IOException {
        return open(file, TableOptions.defaults());
    }

    /**
     * Opens a finished table.
     *
     * @throws IOException           where the file cannot be opened or mapped
     * @throws TableCorruptException where it is not a table, of an unknown version, or cut short
     */
    public static Table open(Path file, TableOptions options) throws IOException {
        return open(file, options, null);
    }

    /**
     * As {@link #open(Path, TableOptions)}, with the table's key table, through which {@link #get} finds keys then.
     *
     * @param keyTableFile what {@code KeyTableWriter} wrote with the table; null for none
     */
    public static Table open(Path file, TableOptions options, Path keyTableFile) throws IOException {
        return open(MappedRecordManager.open(file, MappedRecordManager.MAPPING_BYTES), options, keyTableFile);
    }

    static Table open(Path file, TableOptions options, int mappingBytes) throws IOException {
        return open(MappedRecordManager.open(file, mappingBytes), options, (Path) null);
    }

    private static Table open(MappedRecordManager records, TableOptions options, Path keyTableFile) throws IOException {
        try {
            return new Table(records, options, keyTableFile);
        } catch (IOException | RuntimeException e) {
            records.close();
            throw e;
        }
    }

    private byte[] readDictionary() {
        if (header.dictionaryId() == 0) {
            return new byte[0];
        }
        byte[] record = records.read(header.dictionaryId());
        return Arrays.copyOf(record, record.length - RecordCheck.BYTES);
    }

    /** Unique in this process; the key of this table's blocks in shared caches. */
    public long id() {
        return id;
    }

    public Path file() {
        return records.file();
    }

    public long pairCount() {
        return header.pairCount();
    }

    public long blockCount() {
        return header.blockCount();
    }

    /**
     * Returns the value of the key (the caller's own array), or null where the table does not have it. Trusts a block whose
     * checksum holds to have its keys in order, which cursors and {@link TableVerifier} prove.
     */
    public byte[] get(byte[] key) {
        records.requireOpen();
        return keyTable == null ? getThroughTree(key) : keyTable.find(key, blocks, TableBlock::value);
    }

    /** Whether keys are looked up through a key table, where most that are absent cost nothing else. */
    public boolean hasKeyTable() {
        return keyTable != null;
    }

    private byte[] getThroughTree(byte[] key) {
        TreePage leaf = mainTree.leafFor(key);
        if (leaf == null) {
            return null;
        }
        int slot = mainTree.slotFor(leaf, key);
        if (!leaf.hasKey(slot)) {
            return null;
        }
        TableBlock block = block(leaf.key(slot), leaf.value(slot), true);
        int pair = block.find(key);
        return pair < 0 ? null : block.value(pair);
    }

    /** A cursor before the first pair whose key is at or above the given one (an empty array: before all). */
    public TableCursor cursor(byte[] fromKeyInclusive) {
        TableCursor cursor = new TableCursor(this, true);
        cursor.seek(fromKeyInclusive);
        return cursor;
    }

    /** A cursor before the first pair that reads the block cache but puts nothing into it: for passes over the whole table. */
    public TableCursor scan() {
        TableCursor cursor = new TableCursor(this, false);
        cursor.seek(BELOW_ALL_KEYS);
        return cursor;
    }

    /**
     * Opens a nested tree.
     *
     * @param recordId what {@link NestedTreeWriter#finish()} returned
     */
    public NestedTree nestedTree(long recordId) {
        return new NestedTree(storedTree(recordId));
    }

    StoredTree storedTree(long recordId) {
        return new StoredTree(records, id, pageCache, recordId);
    }

    StoredTree mainTree() {
        return mainTree;
    }

    MappedRecordManager records() {
        return records;
    }

    /** Returns the block of a tuple of the main tree, checked against that tuple when it comes from the file. */
    TableBlock block(byte[] lastKey, byte[] recordIdBytes, boolean keep) {
        if (recordIdBytes.length != Long.BYTES) {
            throw mainTree.corrupt("a value of " + recordIdBytes.length + " bytes, expected a record ID of 8");
        }
        long recordId = BigEndian.getLong(recordIdBytes, 0);
        TableBlock cached = blockCache.get(id, recordId);
        if (cached != null) {
            return cached;
        }
        TableBlock block = readBlock(recordId, lastKey);
        if (keep) {
            blockCache.put(id, recordId, block);
        }
        return block;
    }

    /**
     * Reads all blocks that may have keys of the range into the cache, where they are not there.
     *
     * @return the heap all of them take, about
     */
    public long load(KeySpan range) {
        TreeCursor tuples = new TreeCursor(mainTree);
        long bytes = 0;
        for (boolean more = tuples.seek(range.first()); more;) {
            bytes += block(tuples.key(), tuples.value(), true).weightBytes();
            more = Arrays.compareUnsigned(tuples.key(), range.last()) < 0 && tuples.next();
        }
        return bytes;
    }

    /** Reads the pages of the main tree above its leaves into the cache. */
    public void loadInnerPages() {
        mainTree.loadInnerPages();
    }

    TableBlock blockAt(long recordId, int pair, byte[] key) {
        TableBlock block = blockCache.get(id, recordId);
        if (block == null) {
            block = readBlock(recordId);
            blockCache.put(id, recordId, block);
        }
        if (pair >= block.count()) {
            throw records.corrupt(recordId, "the key table leads to pair " + pair + " of a block of " + block.count());
        }
        return block.hasKey(pair, key) ? block : null;
    }

    /** As {@link #block}, its keys known to ascend. */
    TableBlock orderedBlock(byte[] lastKey, byte[] recordIdBytes, boolean keep) {
        TableBlock block = block(lastKey, recordIdBytes, keep);
        try {
            block.requireOrder();
            return block;
        } catch (IllegalArgumentException e) {
            throw records.corrupt(BigEndian.getLong(recordIdBytes, 0), e.getMessage(), e);
        }
    }

    private TableBlock readBlock(long recordId, byte[] lastKey) {
        TableBlock block = readBlock(recordId);
        if (!Arrays.equals(block.lastKey(), lastKey)) {
            throw records.corrupt(recordId, "the block's last key is not the one the tree has for it");
        }
        return block;
    }

    private TableBlock readBlock(long recordId) {
        try {
            return decompressor.toBlock(records.read(recordId));
        } catch (IllegalArgumentException e) {
            throw records.corrupt(recordId, e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        records.close();
    }
}
