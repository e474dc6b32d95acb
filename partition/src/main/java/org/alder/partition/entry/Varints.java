package org.alder.partition.entry;

import org.alder.partition.error.StoreException;

/** Unsigned numbers of 7 bits a byte, least significant first, high bit = more follows. Reads from a position on; one thread. */
public final class Varints {
    public static final int MAX_BYTES = 10;

    private final byte[] bytes;
    private int position;

    public Varints(byte[] bytes, int position) {
        this.bytes = bytes;
        this.position = position;
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

    public int position() {
        return position;
    }

    public long next() {
        long value = 0;
        for (int shift = 0; shift < 63; shift += 7) {
            if (position >= bytes.length) {
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

    /** A length of something that follows in the same array. */
    public int nextLength() {
        long value = next();
        if (value > bytes.length - position) {
            throw corrupt("a length of " + value + " where " + (bytes.length - position) + " bytes are left");
        }
        return (int) value;
    }

    public void skip(int count) {
        if (count > bytes.length - position) {
            throw corrupt(count + " bytes expected where " + (bytes.length - position) + " are left");
        }
        position += count;
    }

    private StoreException corrupt(String found) {
        return new StoreException(StoreException.Kind.CORRUPT, "malformed record at byte " + position + ": " + found);
    }
}
