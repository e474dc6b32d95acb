package org.alder.partition.update.rules;

import java.util.List;
import org.alder.partition.Partition;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.AttributeDelta;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.rule.ReferenceRule;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.NameParser;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.Snapshot;
import org.alder.partition.tree.EntryView;
import org.alder.partition.update.edit.Quoted;

/** Refuses values that name no entry of the partition they could be in. Immutable, thread safe. */
public final class ReferenceTargets implements ContentRule {
    private final Partition partition;
    private final Schema schema;
    private final ReferenceRule rule;

    public ReferenceTargets(Partition partition, ReferenceRule rule) {
        this.partition = partition;
        this.schema = partition.schema();
        this.rule = rule;
    }

    @Override
    public void added(Snapshot state, Dn dn, EntryView entry) throws DirectoryException {
        for (Attribute attribute : entry.record().userAttributes()) {
            requireTargets(state, attribute.description(), attribute.values(), dn);
        }
    }

    @Override
    public void modified(Snapshot state, Changed change) throws DirectoryException {
        for (AttributeDelta delta : change.deltas()) {
            requireTargets(state, delta.description(), delta.added(), change.dn());
        }
    }

    /** What a rename brings in are names that go with it, which the state has not yet. */
    @Override
    public void renamed(Snapshot state, Changed change) {
    }

    /** @param self the name of the entry itself */
    private void requireTargets(Snapshot state, String text, List<byte[]> values, Dn self) throws DirectoryException {
        AttributeDescription description = schema.descriptionOrNull(text);
        if (description != null && rule.attributes().stream().anyMatch(description.type()::isSubtypeOf)) {
            for (byte[] value : values) {
                requireTarget(state, description, value, self);
            }
        }
    }

    private void requireTarget(Snapshot state, AttributeDescription description, byte[] value, Dn self)
            throws DirectoryException {
        String text = Dn.text(value);
        Dn dn = Dn.parse(schema, text.substring(0, NameParser.uidStart(text)));
        boolean here = dn.isDescendantOrSelf(partition.suffix());
        if (here && !dn.equals(self) && partition.resolve(state, dn) == HierarchyKeys.NO_PARENT) {
            throw new DirectoryException(ResultCode.CONSTRAINT_VIOLATION, "attribute " + description.text() + ": the value "
                    + Quoted.value(description.type(), value) + " names no entry");
        }
    }
}
