package org.alder.server.directory.feed;

import java.util.List;
import java.util.function.Predicate;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryAttributes;
import org.alder.partition.entry.LargeAttribute;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.filter.AttributeAccess;
import org.alder.partition.id.IdSet;
import org.alder.partition.query.SearchCursor;
import org.alder.partition.request.Patience;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.store.Snapshot;
import org.alder.server.directory.EntryCursor;
import org.alder.server.directory.SearchPosition;
import org.alder.server.directory.ValueCursor;
import org.alder.server.directory.search.EntryMemory;
import org.alder.server.directory.search.OpenValues;

/** Walks entries that are known to be in a search's content, one store after the other, in the order of their IDs. Owns the snapshots. */
final class ContentCursor implements EntryCursor {
    /** Those of one store. @param ids may be empty */
    record Part(SearchContent content, Snapshot snapshot, IdSet ids) {
    }

    private final List<Part> parts;
    private final EntryMemory entryMemory;
    /** Whose turn it is. */
    private int turn;
    /** Null before that is begun. */
    private SearchCursor cursor;

    /** @param patience grants the memory for what is worked out for an entry */
    ContentCursor(List<Part> parts, Patience patience) {
        this.parts = List.copyOf(parts);
        this.entryMemory = new EntryMemory(patience);
    }

    /** Of one store. */
    ContentCursor(SearchContent content, Snapshot snapshot, IdSet ids, Patience patience) {
        this(List.of(new Part(content, snapshot, ids)), patience);
    }

    @Override
    public Step step(int maxExamined) throws DirectoryException {
        entryMemory.release();
        while (turn < parts.size()) {
            Part part = parts.get(turn);
            if (cursor == null && !part.ids.isEmpty()) {
                cursor = part.content.open(part.snapshot, part.ids);
            }
            SearchCursor.Step step = cursor == null ? SearchCursor.Step.END : cursor.step(maxExamined);
            if (step != SearchCursor.Step.END) {
                return step == SearchCursor.Step.MATCH ? Step.MATCH : Step.PAUSED;
            }
            endTurn();
        }
        return Step.END;
    }

    private void endTurn() {
        if (cursor != null) {
            cursor.close();
            cursor = null;
        }
        turn++;
    }

    long id() {
        return cursor.id();
    }

    @Override
    public String dn() {
        return cursor.dn();
    }

    @Override
    public EntryAttributes attributes() {
        return cursor.record();
    }

    @Override
    public ValueCursor openValues(LargeAttribute attribute) {
        return new OpenValues(cursor.largeValues().open(attribute));
    }

    @Override
    public void writeDn(BerWriter out) {
        cursor.writeDn(out, BerWriter.OCTET_STRING);
    }

    @Override
    public AttributeAccess access() {
        return cursor.access();
    }

    @Override
    public List<Attribute> virtualAttributes(Predicate<AttributeType> wanted) {
        Part part = parts.get(turn);
        return part.content.partition().virtualAttributes(part.snapshot).of(part.snapshot, cursor.view(), wanted, part.content.access(),
                entryMemory::holdOrGiveUp);
    }

    @Override
    public SearchPosition position() {
        return new SearchPosition(0, cursor.id(), 0);
    }

    @Override
    public void close() {
        entryMemory.release();
        endTurn();
        turn = parts.size();
        parts.forEach(each -> each.snapshot.close());
    }
}
