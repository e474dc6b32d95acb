package org.alder.partition.jdbm.block;

/**
 * Sizes that a writer refuses to exceed and a reader refuses to believe. They bound what one damaged length field can make a
 * reader allocate, and keep JDBM2's records at a few MiB (it moves a record as one array).
 */
public final class TableLimits {

    /** The longest key. Keys are also tree keys, so a tree page must stay a few hundred KiB even when all are this long. */
    public static final int MAX_KEY_BYTES = 16 * 1024;
    /** The longest value of a pair. */
    public static final int MAX_VALUE_BYTES = 4 * 1024 * 1024;
    /** The longest value of a nested tree: a bitmap container of 2^16 IDs takes 8 KiB and a small header. */
    public static final int MAX_NESTED_VALUE_BYTES = 16 * 1024;
    /** The longest Zstandard dictionary. */
    public static final int MAX_DICTIONARY_BYTES = 1024 * 1024;

    /** A block of pairs before compression: one pair of the longest kind, or one MiB of pairs and one such pair. */
    static final int MAX_BLOCK_BYTES = 6 * 1024 * 1024;
    /** Any JDBM2 record: a block that did not shrink, with its header and check. */
    public static final int MAX_RECORD_BYTES = MAX_BLOCK_BYTES + 1024;

    private TableLimits() {
    }
}
