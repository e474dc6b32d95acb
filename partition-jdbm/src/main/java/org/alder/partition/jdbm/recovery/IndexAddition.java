package org.alder.partition.jdbm.recovery;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.alder.partition.jdbm.folder.KeptIndexes;
import org.alder.partition.jdbm.folder.Manifest;
import org.alder.partition.jdbm.folder.ManifestFile;
import org.alder.partition.jdbm.folder.StoreFolder;
import org.alder.partition.jdbm.layer.LayerStack;
import org.alder.partition.jdbm.segment.BulkSettings;
import org.alder.partition.jdbm.segment.IndexSegmentWriter;
import org.alder.partition.jdbm.segment.Segment;
import org.alder.partition.jdbm.segment.SegmentOptions;
import org.alder.partition.jdbm.segment.SegmentSettings;
import org.alder.partition.jdbm.entry.EntryCodec;
import org.alder.partition.jdbm.state.LiveState;
import org.alder.partition.jdbm.state.StoreSnapshot;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.LargeValues;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Builds the indexes that are missing from the entries in the segments, as one more segment below them, and leaves all others as
 * they are. What the log has beyond the segments is indexed when it is replayed. One thread, which holds the folder's lock; used
 * once.
 */
public final class IndexAddition {
    private static final Logger LOG = LoggerFactory.getLogger(IndexAddition.class);

    private final StoreFolder folder;
    private final Manifest manifest;
    private final EntryCodec entryCodec;
    private final KeptIndexes kept;
    private final LoggedProgress progress;

    public IndexAddition(StoreFolder folder, Manifest manifest, EntryCodec entryCodec, KeptIndexes kept) {
        this.folder = folder;
        this.progress = new LoggedProgress(LOG, folder.path());
        this.manifest = manifest;
        this.entryCodec = entryCodec;
        this.kept = kept;
    }

    /**
     * What is missing where only the data tell: those in the segments. What the log has beyond them gets the keys of the indexer when it is
     * replayed; but values that it moved out of their records were told apart by the rules of then.
     */
    public static KeptIndexes byData(StoreFolder folder, Manifest manifest, KeptIndexes kept) throws IOException {
        EntryIndexer indexer = kept.tables().indexer();
        if (!kept.dependsOnData()) {
            return kept;
        }
        LOG.info("Looking whether names in {} compare otherwise now: {}", folder.path(), kept.why());
        Recovery recovery = IndexRebuild.withoutIndexes(folder, manifest, indexer);
        try {
            KeptIndexes inSegments = byData(manifest, indexer, recovery.live());
            recovery.replay(true, (state, givenIds) -> { });
            KeptIndexes now = byData(manifest, indexer, recovery.live());
            return now.isAllMissing() ? now : inSegments;
        } finally {
            recovery.live().close();
        }
    }

    private static KeptIndexes byData(Manifest manifest, EntryIndexer indexer, LiveState live) {
        try (StoreSnapshot snapshot = new StoreSnapshot(live.current(), ended -> { })) {
            return KeptIndexes.of(manifest, indexer, snapshot);
        }
    }

    /**
     * Whether there is an entry with a large attribute that the indexes there are to be have not as such: its values have to go
     * back into its record, and all keys of the entry change.
     */
    public boolean changesEntries() throws IOException {
        EntryIndexer indexer = kept.tables().indexer();
        if (!indexer.hasValueTable()) {
            return false;
        }
        Recovery recovery = IndexRebuild.withoutIndexes(folder, manifest, indexer);
        LiveState live = recovery.live();
        try {
            recovery.replay(true, (state, givenIds) -> { });
            try (StoreSnapshot snapshot = new StoreSnapshot(live.current(), ended -> { })) {
                return !LargeValues.mayStay(snapshot, indexer);
            }
        } finally {
            live.close();
        }
    }

    /** The manifest with the indexes, which is published. */
    public Manifest run() throws IOException {
        Manifest.SegmentEntry built = manifest.segments().isEmpty() || kept.missing().isEmpty() ? null : build();
        Manifest next = manifest.indexed(built, kept.tables());
        ManifestFile.write(folder.disk(), folder.path(), next);
        return next;
    }

    private Manifest.SegmentEntry build() {
        LOG.info("Building indexes of {} from its entries, {}: {}", folder.path(), names(), kept.why());
        SegmentSettings settings = folder.segmentSettings().withEntries(entryCodec);
        IndexSegmentWriter writer = new IndexSegmentWriter(kept.tables(), kept.missing(), settings,
                BulkSettings.defaultMemoryBytes(), progress::update);
        List<Segment> segments = new ArrayList<>();
        try {
            manifest.segments().forEach(segment -> segments.add(
                    Segment.openEntries(folder.segment(segment.number()), SegmentOptions.uncached())));
            writer.write(folder.segment(manifest.nextSegment()), LayerStack.whole(segments, Long.MAX_VALUE), manifest.entries());
        } finally {
            segments.forEach(Segment::release);
        }
        LOG.info("Built indexes of {} for {} entries: {}", folder.path(), manifest.entries(), names());
        return new Manifest.SegmentEntry(manifest.nextSegment(), IndexSegmentWriter.sequences());
    }

    private String names() {
        return String.join(", ", kept.tables().names(kept.missing()));
    }
}
