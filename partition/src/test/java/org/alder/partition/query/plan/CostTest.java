package org.alder.partition.query.plan;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.util.stream.LongStream;
import org.alder.partition.id.IdSet;
import org.junit.Test;

public class CostTest {
    /** Candidates all over a partition. */
    private static IdSet candidates(int count, long entries) {
        return IdSet.of(LongStream.rangeClosed(1, count).map(i -> i * (entries / count)).toArray());
    }

    private static boolean isWorth(long ids, IdSet candidates) {
        return Cost.isWorth(Cost.amongNanos(ids, candidates), candidates.cardinality());
    }

    @Test
    public void halfOfAllEntriesAreAskedForBeforeHundredsOfCandidatesAreRead() {
        assertTrue(isWorth(600_000, candidates(186, 1_200_000)));
        assertTrue(isWorth(5_000_000, candidates(1_500, 10_000_000)));
        assertFalse(isWorth(600_000, candidates(20, 1_200_000)));
    }

    @Test
    public void aSmallSetCostsWhatItHas() {
        IdSet candidates = candidates(100, 1_000_000);
        assertEquals(Cost.readNanos(1, 300), Cost.amongNanos(300, candidates));
    }
}
