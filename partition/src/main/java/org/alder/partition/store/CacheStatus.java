package org.alder.partition.store;

import java.util.List;

/**
 * Figures of a store's caches, taken at one moment.
 *
 * @param caches one line per cache: entries, id-sets, index-blocks, pages, dns
 */
public record CacheStatus(List<Cache> caches) {
    /**
     * @param limitBytes how much it may hold; 0 = switched off
     * @param hits       lookups answered since the store was opened
     * @param misses     lookups not answered
     */
    public record Cache(String name, long limitBytes, long sizeBytes, long count, long hits, long misses) {
    }

    public CacheStatus {
        caches = List.copyOf(caches);
    }
}
