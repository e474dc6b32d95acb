package org.alder.partition.update.edit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.alder.partition.dn.Ava;
import org.alder.partition.dn.Rdn;
import org.alder.partition.entry.AttributeCursor;
import org.alder.partition.entry.AttributeDelta;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.entry.LargeAttribute;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.request.Modification;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.Schema;
import org.alder.partition.schema.Superclasses;
import org.alder.partition.store.LargeValues;
import org.alder.partition.store.WriteContext;
import org.alder.partition.tree.EntryView;

/**
 * An entry while a modify or rename is made to it: changes are applied one after another, and {@link #deltas()} says what came of
 * them in exact bytes. Nothing of the record is changed. One thread.
 *
 * <p>An attribute is found by its type and options, whichever of the type's names the client or the record uses; it keeps the
 * spelling it has in the record.
 */
public final class EntryEdit {
    /** One request's increments read and write no more: a number of many digits takes time quadratic in them. */
    public static final int MOST_INCREMENTED_DIGITS = 1_000_000;
    /** More attributes are not looked for one by one. */
    private static final int MOST_SOUGHT = 16;

    private final Schema schema;
    private final EntryRecord record;
    private final LargeValues largeValues;
    private final boolean permissive;
    private final long heapLimitBytes;
    private final Map<AttributeDescription, AttributeEdit> edits = new LinkedHashMap<>();
    private int digitsLeft = MOST_INCREMENTED_DIGITS;
    /** All attributes as they were, after many of them were asked for. */
    private Map<AttributeDescription, AttributeEdit> unchanged;

    /**
     * @param context in whose state the entry was read
     * @param permissive whether what is to be added may be there already, and what is to be deleted may be missing
     */
    public EntryEdit(Schema schema, WriteContext context, EntryView entry, boolean permissive) {
        this.schema = schema;
        this.record = entry.record();
        this.largeValues = new LargeValues(context.state(), entry.id());
        this.permissive = permissive;
        this.heapLimitBytes = context.heapLimitBytes();
    }

    /** Applies one change as RFC 4511 4.6 says. */
    public void apply(ModificationStep step) throws DirectoryException {
        apply(step, permissive);
    }

    /** Applies one change of the server's own: what is to be added may be there, and what is to be deleted may be missing. */
    public void note(ModificationStep step) throws DirectoryException {
        apply(step, true);
    }

    private void apply(ModificationStep step, boolean permissive) throws DirectoryException {
        AttributeEdit edit = attribute(step.description());
        if (permissive && step.kind() == Modification.Kind.ADD) {
            edit.addMissing(step.values());
            return;
        } else if (permissive && step.kind() == Modification.Kind.DELETE) {
            edit.removePresent(step.values());
            return;
        }
        switch (step.kind()) {
            case ADD -> edit.add(step.values());
            case DELETE -> {
                if (step.values().isEmpty()) {
                    edit.removeAll();
                } else {
                    edit.remove(step.values());
                }
            }
            case REPLACE -> edit.replace(step.values());
            case INCREMENT -> digitsLeft = edit.increment(step.values().get(0), digitsLeft);
            default -> throw new IllegalStateException("modification " + step.kind());
        }
    }

    /** Replaces an attribute the server maintains. */
    public void set(AttributeDescription description, byte[] value) throws DirectoryException {
        attribute(description).replace(List.of(value));
    }

    /** Takes out a value, if it is there. */
    public void removeIfPresent(AttributeDescription description, byte[] value) throws DirectoryException {
        attribute(description).removeIfPresent(value);
    }

    /** Puts in a value, if it is not there. */
    public void addIfMissing(AttributeDescription description, byte[] value) throws DirectoryException {
        attribute(description).addIfMissing(value);
    }

    /** Whether the entry is left without values of the attribute. */
    public boolean isEmpty(AttributeDescription description) {
        return attribute(description).isEmpty();
    }

    /** Takes out the values of an RDN that the entry no longer has. */
    public void removeRdnValues(Rdn rdn) throws DirectoryException {
        for (Ava ava : rdn.avas()) {
            attribute(schema.description(ava.typeText())).removeIfPresent(ava.value());
        }
    }

    /** Sees to it that the entry has the values of its RDN (RFC 4511 4.9). */
    public void addRdnValues(Rdn rdn) throws DirectoryException {
        for (Ava ava : rdn.avas()) {
            attribute(schema.description(ava.typeText())).addIfMissing(ava.value());
        }
    }

