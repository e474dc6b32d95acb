package org.alder.partition.jdbm.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongConsumer;

/**
 * Another disk, of which all bytes that are read and written are told, before or after they are; the listener may take its time,
 * to slow the work. Files that somebody else's code writes are told by their growth, and are synced every few megabytes, because
 * one large sync at the end would hold up the commit log's, which clients wait for. One thread.
 */
public final class MeteredDisk extends DiskFilter {
    private static final long SYNC_BYTES = 4L << 20;

    private final LongConsumer listener;
    private final Map<Path, Growth> growing = new HashMap<>();

    /** How long a file was at the last look, and at the last sync. */
    private record Growth(long seenBytes, long syncedBytes) {
    }

    /** @param listener told a number of bytes after each piece of work */
    public MeteredDisk(Disk disk, LongConsumer listener) {
        super(disk);
        this.listener = listener;
    }

    @Override
    public DiskFile create(Path file) throws IOException {
        return new MeteredFile(disk.create(file));
    }

    @Override
    public DiskFile createScratch(Path file) throws IOException {
        return new MeteredFile(disk.createScratch(file));
    }

    @Override
    public DiskFile open(Path file, boolean writable) throws IOException {
        DiskFile opened = disk.open(file, writable);
        Growth growth = growing.remove(file);
        if (growth != null) {
            listener.accept(opened.size() - growth.seenBytes);
        }
        return new MeteredFile(opened);
    }

    @Override
    public void willWrite(Path file) throws IOException {
        Growth before = growing.getOrDefault(file, new Growth(0, 0));
        long size = Files.size(file);
        boolean sync = size - before.syncedBytes >= SYNC_BYTES;
        if (sync) {
            try (DiskFile written = disk.open(file, true)) {
                written.sync();
            }
        }
        growing.put(file, new Growth(size, sync ? size : before.syncedBytes));
        listener.accept(size - before.seenBytes);
        disk.willWrite(file);
    }

    @Override
    public void delete(Path file) throws IOException {
        growing.remove(file);
        disk.delete(file);
    }

    private final class MeteredFile extends DiskFileFilter {
        MeteredFile(DiskFile file) {
            super(file);
        }

        @Override
        public int read(ByteBuffer target, long position) throws IOException {
            int count = file.read(target, position);
            listener.accept(count);
            return count;
        }

        @Override
        public void write(ByteBuffer source, long position) throws IOException {
            int count = source.remaining();
            file.write(source, position);
            listener.accept(count);
        }
    }
}
