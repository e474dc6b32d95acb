package org.alder.partition.jdbm.entry;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Bytes that are copied a great many times, eight at once: {@value #SLACK} more bytes may be read behind them. Immutable; not to be
 * changed by those who get them.
 *
 * @param bytes  longer than the word by at least {@value #SLACK}
 * @param length of the word
 */
record Word(byte[] bytes, int length) {
    /** So many bytes behind what is copied may be read, and written. */
    static final int SLACK = Long.BYTES;
    /** From here on the general copy is faster. */
    private static final int LONG_BYTES = 64;
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

    static Word of(byte[] bytes) {
        return new Word(Arrays.copyOf(bytes, bytes.length + SLACK), bytes.length);
    }

    /** The word alone. */
    byte[] copy() {
        return Arrays.copyOf(bytes, length);
    }

    /** Copies the word, and anything over up to {@link #SLACK} bytes behind it. */
    void copyTo(byte[] target, int position) {
        copy(bytes, 0, target, position, length);
    }

    /** Copies some bytes, mostly few, and anything over up to {@link #SLACK} bytes behind them: both arrays go on for as long. */
    static void copy(byte[] source, int from, byte[] target, int position, int length) {
        if (length > LONG_BYTES) {
            System.arraycopy(source, from, target, position, length);
            return;
        }
        for (int i = 0; i < length; i += Long.BYTES) {
            LONGS.set(target, position + i, (long) LONGS.get(source, from + i));
        }
    }
}
