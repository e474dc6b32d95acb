package org.alder.server.wire.layer;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.alder.server.resource.Counters;
import org.alder.server.resource.Holding;
import org.alder.server.resource.MemoryBudget;
import org.alder.server.resource.Quota;

/**
 * What TLS handshakes may cost: there are so many at a time, half of them with one address, and their calculations run on a few
 * threads of their own, so that a storm of them slows down new connections and not those that are open. A connection has one
 * calculation waiting at most. Thread safe.
 */
public final class Handshakes implements AutoCloseable {
    private static final long KEEP_SECONDS = 10;
    private static final String KEY = "maxTlsHandshakes";

    private final ThreadPoolExecutor threads;
    private final MemoryBudget unfinished;
    private final Quota quota;
    private final LongAdder done;
    private final LongAdder failed;
    private final LongAdder refused;

    /**
     * @param most how many may be under way
     * @param unfinished counts what is held of TLS records that are not whole
     */
    public Handshakes(int threadCount, int most, MemoryBudget unfinished, Counters counters) {
        this.unfinished = unfinished;
        this.quota = new Quota(() -> most, () -> Math.max(1, most / 2), "TLS handshakes", KEY, "half of " + KEY);
        this.done = counters.counter("connections", "alderTlsHandshakes");
        this.failed = counters.counter("connections", "alderTlsHandshakesFailed");
        this.refused = counters.counter("connections", "alderTlsHandshakesRefused");
        counters.gauge("connections", "alderTlsHandshakesRunning", quota::count);
        AtomicInteger number = new AtomicInteger();
        threads = new ThreadPoolExecutor(threadCount, threadCount, KEEP_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(),
                task -> {
                    Thread thread = new Thread(task, "alder-handshakes-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
    }

    /** One that is under way. Thread safe. */
    public final class Handshake {
        private final Object source;
        private final AtomicBoolean over = new AtomicBoolean();

        private Handshake(Object source) {
            this.source = source;
        }

        Executor threads() {
            return threads;
        }

        MemoryBudget.Share memory() {
            return unfinished.open(Holding.UNFINISHED_REQUEST);
        }

        void done() {
            if (end()) {
                done.increment();
            }
        }

        /** Void once it is done. */
        void failed() {
            if (end()) {
                failed.increment();
            }
        }

        /** It is not under way any more, whatever became of it. @return false if that was so before */
        boolean end() {
            boolean first = over.compareAndSet(false, true);
            if (first) {
                quota.remove(source);
            }
            return first;
        }
    }

    /** A handshake that begins now: it has to be said how it ends. @throws TooManyException if there are too many */
    public Handshake begin(Object source) throws TooManyException {
        String refusal = quota.add(source);
        if (refusal != null) {
            refused.increment();
            throw new TooManyException(refusal);
        }
        return new Handshake(source);
    }

    /** There are too many handshakes. The message says how many there may be, and which setting says so. */
    public static final class TooManyException extends Exception {
        private static final long serialVersionUID = 1L;

        private TooManyException(String message) {
            super(message);
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
