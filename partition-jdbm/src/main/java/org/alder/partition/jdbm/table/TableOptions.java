package org.alder.partition.jdbm.table;

import java.util.Objects;

/**
 * What a table is opened with.
 *
 * @param blockCache where decoded blocks are kept; {@link BlockCache#NONE} keeps none
 * @param pageCache  where decoded tree pages are kept; share one between tables to bound them together
 */
public record TableOptions(BlockCache blockCache, PageCache pageCache) {

    public TableOptions {
        Objects.requireNonNull(blockCache, "blockCache");
        Objects.requireNonNull(pageCache, "pageCache");
    }

    /** No block cache and a page cache of its own of {@link PageCache#DEFAULT_BYTES}. */
    public static TableOptions defaults() {
        return new TableOptions(BlockCache.NONE, new PageCache(PageCache.DEFAULT_BYTES));
    }
}
