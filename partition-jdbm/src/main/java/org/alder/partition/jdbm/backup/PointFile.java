package org.alder.partition.jdbm.backup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.alder.partition.error.StoreException;
import org.alder.partition.file.CheckedText;
import org.alder.partition.jdbm.backup.BackupPoint.SavedFile;
import org.alder.partition.jdbm.backup.BackupPoint.SavedSegment;
import org.alder.partition.jdbm.backup.BackupPoint.SavedStore;

/**
 * Reads and writes the file of a point, version 1 (docs/format/backup.md; do not change without a new version): UTF-8 lines, each a
 * word and its values, in this order:
 * <pre>
 *   alder-backup-point 1
 *   taken INSTANT                    as 2026-11-22T22:18:54.123Z
 *   file SHA256 BYTES NAME           one per small file; the name is relative, with / between folders
 *   store UUID BASE-SEQUENCE BASE-TIME SEQUENCE TIME ENTRIES MANIFEST-SHA256 PARTITION
 *   segment NUMBER SHA256 BYTES      one per segment of the store before, oldest first
 *   crc32c 8-HEX-DIGITS              of all bytes before this line
 * </pre>
 * What it says is not believed where it could lead out of a folder. Stateless.
 */
final class PointFile {
    private static final String FIRST_LINE = "alder-backup-point 1";
    private static final CheckedText CHECKED = new CheckedText("crc32c");
    private static final long MOST_BYTES = 64L << 20;
    private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");
    private static final int MOST_NAME_CHARACTERS = 255;

    private PointFile() {
    }

    static byte[] encode(BackupPoint point) {
        StringBuilder text = new StringBuilder(FIRST_LINE).append('\n');
        line(text, "taken", point.taken());
        point.files().forEach(file -> line(text, "file", file.sha256(), file.bytes(), file.name()));
        for (SavedStore store : point.stores()) {
            line(text, "store", store.storeId(), store.baseSequence(), store.baseTimeMillis(), store.sequence(), store.timeMillis(),
                    store.entries(), store.manifestSha256(), store.partition());
            store.segments().forEach(segment -> line(text, "segment", segment.number(), segment.sha256(), segment.bytes()));
        }
        return CHECKED.encode(text.toString());
    }

    private static void line(StringBuilder text, Object... words) {
        for (int i = 0; i < words.length; i++) {
            text.append(i == 0 ? "" : " ").append(words[i]);
        }
        text.append('\n');
    }

    /**
     * The point whose file this is.
     *
     * @throws StoreException of kind CORRUPT, naming the file, where it is damaged, or names what no backup would
     */
    static BackupPoint read(Path file) throws IOException {
        if (Files.size(file) > MOST_BYTES) {
            throw corrupt(file, "it has " + Files.size(file) + " bytes, expected at most " + MOST_BYTES, null);
        }
        try {
            BackupPoint point = parse(CHECKED.decode(Files.readAllBytes(file)).lines().iterator());
            if (!point.name().equals(file.getFileName().toString())) {
                throw new IllegalArgumentException("it is that of the point " + point.name());
            }
            return point;
        } catch (IllegalArgumentException | DateTimeException e) {
            throw corrupt(file, e.getMessage(), e);
        }
    }

    private static StoreException corrupt(Path file, String found, Exception cause) {
        return new StoreException(StoreException.Kind.CORRUPT, file + ": " + found, cause);
    }

