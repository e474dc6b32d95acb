package org.alder.partition.jdbm.sort;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.alder.partition.id.IdSet;
import org.alder.partition.jdbm.disk.SystemDisk;
import org.alder.partition.jdbm.layer.IdSetDelta;
import org.alder.partition.jdbm.layer.KeyDeltaCursor;
import org.alder.partition.testing.Seed;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.roaringbitmap.RoaringBitmap;

public class KeySorterModelTest {
    private static final long LITTLE_MEMORY = 1;
    private static final int INDEXES = 4;
    private static final int THREADS = 3;

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final TreeMap<byte[], RoaringBitmap>[] expected = maps();

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static TreeMap<byte[], RoaringBitmap>[] maps() {
        TreeMap[] maps = new TreeMap[INDEXES];
        Arrays.setAll(maps, i -> new TreeMap<byte[], RoaringBitmap>(Arrays::compareUnsigned));
        return maps;
    }

    private void add(KeySorter sorter, int index, byte[] key, long id) throws IOException {
        sorter.add(index, key, id);
        expected[index].computeIfAbsent(key, absent -> new RoaringBitmap()).add((int) id);
    }

    private void verify(KeySorter sorter) {
        for (int index = 0; index < INDEXES; index++) {
            KeyDeltaCursor keys = sorter.keys(index, 2);
            for (Map.Entry<byte[], RoaringBitmap> key : expected[index].entrySet()) {
                assertTrue(keys.next());
                assertArrayEquals(key.getKey(), keys.key());
                assertEquals(IdSetDelta.adding(IdSet.wrap(key.getValue())), keys.delta());
                assertEquals(key.getValue().getLongCardinality(), keys.netCardinality());
            }
            assertFalse(keys.next());
            assertFalse("from then on", keys.next());
        }
    }

    @Test
    public void nothingSortedIsNothing() throws IOException {
        try (KeySorter sorter = new KeySorter(SystemDisk.INSTANCE, folder.getRoot().toPath(), INDEXES, LITTLE_MEMORY, THREADS)) {
            sorter.finish();
            verify(sorter);
        }
        assertEquals(0, folder.getRoot().list().length);
    }

    @Test
    public void manyRunsAreMerged() throws IOException {
        Random random = Seed.random(KeySorterModelTest.class);
        try (KeySorter sorter = new KeySorter(SystemDisk.INSTANCE, folder.getRoot().toPath(), INDEXES, LITTLE_MEMORY, THREADS)) {
            long id = 1;
            for (int i = 0; i < 40_000; i++) {
                // Now and then a long step, so that the sets also reach the upper half of the unsigned numbers.
                id += random.nextInt(50) == 0 ? random.nextInt(5_000_000) : random.nextInt(3);
                add(sorter, random.nextInt(INDEXES - 1), key(random), Math.min(id, IdSet.MAX_ID));
            }
            sorter.finish();
            assertTrue("several runs", sorter.runCount() > 3);
            verify(sorter);
            verify(sorter);
        }
        assertEquals("runs are removed", 0, folder.getRoot().list().length);
    }

    /** Slowed or not as it comes, so that arenas are sorted here while others are sorted elsewhere. */
    @Test
    public void whileItIsSlowedTheThreadThatAddsSortsAndTellsThePace() throws IOException {
        Random random = Seed.random(KeySorterModelTest.class);
        CountingPace pace = new CountingPace();
        try (KeySorter sorter = new KeySorter(SystemDisk.INSTANCE, folder.getRoot().toPath(), INDEXES, LITTLE_MEMORY, 1, pace)) {
            for (int id = 1; id <= 40_000; id++) {
                pace.slowed = id <= 20_000 || random.nextBoolean();
                add(sorter, random.nextInt(INDEXES), key(random), id);
            }
            sorter.finish();
            verify(sorter);
        }
        assertTrue("told " + pace.told + " times", pace.told > 10);
        assertEquals("by this thread alone", 0, pace.toldByOthers);
    }

    private static final class CountingPace implements SortPace {
        private final Thread adding = Thread.currentThread();
        private volatile boolean slowed;
        private volatile int told;
        private volatile int toldByOthers;

        @Override
        public boolean isSlowed() {
            return slowed;
        }

        @Override
        public synchronized void worked() {
            told++;
            toldByOthers += Thread.currentThread() == adding ? 0 : 1;
        }
    }

    /** Few letters, zeros among them, so that keys are equal, prefixes of each other, and agree far beyond one word. */
    private static byte[] key(Random random) {
        byte[] key = new byte[1 + (random.nextInt(5) == 0 ? random.nextInt(40) : random.nextInt(6))];
        for (int i = 0; i < key.length; i++) {
            int letter = random.nextInt(20);
            key[i] = (byte) (letter == 0 ? 0xFF : letter < 4 ? 1 : 0);
        }
        return key;
    }

    @Test
    public void keysLongerThanEveryBufferAndASetLongerThanEveryBuffer() throws IOException {
        byte[] frequent = {'f'};
        byte[] longest = new byte[300_000];
        byte[] longer = Arrays.copyOf(longest, longest.length + 1);
        try (KeySorter sorter = new KeySorter(SystemDisk.INSTANCE, folder.getRoot().toPath(), INDEXES, LITTLE_MEMORY, THREADS)) {
            for (int id = 1; id <= 100_000; id++) {
                add(sorter, 1, frequent, id);
                if (id % 30_000 == 0) {
                    add(sorter, 1, longer, id);
                    add(sorter, 1, longest, id);
                }
            }
            sorter.finish();
            verify(sorter);
        }
    }

    @Test
    public void theSameTripleTwiceCountsOnce() throws IOException {
        try (KeySorter sorter = new KeySorter(SystemDisk.INSTANCE, folder.getRoot().toPath(), INDEXES, LITTLE_MEMORY, THREADS)) {
            add(sorter, 0, new byte[] {1}, 7);
            add(sorter, 0, new byte[] {1}, 7);
            sorter.finish();
            verify(sorter);
        }
    }

    @Test
    public void closingEarlyRemovesTheRuns() throws IOException {
        try (KeySorter sorter = new KeySorter(SystemDisk.INSTANCE, folder.getRoot().toPath(), INDEXES, LITTLE_MEMORY, THREADS)) {
            for (int id = 1; id < 10_000; id++) {
                sorter.add(0, new byte[] {(byte) id}, id);
            }
        }
        assertEquals(0, folder.getRoot().list().length);
    }

    @Test
    public void aRunThatCannotBeWrittenIsReported() throws IOException {
        KeySorter sorter = new KeySorter(SystemDisk.INSTANCE, folder.getRoot().toPath().resolve("missing"), INDEXES,
                LITTLE_MEMORY, THREADS);
        sorter.add(0, new byte[] {1}, 1);
        assertThrows(IOException.class, sorter::finish);
        assertThrows(IllegalStateException.class, () -> sorter.keys(0, 1));
        sorter.close();
    }
}
