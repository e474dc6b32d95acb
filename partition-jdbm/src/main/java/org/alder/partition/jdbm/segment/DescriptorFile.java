package org.alder.partition.jdbm.segment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.alder.partition.error.StoreException;
import org.alder.partition.file.CheckedText;
import org.alder.partition.jdbm.block.TableSummary;
import org.alder.partition.jdbm.disk.Disk;
import org.alder.partition.jdbm.disk.DiskFile;
import org.alder.partition.jdbm.segment.SegmentDescriptor.IndexTable;
import org.alder.partition.store.EntryIndexer.IndexSpec;

/**
 * Reads and writes {@code segment.descriptor}. Stateless, thread safe.
 *
 * <p>Format, version 4 (docs/format/segment.md; do not change without a new version): UTF-8 lines, each ended by a line feed,
 * words separated by one space.
 * <pre>
 *   alder-segment 4
 *   sequences FIRST LAST
 *   entries COUNT
 *   tombstones COUNT
 *   ids MIN MAX
 *   master TABLE                      the entries; in version 3 a table, behind which stands its line of keys
 *   index NAME THRESHOLD TABLE        once per index, in the order of their numbers
 *   keys TABLE                        after the line of a table that has a key table
 *   names TABLE                       after the line before: the names of its entries; not in version 3
 *   crc32c SUM                        of all bytes before this line; eight hexadecimal digits
 *
 *   TABLE = PAIRS BLOCKS FILE-BYTES REGION-BYTES SUM...    one CRC32C per region of the file
 * </pre>
 */
public final class DescriptorFile {
    private static final String MAGIC = "alder-segment";
    private static final CheckedText CHECKED = new CheckedText("crc32c");
    /** One line of checksums takes 9 bytes a MiB of table: this is enough for segments of several TiB. */
    private static final long MAX_BYTES = 64L << 20;

    private DescriptorFile() {
    }

    /** Writes and syncs the descriptor; the caller syncs the folder. */
    static void write(Disk disk, Path folder, SegmentDescriptor descriptor) throws IOException {
        byte[] content = CHECKED.encode(text(descriptor));
        try (DiskFile file = disk.create(folder.resolve(SegmentDescriptor.FILE_NAME))) {
            file.write(ByteBuffer.wrap(content), 0);
            file.sync();
        }
    }

    private static String text(SegmentDescriptor descriptor) {
        StringBuilder text = new StringBuilder(1024);
        line(text, MAGIC, descriptor.version());
        line(text, "sequences", descriptor.sequences().first(), descriptor.sequences().last());
        line(text, "entries", descriptor.entries());
        line(text, "tombstones", descriptor.tombstones());
        line(text, "ids", descriptor.minId(), descriptor.maxId());
        line(text, "master", table(descriptor.master()));
        keysLine(text, descriptor.masterKeys());
        if (descriptor.names() != null) {
            line(text, "names", table(descriptor.names()));
        }
        for (IndexTable index : descriptor.indexes()) {
            line(text, "index", index.spec().name(), index.spec().duplicateThreshold(), table(index.table()));
            keysLine(text, index.keys());
        }
        return text.toString();
    }

    private static void keysLine(StringBuilder text, TableSummary keys) {
        if (keys != null) {
            line(text, "keys", table(keys));
        }
    }

    private static void line(StringBuilder text, Object... words) {
        for (int i = 0; i < words.length; i++) {
            text.append(i == 0 ? "" : " ").append(words[i]);
        }
        text.append('\n');
    }

    private static String table(TableSummary table) {
        StringBuilder text = new StringBuilder();
        text.append(table.pairCount()).append(' ').append(table.blockCount()).append(' ')
                .append(table.fileBytes()).append(' ').append(table.regionBytes());
        for (int sum : table.regionCrc32c()) {
            text.append(' ').append(hex(sum));
        }
        return text.toString();
    }

    private static String hex(int sum) {
        return HexFormat.of().toHexDigits(sum);
    }

    /**
     * Reads the descriptor of the segment in a folder.
     *
     * @throws StoreException CORRUPT where it is missing, damaged or of another version; IO where it cannot be read
     */
    public static SegmentDescriptor read(Path folder) {
        Path file = folder.resolve(SegmentDescriptor.FILE_NAME);
        return decode(file, bytes(file));
    }

