package org.alder.partition.jdbm.segment;

import java.util.Objects;
import org.alder.partition.jdbm.block.BlockCache;
import org.alder.partition.jdbm.block.TableBlock;
import org.alder.partition.jdbm.disk.Disk;
import org.alder.partition.jdbm.disk.SystemDisk;
import org.alder.partition.jdbm.table.TableOptions;
import org.alder.partition.jdbm.table.TreePage;

/**
 * What segments are opened with; one object serves all segments of a store, which then share the bounds.
 *
 * @param indexBlocks  where decoded blocks of index keys are kept
 * @param pages        where decoded tree pages are kept
 * @param idSets       where decoded ID sets are kept
 * @param keyTables    whether keys are looked up through key tables, where a segment has them
 * @param disk         what a condemned segment is removed from
 */
public record SegmentOptions(BlockCache<TableBlock> indexBlocks, BlockCache<TreePage> pages, IdSetCache idSets, boolean keyTables,
        Disk disk) {
    public SegmentOptions {
        Objects.requireNonNull(indexBlocks, "indexBlocks");
        Objects.requireNonNull(pages, "pages");
        Objects.requireNonNull(idSets, "idSets");
        Objects.requireNonNull(disk, "disk");
    }

    /** Nothing is kept but tree pages, as {@link TableOptions#defaults()} says. */
    public static SegmentOptions uncached() {
        return new SegmentOptions(new BlockCache<>(0), TableOptions.defaults().pageCache(),
                IdSetCache.NONE, true, SystemDisk.INSTANCE);
    }

    /** Of entries no blocks are kept. */
    TableOptions masterTable() {
        return new TableOptions(new BlockCache<>(0), pages);
    }

    TableOptions indexTable() {
        return new TableOptions(indexBlocks, pages);
    }
}
