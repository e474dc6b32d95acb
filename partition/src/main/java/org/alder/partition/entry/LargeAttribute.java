package org.alder.partition.entry;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.text.Utf8;

/**
 * A user attribute whose values are outside of the entry record, in the store's value table: what the record itself knows of it,
 * enough to write the head of a search result entry before the first value is read. Immutable.
 *
 * @param slot        tells the large attributes of one entry apart in the keys of the value table; 0 to {@value #MAX_SLOTS} - 1
 * @param description as it is spelt
 * @param count       the number of values, at least 1
 * @param valueBytes  what the values take as OCTET STRINGs in BER
 */
public record LargeAttribute(int slot, String description, long count, long valueBytes) {
    /** An entry has at most so many large attributes. */
    public static final int MAX_SLOTS = 256;

    /** What a value takes as an OCTET STRING in BER. */
    public static long encodedBytes(byte[] value) {
        return BerWriter.headerBytes(value.length) + (long) value.length;
    }

    /** An attribute with these values. */
    public static LargeAttribute of(int slot, String description, List<byte[]> values) {
        return new LargeAttribute(slot, description, values.size(), encodedBytes(values));
    }

    private static long encodedBytes(List<byte[]> values) {
        long bytes = 0;
        for (byte[] value : values) {
            bytes += encodedBytes(value);
        }
        return bytes;
    }

    /** Whether the change takes out all values there were: what it adds is then a new attribute, kept where its size says. */
    public boolean isEmptiedBy(AttributeDelta delta) {
        return delta.removed().size() >= count;
    }

    /** The attribute after a change that does not empty it. */
    LargeAttribute apply(AttributeDelta delta) {
        return new LargeAttribute(slot, description, count - delta.removed().size() + delta.added().size(),
                valueBytes - encodedBytes(delta.removed()) + encodedBytes(delta.added()));
    }

    /** The section of a record that lists these attributes, without its length. */
    static byte[] encode(List<LargeAttribute> attributes) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(64);
        for (LargeAttribute attribute : attributes) {
            byte[] name = attribute.description.getBytes(StandardCharsets.UTF_8);
            putVarint(out, attribute.slot);
            putVarint(out, name.length);
            out.write(name, 0, name.length);
            putVarint(out, attribute.count);
            putVarint(out, attribute.valueBytes);
        }
        return out.toByteArray();
    }

    private static void putVarint(ByteArrayOutputStream out, long value) {
        byte[] bytes = new byte[Varints.MAX_BYTES];
        out.write(bytes, 0, Varints.put(bytes, 0, value));
    }

    static List<LargeAttribute> decode(byte[] bytes, int from, int to) {
        List<LargeAttribute> attributes = new ArrayList<>(1);
        Varints in = new Varints(bytes, from, to);
        while (in.position() < to) {
            int slot = (int) Math.min(in.next(), MAX_SLOTS);
            int length = in.nextLength();
            String description = Utf8.stored(bytes, in.position(), length);
            in.skip(length);
            attributes.add(new LargeAttribute(slot, description, in.next(), in.next()));
        }
        return attributes;
    }
}
