package org.alder.server.assembly;

import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.alder.partition.jdbm.settings.Durability;
import org.alder.partition.jdbm.entry.EntryCodec;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.jdbm.store.JdbmEngine;
import org.alder.partition.memory.MemoryEngine;
import org.alder.partition.store.StoreEngine;
import org.alder.server.config.ConfigurationException;
import org.alder.server.config.HeapShare;
import org.alder.server.config.PartitionConfiguration;
import org.alder.server.config.PartitionConfiguration.Compression;
import org.alder.server.config.PartitionKeys;

/** The storage engines that the key {@code engine} names: the one place that knows which there are. Stateless. */
final class Engines {
    private static final int DISK_CHECK_MILLIS = 1000;
    /** One for all, which knows its stores by their folders. */
    private static final StoreEngine IN_MEMORY = new MemoryEngine();
    private static final Map<String, Function<PartitionConfiguration, StoreEngine>> BY_NAME =
            new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

    static {
        BY_NAME.put("jdbm", partition -> new JdbmEngine(jdbm(partition)));
        BY_NAME.put("memory", partition -> IN_MEMORY);
    }

    private Engines() {
    }

    /** @throws ConfigurationException naming file and line, if there is no engine of that name */
    static StoreEngine of(PartitionConfiguration partition) throws ConfigurationException {
        String name = partition.get(PartitionKeys.ENGINE);
        Function<PartitionConfiguration, StoreEngine> engine = BY_NAME.get(name);
        if (engine == null) {
            throw partition.settings().fault(PartitionKeys.ENGINE, "\"" + name + "\" is not one of "
                    + new TreeSet<>(BY_NAME.keySet()));
        }
        return engine.apply(partition);
    }

    private static StoreSettings jdbm(PartitionConfiguration partition) {
        HeapShare heap = partition.heap();
        return StoreSettings.defaults()
                .withDurability(Durability.valueOf(partition.get(PartitionKeys.DURABILITY).name()),
                        partition.get(PartitionKeys.DURABILITY_INTERVAL_MILLIS))
                .withMemoryLayerBytes(heap.memoryLayerBytes())
                .withHeldLayerBytes(heap.heldLayerBytes())
                .withCacheBytes(heap.indexCacheBytes(), heap.dnCacheBytes())
                .withTransactionBytes(heap.transactionBytes())
                .withEntryCodec(partition.get(PartitionKeys.COMPRESSION) == Compression.NONE ? EntryCodec.NONE : EntryCodec.CODED)
                .withSnapshotTimeLimitMillis(partition.get(PartitionKeys.SNAPSHOT_TIME_LIMIT_SECONDS) * 1000L)
                .withKeyTables(partition.get(PartitionKeys.KEY_TABLES))
                .withChangeHistory(partition.get(PartitionKeys.CHANGE_HISTORY_BYTES))
                .withDiskLow(partition.get(PartitionKeys.DISK_LOW_BYTES), DISK_CHECK_MILLIS)
                .withMerging(partition.get(PartitionKeys.MERGE_BYTES_PER_SECOND), partition.get(PartitionKeys.WARM_SEGMENTS));
    }
}
