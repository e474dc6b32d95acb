package org.alder.partition.jdbm.backup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.alder.partition.error.StoreException;
import org.alder.partition.file.Folders;
import org.alder.partition.jdbm.disk.Disk;
import org.alder.partition.jdbm.disk.DiskFile;
import org.alder.partition.jdbm.disk.FolderLock;
import org.alder.partition.jdbm.folder.FolderChecker;
import org.alder.partition.jdbm.folder.ManifestFile;
import org.alder.partition.jdbm.folder.StoreFolder;
import org.alder.partition.jdbm.segment.SegmentDescriptor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies the segments of another replica into a folder beside a store's, reads all of it back, and puts it in the store's place. What a
 * copy that was not finished has left is held to the checksums of what is copied now, and only the rest is fetched. One thread; its owner closes it.
 */
public final class StoreCopy implements AutoCloseable {
    /** Of a manifest. */
    public static final int MOST_MANIFEST_BYTES = 4 << 20;
    /** Of the descriptors of a store, all together: nine bytes for each MiB, so enough for a store of 1 TiB. */
    public static final int MOST_DESCRIPTOR_BYTES = 16 << 20;
    /** A file is read in pieces that are no longer. */
    public static final int MOST_REGION_BYTES = 4 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(StoreCopy.class);
    /** No name of a partition has a tilde. */
    private static final String UNFINISHED_SUFFIX = "~copy";
    private static final String OUTDATED_SUFFIX = "~outdated";

    private final Disk disk;
    private final Path target;
    private final Path unfinished;
    private final Progress progress;
    /** Null when it is closed. */
    private FolderLock lock;
    private long doneBytes;
    private long totalBytes;
    private long fetchedBytes;

    /** A store that stays as it is while it is copied. */
    public interface Origin {
        /** Whose it is, for messages. */
        String name();

        /** At most {@link #MOST_MANIFEST_BYTES}. */
        byte[] manifest() throws IOException;

        /** Of the segment with this number in the manifest. @throws IOException where it has more than so many bytes */
        byte[] descriptor(long segment, int mostBytes) throws IOException;

        /** A file of the segment, for reading, which the caller closes. @param fileBytes its length, as the descriptor says */
        DiskFile file(long segment, String fileName, long fileBytes) throws IOException;
    }

    /** Told what is copied. */
    @FunctionalInterface
    public interface Begun {
        /** @throws IOException where that is of no use */
        void at(long lastSequence) throws IOException;
    }

    /** Told how far it is. */
    @FunctionalInterface
    public interface Progress {
        /** @param fetchedBytes those of {@code doneBytes} that were not there from an earlier copy */
        void update(String phase, long doneBytes, long totalBytes, long fetchedBytes);
    }

    private StoreCopy(Disk disk, Path target, Path unfinished, Progress progress, FolderLock lock) {
        this.disk = disk;
        this.target = target;
        this.unfinished = unfinished;
        this.progress = progress;
        this.lock = lock;
    }

    /**
     * Begins a copy, or goes on with one.
     *
     * @param target the folder of the store, which nobody holds; it may be there or not, and stays as it is until {@link #putInPlace}
     */
    public static StoreCopy open(Disk disk, Path target, Progress progress) throws IOException {
        Path whole = target.toAbsolutePath();
        Path unfinished = whole.resolveSibling(whole.getFileName() + UNFINISHED_SUFFIX);
        Folders.create(unfinished);
        return new StoreCopy(disk, whole, unfinished, progress, FolderLock.acquire(disk, unfinished));
    }

    /**
     * Fetches what is not here yet, and reads everything back. May be called again, also with another origin.
     *
     * @param storeId    that the store is to have
     * @param generation of its data in the shared log
     * @param begun      told the last transaction of what is copied, before anything is
     * @return its last transaction
     * @throws StoreException of kind CORRUPT, naming the file, where anything is not what its checksum says; REFUSED where it is another store,
     *         or is more than any store has; DISK_FULL. What is whole stays for the next time
     */
    public long fetch(Origin origin, UUID storeId, long generation, Begun begun) throws IOException {
        OfferedStore offered = OfferedStore.by(origin, storeId, generation);
        begun.at(offered.manifest().lastFlushed());
        nameByContent(offered.parts());
        doneBytes = 0;
        fetchedBytes = 0;
        totalBytes = offered.parts().stream().mapToLong(part -> part.descriptor().diskBytes()).sum();
        requireRoom();
        SegmentCopy copy = new SegmentCopy(disk, bytes -> tell(bytes, bytes), bytes -> tell(bytes, 0));
        for (OfferedStore.Part part : offered.parts()) {
            copy.copy(offered.folder(part), part.files(origin), part.descriptor(), part.bytes(), unfinished.resolve(part.sha256()));
        }
        finish(offered);
        return offered.manifest().lastFlushed();
    }

