package org.alder.partition.jdbm.table;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;
import jdbm.btree.BTree;
import org.alder.partition.jdbm.block.BigEndian;
import org.alder.partition.jdbm.block.BlockBuilder;
import org.alder.partition.jdbm.block.BlockCompressor;
import org.alder.partition.jdbm.block.RecordCheck;
import org.alder.partition.jdbm.block.RegionChecksums;
import org.alder.partition.jdbm.block.TableLimits;
import org.alder.partition.jdbm.block.TableSettings;
import org.alder.partition.jdbm.block.TableSummary;
import org.alder.partition.jdbm.disk.Disk;
import org.alder.partition.jdbm.disk.DiskFile;
import org.alder.partition.jdbm.key.KeyTableWriter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Builds one sorted write-once table on a new JDBM2 file. One thread. The format is in docs/format/table.md, the container in
 * docs/format/jdbm2-file.md; {@link BuildRecordManager} says how JDBM2's traps are avoided.
 *
 * <p>Order of writing: the dictionary, before all blocks; then, mixed as they come, blocks of pairs, nested trees and pages of
 * the main tree, which leads from the last key of each block to the block's record; at {@link #finish()} what is pending of the
 * trees, the header record, and root slot 1, which leads to it. Nothing is synced before the end: a file is a table only once
 * finish returned, and until its root slot is set no reader takes it for one. A crash leaves an unfinished file that its owner
 * removes.
 */
public final class TableWriter implements Closeable {

    /** JDBM2 adds this to the name it is given, so table files must end in it. */
    public static final String FILE_SUFFIX = ".db";

    /** Measured (docs/format/table.md); readers take any size from the tree's header. */
    private static final int MAIN_PAGE_SIZE = 64;
    private static final int MAX_HEX_BYTES = 64;
    private static final Logger LOG = LoggerFactory.getLogger(TableWriter.class);

    private final Disk disk;
    private final Path file;
    private final TableSettings settings;
    private final BuildRecordManager records;
    private final BlockCompressor compressor;
    private final BlockBuilder block = new BlockBuilder();
    /** Null where the table gets no key table. */
    private final KeyTableWriter keyTable;
    private final BTree<byte[], byte[]> mainTree;
    private final long dictionaryId;
    private byte[] lastKey = {};
    private long pairCount;
    private long blockCount;
    private int openNestedTrees;
    private boolean finished;
    private boolean closed;

    private TableWriter(Disk disk, Path file, TableSettings settings, KeyTableWriter keyTable, int mainPageSize,
            BuildRecordManager records) throws IOException {
        this.keyTable = keyTable;
        this.disk = disk;
        this.file = file;
        this.settings = settings;
        this.records = records;
        byte[] dictionary = settings.dictionary();
        this.dictionaryId = dictionary.length == 0 ? 0
            : records.insertRecord(Arrays.copyOf(dictionary, dictionary.length + RecordCheck.BYTES));
        this.compressor = new BlockCompressor(settings, dictionary);
        this.mainTree = new BTree<>(records, ByteKeyComparator.INSTANCE, ByteKeySerializer.INSTANCE,
            ByteKeySerializer.INSTANCE, mainPageSize);
    }

    /**
     * Starts a table.
     *
     * @param disk what the file is made on; JDBM2 writes it itself, see {@link Disk}
     * @param file must end in {@link #FILE_SUFFIX} and must not exist
     * @throws IllegalArgumentException where the name does not end so
     * @throws IOException              where the file exists or cannot be made
     */
    public static TableWriter create(Disk disk, Path file, TableSettings settings) throws IOException {
        return create(disk, file, settings, null);
    }

    /**
     * As {@link #create(Disk, Path, TableSettings)}, with a key table.
     *
     * @param keyTable new; is told where the keys are. The caller finishes and closes it after the table. Null for none
     */
    public static TableWriter create(Disk disk, Path file, TableSettings settings, KeyTableWriter keyTable)
            throws IOException {
        return create(disk, file, settings, keyTable, MAIN_PAGE_SIZE);
    }

    static TableWriter create(Disk disk, Path file, TableSettings settings, int mainPageSize) throws IOException {
        return create(disk, file, settings, null, mainPageSize);
    }

    private static TableWriter create(Disk disk, Path file, TableSettings settings, KeyTableWriter keyTable, int mainPageSize)
            throws IOException {
        Objects.requireNonNull(settings, "settings");
        String name = file.toString();
        if (!name.endsWith(FILE_SUFFIX)) {
            throw new IllegalArgumentException("the name of a table file must end in " + FILE_SUFFIX + ", found " + file);
        }
        if (Files.exists(file)) {
            throw new FileAlreadyExistsException(name);
        }
        String nameWithoutSuffix = name.substring(0, name.length() - FILE_SUFFIX.length());
        disk.create(file).close();
        BuildRecordManager records = null;
        try {
            records = new BuildRecordManager(nameWithoutSuffix, () -> disk.willWrite(file));
            return new TableWriter(disk, file, settings, keyTable, mainPageSize, records);
        } catch (IOException | RuntimeException e) {
            abandon(disk, file, records);
            throw e;
        }
    }

