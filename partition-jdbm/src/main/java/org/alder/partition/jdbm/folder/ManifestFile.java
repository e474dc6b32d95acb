package org.alder.partition.jdbm.folder;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.alder.partition.error.StoreException;
import org.alder.partition.file.CheckedText;
import org.alder.partition.jdbm.disk.AtomicFile;
import org.alder.partition.jdbm.disk.Disk;
import org.alder.partition.jdbm.segment.SequenceRange;
import org.alder.partition.store.EntryIndexer.IndexSpec;
import org.alder.partition.store.SystemRecords;

/**
 * Reads and replaces a store's file {@code MANIFEST}, version 2, 3 where the log is shared, or 4 where there are system records (docs/format/manifest.md; do not
 * change without a new version):
 * UTF-8 lines, each a word and its values, in this order:
 * <pre>
 *   alder-manifest 2
 *   store UUID
 *   generation N
 *   last-id N
 *   entries N
 *   last-flushed N
 *   first-log N
 *   next-segment N
 *   indexed-by TEXT                 the fingerprint of the indexer, may be empty
 *   index THRESHOLD NAME            one per index, NAME that of its tables
 *   segment NUMBER FIRST LAST       one per segment, oldest first
 *   building NAME                   one per index that was being built
 *   record KEY BASE64               version 4 only: one per system record
 *   shared-log GENERATION EPOCH     versions 3 and 4 only: the store has no log of its own
 *   crc32c 8-HEX-DIGITS             of all bytes before this line
 * </pre>
 * Version 1 reads the same; in it each segment has a table of each index, and in their order. It is replaced by writing MANIFEST.new, syncing it, renaming it over the old one and syncing the folder. Stateless.
 */
public final class ManifestFile {
    public static final String NAME = "MANIFEST";
    static final String NEW_NAME = NAME + AtomicFile.NEW_SUFFIX;

    private static final String FIRST_LINE = "alder-manifest 2";
    private static final String FIRST_LINE_OF_1 = "alder-manifest 1";
    private static final String FIRST_LINE_OF_3 = "alder-manifest 3";
    private static final String FIRST_LINE_OF_4 = "alder-manifest 4";
    private static final String RECORD = "record ";
    private static final String SHARED = "shared-log ";
    private static final CheckedText CHECKED = new CheckedText("crc32c");

    private ManifestFile() {
    }

    /** The manifest, or null where the folder has none. */
    public static Manifest read(Path folder) throws IOException {
        Path file = folder.resolve(NAME);
        byte[] bytes;
        try {
            bytes = Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            return null;
        }
        return decode(file, bytes);
    }

    /**
     * The manifest that these bytes of a file are.
     *
     * @throws StoreException of kind CORRUPT, naming the file
     */
    public static Manifest decode(Path file, byte[] bytes) {
        try {
            return parse(file, bytes);
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw corrupt(file, "malformed: " + e.getMessage());
        }
    }

