package org.alder.partition.jdbm.log;

import java.util.Arrays;
import org.alder.partition.entry.Varints;

/** Bytes that are written one after another and then used in place; reused from record to record. One thread. */
final class GrowingBuffer {
    private static final int KEPT_BYTES = 4 << 20;
    private static final int START_BYTES = 64 << 10;

    private byte[] bytes = new byte[START_BYTES];
    private int size;

    /** Empties the buffer, leaving room in front, and gives back the memory of an unusually large record. */
    void reset(int reservedBytes) {
        if (bytes.length > KEPT_BYTES) {
            bytes = new byte[START_BYTES];
        }
        size = reservedBytes;
    }

    byte[] bytes() {
        return bytes;
    }

    int size() {
        return size;
    }

    void put(byte value) {
        reserve(1);
        bytes[size++] = value;
    }

    void putVarint(long value) {
        reserve(Varints.MAX_BYTES);
        size = Varints.put(bytes, size, value);
    }

    /** Length, then bytes. */
    void putBytes(byte[] value) {
        putVarint(value.length);
        reserve(value.length);
        System.arraycopy(value, 0, bytes, size, value.length);
        size += value.length;
    }

    private void reserve(int count) {
        if (count > bytes.length - size) {
            bytes = Arrays.copyOf(bytes, Math.max(Math.addExact(size, count),
                    (int) Math.min(2L * bytes.length, Integer.MAX_VALUE - 8)));
        }
    }
}
