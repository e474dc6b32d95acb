package org.alder.ldif.bulk;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * Entry IDs by DN for the length of one bulk load, in 24 bytes a slot whatever the length of the DNs: it keeps the first 128
 * bits of each normal form's SHA-256, which no two DNs of a directory share. Open addressing, at most two thirds full. One
 * thread.
 */
final class DnIdMap {
    private static final int INITIAL_SLOTS = 1 << 16;

    private final MessageDigest digest;
    private long[] high = new long[INITIAL_SLOTS];
    private long[] low = new long[INITIAL_SLOTS];
    private long[] ids = new long[INITIAL_SLOTS];
    private int size;

    DnIdMap() {
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** The ID put in under this normal form, or 0. */
    long get(byte[] normalizedDn) {
        ByteBuffer hash = ByteBuffer.wrap(digest.digest(normalizedDn));
        return ids[slot(hash.getLong(), hash.getLong())];
    }

    /** Keeps the ID, unless there is one already. Returns whether it did. */
    boolean putIfAbsent(byte[] normalizedDn, long id) {
        ByteBuffer hash = ByteBuffer.wrap(digest.digest(normalizedDn));
        long first = hash.getLong();
        long second = hash.getLong();
        int slot = slot(first, second);
        if (ids[slot] != 0) {
            return false;
        }
        high[slot] = first;
        low[slot] = second;
        ids[slot] = id;
        if (++size > ids.length / 3 * 2) {
            grow();
        }
        return true;
    }

    /** Where this hash is, or the free slot where it belongs. */
    private int slot(long first, long second) {
        int mask = ids.length - 1;
        int slot = (int) first & mask;
        while (ids[slot] != 0 && (high[slot] != first || low[slot] != second)) {
            slot = slot + 1 & mask;
        }
        return slot;
    }

    private void grow() {
        long[] oldHigh = high;
        long[] oldLow = low;
        long[] oldIds = ids;
        high = new long[oldIds.length * 2];
        low = new long[oldIds.length * 2];
        ids = new long[oldIds.length * 2];
        for (int i = 0; i < oldIds.length; i++) {
            if (oldIds[i] != 0) {
                int slot = slot(oldHigh[i], oldLow[i]);
                high[slot] = oldHigh[i];
                low[slot] = oldLow[i];
                ids[slot] = oldIds[i];
            }
        }
    }
}
