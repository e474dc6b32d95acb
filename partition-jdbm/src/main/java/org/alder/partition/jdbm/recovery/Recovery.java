package org.alder.partition.jdbm.recovery;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.folder.Manifest;
import org.alder.partition.jdbm.folder.StoreFolder;
import org.alder.partition.jdbm.log.LogGroup;
import org.alder.partition.jdbm.log.LogSource;
import org.alder.partition.jdbm.log.Operation;
import org.alder.partition.jdbm.memory.ChangeBuilder;
import org.alder.partition.jdbm.memory.ChangeSet;
import org.alder.partition.jdbm.memory.MemoryLayer;
import org.alder.partition.jdbm.segment.IndexTables;
import org.alder.partition.jdbm.segment.Segment;
import org.alder.partition.jdbm.segment.SegmentOptions;
import org.alder.partition.jdbm.state.BoundedDnMemo;
import org.alder.partition.jdbm.state.EntryIds;
import org.alder.partition.jdbm.state.LayerSet;
import org.alder.partition.jdbm.state.LiveState;
import org.alder.partition.jdbm.state.StoreState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Builds the state that a manifest and the logs describe: opens the segments, then applies what the logs hold beyond them to a
 * memory layer. One thread, used once.
 */
public final class Recovery {
    private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);
    private static final long PROGRESS_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final StoreFolder folder;
    private final LogSource log;
    private final Manifest manifest;
    private final LiveState live;
    private final long firstPart;
    private final long startNanos = System.nanoTime();
    private long lastProgressNanos = startNanos;
    private long replayed;
    private long givenIds;

    /** Told after each group of the log; may flush. */
    public interface AfterGroup {
        void applied(LiveState live, long givenIds);
    }

    /** How a segment is opened. */
    @FunctionalInterface
    public interface SegmentOpener {
        Segment open(Path folder, SegmentOptions options, IndexTables tables);
    }

    /** Opens the segments. If that succeeds, the live state owns them. */
    public Recovery(StoreFolder folder, Manifest manifest, IndexTables tables, SegmentOpener opener, SegmentOptions options,
            BoundedDnMemo dnMemo) throws IOException {
        this.folder = folder;
        this.log = folder.source(manifest.storeId());
        this.manifest = manifest;
        this.givenIds = manifest.givenIds();
        List<Segment> segments = new ArrayList<>();
        try {
            manifest.segments().forEach(segment -> segments.add(opener.open(folder.segment(segment.number()), options, tables)));
            MemoryLayer memory = new MemoryLayer(tables.specs().size(), manifest.lastFlushed());
            this.firstPart = folder.firstPart(manifest);
            long time = log.timeBefore(firstPart);
            this.live = new LiveState(new StoreState(manifest.lastFlushed(), time, manifest.entries(),
                    new LayerSet(segments, List.of(memory), tables), dnMemo, manifest.records()));
        } finally {
            segments.forEach(Segment::release);
        }
    }

    public LiveState live() {
        return live;
    }

    /** How many entry IDs were given: {@link EntryIds#count}. */
    public long givenIds() {
        return givenIds;
    }

    /**
     * Applies the logs.
     *
     * @param cut whether a torn tail is removed from the last file
     */
    public void replay(boolean cut, AfterGroup afterGroup) throws IOException {
        log.replay(firstPart, cut, group -> {
            apply(group);
            afterGroup.applied(live, givenIds);
            logProgress();
        });
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
        LOG.info("Opened {} at sequence {}: {} segments, {} transactions from the log, {} ms", folder.path(),
                live.current().sequence(), manifest.segments().size(), replayed, millis);
    }

    /** Applies what of a group is behind what is shown, if it follows that. */
    public void applyBehind(LogGroup group) {
        long last = live.current().sequence();
        LogGroup rest = group.between(last, Long.MAX_VALUE);
        if (rest != null && rest.firstSequence() == last + 1) {
            apply(rest);
        }
    }

    private void apply(LogGroup group) {
        long sequence = group.firstSequence();
        if (sequence <= manifest.lastFlushed()) {
            // Segments do not tell when their last transaction was committed.
            StoreState flushed = live.current();
            live.publish(flushed.sequence(), group.timeMillis(), flushed.entries(), flushed.dnMemo(), flushed.records());
        }
        for (List<Operation> transaction : group.transactions()) {
            if (sequence > manifest.lastFlushed()) {
                apply(sequence, group.timeMillis(), transaction);
            }
            sequence++;
        }
    }

    private void apply(long sequence, long timeMillis, List<Operation> operations) {
        StoreState state = live.current();
        try {
            ChangeSet changes = ChangeBuilder.build(operations, state.layers().at(Long.MAX_VALUE), state.layers().indexer());
            state.layers().active().apply(sequence, changes);
            live.publish(sequence, timeMillis, state.entries() + changes.netEntries(), state.dnMemo(), Operation.applied(state.records(), operations));
        } catch (IllegalStateException e) {
            throw new StoreException(StoreException.Kind.CORRUPT, folder.path() + ": the log's transaction " + sequence
                    + " does not fit what is before it: " + e.getMessage(), e);
        }
        givenIds = EntryIds.after(givenIds, operations);
        replayed++;
    }

    private void logProgress() {
        long now = System.nanoTime();
        if (now - lastProgressNanos > PROGRESS_NANOS) {
            lastProgressNanos = now;
            LOG.info("Replaying the log of {}: {} transactions in {} s", folder.path(), replayed,
                    TimeUnit.NANOSECONDS.toSeconds(now - startNanos));
        }
    }
}
