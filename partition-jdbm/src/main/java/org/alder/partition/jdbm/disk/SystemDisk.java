package org.alder.partition.jdbm.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.alder.partition.file.Folders;
import org.alder.partition.file.OwnerOnly;

/**
 * The real files; those it makes are the owner's alone. Thread safe, stateless. Threads that write must not be interrupted: that
 * would close their channel.
 */
public final class SystemDisk implements Disk {
    public static final SystemDisk INSTANCE = new SystemDisk();

    private SystemDisk() {
    }

    @Override
    public DiskFile create(Path file) throws IOException {
        return new SystemFile(FileChannel.open(file, Set.of(StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.READ, StandardOpenOption.WRITE), OwnerOnly.file(file)));
    }

    @Override
    public DiskFile createScratch(Path file) throws IOException {
        return new SystemFile(FileChannel.open(file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ,
                StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE), OwnerOnly.file(file)));
    }

    @Override
    public void createFolder(Path folder) throws IOException {
        Files.createDirectory(folder, OwnerOnly.folder(folder));
    }

    @Override
    public void willWrite(Path file) {
        // Nothing stands between the writer and a real file.
    }

    @Override
    public DiskFile open(Path file, boolean writable) throws IOException {
        return new SystemFile(writable ? FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)
                : FileChannel.open(file, StandardOpenOption.READ));
    }

    @Override
    public void replace(Path source, Path target) throws IOException {
        Files.move(source, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public void delete(Path file) throws IOException {
        Files.deleteIfExists(file);
    }

    @Override
    public void syncFolder(Path folder) throws IOException {
        Folders.sync(folder);
    }

    @Override
    public List<Path> list(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }

    @Override
    public long freeBytes(Path folder) throws IOException {
        // Not by Files.getFileStore, which finds no mount point for the root of a chroot and fails.
        long bytes = folder.toFile().getUsableSpace();
        if (bytes == 0 && !Files.exists(folder)) {
            throw new NoSuchFileException(folder.toString());
        }
        return bytes;
    }

    private record SystemFile(FileChannel channel) implements DiskFile {
        @Override
        public long size() throws IOException {
            return channel.size();
        }

        @Override
        public int read(ByteBuffer target, long position) throws IOException {
            int total = 0;
            while (target.hasRemaining()) {
                int count = channel.read(target, position + total);
                if (count < 0) {
                    break;
                }
                total += count;
            }
            return total;
        }

        @Override
        public void write(ByteBuffer source, long position) throws IOException {
            long at = position;
            while (source.hasRemaining()) {
                at += channel.write(source, at);
            }
        }

        @Override
        public void sync() throws IOException {
            channel.force(false);
        }

        @Override
        public void truncate(long size) throws IOException {
            channel.truncate(size);
        }

        @Override
        public boolean tryLock() throws IOException {
            return channel.tryLock() != null;
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
