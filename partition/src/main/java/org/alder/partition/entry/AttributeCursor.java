package org.alder.partition.entry;

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

    private final byte[] bytes;
    private final int operationalOffset;
    private final int limit;
    private int position;
    private int offset;
    private int end;
    private int nameOffset;
    private int nameEnd;
    private int valuesOffset;

    AttributeCursor(byte[] bytes, int from, int operationalOffset, int to) {
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
        return Utf8.stored(bytes, nameOffset, nameEnd - nameOffset);
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
