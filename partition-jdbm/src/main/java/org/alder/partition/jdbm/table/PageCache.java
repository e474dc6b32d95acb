package org.alder.partition.jdbm.table;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.Set;

/**
 * Decoded B+Tree pages, bounded by bytes. Thread safe; may serve any number of tables, which then share the bound.
 */
public final class PageCache {

    /** What a table that was opened without settings takes for itself. */
    public static final long DEFAULT_BYTES = 8L * 1024 * 1024;

    private final long maximumBytes;
    private final Cache<BlockAddress, TreePage> pages;

    /** @param maximumBytes the heap that decoded pages may take, about; 0 = none are kept */
    public PageCache(long maximumBytes) {
        this.maximumBytes = maximumBytes;
        pages = Caffeine.newBuilder()
            .maximumWeight(maximumBytes)
            .weigher((BlockAddress address, TreePage page) -> page.weightBytes())
            .executor(Runnable::run)
            .recordStats()
            .build();
    }

    TreePage get(BlockAddress address) {
        return pages.getIfPresent(address);
    }

    void put(BlockAddress address, TreePage page) {
        if (maximumBytes > 0) {
            pages.put(address, page);
        }
    }

    /** Forgets the pages of some tables. */
    public void forget(Set<Long> tableIds) {
        pages.asMap().keySet().removeIf(address -> tableIds.contains(address.tableId()));
    }

    /** Forgets all pages. */
    public void clear() {
        pages.invalidateAll();
    }

    public long maximumBytes() {
        return maximumBytes;
    }

    /** The heap that the pages take, about. */
    public long sizeBytes() {
        return pages.policy().eviction().orElseThrow().weightedSize().orElse(0);
    }

    /** The number of pages. */
    public long count() {
        return pages.estimatedSize();
    }

    /** Lookups answered since the cache was made. */
    public long hits() {
        return pages.stats().hitCount();
    }

    /** Lookups not answered. */
    public long misses() {
        return pages.stats().missCount();
    }
}
