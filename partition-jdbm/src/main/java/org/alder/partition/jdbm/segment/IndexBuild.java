package org.alder.partition.jdbm.segment;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.alder.partition.jdbm.layer.KeyDeltaCursor;
import org.alder.partition.jdbm.sort.KeySorter;
import org.alder.partition.store.BulkLoad.BuildProgress;
import org.alder.partition.store.HierarchyKeys;

/**
 * Builds the index tables of a bulk load from the sorted keys, several at a time. Used once, by one thread, which reports the
 * progress.
 */
final class IndexBuild {
    private static final String PHASE = "indexes";
    private static final long PROGRESS_MILLIS = 200;

    private final SegmentBuilder builder;
    private final KeySorter sorter;
    private final List<Integer> largestFirst;
    private final BuildProgress progress;
    private final LongAdder done = new LongAdder();
    private final long total;

    IndexBuild(SegmentBuilder builder, KeySorter sorter, int indexCount, BuildProgress progress) {
        this.builder = builder;
        this.sorter = sorter;
        this.progress = progress;
        // The largest first, so that no thread starts on it when the others are nearly done.
        this.largestFirst = IntStream.range(0, indexCount).boxed()
                .sorted(Comparator.comparingLong((Integer index) -> sorter.tripleCount(index)).reversed()).toList();
        this.total = IntStream.range(0, indexCount).mapToLong(sorter::tripleCount).sum();
    }

    void run(int threads) throws IOException {
        ExecutorService pool = Executors.newFixedThreadPool(threads, task -> {
            Thread thread = new Thread(task, "alder-index-builder");
            thread.setDaemon(true);
            return thread;
        });
        try {
            awaitAll(pool);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while indexes were built");
        } finally {
            end(pool);
        }
        progress.update(PHASE, total, total);
    }

    private void awaitAll(ExecutorService pool) throws InterruptedException, IOException {
        CompletionService<Void> tasks = new ExecutorCompletionService<>(pool);
        for (int index : largestFirst) {
            tasks.submit(() -> build(index));
        }
        int left = largestFirst.size();
        while (left > 0) {
            Future<Void> ended = tasks.poll(PROGRESS_MILLIS, TimeUnit.MILLISECONDS);
            progress.update(PHASE, Math.min(done.sum(), total), total);
            if (ended != null) {
                requireSuccess(ended);
                left--;
            }
        }
    }

    private Void build(int index) throws IOException {
        KeyDeltaCursor keys = sorter.keys(index);
        builder.buildIndex(index, index == HierarchyKeys.INDEX ? new NonLeafKeys(keys) : keys, (count, ids) -> done.add(ids));
        return null;
    }

    private static void requireSuccess(Future<Void> ended) throws InterruptedException, IOException {
        try {
            ended.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            if (e.getCause() instanceof IOException cause) {
                throw cause;
            }
            throw new IOException("building an index failed: " + e.getCause(), e.getCause());
        }
    }

    /** After this no thread touches the segment's folder any more, so it can be removed where the build failed. */
    private static void end(ExecutorService pool) throws IOException {
        pool.shutdownNow();
        try {
            if (!pool.awaitTermination(1, TimeUnit.HOURS)) {
                throw new IOException("an index was not built within an hour after the build was ended");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while indexes were built");
        }
    }
}