    /** @throws DirectoryException notAllowedOnRDN if a value of the RDN is gone */
    public void requireRdnValues(Rdn rdn) throws DirectoryException {
        for (Ava ava : rdn.avas()) {
            AttributeDescription description = schema.description(ava.typeText());
            AttributeEdit edit = edits.get(description);
            if (edit != null && !edit.contains(ava.value())) {
                throw new DirectoryException(ResultCode.NOT_ALLOWED_ON_RDN, "the value "
                        + Quoted.value(ava.type(), ava.value())
                        + " of attribute " + ava.typeText() + " is part of the entry's RDN \"" + rdn.text()
                        + "\": rename the entry instead");
            }
        }
    }

    /**
     * Gives the entry the superclasses of classes that were added (RFC 4512 3.3).
     *
     * @throws DirectoryException objectClassViolation if a superclass of a remaining class was deleted
     */
    public void addSuperclasses() throws DirectoryException {
        AttributeEdit edit = edits.get(schema.descriptionOrNull("objectClass"));
        if (edit == null) {
            return;
        }
        for (byte[] name : Superclasses.missing(schema, edit.values())) {
            if (edit.isRemoved(name)) {
                throw new DirectoryException(ResultCode.OBJECT_CLASS_VIOLATION, "the object class "
                        + Quoted.value(edit.type(), name) + " cannot be deleted: another class of the entry is derived from it");
            }
            edit.addIfMissing(name);
        }
    }

    /** One for each attribute that is not as it was. */
    public List<AttributeDelta> deltas() {
        List<AttributeDelta> deltas = new ArrayList<>(edits.size());
        for (AttributeEdit edit : edits.values()) {
            AttributeDelta delta = edit.delta();
            if (delta != null) {
                deltas.add(delta);
            }
        }
        return deltas;
    }

    private AttributeEdit attribute(AttributeDescription description) {
        AttributeEdit edit = edits.get(description);
        if (edit == null) {
            edit = open(description);
            edits.put(description, edit);
        }
        return edit;
    }

    private AttributeEdit open(AttributeDescription description) {
        if (edits.size() >= MOST_SOUGHT) {
            unchanged = unchanged == null ? openAll() : unchanged;
            return unchanged.getOrDefault(description, missing(description));
        }
        AttributeEdit known = description.type().isOperational() ? inRecord(description, record.operationalCursor()) : null;
        known = known == null ? inRecord(description, record.cursor(true)) : known;
        if (known != null) {
            return known;
        }
        for (LargeAttribute attribute : record.largeAttributes()) {
            if (description.equals(schema.descriptionOrNull(attribute.description()))) {
                return outside(description, attribute);
            }
        }
        return missing(description);
    }

    private Map<AttributeDescription, AttributeEdit> openAll() {
        Map<AttributeDescription, AttributeEdit> all = new HashMap<>();
        AttributeCursor cursor = record.cursor(true);
        while (cursor.next()) {
            AttributeDescription description = schema.descriptionOrNull(cursor.description());
            if (description != null && !edits.containsKey(description)) {
                all.putIfAbsent(description, current(description, cursor));
            }
        }
        for (LargeAttribute attribute : record.largeAttributes()) {
            AttributeDescription description = schema.descriptionOrNull(attribute.description());
            if (description != null && !edits.containsKey(description)) {
                all.putIfAbsent(description, outside(description, attribute));
            }
        }
        return all;
    }

    /** The first attribute that is the one; null if there is none. */
    private AttributeEdit inRecord(AttributeDescription description, AttributeCursor cursor) {
        while (cursor.next()) {
            if (description.equals(schema.descriptionOrNull(cursor.bytes(), cursor.nameOffset(), cursor.nameLength()))) {
                return current(description, cursor);
            }
        }
        return null;
    }

    private static AttributeEdit current(AttributeDescription description, AttributeCursor cursor) {
        return new AttributeEdit(description, cursor.description(), new ValuesInRecord(description.type(), cursor.values()));
    }

    private AttributeEdit outside(AttributeDescription description, LargeAttribute attribute) {
        return new AttributeEdit(description, attribute.description(),
                new ValuesOutside(largeValues, attribute, heapLimitBytes));
    }

    private static AttributeEdit missing(AttributeDescription description) {
        return new AttributeEdit(description, description.storedText(), new ValuesInRecord(description.type(), List.of()));
    }
}
