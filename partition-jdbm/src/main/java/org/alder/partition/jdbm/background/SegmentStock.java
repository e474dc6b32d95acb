package org.alder.partition.jdbm.background;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.disk.Disk;
import org.alder.partition.jdbm.disk.LateSyncDisk;
import org.alder.partition.jdbm.disk.MeteredDisk;
import org.alder.partition.jdbm.folder.Catalog;
import org.alder.partition.jdbm.folder.DiskSpace;
import org.alder.partition.jdbm.folder.Manifest;
import org.alder.partition.jdbm.folder.StoreFolder;
import org.alder.partition.jdbm.layer.LayerStack;
import org.alder.partition.jdbm.layer.SegmentSource;
import org.alder.partition.jdbm.memory.MemoryLayer;
import org.alder.partition.jdbm.segment.IndexSegmentWriter;
import org.alder.partition.jdbm.segment.IndexTables;
import org.alder.partition.jdbm.segment.Segment;
import org.alder.partition.jdbm.segment.SegmentOptions;
import org.alder.partition.jdbm.segment.SegmentSettings;
import org.alder.partition.jdbm.segment.SegmentWriter;
import org.alder.partition.jdbm.segment.SequenceRange;
import org.alder.partition.jdbm.settings.SegmentMaking;
import org.alder.partition.jdbm.state.LayerSet;
import org.alder.partition.jdbm.state.LiveState;
import org.alder.partition.jdbm.state.StoreCaches;
import org.alder.partition.jdbm.state.StoreState;
import org.alder.partition.store.BulkLoad.BuildProgress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes segments of memory layers and of other segments, and publishes them: first in the manifest, then to new snapshots. One
 * flush and one merge may run at the same time.
 */
public final class SegmentStock {
    private static final Logger LOG = LoggerFactory.getLogger(SegmentStock.class);
    private static final long FLUSH_WARMING_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** A flush of less is over before the commit log waits for one large sync, and takes little more than its syncs. */
    private static final long LATE_SYNC_BYTES = 1 << 20;
    private static final long MERGE_WARMING_NANOS = TimeUnit.SECONDS.toNanos(30);

    /** What the sort of an index may take of the heap: one run of it is sorted at once, beside those who search. */
    private static final long INDEX_SORT_BYTES = 8L << 20;
    /** What an entry takes in an index, at least. */
    private static final long LEAST_KEY_BYTES = 8;
    /** After so many bytes a build of indexes looks again whether the reserve of the disk is left. */
    private static final long ROOM_CHECK_BYTES = 4L << 20;

    private final StoreFolder folder;
    private final Catalog catalog;
    private final LiveState live;
    private final Supplier<SegmentMaking> making;
    private final SegmentOptions options;
    private final DiskSpace space;
    private final StoreCaches caches;
    /**
     * What the last build of indexes had read and written when there was no more room: with less than that it is not begun again. 0
     * if it had enough. Of the one thread that builds them.
     */
    private long indexBytes;

    /** @param making asked for at each segment */
    public SegmentStock(StoreFolder folder, Catalog catalog, LiveState live, Supplier<SegmentMaking> making,
            SegmentOptions options, DiskSpace space, StoreCaches caches) {
        this.folder = folder;
        this.catalog = catalog;
        this.live = live;
        this.making = making;
        this.options = options;
        this.space = space;
        this.caches = caches;
    }

    /**
     * Writes the oldest memory layer, which is frozen, into a segment, and removes the logs that only it needed.
     *
     * @param givenIds how many entry IDs were given, also those in the layer
     * @param pace   how fast
     * @throws StoreException of kind DISK_FULL where there is no room: it can be tried again
     */
    public void flush(MemoryLayer oldest, long givenIds, WorkPace pace, BuildProgress progress) {
        requireRoom(oldest.sizeBytes());
        LayerSet below = live.current().layers();
        boolean lowest = below.segments().isEmpty() && isComplete(below.tables());
        List<MemoryLayer> layers = List.of(oldest);
        long last = oldest.lastSequence();
        LayerStack source = lowest ? LayerStack.whole(layers, last) : LayerStack.slice(layers, last);
        SequenceRange range = new SequenceRange(oldest.baseSequence() + 1, last);
        long firstLog = firstLogFor(last + 1);
        long number = catalog.takeSegmentNumber();
        Disk disk = oldest.sizeBytes() < LATE_SYNC_BYTES ? new LateSyncDisk(folder.disk()) : folder.disk();
        Segment segment = build(number, disk, source, below.tables(), range, pace, pace::worked, progress);
        try {
            warmUnpublished(warming(live.current().layers().segments()), segment, FLUSH_WARMING_NANOS, pace, progress);
            publish(segment, () -> catalog.update(manifest -> manifest.flushed(new Manifest.SegmentEntry(number, range), givenIds,
                    oldest.netEntries(), oldest.records(), firstLog).seen(folder.epoch())));
            live.flushed(oldest, segment);
            removeLogsBefore(firstLog);
        } finally {
            segment.release();
        }
    }

