package org.alder.partition.bookkeeper.election;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.Test;

public class LeaderPositionsTest {
    private final LeaderPositions positions = new LeaderPositions();

    private void tell(long sequence, long millis) {
        positions.tell(sequence, TimeUnit.MILLISECONDS.toNanos(millis));
    }

    private void assertBehind(long expected, long sequence, long nowMillis) {
        assertEquals(expected, positions.behindMillis(sequence, TimeUnit.MILLISECONDS.toNanos(nowMillis)));
    }

    @Test
    public void nothingIsKnownBeforeALeaderTells() {
        assertBehind(-1, 5, 1000);
    }

    @Test
    public void aReplicaIsAsOldAsTheLastTellingThatItHas() {
        tell(10, 1000);
        tell(20, 2000);
        tell(30, 3000);
        assertBehind(2500, 10, 3500);
        assertBehind(1500, 29, 3500);
        assertBehind(500, 30, 3500);
        assertBehind(600, 31, 3600);
    }

    @Test
    public void oneThatNeverHadWhatTheLeaderToldIsBehindSinceTheFirstTelling() {
        tell(10, 1000);
        tell(20, 2000);
        assertBehind(2000, 3, 3000);
    }

    @Test
    public void aLeaderThatMakesNothingIsHeardOfAllTheSame() {
        tell(10, 1000);
        tell(10, 60_000);
        assertBehind(100, 10, 60_100);
        assertBehind(60_000, 10, 120_000);
    }

    @Test
    public void anotherLeaderMayHaveLess() {
        tell(10, 1000);
        tell(20, 2000);
        tell(15, 3000);
        assertBehind(100, 15, 3100);
    }

    @Test
    public void whoIsFarBehindIsKnownToBeSoAlthoughTellingsThinOut() {
        for (int i = 0; i <= 5000; i++) {
            tell(i, i);
        }
        long behind = positions.behindMillis(2500, TimeUnit.MILLISECONDS.toNanos(5000));
        assertTrue("" + behind, behind >= 2500 && behind < 2600);
        assertBehind(0, 5000, 5000);
    }
}
