package org.alder.partition.filter;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.StoreException;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.AttributeType;

/**
 * Finds the attributes that an attribute description stands for (RFC 4512 2.5.2): those of its type and subtypes, under any of
 * their names, with at least its options. Compares bytes with spellings made beforehand and builds no objects. Immutable,
 * thread safe.
 */
final class AttributeSelector {
    private static final Set<String> VIRTUAL = Set.of("entrydn", "hassubordinates", "numsubordinates", "subschemasubentry");

    private final AttributeDescription description;
    private final boolean virtual;
    /** Lower-case spellings, by their length. */
    private final byte[][][] spellings;

    AttributeSelector(AttributeDescription description) {
        this.description = description;
        this.virtual = VIRTUAL.contains(description.type().name().toLowerCase(Locale.ROOT));
        List<List<byte[]>> byLength = new ArrayList<>();
        for (AttributeType type : description.type().withSubtypes()) {
            type.names().forEach(name -> addSpelling(byLength, name));
            addSpelling(byLength, type.oid());
        }
        spellings = byLength.stream().map(list -> list.toArray(byte[][]::new)).toArray(byte[][][]::new);
    }

    private static void addSpelling(List<List<byte[]>> byLength, String name) {
        while (byLength.size() <= name.length()) {
            byLength.add(new ArrayList<>(1));
        }
        byLength.get(name.length()).add(name.toLowerCase(Locale.ROOT).getBytes(StandardCharsets.US_ASCII));
    }

    AttributeDescription description() {
        return description;
    }

    /** Whether a value of a selected attribute passes the test. */
    boolean anyValue(CandidateEntry entry, ValueTest test) {
        return virtual && anyOf(entry.virtualValues(description.type()), test) || anyValue(entry.record(), test);
    }

    private static boolean anyOf(List<byte[]> values, ValueTest test) {
        for (byte[] value : values) {
            if (test.matches(value, 0, value.length)) {
                return true;
            }
        }
        return false;
    }

    boolean anyValue(EntryRecord record, ValueTest test) {
        EntryRecord.AttributeCursor cursor = record.cursor(true);
        while (cursor.next()) {
            if (selects(cursor.bytes(), cursor.nameOffset(), cursor.nameLength()) && anyValue(cursor, test)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a value of the cursor's attribute passes the test. */
    static boolean anyValue(EntryRecord.AttributeCursor cursor, ValueTest test) {
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
        int typeLength = 0;
        while (typeLength < length && bytes[offset + typeLength] != ';') {
            typeLength++;
        }
        return typeLength < spellings.length && isSpelling(bytes, offset, spellings[typeLength])
                && (description.options().isEmpty() || hasOptions(bytes, offset + typeLength, offset + length));
    }

    private static boolean isSpelling(byte[] bytes, int offset, byte[][] candidates) {
        for (byte[] candidate : candidates) {
            if (equalsIgnoringCase(bytes, offset, candidate)) {
                return true;
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
        return Arrays.asList(text.split(";")).containsAll(description.options());
    }
}
