package org.alder.partition.entry;

import java.nio.ByteBuffer;
import org.alder.partition.error.StoreException;

/** Unsigned numbers of 7 bits a byte, least significant first, high bit = more follows. Reads from a position on; one thread. */
public final class Varints {
    public static final int MAX_BYTES = 10;

    private final byte[] bytes;
    private final int end;
    private int position;

    public Varints(byte[] bytes, int position) {
        this(bytes, position, bytes.length);
    }

    /** @param end nothing is read from here on */
    public Varints(byte[] bytes, int position, int end) {
        this.bytes = bytes;
        this.position = position;
        this.end = end;
    }

    /** Writes a number that is not negative and returns the position behind it. */
    public static int put(byte[] target, int position, long value) {
        int at = position;
        long rest = value;
        while (rest > 0x7F) {
            target[at++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        target[at++] = (byte) rest;
        return at;
    }

    /** Reads a number that this program wrote itself and nobody else can have changed. */
    public static long get(ByteBuffer trusted) {
        long value = 0;
        int shift = 0;
        byte b;
        do {
            b = trusted.get();
            value |= (long) (b & 0x7F) << shift;
            shift += 7;
        } while (b < 0);
        return value;
    }

    /** How many bytes {@link #put} makes of a number that is not negative. */
    public static int bytes(long value) {
        return value < 1 << 7 ? 1 : (Long.SIZE - Long.numberOfLeadingZeros(value) + 6) / 7;
    }

    /** How many bytes a number of at most 21 bits takes; those from {@link #put} are as short as they can be. */
    public static int shortBytes(int value) {
        return value < 1 << 7 ? 1 : value < 1 << 14 ? 2 : 3;
    }

    /** The position behind a number of at most three bytes, of which {@link #isShort} is known. For hot paths: makes no object. */
    public static int endOfShort(byte[] bytes, int position) {
        return bytes[position] >= 0 ? position + 1 : bytes[position + 1] >= 0 ? position + 2 : position + 3;
    }

    /** A number of at most three bytes, of which {@link #isShort} is known. For hot paths: makes no object. */
    public static int getShort(byte[] bytes, int position) {
        int value = bytes[position] & 0x7F;
        if (bytes[position] < 0) {
            value |= (bytes[position + 1] & 0x7F) << 7;
            if (bytes[position + 1] < 0) {
                value |= (bytes[position + 2] & 0x7F) << 14;
            }
        }
        return value;
    }

    /** Whether a number of at most three bytes stands there, before the end. */
    public static boolean isShort(byte[] bytes, int position, int end) {
        int last = position;
        while (last < end && bytes[last] < 0) {
            last++;
        }
        return last < end && last - position < 3;
    }

    public int position() {
        return position;
    }

    public long next() {
        long value = 0;
        for (int shift = 0; shift < 63; shift += 7) {
            if (position >= end) {
                throw corrupt("the data end inside a number");
            }
            byte b = bytes[position++];
            value |= (long) (b & 0x7F) << shift;
            if (b >= 0) {
                return value;
            }
        }
        throw corrupt("a number over 2^63");
    }

    /** A length of something that follows before the end. */
    public int nextLength() {
        long value = next();
        if (value > end - position) {
            throw corrupt("a length of " + value + " where " + (end - position) + " bytes are left");
        }
        return (int) value;
    }

    public void skip(int count) {
        if (count > end - position) {
            throw corrupt(count + " bytes expected where " + (end - position) + " are left");
        }
        position += count;
    }

    private StoreException corrupt(String found) {
        return new StoreException(StoreException.Kind.CORRUPT, "malformed record at byte " + position + ": " + found);
    }
}
