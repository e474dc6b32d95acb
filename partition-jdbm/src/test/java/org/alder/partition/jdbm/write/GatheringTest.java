package org.alder.partition.jdbm.write;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.concurrent.TimeUnit;
import org.alder.partition.jdbm.task.Clock;
import org.junit.Test;

public class GatheringTest {
    private static final long APPEND_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private long nowNanos = 1;
    private final Gathering gathering = new Gathering(new Clock() {
        @Override
        public long nanoTime() {
            return nowNanos;
        }

        @Override
        public void waitOn(Object monitor, long nanos) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void wake(Object monitor) {
            throw new UnsupportedOperationException();
        }
    });

    /** Until the average of what appends take is about that. */
    private void appends(long nanos) {
        for (int i = 0; i < 100; i++) {
            gathering.answered(1, 0, nanos);
        }
    }

    /** Whether a group waits that has some members when nothing is queued, and has others in the end. */
    private boolean waits(int members, int atTheEnd) {
        boolean waits = gathering.nanos(members) > 0;
        gathering.closed(atTheEnd);
        return waits;
    }

    @Test
    public void waitsForThoseThatWereAnsweredLast() {
        appends(APPEND_NANOS);
        gathering.answered(16, 16, APPEND_NANOS);
        assertTrue("32 clients", waits(16, 32));
        gathering.answered(32, 0, APPEND_NANOS);
        assertEquals("all are there", false, waits(32, 32));
    }

    @Test
    public void aClientAloneWaitsForNobody() {
        appends(APPEND_NANOS);
        assertEquals(false, waits(1, 1));
    }

    @Test
    public void waitsForHalfOfAnAppendAndNoMore() {
        appends(APPEND_NANOS);
        gathering.answered(16, 16, APPEND_NANOS);
        assertEquals(APPEND_NANOS / 2, gathering.nanos(16), APPEND_NANOS / 20.0);
        nowNanos += APPEND_NANOS / 4;
        assertEquals("what is left of it", APPEND_NANOS / 4, gathering.nanos(17), APPEND_NANOS / 20.0);
        nowNanos += APPEND_NANOS;
        assertEquals(0, gathering.nanos(18));
    }

    @Test
    public void anAppendThatIsSoonDoneIsNotWaitedFor() {
        appends(TimeUnit.MICROSECONDS.toNanos(200));
        gathering.answered(16, 16, TimeUnit.MICROSECONDS.toNanos(200));
        assertEquals(false, waits(16, 16));
    }

    /** Clients that ask once and are not heard of again. */
    @Test
    public void whatDoesNotComeIsWaitedForEverMoreSeldom() {
        appends(APPEND_NANOS);
        int waited = 0;
        for (int i = 0; i < 1000; i++) {
            gathering.answered(16, 16, APPEND_NANOS);
            waited += waits(16, 16) ? 1 : 0;
        }
        assertTrue("waited " + waited + " times", waited > 2 && waited < 30);
        for (int i = 0; i < 1000; i++) {
            gathering.answered(16, 16, APPEND_NANOS);
            waited += waits(16, 32) ? 1 : 0;
        }
        assertTrue("and again where it comes, " + waited + " times", waited > 900);
    }
}
