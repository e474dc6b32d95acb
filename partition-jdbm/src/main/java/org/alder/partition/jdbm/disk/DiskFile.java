package org.alder.partition.jdbm.disk;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** One open file of a {@link Disk}. Reading is thread safe; writing is for one thread. Its user closes it. */
public interface DiskFile extends Closeable {
    long size() throws IOException;

    /** Fills the buffer as far as the file goes and returns the bytes read, 0 at or behind the end. */
    int read(ByteBuffer target, long position) throws IOException;

    /** Writes all that remains in the buffer. */
    void write(ByteBuffer source, long position) throws IOException;

    /** Returns when the contents, and the length if it changed, are on the disk. */
    void sync() throws IOException;

    void truncate(long size) throws IOException;

    /** Takes the operating system's lock on the whole file until it is closed; false where another process has it. */
    boolean tryLock() throws IOException;
}
