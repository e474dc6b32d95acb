package org.alder.partition.jdbm.table;

import java.util.Objects;
import org.alder.partition.jdbm.block.BlockCache;
import org.alder.partition.jdbm.block.TableBlock;

/**
 * What a table is opened with.
 *
 * @param blockCache where decoded blocks are kept
 * @param pageCache  where decoded tree pages are kept; share one between tables to bound them together
 */
public record TableOptions(BlockCache<TableBlock> blockCache, BlockCache<TreePage> pageCache) {
    /** What a table that was opened without options takes for tree pages. */
    private static final long DEFAULT_PAGE_BYTES = 8L * 1024 * 1024;

    public TableOptions {
        Objects.requireNonNull(blockCache, "blockCache");
        Objects.requireNonNull(pageCache, "pageCache");
    }

    /** No blocks are kept, and 8 MiB of tree pages. */
    public static TableOptions defaults() {
        return new TableOptions(new BlockCache<>(0), new BlockCache<>(DEFAULT_PAGE_BYTES));
    }
}
