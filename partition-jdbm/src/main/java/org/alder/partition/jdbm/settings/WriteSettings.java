package org.alder.partition.jdbm.settings;

import java.util.Objects;

/**
 * How changes are written. Immutable.
 *
 * @param durability       what an acknowledgement promises
 * @param intervalMillis   the longest time between two syncs with durability INTERVAL
 * @param memoryLayerBytes heap that changes may take before they are written to a segment
 * @param heldLayerBytes   heap that changes may take which are in a segment already, for snapshots that began before; beyond it the
 *                         oldest of these are taken back. While there are any, fewer changes wait for the disk
 * @param transactionBytes heap that the changes of one transaction may take; a larger one is refused. While more than one memory
 *                         layer's changes wait for the disk, or are held, it is less by them, but at least a quarter of this
 */
public record WriteSettings(Durability durability, long intervalMillis, long memoryLayerBytes, long heldLayerBytes,
        long transactionBytes) {
    private static final long MAX_DEFAULT_MEMORY_LAYER_BYTES = 64L << 20;

    public WriteSettings {
        Objects.requireNonNull(durability, "durability");
        StoreSettings.requireAtLeast("intervalMillis", intervalMillis, 1);
        StoreSettings.requireAtLeast("memoryLayerBytes", memoryLayerBytes, 1);
        StoreSettings.requireAtLeast("heldLayerBytes", heldLayerBytes, 1);
        StoreSettings.requireAtLeast("transactionBytes", transactionBytes, 1);
    }

    /** SYNC, 100 ms, a 16th of the heap but at most 64 MiB for a layer, a quarter of the heap for those that are held, and for a transaction. */
    static WriteSettings defaults(long heapBytes) {
        return new WriteSettings(Durability.SYNC, 100, Math.min(MAX_DEFAULT_MEMORY_LAYER_BYTES, heapBytes / 16), heapBytes / 4,
                heapBytes / 4);
    }
}
