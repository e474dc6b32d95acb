package org.alder.server.cli.output;

import java.io.IOException;
import java.io.OutputStream;

/**
 * Standard output for results that come as a stream: buffered, passed on at least a few times a second while more comes, and an exception where
 * nobody reads on, which {@link System#out} alone keeps to itself. One thread.
 */
public final class StandardOutput extends OutputStream {
    private static final int BUFFER_BYTES = 64 << 10;
    private static final long WAIT_NANOS = 200_000_000;

    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int used;
    private long passedOn = System.nanoTime() - WAIT_NANOS;

    @Override
    public void write(int octet) throws IOException {
        write(new byte[] {(byte) octet}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        if (length > buffer.length - used) {
            passOn();
        }
        if (length > buffer.length) {
            System.out.write(bytes, from, length);
        } else {
            System.arraycopy(bytes, from, buffer, used, length);
            used += length;
        }
        if (System.nanoTime() - passedOn >= WAIT_NANOS) {
            passOn();
        }
    }

    private void passOn() throws IOException {
        System.out.write(buffer, 0, used);
        used = 0;
        passedOn = System.nanoTime();
        if (System.out.checkError()) {
            throw new IOException("standard output takes no more: nobody reads it any more, or its disk is full");
        }
    }

    /** Only {@link #close} and time pass on what is here: writers of records flush behind each. */
    @Override
    public void flush() {
    }

    /** Passes on what is left; standard output stays open. */
    @Override
    public void close() throws IOException {
        passOn();
    }
}
