package org.alder.partition.jdbm.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/**
 * The real disk, of which the n-th change (write, sync, truncation, new file, replacement) and, if asked, all later ones fail.
 * A failing write first writes half of its bytes.
 */
public final class FaultyDisk implements Disk {
    private final Disk disk = SystemDisk.INSTANCE;
    private final long failAt;
    private final boolean forEver;
    private long changes;

    public FaultyDisk(long failAt, boolean forEver) {
        this.failAt = failAt;
        this.forEver = forEver;
    }

    /** How many changes were asked for so far. */
    public synchronized long changes() {
        return changes;
    }

    private synchronized boolean fails() {
        changes++;
        return changes == failAt || forEver && changes > failAt;
    }

    private void change(String what) throws IOException {
        if (fails()) {
            throw new IOException("injected fault: " + what);
        }
    }

    @Override
    public DiskFile create(Path file) throws IOException {
        change("create " + file);
        return new FaultyFile(disk.create(file));
    }

    @Override
    public DiskFile open(Path file, boolean writable) throws IOException {
        return new FaultyFile(disk.open(file, writable));
    }

    @Override
    public void replace(Path source, Path target) throws IOException {
        change("replace " + target);
        disk.replace(source, target);
    }

    @Override
    public void delete(Path file) throws IOException {
        change("delete " + file);
        disk.delete(file);
    }

    @Override
    public void syncFolder(Path folder) throws IOException {
        change("sync folder");
        disk.syncFolder(folder);
    }

    @Override
    public List<Path> list(Path folder) throws IOException {
        return disk.list(folder);
    }

    private final class FaultyFile implements DiskFile {
        private final DiskFile file;

        private FaultyFile(DiskFile file) {
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
            if (fails()) {
                file.write(source.slice(source.position(), source.remaining() / 2), position);
                throw new IOException("injected fault: write");
            }
            file.write(source, position);
        }

        @Override
        public void sync() throws IOException {
            change("sync");
            file.sync();
        }

        @Override
        public void truncate(long size) throws IOException {
            change("truncate");
            file.truncate(size);
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