    /** Below an index that is being built come its keys: until then what takes some away again must stay. */
    private static boolean isComplete(IndexTables tables) {
        return tables.indexer().building().isEmpty();
    }

    /** The first log that is needed to go on from the given transaction. */
    private long firstLogFor(long sequence) {
        try {
            return folder.firstLogFor(catalog.manifest().storeId(), sequence);
        } catch (IOException e) {
            throw space.orShortage(new StoreException(StoreException.Kind.IO, "cannot list the logs in " + folder.path() + ": "
                    + e, e));
        }
    }

    /** The change history gives way to a flush: without it clients that synchronize get everything anew. */
    private void requireRoom(long bytes) {
        try {
            space.require(bytes);
        } catch (StoreException e) {
            try {
                folder.logs().removeBefore(catalog.manifest().firstLog(), 0);
            } catch (IOException notRemoved) {
                e.addSuppressed(notRemoved);
                throw e;
            }
            space.require(bytes);
        }
    }

    /** What a manifest does not need any more may stay: the next flush tries again, and the next start removes it. */
    private void removeLogsBefore(long firstLog) {
        try {
            folder.removeLogsBefore(firstLog);
        } catch (IOException e) {
            LOG.warn("Cannot remove the logs of {} that are no longer needed", folder.path(), e);
        }
    }

    /** A segment that no manifest on the disk names only takes space. */
    private void publish(Segment segment, Runnable change) {
        try {
            change.run();
        } catch (StoreException e) {
            if (!catalog.mayName(StoreFolder.numberOf(segment.folder()))) {
                segment.condemn();
            }
            throw space.orShortage(e);
        }
    }

    /** Whether changes of a state whose layers are frozen are not in segments yet that the manifest on the disk names. */
    boolean isUnflushed(StoreState at) {
        List<MemoryLayer> frozen = live.current().layers().frozen();
        return at.layers().frozen().stream().anyMatch(frozen::contains);
    }

    /**
     * A state that is flushed, from segments alone, so that its memory layers are not held; the state itself where there are segments
     * with later changes already. The caller's reference to its layers becomes one to those of what is returned.
     */
    StoreState withoutMemory(StoreState at) {
        LayerSet now = live.acquireSegments();
        try {
            List<Segment> segments = now.segments();
            if (!segments.isEmpty() && segments.get(segments.size() - 1).descriptor().sequences().last() > at.sequence()) {
                return at;
            }
            StoreState same = at.withLayers(new LayerSet(segments, List.of(), at.layers().tables()));
            at.layers().release();
            return same;
        } finally {
            now.release();
        }
    }

    /**
     * Builds the indexes that are being built and publishes them.
     *
     * @param at the state since which all layers have the changes of their keys, all of which is flushed; the caller holds its layers
     * @throws StoreException of kind DISK_FULL where there is no room: it can be tried again
     */
    void buildIndexes(StoreState at, WorkPace pace, BuildProgress progress) {
        IndexTables tables = at.layers().tables();
        space.requireBesideReserve(Math.max(indexBytes, at.entries() * LEAST_KEY_BYTES * tables.building().size()));
        long number = catalog.takeSegmentNumber();
        Segment segment = writeIndexes(number, at, tables, pace, progress);
        try {
            IndexTables built = tables.built();
            publish(segment, () -> catalog.reindex(built, new Manifest.SegmentEntry(number, IndexSegmentWriter.sequences())));
            live.indexed(segment, built);
        } finally {
            segment.release();
        }
    }

