package org.alder.partition.jdbm.entry;

import java.util.Arrays;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.entry.Varints;
import org.alder.partition.error.StoreException;

/**
 * Makes records of coded entries, in one pass over each. One thread; one object for many entries, because it keeps the array that it writes to.
 *
 * <p>Format (docs/format/entry-file.md; do not change without a new version of the file); numbers are varints:
 * <pre>
 *   coded   = shape &lt;&lt; 1, content                                   shape 0: the content is the record; N: the vocabulary's shape N - 1
 *           / shape &lt;&lt; 1 | 1, length of the content, content in LZ4
 *   content = parent ID, rdn, bytes of the codes, codes, octets
 *   rdn     = 0, length, octets / N                                  N: description "=" first value of the shape's attribute N - 1
 *   codes   = for each attribute of the shape: [values], code*       the number of values where the shape does not say it
 *   code    = length &lt;&lt; 2                                            the value's octets are the next ones
 *           / attribute &lt;&lt; 2 | 1                                     the vocabulary's attribute, whole: no other code of it follows
 *           / make &lt;&lt; 2 | 2                                          the value is packed in the next octets ({@link PackedValue})
 *           / ending &lt;&lt; 2 | 3, length                                the value is the next octets and the vocabulary's ending
 * </pre>
 */
final class EntryDecoder {
    static final int COMPRESSED = 1;
    /** The bits of a code that say of which kind it is. */
    static final int KIND = 3;
    static final int KIND_BITS = 2;
    static final int OCTETS = 0;
    static final int ATTRIBUTE = 1;
    static final int PACKED = 2;
    static final int ENDING = 3;
    /** An RDN that is made of an attribute is not longer. */
    static final int MAX_NAMED_BYTES = 1024;

    private static final LZ4SafeDecompressor LZ4 = LZ4Factory.fastestInstance().safeDecompressor();
    /** LZ4 does not make more bytes of one. */
    private static final long MOST_COMPRESSION = 255;
    private static final int USUAL_BYTES = 1 << 12;
    private static final byte RECORD_VERSION = 1;
    private static final int MAX_SHORT = 0x7F;
    /** What the head of a record takes but for its RDN: version, parent, two lengths. */
    private static final int MAX_HEAD_BYTES = 1 + 3 * Varints.MAX_BYTES;
    /** What tags and lengths of an attribute with one value take beyond those in the shape's head. */
    private static final int MAX_HEADERS_BYTES = 3 * 6;

    private final Vocabulary vocabulary;
    private final CodeReader in;
    private byte[] out = new byte[USUAL_BYTES];
    private int to;
    /** Where the value is that the RDN is made of, and its length. */
    private int namedValue;
    private int namedLength;

    EntryDecoder(Vocabulary vocabulary) {
        this.vocabulary = vocabulary;
        this.in = new CodeReader(vocabulary);
    }

    /** What it takes of the heap between two entries. */
    int bufferBytes() {
        return out.length;
    }

    /**
     * The record that was coded in these bytes, in an array of its own.
     *
     * @param coded goes on for {@link Word#SLACK} bytes
     * @throws StoreException of kind CORRUPT where none was
     */
    EntryRecord decode(byte[] coded, int from, int end) {
        in.start(coded, from, end);
        int head = in.number();
        if ((head & COMPRESSED) != 0) {
            decompress();
        }
        if (head >>> 1 == 0) {
            return EntryRecord.of(Arrays.copyOfRange(in.bytes(), in.position(), in.limit()));
        }
        return record(vocabulary.shape((head >>> 1) - 1));
    }

    private void decompress() {
        int length = in.number();
        int compressed = in.limit() - in.position();
        if (length > EntryRecord.MAX_BYTES || length > MOST_COMPRESSION * compressed) {
            throw CodeReader.corrupt("an entry of " + length + " bytes in " + compressed);
        }
        byte[] content = new byte[length + Word.SLACK];
        int found;
        try {
            found = LZ4.decompress(in.bytes(), in.position(), compressed, content, 0, length);
        } catch (LZ4Exception e) {
            throw new StoreException(StoreException.Kind.CORRUPT, "a coded entry that does not decompress", e);
        }
        if (found != length) {
            throw CodeReader.corrupt("it decompresses to " + found + " bytes, expected " + length);
        }
        in.start(content, 0, length);
    }

