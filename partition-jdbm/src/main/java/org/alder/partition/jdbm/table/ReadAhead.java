package org.alder.partition.jdbm.table;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.alder.partition.jdbm.block.BigEndian;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the blocks of a cursor's coming keys brought into the operating system's page cache by several threads, in the order of the
 * file, before the cursor gets there. It does nothing until reads of blocks turn out to be slow, and ends when what it fetches
 * turns out to be there already, so it costs two looks at the clock for each block while the data are in memory.
 *
 * <p>At most {@link #MAX_BATCHES} batches of {@link #BATCH_KEYS} keys are ahead of the cursor, of each no more than
 * {@link #BATCH_BYTES} and one block, which is what a search that ends early has read for nothing. No heap is taken. One thread
 * uses it; the threads that fetch are daemons and shared by the whole process. What goes wrong in them is left to the cursor to
 * find.
 */
final class ReadAhead {

    static final int BATCH_KEYS = 16;
    static final int MAX_BATCHES = 32;
    /** Small blocks stay far below; of large ones so much is enough to keep a disk busy. */
    static final int BATCH_BYTES = 256 << 10;

    private static final Logger LOG = LoggerFactory.getLogger(ReadAhead.class);
    private static final int FIRST_BATCHES = 8;
    private static final int SLOW_READS = 2;
    /** Several times what a block takes that is in memory, less than any disk. */
    private static final long SLOW_READ_NANOS = 100_000;
    private static final long QUICK_FETCH_NANOS = 20_000;
    private static final int QUICK_BATCHES = MAX_BATCHES;
    /** A block has 4 KiB before compression: compressed, it is mostly on one page or on two. */
    private static final int BLOCK_PAGES = 2;
    private static final int THREADS = 16;
    private static final int QUEUED_BATCHES = 16 * MAX_BATCHES;
    private static final Executor FETCHERS = HelperThreads.start("read-ahead", THREADS, QUEUED_BATCHES);

    private final Table table;
    private final ComingKeys coming;
    private final Executor fetchers;
    private final Deque<byte[]> lastKeys = new ArrayDeque<>();
    private final AtomicInteger quickBatches = new AtomicInteger();
    private int slowReads;
    private boolean running;

    ReadAhead(Table table, ComingKeys coming) {
        this(table, coming, FETCHERS);
    }

    /** @param fetchers where batches are fetched; may refuse any without a word */
    ReadAhead(Table table, ComingKeys coming, Executor fetchers) {
        this.table = table;
        this.coming = coming;
        this.fetchers = fetchers;
    }

    /** The cursor read a block, for a key at or below this one, in so much time. */
    void blockRead(byte[] key, long nanos) {
        if (running) {
            goOn(key);
        } else if (nanos > SLOW_READ_NANOS && ++slowReads >= SLOW_READS) {
            running = true;
            coming.skipTo(key);
            submit(FIRST_BATCHES);
        }
    }

    private void goOn(byte[] key) {
        if (quickBatches.get() >= QUICK_BATCHES) {
            running = false;
            slowReads = 0;
            quickBatches.set(0);
            lastKeys.clear();
            return;
        }
        while (!lastKeys.isEmpty() && Arrays.compareUnsigned(lastKeys.peek(), key) <= 0) {
            lastKeys.poll();
            submit(2);
        }
    }

    private void submit(int batches) {
        for (int i = 0; i < batches && lastKeys.size() < MAX_BATCHES; i++) {
            List<byte[]> keys = new ArrayList<>(BATCH_KEYS);
            byte[] key = coming.next();
            while (key != null) {
                keys.add(key);
                key = keys.size() < BATCH_KEYS ? coming.next() : null;
            }
            if (keys.isEmpty()) {
                return;
            }
            lastKeys.add(keys.get(keys.size() - 1));
            fetchers.execute(() -> fetch(keys));
        }
    }

    private void fetch(List<byte[]> keys) {
        try {
            long start = System.nanoTime();
            int blocks = fetchBlocks(keys);
            boolean quick = System.nanoTime() - start < blocks * QUICK_FETCH_NANOS;
            quickBatches.updateAndGet(count -> quick ? count + 1 : 0);
        } catch (IOException | RuntimeException e) {
            LOG.debug("reading ahead in {} failed", table.file(), e);
        }
    }

    /** How many were fetched. */
    int fetchBlocks(List<byte[]> keys) throws IOException {
        TreeCursor tree = table.hasKeyTable() ? null : new TreeCursor(table.fetchingTree());
        int blocks = 0;
        long bytes = 0;
        long last = 0;
        for (int i = 0; i < keys.size() && bytes < BATCH_BYTES; i++) {
            long recordId = tree == null ? table.likelyBlock(keys.get(i)) : blockFor(keys.get(i), tree);
            if (recordId != 0 && recordId != last) {
                bytes += table.records().fetchPages(recordId, BLOCK_PAGES);
                last = recordId;
                blocks++;
            }
        }
        return blocks;
    }

    private static long blockFor(byte[] key, TreeCursor tree) {
        return tree.seek(key) ? BigEndian.getLong(tree.value(), 0) : 0;
    }
}
