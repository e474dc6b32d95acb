package org.alder.perf.faults;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;

import org.junit.Test;

/** Numbers that are in the order of their updates, and those that are not. */
public class StampsTest {
    private final Stamps stamps = new Stamps();

    @Test
    public void noneFit() {
        assertNull(stamps.fault());
    }

    @Test
    public void thoseOfUpdatesAtTheSameTimeAreInAnyOrder() {
        stamps.add("3", 0, 10, "a");
        stamps.add("1", 5, 20, "a");
        stamps.add("2", 5, 20, "b");
        stamps.add("4", 21, 30, "b");
        assertNull(stamps.fault());
    }

    @Test
    public void aLaterUpdateHasAGreaterOne() {
        stamps.add("2", 11, 20, "b");
        stamps.add("3", 0, 10, "a");
        assertNotNull(stamps.fault());
    }

    @Test
    public void aLaterUpdateHasNotTheSame() {
        stamps.add("3", 0, 10, "a");
        stamps.add("3", 11, 20, "b");
        assertNotNull(stamps.fault());
    }

    @Test
    public void theGreatestOfAllBeforeCounts() {
        stamps.add("5", 0, 10, "a");
        stamps.add("1", 2, 12, "b");
        stamps.add("4", 11, 30, "b");
        assertNotNull(stamps.fault());
    }

    @Test
    public void theLongestTimeWithoutAnAcknowledgedUpdateIsFound() {
        assertEquals("none at all", 100, stamps.longestPauseNanos(1000, 1100));
        stamps.add("b", 900, 1050, "node1");
        stamps.add("a", 900, 1010, "node1");
        stamps.add("c", 900, 5000, "node1");
        assertEquals("between two of them", 40, stamps.longestPauseNanos(1000, 1080));
        assertEquals("up to the end", 50, stamps.longestPauseNanos(1000, 1100));
    }
}
