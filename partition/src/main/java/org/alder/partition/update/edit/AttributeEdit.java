package org.alder.partition.update.edit;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.alder.partition.entry.AttributeDelta;
import org.alder.partition.entry.Octets;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.value.MatchingRule;

/**
 * One attribute while a change is made to it: its values by their normal form, and what they were before. Values are equal by the
 * type's equality rule, or byte by byte if it has none (RFC 4512 2.5.1). One thread.
 */
public final class AttributeEdit {
    /** Among so many one that is the same byte for byte, and so has the same key, is sought one by one. */
    private static final int FEW_VALUES = 4;

    private final AttributeDescription description;
    private final String spelling;
    private final ValuesBefore before;
    /** Whether none of the values before is there any more, but for those that are among the changes. */
    private boolean cleared;
    /** What became of values since: the new value, or null where there is none any more. */
    private Map<Octets, byte[]> changes = new LinkedHashMap<>();
    private long count;

    /** @param spelling the description as it is, or will be, spelt in the record */
    AttributeEdit(AttributeDescription description, String spelling, ValuesBefore before) {
        this.description = description;
        this.spelling = spelling;
        this.before = before;
        this.count = before.count();
    }

    AttributeType type() {
        return description.type();
    }

    boolean isEmpty() {
        return count == 0;
    }

    boolean contains(byte[] value) throws DirectoryException {
        return current(key(type(), value)) != null;
    }

    private byte[] current(Octets key) {
        byte[] changed = changes.get(key);
        return changed != null || cleared || changes.containsKey(key) ? changed : before.find(key);
    }

    /** A map that was large once would be cleared at the cost of its size, for each of a request's replacements. */
    private void clear() {
        changes = new LinkedHashMap<>();
        cleared = true;
        count = 0;
    }

    /** RFC 4511 4.6 "add". */
    void add(List<byte[]> added) throws DirectoryException {
        refuseWithoutEqualityRule("added to");
        for (byte[] value : added) {
            if (!addIfMissing(value)) {
                throw new DirectoryException(ResultCode.ATTRIBUTE_OR_VALUE_EXISTS,
                        "attribute " + spelling + " already has the value " + Quoted.value(type(), value));
            }
        }
    }

    /** A permissive "add": values that are there already are passed over. */
    void addMissing(List<byte[]> added) throws DirectoryException {
        for (byte[] value : added) {
            addIfMissing(value);
        }
    }

    /** A permissive "delete": values that are not there are passed over; without values, all that are there go. */
    void removePresent(List<byte[]> removed) throws DirectoryException {
        if (removed.isEmpty()) {
            clear();
        }
        for (byte[] value : removed) {
            removeIfPresent(value);
        }
    }

    /** @return false if an equal value was there */
    boolean addIfMissing(byte[] value) throws DirectoryException {
        Octets key = key(type(), value);
        if (current(key) != null) {
            return false;
        }
        changes.put(key, value);
        count++;
        return true;
    }

    /** RFC 4511 4.6 "delete" with values. */
    void remove(List<byte[]> removed) throws DirectoryException {
        refuseMissing();
        refuseWithoutEqualityRule("deleted from");
        for (byte[] value : removed) {
            if (!removeIfPresent(value)) {
                throw new DirectoryException(ResultCode.NO_SUCH_ATTRIBUTE,
                        "attribute " + spelling + " has not the value " + Quoted.value(type(), value));
            }
        }
    }

    /** @return false if no equal value was there */
    boolean removeIfPresent(byte[] value) throws DirectoryException {
        Octets key = key(type(), value);
        if (current(key) == null) {
            return false;
        }
        changes.put(key, null);
        count--;
        return true;
    }

    /** Whether this value was taken out by itself, not with all the others. */
    boolean isRemoved(byte[] value) throws DirectoryException {
        Octets key = key(type(), value);
        return !cleared && changes.containsKey(key) && changes.get(key) == null;
    }

    /** RFC 4511 4.6 "delete" without values. */
    void removeAll() throws DirectoryException {
        refuseMissing();
        clear();
    }

    /** RFC 4511 4.6 "replace"; without values it is no error that the attribute is missing. */
    void replace(List<byte[]> replacement) throws DirectoryException {
        clear();
        for (byte[] value : replacement) {
            if (!addIfMissing(value)) {
                throw new DirectoryException(ResultCode.ATTRIBUTE_OR_VALUE_EXISTS,
                        "the replacement of attribute " + spelling + " has the value " + Quoted.value(type(), value) + " twice");
            }
        }
    }

