package org.alder.partition.jdbm.segment;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import org.alder.partition.jdbm.block.TableSettings;
import org.alder.partition.jdbm.block.TableSummary;
import org.alder.partition.jdbm.disk.Disk;
import org.alder.partition.jdbm.key.KeyTableWriter;
import org.alder.partition.jdbm.layer.EntryVersion;
import org.alder.partition.jdbm.table.TableWriter;

/**
 * Writes a segment's entries as version {@link SegmentDescriptor#WITH_TABLE} has them, for members of a cluster with an older build, which copy it. One thread. Without {@link #finish()},
 * closing removes the files.
 */
final class MasterTableWriter implements Closeable {
    private final TableWriter table;
    private final KeyTableWriter keys;

    MasterTableWriter(Disk disk, Path folder) throws IOException {
        keys = new KeyTableWriter(disk, folder.resolve(SegmentDescriptor.MASTER_KEYS_FILE));
        table = TableWriter.create(disk, folder.resolve(SegmentDescriptor.MASTER_TABLE_FILE), TableSettings.index(), keys);
    }

    void add(long id, EntryVersion version) throws IOException {
        table.append(MasterKeys.key(id), MasterKeys.value(version));
        for (int number = 1; number <= MasterKeys.furtherParts(version); number++) {
            table.append(MasterKeys.partKey(id, number), MasterKeys.part(version, number));
        }
    }

    TableSummary finish() throws IOException {
        return table.finish();
    }

    /** Behind {@link #finish}. Null where there are too many entries for a key table. */
    TableSummary finishKeys() throws IOException {
        return keys.finish();
    }

    @Override
    public void close() throws IOException {
        try {
            table.close();
        } finally {
            keys.close();
        }
    }
}
