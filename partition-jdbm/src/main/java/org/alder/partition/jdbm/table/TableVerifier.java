package org.alder.partition.jdbm.table;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongConsumer;
import org.alder.partition.jdbm.block.RegionChecksums;
import org.alder.partition.jdbm.block.TableCorruptException;
import org.alder.partition.jdbm.block.TableSummary;

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

    /** Is shown each pair after the structure of the table up to there was verified. */
    @FunctionalInterface
    public interface PairVisitor {
        /** Returns whether to go on. */
        boolean visit(byte[] key, byte[] value, Table table);
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
        verifyStructure(file, expected, finder, null, (key, value, table) -> true);
    }

    /**
     * As {@link #verify}, of a file whose length and checksums were compared already.
     *
     * @param keys    is held against the table in the same pass; null for none
     * @return false where the visitor ended it
     */
    public static boolean verifyStructure(Path file, TableSummary expected, NestedTreeFinder finder, KeyTableCheck keys,
            PairVisitor visitor) throws IOException {
        try (Table table = Table.open(file)) {
            requireEqual(file, "pairs in the table header", table.pairCount(), expected.pairCount());
            requireEqual(file, "blocks in the table header", table.blockCount(), expected.blockCount());
            TreeVerifier.verify(table.mainTree());
            if (keys != null) {
                keys.begin(table);
            }
            long pairs = verifyPairs(table, finder, keys, visitor);
            if (pairs >= 0) {
                requireEqual(file, "pairs in the blocks", pairs, expected.pairCount());
            }
            return pairs >= 0;
        }
    }

    /**
     * The cursor itself checks the order of keys in and between blocks and that each block is the one its tuple names. Returns
     * -1 where the visitor ended it.
     */
    private static long verifyPairs(Table table, NestedTreeFinder finder, KeyTableCheck keys, PairVisitor visitor) {
        long pairs = 0;
        TableCursor cursor = table.scan();
        LongConsumer verifyNested = recordId -> TreeVerifier.verify(table.storedTree(recordId));
        while (cursor.next()) {
            pairs++;
            byte[] key = cursor.key();
            byte[] value = cursor.value();
            if (keys != null) {
                keys.pair(cursor, key);
            }
            finder.find(key, value, verifyNested);
            if (!visitor.visit(key, value, table)) {
                return -1;
            }
        }
        return pairs;
    }

    /** Checks the length and the region checksums only. */
    public static void verifyChecksums(Path file, TableSummary expected) throws IOException {
        requireEqual(file, "bytes in the file", Files.size(file), expected.fileBytes());
        try (RegionChecksums checksums = new RegionChecksums(file, expected)) {
            for (int region = 0; region < checksums.regionCount(); region++) {
                String mismatch = checksums.mismatch(region);
                if (mismatch != null) {
                    throw new TableCorruptException(file, checksums.offset(region), mismatch);
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
