package org.alder.partition.jdbm.table;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

/**
 * Decoded B+Tree pages, bounded by bytes. Thread safe; may serve any number of tables, which then share the bound.
 */
public final class PageCache {

    /** What a table that was opened without settings takes for itself. */
    public static final long DEFAULT_BYTES = 8L * 1024 * 1024;

    private final Cache<BlockAddress, TreePage> pages;

    /** @param maximumBytes the heap that decoded pages may take, about */
    public PageCache(long maximumBytes) {
        pages = Caffeine.newBuilder()
            .maximumWeight(maximumBytes)
            .weigher((BlockAddress address, TreePage page) -> page.weightBytes())
            .executor(Runnable::run)
            .build();
    }

    TreePage get(BlockAddress address) {
        return pages.getIfPresent(address);
    }

    void put(BlockAddress address, TreePage page) {
        pages.put(address, page);
    }
}
