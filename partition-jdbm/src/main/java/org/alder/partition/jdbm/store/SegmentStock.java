package org.alder.partition.jdbm.store;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.layer.LayerStack;
import org.alder.partition.jdbm.layer.SegmentSource;
import org.alder.partition.jdbm.memory.MemoryLayer;
import org.alder.partition.jdbm.segment.Segment;
import org.alder.partition.jdbm.segment.SegmentOptions;
import org.alder.partition.jdbm.segment.SegmentSettings;
import org.alder.partition.jdbm.segment.SegmentWriter;
import org.alder.partition.jdbm.segment.SequenceRange;
import org.alder.partition.store.BulkLoad.BuildProgress;
import org.alder.partition.store.EntryIndexer.IndexSpec;

/**
 * Makes segments of memory layers and of other segments, and publishes them: first in the manifest, then to new snapshots. One
 * flush and one merge may run at the same time.
 */
final class SegmentStock {
    private final StoreFolder folder;
    private final Catalog catalog;
    private final LiveState live;
    private final List<IndexSpec> indexes;
    private final SegmentSettings settings;
    private final SegmentOptions options;

    SegmentStock(StoreFolder folder, Catalog catalog, LiveState live, List<IndexSpec> indexes, SegmentSettings settings,
            SegmentOptions options) {
        this.folder = folder;
        this.catalog = catalog;
        this.live = live;
        this.indexes = indexes;
        this.settings = settings;
        this.options = options;
    }

    /**
     * Writes the oldest memory layer, which is frozen, into a segment, and removes the logs that only it needed.
     *
     * @param lastId an entry ID not below any in the layer
     */
    void flush(MemoryLayer oldest, long lastId, BuildProgress progress) {
        boolean lowest = live.current().layers().segments().isEmpty();
        List<MemoryLayer> layers = List.of(oldest);
        long last = oldest.lastSequence();
        LayerStack source = lowest ? LayerStack.whole(layers, last) : LayerStack.slice(layers, last);
        SequenceRange range = new SequenceRange(oldest.baseSequence() + 1, last);
        long number = catalog.takeSegmentNumber();
        Segment segment = build(number, source, range, progress);
        try {
            long firstLog = folder.logs().fileOf(last + 1);
            catalog.update(manifest -> manifest.flushed(new Manifest.SegmentEntry(number, range), lastId, oldest.netEntries(),
                    firstLog));
            live.flushed(oldest, segment);
            folder.logs().removeBefore(firstLog);
        } catch (IOException e) {
            throw new StoreException(StoreException.Kind.IO, "cannot remove old logs in " + folder.path() + ": " + e, e);
        } finally {
            segment.release();
        }
    }

    /** Merges adjacent segments, to each of which the caller holds a reference, into one. */
    void merge(List<Segment> sources, boolean lowest, BuildProgress progress) {
        LayerStack source = lowest ? LayerStack.whole(sources, Long.MAX_VALUE) : LayerStack.slice(sources, Long.MAX_VALUE);
        SequenceRange range = sources.stream().map(segment -> segment.descriptor().sequences()).reduce(SequenceRange::join)
                .orElseThrow();
        long number = catalog.takeSegmentNumber();
        Segment segment = build(number, source, range, progress);
        try {
            List<Long> numbers = sources.stream().map(merged -> StoreFolder.numberOf(merged.folder())).toList();
            catalog.update(manifest -> manifest.merged(numbers, new Manifest.SegmentEntry(number, range)));
            live.merged(sources, segment);
            sources.forEach(Segment::condemn);
        } finally {
            segment.release();
        }
    }

    private Segment build(long number, SegmentSource source, SequenceRange range, BuildProgress progress) {
        Path path = folder.segment(number);
        SegmentWriter.write(path, source, indexes, range, settings, progress);
        return Segment.open(path, options);
    }
}
