package org.alder.partition.jdbm.segment;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import org.alder.partition.jdbm.disk.Disk;
import org.alder.partition.jdbm.layer.EntryVersion;
import org.alder.partition.jdbm.table.TableSettings;
import org.alder.partition.jdbm.table.TableSummary;
import org.alder.partition.jdbm.table.TableWriter;

/** Writes a segment's master table and counts what goes in. One thread. Without {@link #finish()}, closing removes the file. */
final class MasterTableWriter implements Closeable {
    private final TableWriter table;
    private long entries;
    private long tombstones;
    private long minId;
    private long maxId;
    private TableSummary summary;

    MasterTableWriter(Disk disk, Path folder, TableSettings settings) throws IOException {
        table = TableWriter.create(disk, folder.resolve(SegmentDescriptor.MASTER_FILE), settings);
    }

    /** @param id greater than all before */
    void append(long id, EntryVersion version) throws IOException {
        table.append(MasterKeys.key(id), MasterKeys.value(version));
        for (int number = 1; number <= MasterKeys.furtherParts(version); number++) {
            table.append(MasterKeys.partKey(id, number), MasterKeys.part(version, number));
        }
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
    }

    TableSummary summary() {
        return summary;
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
        table.close();
    }
}
