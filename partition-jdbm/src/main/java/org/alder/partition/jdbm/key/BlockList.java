package org.alder.partition.jdbm.key;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.alder.partition.jdbm.disk.Disk;
import org.alder.partition.jdbm.disk.DiskFile;

/**
 * The record IDs of a table's blocks in their order, while it is written. Those that {@value #BUFFER_BYTES} bytes of heap do not
 * hold go to a scratch file. One thread. Closing it removes the file.
 */
public final class BlockList implements Closeable {
    static final int BUFFER_BYTES = 1 << 17;
    private static final int FIRST_BYTES = 1 << 11;

    private final Disk disk;
    private final Path scratchFile;
    private ByteBuffer buffer = ByteBuffer.allocate(FIRST_BYTES);
    /** Null while all are in the buffer. */
    private DiskFile scratch;
    private long scratchBytes;

    /** @param scratchFile made when it is needed */
    public BlockList(Disk disk, Path scratchFile) {
        this.disk = disk;
        this.scratchFile = scratchFile;
    }

    public void add(long recordId) throws IOException {
        if (!buffer.hasRemaining()) {
            makeRoom();
        }
        buffer.putLong(recordId);
    }

    private void makeRoom() throws IOException {
        if (buffer.capacity() < BUFFER_BYTES) {
            buffer = ByteBuffer.allocate(2 * buffer.capacity()).put(buffer.flip());
            return;
        }
        if (scratch == null) {
            scratch = disk.createScratch(scratchFile);
        }
        scratch.write(buffer.flip(), scratchBytes);
        scratchBytes += buffer.capacity();
        buffer.clear();
    }

    public int count() {
        return Math.toIntExact((scratchBytes + buffer.position()) / Long.BYTES);
    }

    /** Writes all of them; none can be added after. */
    public void writeTo(DiskFile target, long position) throws IOException {
        target.write(buffer.flip(), position + scratchBytes);
        ByteBuffer copied = ByteBuffer.allocate(BUFFER_BYTES);
        for (long at = 0; at < scratchBytes; at += BUFFER_BYTES) {
            if (scratch.read(copied.clear(), at) < BUFFER_BYTES) {
                throw new EOFException("the scratch file " + scratchFile + " became shorter while it was read");
            }
            target.write(copied.flip(), position + at);
        }
    }

    @Override
    public void close() throws IOException {
        if (scratch != null) {
            scratch.close();
        }
    }
}
