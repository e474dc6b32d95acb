package org.alder.partition.jdbm.table;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Keeps everything, counts its hits. */
final class MapBlockCache implements BlockCache {

    final AtomicInteger hits = new AtomicInteger();
    final ConcurrentHashMap<BlockAddress, TableBlock> blocks = new ConcurrentHashMap<>();

    @Override
    public TableBlock get(BlockAddress address) {
        TableBlock block = blocks.get(address);
        if (block != null) {
            hits.incrementAndGet();
        }
        return block;
    }

    @Override
    public void put(BlockAddress address, TableBlock block) {
        blocks.put(address, block);
    }
}
