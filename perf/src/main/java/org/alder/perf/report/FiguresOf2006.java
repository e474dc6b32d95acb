package org.alder.perf.report;

import java.util.Map;
import java.util.TreeMap;

/**
 * What ApacheDS measured in 2006, after its index optimisation ("Using indices to boost search performance", directory-dev, 11
 * September 2006): seconds on a dual Athlon MP 1900 with 2 GB. Where a size was measured twice, the later figures.
 */
public record FiguresOf2006(long matches, double uncached, double cached, double unindexed, double limitedUncached,
        double limitedCached) {
    private static final double NONE = Double.NaN;
    private static final Map<Long, FiguresOf2006> BY_ENTRIES = new TreeMap<>(Map.of(
            100_000L, new FiguresOf2006(146, 2.37, 0.76, 42.08, NONE, NONE),
            200_000L, new FiguresOf2006(297, 3.29, 1.49, 83, NONE, NONE),
            300_000L, new FiguresOf2006(435, 4.11, 2.22, 128, NONE, NONE),
            400_000L, new FiguresOf2006(577, 4.87, 2.69, 168, NONE, NONE),
            500_000L, new FiguresOf2006(706, 5.06, 3.21, 209, NONE, NONE),
            750_000L, new FiguresOf2006(1039, 8.22, 2.61, 565, NONE, NONE),
            1_000_000L, new FiguresOf2006(1373, 10.22, 3.59, NONE, NONE, NONE),
            1_250_000L, new FiguresOf2006(1738, 12.71, 4.50, NONE, NONE, NONE),
            1_500_000L, new FiguresOf2006(2123, 14.74, 11.84, NONE, 8.10, 3.04),
            2_000_000L, new FiguresOf2006(2851, 18.58, 15.38, NONE, 8.04, 2.55)));

    /** The figures at exactly this size; all NaN where none were published. */
    public static FiguresOf2006 at(long entries) {
        return BY_ENTRIES.getOrDefault(entries, new FiguresOf2006(0, NONE, NONE, NONE, NONE, NONE));
    }

    /** All sizes, ascending. */
    public static Map<Long, FiguresOf2006> all() {
        return BY_ENTRIES;
    }
}
