package org.alder.partition.jdbm.segment;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import org.alder.partition.jdbm.block.TableSummary;
import org.alder.partition.jdbm.disk.Disk;
import org.alder.partition.jdbm.entry.EntryCodec;
import org.alder.partition.jdbm.entry.EntryFileWriter;
import org.alder.partition.jdbm.layer.EntryVersion;
import org.alder.partition.jdbm.name.NameColumnWriter;

/** Writes a segment's entries and their names, and counts what goes in. One thread. Without {@link #finish()}, closing removes the files. */
final class MasterWriter implements Closeable {
    private final EntryFileWriter file;
    private final NameColumnWriter names;
    private long entries;
    private long tombstones;
    private long minId;
    private long maxId;
    private TableSummary summary;
    private TableSummary namesSummary;

    MasterWriter(Disk disk, Path folder, EntryCodec codec) throws IOException {
        names = new NameColumnWriter(disk, folder.resolve(SegmentDescriptor.NAMES_FILE));
        file = new EntryFileWriter(disk, folder.resolve(SegmentDescriptor.ENTRIES_FILE), codec);
    }

    /** @param id greater than all before */
    void append(long id, EntryVersion version) throws IOException {
        file.add(id, version.record());
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
        summary = file.finish();
        namesSummary = names.finish();
    }

    TableSummary summary() {
        return summary;
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
            file.close();
        } finally {
            names.close();
        }
    }
}
