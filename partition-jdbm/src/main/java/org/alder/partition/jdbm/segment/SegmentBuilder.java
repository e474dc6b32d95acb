package org.alder.partition.jdbm.segment;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.alder.partition.jdbm.disk.Disk;
import org.alder.partition.jdbm.layer.KeyDeltaCursor;
import org.alder.partition.jdbm.segment.SegmentDescriptor.IndexTable;
import org.alder.partition.store.EntryIndexer.IndexSpec;

/**
 * A segment that comes into being: makes the folder, hands out the writers of its tables, and writes the descriptor when all are
 * done. The only way a segment is made, whatever feeds it. Closing without {@link #finish} removes the folder.
 *
 * <p>Used by one thread, except that {@link #buildIndex} may run for different indexes at the same time.
 */
final class SegmentBuilder implements Closeable {
    /** Told how far an index table is, now and then. */
    interface KeyProgress {
        /** @param keys and {@code ids} are those since the last time */
        void advance(long keys, long ids);
    }

    private static final int PROGRESS_STEP = 64;

    private final Path folder;
    private final List<IndexSpec> specs;
    private final SegmentSettings settings;
    private final Disk disk;
    private final IndexTable[] indexes;
    private final MasterWriter master;
    private boolean finished;

    /**
     * @param folder must not exist; its parent must
     * @param specs  position = index number; no table is built where there is none
     * @throws IllegalArgumentException where an index cannot be stored
     */
    SegmentBuilder(Path folder, List<IndexSpec> specs, SegmentSettings settings) throws IOException {
        this.folder = folder;
        this.specs = List.copyOf(specs);
        SegmentIndexes.require(specs.stream().filter(IndexSpec::isPresent).toList());
        this.settings = settings;
        this.disk = settings.disk();
        this.indexes = new IndexTable[specs.size()];
        disk.createFolder(folder);
        try {
            master = new MasterWriter(folder, settings);
        } catch (IOException | RuntimeException e) {
            disk.deleteTree(folder);
            throw e;
        }
    }

    MasterWriter master() {
        return master;
    }

    /** Writes one index table from its keys. */
    void buildIndex(int index, KeyDeltaCursor keys, KeyProgress progress) throws IOException {
        write(index, keys, keys.next(), progress);
    }

    /** The same, but no table where there are no keys. */
    void buildIndexIfAny(int index, KeyDeltaCursor keys, KeyProgress progress) throws IOException {
        if (keys.next()) {
            write(index, keys, true, progress);
        }
    }

    /** @param keys at the first one, if there is one */
    private void write(int index, KeyDeltaCursor keys, boolean isFirst, KeyProgress progress) throws IOException {
        try (IndexTableWriter writer = new IndexTableWriter(disk, folder, specs.get(index), settings.index())) {
            long count = 0;
            long ids = 0;
            for (boolean more = isFirst; more; more = keys.next()) {
                ids += writer.append(keys);
                if (++count == PROGRESS_STEP) {
                    progress.advance(count, ids);
                    count = 0;
                    ids = 0;
                }
            }
            indexes[index] = writer.finish();
            progress.advance(count, ids);
        }
    }

    /** Writes the descriptor last, when every table is finished and synced, and syncs the folder. */
    SegmentDescriptor finish(SequenceRange sequences) throws IOException {
        SegmentDescriptor descriptor = new SegmentDescriptor(settings.version(), sequences, master.entries(),
                master.tombstones(), master.minId(), master.maxId(), master.summary(), master.keysSummary(), master.namesSummary(),
                Arrays.stream(indexes).filter(Objects::nonNull).toList());
        // The tables' names must be durable before the descriptor is, which vouches for them.
        disk.syncFolder(folder);
        DescriptorFile.write(disk, folder, descriptor);
        disk.syncFolder(folder);
        finished = true;
        return descriptor;
    }

    @Override
    public void close() throws IOException {
        try {
            master.close();
        } finally {
            if (!finished) {
                disk.deleteTree(folder);
            }
        }
    }
}
