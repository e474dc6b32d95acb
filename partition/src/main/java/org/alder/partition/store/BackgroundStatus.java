package org.alder.partition.store;

/**
 * Figures of a store's flushes and merges, and of what holds up writers; all but the first four since the store was opened.
 *
 * @param waitingFlushes   flushes that are due
 * @param surplusParts     parts of the data more than merging aims at: how far it is behind
 * @param mergeRunning     whether a merge runs now
 * @param writerDelayNanos how long each group of updates is delayed now
 * @param writerStallNanos how long writers were delayed in all
 * @param flushes          how many flushes were published
 * @param flushPauseNanos  how long flushes paused to leave processors and disk to clients
 * @param merges           how many merges were published
 * @param mergedBytes      bytes that merges read and wrote, about
 * @param mergePauseNanos  how long merges paused
 * @param longTransactions how many transactions kept all others waiting for more than 50 ms
 * @param longestTransactionNanos how long one of them did at most, or a shorter one
 */
public record BackgroundStatus(int waitingFlushes, int surplusParts, boolean mergeRunning, long writerDelayNanos,
        long writerStallNanos, long flushes, long flushPauseNanos, long merges, long mergedBytes, long mergePauseNanos,
        long longTransactions, long longestTransactionNanos) {
    /** Of a store that does nothing in the background. */
    public static final BackgroundStatus NONE = new BackgroundStatus(0, 0, false, 0, 0, 0, 0, 0, 0, 0, 0, 0);
}
