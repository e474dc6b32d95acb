package org.alder.server.cli.output;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Standard output for results that come as a stream: buffered, passed on at least a few times a second while more comes, and an exception where
 * nobody reads on, which {@link System#out} alone keeps to itself. One thread.
 */
public final class StandardOutput extends OutputStream {
    private static final Path STANDARD_OUTPUT = Path.of("/dev/stdout");
    /** Of a file's mode (POSIX stat). */
    private static final int FILE_TYPE = 0170000;
    private static final int PIPE = 0010000;
    private static final int SOCKET = 0140000;
    public static final String UNWRITABLE = "not all could be written to standard output: its disk is full, or it was closed";
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
        if (hasFailed()) {
            throw new UnwritableException(UNWRITABLE, null);
        }
    }

    /** Without the buffering and charset of {@link System#out}, where what is printed is a file. */
    public static OutputStream unbuffered() {
        return new FilterOutputStream(new FileOutputStream(FileDescriptor.out)) {
            @Override
            public void write(byte[] bytes, int from, int length) throws IOException {
                try {
                    out.write(bytes, from, length);
                } catch (IOException e) {
                    throw new UnwritableException("not all could be written to standard output: " + e.getMessage(), e);
                }
            }
        };
    }

    /** Not all that is to be printed could be. */
    public static final class UnwritableException extends IOException {
        private static final long serialVersionUID = 1L;

        /** As it was then: whoever fails closes standard output, perhaps, and it is nothing any more. */
        private final boolean hasReader = StandardOutput.hasReader();

        private UnwritableException(String message, Throwable cause) {
            super(message, cause);
        }

        /** As {@link StandardOutput#hasReader}. */
        public boolean hasReader() {
            return hasReader;
        }
    }

    /** Whether a write has failed, here or elsewhere in the program. */
    public static boolean hasFailed() {
        return System.out.checkError();
    }

    /**
     * Whether somebody else reads it, over a pipe or a socket. A write fails there because he reads no more, as {@code head} does when it has its
     * lines, and no disk can be full. The JDK shows only the text of such an error, which the locale may translate.
     */
    public static boolean hasReader() {
        try {
            int type = (Integer) Files.getAttribute(STANDARD_OUTPUT, "unix:mode") & FILE_TYPE;
            return type == PIPE || type == SOCKET;
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return false;
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
