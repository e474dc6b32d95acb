package org.alder.partition.jdbm.entry;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import org.alder.partition.jdbm.disk.PageAdvice;

/**
 * A file of any size in memory: windows of it, each of which reaches into the next one, so that what begins in one is all in it.
 * Immutable, thread safe.
 */
final class Mapping {
    /** Windows begin at multiples of 1 GiB. */
    static final int WINDOW_BITS = 30;

    private final ByteBuffer[] windows;
    private final int bits;
    private final int mask;
    private final boolean isReadAlone;

    private Mapping(ByteBuffer[] windows, int bits, boolean isReadAlone) {
        this.windows = windows;
        this.bits = bits;
        this.mask = (1 << bits) - 1;
        this.isReadAlone = isReadAlone;
    }

    /**
     * Maps a file, until nobody refers to it any more.
     *
     * @param bits  windows begin at multiples of 2 to this
     * @param reach what is read at once is not longer
     */
    static Mapping of(FileChannel channel, int bits, int reach) throws IOException {
        long size = channel.size();
        ByteBuffer[] windows = new ByteBuffer[Math.max(1, (int) ((size - 1 >> bits) + 1))];
        for (int i = 0; i < windows.length; i++) {
            long start = (long) i << bits;
            windows[i] = channel.map(FileChannel.MapMode.READ_ONLY, start, Math.min(size - start, (1L << bits) + reach));
        }
        return new Mapping(windows, bits, false);
    }

    /** A file that is in memory already. */
    static Mapping of(byte[] bytes) {
        return new Mapping(new ByteBuffer[] {ByteBuffer.wrap(bytes).asReadOnlyBuffer()}, WINDOW_BITS, false);
    }

    /** The same, a page at a time and without what surrounds it, where the system can do that ({@link PageAdvice}). */
    Mapping readAlone() {
        boolean taken = true;
        for (ByteBuffer window : windows) {
            taken &= window instanceof MappedByteBuffer mapped && PageAdvice.readAlone(mapped);
        }
        return new Mapping(windows, bits, taken);
    }

    /** Whether whoever reads on from page to page {@linkplain #bring brings} them. */
    boolean isReadAlone() {
        return isReadAlone;
    }

    /** Has this part of the file read, of which what is beyond the window's end may be left. Does not wait. */
    void bring(long offset, int length) {
        int window = (int) (offset >> bits);
        if (window < windows.length && windows[window] instanceof MappedByteBuffer mapped) {
            PageAdvice.bring(mapped, (int) offset & mask, length);
        }
    }

    /** The file's beginning, at least so much of it as is read at once. */
    ByteBuffer start() {
        return windows[0];
    }

    /** @throws IndexOutOfBoundsException where the file has no such bytes */
    void get(long offset, byte[] into, int at, int length) {
        windows[(int) (offset >> bits)].get((int) offset & mask, into, at, length);
    }

    long getLong(long offset) {
        return windows[(int) (offset >> bits)].getLong((int) offset & mask);
    }
}
