package org.alder.partition.jdbm.sort;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.alder.partition.entry.Varints;
import org.alder.partition.jdbm.disk.DiskFile;

/** Buffers what a run writes. One thread. */
final class RunOutput {
    private static final int BUFFER_BYTES = 1 << 18;

    private final DiskFile file;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int used;
    private long flushed;

    RunOutput(DiskFile file) {
        this.file = file;
    }

    long position() {
        return flushed + used;
    }

    void number(long number) throws IOException {
        if (used > BUFFER_BYTES - Varints.MAX_BYTES) {
            flush();
        }
        used = Varints.put(buffer, used, number);
    }

    void key(byte[] keys, int offset, int end) throws IOException {
        number(end - offset);
        if (end - offset > BUFFER_BYTES - used) {
            flush();
        }
        if (end - offset > BUFFER_BYTES) {
            write(ByteBuffer.wrap(keys, offset, end - offset));
        } else {
            System.arraycopy(keys, offset, buffer, used, end - offset);
            used += end - offset;
        }
    }

    void flush() throws IOException {
        write(ByteBuffer.wrap(buffer, 0, used));
        used = 0;
    }

    private void write(ByteBuffer bytes) throws IOException {
        int length = bytes.remaining();
        file.write(bytes, flushed);
        flushed += length;
    }
}
