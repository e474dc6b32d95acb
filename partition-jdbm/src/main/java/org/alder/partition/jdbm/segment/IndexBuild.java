package org.alder.partition.jdbm.segment;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.alder.partition.jdbm.layer.KeyDeltaCursor;
import org.alder.partition.jdbm.sort.KeySorter;
import org.alder.partition.store.BulkLoad.BuildProgress;
import org.alder.partition.store.HierarchyKeys;

/**
 * Builds the index tables of a bulk load from the sorted keys, several at a time, and syncs the master table beside it. Used
 * once, by one thread, which reports the progress.
 */
final class IndexBuild {
    private final SegmentBuilder builder;
    private final KeySorter sorter;
    private final int threads;
    private final List<Integer> largestFirst;
    private final BuildProgress progress;
    private final LongAdder done = new LongAdder();
    private final long total;

    IndexBuild(SegmentBuilder builder, KeySorter sorter, int indexCount, int threads, BuildProgress progress) {
        this.builder = builder;
        this.sorter = sorter;
        this.threads = threads;
        this.progress = progress;
        // The largest first, so that no thread starts on it when the others are nearly done.
        this.largestFirst = IntStream.range(0, indexCount).boxed()
                .sorted(Comparator.comparingLong((Integer index) -> sorter.tripleCount(index)).reversed()).toList();
        this.total = IntStream.range(0, indexCount).mapToLong(sorter::tripleCount).sum();
    }

    void run() throws IOException {
        List<Callable<Void>> tasks = new ArrayList<>();
        tasks.add(this::finishMaster);
        largestFirst.forEach(index -> tasks.add(() -> build(index)));
        new PhaseTasks("indexes", done::sum, total, progress).run(threads, tasks);
    }

    private Void finishMaster() throws IOException {
        builder.master().finish();
        return null;
    }

    private Void build(int index) throws IOException {
        KeyDeltaCursor keys = sorter.keys(index, threads);
        builder.buildIndex(index, index == HierarchyKeys.INDEX ? new NonLeafKeys(keys) : keys, (count, ids) -> done.add(ids));
        return null;
    }
}
