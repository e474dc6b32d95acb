package org.alder.partition.entry;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.error.StoreException;
import org.alder.partition.text.Utf8;

/**
 * An entry as it is stored: near wire format, so that a search copies its bytes into the response instead of building objects.
 *
 * <p>Format, versions 1 and 2 (docs/format/entry-record.md; do not change without a new version byte):
 * <pre>
 *   version           1 byte: 2 with large attributes, 1 without
 *   parent ID         varint (7 bits a byte, least significant first, high bit = more)
 *   RDN length, RDN   varint, RFC 4514 text in UTF-8 as the client spelt it
 *   large length      varint              from here to the next line in version 2 only
 *   large attributes  slot varint, description length + UTF-8, count varint, bytes varint; each {@link LargeAttribute}
 *   user length       varint
 *   user attributes   PartialAttribute*   as in a SearchResultEntry (RFC 4511 4.5.2)
 *   operational       PartialAttribute*   up to the end
 *   PartialAttribute  SEQUENCE { type OCTET STRING, vals SET OF OCTET STRING }
 * </pre>
 *
 * <p>The DN is not in it: it follows from the parents, so that moving a subtree changes one record. Immutable, thread safe; the
 * array given or returned is shared and must not be changed. Damaged bytes give a {@link StoreException} of kind CORRUPT.
 */
public final class EntryRecord implements EntryAttributes, StoredName {
    private static final int FEW_VALUES = 4;
    /** Updates refuse to make larger records, so that no store has to keep them. */
    public static final int MAX_BYTES = 64 << 20;

    private static final byte VERSION = 1;
    private static final byte VERSION_WITH_LARGE = 2;

    private final byte[] buffer;
    private final int start;
    private final int end;
    private final long parentId;
    private final int rdnOffset;
    private final int rdnLength;
    private final int largeOffset;
    private final int largeEnd;
    private final int userOffset;
    private final int operationalOffset;

    private EntryRecord(byte[] buffer, int start, int end) {
        this.buffer = buffer;
        this.start = start;
        this.end = end;
        Varints in = new Varints(buffer, start + 1, end);
        parentId = in.next();
        rdnLength = in.nextLength();
        rdnOffset = in.position();
        in.skip(rdnLength);
        int largeLength = buffer[start] == VERSION_WITH_LARGE ? in.nextLength() : 0;
        largeOffset = in.position();
        in.skip(largeLength);
        largeEnd = in.position();
        int userLength = in.nextLength();
        userOffset = in.position();
        in.skip(userLength);
        operationalOffset = in.position();
    }

    /** Wraps stored bytes. */
    public static EntryRecord of(byte[] bytes) {
        return of(bytes, 0, bytes.length);
    }

    /** Wraps stored bytes that are a part of an array. The record keeps the whole array alive. */
    public static EntryRecord of(byte[] buffer, int offset, int length) {
        if (length < 4 || buffer[offset] != VERSION && buffer[offset] != VERSION_WITH_LARGE) {
            throw new StoreException(StoreException.Kind.CORRUPT, "an entry record of " + length + " bytes"
                    + (length == 0 ? "" : " and version " + buffer[offset]) + ", expected version " + VERSION + " or "
                    + VERSION_WITH_LARGE);
        }
        return new EntryRecord(buffer, offset, offset + length);
    }

    /** Builds a record. Attributes without values are left out. */
    public static EntryRecord of(long parentId, byte[] rdn, List<Attribute> user, List<Attribute> operational) {
        BerWriter writer = new BerWriter(512);
        user.forEach(attribute -> write(writer, attribute));
        int userLength = writer.size();
        operational.forEach(attribute -> write(writer, attribute));
        return assemble(parentId, rdn, List.of(), writer, userLength);
    }