    private Segment writeIndexes(long number, StoreState at, IndexTables tables, WorkPace pace, BuildProgress progress) {
        Path path = folder.segment(number);
        Thread worker = Thread.currentThread();
        AtomicLong metered = new AtomicLong();
        MeteredDisk disk = new MeteredDisk(folder.disk(), bytes -> {
            metered.addAndGet(bytes);
            // Sorted keys are written by a thread of their own.
            if (Thread.currentThread() == worker) {
                pace.worked(bytes);
            }
        });
        long[] checked = new long[1];
        pace.begin();
        boolean done = false;
        try {
            new IndexSegmentWriter(tables, tables.indexer().building(),
                    folder.segmentSettings().withEntries(making.get().entryCodec()).withDisk(disk), INDEX_SORT_BYTES, (phase, count, total) -> {
                pace.worked(0);
                progress.update(phase, count, total);
                if (metered.get() - checked[0] > ROOM_CHECK_BYTES) {
                    checked[0] = metered.get();
                    space.requireBesideReserve(0);
                }
            }, pace).write(path, at.layers().at(at.sequence()), at.entries());
            Segment segment = Segment.open(path, options, tables);
            done = true;
            return segment;
        } catch (StoreException e) {
            StoreException failure = space.orShortage(e);
            indexBytes = failure.kind() == StoreException.Kind.DISK_FULL ? metered.get() : 0;
            throw failure;
        } finally {
            if (done) {
                indexBytes = 0;
            } else {
                removeUnopened(path);
            }
        }
    }

    /**
     * Merges adjacent segments, to each of which the caller holds a reference, into one.
     *
     * @param lowest whether nothing is below them
     * @param tables the indexes as of when they were the segments there are
     * @throws StoreException of kind DISK_FULL where there is no room: it can be tried again
     */
    void merge(List<Segment> sources, boolean lowest, IndexTables tables, WorkPace pace, BuildProgress progress) {
        space.requireBesideReserve(sources.stream().mapToLong(segment -> segment.descriptor().diskBytes()).sum());
        LayerStack source = lowest && isComplete(tables) ? LayerStack.whole(sources, Long.MAX_VALUE) : LayerStack.slice(sources, Long.MAX_VALUE);
        SequenceRange range = sources.stream().map(segment -> segment.descriptor().sequences()).reduce(SequenceRange::join)
                .orElseThrow();
        long number = catalog.takeSegmentNumber();
        // The sources are read through mappings, which tell nobody. They have about half of the bytes written and summed.
        Segment segment = build(number, folder.disk(), source, tables, range, pace, bytes -> pace.worked(bytes + bytes / 2), progress);
        Warming warming = warming(sources);
        try {
            warmUnpublished(warming, segment, MERGE_WARMING_NANOS, pace, progress);
            List<Long> numbers = sources.stream().map(merged -> StoreFolder.numberOf(merged.folder())).toList();
            publish(segment, () -> catalog.update(manifest -> manifest.merged(numbers, new Manifest.SegmentEntry(number, range))));
            live.merged(sources, segment);
            sources.forEach(Segment::condemn);
            warming.forgetSources();
            // Now there is room for what full caches did not take before.
            warm(warming, segment, MERGE_WARMING_NANOS, pace, progress);
        } finally {
            segment.release();
        }
    }

    private Warming warming(List<Segment> predecessors) {
        return new Warming(caches, making.get().warm() ? predecessors : List.of());
    }

    private void warmUnpublished(Warming warming, Segment segment, long limitNanos, WorkPace pace, BuildProgress progress) {
        boolean done = false;
        try {
            warm(warming, segment, limitNanos, pace, progress);
            done = true;
        } finally {
            if (!done) {
                segment.condemn();
            }
        }
    }

    /** Ends early when its time is over: the rest is read when it is asked for. */
    private void warm(Warming warming, Segment segment, long limitNanos, WorkPace pace, BuildProgress progress) {
        long start = System.nanoTime();
        warming.load(segment, () -> {
            pace.worked(0);
            progress.update("warming", 0, -1);
            return System.nanoTime() - start < limitNanos;
        });
    }

    private Segment build(long number, Disk disk, SegmentSource source, IndexTables tables, SequenceRange range, WorkPace pace, LongConsumer metered,
            BuildProgress progress) {
        Path path = folder.segment(number);
        SegmentSettings settings = folder.segmentSettings().withEntries(making.get().entryCodec());
        pace.begin();
        try {
            SegmentWriter.write(path, source, tables.specs(), range, settings.withDisk(new MeteredDisk(disk, metered)),
                    (phase, done, total) -> {
                        pace.worked(0);
                        progress.update(phase, done, total);
                    });
            return Segment.open(path, options, tables);
        } catch (StoreException e) {
            removeUnopened(path);
            throw space.orShortage(e);
        }
    }

    private void removeUnopened(Path segment) {
        try {
            folder.disk().deleteTree(segment);
        } catch (IOException e) {
            LOG.warn("Cannot remove {}, which is not needed; the next start does it", segment, e);
        }
    }
}
