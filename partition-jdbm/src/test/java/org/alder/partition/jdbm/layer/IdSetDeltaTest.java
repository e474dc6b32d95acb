package org.alder.partition.jdbm.layer;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertTrue;

import java.util.Random;
import org.alder.partition.id.IdSet;
import org.alder.partition.testing.Seed;
import org.junit.Test;
import org.roaringbitmap.RoaringBitmap;

public class IdSetDeltaTest {
    private static IdSetDelta delta(IdSet added, IdSet removed) {
        return new IdSetDelta(added, removed);
    }

    @Test
    public void addThenRemoveCancels() {
        IdSetDelta folded = IdSetDelta.fold(IdSetDelta.adding(IdSet.of(5)), delta(IdSet.EMPTY, IdSet.of(5)));
        assertSame(IdSetDelta.EMPTY, folded);
    }

    @Test
    public void removeThenAddCancels() {
        IdSetDelta folded = IdSetDelta.fold(delta(IdSet.EMPTY, IdSet.of(5)), IdSetDelta.adding(IdSet.of(5)));
        assertSame(IdSetDelta.EMPTY, folded);
    }

    @Test
    public void independentChangesAddUp() {
        IdSetDelta folded = IdSetDelta.fold(delta(IdSet.of(1, 2), IdSet.of(3)), delta(IdSet.of(4), IdSet.of(5)));
        assertEquals(delta(IdSet.of(1, 2, 4), IdSet.of(3, 5)), folded);
        assertEquals(1, folded.netCardinality());
    }

    @Test
    public void emptyIsNeutral() {
        IdSetDelta delta = delta(IdSet.of(1), IdSet.of(2));
        assertSame(delta, IdSetDelta.fold(IdSetDelta.EMPTY, delta));
        assertSame(delta, IdSetDelta.fold(delta, IdSetDelta.EMPTY));
        assertSame(IdSetDelta.EMPTY, IdSetDelta.adding(IdSet.EMPTY));
    }

    @Test
    public void netCardinalityMayBeNegative() {
        assertEquals(-2, delta(IdSet.of(9), IdSet.of(1, 2, 3)).netCardinality());
    }

    @Test
    public void foldEqualsTheDifferenceOfThePlainSets() {
        Random random = Seed.random(IdSetDeltaTest.class);
        for (int round = 0; round < 2000; round++) {
            int universe = 1 + random.nextInt(200);
            IdSet[] states = new IdSet[4];
            for (int i = 0; i < states.length; i++) {
                states[i] = randomSet(random, universe);
            }
            IdSetDelta first = between(states[0], states[1]);
            IdSetDelta second = between(states[1], states[2]);
            IdSetDelta third = between(states[2], states[3]);
            IdSetDelta folded = IdSetDelta.fold(first, second);
            assertEquals(between(states[0], states[2]), folded);
            assertEquals(states[2], states[0].andNot(folded.removed()).or(folded.added()));
            assertEquals(first.netCardinality() + second.netCardinality(), folded.netCardinality());
            assertEquals("associative", IdSetDelta.fold(folded, third), IdSetDelta.fold(first, IdSetDelta.fold(second, third)));
            assertTrue("disjoint", folded.added().and(folded.removed()).isEmpty());
        }
    }

    private static IdSetDelta between(IdSet before, IdSet after) {
        return delta(after.andNot(before), before.andNot(after));
    }

    private static IdSet randomSet(Random random, int universe) {
        RoaringBitmap bitmap = new RoaringBitmap();
        double share = random.nextDouble();
        for (int id = 1; id <= universe; id++) {
            if (random.nextDouble() < share) {
                // Spread over several containers and over the sign bit of an int.
                bitmap.add(id * 0x0123_4567);
            }
        }
        bitmap.remove(0);
        return IdSet.wrap(bitmap);
    }
}
