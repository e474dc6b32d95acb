package org.alder.partition.ber;

import java.util.Arrays;
import org.alder.partition.text.Utf8;

/**
 * Reads definite-length BER (RFC 4511 5.1) from a byte array, never past the end it was given and never copying what the caller
 * does not ask for. Single-byte tags only: LDAP has no others. One thread.
 *
 * <p>{@link #enter} opens a constructed element by narrowing the limit and returns the limit to give back to {@link #leave}.
 */
public final class BerReader {
    private static final int CONSTRUCTED = 0x20;

    private final byte[] bytes;
    private int position;
    private int limit;

    public BerReader(byte[] bytes) {
        this(bytes, 0, bytes.length);
    }

    public BerReader(byte[] bytes, int offset, int length) {
        this.bytes = bytes;
        this.position = offset;
        this.limit = offset + length;
    }

    /** Another reader at the same place of the same bytes. */
    public BerReader copy() {
        return new BerReader(bytes, position, limit - position);
    }

    public boolean hasMore() {
        return position < limit;
    }

    public int position() {
        return position;
    }

    /** The first offset that may not be read. */
    public int limit() {
        return limit;
    }

    /** The next element's tag without consuming it, or -1 at the end. */
    public int peekTag() {
        return position < limit ? bytes[position] & 0xFF : -1;
    }

    /** How many bytes the content of the next element has, which stays where it is. */
    public int peekLength() throws BerException {
        int start = position;
        int end = readHeader(peekTag());
        int length = end - position;
        position = start;
        return length;
    }

    /** Opens the next element, which must have this tag. Returns the enclosing limit for {@link #leave}. */
    public int enter(int tag) throws BerException {
        int end = readHeader(tag);
        int outer = limit;
        limit = end;
        return outer;
    }

    /** Closes what {@link #enter} opened, skipping what was not read of it. */
    public void leave(int outerLimit) {
        position = limit;
        limit = outerLimit;
    }

    /** As {@link #leave}, for elements that may hold nothing more. */
    public void leaveFully(int outerLimit) throws BerException {
        if (position != limit) {
            throw new BerException((limit - position) + " unexpected bytes at offset " + position);
        }
        limit = outerLimit;
    }

    /** The content of the next element, which must have this tag, as a new array. */
    public byte[] readBytes(int tag) throws BerException {
        int end = readHeader(tag);
        byte[] value = Arrays.copyOfRange(bytes, position, end);
        position = end;
        return value;
    }

    /**
     * Text. Names are read with {@link #readBytes}: the result code that refuses them is another one.
     *
     * @throws BerTextException if it is not UTF-8 (RFC 4511 4.1.2)
     */
    public String readString(int tag) throws BerException {
        int end = readHeader(tag);
        String value = Utf8.decodeOrNull(bytes, position, end - position);
        if (value == null) {
            throw new BerTextException("a string of " + (end - position) + " bytes at offset " + position + " that is not UTF-8");
        }
        position = end;
        return value;
    }

    public boolean readBoolean(int tag) throws BerException {
        int end = readHeader(tag);
        if (end - position != 1) {
            throw new BerException("a BOOLEAN of " + (end - position) + " bytes at offset " + position + ", expected 1");
        }
        return bytes[position++] != 0;
    }

    /** INTEGER or ENUMERATED of at most 4 bytes. */
    public int readInt(int tag) throws BerException {
        return (int) readInteger(tag, Integer.BYTES);
    }

    /** INTEGER of at most 8 bytes. */
    public long readLong(int tag) throws BerException {
        return readInteger(tag, Long.BYTES);
    }

    private long readInteger(int tag, int mostBytes) throws BerException {
        int end = readHeader(tag);
        int length = end - position;
        if (length < 1 || length > mostBytes) {
            throw new BerException("an INTEGER of " + length + " bytes at offset " + position + ", expected 1 to " + mostBytes);
        }
        long value = bytes[position++];
        while (position < end) {
            value = value << 8 | bytes[position++] & 0xFF;
        }
        return value;
    }

    /** Consumes the next element whatever it is. */
    public void skip() throws BerException {
        position = readHeader(peekTag());
    }

    /** How many elements there are from here to the limit, those inside of others too; the position stays where it is. */
    public int countElements() throws BerException {
        int start = position;
        int elements = 0;
        for (int tag = peekTag(); tag >= 0; tag = peekTag()) {
            elements++;
            int end = readHeader(tag);
            position = (tag & CONSTRUCTED) == 0 ? end : position;
        }
        position = start;
        return elements;
    }

    /** Goes on at the end of an element's content, as {@link #readHeader} returned it. */
    public void skipTo(int contentEnd) {
        position = contentEnd;
    }

    /** Consumes the header; afterwards the position is at the content, whose end is returned. */
    public int readHeader(int expectedTag) throws BerException {
        if (position >= limit) {
            throw new BerException("the data end at offset " + position + ", expected "
                    + (expectedTag < 0 ? "a further element" : "tag 0x" + Integer.toHexString(expectedTag)));
        }
        int tag = bytes[position] & 0xFF;
        if (tag != expectedTag) {
            throw new BerException("tag 0x" + Integer.toHexString(tag) + " at offset " + position + ", expected 0x"
                    + Integer.toHexString(expectedTag));
        }
        position++;
        int length = readLength();
        if (length > limit - position) {
            throw new BerException("an element of " + length + " bytes at offset " + position + " where only "
                    + (limit - position) + " are left");
        }
        return position + length;
    }

    private int readLength() throws BerException {
        if (position >= limit) {
            throw new BerException("the data end at offset " + position + ", expected a length");
        }
        int first = bytes[position++] & 0xFF;
        if (first < 0x80) {
            return first;
        }
        int count = first & 0x7F;
        if (count == 0 || count > 4 || count > limit - position) {
            throw new BerException("length byte 0x" + Integer.toHexString(first) + " at offset " + (position - 1)
                    + ", expected a definite length below 2^31");
        }
        int length = 0;
        for (int i = 0; i < count; i++) {
            length = length << 8 | bytes[position++] & 0xFF;
        }
        if (length < 0) {
            throw new BerException("a length over 2^31 at offset " + position);
        }
        return length;
    }
}
