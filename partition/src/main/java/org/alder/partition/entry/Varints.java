package org.alder.partition.entry;

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
