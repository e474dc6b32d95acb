package org.alder.partition.jdbm.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * The real disk, but for room that is reserved: zeros behind the end of a file take none, and no time. Every store writes and reads
 * megabytes of them. Thread safe.
 */
public final class SparseDisk extends DiskFilter {
    public static final SparseDisk INSTANCE = new SparseDisk();
    private static final int MANY_BYTES = 1 << 16;
    private static final ByteBuffer ZEROS = ByteBuffer.allocate(1 << 20).asReadOnlyBuffer();

    private SparseDisk() {
        super(SystemDisk.INSTANCE);
    }

    /** How many of the buffer's bytes there are up to the last one that is not 0. */
    static int usedBytes(ByteBuffer bytes) {
        int used = bytes.limit();
        int length = bytes.remaining();
        if (length >= MANY_BYTES && length <= ZEROS.capacity() && bytes.mismatch(ZEROS.slice(0, length)) < 0) {
            return 0;
        }
        while (used > bytes.position() && bytes.get(used - 1) == 0) {
            used--;
        }
        return used - bytes.position();
    }

    @Override
    public DiskFile create(Path file) throws IOException {
        return new SparseFile(disk.create(file));
    }

    @Override
    public DiskFile open(Path file, boolean writable) throws IOException {
        return new SparseFile(disk.open(file, writable));
    }

    @Override
    public void syncFolder(Path folder) {
        // Nothing here turns the power off.
    }

    private static final class SparseFile extends DiskFileFilter {
        private SparseFile(DiskFile file) {
            super(file);
        }

        @Override
        public void write(ByteBuffer source, long position) throws IOException {
            if (source.remaining() >= MANY_BYTES && position >= file.size() && usedBytes(source) == 0) {
                file.write(ByteBuffer.allocate(1), position + source.remaining() - 1);
                source.position(source.limit());
            } else {
                file.write(source, position);
            }
        }

        @Override
        public void sync() {
            // As of a folder.
        }
    }
}