    /**
     * Adds a pair. Both arrays are copied before this returns.
     *
     * @param key   1 to {@link TableLimits#MAX_KEY_BYTES} bytes, above every key appended before (unsigned, lexicographic)
     * @param value 0 to {@link TableLimits#MAX_VALUE_BYTES} bytes
     * @throws IllegalArgumentException naming both keys in hex, or the limit that is violated; the writer stays usable
     * @throws IllegalStateException    where the writer is finished or closed
     * @throws IOException              where writing fails: close the writer, the file is of no use
     */
    public void append(byte[] key, byte[] value) throws IOException {
        requireOpen();
        requireLimits(key, value);
        if (Arrays.compareUnsigned(lastKey, key) >= 0) {
            throw new IllegalArgumentException("key " + hex(key) + " is not above the key before it, " + hex(lastKey));
        }
        if (!block.isEmpty() && block.sizeWith(key, value) > settings.blockBytes()) {
            writeBlock();
        }
        if (keyTable != null) {
            keyTable.add(key, blockCount, block.count());
        }
        block.add(key, value);
        lastKey = key.clone();
        pairCount++;
    }

    private static void requireLimits(byte[] key, byte[] value) {
        if (key.length == 0 || key.length > TableLimits.MAX_KEY_BYTES) {
            throw new IllegalArgumentException("key " + hex(key) + " has " + key.length + " bytes, allowed are 1 to "
                + TableLimits.MAX_KEY_BYTES);
        }
        if (value.length > TableLimits.MAX_VALUE_BYTES) {
            throw new IllegalArgumentException("the value of key " + hex(key) + " has " + value.length
                + " bytes, at most " + TableLimits.MAX_VALUE_BYTES + " are allowed");
        }
    }

    private void writeBlock() throws IOException {
        byte[] built = block.build();
        block.clear();
        blockCount++;
        long recordId = records.insertRecord(compressor.toRecord(built));
        mainTree.insert(lastKey, BigEndian.ofLong(recordId), false);
        if (keyTable != null) {
            keyTable.addBlock(recordId);
        }
    }

    /** Starts a nested tree in the same file; it must be finished before this writer is. */
    public NestedTreeWriter newNestedTree() throws IOException {
        requireOpen();
        NestedTreeWriter nested = new NestedTreeWriter(records, () -> openNestedTrees--);
        openNestedTrees++;
        return nested;
    }

    /**
     * Writes what is pending, closes the file and syncs it (contents and length; the caller syncs the folder when it publishes).
     *
     * @throws IllegalStateException where a nested tree is not finished, or the writer is finished or closed
     * @throws IOException           where writing or syncing fails: close the writer, which deletes the file
     */
    public TableSummary finish() throws IOException {
        requireOpen();
        if (openNestedTrees > 0) {
            throw new IllegalStateException(openNestedTrees + " nested trees of " + file + " are not finished");
        }
        if (!block.isEmpty()) {
            writeBlock();
        }
        TableHeader header = new TableHeader(mainTree.getRecordId(), dictionaryId, pairCount, blockCount);
        records.setRoot(TableHeader.ROOT_SLOT, records.insertRecord(header.toRecord()));
        records.flush();
        records.close();
        TableSummary summary = syncAndSum();
        finished = true;
        return summary;
    }

    private TableSummary syncAndSum() throws IOException {
        try (DiskFile written = disk.open(file, true)) {
            written.sync();
            return RegionChecksums.summary(pairCount, blockCount, written);
        }
    }

    /** Ends the writer; without a successful {@link #finish()} before it, deletes the unfinished file. May be called again. */
    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        compressor.close();
        if (!finished) {
            abandon(disk, file, records);
        }
    }

    /** @param records null where there are none */
    private static void abandon(Disk disk, Path file, BuildRecordManager records) throws IOException {
        try {
            if (records != null) {
                records.close();
            }
        } catch (IOException | IllegalStateException e) {
            LOG.debug("closing the unfinished table {} before deleting it: {}", file, e.toString());
            giveSpaceBack(disk, file);
        }
        disk.delete(file);
    }

    /** JDBM2 leaves its file open when closing fails, and an open file keeps its space after it is deleted. */
    private static void giveSpaceBack(Disk disk, Path file) throws IOException {
        try (DiskFile unfinished = disk.open(file, true)) {
            unfinished.truncate(0);
        }
    }

    private void requireOpen() {
        if (finished || closed) {
            throw new IllegalStateException("the writer of table " + file + " is " + (finished ? "finished" : "closed"));
        }
    }

    private static String hex(byte[] key) {
        String digits = HexFormat.of().formatHex(key, 0, Math.min(key.length, MAX_HEX_BYTES));
        return key.length <= MAX_HEX_BYTES ? digits : digits + "... (" + key.length + " bytes)";
    }
}
