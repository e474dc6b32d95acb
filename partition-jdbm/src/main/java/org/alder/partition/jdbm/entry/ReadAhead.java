package org.alder.partition.jdbm.entry;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.alder.partition.id.IdSet;
import org.alder.partition.jdbm.task.HelperThreads;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the entries that will be asked for brought into the operating system's page cache by several threads, in the order of the
 * file, before their reader gets there. It does nothing until reads turn out to be slow, and ends when what it fetches
 * turns out to be there already, so it costs two looks at the clock for each group while the data are in memory.
 *
 * <p>At most {@link #MAX_BATCHES} batches of {@link #BATCH_IDS} entries are ahead of the reader, of each no more than
 * {@link #BATCH_BYTES} and one group, which is what a search that ends early has read for nothing. No heap is taken. One thread
 * uses it; the threads that fetch are daemons and shared by the whole process. What goes wrong in them is left to the reader to
 * find.
 */
final class ReadAhead {
    static final int BATCH_IDS = 16;
    static final int MAX_BATCHES = 32;
    /** Small groups stay far below; of large ones so much is enough to keep a disk busy. */
    static final int BATCH_BYTES = 256 << 10;

    private static final Logger LOG = LoggerFactory.getLogger(ReadAhead.class);
    private static final int FIRST_BATCHES = 8;
    private static final int SLOW_READS = 2;
    /** Several times what a read takes of what is in memory, less than any disk. */
    private static final long SLOW_READ_NANOS = 100_000;
    private static final long QUICK_FETCH_NANOS = 20_000;
    private static final int QUICK_BATCHES = MAX_BATCHES;
    private static final int THREADS = 16;
    private static final int QUEUED_BATCHES = 16 * MAX_BATCHES;
    private static final Executor FETCHERS = HelperThreads.start("read-ahead", THREADS, QUEUED_BATCHES);

    private final EntryFile file;
    private final IdSet.IdIterator coming;
    private final Executor fetchers;
    private final Deque<Long> lastIds = new ArrayDeque<>();
    private final AtomicInteger quickBatches = new AtomicInteger();
    private int slowReads;
    private boolean running;

    ReadAhead(EntryFile file, IdSet expected) {
        this(file, expected, FETCHERS);
    }

    /** @param fetchers where batches are fetched; may refuse any without a word */
    ReadAhead(EntryFile file, IdSet expected, Executor fetchers) {
        this.file = file;
        this.coming = expected.iterator();
        this.fetchers = fetchers;
    }

    /** The reader has read what is needed of an entry in another group than that of the one before, in so much time. */
    void read(long id, long nanos) {
        if (running) {
            goOn(id);
        } else if (nanos > SLOW_READ_NANOS && ++slowReads >= SLOW_READS) {
            running = true;
            coming.advanceTo(id);
            submit(FIRST_BATCHES);
        }
    }

    private void goOn(long id) {
        if (quickBatches.get() >= QUICK_BATCHES) {
            running = false;
            slowReads = 0;
            quickBatches.set(0);
            lastIds.clear();
            return;
        }
        while (!lastIds.isEmpty() && lastIds.peek() <= id) {
            lastIds.poll();
            submit(2);
        }
    }

    private void submit(int batches) {
        for (int i = 0; i < batches && lastIds.size() < MAX_BATCHES; i++) {
            long[] ids = new long[BATCH_IDS];
            int count = 0;
            while (count < BATCH_IDS && coming.hasNext()) {
                ids[count++] = coming.next();
            }
            if (count == 0) {
                return;
            }
            lastIds.add(ids[count - 1]);
            int known = count;
            fetchers.execute(() -> fetch(ids, known));
        }
    }

    private void fetch(long[] ids, int count) {
        try {
            long start = System.nanoTime();
            int groups = fetchGroups(ids, count);
            boolean quick = System.nanoTime() - start < groups * QUICK_FETCH_NANOS;
            quickBatches.updateAndGet(batches -> quick ? batches + 1 : 0);
        } catch (IOException | RuntimeException e) {
            LOG.debug("reading ahead in {} failed", file.file(), e);
        }
    }

    /** How many were fetched. */
    int fetchGroups(long[] ids, int count) throws IOException {
        int groups = 0;
        long bytes = 0;
        int last = -1;
        for (int i = 0; i < count && bytes < BATCH_BYTES; i++) {
            int group = file.groupOf(ids[i], 0);
            if (group >= 0 && group != last) {
                bytes += file.fetch(group, BATCH_BYTES);
                last = group;
                groups++;
            }
        }
        return groups;
    }
}
