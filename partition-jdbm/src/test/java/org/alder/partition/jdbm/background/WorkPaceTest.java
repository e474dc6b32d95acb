package org.alder.partition.jdbm.background;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.alder.partition.jdbm.task.Clock;
import org.alder.partition.testing.Await;
import org.junit.Test;

public class WorkPaceTest {
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    private long now = 1_000_000_000L;
    private long waits;
    private double share = 0.2;

    /** Waiting is all that takes time, but for what a test adds. */
    private final Clock clock = new Clock() {
        @Override
        public long nanoTime() {
            return now;
        }

        @Override
        public void waitOn(Object monitor, long nanos) {
            assertTrue(Thread.holdsLock(monitor));
            now += nanos;
            waits++;
        }

        @Override
        public void wake(Object monitor) {
            monitor.notifyAll();
        }
    };

    @Test
    public void bytesPerSecondAreHonoured() {
        WorkPace pace = new WorkPace(10_000_000, () -> share, clock);
        long start = now;
        for (int i = 0; i < 1000; i++) {
            now += MILLI / 10;
            pace.worked(100_000);
        }
        double seconds = (now - start) / 1e9;
        assertEquals(10, seconds, 0.05);
        assertEquals(100_000_000, pace.bytes());
        assertEquals(seconds - 0.1, pace.pauseNanos() / 1e9, 0.05);
    }

    @Test
    public void anUnusedRateIsNotSavedUp() {
        WorkPace pace = new WorkPace(1_000_000, () -> share, clock);
        now += TimeUnit.HOURS.toNanos(1);
        long start = now;
        pace.worked(1_000_000);
        assertEquals(1, (now - start) / 1e9, 0.03);
    }

    @Test
    public void workTakesItsShareOfTheTime() {
        WorkPace pace = new WorkPace(0, () -> share, clock);
        long start = now;
        for (int i = 0; i < 1000; i++) {
            now += MILLI / 4;
            pace.worked(64);
        }
        assertEquals(250 * MILLI / 0.2, now - start, 10 * MILLI);
        assertEquals(now - start - 250 * MILLI, pace.pauseNanos());
    }

    @Test
    public void theTimeBetweenJobsIsNotWork() {
        WorkPace pace = new WorkPace(0, () -> share, clock);
        now += TimeUnit.HOURS.toNanos(1);
        pace.begin();
        now += MILLI;
        pace.worked(0);
        assertEquals(4 * MILLI, pace.pauseNanos());
    }

    @Test
    public void workThatWasKeptFromWorkingDoesNotPauseForThat() {
        WorkPace pace = new WorkPace(0, () -> share, clock);
        now += TimeUnit.MINUTES.toNanos(1);
        pace.worked(0);
        assertEquals("a minute in which the machine did something else", 80 * MILLI, pace.pauseNanos());
    }

    @Test
    public void aPauseEndsWhenTheWorkBecomesUrgent() {
        WorkPace pace = new WorkPace(0, () -> waits >= 2 ? 1 : 0.01, clock);
        now += 1000 * MILLI;
        pace.worked(0);
        assertEquals("looked again after each slice", 2, waits);
        assertTrue(pace.pauseNanos() < 100 * MILLI);
    }

    @Test
    public void allOfTheTimeOrNoLimitMeansNoPause() {
        share = 1;
        WorkPace whole = new WorkPace(0, () -> share, clock);
        WorkPace unlimited = new WorkPace(WorkPace.UNLIMITED, () -> 0.01, clock);
        for (int i = 0; i < 100; i++) {
            now += 10 * MILLI;
            whole.worked(1 << 20);
            unlimited.worked(1 << 20);
        }
        assertEquals(0, waits);
        assertEquals(100L << 20, unlimited.bytes());
    }

    @Test
    public void closingWakesWhoWaitsAndNobodyWaitsAfterwards() throws InterruptedException {
        CountDownLatch waiting = new CountDownLatch(1);
        WorkPace pace = new WorkPace(1, () -> share, new Clock() {
            @Override
            public long nanoTime() {
                return System.nanoTime();
            }

            @Override
            public void waitOn(Object monitor, long nanos) throws InterruptedException {
                waiting.countDown();
                TimeUnit.NANOSECONDS.timedWait(monitor, nanos);
            }

            @Override
            public void wake(Object monitor) {
                monitor.notifyAll();
            }
        });
        Thread worker = new Thread(() -> pace.worked(1_000_000), "paced");
        worker.start();
        Await.latch("the worker to wait", waiting);
        pace.close();
        Await.end(worker);
        pace.worked(1_000_000);
        assertEquals(2_000_000, pace.bytes());
    }

    @Test
    public void workGivesWayToClientsUnlessItIsUrgent() {
        long[] requests = {7};
        WorkShare work = new WorkShare(() -> requests[0], 2, () -> now);
        assertEquals("nobody has asked for anything yet", 1, work.of(0), 0);
        requests[0] += 100;
        assertEquals("a tenth of two processors", 0.2, work.of(0), 1e-9);
        assertEquals(0.2, work.of(-3), 1e-9);
        assertEquals(0.6, work.of(0.5), 1e-9);
        assertEquals(1, work.of(1), 1e-9);
        assertEquals(1, work.of(9), 1e-9);
        now += 900 * MILLI;
        assertEquals("still busy", 0.2, work.of(0), 1e-9);
        now += 100 * MILLI;
        assertEquals("was busy in the last second", 0.2, work.of(0), 1e-9);
        now += 1000 * MILLI;
        assertEquals("idle again", 1, work.of(0), 0);
        requests[0] += 100;
        assertEquals("with many processors there is no need", 1, new WorkShare(() -> now++, 16, () -> now).of(0), 0);
    }

    @Test
    public void workThatNothingWaitsForTakesAQuarterOfThat() {
        long[] requests = {0};
        WorkShare work = new WorkShare(() -> requests[0], 2, () -> now);
        assertEquals(1, work.patient(), 0);
        requests[0] += 50;
        assertEquals("half of what is much", 0.525, work.patient(), 1e-9);
        requests[0] += 50;
        assertEquals(0.05, work.patient(), 1e-9);
    }

    @Test
    public void aFewRequestsASecondSlowWorkByLittle() {
        long[] requests = {0};
        WorkShare work = new WorkShare(() -> requests[0], 2, () -> now);
        for (int second = 0; second < 5; second++) {
            now += 500 * MILLI;
            requests[0]++;
            assertEquals("one request a second", 0.992, work.of(0), 1e-9);
            now += 500 * MILLI;
            assertEquals("one request a second", 0.992, work.of(0), 1e-9);
        }
        requests[0] += 50;
        assertEquals("half of what is much", 0.6, work.of(0), 1e-9);
        now += 60_000 * MILLI;
        requests[0] += 70;
        assertEquals("of a minute in which nobody looked, its mean", 1 - 0.8 * 0.02, work.of(0), 1e-9);
    }
}
