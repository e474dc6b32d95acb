package org.alder.partition.jdbm.table;

/**
 * Keeps decoded blocks of any number of tables. Implementations must be thread safe and bound themselves by
 * {@link TableBlock#weightBytes()}; they may forget any block at any time. Blocks of a closed table are never asked for again
 * (table IDs are not reused): drop them when convenient.
 */
public interface BlockCache {

    /** Keeps nothing: each lookup decodes its block. */
    BlockCache NONE = new BlockCache() {
        @Override
        public TableBlock get(BlockAddress address) {
            return null;
        }

        @Override
        public void put(BlockAddress address, TableBlock block) {
            // Keeping nothing is what this cache is for.
        }
    };

    /** Returns the block, or null where it is not kept. */
    TableBlock get(BlockAddress address);

    void put(BlockAddress address, TableBlock block);
}
