package org.alder.partition.filter;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.entry.AttributeCursor;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.entry.LargeAttribute;
import org.alder.partition.error.StoreException;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.value.MatchingRule;
import org.alder.partition.store.LargeValues;

/**
 * Finds the attributes that an attribute description stands for (RFC 4512 2.5.2): those of its type and subtypes, under any of
 * their names, with at least its options. Compares bytes with spellings made beforehand and builds no objects. Immutable,
 * thread safe.
 */
final class AttributeSelector {
    private static final int LETTER_BITS = 0x1F;

    private static final ValueTest ANY = (bytes, offset, length) -> true;

    private final AttributeDescription description;
    private final boolean virtual;
    /** In lower case. */
    private final byte[][] spellings;
    /** A bit for each first character of a spelling, by its lowest five bits, which do not tell small from capital. */
    private final int firstLetters;

    AttributeSelector(AttributeDescription description) {
        this(description, description.type().isVirtual(), description.type().spellings());
    }

    private AttributeSelector(AttributeDescription description, boolean virtual, byte[][] spellings) {
        this.description = description;
        this.virtual = virtual;
        this.spellings = spellings;
        int letters = 0;
        for (byte[] spelling : spellings) {
            letters |= 1 << (spelling[0] & LETTER_BITS);
        }
        firstLetters = letters;
    }

    /** Those of them that may be read. @return null if there are none */
    static AttributeSelector of(AttributeDescription description, AttributeAccess access) {
        if (isReadable(description, access)) {
            return new AttributeSelector(description);
        }
        AttributeType asked = description.type();
        byte[][] spellings = asked.withSubtypes().stream().filter(access::mayRead)
                .flatMap(type -> Stream.concat(type.names().stream(), Stream.of(type.oid()))).distinct()
                .map(name -> name.toLowerCase(Locale.ROOT).getBytes(StandardCharsets.US_ASCII)).toArray(byte[][]::new);
        return spellings.length == 0 ? null
                : new AttributeSelector(description, asked.isVirtual() && access.mayRead(asked), spellings);
    }

    /** Whether all attributes that the description stands for may be read. */
    static boolean isReadable(AttributeDescription description, AttributeAccess access) {
        if (access == AttributeAccess.ALL) {
            return true;
        }
        for (AttributeType type : description.type().withSubtypes()) {
            if (!access.mayRead(type)) {
                return false;
            }
        }
        return true;
    }

    AttributeDescription description() {
        return description;
    }

    /** Whether the entry has a selected attribute. */
    boolean anyAttribute(CandidateEntry entry) {
        return virtual && !entry.virtualValues(description.type()).isEmpty() || anyValue(entry.record(), ANY)
                || !selected(entry.record()).isEmpty();
    }

    /** Whether a value of a selected attribute passes the test. */
    boolean anyValue(CandidateEntry entry, ValueTest test) {
        return virtual && anyOf(entry.virtualValues(description.type()), test) || anyValue(entry.record(), test)
                || entry.record().hasLarge() && anyLargeValue(entry, test);
    }

    /** As {@link #anyValue} for a test that holds for values with one of these normal forms by the rule, and for no others. */
    boolean anyValueOf(CandidateEntry entry, MatchingRule rule, List<byte[]> forms, ValueTest test) {
        return virtual && anyOf(entry.virtualValues(description.type()), test) || anyValue(entry.record(), test)
                || entry.record().hasLarge() && anyLargeForm(entry, rule, forms, test);
    }

    private boolean anyLargeValue(CandidateEntry entry, ValueTest test) {
        for (LargeAttribute attribute : selected(entry.record())) {
            if (anyValue(entry.largeValues(), attribute, test)) {
                return true;
            }
        }
        return false;
    }

    private boolean anyLargeForm(CandidateEntry entry, MatchingRule rule, List<byte[]> forms, ValueTest test) {
        for (LargeAttribute attribute : selected(entry.record())) {
            boolean found = isKeyedBy(rule, attribute)
                    ? forms.stream().anyMatch(form -> entry.largeValues().find(attribute, form) != null)
                    : anyValue(entry.largeValues(), attribute, test);
            if (found) {
                return true;
            }
        }
        return false;
    }

    /** Whether the attribute's values are found by their normal forms of this rule: a subtype may have another one. */
    private boolean isKeyedBy(MatchingRule rule, LargeAttribute attribute) {
        for (AttributeType type : description.type().withSubtypes()) {
            if (type.oid().equals(attribute.description())
                    || type.names().stream().anyMatch(attribute.description()::equalsIgnoreCase)) {
                return type.equality() != null && type.equality().oid().equals(rule.oid());
            }
        }
        return false;
    }

    /** Whether a value of the large attribute passes the test. */
    static boolean anyValue(LargeValues values, LargeAttribute attribute, ValueTest test) {
        try (LargeValues.Cursor cursor = values.open(attribute)) {
            while (cursor.next()) {
                if (test.matches(cursor.bytes(), cursor.offset(), cursor.length())) {
                    return true;
                }
            }
            return false;
        }
    }

    private List<LargeAttribute> selected(EntryRecord record) {
        return record.largeAttributes().stream().filter(attribute -> {
            byte[] name = attribute.description().getBytes(StandardCharsets.UTF_8);
            return selects(name, 0, name.length);
        }).toList();
    }

    private static boolean anyOf(List<byte[]> values, ValueTest test) {
        for (byte[] value : values) {
            if (test.matches(value, 0, value.length)) {
                return true;
            }
        }
        return false;
    }

    private boolean anyValue(EntryRecord record, ValueTest test) {
        AttributeCursor cursor = record.cursor(true);
        while (cursor.next()) {
            if (selects(cursor.bytes(), cursor.nameOffset(), cursor.nameLength()) && anyValue(cursor, test)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a value of the cursor's attribute passes the test. */
    static boolean anyValue(AttributeCursor cursor, ValueTest test) {
        try {
            BerReader values = cursor.valueReader();
            while (values.hasMore()) {
                int outer = values.enter(BerWriter.OCTET_STRING);
                if (test.matches(cursor.bytes(), values.position(), values.limit() - values.position())) {
                    return true;
                }
                values.leave(outer);
            }
            return false;
        } catch (BerException e) {
            throw new StoreException(StoreException.Kind.CORRUPT, "an entry record that is not BER: " + e.getMessage(), e);
        }
    }

    boolean selects(byte[] bytes, int offset, int length) {
        return length > 0 && (firstLetters >>> (bytes[offset] & LETTER_BITS) & 1) != 0 && isSpelt(bytes, offset, length);
    }

    private boolean isSpelt(byte[] bytes, int offset, int length) {
        for (byte[] spelling : spellings) {
            int rest = length - spelling.length;
            if (rest >= 0 && (rest == 0 || bytes[offset + spelling.length] == ';') && equalsIgnoringCase(bytes, offset,
                    spelling)) {
                return description.options().isEmpty() || hasOptions(bytes, offset + spelling.length, offset + length);
            }
        }
        return false;
    }

    private static boolean equalsIgnoringCase(byte[] bytes, int offset, byte[] lowerCase) {
        for (int i = 0; i < lowerCase.length; i++) {
            byte b = bytes[offset + i];
            if (b != lowerCase[i] && (b < 'A' || b > 'Z' || b + ('a' - 'A') != lowerCase[i])) {
                return false;
            }
        }
        return true;
    }

    private boolean hasOptions(byte[] bytes, int from, int to) {
        String text = new String(bytes, from, to - from, StandardCharsets.US_ASCII).toLowerCase(Locale.ROOT);
        return description.isMetBy(Arrays.asList(text.split(";")));
    }
}
