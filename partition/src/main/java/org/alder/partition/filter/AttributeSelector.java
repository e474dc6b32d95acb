package org.alder.partition.filter;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
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

    static final ValueTest ANY = (bytes, offset, length) -> true;

    private final AttributeDescription description;
    private final boolean virtual;
    /** In lower case. */
    private final byte[][] spellings;
    /** For each spelling which values count, null for all; null if all count of all. */
    private final ValueTest[] limits;
    /** A bit for each first character of a spelling, by its lowest five bits, which do not tell small from capital. */
    private final int firstLetters;

    AttributeSelector(AttributeDescription description) {
        this(description, description.type().isVirtual(), description.type().spellings(), null);
    }

    private AttributeSelector(AttributeDescription description, boolean virtual, byte[][] spellings, ValueTest[] limits) {
        this.limits = limits;
        this.description = description;
        this.virtual = virtual;
        this.spellings = spellings;
        int letters = 0;
        for (byte[] spelling : spellings) {
            letters |= 1 << (spelling[0] & LETTER_BITS);
        }
        firstLetters = letters;
    }

    /** Those of them that may be searched. @return null if there are none */
    static AttributeSelector of(AttributeDescription description, AttributeAccess access) {
        if (isSearchable(description, access)) {
            return new AttributeSelector(description);
        }
        AttributeType asked = description.type();
        Map<String, Optional<ValueTest>> found = new LinkedHashMap<>();
        for (AttributeType type : asked.withSubtypes()) {
            if (access.maySearch(type)) {
                Optional<ValueTest> limit = Optional.ofNullable(access.searchable(type));
                Stream.concat(type.names().stream(), Stream.of(type.oid())).map(name -> name.toLowerCase(Locale.ROOT))
                        .forEach(name -> found.put(name, limit));
            }
        }
        byte[][] spellings = found.keySet().stream().map(name -> name.getBytes(StandardCharsets.US_ASCII)).toArray(byte[][]::new);
        boolean limited = found.values().stream().anyMatch(Optional::isPresent);
        return spellings.length == 0 ? null : new AttributeSelector(description, asked.isVirtual() && access.maySearch(asked), spellings,
                limited ? found.values().stream().map(limit -> limit.orElse(null)).toArray(ValueTest[]::new) : null);
    }

    /** Whether all attributes that the description stands for may be searched, with all values. */
    static boolean isSearchable(AttributeDescription description, AttributeAccess access) {
        if (access == AttributeAccess.ALL) {
            return true;
        }
        for (AttributeType type : description.type().withSubtypes()) {
            if (!access.maySearchAll(type)) {
                return false;
            }
        }
        return true;
    }

    AttributeDescription description() {
        return description;
    }

    /** Whether all values of what it selects count, and are stored. */
    boolean isOfStoredValues() {
        return !virtual && limits == null;
    }

    /** Whether the entry has a selected attribute. */
    boolean anyAttribute(CandidateEntry entry) {
        return limits != null ? anyValue(entry, ANY) : virtual && !entry.virtualValues(description.type()).isEmpty()
                || anyValue(entry.record(), ANY) || !selected(entry.record()).isEmpty();
    }

    /** Whether a value of a selected attribute passes the test. */
    boolean anyValue(CandidateEntry entry, ValueTest test) {
        return virtual && anyOf(entry.virtualValues(description.type()), limited(description.type(), test))
                || anyValue(entry.record(), test) || entry.record().hasLarge() && anyLargeValue(entry, test);
    }

    /** As {@link #anyValue} for a test that holds for values with one of these normal forms by the rule, and for no others. */
    boolean anyValueOf(CandidateEntry entry, MatchingRule rule, List<byte[]> forms, ValueTest test) {
        return virtual && anyOf(entry.virtualValues(description.type()), limited(description.type(), test))
                || anyValue(entry.record(), test)
                || entry.record().hasLarge() && (limits != null ? anyLargeValue(entry, test) : anyLargeForm(entry, rule, forms, test));
    }

    private boolean anyLargeValue(CandidateEntry entry, ValueTest test) {
        for (LargeAttribute attribute : selected(entry.record())) {
            byte[] name = attribute.description().getBytes(StandardCharsets.UTF_8);
            if (anyValue(entry.largeValues(), attribute, limited(name, 0, name.length, test))) {
                return true;
            }
        }
        return false;
    }

    /** The test as it is for values that count. */
    private ValueTest limited(AttributeType type, ValueTest test) {
        byte[] name = type.name().getBytes(StandardCharsets.UTF_8);
        return limited(name, 0, name.length, test);
    }

    private ValueTest limited(byte[] name, int offset, int length, ValueTest test) {
        ValueTest limit = limits == null ? null : limits[spelling(name, offset, length)];
        return limit == null ? test : (bytes, from, count) -> limit.matches(bytes, from, count) && test.matches(bytes, from, count);
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
            if (selects(cursor.bytes(), cursor.nameOffset(), cursor.nameLength()) && anyValue(cursor, limits == null ? test
                    : limited(cursor.bytes(), cursor.nameOffset(), cursor.nameLength(), test))) {
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
        return length > 0 && (firstLetters >>> (bytes[offset] & LETTER_BITS) & 1) != 0
                && spelling(bytes, offset, length) >= 0;
    }

    /** By which of the spellings an attribute is selected; below 0 if by none. */
    private int spelling(byte[] bytes, int offset, int length) {
        for (int i = 0; i < spellings.length; i++) {
            byte[] spelling = spellings[i];
            int rest = length - spelling.length;
            if (rest >= 0 && (rest == 0 || bytes[offset + spelling.length] == ';') && equalsIgnoringCase(bytes, offset,
                    spelling)) {
                return description.options().isEmpty() || hasOptions(bytes, offset + spelling.length, offset + length) ? i : -1;
            }
        }
        return -1;
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
