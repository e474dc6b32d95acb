package org.alder.partition.id;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.alder.partition.testing.Seed;
import org.junit.Test;

public class IdSetTest {
    @Test
    public void algebraAgreesWithPlainSets() {
        long seed = Seed.of(IdSetTest.class);
        Random random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            TreeSet<Long> a = randomIds(random);
            TreeSet<Long> b = randomIds(random);
            TreeSet<Long> and = new TreeSet<>(a);
            and.retainAll(b);
            TreeSet<Long> or = new TreeSet<>(a);
            or.addAll(b);
            TreeSet<Long> andNot = new TreeSet<>(a);
            andNot.removeAll(b);
            String where = "seed " + seed + ", round " + round;
            assertEquals(where, List.copyOf(and), ids(set(a).and(set(b))));
            assertEquals(where, List.copyOf(or), ids(set(a).or(set(b))));
            assertEquals(where, List.copyOf(andNot), ids(set(a).andNot(set(b))));
            assertEquals(where, a.size(), set(a).cardinality());
        }
    }

    private static TreeSet<Long> randomIds(Random random) {
        TreeSet<Long> ids = new TreeSet<>();
        long bound = random.nextBoolean() ? 200 : IdSet.MAX_ID;
        for (int i = random.nextInt(100); i > 0; i--) {
            ids.add(1 + (random.nextLong() >>> 1) % bound);
        }
        return ids;
    }

    private static IdSet set(TreeSet<Long> ids) {
        return IdSet.of(ids.stream().mapToLong(Long::longValue).toArray());
    }

    private static List<Long> ids(IdSet set) {
        List<Long> ids = new ArrayList<>();
        for (IdSet.IdIterator iterator = set.iterator(); iterator.hasNext();) {
            ids.add(iterator.next());
        }
        return ids;
    }

    @Test
    public void idsAboveTheSignedRangeKeepTheirOrder() {
        IdSet set = IdSet.of(IdSet.MAX_ID, 1, 0x8000_0000L, 0x7FFF_FFFFL);
        assertEquals(List.of(1L, 0x7FFF_FFFFL, 0x8000_0000L, IdSet.MAX_ID), ids(set));
        IdSet.IdIterator iterator = set.iterator();
        iterator.advanceTo(0x8000_0000L);
        assertEquals(0x8000_0000L, iterator.next());
        assertTrue(set.contains(IdSet.MAX_ID));
        assertFalse(set.contains(IdSet.MAX_ID - 1));
    }

    @Test
    public void zeroAndTooLargeAreNoIds() {
        assertThrows(IllegalArgumentException.class, () -> IdSet.of(0));
        assertThrows(IllegalArgumentException.class, () -> IdSet.of(IdSet.MAX_ID + 1));
        assertFalse(IdSet.of(1).contains(0));
        assertFalse(IdSet.of(1).contains(IdSet.MAX_ID + 2));
    }

    @Test
    public void emptyIsOneObject() {
        assertSame(IdSet.EMPTY, IdSet.of());
        assertSame(IdSet.EMPTY, IdSet.of(1).and(IdSet.of(2)));
    }
}