    private static Manifest parse(Path file, byte[] bytes) {
        Iterator<String> lines = CHECKED.decode(bytes).lines().iterator();
        String first = lines.hasNext() ? lines.next() : "";
        boolean isShared = first.equals(FIRST_LINE_OF_3);
        boolean mayHaveRecords = first.equals(FIRST_LINE_OF_4);
        if (!isShared && !mayHaveRecords && !first.equals(FIRST_LINE) && !first.equals(FIRST_LINE_OF_1)) {
            throw corrupt(file, "the first line \"" + first + "\", expected \"" + FIRST_LINE + "\", or one up to version 4");
        }
        UUID storeId = UUID.fromString(value(lines, "store"));
        long[] numbers = new long[6];
        String[] names = {"generation", "last-id", "entries", "last-flushed", "first-log", "next-segment"};
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = Long.parseLong(value(lines, names[i]));
        }
        String fingerprint = value(lines, "indexed-by");
        List<IndexSpec> indexes = new ArrayList<>();
        List<Manifest.SegmentEntry> segments = new ArrayList<>();
        List<String> building = new ArrayList<>();
        Map<String, byte[]> records = new HashMap<>();
        Manifest.Shared shared = null;
        while (lines.hasNext()) {
            String line = lines.next();
            if (!lines.hasNext() && (isShared || mayHaveRecords && line.startsWith(SHARED))) {
                shared = shared(line);
            } else if (mayHaveRecords && line.startsWith(RECORD)) {
                addRecord(records, line);
            } else {
                parseListLine(line, indexes, segments, building);
            }
        }
        if (isShared && shared == null) {
            throw new IllegalArgumentException("no line shared-log");
        }
        return new Manifest(storeId, numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5],
                fingerprint, indexes, segments, building, SystemRecords.of(records), shared);
    }

    private static void addRecord(Map<String, byte[]> records, String line) {
        String[] words = line.split(" ", -1);
        if (words.length != 3 || records.put(words[1], Base64.getDecoder().decode(words[2])) != null) {
            throw new IllegalArgumentException("a line record that is not a key of its own and base64");
        }
    }

    private static Manifest.Shared shared(String line) {
        String[] words = line.split(" ");
        if (words.length != 3 || !line.startsWith(SHARED)) {
            throw new IllegalArgumentException("\"" + line + "\", expected shared-log");
        }
        return new Manifest.Shared(Long.parseLong(words[1]), Long.parseLong(words[2]));
    }

    private static String value(Iterator<String> lines, String word) {
        String line = lines.hasNext() ? lines.next() : "";
        if (!line.startsWith(word + " ")) {
            throw new IllegalArgumentException("\"" + line + "\", expected " + word);
        }
        return line.substring(word.length() + 1);
    }

    private static void parseListLine(String line, List<IndexSpec> indexes, List<Manifest.SegmentEntry> segments,
            List<String> building) {
        String[] words = line.split(" ");
        if (words[0].equals("index") && words.length == 3) {
            indexes.add(new IndexSpec(words[2], Integer.parseInt(words[1])));
        } else if (words[0].equals("segment") && words.length == 4) {
            segments.add(new Manifest.SegmentEntry(Long.parseLong(words[1]),
                    new SequenceRange(Long.parseLong(words[2]), Long.parseLong(words[3]))));
        } else if (words[0].equals("building") && words.length == 2) {
            building.add(words[1]);
        } else {
            throw new IllegalArgumentException("\"" + line + "\", expected index, segment or building");
        }
    }

    /**
     * Replaces the manifest; when this returns the new one is durable. If it throws, either the old or the new one is there,
     * whole.
     */
    public static void write(Disk disk, Path folder, Manifest manifest) throws IOException {
        // Segments named by the new manifest must have their names on the disk before it has its own.
        disk.syncFolder(folder);
        new AtomicFile(disk).replace(folder.resolve(NAME), CHECKED.encode(format(manifest)));
    }

    private static String format(Manifest manifest) {
        String first = !manifest.records().isEmpty() ? FIRST_LINE_OF_4 : manifest.shared() == null ? FIRST_LINE : FIRST_LINE_OF_3;
        StringBuilder text = new StringBuilder(first).append('\n');
        line(text, "store", manifest.storeId());
        line(text, "generation", manifest.generation());
        line(text, "last-id", manifest.givenIds());
        line(text, "entries", manifest.entries());
        line(text, "last-flushed", manifest.lastFlushed());
        line(text, "first-log", manifest.firstLog());
        line(text, "next-segment", manifest.nextSegment());
        line(text, "indexed-by", manifest.fingerprint());
        manifest.indexes().forEach(index -> line(text, "index", index.duplicateThreshold() + " " + index.name()));
        manifest.segments().forEach(segment -> line(text, "segment",
                segment.number() + " " + segment.sequences().first() + " " + segment.sequences().last()));
        manifest.building().forEach(name -> line(text, "building", name));
        manifest.records().forEach((key, record) -> line(text, "record", key + " " + Base64.getEncoder().encodeToString(record)));
        if (manifest.shared() != null) {
            line(text, "shared-log", manifest.shared().generation() + " " + manifest.shared().epoch());
        }
        return text.toString();
    }

    private static void line(StringBuilder text, String word, Object value) {
        text.append(word).append(' ').append(value).append('\n');
    }

    private static StoreException corrupt(Path file, String found) {
        return new StoreException(StoreException.Kind.CORRUPT, file + ": " + found);
    }
}
