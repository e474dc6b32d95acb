package org.alder.partition.update.rules;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.alder.partition.dn.Ava;
import org.alder.partition.dn.Dn;
import org.alder.partition.dn.Rdn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.AttributeCursor;
import org.alder.partition.entry.AttributeDelta;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.entry.LargeAttribute;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.request.Modification;
import org.alder.partition.rule.ValueConstraint;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.Snapshot;
import org.alder.partition.tree.EntryView;
import org.alder.partition.update.edit.ModificationStep;
import org.alder.partition.update.edit.Quoted;

/**
 * Refuses values that the configuration does not want. What a client sends is looked at on the client's thread, because a
 * pattern may take long; only what the store knows is left to the transaction. Immutable, thread safe.
 */
public final class ValueConstraints implements ContentRule {
    private final Schema schema;
    private final List<ValueConstraint> constraints;

    public ValueConstraints(Schema schema, List<ValueConstraint> constraints) {
        this.schema = schema;
        this.constraints = constraints;
    }

    @Override
    public void check(EntryRecord record) throws DirectoryException {
        for (Attribute attribute : record.userAttributes()) {
            check(schema.descriptionOrNull(attribute.description()), attribute.values());
        }
        checkCounts(record);
    }

    @Override
    public void check(List<ModificationStep> steps) throws DirectoryException {
        for (ModificationStep step : steps) {
            if (step.kind() == Modification.Kind.ADD || step.kind() == Modification.Kind.REPLACE) {
                check(step.description(), step.values());
            }
        }
    }

    @Override
    public void check(Rdn rdn) throws DirectoryException {
        for (Ava ava : rdn.avas()) {
            check(schema.description(ava.typeText()), List.of(ava.value()));
        }
    }

    /** All is checked by then. */
    @Override
    public void added(Snapshot state, Dn dn, EntryView entry) {
    }

    @Override
    public void renamed(Snapshot state, Changed change) throws DirectoryException {
        modified(state, change);
    }

    /** What only the transaction knows: the results of increments, and how many values there are. */
    @Override
    public void modified(Snapshot state, Changed change) throws DirectoryException {
        List<AttributeDelta> deltas = change.deltas();
        Set<AttributeDescription> incremented = change.steps().stream().filter(step -> step.kind() == Modification.Kind.INCREMENT)
                .map(ModificationStep::description).collect(Collectors.toSet());
        for (AttributeDelta delta : incremented.isEmpty() ? List.<AttributeDelta>of() : deltas) {
            AttributeDescription description = schema.descriptionOrNull(delta.description());
            if (incremented.contains(description)) {
                check(description, delta.added());
            }
        }
        if (deltas.stream().anyMatch(delta -> !delta.operational() && !delta.added().isEmpty())) {
            checkCounts(change.after().record());
        }
    }

    private void check(AttributeDescription description, List<byte[]> values) throws DirectoryException {
        for (ValueConstraint constraint : constraints) {
            if (description == null || !constraint.covers(description.type())) {
                continue;
            }
            for (byte[] value : values) {
                String expected = constraint.test().expectation(description.type(), value);
                if (expected != null) {
                    throw new DirectoryException(ResultCode.CONSTRAINT_VIOLATION, "attribute " + description.text()
                            + ": the value " + Quoted.value(description.type(), value) + " is not allowed, expected " + expected);
                }
            }
        }
    }

    private void checkCounts(EntryRecord record) throws DirectoryException {
        for (ValueConstraint constraint : constraints) {
            if (constraint.test() instanceof ValueConstraint.Count count) {
                for (AttributeType type : constraint.attributes()) {
                    long found = count(record, type);
                    if (found > count.mostValues()) {
                        throw new DirectoryException(ResultCode.CONSTRAINT_VIOLATION, "attribute " + type.name() + " has "
                                + found + " values, expected at most " + count.mostValues());
                    }
                }
            }
        }
    }

    private long count(EntryRecord record, AttributeType type) {
        long count = 0;
        AttributeCursor cursor = record.cursor(false);
        while (cursor.next()) {
            AttributeDescription description = schema.descriptionOrNull(cursor.description());
            count += description != null && description.type().isSubtypeOf(type) ? cursor.values().size() : 0;
        }
        for (LargeAttribute large : record.largeAttributes()) {
            AttributeDescription description = schema.descriptionOrNull(large.description());
            count += description != null && description.type().isSubtypeOf(type) ? large.count() : 0;
        }
        return count;
    }
}
