package org.alder.partition.jdbm.disk;

import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The real disk, which knows what of it would survive a power failure: of a file what it held when it was synced last, of a
 * folder the names it had when it was synced last. Before each change it hands out an image of that. Thread safe.
 */
public final class VolatileDisk extends DiskFilter {
    private final Path root;
    private final Consumer<Image> beforeChange;
    private final Folder top = new Folder();

    /**
     * @param root         the folder that is there before and after every failure
     * @param beforeChange told before each change; the images can be used until the disk changes again
     */
    public VolatileDisk(Path root, Consumer<Image> beforeChange) {
        super(SparseDisk.INSTANCE);
        this.root = root.toAbsolutePath();
        this.beforeChange = beforeChange;
    }

    /** A file or folder, whatever its names. */
    private abstract static class Node {
        abstract void write(Path target, Path real, Random random) throws IOException;
    }

    private static final class Contents extends Node {
        /** Without zeros up to its end, of which there may be many. */
        private byte[] synced = {};
        private long syncedSize;
        /** No byte from here on was ever anything but 0. */
        private long usedTo;
        private boolean changed;
        /** What was changed since the last sync: all, or the bytes from here to there. */
        private boolean allChanged;
        private long changedFrom = Long.MAX_VALUE;
        private long changedTo;

        void changeAll(long newUsedTo) {
            changed = true;
            allChanged = true;
            usedTo = newUsedTo;
        }

        void truncate(long size) {
            changeAll(Math.min(usedTo, size));
        }

        void change(long from, ByteBuffer bytes) {
            int length = SparseDisk.usedBytes(bytes);
            long used = length == 0 ? 0 : from + length;
            changed = true;
            changedFrom = Math.min(changedFrom, from);
            changedTo = Math.max(changedTo, Math.max(used, Math.min(usedTo, from + bytes.remaining())));
            usedTo = Math.max(usedTo, used);
        }

        /** Only what was changed is read: logs are long, and synced often. */
        void sync(DiskFile file) throws IOException {
            long size = file.size();
            int used = Math.toIntExact(Math.min(usedTo, size));
            int from = allChanged ? 0 : (int) Math.min(changedFrom, synced.length);
            int to = allChanged ? used : (int) Math.min(changedTo, used);
            byte[] now = used == synced.length ? synced : Arrays.copyOf(synced, used);
            if (from < to) {
                file.read(ByteBuffer.wrap(now, from, to - from), from);
            }
            synced = now;
            syncedSize = size;
            changed = false;
            allChanged = false;
            changedFrom = Long.MAX_VALUE;
            changedTo = 0;
        }

        /** @param random null = all that is not synced is lost; else some of it, in some files */
        @Override
        void write(Path target, Path real, Random random) throws IOException {
            byte[] kept = synced;
            long size = syncedSize;
            if (random != null && changed && real != null && Files.isRegularFile(real) && random.nextBoolean()) {
                long writtenSize = Files.size(real);
                byte[] written = start(real, (int) Math.min(usedTo, writtenSize));
                // Most are torn where something is written, and not in the room behind.
                long end = random.nextBoolean() ? writtenSize
                        : random.nextInt(4) == 0 ? random.nextInt((int) writtenSize + 1) : random.nextInt(written.length + 1);
                kept = end == writtenSize ? written : tornAt((int) end, written, synced);
                size = end == writtenSize ? writtenSize : Math.max(end, syncedSize);
            }
            try (RandomAccessFile file = new RandomAccessFile(target.toFile(), "rw")) {
                file.write(kept, 0, usedBytes(kept));
                file.setLength(size);
            }
        }

        private static byte[] start(Path file, int length) throws IOException {
            try (InputStream in = Files.newInputStream(file)) {
                return in.readNBytes(length);
            }
        }

        /** The new bytes up to somewhere, the old ones behind. */
        private static byte[] tornAt(int bytes, byte[] written, byte[] old) {
            byte[] torn = Arrays.copyOf(old, Math.max(Math.min(bytes, written.length), old.length));
            Arrays.fill(torn, 0, Math.min(bytes, torn.length), (byte) 0);
            System.arraycopy(written, 0, torn, 0, Math.min(bytes, written.length));
            return torn;
        }

