package org.alder.partition.jdbm.table;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.function.LongConsumer;
import org.alder.partition.jdbm.disk.DiskFile;
import org.alder.partition.jdbm.disk.SystemDisk;

/**
 * Proves that a table's file is what its writer left: checksums of all regions, keys strictly ascending over all blocks, the
 * tree's order equal to the blocks', the counts, and every nested tree the caller points out. Stateless; reads the whole file.
 */
public final class TableVerifier {

    /** Tells which nested trees a pair refers to; only the owner of the values can know. */
    @FunctionalInterface
    public interface NestedTreeFinder {
        /** For tables whose values refer to no nested tree. */
        NestedTreeFinder NONE = (key, value, recordIds) -> { };

        void find(byte[] key, byte[] value, LongConsumer recordIds);
    }

    private TableVerifier() {
    }

    /**
     * @param expected what {@link TableWriter#finish()} returned for this file
     * @throws TableCorruptException at the first thing that is wrong
     * @throws IOException           where the file cannot be read
     */
    public static void verify(Path file, TableSummary expected, NestedTreeFinder finder) throws IOException {
        verifyChecksums(file, expected);
        try (Table table = Table.open(file)) {
            requireEqual(file, "pairs in the table header", table.pairCount(), expected.pairCount());
            requireEqual(file, "blocks in the table header", table.blockCount(), expected.blockCount());
            TreeVerifier.verify(table.mainTree());
            requireEqual(file, "pairs in the blocks", verifyPairs(table, finder), expected.pairCount());
        }
    }

    /** The cursor itself checks the order of keys in and between blocks and that each block is the one its tuple names. */
    private static long verifyPairs(Table table, NestedTreeFinder finder) {
        long pairs = 0;
        TableCursor cursor = table.scan();
        LongConsumer verifyNested = recordId -> TreeVerifier.verify(table.storedTree(recordId));
        while (cursor.next()) {
            pairs++;
            finder.find(cursor.key(), cursor.value(), verifyNested);
        }
        return pairs;
    }

    /**
     * Proves that a key table is what its writer left: the checksums, the counts, and that every key of its table is found
     * through it. The table itself must have been verified before.
     *
     * @param expected what {@link KeyTableWriter#finish()} returned for this file
     * @throws TableCorruptException at the first thing that is wrong
     * @throws IOException           where a file cannot be read
     */
    public static void verifyKeyTable(Path file, TableSummary expected, Path tableFile) throws IOException {
        verifyChecksums(file, expected);
        try (Table table = Table.open(tableFile)) {
            KeyTable keys = KeyTable.open(file, table.pairCount(), table.blockCount());
            requireEqual(file, "keys", table.pairCount(), expected.pairCount());
            TreeCursor blocks = new TreeCursor(table.mainTree());
            boolean more = blocks.seek(new byte[0]);
            for (int number = 0; more; number++) {
                verifyKeys(keys, table.block(blocks.key(), blocks.value(), false), number,
                    BigEndian.getLong(blocks.value(), 0));
                more = blocks.next();
            }
        }
    }

    private static void verifyKeys(KeyTable keys, TableBlock block, int number, long recordId) {
        for (int pair = 0; pair < block.count(); pair++) {
            if (!keys.leadsTo(block.key(pair), number, recordId, pair)) {
                throw new TableCorruptException(keys.file(), 0, "the key of pair " + pair + " of block " + number
                    + " is not found through it: " + HexFormat.of().formatHex(block.key(pair)));
            }
        }
    }

    /** Checks the length and the region checksums only. */
    public static void verifyChecksums(Path file, TableSummary expected) throws IOException {
        try (DiskFile read = SystemDisk.INSTANCE.open(file, false)) {
            requireEqual(file, "bytes in the file", read.size(), expected.fileBytes());
            int[] sums = RegionChecksums.compute(read, expected.regionBytes());
            requireEqual(file, "region checksums", sums.length, expected.regionCrc32c().length);
            for (int i = 0; i < sums.length; i++) {
                if (sums[i] != expected.regionCrc32c()[i]) {
                    throw new TableCorruptException(file, (long) i * expected.regionBytes(), "the CRC32C of region " + i
                        + " is " + Integer.toHexString(sums[i]) + ", expected "
                        + Integer.toHexString(expected.regionCrc32c()[i]));
                }
            }
        }
    }

    private static void requireEqual(Path file, String what, long found, long expected) {
        if (found != expected) {
            throw new TableCorruptException(file, 0, "found " + found + " " + what + ", expected " + expected);
        }
    }
}