    private EntryRecord record(Shape shape) {
        in.readName();
        int named = in.named();
        int start = MAX_HEAD_BYTES + (named < 0 ? in.rdnLength() : MAX_NAMED_BYTES);
        to = 0;
        room(start);
        to = start;
        int userLength = attributes(shape, named) - start;
        in.requireEnd();
        int rdnLength = named < 0 ? in.rdnLength() : shape.descriptionLength(named) + 1 + namedLength;
        int head = start - Varints.bytes(userLength) - rdnLength - Varints.bytes(rdnLength) - Varints.bytes(in.parent()) - 1;
        out[head] = RECORD_VERSION;
        int rdn = Varints.put(out, Varints.put(out, head + 1, in.parent()), rdnLength);
        if (named < 0) {
            System.arraycopy(in.bytes(), in.rdnOffset(), out, rdn, rdnLength);
        } else {
            name(shape, named, rdn);
        }
        Varints.put(out, rdn + rdnLength, userLength);
        return EntryRecord.of(Arrays.copyOfRange(out, head, to));
    }

    private void name(Shape shape, int named, int rdn) {
        int length = shape.descriptionLength(named);
        System.arraycopy(shape.head(named).bytes(), shape.descriptionOffset(named), out, rdn, length);
        out[rdn + length] = '=';
        System.arraycopy(out, namedValue, out, rdn + length + 1, namedLength);
    }

    /** Writes all attributes; returns where the user attributes end. */
    private int attributes(Shape shape, int named) {
        int size = shape.size();
        int userCount = shape.userCount();
        int userEnd = to;
        if (named >= size) {
            throw CodeReader.corrupt("an RDN of attribute " + named + " of " + size);
        }
        for (int attribute = 0; attribute < size; attribute++) {
            if (attribute == userCount) {
                userEnd = to;
            }
            attribute(shape, attribute, attribute == named);
        }
        return size == userCount ? to : userEnd;
    }

    private void attribute(Shape shape, int attribute, boolean named) {
        int shaped = shape.count(attribute);
        int count = shaped > 0 ? shaped : in.number();
        int first = in.position();
        int code = in.number();
        if ((code & KIND) == ATTRIBUTE && !named) {
            Word whole = vocabulary.attribute(code >>> KIND_BITS);
            room(whole.length());
            whole.copyTo(out, to);
            to += whole.length();
            return;
        }
        Word head = shape.head(attribute);
        int length = in.length(code);
        if (count == 1 && head.length() + length <= MAX_SHORT) {
            room(MAX_SHORT);
            head.copyTo(out, to);
            out[to + 1] = (byte) (head.length() + length);
            to += head.length();
            out[to - 1] = (byte) (2 + length);
            out[to] = BerWriter.OCTET_STRING;
            out[to + 1] = (byte) length;
            to += 2;
            in.write(code, length, out, to);
            to += length;
        } else {
            values(head, count, first);
        }
        if (named) {
            nameBy(shape.descriptionLength(attribute), count, length);
        }
    }

    /** Remembers the value that was written last. */
    private void nameBy(int descriptionLength, int count, int length) {
        if (count != 1 || descriptionLength + 1 + length > MAX_NAMED_BYTES) {
            throw CodeReader.corrupt("an RDN of an attribute of " + count + " values with " + length + " bytes");
        }
        namedValue = to - length;
        namedLength = length;
    }

    /** Writes an attribute of any size, whose codes begin there. */
    private void values(Word head, int count, int codes) {
        long set = 0;
        in.back(codes);
        for (int i = 0; i < count; i++) {
            int length = in.length(in.number());
            set += BerWriter.headerBytes(length) + length;
            if (set > EntryRecord.MAX_BYTES) {
                throw CodeReader.corrupt("values of " + set + " bytes");
            }
        }
        int type = head.length() - Shape.HEADERS_BYTES;
        room((int) set + type + MAX_HEADERS_BYTES);
        to = BerWriter.putHeader(out, to, BerWriter.SEQUENCE, type + BerWriter.headerBytes((int) set) + (int) set);
        System.arraycopy(head.bytes(), Shape.HEADERS_BYTES / 2, out, to, type);
        to = BerWriter.putHeader(out, to + type, BerWriter.SET, (int) set);
        in.back(codes);
        for (int i = 0; i < count; i++) {
            int code = in.number();
            int length = in.length(code);
            to = BerWriter.putHeader(out, to, BerWriter.OCTET_STRING, length);
            in.write(code, length, out, to);
            to += length;
        }
    }

    private void room(int more) {
        if (more > out.length - Word.SLACK - to) {
            long wanted = (long) to + more + Word.SLACK;
            if (wanted > EntryRecord.MAX_BYTES + MAX_HEAD_BYTES + (long) MAX_NAMED_BYTES) {
                throw CodeReader.corrupt("an entry of " + wanted + " bytes");
            }
            out = Arrays.copyOf(out, (int) Math.max(wanted, 2L * out.length));
        }
    }
}
