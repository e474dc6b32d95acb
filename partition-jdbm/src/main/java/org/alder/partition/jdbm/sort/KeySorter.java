package org.alder.partition.jdbm.sort;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.LongStream;
import org.alder.partition.jdbm.disk.Disk;
import org.alder.partition.jdbm.layer.KeyDeltaCursor;

/**
 * Sorts any number of (index, key, ID) triples with a fixed amount of memory: fills an arena, has it sorted and written as a run
 * by threads of its own while the next arena fills, and merges the runs when they are read. While it is slowed ({@link SortPace}) the
 * thread that adds sorts, too.
 *
 * <p>One thread adds and then calls {@link #finish()}; after that any threads may read, each its own cursors. {@link #close()}
 * removes the files.
 */
public final class KeySorter implements Closeable {
    private static final int TYPICAL_KEY_BYTES = 12;
    private static final int MIN_TRIPLES = 1024;
    private static final int MAX_KEY_BYTES = 1 << 30;
    private static final int MIN_BUFFER_BYTES = 1 << 12;
    private static final int MAX_BUFFER_BYTES = 1 << 16;

    private final Disk disk;
    private final Path folder;
    private final int indexCount;
    private final long memoryBytes;
    private final long[] tripleCounts;
    private final LongAdder spilledTriples = new LongAdder();
    private final List<SortedRun> runs = new ArrayList<>();
    private final Queue<Future<SortedRun>> spills = new ArrayDeque<>();
    private final ExecutorService threads;
    private final BlockingQueue<KeyArena> spares;
    private final BlockingQueue<ArenaSorter> sorters;
    private final SortPace pace;
    private KeyArena filling;
    private int startedRuns;
    private boolean finished;

    /**
     * @param folder      exists; takes the runs, whose files may have no name where the system allows that
     * @param memoryBytes the heap the sort may take, about; it is shared by as many arenas as there are threads and one more
     * @param threadCount how many arenas are sorted at the same time
     */
    public KeySorter(Disk disk, Path folder, int indexCount, long memoryBytes, int threadCount) {
        this(disk, folder, indexCount, memoryBytes, threadCount, SortPace.UNLIMITED);
    }

    /** @param pace asked before each arena is sorted, and told while the thread that adds does it */
    public KeySorter(Disk disk, Path folder, int indexCount, long memoryBytes, int threadCount, SortPace pace) {
        if (indexCount > Character.MAX_VALUE) {
            throw new IllegalArgumentException(indexCount + " indexes, expected at most " + (int) Character.MAX_VALUE);
        }
        this.disk = disk;
        this.pace = pace;
        this.folder = folder;
        this.indexCount = indexCount;
        this.memoryBytes = memoryBytes;
        this.tripleCounts = new long[indexCount];
        long perTriple = (threadCount + 1L) * (KeyArena.TRIPLE_BYTES + TYPICAL_KEY_BYTES)
                + (long) threadCount * ArenaSorter.TRIPLE_BYTES;
        int triples = (int) Math.max(MIN_TRIPLES, Math.min(memoryBytes / perTriple, MAX_KEY_BYTES / TYPICAL_KEY_BYTES));
        this.filling = new KeyArena(triples, triples * TYPICAL_KEY_BYTES);
        this.spares = new ArrayBlockingQueue<>(threadCount + 1);
        this.sorters = new ArrayBlockingQueue<>(threadCount);
        for (int thread = 0; thread < threadCount; thread++) {
            spares.add(new KeyArena(triples, triples * TYPICAL_KEY_BYTES));
            sorters.add(new ArenaSorter(indexCount));
        }
        this.threads = Executors.newFixedThreadPool(threadCount, task -> {
            Thread spiller = new Thread(task, "alder-key-sorter");
            spiller.setDaemon(true);
            return spiller;
        });
    }

    /** As {@link #add(int, byte[], int, int, long)}, with all of the array. */
    public void add(int index, byte[] key, long id) throws IOException {
        add(index, key, 0, key.length, id);
    }

