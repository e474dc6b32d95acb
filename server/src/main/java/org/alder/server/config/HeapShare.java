package org.alder.server.config;

import java.util.ArrayList;
import java.util.List;
import org.alder.server.audit.AccessLogSettings;

/**
 * What one partition, or each of its shards, gets of the heap. All partitions share one budget: their caches take at most 40 % of the heap together, their
 * memory layers 22 %, and the transactions under way, one in each, a quarter, of which all but a quarter is there only while the
 * memory layers are nearly empty. With what clients may hold, 23 % if nothing else is configured, what passwords take while they are
 * hashed, what is remembered of identities, and what waits for followers and for logs, that is never more than the heap:
 * where these may hold more, partitions get less. Immutable.
 *
 * @param memoryLayerBytes for one of the memory layers
 * @param heldLayerBytes   for layers that the disk has and searches read: with three others, all that all layers may take
 * @param dnCacheBytes     for remembered DNs
 * @param transactionBytes for the changes of one transaction
 */
public record HeapShare(long memoryLayerBytes, long heldLayerBytes, long indexCacheBytes, long dnCacheBytes, long transactionBytes) {
    /** The active one, and those that wait until the disk has taken them: the store bounds their bytes to so many full ones. */
    private static final int MEMORY_LAYERS = 7;
    /** The active one and two that wait, which may be there whatever searches hold: the store bounds the bytes of both together. */
    private static final int LAYERS_BESIDE_HELD = 3;
    private static final int CACHE_PERCENT = 40;
    private static final int LAYER_PERCENT = 22;
    private static final int TRANSACTION_PERCENT = 25;
    /** Of a transaction, so much comes on top of full memory layers. */
    private static final int TRANSACTION_BESIDE_LAYERS_PART = 4;
    private static final int DN_CACHE_PART = 64;
    /**
     * Of 64: blocks that are decoded ahead, and commits that wait for followers, two each; groups of identities, their rights, and
     * the queue of the audit log, one each, and that of the access log if there is one.
     */
    private static final int OTHERS_PARTS = 7;
    private static final int ALL_PARTS = 64;
    private static final int MOST_FOR_HASHING_PART = 4;
    private static final int MOST_FOR_CLIENTS_PERCENT = 50;

    /**
     * In the order of the partitions.
     *
     * @throws ConfigurationException if clients, or one partition alone, are to have more than all may have
     */
    static List<HeapShare> divide(Settings server, List<Settings> partitions, long heapBytes) throws ConfigurationException {
        double scale = part(heapBytes - clientBytes(server, heapBytes) - heapBytes / ALL_PARTS * othersParts(server)
                        - hashingBytes(server, heapBytes),
                heapBytes * (CACHE_PERCENT + LAYER_PERCENT) / 100
                        + heapBytes * TRANSACTION_PERCENT / 100 / TRANSACTION_BESIDE_LAYERS_PART);
        long forCaches = (long) (heapBytes * CACHE_PERCENT / 100 * scale);
        long caches = 0;
        long layers = 0;
        for (Settings partition : partitions) {
            requireRoom(partition, heapBytes);
            int shards = PartitionConfiguration.shards(partition);
            caches += shards * cacheBytes(partition, heapBytes);
            layers += shards * MEMORY_LAYERS * partition.get(PartitionKeys.MEMORY_LAYER_BYTES);
        }
        double cachePart = part(forCaches, caches);
        long forLayers = (long) (heapBytes * LAYER_PERCENT / 100 * scale);
        double layerPart = part(forLayers, layers);
        int stores = partitions.stream().mapToInt(PartitionConfiguration::shards).sum();
        List<HeapShare> shares = new ArrayList<>();
        for (Settings partition : partitions) {
            long layer = (long) (partition.get(PartitionKeys.MEMORY_LAYER_BYTES) * layerPart);
            shares.add(new HeapShare(layer, heldBytes(partition, layer, (double) forLayers / layers),
                    (long) (partition.get(PartitionKeys.INDEX_CACHE_BYTES) * cachePart),
                    (long) (dnCacheBytes(partition, heapBytes) * cachePart),
                    (long) (heapBytes * TRANSACTION_PERCENT / 100 / stores * scale)));
        }
        return List.copyOf(shares);
    }

