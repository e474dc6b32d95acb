package org.alder.partition.jdbm.state;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryProbe;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.layer.EntryVersion;
import org.alder.partition.jdbm.layer.EntryVersionCursor;
import org.alder.partition.jdbm.layer.IdSetDelta;
import org.alder.partition.jdbm.layer.KeyDeltaCursor;
import org.alder.partition.jdbm.layer.Layer;
import org.alder.partition.jdbm.layer.LayerStack;
import org.alder.partition.store.KeyRange;
import org.alder.partition.testing.Seed;
import org.junit.Test;

public class ProbedEntriesTest {
    private static final int IDS = 4 * ProbedEntries.ALONE + 9 * ProbedEntries.RUN_IDS;
    private static final EntryProbe PROBE = new EntryProbe(List.of(), passed -> true);

    /** Says of two thirds of its entries that the probe does not hold. */
    private static final class Thirds implements Layer {
        private final TreeMap<Long, EntryVersion> entries = new TreeMap<>();
        /** The probe fails at this entry. */
        private long damaged = -1;

        @Override
        public EntryVersion entry(long id, long sequence) {
            return entries.get(id);
        }

        @Override
        public IdSetDelta ids(int index, byte[] key, long sequence) {
            return IdSetDelta.EMPTY;
        }

        @Override
        public long netCardinality(int index, byte[] key, long sequence) {
            return 0;
        }

        @Override
        public KeyDeltaCursor keys(int index, KeyRange range, long sequence) {
            return KeyDeltaCursor.empty();
        }

        @Override
        public EntryVersionCursor entries(long fromId, long sequence) {
            return new Cursor(fromId);
        }

        private final class Cursor implements EntryVersionCursor {
            private long id;

            Cursor(long fromId) {
                id = fromId - 1;
            }

            @Override
            public boolean next() {
                Long next = entries.higherKey(id);
                id = next == null ? Long.MAX_VALUE : next;
                return next != null;
            }

            @Override
            public long id() {
                return id;
            }

            @Override
            public EntryVersion version() {
                throw new AssertionError("nobody wanted entry " + id + ", but it was decoded");
            }

            @Override
            public boolean isDeleted() {
                return false;
            }

            @Override
            public boolean mayMatch(EntryProbe probe) {
                if (id == damaged) {
                    throw new StoreException(StoreException.Kind.CORRUPT, "entry " + id + " is damaged");
                }
                return id % 3 == 0;
            }
        }
    }

    private static EntryVersion version() {
        return new EntryVersion(EntryRecord.of(0, "cn=x".getBytes(StandardCharsets.UTF_8),
                List.of(new Attribute("cn", List.of(new byte[] {'x'}))), List.of()));
    }

    private static Thirds layer(Random random) {
        Thirds layer = new Thirds();
        for (long id = 1; id <= IDS; id++) {
            if (random.nextInt(5) > 0) {
                layer.entries.put(id, version());
            }
        }
        return layer;
    }

    private static void assertWalked(Random random, Executor helpers) {
        Thirds older = layer(random);
        Thirds newer = new Thirds();
        older.entries.keySet().stream().filter(id -> id % 7 == 0).forEach(id -> newer.entries.put(id, version()));
        long from = 1 + random.nextInt(3000);
        ProbedEntries entries = new ProbedEntries(LayerStack.whole(List.of(older, newer), 1), from, helpers);
        List<Long> found = new ArrayList<>();
        while (entries.next()) {
            if (entries.mayMatch(PROBE)) {
                found.add(entries.id());
            }
        }
        assertEquals(older.entries.tailMap(from).keySet().stream().filter(id -> id % 3 == 0).toList(), found);
    }

    @Test(timeout = 120_000)
    public void theAnswersAreTheSameWithAndWithoutHelpers() throws InterruptedException {
        Random random = Seed.random(ProbedEntriesTest.class);
        ExecutorService threads = Executors.newFixedThreadPool(3);
        Executor unreliable = run -> {
            if (random.nextBoolean()) {
                threads.execute(run);
            }
        };
        for (Executor helpers : List.<Executor>of(run -> { }, Runnable::run, threads, unreliable)) {
            for (int round = 0; round < 5; round++) {
                assertWalked(random, helpers);
            }
        }
        threads.shutdown();
        assertTrue(threads.awaitTermination(1, TimeUnit.MINUTES));
    }

    @Test
    public void whatGoesWrongAheadGoesWrongAtItsEntry() {
        Thirds layer = layer(Seed.random(ProbedEntriesTest.class));
        layer.damaged = layer.entries.ceilingKey(ProbedEntries.ALONE + 5L * ProbedEntries.RUN_IDS);
        ProbedEntries entries = new ProbedEntries(LayerStack.whole(List.of(layer), 1), 0, Runnable::run);
        while (entries.next() && entries.id() < layer.damaged) {
            assertEquals(entries.id() % 3 == 0, entries.mayMatch(PROBE));
        }
        assertEquals(layer.damaged, entries.id());
        assertThrows(StoreException.class, () -> entries.mayMatch(PROBE));
    }

    @Test
    public void aFewEntriesAreAskedAlone() {
        List<Runnable> given = new ArrayList<>();
        ProbedEntries entries = new ProbedEntries(LayerStack.whole(List.of(layer(Seed.random(ProbedEntriesTest.class))), 1), 0, given::add);
        for (int i = 0; i < ProbedEntries.ALONE && entries.next(); i++) {
            entries.mayMatch(PROBE);
        }
        assertEquals(0, given.size());
        assertTrue(entries.next());
        entries.mayMatch(PROBE);
        assertEquals(ProbedEntries.RUNS_AHEAD, given.size());
    }
}
