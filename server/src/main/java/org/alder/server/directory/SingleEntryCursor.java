package org.alder.server.directory;

import java.util.List;
import java.util.function.Predicate;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.query.EntryView;
import org.alder.partition.query.SearchCursor.Step;
import org.alder.partition.schema.AttributeType;

/** One entry that is in no partition, or none. */
final class SingleEntryCursor implements EntryCursor {
    private final EntryView entry;
    private final boolean matches;
    private boolean done;

    SingleEntryCursor(EntryView entry, boolean matches) {
        this.entry = entry;
        this.matches = matches;
    }

    @Override
    public Step step(int maxExamined) {
        if (done || !matches) {
            return Step.END;
        }
        done = true;
        return Step.MATCH;
    }

    @Override
    public EntryView entry() {
        return entry;
    }

    @Override
    public EntryRecord record() {
        return entry.record();
    }

    @Override
    public void writeDn(BerWriter out) {
        out.string(BerWriter.OCTET_STRING, entry.dn());
    }

    @Override
    public AttributeAccess access() {
        return AttributeAccess.ALL;
    }

    @Override
    public List<Attribute> virtualAttributes(Predicate<AttributeType> wanted) {
        return List.of();
    }

    @Override
    public SearchPosition position() {
        return SearchPosition.START;
    }

    @Override
    public void close() {
        done = true;
    }
}