    /**
     * RFC 4525: adds the amount to every value.
     *
     * @param amount an INTEGER, which was checked before
     * @param digitsLeft how many digits the request's increments may still read
     * @return how many it has left
     */
    int increment(byte[] amount, int digitsLeft) throws DirectoryException {
        refuseMissing();
        BigInteger summand = integer(amount);
        List<byte[]> old = count > digitsLeft ? List.of() : values();
        long digits = count;
        for (byte[] value : old) {
            digits += value.length;
        }
        if (digits > digitsLeft) {
            throw new DirectoryException(ResultCode.ADMIN_LIMIT_EXCEEDED, "the increments of attribute " + spelling
                    + " change more than " + EntryEdit.MOST_INCREMENTED_DIGITS
                    + " digits, too many to be changed at once: replace the values instead");
        }
        clear();
        for (byte[] value : old) {
            addIfMissing(integer(value).add(summand).toString().getBytes(StandardCharsets.US_ASCII));
        }
        return digitsLeft - (int) digits;
    }

    List<byte[]> values() {
        List<byte[]> values = new ArrayList<>();
        if (!cleared) {
            before.forEach((key, value) -> {
                if (!changes.containsKey(key)) {
                    values.add(value);
                }
            });
        }
        changes.values().stream().filter(Objects::nonNull).forEach(values::add);
        return values;
    }

    /** A value that was stored before its syntax was checked may be none, or longer than reading its digits is worth. */
    private BigInteger integer(byte[] value) throws DirectoryException {
        if (!type().checkSyntax(value)) {
            throw new DirectoryException(ResultCode.INVALID_ATTRIBUTE_SYNTAX, "increment of attribute " + spelling
                    + ": the value " + Quoted.value(type(), value) + " is not of syntax " + type().syntaxName());
        }
        return new BigInteger(new String(value, StandardCharsets.US_ASCII));
    }

    private void refuseMissing() throws DirectoryException {
        if (count == 0) {
            throw new DirectoryException(ResultCode.NO_SUCH_ATTRIBUTE, "the entry has no attribute " + spelling);
        }
    }

    private void refuseWithoutEqualityRule(String what) throws DirectoryException {
        if (type().equality() == null && count > 0) {
            throw new DirectoryException(ResultCode.INAPPROPRIATE_MATCHING, "attribute " + spelling
                    + " has no equality rule: single values cannot be " + what + " it, replace or delete it as a whole");
        }
    }

    /** What happened to the attribute since, in exact bytes, or null if nothing. */
    AttributeDelta delta() {
        List<byte[]> removed = new ArrayList<>();
        Map<Octets, byte[]> added = new LinkedHashMap<>(changes);
        added.values().removeIf(Objects::isNull);
        if (cleared && added.size() <= FEW_VALUES) {
            before.forEachValue(value -> {
                if (!added.values().removeIf(same -> Arrays.equals(same, value))) {
                    removed.add(value);
                }
            });
        } else if (cleared) {
            before.forEach((key, value) -> compare(key, value, removed, added));
        } else {
            for (Octets key : changes.keySet()) {
                byte[] value = before.find(key);
                if (value != null) {
                    compare(key, value, removed, added);
                }
            }
        }
        return removed.isEmpty() && added.isEmpty() ? null
                : new AttributeDelta(spelling, type().isOperational(), removed, List.copyOf(added.values()));
    }

    private static void compare(Octets key, byte[] before, List<byte[]> removed, Map<Octets, byte[]> added) {
        if (Arrays.equals(before, added.get(key))) {
            added.remove(key);
        } else {
            removed.add(before);
        }
    }

    /** The form in which values of a type are equal. */
    public static Octets key(AttributeType type, byte[] value) throws DirectoryException {
        MatchingRule rule = type.equality();
        return new Octets(rule == null ? value : rule.normalize(value));
    }

    /** As {@link #key}; a stored value that its rule cannot read (the schema was changed since) still equals itself. */
    public static Octets storedKey(AttributeType type, byte[] value) {
        try {
            return key(type, value);
        } catch (DirectoryException e) {
            return new Octets(value);
        }
    }
}
