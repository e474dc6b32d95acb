package org.alder.server.directory;

import java.util.List;
import java.util.function.Predicate;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryAttributes;
import org.alder.partition.entry.LargeAttribute;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.filter.AttributeAccess;
import org.alder.partition.request.ListView;
import org.alder.partition.schema.AttributeType;

/** A cursor that passes on another's entries, for decorators to change one aspect of it. Closing it closes the other. */
public class EntryCursorFilter implements EntryCursor {
    private final EntryCursor inner;

    public EntryCursorFilter(EntryCursor inner) {
        this.inner = inner;
    }

    @Override
    public void preferNames() {
        inner.preferNames();
    }

    @Override
    public Step step(int maxExamined) throws DirectoryException {
        return inner.step(maxExamined);
    }

    @Override
    public String dn() {
        return inner.dn();
    }

    @Override
    public EntryAttributes attributes() {
        return inner.attributes();
    }

    @Override
    public EntryAttributes stored() {
        return inner.stored();
    }

    @Override
    public boolean isIncomplete() {
        return inner.isIncomplete();
    }

    @Override
    public void complete(Predicate<AttributeType> wanted) throws DirectoryException {
        inner.complete(wanted);
    }

    @Override
    public void requireTime() throws DirectoryException {
        inner.requireTime();
    }

    @Override
    public long heldBytes() {
        return inner.heldBytes();
    }

    @Override
    public ValueCursor openValues(LargeAttribute attribute) {
        return inner.openValues(attribute);
    }

    @Override
    public void writeDn(BerWriter out) {
        inner.writeDn(out);
    }

    @Override
    public List<String> references() {
        return inner.references();
    }

    @Override
    public AttributeAccess access() {
        return inner.access();
    }

    @Override
    public List<Attribute> virtualAttributes(Predicate<AttributeType> wanted) {
        return inner.virtualAttributes(wanted);
    }

    @Override
    public boolean isOrdered() {
        return inner.isOrdered();
    }

    @Override
    public ListView listView() {
        return inner.listView();
    }

    @Override
    public SearchCost cost(boolean isDetailed) {
        return inner.cost(isDetailed);
    }

    @Override
    public List<String> plan() {
        return inner.plan();
    }

    @Override
    public SearchPosition position() {
        return inner.position();
    }

    @Override
    public void close() {
        inner.close();
    }
}