    private void tell(long bytes, long fetched) {
        doneBytes += bytes;
        fetchedBytes += fetched;
        progress.update("copying", doneBytes, totalBytes, fetchedBytes);
    }

    /** So that what is here is found again whatever its number is; what is not needed any more makes room. */
    private void nameByContent(List<OfferedStore.Part> parts) throws IOException {
        Set<String> needed = new HashSet<>();
        parts.forEach(part -> needed.add(part.sha256()));
        // It is no store while it is not whole.
        disk.delete(unfinished.resolve(ManifestFile.NAME));
        disk.syncFolder(unfinished);
        for (Path each : disk.list(unfinished)) {
            if (Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS)) {
                String name = contentOf(each);
                if (!needed.contains(name)) {
                    disk.deleteTree(each);
                } else if (!each.getFileName().toString().equals(name)) {
                    disk.deleteTree(unfinished.resolve(name));
                    disk.replace(each, unfinished.resolve(name));
                }
            }
        }
    }

    private String contentOf(Path segment) throws IOException {
        Path descriptor = segment.resolve(SegmentDescriptor.FILE_NAME);
        boolean isNumbered = StoreFolder.numberOf(segment) >= 0 && Files.isRegularFile(descriptor, LinkOption.NOFOLLOW_LINKS);
        return isNumbered ? Digest.sha256(Files.readAllBytes(descriptor)) : segment.getFileName().toString();
    }

    private void requireRoom() throws IOException {
        long here = bytesIn(unfinished);
        long free = disk.freeBytes(unfinished);
        if (free < totalBytes - here) {
            throw new StoreException(StoreException.Kind.DISK_FULL, "the disk of " + unfinished + " has " + free + " bytes free, the copy needs "
                    + (totalBytes - here) + " more" + (Files.exists(target) ? "; where there is no room for both, remove " + target
                    + ", which is outdated" : ""));
        }
    }

    private long bytesIn(Path path) throws IOException {
        if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            return Files.size(path);
        }
        long bytes = 0;
        for (Path each : disk.list(path)) {
            bytes += bytesIn(each);
        }
        return bytes;
    }

    private void finish(OfferedStore offered) throws IOException {
        StoreFolder store = new StoreFolder(disk, unfinished);
        for (OfferedStore.Part part : offered.parts()) {
            disk.replace(unfinished.resolve(part.sha256()), store.segment(part.number()));
        }
        ManifestFile.write(disk, unfinished, offered.manifest());
        progress.update("verifying", doneBytes, totalBytes, fetchedBytes);
        List<String> problems = FolderChecker.check(unfinished);
        if (!problems.isEmpty()) {
            throw new StoreException(StoreException.Kind.CORRUPT, "what was copied is not whole: " + String.join("; ", problems));
        }
    }

    /**
     * Puts what was fetched in the store's place, durably. What was there is beside it until {@link #removeOutdated}, under the name with
     * {@code ~outdated} behind it. Closes this.
     */
    public void putInPlace() throws IOException {
        close();
        Path parent = target.getParent();
        if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
            Path old = outdated(target);
            disk.deleteTree(old);
            disk.replace(target, old);
            disk.syncFolder(parent);
        }
        disk.replace(unfinished, target);
        disk.syncFolder(parent);
    }

    private static Path outdated(Path target) {
        return target.resolveSibling(target.getFileName() + OUTDATED_SUFFIX);
    }

    /** Removes what a copy has taken the place of, when the store was opened. What cannot be removed stays. */
    public static void removeOutdated(Disk disk, Path store) {
        Path old = outdated(store.toAbsolutePath());
        try {
            if (Files.exists(old, LinkOption.NOFOLLOW_LINKS)) {
                disk.deleteTree(old);
                LOG.info("Removed {}, which was outdated: {} has a new copy", old, store);
            }
        } catch (IOException e) {
            LOG.warn("Cannot remove {}, which is outdated and not needed: {}", old, e.toString());
        }
    }

    @Override
    public void close() {
        FolderLock.release(lock);
        lock = null;
    }
}
