package org.alder.partition.jdbm.backup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.alder.partition.error.StoreException;
import org.alder.partition.file.Folders;
import org.alder.partition.jdbm.disk.Disk;
import org.alder.partition.jdbm.disk.DiskFile;
import org.alder.partition.jdbm.disk.FolderLock;
import org.alder.partition.jdbm.folder.FolderChecker;
import org.alder.partition.jdbm.folder.Manifest;
import org.alder.partition.jdbm.folder.ManifestFile;
import org.alder.partition.jdbm.folder.StoreFolder;
import org.alder.partition.jdbm.segment.DescriptorFile;
import org.alder.partition.jdbm.segment.SegmentDescriptor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies the segments of another replica into a folder beside a store's, reads all of it back, and puts it in the store's place. What a
 * copy that was not finished has left is held to the checksums of what is copied now, and only the rest is fetched. Nothing that the other
 * one tells is believed: sizes, counts and names are checked before anything is held or made. One thread; its owner closes it.
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
    private static final int MOST_SEGMENTS = 10_000;
    private static final long MOST_NUMBER = 999_999_999_999L;
    private static final long MOST_FILE_BYTES = 1L << 42;

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

    private record Part(long number, String sha256, byte[] bytes, SegmentDescriptor descriptor) {
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
        Path from = Path.of(origin.name());
        Manifest manifest = ManifestFile.decode(from.resolve(ManifestFile.NAME), origin.manifest());
        require(from, manifest, storeId, generation);
        begun.at(manifest.lastFlushed());
        List<Part> parts = parts(origin, from, manifest);
        nameByContent(parts);
        doneBytes = 0;
        fetchedBytes = 0;
        totalBytes = parts.stream().mapToLong(part -> part.descriptor.diskBytes()).sum();
        requireRoom();
        SegmentCopy copy = new SegmentCopy(disk, bytes -> tell(bytes, bytes), bytes -> tell(bytes, 0));
        for (Part part : parts) {
            Map<String, Long> lengths = new LinkedHashMap<>();
            part.descriptor.files().forEach(file -> lengths.put(file.fileName(), file.summary().fileBytes()));
            copy.copy(from.resolve("segment-" + part.number), name -> origin.file(part.number, name, lengths.get(name)), part.descriptor,
                    part.bytes, unfinished.resolve(part.sha256));
        }
        finish(parts, manifest);
        return manifest.lastFlushed();
    }

    private void tell(long bytes, long fetched) {
        doneBytes += bytes;
        fetchedBytes += fetched;
        progress.update("copying", doneBytes, totalBytes, fetchedBytes);
    }

    private static StoreException refused(Path from, String found) {
        return new StoreException(StoreException.Kind.REFUSED, "what " + from + " offers is not copied: " + found);
    }

    private static void require(Path from, Manifest manifest, UUID storeId, long generation) {
        if (manifest.shared() == null || !manifest.storeId().equals(storeId) || manifest.shared().generation() != generation) {
            throw refused(from, "it is the store " + manifest.storeId() + (manifest.shared() == null ? " with a log of its own"
                    : " of generation " + manifest.shared().generation()) + ", expected " + storeId + " of generation " + generation);
        }
        Set<Long> numbers = new HashSet<>();
        for (Manifest.SegmentEntry segment : manifest.segments()) {
            if (segment.number() < 1 || segment.number() > MOST_NUMBER || !numbers.add(segment.number()) || numbers.size() > MOST_SEGMENTS) {
                throw refused(from, "its manifest names segment " + segment.number() + ", expected numbers from 1 to " + MOST_NUMBER
                        + ", each once, and at most " + MOST_SEGMENTS + " of them");
            }
        }
    }

    private static List<Part> parts(Origin origin, Path from, Manifest manifest) throws IOException {
        int left = MOST_DESCRIPTOR_BYTES;
        List<Part> parts = new ArrayList<>();
        for (Manifest.SegmentEntry segment : manifest.segments()) {
            byte[] bytes = origin.descriptor(segment.number(), left);
            left -= bytes.length;
            Path file = from.resolve("segment-" + segment.number()).resolve(SegmentDescriptor.FILE_NAME);
            SegmentDescriptor descriptor = DescriptorFile.decode(file, bytes);
            for (SegmentDescriptor.TableFile table : descriptor.files()) {
                if (table.summary().regionBytes() > MOST_REGION_BYTES || table.summary().fileBytes() > MOST_FILE_BYTES) {
                    throw refused(from, file + " names " + table.fileName() + " with " + table.summary().fileBytes() + " bytes in regions of "
                            + table.summary().regionBytes() + ", expected at most " + MOST_FILE_BYTES + " in regions of " + MOST_REGION_BYTES);
                }
            }
            parts.add(new Part(segment.number(), Digest.sha256(bytes), bytes, descriptor));
        }
        if (parts.stream().map(Part::sha256).distinct().count() < parts.size()) {
            throw refused(from, "two of its segments have the same descriptor");
        }
        return parts;
    }

    /** So that what is here is found again whatever its number is; what is not needed any more makes room. */
    private void nameByContent(List<Part> parts) throws IOException {
        Set<String> needed = new HashSet<>();
        parts.forEach(part -> needed.add(part.sha256));
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

    private void finish(List<Part> parts, Manifest manifest) throws IOException {
        StoreFolder store = new StoreFolder(disk, unfinished);
        for (Part part : parts) {
            disk.replace(unfinished.resolve(part.sha256), store.segment(part.number));
        }
        ManifestFile.write(disk, unfinished, manifest);
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
