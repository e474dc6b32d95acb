package org.alder.server.wire;

import static org.junit.Assert.assertEquals;

import java.util.concurrent.TimeUnit;
import org.junit.Test;

/** How long a client takes too little of its answers, by seconds that the test counts. */
public class AnswerPaceTest {
    private final AnswerPace pace = new AnswerPace();

    private long stalled(long second, long queued, long taken) {
        return pace.stalledSeconds(TimeUnit.SECONDS.toNanos(second - 5), queued, taken);
    }

    @Test
    public void whoTakesNothingStalls() {
        assertEquals(0, stalled(1, 0, 0));
        assertEquals(0, stalled(100, 0, 0));
        assertEquals("from when something waits", 0, stalled(101, 1000, 0));
        assertEquals(9, stalled(110, 2000, 0));
        assertEquals(0, stalled(111, 0, 2000));
        assertEquals(0, stalled(200, 10, 2000));
    }

    @Test
    public void aByteNowAndThenIsTooLittle() {
        stalled(0, 100_000, 0);
        for (int second = 1; second < 120; second++) {
            assertEquals(second, stalled(second, 100_000, second));
        }
    }

    @Test
    public void allThatWaitedOrSixteenKibibytesAreEnough() {
        stalled(0, 100_000, 0);
        assertEquals(10, stalled(10, 90_000, 16_383));
        assertEquals(0, stalled(11, 90_000, 16_384));
        assertEquals(5, stalled(16, 90_000, 20_000));
        assertEquals(0, stalled(17, 0, 110_000));
        assertEquals(0, stalled(18, 50, 110_000));
        assertEquals(3, stalled(21, 5000, 110_049));
        assertEquals(0, stalled(22, 5000, 110_050));
    }
}