    /**
     * The descriptor that these bytes of a file are, wherever they come from: the names of its files are file names.
     *
     * @throws StoreException of kind CORRUPT, naming the file
     */
    public static SegmentDescriptor decode(Path file, byte[] bytes) {
        try {
            return new Parser(file, CHECKED.decode(bytes)).parse();
        } catch (IllegalArgumentException e) {
            throw corrupt(file, bytes.length, e.getMessage(), e);
        }
    }

    private static byte[] bytes(Path file) {
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw corrupt(file, 0, "a descriptor of " + Files.size(file) + " bytes, expected at most " + MAX_BYTES, null);
            }
            return Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            throw corrupt(file, 0, "the file is missing, so the folder is no whole segment", e);
        } catch (IOException e) {
            throw new StoreException(StoreException.Kind.IO, "cannot read " + file + ": " + e, e);
        }
    }

    private static StoreException corrupt(Path file, int offset, String found, Throwable cause) {
        return new StoreException(StoreException.Kind.CORRUPT, file + " at offset " + offset + ": " + found, cause);
    }

    /** Takes the body apart, line by line. One thread. */
    private static final class Parser {
        private final Path file;
        private final String[] lines;
        private int number;

        Parser(Path file, String body) {
            this.file = file;
            this.lines = body.split("\n");
        }

        SegmentDescriptor parse() {
            try {
                return descriptor();
            } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
                throw corrupt(file, 0, "line " + number + " is malformed: " + e.getMessage(), e);
            }
        }

        private SegmentDescriptor descriptor() {
            int version = Integer.parseInt(words(MAGIC)[1]);
            if (version < SegmentDescriptor.WITH_TABLE || version > SegmentDescriptor.VERSION) {
                throw new IllegalArgumentException("format version " + version + ", this program reads versions "
                        + SegmentDescriptor.WITH_TABLE + " to " + SegmentDescriptor.VERSION);
            }
            boolean withTable = version == SegmentDescriptor.WITH_TABLE;
            String[] sequences = words("sequences");
            long entries = Long.parseLong(words("entries")[1]);
            long tombstones = Long.parseLong(words("tombstones")[1]);
            String[] ids = words("ids");
            TableSummary master = table(words("master"), 1);
            TableSummary masterKeys = withTable ? keys() : null;
            TableSummary names = withTable ? null : optional("names");
            List<IndexTable> indexes = new ArrayList<>();
            while (number < lines.length) {
                String[] index = words("index");
                TableSummary keys = keys();
                indexes.add(new IndexTable(new IndexSpec(index[1], Integer.parseInt(index[2]), keys != null), table(index, 3),
                        keys));
            }
            SegmentIndexes.require(indexes.stream().map(IndexTable::spec).toList());
            return new SegmentDescriptor(version, new SequenceRange(Long.parseLong(sequences[1]), Long.parseLong(sequences[2])), entries,
                    tombstones, Long.parseLong(ids[1]), Long.parseLong(ids[2]), master, masterKeys, names,
                    indexes);
        }

        /** Null where the table before has no key table. */
        private TableSummary keys() {
            return optional("keys");
        }

        private TableSummary optional(String first) {
            return number < lines.length && lines[number].startsWith(first + " ") ? table(words(first), 1) : null;
        }

        private String[] words(String first) {
            String[] words = lines[number++].split(" ");
            if (!words[0].equals(first)) {
                throw new IllegalArgumentException("it starts with \"" + words[0] + "\", expected \"" + first + "\"");
            }
            return words;
        }

        private static TableSummary table(String[] words, int from) {
            long fileBytes = Long.parseLong(words[from + 2]);
            int regionBytes = Integer.parseInt(words[from + 3]);
            int[] sums = new int[words.length - from - 4];
            if (fileBytes <= 0 || regionBytes <= 0 || (fileBytes + regionBytes - 1) / regionBytes != sums.length) {
                throw new IllegalArgumentException(String.format(Locale.ROOT, "%d checksums for %d bytes in regions of %d",
                        sums.length, fileBytes, regionBytes));
            }
            for (int i = 0; i < sums.length; i++) {
                sums[i] = HexFormat.fromHexDigits(words[from + 4 + i]);
            }
            return new TableSummary(Long.parseLong(words[from]), Long.parseLong(words[from + 1]), fileBytes, regionBytes, sums);
        }
    }
}
