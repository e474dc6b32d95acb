package org.alder.partition.jdbm.backup;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * One moment that can be brought back: what a data folder held then, by the names of the files in a folder of backups that hold it
 * now. {@link PointFile} reads and writes it. Immutable.
 *
 * @param taken  when the backup was begun, to the millisecond
 * @param files  small files: schema, configuration, keys
 * @param stores of the partitions, each at one moment of its own after {@code taken}
 */
public record BackupPoint(Instant taken, List<SavedFile> files, List<SavedStore> stores) {
    private static final Pattern NAME = Pattern.compile("[0-9]{8}T[0-9]{9}Z");
    private static final DateTimeFormatter FORMAT = DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmssSSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    /**
     * A small file.
     *
     * @param name where it belongs in a data folder, with {@code /} between folders
     */
    public record SavedFile(String name, long bytes, String sha256) {
    }

    /**
     * A segment.
     *
     * @param number in its store
     * @param sha256 of its descriptor, which has the checksums of all other files
     * @param bytes  of the other files
     */
    public record SavedSegment(long number, String sha256, long bytes) {
    }

    /**
     * The store of a partition: its segments, and the log from there to the moment of the point.
     *
     * @param partition          the name of its folder
     * @param storeId            whose log it is
     * @param baseSequence       the last commit that is in the segments
     * @param baseTimeMillis     when that was committed, in milliseconds since 1970
     * @param sequence           the last commit of the point
     * @param timeMillis         when that was committed, in milliseconds since 1970
     * @param entries            at that commit
     * @param manifestSha256     of the store's manifest, kept as a small file
     */
    public record SavedStore(String partition, UUID storeId, long baseSequence, long baseTimeMillis, long sequence, long timeMillis,
            long entries, String manifestSha256, List<SavedSegment> segments) {
        public SavedStore {
            segments = List.copyOf(segments);
        }

        SavedStore with(List<SavedSegment> others) {
            return new SavedStore(partition, storeId, baseSequence, baseTimeMillis, sequence, timeMillis, entries, manifestSha256, others);
        }
    }

    public BackupPoint {
        files = List.copyOf(files);
        stores = List.copyOf(stores);
    }

    /** As it is listed and asked for, in the order of time. */
    public String name() {
        return FORMAT.format(taken);
    }

    static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }

    /** What bringing it back takes on a disk, without the log. */
    public long bytes() {
        return files.stream().mapToLong(SavedFile::bytes).sum()
                + stores.stream().flatMap(store -> store.segments().stream()).mapToLong(SavedSegment::bytes).sum();
    }

    /** The names of all small files, the manifests' among them. */
    List<String> contents() {
        List<String> contents = new ArrayList<>();
        files.forEach(file -> contents.add(file.sha256()));
        stores.forEach(store -> contents.add(store.manifestSha256()));
        return contents;
    }
}
