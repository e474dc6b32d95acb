package org.alder.server.wire;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.alder.server.resource.Counters;
import org.alder.server.resource.MemoryBudget;

/**
 * What TLS handshakes may cost: their calculations run on a few threads of their own, so that a storm of them slows down new
 * connections and not those that are open. A connection has one calculation waiting at most. Thread safe.
 */
final class Handshakes implements AutoCloseable {
    private static final long KEEP_SECONDS = 10;

    private final ThreadPoolExecutor threads;
    private final MemoryBudget unfinished;
    private final LongAdder done;
    private final LongAdder failed;

    /** @param unfinished counts what is held of TLS records that are not whole */
    Handshakes(int threadCount, MemoryBudget unfinished, Counters counters) {
        this.unfinished = unfinished;
        this.done = counters.counter("connections", "alderTlsHandshakes");
        this.failed = counters.counter("connections", "alderTlsHandshakesFailed");
        AtomicInteger number = new AtomicInteger();
        threads = new ThreadPoolExecutor(threadCount, threadCount, KEEP_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(),
                task -> {
                    Thread thread = new Thread(task, "alder-handshakes-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
    }

    Executor threads() {
        return threads;
    }

    MemoryBudget.Share memory() {
        return unfinished.open();
    }

    void done() {
        done.increment();
    }

    void failed() {
        failed.increment();
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
