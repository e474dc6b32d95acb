package org.alder.partition.jdbm.write;

import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.alder.partition.text.Counted;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the transactions that keep all others waiting for long, and says which they are. A transaction is made whole or not at all,
 * against a state that nobody else changes meanwhile, so it has the writer to itself. Written by the writer's thread, read by any.
 */
final class LongTransactions {
    static final long LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final Logger LOG = LoggerFactory.getLogger(LongTransactions.class);
    /** Who makes many of them does not fill the log. */
    private static final long LINE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Path store;
    private volatile long count;
    private volatile long longestNanos;
    private long told;
    private long nextLineNanos;

    LongTransactions(Path store) {
        this.store = store;
    }

    long count() {
        return count;
    }

    long longestNanos() {
        return longestNanos;
    }

    /**
     * One has been run.
     *
     * @param entries that it changes
     * @param bytes of its changes
     */
    void ran(PendingTransaction<?> transaction, long startNanos, long endNanos, int entries, long bytes) {
        long nanos = endNanos - startNanos;
        longestNanos = Math.max(longestNanos, nanos);
        if (nanos <= LONG_NANOS) {
            return;
        }
        count++;
        if (told == 0 || endNanos - nextLineNanos >= 0) {
            long others = count - told - 1;
            LOG.info("{} kept other updates of {} waiting for {} ms: it changes {}, {} bytes, together or not at all{}", transaction.what(),
                    store, TimeUnit.NANOSECONDS.toMillis(nanos), Counted.of(entries, "entry"),
                    String.format(Locale.ROOT, "%,d", bytes), others == 0 ? "" : "; " + others + " others did before and are not told");
            told = count;
            nextLineNanos = endNanos + LINE_NANOS;
        }
    }
}
