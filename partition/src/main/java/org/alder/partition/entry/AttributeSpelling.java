package org.alder.partition.entry;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * How an attribute description is spelt, to be compared with those of a great many entries ({@link AttributeCursor#nextIfSpelt}): its
 * first sixteen bytes as two words. Immutable, thread safe.
 */
public final class AttributeSpelling {
    /** How many bytes are compared at once. */
    static final int COMPARED = 2 * Long.BYTES;
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final byte[] bytes;
    private final long first;
    private final long firstMask;
    private final long second;
    private final long secondMask;

    /** @param bytes not copied */
    public AttributeSpelling(byte[] bytes) {
        byte[] padded = Arrays.copyOf(bytes, Math.max(COMPARED, bytes.length));
        this.bytes = bytes;
        this.first = (long) LONGS.get(padded, 0);
        this.firstMask = mask(bytes.length);
        this.second = (long) LONGS.get(padded, Long.BYTES);
        this.secondMask = mask(bytes.length - Long.BYTES);
    }

    /** Of a word that has so many of the bytes. */
    private static long mask(int length) {
        return length >= Long.BYTES ? -1 : length <= 0 ? 0 : (1L << length * Byte.SIZE) - 1;
    }

    public int length() {
        return bytes.length;
    }

    /** Whether these bytes start here. That there are so many is known, and mostly more. */
    boolean startsAt(byte[] other, int from) {
        if (other.length - from < COMPARED) {
            return Arrays.equals(bytes, 0, bytes.length, other, from, from + bytes.length);
        }
        long differing = ((long) LONGS.get(other, from) ^ first) & firstMask
                | ((long) LONGS.get(other, from + Long.BYTES) ^ second) & secondMask;
        return differing == 0 && (bytes.length <= COMPARED
                || Arrays.equals(bytes, COMPARED, bytes.length, other, from + COMPARED, from + bytes.length));
    }
}
