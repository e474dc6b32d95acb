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

/** Walks entries that are known to be in a search's content, in the order of their IDs. Owns its snapshot. */
final class ContentCursor implements EntryCursor {
    private final SearchContent content;
    private final Snapshot snapshot;
    private final EntryMemory entryMemory;
    private SearchCursor cursor;

    /** @param ids may be empty  @param patience grants the memory for what is worked out for an entry */
    ContentCursor(SearchContent content, Snapshot snapshot, IdSet ids, Patience patience) throws DirectoryException {
        this.content = content;
        this.snapshot = snapshot;
        this.entryMemory = new EntryMemory(patience);
        this.cursor = ids.isEmpty() ? null : content.open(snapshot, ids);
    }

    @Override
    public Step step(int maxExamined) throws DirectoryException {
        entryMemory.release();
        return cursor == null ? Step.END : switch (cursor.step(maxExamined)) {
            case MATCH -> Step.MATCH;
            case PAUSED -> Step.PAUSED;
            case END -> Step.END;
        };
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
        return content.partition().virtualAttributes(snapshot).of(snapshot, cursor.view(), wanted, content.access(),
                entryMemory::holdOrGiveUp);
    }

    @Override
    public SearchPosition position() {
        return new SearchPosition(0, cursor.id(), 0);
    }

    @Override
    public void close() {
        entryMemory.release();
        if (cursor != null) {
            cursor.close();
            cursor = null;
        }
        snapshot.close();
    }
}
