package org.alder.partition.bookkeeper.zookeeper;

import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts again what has ended, or cannot go on, and tries until it runs. Has a thread; thread safe. */
public final class Restarting implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(Restarting.class);

    private final Words words;
    private final long lookMillis;
    private final BooleanSupplier isRunning;
    private final Start start;
    /** To be looked at once. */
    private final Semaphore looks = new Semaphore(0);
    private volatile boolean isClosing;
    private final Thread thread;

    /**
     * For the log file.
     *
     * @param ended why it is started again
     * @param back  that it runs again
     */
    public record Words(String ended, String back) {
    }

    /** Ends what is left of the one before, and starts another one. */
    @FunctionalInterface
    public interface Start {
        /** @throws IOException where it cannot be started yet */
        void again() throws IOException;
    }

    private Restarting(Words words, long lookMillis, BooleanSupplier isRunning, Start start, String threadName) {
        this.words = words;
        this.lookMillis = lookMillis;
        this.isRunning = isRunning;
        this.start = start;
        this.thread = new Thread(this::run, threadName);
        thread.setDaemon(true);
    }

    /**
     * Looks now and then from now on.
     *
     * @param start called by the thread that looks, alone
     */
    public static Restarting watch(Words words, long lookMillis, BooleanSupplier isRunning, Start start, String threadName) {
        Restarting watching = new Restarting(words, lookMillis, isRunning, start, threadName);
        watching.thread.start();
        return watching;
    }

    private void run() {
        boolean isTold = false;
        try {
            while (!isClosing) {
                if (looks.tryAcquire(lookMillis, TimeUnit.MILLISECONDS)) {
                    looks.drainPermits();
                }
                if (!isClosing && !isRunning.getAsBoolean()) {
                    if (!isTold) {
                        LOG.error(words.ended);
                    }
                    isTold = !isStarted();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** At once. Does not wait. */
    public void look() {
        looks.release();
    }

    private boolean isStarted() {
        try {
            start.again();
            LOG.info(words.back);
            return true;
        } catch (IOException | RuntimeException e) {
            LOG.debug("It cannot be started again yet: {}", words.ended, e);
            return false;
        }
    }

    /** It may be in a start, which is interrupted: nothing is started any more when this returns. */
    @Override
    public void close() throws IOException {
        isClosing = true;
        thread.interrupt();
        Deadline.join(thread);
    }
}
