package org.alder.partition.index;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.alder.partition.entry.AttributeCursor;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.entry.LargeAttribute;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.EntryIndexer.SlotUse;
import org.alder.partition.store.EntryIndexer.ValueConsumer;
import org.alder.partition.store.ValueKeys;

/**
 * Decides which attributes of an entry are large, and moves their values out of its record. The one place of this decision.
 * Immutable, thread safe.
 *
 * <p>Large is a user attribute without options that has more values than the threshold, whose values are told apart by an
 * equality rule and fit into keys, and that shares no index key with another attribute or value of its entry: it is in no index
 * of a supertype, its own index is only for equality and presence and without inline attributes, it is inline in no other, and
 * the entry has it without options and has no attribute of a type below it. Which types are below it may change while the
 * server runs, so this is asked of each entry. Object classes and passwords are looked at too often to be elsewhere.
 */
final class LargeAttributeRule {
    /** What the shortest value takes in a record. */
    private static final int LEAST_VALUE_BYTES = 2;

    private final Schema schema;
    private final int threshold;
    private final PerType<List<IndexedAttribute>> takingValuesOf;
    private final InlineAttributes inline;
    private final Set<AttributeType> neverLarge;

    /** @param threshold the most values an attribute has in its record; 0 for no limit */
    LargeAttributeRule(Schema schema, int threshold, PerType<List<IndexedAttribute>> takingValuesOf,
            InlineAttributes inline) {
        this.schema = schema;
        this.threshold = threshold;
        this.takingValuesOf = takingValuesOf;
        this.inline = inline;
        this.neverLarge = Stream.of("objectClass", "userPassword").map(schema::attributeType)
                .filter(type -> type != null).collect(Collectors.toUnmodifiableSet());
    }

    /** What an attribute that is large takes in a record, at least: more than any record has where there is no limit. */
    static long leastBytes(int threshold) {
        return threshold == 0 ? Long.MAX_VALUE : (long) threshold * LEAST_VALUE_BYTES + 1;
    }

    EntryRecord split(EntryRecord record, SlotUse slots, ValueConsumer moved) {
        List<LargeAttribute> large = new ArrayList<>(0);
        AttributeCursor cursor = record.cursor(false);
        while (cursor.next()) {
            if (cursor.length() >= leastBytes(threshold)) {
                moveOut(record, cursor, large, slots, moved);
            }
        }
        return large.isEmpty() ? record : record.withLarge(large);
    }

    private void moveOut(EntryRecord record, AttributeCursor cursor, List<LargeAttribute> large,
            SlotUse slots, ValueConsumer moved) {
        AttributeDescription description = description(cursor);
        if (description == null || !description.options().isEmpty() || !mayBeLarge(description.type())) {
            return;
        }
        List<byte[]> values = cursor.values();
        int slot = freeSlot(record, cursor.description(), large, slots);
        if (values.size() <= threshold || slot == LargeAttribute.MAX_SLOTS || sharersOf(record, description.type()) > 1) {
            return;
        }
        List<byte[]> forms = forms(description.type(), values);
        if (forms != null) {
            LargeAttribute attribute = LargeAttribute.of(slot, cursor.description(), values);
            large.add(attribute);
            for (int i = 0; i < forms.size(); i++) {
                moved.accept(attribute, forms.get(i), values.get(i));
            }
        }
    }

    private AttributeDescription description(AttributeCursor cursor) {
        return schema.descriptionOrNull(cursor.bytes(), cursor.nameOffset(), cursor.nameLength());
    }

    private boolean mayBeLarge(AttributeType type) {
        if (type.isOperational() || type.isSingleValue() || type.equality() == null || neverLarge.contains(type)
                || !inline.targets(type).isEmpty()) {
            return false;
        }
        for (IndexedAttribute index : takingValuesOf.get(type)) {
            if (index.type() != type || index.has(IndexKind.SUBSTRING) || !index.definition().inline().isEmpty()) {
                return false;
            }
        }
        return true;
    }

    /** The lowest slot that is not taken, and that neither the record's large attributes nor these have. */
    private static int freeSlot(EntryRecord record, String description, List<LargeAttribute> more, SlotUse slots) {
        Set<Integer> taken = Stream.concat(record.largeAttributes().stream(), more.stream()).map(LargeAttribute::slot)
                .collect(Collectors.toSet());
        int slot = 0;
        while (slot < LargeAttribute.MAX_SLOTS && (taken.contains(slot) || slots.isTaken(slot, description))) {
            slot++;
        }
        return slot;
    }

    /** How many attributes in the record have this type or one below it, with whatever options: their values may share keys. */
    private int sharersOf(EntryRecord record, AttributeType type) {
        int count = 0;
        AttributeCursor cursor = record.cursor(true);
        while (cursor.next()) {
            AttributeDescription description = description(cursor);
            count += description != null && description.type().isSubtypeOf(type) ? 1 : 0;
        }
        return count;
    }

    /** The normal forms of all values; null if one cannot be in a key, or two are the same. */
    private List<byte[]> forms(AttributeType type, List<byte[]> values) {
        List<byte[]> forms = new ArrayList<>(values.size());
        Set<ByteBuffer> seen = new HashSet<>(values.size() * 2);
        for (byte[] value : values) {
            byte[] form = form(type, value);
            if (form == null || !seen.add(ByteBuffer.wrap(form))) {
                return null;
            }
            forms.add(form);
        }
        return forms;
    }

    private static byte[] form(AttributeType type, byte[] value) {
        try {
            byte[] form = type.equality().normalize(value);
            return ValueKeys.length(form, value) <= ValueKeys.MAX_BYTES ? form : null;
        } catch (DirectoryException e) {
            return null;
        }
    }

    /** @return null if the value cannot be in a key */
    byte[] form(String description, byte[] value) {
        AttributeDescription known = schema.descriptionOrNull(description);
        return known == null || known.type().equality() == null ? null : form(known.type(), value);
    }

    /** Whether each of the record's large attributes is of a type that may be large. */
    boolean mayHaveLarge(EntryRecord record) {
        for (LargeAttribute attribute : record.largeAttributes()) {
            AttributeDescription description = schema.descriptionOrNull(attribute.description());
            if (description == null || !mayBeLarge(description.type())) {
                return false;
            }
        }
        return true;
    }

    /**
     * Whether the record has each of its large attributes only as such, and none has become small. That is less than half of the
     * threshold, so that an attribute about as large as the threshold is not moved again and again.
     */
    boolean mayStayLarge(EntryRecord record) {
        for (LargeAttribute attribute : record.largeAttributes()) {
            AttributeDescription description = schema.descriptionOrNull(attribute.description());
            if (description == null || sharersOf(record, description.type()) > 0 || attribute.count() < threshold / 2) {
                return false;
            }
        }
        return true;
    }
}
