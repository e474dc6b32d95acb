package org.alder.partition.query.order;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.alder.partition.id.IdSet;
import org.alder.partition.query.SearchCursor.Step;
import org.alder.partition.testing.Seed;
import org.junit.Test;

public class RecordGroupsTest {
    private final SplittableRandom random = new SplittableRandom(Seed.of(RecordGroupsTest.class));

    private byte[] key(int most) {
        byte[] key = new byte[random.nextInt(most)];
        for (int i = 0; i < key.length; i++) {
            key[i] = (byte) (random.nextInt(3) - 1);
        }
        return key;
    }

    @Test
    public void groupsComeInTheOrderOfTheirKeysAndOfTheirEntriesHoweverManyThereAre() {
        for (int entries : new int[] {0, 1, 2, 1023, 1024, 1025, 5000}) {
            for (int keyBytes : new int[] {1, 3, 12, 2000}) {
                RecordGroups groups = new RecordGroups();
                TreeMap<byte[], TreeSet<Long>> expected = new TreeMap<>(Arrays::compareUnsigned);
                for (int i = 0; i < entries; i++) {
                    byte[] key = key(keyBytes);
                    long id = random.nextLong(IdSet.MAX_ID);
                    groups.add(key, id);
                    expected.computeIfAbsent(key, none -> new TreeSet<>()).add(id);
                }
                requireEqual(expected, groups);
                requireEqual(expected, groups.again());
            }
        }
    }

    private static void requireEqual(TreeMap<byte[], TreeSet<Long>> expected, EntryGroups groups) {
        for (Map.Entry<byte[], TreeSet<Long>> each : expected.entrySet()) {
            assertEquals(Step.MATCH, groups.next(64));
            assertArrayEquals(each.getKey(), groups.key());
            assertEquals(IdSet.of(each.getValue().stream().mapToLong(id -> id).toArray()), groups.ids());
        }
        assertEquals(Step.END, groups.next(64));
        assertEquals(Step.END, groups.next(64));
        groups.close();
    }

    /** Each had objects of its own, of 250 bytes and more in all, and the collector of garbage copied them. */
    @Test
    public void aPlaceTakesLittleMoreThanItsKey() {
        RecordGroups groups = new RecordGroups();
        for (int i = 0; i < 100_000; i++) {
            groups.add(new byte[] {1, (byte) (i >> 16), (byte) (i >> 8), (byte) i}, i);
        }
        assertTrue(groups.bytes() + " bytes", groups.bytes() <= 100_000 * 20);
    }
}