    private static BackupPoint parse(Iterator<String> lines) {
        String first = lines.hasNext() ? lines.next() : "";
        if (!first.equals(FIRST_LINE)) {
            throw new IllegalArgumentException("the first line \"" + first + "\", expected \"" + FIRST_LINE + "\"");
        }
        String second = lines.hasNext() ? lines.next() : "";
        String[] taken = second.split(" ");
        if (taken.length != 2 || !taken[0].equals("taken")) {
            throw new IllegalArgumentException("\"" + second + "\", expected taken and when");
        }
        Instant when = Instant.parse(taken[1]);
        if (!when.equals(when.truncatedTo(ChronoUnit.MILLIS))) {
            throw new IllegalArgumentException("\"" + second + "\", expected whole milliseconds");
        }
        List<SavedFile> files = new ArrayList<>();
        List<SavedStore> stores = new ArrayList<>();
        List<List<SavedSegment>> segments = new ArrayList<>();
        Set<String> names = new HashSet<>();
        while (lines.hasNext()) {
            String line = lines.next();
            if (line.startsWith("file ")) {
                files.add(file(line, names));
            } else if (line.startsWith("store ")) {
                stores.add(store(line, names));
                segments.add(new ArrayList<>());
            } else if (line.startsWith("segment ") && !stores.isEmpty()) {
                segments.get(segments.size() - 1).add(segment(line));
            } else {
                throw new IllegalArgumentException("\"" + line + "\", expected file, store or segment");
            }
        }
        for (int i = 0; i < stores.size(); i++) {
            stores.set(i, stores.get(i).with(segments.get(i)));
        }
        return new BackupPoint(when, files, stores);
    }

    private static SavedFile file(String line, Set<String> names) {
        String[] words = words(line, 4);
        for (String part : words[3].split("/", -1)) {
            requireName(line, part);
        }
        requireNew(line, words[3], names);
        return new SavedFile(words[3], number(line, words[2]), sha256(line, words[1]));
    }

    private static SavedStore store(String line, Set<String> names) {
        String[] words = words(line, 9);
        requireName(line, words[8]);
        requireNew(line, "partitions/" + words[8], names);
        SavedStore store = new SavedStore(words[8], UUID.fromString(words[1]), number(line, words[2]), number(line, words[3]),
                number(line, words[4]), number(line, words[5]), number(line, words[6]), sha256(line, words[7]), List.of());
        if (store.sequence() < store.baseSequence()) {
            throw new IllegalArgumentException("\"" + line + "\", expected a sequence that is not before the segments'");
        }
        return store;
    }

    private static SavedSegment segment(String line) {
        String[] words = words(line, 4);
        return new SavedSegment(number(line, words[1]), sha256(line, words[2]), number(line, words[3]));
    }

    /** The last one may have blanks in it. */
    private static String[] words(String line, int count) {
        String[] words = line.split(" ", count);
        if (words.length < count) {
            throw new IllegalArgumentException("\"" + line + "\", expected " + count + " words");
        }
        return words;
    }

    private static long number(String line, String word) {
        long number = Long.parseLong(word);
        if (number < 0) {
            throw new IllegalArgumentException("\"" + line + "\", expected no negative number");
        }
        return number;
    }

    private static String sha256(String line, String word) {
        if (!SHA256.matcher(word).matches()) {
            throw new IllegalArgumentException("\"" + line + "\", expected a SHA-256 in 64 hexadecimal digits, found \"" + word + "\"");
        }
        return word;
    }

    /** One folder or file within another one: nothing that leads elsewhere on any system. */
    private static void requireName(String line, String name) {
        if (!isName(name)) {
            throw new IllegalArgumentException("\"" + line + "\", expected the name of a file within a data folder");
        }
    }

    /** Whether it is a name within a folder, and none that leads elsewhere. */
    static boolean isName(String name) {
        return !name.isBlank() && !name.equals(".") && !name.equals("..") && name.length() <= MOST_NAME_CHARACTERS
                && name.chars().noneMatch(c -> c < ' ' || c == '/' || c == '\\' || c == ':' || c == 0x7F || c == 0x85 || c == 0x2028
                        || c == 0x2029);
    }

    private static void requireNew(String line, String name, Set<String> names) {
        if (!names.add(name)) {
            throw new IllegalArgumentException("\"" + line + "\", expected each name once");
        }
    }
}
