package org.alder.partition.ber;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes definite-length BER into one growing array that is reused from message to message. Constructed elements whose length
 * is not known yet are opened with {@link #begin} and closed with {@link #end}, which moves their content if the length needs
 * more than one byte. One thread.
 */
public final class BerWriter {
    public static final int BOOLEAN = 0x01;
    public static final int INTEGER = 0x02;
    public static final int OCTET_STRING = 0x04;
    public static final int ENUMERATED = 0x0A;
    public static final int SEQUENCE = 0x30;
    public static final int SET = 0x31;

    private byte[] bytes;
    private int size;

    public BerWriter(int initialBytes) {
        bytes = new byte[initialBytes];
    }

    public int size() {
        return size;
    }

    /** The array behind; valid up to {@link #size} until the next write. */
    public byte[] buffer() {
        return bytes;
    }

    public byte[] toByteArray() {
        return Arrays.copyOf(bytes, size);
    }

    public void clear() {
        size = 0;
    }

    /** Forgets what was written after the given size. */
    public void truncate(int newSize) {
        size = newSize;
    }

    /** Opens a constructed element; give the returned mark to {@link #end}. */
    public int begin(int tag) {
        ensure(2);
        bytes[size++] = (byte) tag;
        bytes[size++] = 0;
        return size;
    }

    public void end(int mark) {
        endBefore(mark, 0);
    }

    /**
     * As {@link #end} for an element that goes on behind what is written here.
     *
     * @param following how many bytes of it follow, which are not given to this writer
     */
    public void endBefore(int mark, int following) {
        int length = Math.addExact(size - mark, following);
        if (length < 0x80) {
            bytes[mark - 1] = (byte) length;
            return;
        }
        int extra = lengthBytes(length) - 1;
        ensure(extra);
        int written = size - mark;
        System.arraycopy(bytes, mark, bytes, mark + extra, written);
        size = mark - 1;
        putLength(length);
        size += written;
    }

    public void octets(int tag, byte[] value) {
        octets(tag, value, 0, value.length);
    }

    public void octets(int tag, byte[] value, int offset, int length) {
        header(tag, length);
        raw(value, offset, length);
    }

    public void string(int tag, String value) {
        octets(tag, value.getBytes(StandardCharsets.UTF_8));
    }

    public void bool(int tag, boolean value) {
        header(tag, 1);
        bytes[size++] = (byte) (value ? 0xFF : 0);
    }

    /** INTEGER or ENUMERATED in the fewest bytes. */
    public void integer(int tag, long value) {
        int length = 1;
        while (length < 8 && value >> 8 * length - 1 != value >> 63) {
            length++;
        }
        header(tag, length);
        for (int i = length - 1; i >= 0; i--) {
            bytes[size++] = (byte) (value >> 8 * i);
        }
    }

    /** Tag and length of an element whose content the caller writes next; room for the content is made. */
    public void header(int tag, int length) {
        ensure(6 + length);
        bytes[size++] = (byte) tag;
        putLength(length);
    }

    /** Ready-made BER, or content after {@link #header}. */
    public void raw(byte[] source, int offset, int length) {
        ensure(length);
        System.arraycopy(source, offset, bytes, size, length);
        size += length;
    }

    /** Bytes that tag and length of an element with this content length take. */
    public static int headerBytes(int length) {
        return 1 + lengthBytes(length);
    }

    private static int lengthBytes(int length) {
        if (length < 0x80) {
            return 1;
        }
        return length < 0x100 ? 2 : length < 0x1_0000 ? 3 : length < 0x100_0000 ? 4 : 5;
    }

    private void putLength(int length) {
        size = putLength(bytes, size, length);
    }

    private static int putLength(byte[] target, int position, int length) {
        int at = position;
        int count = lengthBytes(length) - 1;
        if (count == 0) {
            target[at++] = (byte) length;
            return at;
        }
        target[at++] = (byte) (0x80 | count);
        for (int i = count - 1; i >= 0; i--) {
            target[at++] = (byte) (length >> 8 * i);
        }
        return at;
    }

    /** Writes tag and length of an element into an array of the caller's, and returns the position behind them. */
    public static int putHeader(byte[] target, int position, int tag, int length) {
        target[position] = (byte) tag;
        return putLength(target, position + 1, length);
    }

    private void ensure(int more) {
        if (more > bytes.length - size) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + more));
        }
    }
}
