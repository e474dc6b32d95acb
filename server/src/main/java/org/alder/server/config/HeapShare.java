package org.alder.server.config;

import java.util.ArrayList;
import java.util.List;

/**
 * What one partition gets of the heap. All partitions share one budget: their caches take at most 40 %
 * of the heap together, their memory layers 22 %, and the transactions under way, one in each, a quarter. Immutable.
 *
 * @param memoryLayerBytes for one of the memory layers
 * @param dnCacheBytes     for remembered DNs
 * @param transactionBytes for the changes of one transaction
 */
public record HeapShare(long memoryLayerBytes, long entryCacheBytes, long indexCacheBytes, long dnCacheBytes,
        long transactionBytes) {
    /** The active one, and those that wait until the disk has taken them: the store bounds their bytes to so many full ones. */
    private static final int MEMORY_LAYERS = 7;
    private static final int CACHE_PERCENT = 40;
    private static final int LAYER_PERCENT = 22;
    private static final int TRANSACTION_PERCENT = 25;
    private static final int DN_CACHE_PART = 64;

    /**
     * In the order of the partitions.
     *
     * @throws ConfigurationException if one partition alone wants more than all may have
     */
    static List<HeapShare> divide(List<Settings> partitions, long heapBytes) throws ConfigurationException {
        long caches = 0;
        long layers = 0;
        for (Settings partition : partitions) {
            requireRoom(partition, heapBytes);
            caches += cacheBytes(partition, heapBytes);
            layers += MEMORY_LAYERS * partition.get(PartitionKeys.MEMORY_LAYER_BYTES);
        }
        double cachePart = part(heapBytes * CACHE_PERCENT / 100, caches);
        double layerPart = part(heapBytes * LAYER_PERCENT / 100, layers);
        List<HeapShare> shares = new ArrayList<>();
        for (Settings partition : partitions) {
            shares.add(new HeapShare((long) (partition.get(PartitionKeys.MEMORY_LAYER_BYTES) * layerPart),
                    (long) (partition.get(PartitionKeys.ENTRY_CACHE_BYTES) * cachePart),
                    (long) (partition.get(PartitionKeys.INDEX_CACHE_BYTES) * cachePart),
                    (long) (dnCacheBytes(partition, heapBytes) * cachePart),
                    heapBytes * TRANSACTION_PERCENT / 100 / partitions.size()));
        }
        return List.copyOf(shares);
    }

    private static double part(long budget, long wanted) {
        return wanted <= budget ? 1 : (double) budget / wanted;
    }

    private static void requireRoom(Settings partition, long heapBytes) throws ConfigurationException {
        long entries = partition.get(PartitionKeys.ENTRY_CACHE_BYTES);
        long indexes = partition.get(PartitionKeys.INDEX_CACHE_BYTES);
        long most = heapBytes * CACHE_PERCENT / 100;
        if (entries > most || indexes > most - entries) {
            throw partition.fault(entries >= indexes ? PartitionKeys.ENTRY_CACHE_BYTES : PartitionKeys.INDEX_CACHE_BYTES,
                    "the entry cache of " + entries + " bytes and the index cache of " + indexes + " bytes are more than "
                            + CACHE_PERCENT + " % of the heap of " + heapBytes + " bytes (ALDER_JAVA_OPTS=-Xmx... makes it larger)");
        }
        long layer = partition.get(PartitionKeys.MEMORY_LAYER_BYTES);
        if (partition.isGiven(PartitionKeys.MEMORY_LAYER_BYTES) && layer > most) {
            throw partition.fault(PartitionKeys.MEMORY_LAYER_BYTES, "a memory layer of " + layer + " bytes is more than "
                    + CACHE_PERCENT + " % of the heap of " + heapBytes + " bytes (ALDER_JAVA_OPTS=-Xmx... makes it larger)");
        }
    }

    private static long cacheBytes(Settings partition, long heapBytes) {
        return partition.get(PartitionKeys.ENTRY_CACHE_BYTES) + partition.get(PartitionKeys.INDEX_CACHE_BYTES)
                + dnCacheBytes(partition, heapBytes);
    }

    private static long dnCacheBytes(Settings partition, long heapBytes) {
        boolean off = partition.get(PartitionKeys.ENTRY_CACHE_BYTES) + partition.get(PartitionKeys.INDEX_CACHE_BYTES) == 0;
        return off ? 0 : heapBytes / DN_CACHE_PART;
    }
}
