package org.alder.partition.entry;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.error.StoreException;

/**
 * An entry as it is stored: near wire format, so that a search copies its bytes into the response instead of building objects.
 *
 * <p>Format, version 1 (docs/format/entry-record.md; do not change without a new version byte):
 * <pre>
 *   version           1 byte, 1
 *   parent ID         varint (7 bits a byte, least significant first, high bit = more)
 *   RDN length, RDN   varint, RFC 4514 text in UTF-8 as the client spelt it
 *   user length       varint
 *   user attributes   PartialAttribute*   as in a SearchResultEntry (RFC 4511 4.5.2)
 *   operational       PartialAttribute*   up to the end
 *   PartialAttribute  SEQUENCE { type OCTET STRING, vals SET OF OCTET STRING }
 * </pre>
 *
 * <p>The DN is not in it: it follows from the parents, so that moving a subtree changes one record. Immutable, thread safe; the
 * array given or returned is shared and must not be changed. Damaged bytes give a {@link StoreException} of kind CORRUPT.
 */
public final class EntryRecord {
    /** Updates refuse to make larger records, so that no store has to keep them. */
    public static final int MAX_BYTES = 64 << 20;

    private static final byte VERSION = 1;

    private final byte[] buffer;
    private final int start;
    private final int end;
    private final long parentId;
    private final int rdnOffset;
    private final int rdnLength;
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
        if (length < 4 || buffer[offset] != VERSION) {
            throw new StoreException(StoreException.Kind.CORRUPT, "an entry record of " + length + " bytes"
                    + (length == 0 ? "" : " and version " + buffer[offset]) + ", expected version " + VERSION);
        }
        return new EntryRecord(buffer, offset, offset + length);
    }

    /** Builds a record. Attributes without values are left out. */
    public static EntryRecord of(long parentId, byte[] rdn, List<Attribute> user, List<Attribute> operational) {
        BerWriter writer = new BerWriter(512);
        user.forEach(attribute -> write(writer, attribute));
        int userLength = writer.size();
        operational.forEach(attribute -> write(writer, attribute));
        return assemble(parentId, rdn, writer, userLength);
    }

    private static EntryRecord assemble(long parentId, byte[] rdn, BerWriter attributes, int userLength) {
        byte[] head = new byte[1 + Varints.MAX_BYTES * 3 + rdn.length];
        head[0] = VERSION;
        int at = Varints.put(head, 1, parentId);
        at = Varints.put(head, at, rdn.length);
        System.arraycopy(rdn, 0, head, at, rdn.length);
        at = Varints.put(head, at + rdn.length, userLength);
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
    public int length() {
        return end - start;
    }

    /** The array that the offsets count in; the record may be a part of it. */
    public byte[] buffer() {
        return buffer;
    }

    public long parentId() {
        return parentId;
    }

    /** The RDN as RFC 4514 text. */
    public String rdn() {
        return new String(buffer, rdnOffset, rdnLength, StandardCharsets.UTF_8);
    }

    public byte[] rdnBytes() {
        return Arrays.copyOfRange(buffer, rdnOffset, rdnOffset + rdnLength);
    }

    /** Where the RDN's text starts in {@link #buffer}. */
    public int rdnOffset() {
        return rdnOffset;
    }

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

    /** Walks the attributes without building objects: the user attributes, then, if asked, the operational ones. */
    public AttributeCursor cursor(boolean withOperational) {
        return new AttributeCursor(buffer, userOffset, operationalOffset, withOperational ? end : operationalOffset);
    }

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

    /** This entry after the changes. Each removed value must be there byte for byte: it is a StoreException if not. */
    public EntryRecord apply(List<AttributeDelta> deltas) {
        return rebuilt(parentId, rdnBytes(), deltas);
    }

    /** This entry under another parent and RDN and after the changes. */
    public EntryRecord moved(long newParentId, byte[] newRdn, List<AttributeDelta> deltas) {
        return rebuilt(newParentId, newRdn, deltas);
    }

    /** This entry as it is under another parent, at the cost of one copy. */
    public EntryRecord withParent(long newParentId) {
        Varints in = new Varints(buffer, start + 1, end);
        in.next();
        byte[] head = new byte[1 + Varints.MAX_BYTES];
        head[0] = VERSION;
        int at = Varints.put(head, 1, newParentId);
        byte[] moved = Arrays.copyOf(head, at + end - in.position());
        System.arraycopy(buffer, in.position(), moved, at, end - in.position());
        return new EntryRecord(moved, 0, moved.length);
    }

    private EntryRecord rebuilt(long newParentId, byte[] newRdn, List<AttributeDelta> deltas) {
        BerWriter writer = new BerWriter(length() + 64);
        writeChanged(writer, userOffset, operationalOffset, byDescription(deltas, false));
        int userLength = writer.size();
        writeChanged(writer, operationalOffset, end, byDescription(deltas, true));
        return assemble(newParentId, newRdn, writer, userLength);
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
        List<byte[]> result = new ArrayList<>(values);
        for (byte[] gone : delta.removed()) {
            if (!result.removeIf(value -> Arrays.equals(value, gone))) {
                throw new StoreException(StoreException.Kind.CORRUPT, "attribute " + delta.description()
                        + " has not the value to be removed: \"" + new String(gone, StandardCharsets.UTF_8) + "\"");
            }
        }
        result.addAll(delta.added());
        return result;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof EntryRecord record && Arrays.equals(buffer, start, end, record.buffer, record.start, record.end);
    }

    @Override
    public int hashCode() {
        return ByteBuffer.wrap(buffer, start, end - start).hashCode();
    }

    /**
     * A position among the attributes of a record; before the first one at the start. The ranges it returns lie in {@link
     * #buffer}. One thread.
     */
    public static final class AttributeCursor {
        private static final int SHORT_HEADERS = 4;

        private final byte[] bytes;
        private final int operationalOffset;
        private final int limit;
        private int position;
        private int offset;
        private int end;
        private int nameOffset;
        private int nameEnd;
        private int valuesOffset;

        private AttributeCursor(byte[] bytes, int from, int operationalOffset, int to) {
            this.bytes = bytes;
            this.operationalOffset = operationalOffset;
            this.position = from;
            this.limit = to;
        }

        public boolean next() {
            return position < limit && (nextShort() || nextOfAnyLength());
        }

        /** Most attributes have less than 128 bytes, and searches without an index step over a great many. */
        private boolean nextShort() {
            int at = position;
            if (limit - at < SHORT_HEADERS || bytes[at] != BerWriter.SEQUENCE || bytes[at + 2] != BerWriter.OCTET_STRING
                    || (bytes[at + 1] | bytes[at + 3]) < 0) {
                return false;
            }
            int attributeEnd = at + 2 + bytes[at + 1];
            int typeEnd = at + SHORT_HEADERS + bytes[at + 3];
            if (typeEnd > attributeEnd || attributeEnd > limit) {
                return false;
            }
            offset = at;
            nameOffset = at + SHORT_HEADERS;
            nameEnd = typeEnd;
            valuesOffset = typeEnd;
            end = attributeEnd;
            position = attributeEnd;
            return true;
        }

        private boolean nextOfAnyLength() {
            try {
                BerReader reader = new BerReader(bytes, position, limit - position);
                offset = position;
                int outer = reader.enter(BerWriter.SEQUENCE);
                nameEnd = reader.readHeader(BerWriter.OCTET_STRING);
                nameOffset = reader.position();
                end = reader.limit();
                valuesOffset = nameEnd;
                reader.leave(outer);
                position = reader.position();
                return true;
            } catch (BerException e) {
                throw new StoreException(StoreException.Kind.CORRUPT, "an entry record that is not BER: " + e.getMessage(), e);
            }
        }

        public byte[] bytes() {
            return bytes;
        }

        /** Where the whole PartialAttribute starts. */
        public int offset() {
            return offset;
        }

        /** The length of the whole PartialAttribute. */
        public int length() {
            return end - offset;
        }

        public int nameOffset() {
            return nameOffset;
        }

        public int nameLength() {
            return nameEnd - nameOffset;
        }

        public boolean isOperational() {
            return offset >= operationalOffset;
        }

        public String description() {
            return new String(bytes, nameOffset, nameEnd - nameOffset, StandardCharsets.UTF_8);
        }

        /** Positioned inside the SET: read OCTET STRINGs while it has more. */
        public BerReader valueReader() {
            try {
                BerReader values = new BerReader(bytes, valuesOffset, end - valuesOffset);
                values.enter(BerWriter.SET);
                return values;
            } catch (BerException e) {
                throw new StoreException(StoreException.Kind.CORRUPT, "an entry record that is not BER: " + e.getMessage(), e);
            }
        }

        public List<byte[]> values() {
            try {
                List<byte[]> values = new ArrayList<>(2);
                BerReader in = valueReader();
                while (in.hasMore()) {
                    values.add(in.readBytes(BerWriter.OCTET_STRING));
                }
                return values;
            } catch (BerException e) {
                throw new StoreException(StoreException.Kind.CORRUPT, "an entry record that is not BER: " + e.getMessage(), e);
            }
        }
    }
}
