package org.alder.partition.jdbm.segment;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import org.alder.partition.jdbm.block.TableSettings;
import org.alder.partition.jdbm.block.TableSummary;
import org.alder.partition.jdbm.disk.Disk;
import org.alder.partition.jdbm.key.KeyTableWriter;
import org.alder.partition.jdbm.layer.EntryVersion;
import org.alder.partition.jdbm.name.NameColumnWriter;
import org.alder.partition.jdbm.table.TableWriter;

/**
 * Writes a segment's master table with its key table and its names, and counts what goes in. One thread. Without {@link #finish()}, closing
 * removes the files.
 */
final class MasterTableWriter implements Closeable {
    private final TableWriter table;
    private final KeyTableWriter keys;
    private final NameColumnWriter names;
    private long entries;
    private long tombstones;
    private long minId;
    private long maxId;
    private TableSummary summary;
    private TableSummary keysSummary;
    private TableSummary namesSummary;

    MasterTableWriter(Disk disk, Path folder, TableSettings settings) throws IOException {
        keys = new KeyTableWriter(disk, folder.resolve(SegmentDescriptor.MASTER_KEYS_FILE));
        names = new NameColumnWriter(disk, folder.resolve(SegmentDescriptor.NAMES_FILE));
        table = TableWriter.create(disk, folder.resolve(SegmentDescriptor.MASTER_FILE), settings, keys);
    }

    /** @param id greater than all before */
    void append(long id, EntryVersion version) throws IOException {
        table.append(MasterKeys.key(id), MasterKeys.value(version));
        for (int number = 1; number <= MasterKeys.furtherParts(version); number++) {
            table.append(MasterKeys.partKey(id, number), MasterKeys.part(version, number));
        }
        names.add(id, version.record());
        if (version.isDeleted()) {
            tombstones++;
        } else {
            entries++;
        }
        minId = minId == 0 ? id : minId;
        maxId = id;
    }

    void finish() throws IOException {
        summary = table.finish();
        keysSummary = keys.finish();
        namesSummary = names.finish();
    }

    TableSummary summary() {
        return summary;
    }

    /** Null where there are too many entries for a key table. */
    TableSummary keysSummary() {
        return keysSummary;
    }

    /** Null where there are too many entries for a column of names. */
    TableSummary namesSummary() {
        return namesSummary;
    }

    long entries() {
        return entries;
    }

    long tombstones() {
        return tombstones;
    }

    long minId() {
        return minId;
    }

    long maxId() {
        return maxId;
    }

    @Override
    public void close() throws IOException {
        try {
            table.close();
        } finally {
            try {
                keys.close();
            } finally {
                names.close();
            }
        }
    }
}
