package org.alder.partition.jdbm.recovery;

import java.io.IOException;
import java.util.List;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.jdbm.folder.Manifest;
import org.alder.partition.jdbm.folder.StoreFolder;
import org.alder.partition.jdbm.segment.BulkBuilder;
import org.alder.partition.jdbm.segment.BulkSettings;
import org.alder.partition.jdbm.segment.IndexTables;
import org.alder.partition.jdbm.segment.Segment;
import org.alder.partition.jdbm.segment.SegmentOptions;
import org.alder.partition.jdbm.entry.EntryCodec;
import org.alder.partition.jdbm.state.BoundedDnMemo;
import org.alder.partition.jdbm.state.LiveState;
import org.alder.partition.jdbm.state.StoreSnapshot;
import org.alder.partition.jdbm.state.StoreState;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.LargeValues;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.ValueKeys;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Builds all indexes anew from the entries and the value table, as a new generation, because the data are indexed by
 * others than are wanted, or the indexes are damaged. An index that is not there is never served as an empty one. The old indexes are not even
 * opened. One thread, which holds the folder's lock; used once.
 */
public final class IndexRebuild {
    private static final Logger LOG = LoggerFactory.getLogger(IndexRebuild.class);

    private final StoreFolder folder;
    private final Manifest manifest;
    private final EntryCodec entryCodec;
    private final EntryIndexer indexer;
    private final LoggedProgress progress;

    public IndexRebuild(StoreFolder folder, Manifest manifest, EntryCodec entryCodec, EntryIndexer indexer) {
        this.folder = folder;
        this.progress = new LoggedProgress(LOG, folder.path());
        this.manifest = manifest;
        this.entryCodec = entryCodec;
        this.indexer = indexer;
    }

    /**
     * The manifest of the new generation, which is published.
     *
     * @param why for the log
     */
    public Manifest run(String why) throws IOException {
        LOG.info("Building all indexes of {} from its entries: {}", folder.path(), why);
        Recovery recovery = withoutIndexes(folder, manifest, indexer);
        LiveState live = recovery.live();
        try {
            recovery.replay(true, (state, givenIds) -> { });
            StoreState state = live.current();
            NextGeneration next = new NextGeneration(folder, null, manifest, state.sequence(), state::timeMillis, recovery.givenIds(),
                    state.records(), indexer);
            try (BulkBuilder builder = next.builder(entryCodec, BulkSettings.defaultMemoryBytes())) {
                addEntries(builder, state);
                builder.publish(progress::update);
            }
            LOG.info("Built the indexes of {} for {} entries", folder.path(), next.published().entries());
            return next.published();
        } finally {
            live.close();
        }
    }

    /** What the folder holds, of which no index is opened and no key derived. */
    static Recovery withoutIndexes(StoreFolder folder, Manifest manifest, EntryIndexer indexer) throws IOException {
        return new Recovery(folder, manifest, IndexTables.of(new NoKeys(indexer)), (path, options, tables) -> Segment.openEntries(path, options),
                SegmentOptions.uncached(), new BoundedDnMemo(0));
    }

    private void addEntries(BulkBuilder builder, StoreState state) {
        long done = 0;
        try (StoreSnapshot snapshot = new StoreSnapshot(state, ended -> { });
                Snapshot.EntryCursor entries = snapshot.entries(1)) {
            while (entries.next()) {
                // Which attributes are large is decided anew, as for a load.
                builder.add(entries.id(), new LargeValues(snapshot, entries.id()).whole(entries.entry()));
                progress.update("entries", ++done, state.entries());
            }
        }
    }

    /**
     * What the log can be applied with when there are no indexes but the value table. What it is asked about large attributes is
     * what logs of version 2 do not say.
     */
    private record NoKeys(EntryIndexer indexer) implements EntryIndexer {
        @Override
        public List<IndexSpec> indexes() {
            return indexer.indexes().subList(0, (hasValueTable() ? ValueKeys.INDEX : HierarchyKeys.INDEX) + 1);
        }

        @Override
        public void forEachKey(EntryRecord entry, KeyConsumer consumer) {
            // Entries are found by ID; the keys are derived when the entries are whole.
        }

        @Override
        public boolean hasValueTable() {
            return indexer.hasValueTable();
        }

        @Override
        public EntryRecord split(EntryRecord record, SlotUse slots, ValueConsumer moved) {
            return indexer.split(record, slots, moved);
        }

        @Override
        public boolean mayStayLarge(EntryRecord record) {
            return indexer.mayStayLarge(record);
        }

        @Override
        public byte[] valueForm(String description, byte[] value) {
            return indexer.valueForm(description, value);
        }

        @Override
        public void forEachValueKey(String description, byte[] form, KeyConsumer consumer) {
            // As for entries.
        }
    }
}
