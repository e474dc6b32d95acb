package org.alder.partition.jdbm.background;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import org.alder.partition.jdbm.sort.SortPace;
import org.alder.partition.jdbm.task.Clock;
import org.alder.partition.jdbm.task.Threads;

/**
 * Makes background work on segments pause after each small piece, so that it takes no more than its share of the processors and
 * of the disk. Either the bytes it reads and writes are limited to so many a second, or the time it works to a share of all time,
 * which is asked for anew at every piece and during every pause: work that becomes urgent goes on at once. One thread works at a
 * time; the figures and {@link #close()} are for any thread.
 */
public final class WorkPace implements SortPace {
    /** A rate no disk reaches: the work never waits. */
    public static final long UNLIMITED = Long.MAX_VALUE;

    /** Pieces are not made smaller than this, because waking up again costs too. */
    private static final long PIECE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    /**
     * A piece that took longer was mostly kept from working itself, by other programs that want the processors, or by the disk. Where
     * it gets little of a machine, a pause of several times what it had to wait would have it stand still.
     */
    private static final long MOST_PIECE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    /** How long a pause may last before the share is asked for again. */
    private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    /** What was not used of a rate is lost after this time, so that no burst follows. */
    private static final long BURST_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final double NANOS_PER_SECOND = 1e9;

    private final LongSupplier bytesPerSecond;
    private final DoubleSupplier share;
    private final Clock clock;
    private final LongAdder bytes = new LongAdder();
    private final LongAdder pauseNanos = new LongAdder();
    /** When the piece under way began. */
    private long pieceNanos;
    /** When all bytes so far will have been paid for at the rate. */
    private long paidNanos;
    private boolean closed;

    /**
     * @param bytesPerSecond read and written; 0 = the share decides, {@link #UNLIMITED} = never wait
     * @param share          how much of its time the worker may work now, above 0, up to 1
     */
    public WorkPace(long bytesPerSecond, DoubleSupplier share, Clock clock) {
        this(() -> bytesPerSecond, share, clock);
    }

    /** @param bytesPerSecond the same, asked for anew at every piece */
    public WorkPace(LongSupplier bytesPerSecond, DoubleSupplier share, Clock clock) {
        this.bytesPerSecond = bytesPerSecond;
        this.share = share;
        this.clock = clock;
        begin();
    }

    public static WorkPace unlimited() {
        return new WorkPace(UNLIMITED, () -> 1, Threads.INSTANCE);
    }

    /** Starts a job: the time since the last one counts for nothing. */
    synchronized void begin() {
        pieceNanos = clock.nanoTime();
        paidNanos = pieceNanos;
    }

    @Override
    public boolean isSlowed() {
        long rate = bytesPerSecond.getAsLong();
        return rate != UNLIMITED && (rate > 0 || share.getAsDouble() < 1);
    }

    @Override
    public void worked() {
        worked(0);
    }

    /** Called by the worker every now and then: waits as long as it must, and not at all once this is closed. */
    synchronized void worked(long readAndWrittenBytes) {
        bytes.add(readAndWrittenBytes);
        long rate = bytesPerSecond.getAsLong();
        try {
            if (rate == 0) {
                pauseForShare();
            } else if (rate != UNLIMITED) {
                pauseForBytes(readAndWrittenBytes, rate);
            }
        } catch (InterruptedException e) {
            // The worker must not be kept waiting any more; what the interruption is for is its own affair.
            Thread.currentThread().interrupt();
        }
    }

    private void pauseForShare() throws InterruptedException {
        long start = clock.nanoTime();
        long worked = start - pieceNanos;
        if (worked < PIECE_NANOS) {
            return;
        }
        long paid = Math.min(worked, MOST_PIECE_NANOS);
        long left = pauseNanos(paid);
        while (left > 0 && !closed) {
            clock.waitOn(this, Math.min(left, SLICE_NANOS));
            left = pauseNanos(paid) - (clock.nanoTime() - start);
        }
        endPause(start);
    }

    private long pauseNanos(long workedNanos) {
        double now = share.getAsDouble();
        return now >= 1 ? 0 : (long) (workedNanos * (1 - now) / now);
    }

    private void pauseForBytes(long count, long rate) throws InterruptedException {
        long start = clock.nanoTime();
        paidNanos = Math.max(paidNanos, start - BURST_NANOS) + (long) (count * NANOS_PER_SECOND / rate);
        if (paidNanos - start < PIECE_NANOS) {
            return;
        }
        // What a slow rate asks for is not waited for any more when there is another one.
        while (!closed && paidNanos > clock.nanoTime() && bytesPerSecond.getAsLong() == rate) {
            clock.waitOn(this, paidNanos - clock.nanoTime());
        }
        paidNanos = bytesPerSecond.getAsLong() == rate ? paidNanos : clock.nanoTime();
        endPause(start);
    }

    private void endPause(long start) {
        pieceNanos = clock.nanoTime();
        pauseNanos.add(pieceNanos - start);
    }

    /** Read and written so far. */
    public long bytes() {
        return bytes.sum();
    }

    /** How long the work has been made to wait so far. */
    public long pauseNanos() {
        return pauseNanos.sum();
    }

    /** Has the worker ask again how fast it may work, also in a pause. */
    public synchronized void askAgain() {
        clock.wake(this);
    }

    /** Ends a pause at once; there is none any more. */
    synchronized void close() {
        closed = true;
        clock.wake(this);
    }
}
