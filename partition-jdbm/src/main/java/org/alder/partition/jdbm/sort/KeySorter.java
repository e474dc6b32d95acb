package org.alder.partition.jdbm.sort;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.alder.partition.jdbm.disk.Disk;
import org.alder.partition.jdbm.layer.KeyDeltaCursor;

/**
 * Sorts any number of (index, key, ID) triples with a fixed amount of memory: fills an arena, has it sorted and written as a run
 * by a thread of its own while the next arena fills, and merges the runs when they are read.
 *
 * <p>One thread adds and then calls {@link #finish()}; after that any threads may read, each its own cursors. {@link #close()}
 * removes the files.
 */
public final class KeySorter implements Closeable {
    private static final int TYPICAL_KEY_BYTES = 12;
    private static final int MIN_TRIPLES = 1024;
    private static final int MAX_KEY_BYTES = 1 << 30;

    private final Disk disk;
    private final Path folder;
    private final int indexCount;
    private final long[] tripleCounts;
    private final List<SortedRun> runs = new ArrayList<>();
    private final ExecutorService thread;
    private ArenaSorter sorter;
    private KeyArena filling;
    private KeyArena spare;
    private Future<SortedRun> spill;
    private boolean finished;

    /**
     * @param folder      exists; takes the runs, whose files may have no name where the system allows that
     * @param memoryBytes the heap the sort may take, about; reading takes another 64 KiB a run and cursor
     */
    public KeySorter(Disk disk, Path folder, int indexCount, long memoryBytes) {
        if (indexCount > Character.MAX_VALUE) {
            throw new IllegalArgumentException(indexCount + " indexes, expected at most " + (int) Character.MAX_VALUE);
        }
        this.disk = disk;
        this.folder = folder;
        this.indexCount = indexCount;
        this.sorter = new ArenaSorter(indexCount);
        this.tripleCounts = new long[indexCount];
        long perTriple = 2L * (KeyArena.TRIPLE_BYTES + TYPICAL_KEY_BYTES) + ArenaSorter.TRIPLE_BYTES;
        int triples = (int) Math.max(MIN_TRIPLES, Math.min(memoryBytes / perTriple, MAX_KEY_BYTES / TYPICAL_KEY_BYTES));
        this.filling = new KeyArena(triples, triples * TYPICAL_KEY_BYTES);
        this.spare = new KeyArena(triples, triples * TYPICAL_KEY_BYTES);
        this.thread = Executors.newSingleThreadExecutor(task -> {
            Thread spiller = new Thread(task, "alder-key-sorter");
            spiller.setDaemon(true);
            return spiller;
        });
    }

    /**
     * @param id not below any given before; the same triple twice counts once
     * @throws IOException where writing a run failed: close the sorter, it is of no use
     */
    public void add(int index, byte[] key, long id) throws IOException {
        if (!filling.add(index, key, id)) {
            startSpill();
            filling.add(index, key, id);
        }
        tripleCounts[index]++;
    }

    private void startSpill() throws IOException {
        awaitSpill();
        KeyArena full = filling;
        filling = spare;
        filling.clear();
        spare = full;
        Path file = folder.resolve("run-" + runs.size());
        ArenaSorter idle = sorter;
        spill = thread.submit(() -> {
            idle.sort(full);
            return SortedRun.write(disk, file, full, idle, indexCount);
        });
    }

    private void awaitSpill() throws IOException {
        if (spill == null) {
            return;
        }
        try {
            runs.add(spill.get());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while a run was sorted");
        } catch (ExecutionException e) {
            throw new IOException("cannot write a sorted run in " + folder + ": " + e.getCause(), e.getCause());
        }
        spill = null;
    }

    /** Writes the last run. From now on nothing can be added, and the keys can be read. */
    public void finish() throws IOException {
        startSpill();
        awaitSpill();
        // Reading may take long: give the memory back before.
        filling = null;
        spare = null;
        sorter = null;
        finished = true;
    }

    /** How many sorted runs were written so far. */
    int runCount() {
        return runs.size();
    }

    /** How many triples were added for the index. */
    public long tripleCount(int index) {
        return tripleCounts[index];
    }

    /** The keys of an index with their ID sets, after {@link #finish()}. */
    public KeyDeltaCursor keys(int index) {
        if (!finished) {
            throw new IllegalStateException("the sort is not finished");
        }
        return new RunMergeCursor(runs, index);
    }

    @Override
    public void close() throws IOException {
        thread.shutdown();
        try {
            if (!thread.awaitTermination(1, TimeUnit.HOURS)) {
                throw new IOException("a run in " + folder + " was not written within an hour");
            }
            if (spill != null) {
                awaitSpill();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while a run was sorted");
        } finally {
            for (SortedRun run : runs) {
                run.close();
            }
        }
    }
}
