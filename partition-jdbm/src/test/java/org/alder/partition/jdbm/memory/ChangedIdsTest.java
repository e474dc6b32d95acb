package org.alder.partition.jdbm.memory;

import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.alder.partition.testing.Seed;
import org.junit.Test;

public class ChangedIdsTest {
    private static final long MOST = 1L << 32;
    private static final int TRIED = 10_000;

    private final Random random = Seed.random(ChangedIdsTest.class);
    private final ChangedIds changed = new ChangedIds();
    private final Set<Long> added = new HashSet<>();

    private void add(long id) {
        added.add(id);
        changed.add(id, added);
    }

    private int wrong() {
        return (int) random.longs(TRIED, 1, MOST).filter(id -> !added.contains(id) && changed.mayHave(id)).count();
    }

    @Test
    public void allThatWasAddedIsThere() {
        for (int i = 0; i < 20_000; i++) {
            add(random.nextInt(4) == 0 ? 1 + (random.nextLong() & MOST - 2) : 5_000_000 + i);
            add(random.nextInt(100));
        }
        added.forEach(id -> assertTrue("entry " + id, changed.mayHave(id)));
    }

    @Test
    public void fewOthersSeemToBe() {
        assertFalse(changed.mayHave(7));
        for (int i = 0; i < 50_000; i++) {
            add(random.nextInt(2_000_000));
            assertTrue(changed.mayHave(7) || !added.contains(7L));
        }
        int wrong = wrong();
        assertTrue(wrong + " of " + TRIED, wrong < TRIED / 8);
    }
}
