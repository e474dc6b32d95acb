package org.alder.server.directory.own;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.alder.partition.Partition;
import org.alder.partition.commit.UnfinishedTransactions;
import org.alder.partition.store.BackgroundStatus;
import org.alder.partition.store.CacheStatus;
import org.alder.partition.store.IndexSize;
import org.alder.partition.store.StoreStatus;

/** The figures of a partition at one moment, by the names of the attributes of cn=Monitor that show them, in their order. Stateless. */
public final class PartitionFigures {
    /** An index, and how many searches have read it. */
    public static final String INDEX_SEARCHES = "alderIndexSearches";

    /** An index, and what its keys take on the disk. */
    public static final String INDEX_BYTES = "alderIndexBytes";

    /** An index, and how many keys it has there. */
    public static final String INDEX_KEYS = "alderIndexKeys";

    private PartitionFigures() {
    }

    /** Those of the partition itself. */
    public static Map<String, String> of(Partition partition) {
        StoreStatus store = partition.store().maintenance().status();
        Map<String, String> figures = new LinkedHashMap<>();
        figures.put("alderSuffix", partition.suffix().text());
        if (partition.shard().isPart()) {
            figures.put("alderShard", partition.shard().text());
            number(figures, "alderUndecidedTransactions", UnfinishedTransactions.prepared(partition.store().systemRecords()));
        }
        boolean copy = partition.shard().hasCopyOfSuffix() && store.entries() > 0;
        number(figures, "alderEntries", copy ? store.entries() - 1 : store.entries());
        number(figures, "alderGivenEntryIds", store.givenIds());
        number(figures, "alderSequence", store.sequence());
        number(figures, "alderSegments", store.parts());
        number(figures, "alderDiskBytes", store.diskBytes());
        number(figures, "alderLogBytes", store.journalBytes());
        if (store.freeDiskBytes() >= 0) {
            number(figures, "alderFreeDiskBytes", store.freeDiskBytes());
        }
        number(figures, "alderMemoryLayerBytes", store.unflushedBytes());
        number(figures, "alderHeldLayerBytes", store.heldBytes());
        number(figures, "alderLogSyncs", store.syncs());
        number(figures, "alderTransactions", store.transactions());
        addBackground(figures, store.background());
        flag(figures, "alderWritable", store.readOnlyReason() == null);
        if (store.readOnlyReason() != null) {
            figures.put("alderReadOnlyReason", store.readOnlyReason());
        }
        figures.putAll(ReplicaFigures.of(partition.store().replica()));
        return figures;
    }

    private static void addBackground(Map<String, String> figures, BackgroundStatus background) {
        number(figures, "alderFrozenLayers", background.waitingFlushes());
        number(figures, "alderSurplusSegments", background.surplusParts());
        flag(figures, "alderMergeRunning", background.mergeRunning());
        number(figures, "alderWriterDelayMicros", TimeUnit.NANOSECONDS.toMicros(background.writerDelayNanos()));
        number(figures, "alderWriterStallMillis", TimeUnit.NANOSECONDS.toMillis(background.writerStallNanos()));
        number(figures, "alderFlushes", background.flushes());
        number(figures, "alderFlushPauseMillis", TimeUnit.NANOSECONDS.toMillis(background.flushPauseNanos()));
        number(figures, "alderMerges", background.merges());
        number(figures, "alderMergedBytes", background.mergedBytes());
        number(figures, "alderMergePauseMillis", TimeUnit.NANOSECONDS.toMillis(background.mergePauseNanos()));
        number(figures, "alderLongUpdates", background.longTransactions());
        number(figures, "alderLongestUpdateMillis", TimeUnit.NANOSECONDS.toMillis(background.longestTransactionNanos()));
    }

    /** What each index takes on the disk, by the name of its attribute. */
    public static Map<String, IndexSize> indexSizes(Partition partition) {
        Map<String, IndexSize> known = partition.store().maintenance().indexSizes();
        Map<String, IndexSize> sizes = new TreeMap<>();
        partition.indexes().forEach(index -> sizes.put(index.type().name(), known.getOrDefault(index.name(), IndexSize.NONE)));
        return sizes;
    }

    /** Those of its caches, by their names. */
    public static Map<String, Map<String, String>> ofCaches(Partition partition) {
        Map<String, Map<String, String>> caches = new LinkedHashMap<>();
        for (CacheStatus.Cache cache : partition.store().maintenance().cacheStatus().caches()) {
            caches.put(cache.name(), of(cache));
        }
        return caches;
    }

    private static Map<String, String> of(CacheStatus.Cache cache) {
        Map<String, String> figures = new LinkedHashMap<>();
        number(figures, "alderCacheLimitBytes", cache.limitBytes());
        number(figures, "alderCacheBytes", cache.sizeBytes());
        number(figures, "alderCacheObjects", cache.count());
        number(figures, "alderCacheHits", cache.hits());
        number(figures, "alderCacheMisses", cache.misses());
        long lookups = cache.hits() + cache.misses();
        if (lookups > 0) {
            figures.put("alderCacheHitPercent", String.format(Locale.ROOT, "%.2f", 100.0 * cache.hits() / lookups));
        }
        return figures;
    }

    private static void number(Map<String, String> figures, String name, long value) {
        figures.put(name, Long.toString(value));
    }

    private static void flag(Map<String, String> figures, String name, boolean value) {
        figures.put(name, value ? "TRUE" : "FALSE");
    }
}
