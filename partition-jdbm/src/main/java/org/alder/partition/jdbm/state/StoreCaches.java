package org.alder.partition.jdbm.state;

import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.alder.partition.jdbm.block.BlockCache;
import org.alder.partition.jdbm.block.TableBlock;
import org.alder.partition.jdbm.disk.Disk;
import org.alder.partition.jdbm.layer.IdSetDelta;
import org.alder.partition.jdbm.segment.IdSetAddress;
import org.alder.partition.jdbm.segment.IdSetCache;
import org.alder.partition.jdbm.segment.SegmentOptions;
import org.alder.partition.jdbm.settings.ReadSettings;
import org.alder.partition.jdbm.table.TreePage;
import org.alder.partition.store.CacheStatus;

/**
 * The caches all segments of a store share. What they hold never becomes wrong, because segments never change; that of a
 * merged segment is forgotten when the merge is published, and what its readers still add, by and by. Thread safe.
 */
public final class StoreCaches {
    /** Blocks and pages of the indexes get one of these each, ID sets the rest. */
    private static final int INDEX_PARTS = 4;

    private final BlockCache<TableBlock> indexBlocks;
    private final BoundedCache<IdSetAddress, IdSetDelta> idSets;
    private final BlockCache<TreePage> pages;
    private final boolean keyTables;

    public StoreCaches(ReadSettings settings) {
        indexBlocks = new BlockCache<>(settings.indexCacheBytes() / INDEX_PARTS);
        keyTables = settings.keyTables();
        pages = new BlockCache<>(settings.indexCacheBytes() / INDEX_PARTS);
        idSets = new BoundedCache<>("id-sets", settings.indexCacheBytes() / 2,
                (address, delta) -> (int) Math.min(Integer.MAX_VALUE, address.sizeBytes() + delta.sizeBytes()));
    }

    /** Goes by other bounds; what is too much is forgotten at once. */
    public void limit(ReadSettings settings) {
        indexBlocks.limit(settings.indexCacheBytes() / INDEX_PARTS);
        pages.limit(settings.indexCacheBytes() / INDEX_PARTS);
        idSets.limit(settings.indexCacheBytes() / 2);
    }

    public SegmentOptions segmentOptions(Disk disk) {
        return new SegmentOptions(indexBlocks, pages, idSetCache(), keyTables, disk);
    }

    private IdSetCache idSetCache() {
        return new IdSetCache() {
            @Override
            public IdSetDelta get(IdSetAddress address) {
                return idSets.get(address);
            }

            @Override
            public void put(IdSetAddress address, IdSetDelta delta) {
                idSets.put(address, delta);
            }
        };
    }

    /** Shows the blocks of index keys that are kept. */
    public void forEachBlock(BlockCache.Visitor<TableBlock> visitor) {
        indexBlocks.forEach(visitor);
    }

    /** Shows where the ID sets that are kept came from. */
    public void forEachIdSet(Consumer<IdSetAddress> visitor) {
        idSets.forEach((address, delta) -> visitor.accept(address));
    }

    public long indexBlockLimitBytes() {
        return indexBlocks.limitBytes();
    }

    /** Forgets what came from tables and segments that nobody new will read. */
    public void forget(Set<Long> tableIds, Set<Long> segmentIds) {
        indexBlocks.forget(tableIds);
        idSets.forget(address -> segmentIds.contains(address.segmentId()));
        pages.forget(tableIds);
    }

    public void clear() {
        indexBlocks.clear();
        idSets.clear();
        pages.clear();
    }

    public CacheStatus status(BoundedDnMemo memo) {
        return new CacheStatus(Stream.concat(Stream.of(idSets.status(), status("index-blocks", indexBlocks),
                status("pages", pages)), memo.status().stream()).toList());
    }

    private static CacheStatus.Cache status(String name, BlockCache<?> cache) {
        return new CacheStatus.Cache(name, cache.limitBytes(), cache.sizeBytes(), cache.count(), cache.hits(), cache.misses());
    }
}