    private static EntryRecord assemble(long parentId, byte[] rdn, List<LargeAttribute> large, BerWriter attributes,
            int userLength) {
        byte[] listed = LargeAttribute.encode(large);
        byte[] head = new byte[1 + Varints.MAX_BYTES * 4 + rdn.length + listed.length];
        head[0] = large.isEmpty() ? VERSION : VERSION_WITH_LARGE;
        int at = Varints.put(head, 1, parentId);
        at = Varints.put(head, at, rdn.length);
        System.arraycopy(rdn, 0, head, at, rdn.length);
        at += rdn.length;
        if (!large.isEmpty()) {
            at = Varints.put(head, at, listed.length);
            System.arraycopy(listed, 0, head, at, listed.length);
            at += listed.length;
        }
        at = Varints.put(head, at, userLength);
        byte[] record = Arrays.copyOf(head, at + attributes.size());
        System.arraycopy(attributes.buffer(), 0, record, at, attributes.size());
        return new EntryRecord(record, 0, record.length);
    }

    private static void write(BerWriter writer, Attribute attribute) {
        if (attribute.values().isEmpty()) {
            return;
        }
        int sequence = writer.begin(BerWriter.SEQUENCE);
        writer.string(BerWriter.OCTET_STRING, attribute.description());
        int set = writer.begin(BerWriter.SET);
        for (byte[] value : attribute.values()) {
            writer.octets(BerWriter.OCTET_STRING, value);
        }
        writer.end(set);
        writer.end(sequence);
    }

    /** The record alone, as it is stored; a copy if it is a part of a larger array. */
    public byte[] bytes() {
        return end - start == buffer.length ? buffer : Arrays.copyOfRange(buffer, start, end);
    }

    /** How many bytes {@link #bytes} has. */
    @Override
    public int length() {
        return end - start;
    }

    /** The array that the offsets count in; the record may be a part of it. */
    @Override
    public byte[] buffer() {
        return buffer;
    }

    /** Where the record starts in {@link #buffer}. */
    public int offset() {
        return start;
    }

    @Override
    public long parentId() {
        return parentId;
    }

    public byte[] rdnBytes() {
        return Arrays.copyOfRange(buffer, rdnOffset, rdnOffset + rdnLength);
    }

    @Override
    public int rdnOffset() {
        return rdnOffset;
    }

    @Override
    public int rdnLength() {
        return rdnLength;
    }

    /** Where the user attributes' BER starts in {@link #buffer}; it ends where the operational part starts. */
    public int userOffset() {
        return userOffset;
    }

    /** Where the operational attributes' BER starts in {@link #buffer}; it ends with the record. */
    public int operationalOffset() {
        return operationalOffset;
    }

    /** Whether values of the entry are outside of the record. */
    @Override
    public boolean hasLarge() {
        return largeEnd > largeOffset;
    }

    /** The attributes whose values are not here; none of them is among the others. */
    @Override
    public List<LargeAttribute> largeAttributes() {
        return hasLarge() ? LargeAttribute.decode(buffer, largeOffset, largeEnd) : List.of();
    }

    /** The large attribute with exactly this spelling, or null. */
    public LargeAttribute largeAttribute(String description) {
        for (LargeAttribute attribute : largeAttributes()) {
            if (attribute.description().equals(description)) {
                return attribute;
            }
        }
        return null;
    }

    /** This entry without the values of these attributes, which it has by exactly this spelling, but listing them as large. */
    public EntryRecord withLarge(List<LargeAttribute> moved) {
        List<LargeAttribute> large = new ArrayList<>(largeAttributes());
        large.addAll(moved);
        List<Attribute> kept = new ArrayList<>(userAttributes());
        kept.removeIf(attribute -> moved.stream().anyMatch(one -> one.description().equals(attribute.description())));
        return of(parentId, rdnBytes(), kept, operationalAttributes()).listing(large);
    }

    /** This entry with the values of its large attributes in it: the opposite of {@link #withLarge}. */
    public EntryRecord whole(List<Attribute> large) {
        List<Attribute> user = new ArrayList<>(userAttributes());
        user.addAll(large);
        List<LargeAttribute> left = new ArrayList<>(largeAttributes());
        large.forEach(inRecord -> left.removeIf(outside -> outside.description().equals(inRecord.description())));
        EntryRecord whole = of(parentId, rdnBytes(), user, operationalAttributes());
        return left.isEmpty() ? whole : whole.listing(left);
    }

