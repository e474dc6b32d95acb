package org.alder.partition.jdbm.background;

import java.util.List;

/**
 * Chooses which segments to merge: size-tiered, so that each entry is rewritten a number of times that grows with the logarithm
 * of the store only. Pure.
 */
public final class Tiers {
    /** More segments than this are never left standing: each costs every lookup a probe. */
    public static final int MAX_SEGMENTS = 6;
    /** Fewer segments of about one size are left for later. */
    private static final int MIN_RUN = 4;
    /** A segment up to this many times as large as all newer ones together is of about their size. */
    private static final int SIZE_RATIO = 2;

    private Tiers() {
    }

    /**
     * How many of the newest segments to merge now; 0 = none.
     *
     * @param sizesBytes oldest first
     */
    static int newestToMerge(List<Long> sizesBytes) {
        int count = sizesBytes.size();
        int run = Math.min(1, count);
        long sum = count == 0 ? 0 : sizesBytes.get(count - 1);
        int surplus = count - MAX_SEGMENTS + 1;
        while (run < count && (sizesBytes.get(count - 1 - run) <= SIZE_RATIO * sum || run < surplus && surplus > 1)) {
            sum += sizesBytes.get(count - 1 - run);
            run++;
        }
        return run >= MIN_RUN || run > 1 && count > MAX_SEGMENTS ? run : 0;
    }
}
