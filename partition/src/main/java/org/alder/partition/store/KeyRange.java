package org.alder.partition.store;

import java.util.Arrays;

/**
 * The keys from one (inclusive) up to another (exclusive), in the order of unsigned bytes. Immutable; the arrays are shared.
 *
 * @param to null means up to the last key
 */
public record KeyRange(byte[] from, byte[] to) {
    public static final KeyRange ALL = from(new byte[0]);

    /** This key and all behind it. */
    public static KeyRange from(byte[] key) {
        return new KeyRange(key, null);
    }

    /** All keys that begin with these bytes. */
    public static KeyRange ofPrefix(byte[] prefix) {
        return new KeyRange(prefix, successor(prefix));
    }

    /** The first key behind all that begin with these bytes; null if there is none. */
    public static byte[] successor(byte[] prefix) {
        int last = prefix.length - 1;
        while (last >= 0 && prefix[last] == (byte) 0xFF) {
            last--;
        }
        if (last < 0) {
            return null;
        }
        byte[] next = Arrays.copyOf(prefix, last + 1);
        next[last]++;
        return next;
    }

    /** Whether a key at or behind {@code from} is before the end. */
    public boolean endsBehind(byte[] key) {
        return to == null || Arrays.compareUnsigned(key, to) < 0;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof KeyRange range && Arrays.equals(from, range.from) && Arrays.equals(to, range.to);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(from) * 31 + Arrays.hashCode(to);
    }
}
