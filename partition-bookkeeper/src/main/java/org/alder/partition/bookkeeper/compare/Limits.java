package org.alder.partition.bookkeeper.compare;

import java.util.concurrent.TimeUnit;

/**
 * How members are compared.
 *
 * @param everyMillis  so long after the end of a comparison the next one begins; 0 only where one is asked for
 * @param sliceBytes   so much content is read as of one transaction, about
 * @param awaitMillis  so long a member waits for a transaction
 * @param answerMillis so long is waited for an answer
 * @param pollMillis   how often what others write is looked at while members are compared
 */
public record Limits(long everyMillis, long sliceBytes, long awaitMillis, long answerMillis, long pollMillis) {
    private static final int SLICE_MIB = 32;

    /** Those of a cluster. */
    public static Limits every(long minutes) {
        return new Limits(TimeUnit.MINUTES.toMillis(minutes), (long) SLICE_MIB << 20, 10_000, 120_000, 100);
    }
}
