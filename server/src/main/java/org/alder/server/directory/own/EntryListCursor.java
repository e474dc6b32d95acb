package org.alder.server.directory.own;

import java.util.List;
import java.util.function.Predicate;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryAttributes;
import org.alder.partition.entry.LargeAttribute;
import org.alder.partition.filter.AttributeAccess;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.tree.EntryView;
import org.alder.server.directory.EntryCursor;
import org.alder.server.directory.SearchPosition;
import org.alder.server.directory.ValueCursor;

/** Entries that are in no partition, numbered from 1 by their IDs. */
final class EntryListCursor implements EntryCursor {
    /** An entry and what may be known of it. */
    record Found(EntryView entry, AttributeAccess access) {
    }

    private final List<Found> entries;
    private final long returnedBefore;
    private int next;

    /** @param after entries up to this position are left out */
    EntryListCursor(List<Found> entries, SearchPosition after) {
        this.entries = entries.stream().filter(found -> found.entry.id() > after.id()).toList();
        this.returnedBefore = after.returned();
    }

    @Override
    public Step step(int maxExamined) {
        if (next >= entries.size()) {
            return Step.END;
        }
        next++;
        return Step.MATCH;
    }

    private EntryView entry() {
        return entries.get(next - 1).entry;
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
        return entries.get(next - 1).access;
    }

    @Override
    public List<Attribute> virtualAttributes(Predicate<AttributeType> wanted) {
        return List.of();
    }

    @Override
    public SearchPosition position() {
        return next == 0 ? SearchPosition.START : new SearchPosition(0, entry().id(), returnedBefore + next);
    }

    @Override
    public void close() {
        next = entries.size();
    }
}