        private static int usedBytes(byte[] bytes) {
            int used = bytes.length;
            while (used > 0 && bytes[used - 1] == 0) {
                used--;
            }
            return used;
        }
    }

    private static final class Folder extends Node {
        private final Map<String, Node> names = new TreeMap<>();
        private Map<String, Node> synced = Map.of();

        @Override
        void write(Path target, Path real, Random random) throws IOException {
            Files.createDirectories(target);
            Map<String, Node> kept = new TreeMap<>(synced);
            if (random != null && random.nextBoolean()) {
                kept.clear();
                kept.putAll(names);
            }
            for (Map.Entry<String, Node> entry : kept.entrySet()) {
                boolean named = real != null && names.get(entry.getKey()) == entry.getValue();
                entry.getValue().write(target.resolve(entry.getKey()), named ? real.resolve(entry.getKey()) : null, random);
            }
        }
    }

    /** What a power failure now would leave. */
    public interface Image {
        /** Writes it into an empty folder; with a source of randomness, some of what was not synced survives, as it may. */
        void writeTo(Path target, Random random) throws IOException;
    }

    private void change() {
        beforeChange.accept((target, random) -> {
            synchronized (this) {
                top.write(target, root, random);
            }
        });
    }

    private Folder folder(Path path) {
        Folder folder = top;
        for (Path name : root.relativize(path.toAbsolutePath())) {
            if (!name.toString().isEmpty()) {
                folder = (Folder) folder.names.get(name.toString());
            }
        }
        return folder;
    }

    private static String name(Path file) {
        return file.getFileName().toString();
    }

    private Contents contents(Path file) {
        return (Contents) folder(file.toAbsolutePath().getParent()).names.get(name(file));
    }

    @Override
    public synchronized DiskFile create(Path file) throws IOException {
        change();
        DiskFile made = disk.create(file);
        Contents contents = (Contents) folder(file.toAbsolutePath().getParent()).names
                .computeIfAbsent(name(file), name -> new Contents());
        contents.changeAll(0);
        return new VolatileFile(made, contents);
    }

    /** Never survives. */
    @Override
    public synchronized void createFolder(Path folder) throws IOException {
        change();
        disk.createFolder(folder);
        folder(folder.toAbsolutePath().getParent()).names.put(name(folder), new Folder());
    }

    @Override
    public synchronized DiskFile open(Path file, boolean writable) throws IOException {
        DiskFile opened = disk.open(file, writable);
        return writable ? new VolatileFile(opened, contents(file)) : opened;
    }

    @Override
    public synchronized void willWrite(Path file) {
        change();
        contents(file).changeAll(Long.MAX_VALUE);
    }

    @Override
    public synchronized void replace(Path source, Path target) throws IOException {
        change();
        disk.replace(source, target);
        Node moved = folder(source.toAbsolutePath().getParent()).names.remove(name(source));
        folder(target.toAbsolutePath().getParent()).names.put(name(target), moved);
    }

    @Override
    public synchronized void delete(Path file) throws IOException {
        change();
        disk.delete(file);
        folder(file.toAbsolutePath().getParent()).names.remove(name(file));
    }

    @Override
    public synchronized void syncFolder(Path folder) throws IOException {
        change();
        Folder synced = folder(folder);
        synced.synced = new TreeMap<>(synced.names);
    }

    private final class VolatileFile extends DiskFileFilter {
        private final Contents contents;

        private VolatileFile(DiskFile file, Contents contents) {
            super(file);
            this.contents = contents;
        }

        @Override
        public void write(ByteBuffer source, long position) throws IOException {
            synchronized (VolatileDisk.this) {
                change();
                contents.change(position, source);
                file.write(source, position);
            }
        }

        @Override
        public void sync() throws IOException {
            synchronized (VolatileDisk.this) {
                change();
                contents.sync(file);
            }
        }

        @Override
        public void truncate(long size) throws IOException {
            synchronized (VolatileDisk.this) {
                change();
                contents.truncate(size);
                file.truncate(size);
            }
        }
    }
}
