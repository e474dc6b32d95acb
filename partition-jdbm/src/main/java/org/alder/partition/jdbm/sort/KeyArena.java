package org.alder.partition.jdbm.sort;

import java.util.Arrays;

/**
 * (index, key, ID) triples in the order they came in, in a few large arrays and without an object for each. One thread at a time.
 */
final class KeyArena {
    private static final int FIRST_TRIPLES = 1 << 12;
    /** What a triple takes in the arrays beside the bytes of its key: where the key ends, the ID, the index number. */
    static final int TRIPLE_BYTES = Integer.BYTES + Integer.BYTES + Character.BYTES;

    private final int maxTriples;
    private final int maxKeyBytes;
    private int count;
    private int[] keyEnds = new int[FIRST_TRIPLES];
    private int[] ids = new int[FIRST_TRIPLES];
    private char[] indexes = new char[FIRST_TRIPLES];
    private byte[] keys = new byte[FIRST_TRIPLES * 8];

    KeyArena(int maxTriples, int maxKeyBytes) {
        this.maxTriples = maxTriples;
        this.maxKeyBytes = maxKeyBytes;
    }

    /** Returns false, and takes nothing, where there is no room left. An empty arena takes any triple. */
    boolean add(int index, byte[] source, int from, int to, long id) {
        int keyOffset = keyOffset(count);
        int length = to - from;
        if (count > 0 && (count >= maxTriples || length > maxKeyBytes - keyOffset)) {
            return false;
        }
        reserve(keyOffset + length);
        System.arraycopy(source, from, keys, keyOffset, length);
        keyEnds[count] = keyOffset + length;
        ids[count] = (int) id;
        indexes[count] = (char) index;
        count++;
        return true;
    }

    private void reserve(int keyBytes) {
        if (count == ids.length) {
            int capacity = (int) Math.min(maxTriples, count * 2L);
            keyEnds = Arrays.copyOf(keyEnds, capacity);
            ids = Arrays.copyOf(ids, capacity);
            indexes = Arrays.copyOf(indexes, capacity);
        }
        if (keyBytes > keys.length) {
            keys = Arrays.copyOf(keys, (int) Math.max(keyBytes, Math.min(maxKeyBytes, keys.length * 2L)));
        }
    }

    void clear() {
        count = 0;
    }

    int count() {
        return count;
    }

    int index(int triple) {
        return indexes[triple];
    }

    /** The ID as an unsigned number. */
    int id(int triple) {
        return ids[triple];
    }

    /** All keys; that of a triple lies from {@link #keyOffset} to {@link #keyEnd}. */
    byte[] keys() {
        return keys;
    }

    int keyOffset(int triple) {
        return triple == 0 ? 0 : keyEnds[triple - 1];
    }

    int keyEnd(int triple) {
        return keyEnds[triple];
    }
}
