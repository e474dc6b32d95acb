package org.alder.partition.jdbm.segment;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.layer.EntryVersionCursor;
import org.alder.partition.jdbm.layer.SegmentSource;
import org.alder.partition.store.BulkLoad.BuildProgress;
import org.alder.partition.store.EntryIndexer.IndexSpec;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.ValueKeys;

/**
 * Writes a segment from a frozen memory layer (flush) or a stack of adjacent segments (merge). Stateless; each call works on its
 * own folder and may run beside others.
 */
public final class SegmentWriter {
    private static final int PROGRESS_STEP = 64;

    private SegmentWriter() {
    }

    /**
     * Writes and syncs all tables, then the descriptor, then the folder. The folder's own name in its parent is not synced:
     * whoever publishes the segment does that. If anything fails, also the progress, what was written is removed again.
     *
     * @param folder   must not exist; its parent must
     * @param indexes  position = index number
     * @param progress told every few dozen entries and keys; the total is -1 as it is not known. It may take its time, to
     *                 throttle the build, and throw, to end it
     * @throws StoreException of kind IO where writing fails, or whatever the source throws
     */
    public static SegmentDescriptor write(Path folder, SegmentSource source, List<IndexSpec> indexes, SequenceRange sequences,
            SegmentSettings settings, BuildProgress progress) {
        try (SegmentBuilder builder = new SegmentBuilder(folder, indexes, settings)) {
            writeMaster(builder.master(), source.entries(), progress);
            for (int index = 0; index < indexes.size(); index++) {
                if (!indexes.get(index).isPresent()) {
                    continue;
                }
                String phase = "index " + indexes.get(index).name();
                long[] done = new long[1];
                SegmentBuilder.KeyProgress told = (keys, ids) -> progress.update(phase, done[0] += keys, -1);
                if (isInEach(index, indexes.get(index))) {
                    builder.buildIndex(index, source.keys(index), told);
                } else {
                    builder.buildIndexIfAny(index, source.keys(index), told);
                }
            }
            return builder.finish(sequences);
        } catch (IOException e) {
            throw new StoreException(StoreException.Kind.IO, "cannot write segment " + folder + ": " + e, e);
        }
    }

    /** Those of the hierarchy and of the value table are in every segment, if they are empty. */
    static boolean isInEach(int index, IndexSpec spec) {
        return index == HierarchyKeys.INDEX || index == ValueKeys.INDEX && spec.name().equals(ValueKeys.NAME);
    }

    private static void writeMaster(MasterWriter master, EntryVersionCursor entries, BuildProgress progress)
            throws IOException {
        long done = 0;
        while (entries.next()) {
            master.append(entries.id(), entries.version());
            if (++done % PROGRESS_STEP == 0) {
                progress.update("entries", done, -1);
            }
        }
        master.finish();
        progress.update("entries", done, -1);
    }
}
