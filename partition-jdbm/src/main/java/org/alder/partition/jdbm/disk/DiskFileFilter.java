package org.alder.partition.jdbm.disk;

import java.io.IOException;
import java.nio.ByteBuffer;

/** A file that does what another one does, but for what a subclass changes. As thread safe as the other one; closes it with itself. */
public class DiskFileFilter implements DiskFile {
    protected final DiskFile file;

    protected DiskFileFilter(DiskFile file) {
        this.file = file;
    }

    @Override
    public long size() throws IOException {
        return file.size();
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
        return file.read(target, position);
    }

    @Override
    public void write(ByteBuffer source, long position) throws IOException {
        file.write(source, position);
    }

    @Override
    public void sync() throws IOException {
        file.sync();
    }

    @Override
    public void truncate(long size) throws IOException {
        file.truncate(size);
    }

    @Override
    public boolean tryLock() throws IOException {
        return file.tryLock();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