    private static int othersParts(Settings server) {
        return OTHERS_PARTS + (server.get(ServerKeys.ACCESS_LOG) == AccessLogSettings.Told.OFF ? 0 : 1);
    }

    /** @param perByte how much of the heap there is for a byte of all memory layers that the keys speak of */
    private static long heldBytes(Settings partition, long layer, double perByte) {
        long all = (long) (MEMORY_LAYERS * partition.get(PartitionKeys.MEMORY_LAYER_BYTES) * perByte);
        long most = Math.max(1, all - LAYERS_BESIDE_HELD * layer);
        long said = partition.get(PartitionKeys.HELD_LAYER_BYTES);
        return said == 0 ? most : Math.min(said, most);
    }

    private static long clientBytes(Settings server, long heapBytes) throws ConfigurationException {
        long unfinished = server.get(ServerKeys.UNFINISHED_BYTES);
        long operations = server.get(ServerKeys.OPERATION_BYTES);
        long most = heapBytes * MOST_FOR_CLIENTS_PERCENT / 100;
        if (unfinished > most || operations > most - unfinished) {
            throw server.fault(unfinished > operations ? ServerKeys.UNFINISHED_BYTES : ServerKeys.OPERATION_BYTES,
                    "unfinishedBytes of " + unfinished + " and operationBytes of " + operations + " are more than "
                            + MOST_FOR_CLIENTS_PERCENT + of(heapBytes));
        }
        return unfinished + operations;
    }

    /** What passwords take while they are hashed: a quarter of the heap at most, in the store of hashes too. */
    private static long hashingBytes(Settings server, long heapBytes) {
        long threads = server.get(ServerKeys.PASSWORD_THREADS);
        long most = threads == 0 ? Math.max(1, Runtime.getRuntime().availableProcessors() / 2) : threads;
        return Math.min(heapBytes / MOST_FOR_HASHING_PART, most * server.get(ServerKeys.ARGON2_BYTES));
    }

    private static String of(long heapBytes) {
        return " % of the heap of " + heapBytes + " bytes (ALDER_JAVA_OPTS=-Xmx... makes it larger)";
    }

    private static double part(long budget, long wanted) {
        return wanted <= budget ? 1 : (double) budget / wanted;
    }

    private static void requireRoom(Settings partition, long heapBytes) throws ConfigurationException {
        long indexes = partition.get(PartitionKeys.INDEX_CACHE_BYTES);
        long most = heapBytes * CACHE_PERCENT / 100;
        if (indexes > most) {
            throw partition.fault(PartitionKeys.INDEX_CACHE_BYTES, "an index cache of " + indexes + " bytes is more than "
                    + CACHE_PERCENT + of(heapBytes));
        }
        long layer = partition.get(PartitionKeys.MEMORY_LAYER_BYTES);
        if (partition.isGiven(PartitionKeys.MEMORY_LAYER_BYTES) && layer > most) {
            throw partition.fault(PartitionKeys.MEMORY_LAYER_BYTES, "a memory layer of " + layer + " bytes is more than "
                    + CACHE_PERCENT + of(heapBytes));
        }
    }

    private static long cacheBytes(Settings partition, long heapBytes) {
        return partition.get(PartitionKeys.INDEX_CACHE_BYTES) + dnCacheBytes(partition, heapBytes);
    }

    private static long dnCacheBytes(Settings partition, long heapBytes) {
        return partition.get(PartitionKeys.INDEX_CACHE_BYTES) == 0 ? 0 : heapBytes / DN_CACHE_PART;
    }
}
