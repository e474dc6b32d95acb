package org.alder.server.directory;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.query.EntryView;
import org.alder.partition.query.SearchCursor;
import org.alder.partition.query.SearchCursor.Step;
import org.alder.partition.query.SearchQuery;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.store.Snapshot;

/**
 * What one search finds in one or several partitions, one after the other, each read at the point in time when its turn comes.
 */
final class PartitionCursor implements EntryCursor {
    /**
     * A search in one partition.
     *
     * @param position the partition's place in the configuration
     * @param required whether its base must exist
     */
    record Part(PartitionUpdates partition, int position, SearchQuery query, boolean required) {
    }

    private final Deque<Part> parts;
    private Part part;
    private Snapshot snapshot;
    private SearchCursor cursor;
    private EntryView entry;
    private long returned;

    /** Opens the first part, so that a missing base is known at once. @param returned entries on the pages before */
    PartitionCursor(List<Part> parts, long returned) throws DirectoryException {
        this.parts = new ArrayDeque<>(parts);
        this.returned = returned;
        openNext();
    }

    private boolean openNext() throws DirectoryException {
        close();
        for (part = parts.poll(); part != null; part = parts.poll()) {
            snapshot = part.partition.partition().snapshot();
            if (!part.required && part.partition.partition().resolve(snapshot, part.query.base()) == 0) {
                close();
                continue;
            }
            open();
            return true;
        }
        return false;
    }

    private void open() throws DirectoryException {
        boolean opened = false;
        try {
            cursor = part.partition.partition().search(snapshot, part.query);
            opened = true;
        } finally {
            if (!opened) {
                close();
            }
        }
    }

    @Override
    public Step step(int maxExamined) throws DirectoryException {
        entry = null;
        while (cursor != null) {
            Step step = cursor.step(maxExamined);
            if (step != Step.END) {
                returned += step == Step.MATCH ? 1 : 0;
                return step;
            }
            openNext();
        }
        return Step.END;
    }

    @Override
    public EntryView entry() {
        if (entry == null) {
            entry = cursor.view();
        }
        return entry;
    }

    @Override
    public EntryRecord record() {
        return cursor.record();
    }

    @Override
    public void writeDn(BerWriter out) {
        cursor.writeDn(out, BerWriter.OCTET_STRING);
    }

    @Override
    public AttributeAccess access() {
        return AttributeAccess.ALL;
    }

    @Override
    public List<Attribute> virtualAttributes(Predicate<AttributeType> wanted) {
        return part.partition.operationalAttributes().virtual(snapshot, entry(), wanted);
    }

    @Override
    public SearchPosition position() {
        return new SearchPosition(part.position, cursor.id(), returned);
    }

    @Override
    public void close() {
        if (cursor != null) {
            cursor.close();
            cursor = null;
        }
        if (snapshot != null) {
            snapshot.close();
            snapshot = null;
        }
    }
}
