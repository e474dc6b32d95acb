package org.alder.partition.jdbm.block;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.CompletableFuture;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.alder.partition.testing.Await;
import org.alder.partition.testing.Seed;
import org.junit.Test;

public class BlockCacheTest {
    private static final int THREADS = 4;

    /** Knows where it belongs. */
    private record Sample(long tableId, long recordId, int weightBytes) implements BlockCache.Block {
    }

    private final Random random = Seed.random(BlockCacheTest.class);

    private Sample sample(long tableId, long recordId) {
        return new Sample(tableId, recordId, 100 + random.nextInt(8000));
    }

    private static void put(BlockCache<Sample> cache, Sample sample) {
        cache.put(sample.tableId, sample.recordId, sample);
    }

    private static void requireConsistent(BlockCache<Sample> cache) {
        long[] found = new long[2];
        cache.forEach((tableId, sample) -> {
            assertEquals(tableId, sample.tableId);
            found[0]++;
            found[1] += sample.weightBytes;
        });
        assertEquals(found[0], cache.count());
        assertEquals(found[1], cache.sizeBytes());
        assertTrue(cache.sizeBytes() <= cache.limitBytes());
    }

    @Test
    public void whatIsFoundIsWhatWasPut() {
        BlockCache<Sample> cache = new BlockCache<>(1 << 20);
        long lookups = 0;
        for (int i = 0; i < 200_000; i++) {
            long table = random.nextInt(3);
            long record = random.nextInt(2000);
            Sample found = cache.get(table, record);
            lookups++;
            if (found == null) {
                put(cache, sample(table, record));
            } else {
                assertEquals(table, found.tableId);
                assertEquals(record, found.recordId);
            }
        }
        requireConsistent(cache);
        assertEquals(lookups, cache.hits() + cache.misses());
        assertTrue("nearly full: " + cache.sizeBytes(), cache.sizeBytes() > (1 << 20) * 0.95);
    }

    /** Also while others read and put. */
    @Test
    public void anotherBoundHoldsAtOnce() throws Exception {
        BlockCache<Sample> cache = new BlockCache<>(1 << 20);
        AtomicBoolean stop = new AtomicBoolean();
        CompletableFuture<Void> beside = CompletableFuture.runAsync(() -> {
            for (long i = 0; !stop.get(); i++) {
                long record = i % 5000;
                Sample found = cache.get(1, record);
                if (found == null) {
                    cache.put(1, record, new Sample(1, record, 4000));
                } else {
                    assertEquals(record, found.recordId);
                }
            }
        });
        for (long limit : new long[] {1 << 18, 4 << 20, 0, 1 << 22, 9000, 1 << 21}) {
            cache.limit(limit);
            assertEquals(limit, cache.limitBytes());
            assertTrue(cache.sizeBytes() + " of " + limit, cache.sizeBytes() <= limit);
            if (limit > 10_000) {
                Await.until("it is filled anew", () -> cache.sizeBytes() > limit * 0.7);
            }
        }
        stop.set(true);
        Await.result("the reader", beside);
        requireConsistent(cache);
        cache.limit(1 << 22);
        assertTrue("what is kept stays when there is more room", cache.sizeBytes() > (1 << 21) * 0.6);
    }

    @Test
    public void allFitsBelowTheBound() {
        BlockCache<Sample> cache = new BlockCache<>(4000 * 1000);
        for (int i = 0; i < 900; i++) {
            put(cache, new Sample(1, i, 4000));
        }
        int kept = 0;
        for (int i = 0; i < 900; i++) {
            kept += cache.get(1, i) == null ? 0 : 1;
        }
        assertTrue("a set that is full drops one: " + kept, kept > 880);
    }

    @Test
    public void onePassOverALotLeavesWhatIsUsedInPlace() {
        BlockCache<Sample> cache = new BlockCache<>(4000 * 1000);
        for (int i = 0; i < 500; i++) {
            put(cache, new Sample(1, i, 4000));
        }
        for (int i = 0; i < 10_000; i++) {
            put(cache, new Sample(2, i, 4000));
            if (i % 10 == 0) {
                for (int hot = 0; hot < 500; hot++) {
                    cache.get(1, hot);
                }
            }
        }
        int left = 0;
        for (int hot = 0; hot < 500; hot++) {
            left += cache.get(1, hot) == null ? 0 : 1;
        }
        assertTrue("of 500 that are used, left: " + left, left > 450);
        requireConsistent(cache);
    }

    @Test
    public void whatIsAskedForOftenGetsInOnceTheCacheIsFull() {
        BlockCache<Sample> cache = new BlockCache<>(100 * 1000);
        for (int i = 0; i < 200; i++) {
            put(cache, new Sample(1, i, 1000));
        }
        int tries = 0;
        while (cache.get(2, 7) == null && tries < 10_000) {
            put(cache, new Sample(2, 7, 1000));
            tries++;
        }
        assertTrue("got in after " + tries, tries < 10_000);
    }

    @Test
    public void tablesAreForgotten() {
        BlockCache<Sample> cache = new BlockCache<>(1 << 20);
        put(cache, sample(1, 10));
        put(cache, sample(2, 10));
        cache.forget(Set.of(1L));
        assertNull(cache.get(1, 10));
        assertNotNull(cache.get(2, 10));
        requireConsistent(cache);
        cache.clear();
        assertNull(cache.get(2, 10));
        assertEquals(0, cache.sizeBytes());
    }

    @Test
    public void withoutABoundNothingIsKept() {
        BlockCache<Sample> cache = new BlockCache<>(0);
        put(cache, sample(1, 1));
        assertNull(cache.get(1, 1));
        assertEquals(0, cache.count());
        assertEquals(1, cache.misses());
    }

    @Test
    public void aValueAboveTheBoundIsNotKept() {
        BlockCache<Sample> cache = new BlockCache<>(10_000);
        put(cache, new Sample(1, 1, 100));
        put(cache, new Sample(1, 2, 10_001));
        assertNull(cache.get(1, 2));
        assertNotNull(cache.get(1, 1));
    }

    @Test
    public void threadsSeeOnlyWhatIsRight() throws InterruptedException, ExecutionException {
        BlockCache<Sample> cache = new BlockCache<>(300_000);
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        List<Future<Long>> wrong = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            long seed = random.nextLong();
            wrong.add(threads.submit(() -> wrongAnswers(cache, new Random(seed))));
        }
        for (Future<Long> answers : wrong) {
            assertEquals(0, (long) Await.result("the answers of a thread", answers));
        }
        threads.shutdown();
        requireConsistent(cache);
    }

    private static long wrongAnswers(BlockCache<Sample> cache, Random random) {
        long wrong = 0;
        for (int i = 0; i < 100_000; i++) {
            long table = random.nextInt(2);
            long record = random.nextInt(300);
            Sample found = cache.get(table, record);
            if (found == null) {
                put(cache, new Sample(table, record, 1000 + random.nextInt(3000)));
            } else if (found.tableId != table || found.recordId != record) {
                wrong++;
            }
            if (i % 10_000 == 0) {
                cache.forget(Set.of(table));
            }
        }
        return wrong;
    }
}
