package org.alder.partition.jdbm.segment;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import org.alder.partition.jdbm.block.TableSettings;
import org.alder.partition.jdbm.disk.Disk;
import org.alder.partition.jdbm.key.KeyTableWriter;
import org.alder.partition.jdbm.layer.IdSetDelta;
import org.alder.partition.jdbm.layer.KeyDeltaCursor;
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
     * Appends the cursor's key with its change, if that changes anything. What one segment has alone is taken as it is there, where it would be written so here.
     *
     * @param keys at a key above all before
     * @return how many IDs the change has
     */
    long append(KeyDeltaCursor keys) throws IOException {
        byte[] stored = keys.stored();
        IdSetCodec.Head head = stored == null ? null : IdSetCodec.head(stored);
        if (head != null && head.isInline(spec.duplicateThreshold())) {
            table.append(keys.key(), stored);
            return head.added() + head.removed();
        }
        IdSetDelta delta = keys.delta();
        if (!delta.isEmpty()) {
            table.append(keys.key(), IdSetCodec.encode(delta, spec.duplicateThreshold(), table));
        }
        return delta.added().cardinality() + delta.removed().cardinality();
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
