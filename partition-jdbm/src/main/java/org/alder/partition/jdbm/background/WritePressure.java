package org.alder.partition.jdbm.background;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.alder.partition.jdbm.memory.MemoryLayer;
import org.alder.partition.jdbm.state.LayerSet;

/**
 * How far flushes and merges are behind the writers, and what follows from it. Writers are delayed before it comes to the worst,
 * by nothing at first and then ever more, so that they settle at the rate the disk can bear. Pure.
 */
public final class WritePressure {
    /** With so many frozen layers a group waits for a flush: the heap is bounded. */
    static final int MAX_FROZEN_LAYERS = 6;

    /** Changes in memory, as a part of all there may be, from which on writers are delayed: two layers full and one begun. */
    private static final double SLOW_FILL = 0.4;
    /** Of these, and of layers that are held, so many full ones may always be there. */
    private static final int LEAST_FROZEN_LAYERS = 2;
    /** With so many segments writers are not delayed yet, ... */
    private static final int SLOW_SEGMENTS = 2 * Tiers.MAX_SEGMENTS;
    /** ... and with so many as much as ever. */
    private static final int MOST_SEGMENTS = 6 * Tiers.MAX_SEGMENTS;
    /** A transaction may always take so much of what one may take at most. */
    private static final int LEAST_TRANSACTION_PART = 4;
    private static final long MAX_DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private WritePressure() {
    }

    /** Changes that are not in a segment yet, as a part of all that may be held: 1 and more is full. */
    public static double fill(LayerSet layers, long memoryLayerBytes) {
        long bytes = layers.memory().stream().mapToLong(MemoryLayer::sizeBytes).sum();
        double frozen = (double) layers.frozen().size() / MAX_FROZEN_LAYERS;
        return Math.max(frozen, bytes / ((double) MAX_FROZEN_LAYERS * memoryLayerBytes));
    }

    /**
     * How many frozen layers may be left before the next group: fewer than the most there may be, the newest ones, which are not
     * larger together than so many full ones. A large transaction makes a layer that is.
     *
     * @param unheldBytes what layers that are on the disk and held may still take, which frozen ones have meanwhile, beyond two
     */
    public static int mostFrozen(LayerSet layers, long memoryLayerBytes, long unheldBytes) {
        long mostBytes = LEAST_FROZEN_LAYERS * memoryLayerBytes
                + Math.min((MAX_FROZEN_LAYERS - LEAST_FROZEN_LAYERS) * memoryLayerBytes, unheldBytes);
        List<MemoryLayer> frozen = layers.frozen();
        long bytes = 0;
        int most = 0;
        while (most < Math.min(frozen.size(), MAX_FROZEN_LAYERS - 1)) {
            bytes += frozen.get(frozen.size() - 1 - most).sizeBytes();
            if (bytes > mostBytes) {
                return most;
            }
            most++;
        }
        return most;
    }

    /**
     * The heap that the next transaction may take: less than it may take at most while more than one full layer waits for the disk,
     * since what is in memory and what a transaction changes are bounded together.
     *
     * @param heldBytes of layers that the disk has, and somebody reads
     */
    public static long transactionBytes(LayerSet layers, long heldBytes, long memoryLayerBytes, long mostBytes) {
        long waiting = heldBytes - memoryLayerBytes;
        for (MemoryLayer layer : layers.memory()) {
            waiting += layer.sizeBytes();
        }
        return Math.max(mostBytes / LEAST_TRANSACTION_PART, mostBytes - Math.max(0, waiting));
    }

    /** How long a group of transactions is delayed; grows without steps with both, and is bounded. */
    public static long delayNanos(double fill, int segments) {
        double memory = (fill - SLOW_FILL) / (1 - SLOW_FILL);
        double merging = (double) (segments - SLOW_SEGMENTS) / (MOST_SEGMENTS - SLOW_SEGMENTS);
        double pressure = Math.min(1, Math.max(0, Math.max(memory, merging)));
        return (long) (MAX_DELAY_NANOS * pressure * pressure);
    }

    /** How much flushes hurry: with one layer waiting a little, wholly before writers are delayed. */
    public static double flushHurry(double fill) {
        return fill / SLOW_FILL;
    }

    /** How much merges hurry: not at all at the number of segments they aim at, wholly before writers are delayed. */
    public static double mergeHurry(int segments) {
        return (double) (segments - Tiers.MAX_SEGMENTS) / (SLOW_SEGMENTS - Tiers.MAX_SEGMENTS);
    }
}
