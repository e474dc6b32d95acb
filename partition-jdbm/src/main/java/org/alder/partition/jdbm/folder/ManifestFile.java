package org.alder.partition.jdbm.folder;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.disk.AtomicFile;
import org.alder.partition.jdbm.disk.Disk;
import org.alder.partition.jdbm.segment.SequenceRange;
import org.alder.partition.store.EntryIndexer.IndexSpec;

/**
 * Reads and replaces a store's file {@code MANIFEST}, version 1 (docs/format/manifest.md; do not change without a new version):
 * UTF-8 lines, each a word and its values, in this order:
 * <pre>
 *   alder-manifest 1
 *   store UUID
 *   generation N
 *   last-id N
 *   entries N
 *   last-flushed N
 *   first-log N
 *   next-segment N
 *   indexed-by TEXT                 the fingerprint of the indexer, may be empty
 *   index THRESHOLD NAME            one per index, in their order
 *   segment NUMBER FIRST LAST       one per segment, oldest first
 *   crc32c 8-HEX-DIGITS             of all bytes before this line
 * </pre>
 * It is replaced by writing MANIFEST.new, syncing it, renaming it over the old one and syncing the folder. Stateless.
 */
public final class ManifestFile {
    public static final String NAME = "MANIFEST";
    static final String NEW_NAME = NAME + AtomicFile.NEW_SUFFIX;

    private static final String FIRST_LINE = "alder-manifest 1";
    private static final String CHECK = "crc32c ";
    private static final int CHECK_LINE_BYTES = CHECK.length() + 9;

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
        try {
            return parse(file, bytes);
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw corrupt(file, "a malformed line: " + e.getMessage());
        }
    }

    private static Manifest parse(Path file, byte[] bytes) {
        int checked = bytes.length - CHECK_LINE_BYTES;
        if (checked < 0) {
            throw corrupt(file, bytes.length + " bytes, too short for a manifest");
        }
        String found = new String(bytes, checked, CHECK_LINE_BYTES, StandardCharsets.UTF_8);
        if (!found.equals(checkLine(bytes, checked))) {
            throw corrupt(file, "the last line \"" + found.strip() + "\", expected \"" + checkLine(bytes, checked).strip()
                    + "\"");
        }
        Iterator<String> lines = new String(bytes, 0, checked, StandardCharsets.UTF_8).lines().iterator();
        String first = lines.next();
        if (!first.equals(FIRST_LINE)) {
            throw corrupt(file, "the first line \"" + first + "\", expected \"" + FIRST_LINE + "\"");
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
        lines.forEachRemaining(line -> parseListLine(line, indexes, segments));
        return new Manifest(storeId, numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5],
                fingerprint, indexes, segments);
    }

    private static String value(Iterator<String> lines, String word) {
        String line = lines.hasNext() ? lines.next() : "";
        if (!line.startsWith(word + " ")) {
            throw new IllegalArgumentException("\"" + line + "\", expected " + word);
        }
        return line.substring(word.length() + 1);
    }

    private static void parseListLine(String line, List<IndexSpec> indexes, List<Manifest.SegmentEntry> segments) {
        String[] words = line.split(" ");
        if (words[0].equals("index") && words.length == 3) {
            indexes.add(new IndexSpec(words[2], Integer.parseInt(words[1])));
        } else if (words[0].equals("segment") && words.length == 4) {
            segments.add(new Manifest.SegmentEntry(Long.parseLong(words[1]),
                    new SequenceRange(Long.parseLong(words[2]), Long.parseLong(words[3]))));
        } else {
            throw new IllegalArgumentException("\"" + line + "\", expected index or segment");
        }
    }

    /**
     * Replaces the manifest; when this returns the new one is durable. If it throws, either the old or the new one is there,
     * whole.
     */
    public static void write(Disk disk, Path folder, Manifest manifest) throws IOException {
        byte[] body = format(manifest).getBytes(StandardCharsets.UTF_8);
        byte[] check = checkLine(body, body.length).getBytes(StandardCharsets.UTF_8);
        // Segments named by the new manifest must have their names on the disk before it has its own.
        disk.syncFolder(folder);
        byte[] content = Arrays.copyOf(body, body.length + check.length);
        System.arraycopy(check, 0, content, body.length, check.length);
        new AtomicFile(disk).replace(folder.resolve(NAME), content);
    }

    private static String format(Manifest manifest) {
        StringBuilder text = new StringBuilder(FIRST_LINE).append('\n');
        line(text, "store", manifest.storeId());
        line(text, "generation", manifest.generation());
        line(text, "last-id", manifest.lastId());
        line(text, "entries", manifest.entries());
        line(text, "last-flushed", manifest.lastFlushed());
        line(text, "first-log", manifest.firstLog());
        line(text, "next-segment", manifest.nextSegment());
        line(text, "indexed-by", manifest.fingerprint());
        manifest.indexes().forEach(index -> line(text, "index", index.duplicateThreshold() + " " + index.name()));
        manifest.segments().forEach(segment -> line(text, "segment",
                segment.number() + " " + segment.sequences().first() + " " + segment.sequences().last()));
        return text.toString();
    }

    private static void line(StringBuilder text, String word, Object value) {
        text.append(word).append(' ').append(value).append('\n');
    }

    private static String checkLine(byte[] bytes, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length);
        return CHECK + String.format(Locale.ROOT, "%08x", crc.getValue()) + "\n";
    }

    private static StoreException corrupt(Path file, String found) {
        return new StoreException(StoreException.Kind.CORRUPT, file + ": " + found);
    }
}
