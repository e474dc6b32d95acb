package org.alder.partition.jdbm.table;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.LongConsumer;

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
        throw new UnsupportedOperationException();
    }

    /** Checks the length and the region checksums only. */
    public static void verifyChecksums(Path file, TableSummary expected) throws IOException {
        throw new UnsupportedOperationException();
    }
}
