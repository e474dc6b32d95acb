package org.alder.server.directory.own;

import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryAttributes;
import org.alder.partition.entry.LargeAttribute;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.filter.AttributeAccess;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.tree.EntryView;
import org.alder.server.directory.EntryCursor;
import org.alder.server.directory.SearchPosition;
import org.alder.server.directory.SearchRequest;
import org.alder.server.directory.ValueCursor;

/** Entries that are in no partition, numbered by their IDs, which ascend; each is made and tested when it is its turn. */
final class EntryListCursor implements EntryCursor {
    /** An entry and what may be known of it. */
    record Found(EntryView entry, AttributeAccess access) {
    }

    private final Iterator<ServerEntry> entries;
    private final SearchRequest request;
    private Found found;
    private int returned;

    /** @param entries those in scope; the ones up to the request's position are left out */
    EntryListCursor(Iterator<ServerEntry> entries, SearchRequest request) {
        this.entries = entries;
        this.request = request;
    }

    @Override
    public Step step(int maxExamined) throws DirectoryException {
        for (int examined = 0; entries.hasNext(); examined++) {
            if (examined == maxExamined) {
                return Step.PAUSED;
            }
            ServerEntry next = entries.next();
            found = next.id() <= request.after().id() ? null : next.found(request);
            if (found != null) {
                returned++;
                return Step.MATCH;
            }
        }
        return Step.END;
    }

    private EntryView entry() {
        return found.entry;
    }

    @Override
    public String dn() {
        return entry().dn();
    }

    @Override
    public EntryAttributes attributes() {
        return entry().record();
    }

    @Override
    public ValueCursor openValues(LargeAttribute attribute) {
        throw new IllegalStateException("an entry that is in no partition has all values in its record");
    }

    @Override
    public void writeDn(BerWriter out) {
        out.string(BerWriter.OCTET_STRING, entry().dn());
    }

    @Override
    public AttributeAccess access() {
        return found.access;
    }

    @Override
    public List<Attribute> virtualAttributes(Predicate<AttributeType> wanted) {
        return List.of();
    }

    @Override
    public SearchPosition position() {
        return returned == 0 ? SearchPosition.START : new SearchPosition(0, entry().id(), request.after().returned() + returned);
    }

    @Override
    public void close() {
        // There is nothing to give back.
    }
}