    private EntryRecord listing(List<LargeAttribute> large) {
        BerWriter writer = new BerWriter(end - userOffset);
        writer.raw(buffer, userOffset, end - userOffset);
        return assemble(parentId, rdnBytes(), large, writer, operationalOffset - userOffset);
    }

    /** Walks the attributes in the record without building objects: the user attributes, then, if asked, the operational ones. */
    @Override
    public AttributeCursor cursor(boolean withOperational) {
        return new AttributeCursor(buffer, userOffset, operationalOffset, withOperational ? end : operationalOffset);
    }

    /** Walks the operational attributes alone. */
    public AttributeCursor operationalCursor() {
        return new AttributeCursor(buffer, operationalOffset, operationalOffset, end);
    }

    /** The first value of the operational attribute spelt so, in capitals or not and without options; null if there is none. */
    @Override
    public byte[] operationalValue(String name) {
        AttributeCursor cursor = operationalCursor();
        while (cursor.next()) {
            if (cursor.nameLength() == name.length() && isName(name, cursor.nameOffset())) {
                return firstValue(cursor);
            }
        }
        return null;
    }

    private static byte[] firstValue(AttributeCursor cursor) {
        List<byte[]> values = cursor.values();
        if (values.isEmpty()) {
            throw new StoreException(StoreException.Kind.CORRUPT, "an entry record whose attribute " + cursor.description()
                    + " has no values");
        }
        return values.get(0);
    }

    @Override
    public void writeUserAttributes(BerWriter out) {
        out.raw(buffer, userOffset, operationalOffset - userOffset);
    }

