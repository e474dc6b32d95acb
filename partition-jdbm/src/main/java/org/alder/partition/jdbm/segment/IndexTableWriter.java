package org.alder.partition.jdbm.segment;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import org.alder.partition.jdbm.block.TableSettings;
import org.alder.partition.jdbm.disk.Disk;
import org.alder.partition.jdbm.key.KeyTableWriter;
import org.alder.partition.jdbm.layer.IdSetDelta;
import org.alder.partition.jdbm.segment.SegmentDescriptor.IndexTable;
import org.alder.partition.jdbm.table.TableWriter;
import org.alder.partition.store.EntryIndexer.IndexSpec;

/** Writes one index table of a segment, with its key table. One thread. Without {@link #finish()}, closing removes the files. */
final class IndexTableWriter implements Closeable {
    private final IndexSpec spec;
    private final TableWriter table;
    /** Null where the index gets no key table. */
    private final KeyTableWriter keys;

    IndexTableWriter(Disk disk, Path folder, IndexSpec spec, TableSettings settings) throws IOException {
        this.spec = spec;
        this.keys = spec.primaryKey() ? new KeyTableWriter(disk, folder.resolve(SegmentDescriptor.keyTableName(spec))) : null;
        this.table = TableWriter.create(disk, folder.resolve(SegmentDescriptor.fileName(spec)), settings, keys);
    }

    /**
     * Leaves out a delta that changes nothing.
     *
     * @param key above all before
     */
    void append(byte[] key, IdSetDelta delta) throws IOException {
        if (!delta.isEmpty()) {
            table.append(key, IdSetCodec.encode(delta, spec.duplicateThreshold(), table));
        }
    }

    IndexTable finish() throws IOException {
        return new IndexTable(spec, table.finish(), keys == null ? null : keys.finish());
    }

    @Override
    public void close() throws IOException {
        try {
            table.close();
        } finally {
            if (keys != null) {
                keys.close();
            }
        }
    }
}
