package org.alder.partition.jdbm.backup;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.folder.Manifest;
import org.alder.partition.jdbm.folder.ManifestFile;
import org.alder.partition.jdbm.segment.DescriptorFile;
import org.alder.partition.jdbm.segment.SegmentDescriptor;

/**
 * The segments of another replica, as it offers them. Nothing that it tells is believed: sizes, counts and names are checked before anything is held or made. Immutable.
 *
 * @param from whose it is, as a path for messages
 */
record OfferedStore(Path from, Manifest manifest, byte[] manifestBytes, List<Part> parts) {
    private static final int MOST_SEGMENTS = 10_000;
    private static final long MOST_NUMBER = 999_999_999_999L;
    private static final long MOST_FILE_BYTES = 1L << 42;

    /**
     * One of them.
     *
     * @param sha256 of the descriptor
     * @param bytes  of the descriptor
     */
    record Part(long number, String sha256, byte[] bytes, SegmentDescriptor descriptor) {
        /** Its files, which stay open as long as whoever offers them. */
        SegmentCopy.Source files(StoreCopy.Origin origin) {
            Map<String, Long> lengths = new LinkedHashMap<>();
            descriptor.files().forEach(file -> lengths.put(file.fileName(), file.summary().fileBytes()));
            return fileName -> origin.file(number, fileName, lengths.get(fileName));
        }
    }

    /**
     * Asks for it.
     *
     * @param storeId    that it is to have
     * @param generation of its data in the shared log
     * @throws StoreException of kind CORRUPT, naming the file; REFUSED where it is another store, or is more than any store has
     */
    static OfferedStore by(StoreCopy.Origin origin, UUID storeId, long generation) throws IOException {
        Path from = Path.of(origin.name());
        byte[] bytes = origin.manifest();
        Manifest manifest = ManifestFile.decode(from.resolve(ManifestFile.NAME), bytes);
        require(from, manifest, storeId, generation);
        return new OfferedStore(from, manifest, bytes, parts(origin, from, manifest));
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

    private static List<Part> parts(StoreCopy.Origin origin, Path from, Manifest manifest) throws IOException {
        int left = StoreCopy.MOST_DESCRIPTOR_BYTES;
        List<Part> parts = new ArrayList<>();
        for (Manifest.SegmentEntry segment : manifest.segments()) {
            byte[] bytes = origin.descriptor(segment.number(), left);
            left -= bytes.length;
            Path file = folder(from, segment.number()).resolve(SegmentDescriptor.FILE_NAME);
            SegmentDescriptor descriptor = DescriptorFile.decode(file, bytes);
            for (SegmentDescriptor.TableFile table : descriptor.files()) {
                if (table.summary().regionBytes() > StoreCopy.MOST_REGION_BYTES || table.summary().fileBytes() > MOST_FILE_BYTES) {
                    throw refused(from, file + " names " + table.fileName() + " with " + table.summary().fileBytes() + " bytes in regions of "
                            + table.summary().regionBytes() + ", expected at most " + MOST_FILE_BYTES + " in regions of " + StoreCopy.MOST_REGION_BYTES);
                }
            }
            parts.add(new Part(segment.number(), Digest.sha256(bytes), bytes, descriptor));
        }
        if (parts.stream().map(Part::sha256).distinct().count() < parts.size()) {
            throw refused(from, "two of its segments have the same descriptor");
        }
        return List.copyOf(parts);
    }

    private static Path folder(Path from, long segment) {
        return from.resolve("segment-" + segment);
    }

    /** Where a segment is, for messages. */
    Path folder(Part part) {
        return folder(from, part.number);
    }
}
