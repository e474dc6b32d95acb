package org.alder.partition.jdbm.segment;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.StoreException;
import org.alder.partition.id.IdSet;
import org.alder.partition.jdbm.block.TableLimits;
import org.alder.partition.jdbm.disk.Disk;
import org.alder.partition.jdbm.layer.EntryVersion;
import org.alder.partition.jdbm.sort.KeySorter;
import org.alder.partition.store.BulkLoad;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.KeyedRecord;

/**
 * A bulk load into one new segment: records go straight into the master table, index keys through an external sort into the index
 * tables. One thread, but for {@link #prepare}; it uses threads of its own for sorting and for building the index tables.
 *
 * <p>Whoever creates it says how the finished segment is published. Closing it without that removes the folder.
 */
public final class BulkBuilder implements BulkLoad {
    private static final String SORT_FOLDER = "sort";

    private final Path folder;
    private final EntryIndexer indexer;
    private final SequenceRange sequences;
    private final BulkSettings settings;
    private final Publisher publisher;
    private final SegmentBuilder builder;
    private final KeySorter sorter;
    private long lastId;
    private volatile State state = State.LOADING;

    private enum State { LOADING, DEAD, BUILT, PUBLISHED, CLOSED }

    /** Makes a finished and synced segment the newest generation of its store. */
    @FunctionalInterface
    public interface Publisher {
        /** Must throw only if the segment is not published: its folder is then removed. */
        void publish(SegmentDescriptor segment);
    }

    private BulkBuilder(Path folder, EntryIndexer indexer, SequenceRange sequences, BulkSettings settings, Publisher publisher)
            throws IOException {
        this.folder = folder;
        this.indexer = indexer;
        this.sequences = sequences;
        this.settings = settings;
        this.publisher = publisher;
        this.builder = new SegmentBuilder(folder, indexer.indexes(), settings.segment());
        this.sorter = new KeySorter(disk(), sortFolder(), indexer.indexes().size(), settings.memoryBytes(),
                settings.sortThreads());
    }

    private Disk disk() {
        return settings.segment().disk();
    }

    private Path sortFolder() throws IOException {
        Path sort = workFolder();
        try {
            disk().createFolder(sort);
            return sort;
        } catch (IOException e) {
            builder.close();
            throw e;
        }
    }

    /**
     * Starts a load.
     *
     * @param folder    must not exist; its parent must. It becomes the segment; until then it also holds the sorted runs
     * @param sequences what the descriptor says of the commits the segment holds
     * @throws StoreException of kind IO where the folder cannot be made
     */
    public static BulkBuilder create(Path folder, EntryIndexer indexer, SequenceRange sequences, BulkSettings settings,
            Publisher publisher) {
        try {
            return new BulkBuilder(folder, indexer, sequences, settings, publisher);
        } catch (IOException e) {
            throw failed(folder, e);
        }
    }

    private static StoreException failed(Path folder, IOException e) {
        return new StoreException(StoreException.Kind.IO, "bulk load into " + folder + " failed: " + e.getMessage(), e);
    }

    @Override
    public KeyedRecord prepare(EntryRecord record) {
        return KeyedRecord.of(indexer, record);
    }

    @Override
    public void add(long id, KeyedRecord entry) {
        requireState(State.LOADING);
        if (id <= lastId || id > IdSet.MAX_ID) {
            throw new IllegalArgumentException("entry ID " + id + " after " + lastId + ", expected a greater one up to "
                    + IdSet.MAX_ID);
        }
        state = State.DEAD;
        try {
            lastId = id;
            entry.setId(id);
            builder.master().append(id, new EntryVersion(entry.record()));
            for (int key = 0; key < entry.keyCount(); key++) {
                addKey(entry.index(key), entry.keys(), entry.keyOffset(key), entry.keyEnd(key));
            }
        } catch (IOException e) {
            throw failed(folder, e);
        }
        state = State.LOADING;
    }

    private void addKey(int index, byte[] keys, int from, int to) throws IOException {
        if (from == to || to - from > TableLimits.MAX_KEY_BYTES) {
            throw new IllegalArgumentException("entry " + lastId + " has a key of " + (to - from) + " bytes in index "
                    + indexer.indexes().get(index).name() + ", expected 1 to " + TableLimits.MAX_KEY_BYTES);
        }
        sorter.add(index, keys, from, to, lastId);
    }

    @Override
    public Path workFolder() {
        return folder.resolve(SORT_FOLDER);
    }

    private void requireState(State expected) {
        if (state != expected) {
            throw new StoreException(StoreException.Kind.CLOSED, "the bulk load into " + folder + " is over: "
                    + (state == State.DEAD ? "it failed before" : "it was built, published or closed"));
        }
    }

    @Override
    public void build(BuildProgress progress) {
        if (state == State.BUILT) {
            return;
        }
        requireState(State.LOADING);
        state = State.DEAD;
        try {
            new PhaseTasks("sorting", sorter::spilledTriples, sorter.tripleCount(), progress).run(1, List.of(this::finishSort));
            new IndexBuild(builder, sorter, indexer.indexes().size(), settings.buildThreads(), progress).run();
            sorter.close();
            disk().deleteTree(workFolder());
            state = State.BUILT;
        } catch (IOException e) {
            throw failed(folder, e);
        }
    }

    @Override
    public void publish(BuildProgress progress) {
        build(progress);
        requireState(State.BUILT);
        state = State.DEAD;
        try {
            new PhaseTasks("publishing", () -> 0, 1, progress).run(1, List.of(this::publishSegment));
        } catch (IOException e) {
            throw failed(folder, e);
        }
    }

    private Void finishSort() throws IOException {
        sorter.finish();
        return null;
    }

    /** From here on a failure to report progress does not undo the load any more. */
    private Void publishSegment() throws IOException {
        publisher.publish(builder.finish(sequences));
        state = State.PUBLISHED;
        return null;
    }

    @Override
    public void close() {
        if (state == State.CLOSED) {
            return;
        }
        boolean published = state == State.PUBLISHED;
        state = State.CLOSED;
        try {
            sorter.close();
        } catch (IOException e) {
            throw failed(folder, e);
        } finally {
            closeBuilder(published);
        }
    }

    private void closeBuilder(boolean published) {
        try {
            builder.close();
            if (!published) {
                disk().deleteTree(folder);
            }
        } catch (IOException e) {
            throw failed(folder, e);
        }
    }
}
