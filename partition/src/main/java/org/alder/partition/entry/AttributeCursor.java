package org.alder.partition.entry;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.error.StoreException;
import org.alder.partition.text.Utf8;

/**
 * A position among the attributes of a record; before the first one at the start. The ranges it returns lie in {@link
 * #bytes}. One thread.
 */
public final class AttributeCursor {
    private static final int SHORT_HEADERS = 4;
    /** All of the tags and lengths that an attribute of less than 128 bytes starts with, but what may differ. */
    private static final int TAGS_AND_LONG_FORMS = 0xFF80FF80;
    private static final int SHORT_TAGS = BerWriter.SEQUENCE << 24 | BerWriter.OCTET_STRING << 8;
    private static final VarHandle HEADERS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    private final byte[] bytes;
    private final int operationalOffset;
    private final int limit;
    private int offset;
    private int nameOffset;
    private int nameEnd;
    /** Where the attribute ends, and the next one starts. */
    private int end;

    AttributeCursor(byte[] bytes, int from, int operationalOffset, int to) {
        this.bytes = bytes;
        this.operationalOffset = operationalOffset;
        this.end = from;
        this.limit = to;
    }

    public boolean next() {
        return end < limit && (nextShort() || nextOfAnyLength());
    }

    /** Most attributes have less than 128 bytes, and searches without an index step over a great many. */
    private boolean nextShort() {
        int at = end;
        if (limit - at < SHORT_HEADERS) {
            return false;
        }
        int headers = (int) HEADERS.get(bytes, at);
        int attributeEnd = at + 2 + (headers >>> 16 & 0x7F);
        int typeEnd = at + SHORT_HEADERS + (headers & 0x7F);
        if ((headers & TAGS_AND_LONG_FORMS) != SHORT_TAGS || typeEnd > attributeEnd || attributeEnd > limit) {
            return false;
        }
        offset = at;
        nameOffset = at + SHORT_HEADERS;
        nameEnd = typeEnd;
        end = attributeEnd;
        return true;
    }

    private boolean nextOfAnyLength() {
        try {
            BerReader reader = new BerReader(bytes, end, limit - end);
            int at = end;
            int outer = reader.enter(BerWriter.SEQUENCE);
            int typeEnd = reader.readHeader(BerWriter.OCTET_STRING);
            offset = at;
            nameOffset = reader.position();
            nameEnd = typeEnd;
            reader.leave(outer);
            end = reader.position();
            return true;
        } catch (BerException e) {
            throw new StoreException(StoreException.Kind.CORRUPT, "an entry record that is not BER: " + e.getMessage(), e);
        }
    }

    /**
     * Goes to the next attribute if it is spelt so, byte for byte, and shorter than 128 bytes: else nothing changes. Asked of each
     * attribute that is returned to who may not read all.
     */
    public boolean nextIfSpelt(AttributeSpelling spelling) {
        int at = end;
        int name = at + SHORT_HEADERS;
        int typeEnd = name + spelling.length();
        if (typeEnd > limit) {
            return false;
        }
        int headers = (int) HEADERS.get(bytes, at);
        int attributeEnd = at + 2 + (headers >>> 16 & 0x7F);
        if ((headers & ~(0x7F << 16)) != (SHORT_TAGS | spelling.length()) || typeEnd > attributeEnd || attributeEnd > limit
                || !spelling.startsAt(bytes, name)) {
            return false;
        }
        offset = at;
        nameOffset = name;
        nameEnd = typeEnd;
        end = attributeEnd;
        return true;
    }

    /** Whether its description is spelt so, byte for byte. */
    public boolean isSpelt(AttributeSpelling spelling) {
        return nameEnd - nameOffset == spelling.length() && spelling.startsAt(bytes, nameOffset);
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
        return Utf8.stored(bytes, nameOffset, nameEnd - nameOffset);
    }

    /** Positioned inside the SET: read OCTET STRINGs while it has more. */
    public BerReader valueReader() {
        try {
            BerReader values = new BerReader(bytes, nameEnd, end - nameEnd);
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
