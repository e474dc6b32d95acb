package org.alder.partition.jdbm.segment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.entry.LargeAttribute;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.layer.EntryVersionCursor;
import org.alder.partition.jdbm.layer.KeyDeltaCursor;
import org.alder.partition.jdbm.layer.LayerStack;
import org.alder.partition.jdbm.sort.KeySorter;
import org.alder.partition.jdbm.sort.SortPace;
import org.alder.partition.store.BulkLoad.BuildProgress;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.EntryIndexer.IndexSpec;
import org.alder.partition.store.KeyRange;
import org.alder.partition.store.ValueKeys;

/**
 * Writes a segment without entries that has the keys of some indexes for the entries of others. Below these it makes the indexes
 * complete, as long as all layers above what it was made of have the changes of their keys. One thread.
 */
public final class IndexSegmentWriter {
    private static final String SORT_FOLDER = "sort";
    private static final int PROGRESS_STEP = 64;
    /** So that nothing stands in the way of its place below all others. */
    private static final SequenceRange BEFORE_ALL = new SequenceRange(0, 0);

    private final IndexTables tables;
    private final BitSet indexes;
    private final SegmentSettings settings;
    private final long memoryBytes;
    private final BuildProgress progress;
    private final SortPace pace;

    /**
     * @param indexes     their numbers
     * @param memoryBytes the heap that sorting may take, about
     * @param progress    told every few dozen entries and keys. It may take its time, to throttle the build, and throw, to end it
     */
    public IndexSegmentWriter(IndexTables tables, BitSet indexes, SegmentSettings settings, long memoryBytes,
            BuildProgress progress) {
        this(tables, indexes, settings, memoryBytes, progress, SortPace.UNLIMITED);
    }

    /** @param pace how fast keys are sorted */
    public IndexSegmentWriter(IndexTables tables, BitSet indexes, SegmentSettings settings, long memoryBytes,
            BuildProgress progress, SortPace pace) {
        this.tables = tables;
        this.indexes = indexes;
        this.settings = settings;
        this.memoryBytes = memoryBytes;
        this.progress = progress;
        this.pace = pace;
    }

    /** The sequences of the segment that is written. */
    public static SequenceRange sequences() {
        return BEFORE_ALL;
    }

    /**
     * Writes and syncs it as {@link SegmentWriter#write} does.
     *
     * @param folder  must not exist; its parent must
     * @param source  a whole stack
     * @param entries how many it has
     */
    public SegmentDescriptor write(Path folder, LayerStack source, long entries) {
        Path sortFolder = folder.resolve(SORT_FOLDER);
        try (SegmentBuilder builder = new SegmentBuilder(folder, specs(), settings)) {
            builder.master().finish();
            settings.disk().createFolder(sortFolder);
            try (KeySorter sorter = new KeySorter(settings.disk(), sortFolder, tables.specs().size(), memoryBytes, 1, pace)) {
                addKeys(source, entries, sorter);
                sorter.finish();
                for (int index = 0; index < tables.specs().size(); index++) {
                    if (specs().get(index).isPresent()) {
                        build(builder, index, indexes.get(index) ? sorter.keys(index, 1) : KeyDeltaCursor.empty(), sorter.tripleCount(index));
                    }
                }
            }
            settings.disk().deleteTree(sortFolder);
            return builder.finish(BEFORE_ALL);
        } catch (IOException e) {
            throw failed(folder, e);
        } catch (UncheckedIOException e) {
            throw failed(folder, e.getCause());
        }
    }

    private static StoreException failed(Path folder, IOException cause) {
        return new StoreException(StoreException.Kind.IO, "cannot write segment " + folder + ": " + cause, cause);
    }

    private List<IndexSpec> specs() {
        List<IndexSpec> written = new ArrayList<>();
        for (int index = 0; index < tables.specs().size(); index++) {
            written.add(SegmentWriter.isInEach(index, tables.specs().get(index)) || indexes.get(index) ? tables.specs().get(index) : IndexSpec.NONE);
        }
        return written;
    }

    private void build(SegmentBuilder builder, int index, KeyDeltaCursor keys, long total) throws IOException {
        String phase = "index " + IndexTables.indexOf(tables.specs().get(index).name());
        long[] done = new long[1];
        builder.buildIndex(index, keys, (count, ids) -> progress.update(phase, done[0] += ids, total));
    }

    private void addKeys(LayerStack source, long entries, KeySorter sorter) {
        EntryVersionCursor cursor = source.entries();
        long done = 0;
        while (cursor.next()) {
            long id = cursor.id();
            EntryRecord record = cursor.version().record();
            EntryIndexer.KeyConsumer add = (index, key) -> add(sorter, index, key, id);
            tables.indexer().forEachKey(record, indexes, add);
            for (LargeAttribute attribute : record.largeAttributes()) {
                addLarge(source, id, attribute, add);
            }
            if (++done % PROGRESS_STEP == 0) {
                progress.update("entries", done, entries);
            }
        }
        progress.update("entries", done, entries);
    }

    private void addLarge(LayerStack source, long id, LargeAttribute attribute, EntryIndexer.KeyConsumer add) {
        KeyDeltaCursor values = source.keys(ValueKeys.INDEX, KeyRange.ofPrefix(ValueKeys.ofAttribute(id, attribute.slot())));
        for (long done = 0; values.next(); done++) {
            tables.indexer().forEachValueKey(attribute.description(), ValueKeys.form(values.key()), add);
            if (done % PROGRESS_STEP == 0) {
                progress.update("values", done, attribute.count());
            }
        }
    }

    private void add(KeySorter sorter, int index, byte[] key, long id) {
        try {
            if (indexes.get(index)) {
                sorter.add(index, key, id);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
