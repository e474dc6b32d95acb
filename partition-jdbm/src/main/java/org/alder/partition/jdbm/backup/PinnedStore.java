package org.alder.partition.jdbm.backup;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.disk.Disk;
import org.alder.partition.jdbm.disk.DiskFile;
import org.alder.partition.jdbm.folder.Manifest;
import org.alder.partition.jdbm.folder.ManifestFile;
import org.alder.partition.jdbm.folder.StoreFolder;
import org.alder.partition.jdbm.segment.DescriptorFile;
import org.alder.partition.jdbm.segment.SegmentDescriptor;

/**
 * A store as its manifest names it at one moment, also while a server holds it: the files of the segments that are to be copied are
 * held open, so that they can be read whatever becomes of their names. Takes no lock, changes nothing. One thread; its owner closes
 * it, and the space of segments that were merged meanwhile is given back then.
 */
public final class PinnedStore implements Closeable {
    private final Path folder;
    private final byte[] manifestBytes;
    private final Manifest manifest;
    private final List<PinnedSegment> segments = new ArrayList<>();

    /**
     * One segment.
     *
     * @param sha256 of the descriptor
     * @param files  those to be copied, by their names; null if nothing is
     */
    public record PinnedSegment(long number, Path folder, String sha256, byte[] descriptorBytes, SegmentDescriptor descriptor,
            Map<String, DiskFile> files) {
    }

    private PinnedStore(Path folder, byte[] manifestBytes) {
        this.folder = folder;
        this.manifestBytes = manifestBytes;
        this.manifest = ManifestFile.decode(folder.resolve(ManifestFile.NAME), manifestBytes);
    }

    /**
     * @param isKnown whether a segment need not be copied, by the SHA-256 of its descriptor
     * @throws StoreException of kind CORRUPT, IOException where a file is not there (any more): try again
     */
    public static PinnedStore open(Disk disk, Path folder, Predicate<String> isKnown) throws IOException {
        PinnedStore pinned = new PinnedStore(folder, Files.readAllBytes(folder.resolve(ManifestFile.NAME)));
        boolean complete = false;
        try {
            StoreFolder files = new StoreFolder(disk, folder);
            for (Manifest.SegmentEntry segment : pinned.manifest.segments()) {
                pinned.pin(disk, segment.number(), files.segment(segment.number()), isKnown);
            }
            complete = true;
            return pinned;
        } finally {
            if (!complete) {
                pinned.close();
            }
        }
    }

    /** One all of whose segments were copied. */
    static PinnedStore copied(OfferedStore offered) {
        PinnedStore pinned = new PinnedStore(offered.from(), offered.manifestBytes());
        offered.parts().forEach(part -> pinned.segments.add(new PinnedSegment(part.number(), offered.folder(part), part.sha256(), part.bytes(), part.descriptor(), null)));
        return pinned;
    }

    private void pin(Disk disk, long number, Path segment, Predicate<String> isKnown) throws IOException {
        byte[] bytes = Files.readAllBytes(segment.resolve(SegmentDescriptor.FILE_NAME));
        SegmentDescriptor descriptor = DescriptorFile.read(segment);
        String sha256 = Digest.sha256(bytes);
        Map<String, DiskFile> files = isKnown.test(sha256) ? null : new HashMap<>();
        segments.add(new PinnedSegment(number, segment, sha256, bytes, descriptor, files));
        if (files != null) {
            for (SegmentDescriptor.TableFile file : descriptor.files()) {
                files.put(file.fileName(), disk.open(segment.resolve(file.fileName()), false));
            }
        }
    }

    Path folder() {
        return folder;
    }

    public Manifest manifest() {
        return manifest;
    }

    public byte[] manifestBytes() {
        return manifestBytes;
    }

    /** As the manifest has them, oldest first. */
    public List<PinnedSegment> segments() {
        return segments;
    }

    /** What there is to copy. */
    public long bytesToCopy() {
        return segments.stream().filter(segment -> segment.files() != null).mapToLong(segment -> segment.descriptor().diskBytes()).sum();
    }

    @Override
    public void close() throws IOException {
        IOException failure = null;
        for (PinnedSegment segment : segments) {
            if (segment.files() != null) {
                for (DiskFile file : segment.files().values()) {
                    try {
                        file.close();
                    } catch (IOException e) {
                        failure = e;
                    }
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