    /**
     * @param keys the key lies in it from {@code from} to {@code to}, and is copied
     * @param id   not below any given before; the same triple twice counts once
     * @throws IOException where writing a run failed: close the sorter, it is of no use
     */
    public void add(int index, byte[] keys, int from, int to, long id) throws IOException {
        if (!filling.add(index, keys, from, to, id)) {
            startSpill();
            takeSpare();
            filling.add(index, keys, from, to, id);
        }
        tripleCounts[index]++;
    }

    private void startSpill() throws IOException {
        collectEnded();
        KeyArena full = filling;
        Path file = folder.resolve("run-" + startedRuns++);
        boolean here = pace.isSlowed();
        FutureTask<SortedRun> spill = new FutureTask<>(() -> sortAndWrite(full, file, here ? pace : SortPace.UNLIMITED));
        spills.add(spill);
        if (here) {
            spill.run();
        } else {
            threads.execute(spill);
        }
    }

    private void takeSpare() throws IOException {
        try {
            filling = spares.take();
        } catch (InterruptedException e) {
            throw interrupted();
        }
        filling.clear();
    }

    private InterruptedIOException interrupted() {
        Thread.currentThread().interrupt();
        return new InterruptedIOException("interrupted while a run was sorted");
    }

    /** There are as many sorters as threads: only the thread that adds may have to wait for one. */
    private SortedRun sortAndWrite(KeyArena full, Path file, SortPace its) throws IOException, InterruptedException {
        ArenaSorter sorter = sorters.take();
        try {
            sorter.sort(full, its);
            SortedRun run = SortedRun.write(disk, file, full, sorter, indexCount);
            spilledTriples.add(full.count());
            return run;
        } finally {
            sorters.add(sorter);
            spares.add(full);
        }
    }

    private void collectEnded() throws IOException {
        while (!spills.isEmpty() && spills.peek().isDone()) {
            collectNext();
        }
    }

    /** The runs stay in the order in which their arenas were filled, which is that of the IDs. */
    private void collectNext() throws IOException {
        try {
            runs.add(spills.remove().get());
        } catch (InterruptedException e) {
            throw interrupted();
        } catch (ExecutionException e) {
            throw new IOException("cannot write a sorted run in " + folder + ": " + e.getCause(), e.getCause());
        }
    }

    /** Writes the last run. From now on nothing can be added, and the keys can be read. */
    public void finish() throws IOException {
        startSpill();
        collectAll();
        // Reading may take long: give the memory back before.
        filling = null;
        spares.clear();
        sorters.clear();
        finished = true;
    }

    /** How many sorted runs were written so far. */
    int runCount() {
        return runs.size();
    }

    /** How many triples were added for all indexes. */
    public long tripleCount() {
        return LongStream.of(tripleCounts).sum();
    }

    /** How many of them are in runs; any thread may ask. */
    public long spilledTriples() {
        return spilledTriples.sum();
    }

    /** How many triples were added for the index. */
    public long tripleCount(int index) {
        return tripleCounts[index];
    }

    /**
     * The keys of an index with their ID sets, after {@link #finish()}.
     *
     * @param readers how many indexes are read at the same time: they share the memory of the sort, which is free then
     */
    public KeyDeltaCursor keys(int index, int readers) {
        if (!finished) {
            throw new IllegalStateException("the sort is not finished");
        }
        long share = memoryBytes / 2 / readers / Math.max(1, runs.size());
        return new RunMergeCursor(runs, index, (int) Math.max(MIN_BUFFER_BYTES, Math.min(MAX_BUFFER_BYTES, share)));
    }

    @Override
    public void close() throws IOException {
        threads.shutdown();
        try {
            if (!threads.awaitTermination(1, TimeUnit.HOURS)) {
                throw new IOException("a run in " + folder + " was not written within an hour");
            }
            collectAll();
        } catch (InterruptedException e) {
            throw interrupted();
        } finally {
            for (SortedRun run : runs) {
                run.close();
            }
        }
    }

    /** Also those behind one that failed. */
    private void collectAll() throws IOException {
        try {
            while (!spills.isEmpty()) {
                collectNext();
            }
        } finally {
            if (!spills.isEmpty()) {
                collectAll();
            }
        }
    }
}
