package org.alder.perf.report;

/**
 * The measurements at one size. Times are wall seconds of one whole search as the client sees it; NaN where nothing was measured.
 *
 * @param entries users in the data set
 * @param loadSeconds the bulk load, and {@code diskBytes} what it leaves on disk
 * @param matches entries that have the searched value
 * @param uncachedFirst indexed, the first search of a restarted server whose caches are switched off
 * @param uncached indexed, caches switched off, median of further searches
 * @param cached indexed, caches on, median of repeated searches
 * @param unindexed without the index and without caches, median
 * @param limitedUncached as uncached, but only the first 1000 entries
 * @param limitedCached as cached, but only the first 1000 entries
 * @param pageCacheDropped whether the operating system's page cache was emptied before uncachedFirst
 */
public record SearchTimesRow(long entries, double loadSeconds, long diskBytes, long matches, double uncachedFirst, double uncached,
        double cached,
        double unindexed, double limitedUncached, double limitedCached, boolean pageCacheDropped) {
}
