package org.alder.server.resource;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether there is so much to do that new work is refused: a state, which {@code cn=Monitor} shows and the log is told when it begins and
 * when it ends. It begins when something is found at its mark, and ends when it has been below that for a while, so that what swings
 * around a mark is one overload and not many. Thread safe.
 */
public final class Overload {
    /** How long something has to be below its mark. */
    public static final long CALM_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final Logger LOG = LoggerFactory.getLogger(Overload.class);

    private final List<Mark> marks = new CopyOnWriteArrayList<>();

    /** Something that there may be too much of. Guarded by the overload. */
    private static final class Mark {
        private final String what;
        private final String key;
        private final LongSupplier amount;
        private final LongSupplier most;
        private boolean exceeded;
        private long beganNanos;
        private long seenNanos;
        /** As it was seen last, and the mark. */
        private String seen;
        private long peak;

        Mark(String what, String key, LongSupplier amount, LongSupplier most) {
            this.what = what;
            this.key = key;
            this.amount = amount;
            this.most = most;
        }

        void look(long nowNanos) {
            long found = amount.getAsLong();
            long mark = most.getAsLong();
            if (found >= mark) {
                seen = what + ": " + found + ", the mark is " + mark + " (" + key + ")";
                seenNanos = nowNanos;
                peak = Math.max(found, peak);
                if (!exceeded) {
                    exceeded = true;
                    beganNanos = nowNanos;
                    LOG.warn("overload begins, new work is refused: {}", seen);
                }
            } else if (exceeded && nowNanos - seenNanos >= CALM_NANOS) {
                exceeded = false;
                LOG.info("overload ends after {} s: {}: {}, it was up to {} (the mark is {}, {})",
                        TimeUnit.NANOSECONDS.toSeconds(seenNanos - beganNanos), what, found, peak, mark, key);
                peak = 0;
            }
        }
    }

    /**
     * Has something looked at.
     *
     * @param what there may be too much of
     * @param key what bounds it: a key of the configuration
     * @param amount how much of it there is
     * @param most from how much on new work is refused
     */
    public void mark(String what, String key, LongSupplier amount, LongSupplier most) {
        marks.add(new Mark(what, key, amount, most));
    }

    /**
     * Looks at all marks, as somebody has to do now and then.
     *
     * @param nowNanos as System.nanoTime says it
     * @return of what there is too much, how much, and the mark; mostly nothing
     */
    public synchronized List<String> look(long nowNanos) {
        List<String> found = new ArrayList<>();
        for (Mark mark : marks) {
            mark.look(nowNanos);
            if (mark.exceeded) {
                found.add(mark.seen);
            }
        }
        return found;
    }
}
