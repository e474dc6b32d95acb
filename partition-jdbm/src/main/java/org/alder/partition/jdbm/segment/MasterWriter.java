package org.alder.partition.jdbm.segment;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import org.alder.partition.jdbm.block.TableSummary;
import org.alder.partition.jdbm.disk.Disk;
import org.alder.partition.jdbm.entry.EntryFileWriter;
import org.alder.partition.jdbm.layer.EntryVersion;
import org.alder.partition.jdbm.name.NameColumnWriter;

/** Writes a segment's entries and their names, and counts what goes in. One thread. Without {@link #finish()}, closing removes the files. */
final class MasterWriter implements Closeable {
    /** Null in version {@link SegmentDescriptor#WITH_TABLE}, as are names. */
    private final EntryFileWriter file;
    private final NameColumnWriter names;
    /** In that version alone; else null. */
    private final MasterTableWriter table;
    private long entries;
    private long tombstones;
    private long minId;
    private long maxId;
    private TableSummary summary;
    private TableSummary keysSummary;
    private TableSummary namesSummary;

    MasterWriter(Path folder, SegmentSettings settings) throws IOException {
        Disk disk = settings.disk();
        boolean isWithTable = settings.version() == SegmentDescriptor.WITH_TABLE;
        table = isWithTable ? new MasterTableWriter(disk, folder) : null;
        names = isWithTable ? null : new NameColumnWriter(disk, folder.resolve(SegmentDescriptor.NAMES_FILE));
        file = isWithTable ? null : new EntryFileWriter(disk, folder.resolve(SegmentDescriptor.ENTRIES_FILE), settings.entries());
    }

    /** @param id greater than all before */
    void append(long id, EntryVersion version) throws IOException {
        if (table != null) {
            table.add(id, version);
        } else {
            file.add(id, version.record());
            names.add(id, version.record());
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
        if (table != null) {
            summary = table.finish();
            keysSummary = table.finishKeys();
        } else {
            summary = file.finish();
            namesSummary = names.finish();
        }
    }

    TableSummary summary() {
        return summary;
    }

    /** Null where there is no key table of the entries. */
    TableSummary keysSummary() {
        return keysSummary;
    }

    /** Null where there are too many entries for a column of names, or the version has none. */
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
        if (table != null) {
            table.close();
            return;
        }
        try {
            file.close();
        } finally {
            names.close();
        }
    }
}
