package org.alder.partition.jdbm.store;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.function.UnaryOperator;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.disk.MeteredDisk;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes segments of memory layers and of other segments, and publishes them: first in the manifest, then to new snapshots. One
 * flush and one merge may run at the same time.
 */
final class SegmentStock {
    private static final Logger LOG = LoggerFactory.getLogger(SegmentStock.class);

    private final StoreFolder folder;
    private final Catalog catalog;
    private final LiveState live;
    private final List<IndexSpec> indexes;
    private final SegmentSettings settings;
    private final SegmentOptions options;
    private final DiskSpace space;

    SegmentStock(StoreFolder folder, Catalog catalog, LiveState live, List<IndexSpec> indexes, SegmentSettings settings,
            SegmentOptions options, DiskSpace space) {
        this.folder = folder;
        this.catalog = catalog;
        this.live = live;
        this.indexes = indexes;
        this.settings = settings;
        this.options = options;
        this.space = space;
    }

    /**
     * Writes the oldest memory layer, which is frozen, into a segment, and removes the logs that only it needed.
     *
     * @param lastId an entry ID not below any in the layer
     * @param pace   how fast
     * @throws StoreException of kind DISK_FULL where there is no room: it can be tried again
     */
    void flush(MemoryLayer oldest, long lastId, WorkPace pace, BuildProgress progress) {
        space.require(oldest.sizeBytes());
        boolean lowest = live.current().layers().segments().isEmpty();
        List<MemoryLayer> layers = List.of(oldest);
        long last = oldest.lastSequence();
        LayerStack source = lowest ? LayerStack.whole(layers, last) : LayerStack.slice(layers, last);
        SequenceRange range = new SequenceRange(oldest.baseSequence() + 1, last);
        long number = catalog.takeSegmentNumber();
        Segment segment = build(number, source, range, pace, pace::worked, progress);
        try {
            long firstLog = folder.logs().fileOf(last + 1);
            publish(segment, manifest -> manifest.flushed(new Manifest.SegmentEntry(number, range), lastId,
                    oldest.netEntries(), firstLog));
            live.flushed(oldest, segment);
            removeLogsBefore(firstLog);
        } catch (IOException e) {
            throw new StoreException(StoreException.Kind.IO, "cannot list the logs in " + folder.path() + ": " + e, e);
        } finally {
            segment.release();
        }
    }

    /** What a manifest does not need any more may stay: the next flush tries again, and the next start removes it. */
    private void removeLogsBefore(long firstLog) {
        try {
            folder.logs().removeBefore(firstLog);
        } catch (IOException e) {
            LOG.warn("Cannot remove the logs of {} that are no longer needed", folder.path(), e);
        }
    }

    /** A segment that no manifest on the disk names only takes space. */
    private void publish(Segment segment, UnaryOperator<Manifest> change) {
        try {
            catalog.update(change);
        } catch (StoreException e) {
            if (!catalog.mayName(StoreFolder.numberOf(segment.folder()))) {
                segment.condemn();
            }
            throw fullOr(e);
        }
    }

    private StoreException fullOr(StoreException failure) {
        return space.isCauseOf(failure)
                ? new StoreException(StoreException.Kind.DISK_FULL, "the disk is full: " + failure.getMessage(), failure)
                : failure;
    }

    /**
     * Merges adjacent segments, to each of which the caller holds a reference, into one.
     *
     * @throws StoreException of kind DISK_FULL where there is no room: it can be tried again
     */
    void merge(List<Segment> sources, boolean lowest, WorkPace pace, BuildProgress progress) {
        space.requireBesideReserve(sources.stream().mapToLong(segment -> segment.descriptor().diskBytes()).sum());
        LayerStack source = lowest ? LayerStack.whole(sources, Long.MAX_VALUE) : LayerStack.slice(sources, Long.MAX_VALUE);
        SequenceRange range = sources.stream().map(segment -> segment.descriptor().sequences()).reduce(SequenceRange::join)
                .orElseThrow();
        long number = catalog.takeSegmentNumber();
        // The sources are read through mappings, which tell nobody. They have about half of the bytes written and summed.
        Segment segment = build(number, source, range, pace, bytes -> pace.worked(bytes + bytes / 2), progress);
        try {
            List<Long> numbers = sources.stream().map(merged -> StoreFolder.numberOf(merged.folder())).toList();
            publish(segment, manifest -> manifest.merged(numbers, new Manifest.SegmentEntry(number, range)));
            live.merged(sources, segment);
            sources.forEach(Segment::condemn);
        } finally {
            segment.release();
        }
    }

    private Segment build(long number, SegmentSource source, SequenceRange range, WorkPace pace, LongConsumer metered,
            BuildProgress progress) {
        Path path = folder.segment(number);
        pace.begin();
        try {
            SegmentWriter.write(path, source, indexes, range, settings.withDisk(new MeteredDisk(settings.disk(), metered)),
                    (phase, done, total) -> {
                        pace.worked(0);
                        progress.update(phase, done, total);
                    });
        } catch (StoreException e) {
            throw fullOr(e);
        }
        return Segment.open(path, options);
    }
}