    private boolean isName(String name, int offset) {
        for (int i = 0; i < name.length(); i++) {
            if ((buffer[offset + i] | 0x20) != (name.charAt(i) | 0x20)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public List<Attribute> userAttributes() {
        return attributes(userOffset, operationalOffset);
    }

    public List<Attribute> operationalAttributes() {
        return attributes(operationalOffset, end);
    }

    private List<Attribute> attributes(int from, int to) {
        List<Attribute> attributes = new ArrayList<>();
        AttributeCursor cursor = new AttributeCursor(buffer, from, to, to);
        while (cursor.next()) {
            attributes.add(new Attribute(cursor.description(), cursor.values()));
        }
        return attributes;
    }

    /**
     * This entry after the changes. Each removed value must be there byte for byte: it is a StoreException if not. Of a large
     * attribute only count and size are changed, as if all were there; if no old value is left, the new ones are put into the
     * record.
     */
    public EntryRecord apply(List<AttributeDelta> deltas) {
        return rebuilt(parentId, rdnBytes(), deltas);
    }

    /** This entry under another parent and RDN and after the changes. */
    public EntryRecord moved(long newParentId, byte[] newRdn, List<AttributeDelta> deltas) {
        return rebuilt(newParentId, newRdn, deltas);
    }

    /** This entry as it is under another parent, at the cost of one copy. */
    public EntryRecord withParent(long newParentId) {
        return withParent(newParentId, List.of());
    }

    /**
     * The same with some more operational attributes, also at the cost of one copy.
     *
     * @param more which the entry has not
     */
    public EntryRecord withParent(long newParentId, List<Attribute> more) {
        BerWriter writer = new BerWriter(more.isEmpty() ? 0 : 64);
        more.forEach(attribute -> write(writer, attribute));
        Varints in = new Varints(buffer, start + 1, end);
        in.next();
        byte[] head = new byte[1 + Varints.MAX_BYTES];
        head[0] = buffer[start];
        int at = Varints.put(head, 1, newParentId);
        int rest = end - in.position();
        byte[] moved = Arrays.copyOf(head, at + rest + writer.size());
        System.arraycopy(buffer, in.position(), moved, at, rest);
        System.arraycopy(writer.buffer(), 0, moved, at + rest, writer.size());
        return new EntryRecord(moved, 0, moved.length);
    }

    private EntryRecord rebuilt(long newParentId, byte[] newRdn, List<AttributeDelta> deltas) {
        BerWriter writer = new BerWriter(length() + 64);
        Map<String, AttributeDelta> userDeltas = byDescription(deltas, false);
        List<LargeAttribute> large = hasLarge() ? changedLarge(userDeltas) : List.of();
        writeChanged(writer, userOffset, operationalOffset, userDeltas);
        int userLength = writer.size();
        writeChanged(writer, operationalOffset, end, byDescription(deltas, true));
        return assemble(newParentId, newRdn, large, writer, userLength);
    }

    /** Takes out of the map what is done, and leaves what is added to an attribute that was emptied. */
    private List<LargeAttribute> changedLarge(Map<String, AttributeDelta> deltas) {
        List<LargeAttribute> kept = new ArrayList<>(1);
        for (LargeAttribute attribute : largeAttributes()) {
            AttributeDelta delta = deltas.remove(attribute.description());
            if (delta == null) {
                kept.add(attribute);
            } else if (!attribute.isEmptiedBy(delta)) {
                kept.add(attribute.apply(delta));
            } else if (!delta.added().isEmpty()) {
                deltas.put(delta.description(), new AttributeDelta(delta.description(), false, List.of(), delta.added()));
            }
        }
        return kept;
    }

    private static Map<String, AttributeDelta> byDescription(List<AttributeDelta> deltas, boolean operational) {
        Map<String, AttributeDelta> map = new LinkedHashMap<>();
        for (AttributeDelta delta : deltas) {
            if (delta.operational() == operational && map.put(delta.description(), delta) != null) {
                throw new IllegalArgumentException("two deltas for attribute " + delta.description());
            }
        }
        return map;
    }

    private void writeChanged(BerWriter writer, int from, int to, Map<String, AttributeDelta> deltas) {
        AttributeCursor cursor = new AttributeCursor(buffer, from, to, to);
        while (cursor.next()) {
            AttributeDelta delta = deltas.isEmpty() ? null : deltas.remove(cursor.description());
            if (delta == null) {
                writer.raw(buffer, cursor.offset(), cursor.length());
            } else {
                write(writer, new Attribute(delta.description(), changed(cursor.values(), delta)));
            }
        }
        for (AttributeDelta delta : deltas.values()) {
            write(writer, new Attribute(delta.description(), changed(List.of(), delta)));
        }
    }

    private static List<byte[]> changed(List<byte[]> values, AttributeDelta delta) {
        List<byte[]> result = delta.removed().size() <= FEW_VALUES ? withoutFew(values, delta) : withoutMany(values, delta);
        result.addAll(delta.added());
        return result;
    }

    /** Most changes take one value out, which needs no map. */
    private static List<byte[]> withoutFew(List<byte[]> values, AttributeDelta delta) {
        List<byte[]> left = new ArrayList<>(values);
        for (byte[] gone : delta.removed()) {
            if (!left.removeIf(value -> Arrays.equals(value, gone))) {
                throw notThere(delta, gone);
            }
        }
        return left;
    }

    private static List<byte[]> withoutMany(List<byte[]> values, AttributeDelta delta) {
        Map<Octets, byte[]> kept = new LinkedHashMap<>(values.size() * 2);
        values.forEach(value -> kept.put(new Octets(value), value));
        for (byte[] gone : delta.removed()) {
            if (kept.remove(new Octets(gone)) == null) {
                throw notThere(delta, gone);
            }
        }
        return new ArrayList<>(kept.values());
    }

    private static StoreException notThere(AttributeDelta delta, byte[] gone) {
        return new StoreException(StoreException.Kind.CORRUPT, "attribute " + delta.description()
                + " has not the value to be removed: \"" + Utf8.shown(gone) + "\"");
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof EntryRecord record && Arrays.equals(buffer, start, end, record.buffer, record.start, record.end);
    }

    @Override
    public int hashCode() {
        return ByteBuffer.wrap(buffer, start, end - start).hashCode();
    }
}
