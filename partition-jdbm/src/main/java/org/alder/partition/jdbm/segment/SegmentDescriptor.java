package org.alder.partition.jdbm.segment;

import java.util.ArrayList;
import java.util.List;
import org.alder.partition.jdbm.block.TableSummary;
import org.alder.partition.jdbm.entry.EntryFile;
import org.alder.partition.jdbm.key.KeyTableWriter;
import org.alder.partition.jdbm.name.NameColumn;
import org.alder.partition.jdbm.table.TableWriter;
import org.alder.partition.store.EntryIndexer.IndexSpec;
import org.alder.partition.store.ValueKeys;

/**
 * What a segment says of itself, as its file {@code segment.descriptor} holds it ({@link DescriptorFile}). Immutable.
 *
 * @param version    of the segment's format
 * @param sequences  the commits whose changes the segment holds
 * @param entries    entries with a record
 * @param tombstones entries that the segment deletes
 * @param minId      the least ID of its entries, 0 if there are none
 * @param maxId      the greatest ID of its entries, 0 if there are none
 * @param master     the file of its entries
 * @param masterKeys the key table of its entries in version {@link #WITH_TABLE}, null where it has none
 * @param names      the names of its entries, null where it has none
 * @param indexes    the index tables, in the order of the numbers that their indexes had
 */
public record SegmentDescriptor(int version, SequenceRange sequences, long entries, long tombstones, long minId, long maxId,
        TableSummary master, TableSummary masterKeys, TableSummary names, List<IndexTable> indexes) {
    /** The descriptor's own file in the segment's folder. */
    public static final String FILE_NAME = "segment.descriptor";
    /** The version that is written. */
    public static final int VERSION = 4;
    /** One whose entries are in a table, the master table, and whose names are in no column. */
    public static final int WITH_TABLE = 3;
    /** The file of its entries in the segment's folder. */
    public static final String ENTRIES_FILE = "master" + EntryFile.FILE_SUFFIX;
    /** The same in version {@link #WITH_TABLE}. */
    static final String MASTER_TABLE_FILE = "master" + TableWriter.FILE_SUFFIX;
    /** The master table's key table in version {@link #WITH_TABLE}. */
    static final String MASTER_KEYS_FILE = "master" + KeyTableWriter.FILE_SUFFIX;
    /** The file of the names of its entries in the segment's folder. */
    public static final String NAMES_FILE = "master" + NameColumn.FILE_SUFFIX;

    /** The value table's file in the segment's folder. */
    static final String VALUES_FILE = "index-" + ValueKeys.NAME + TableWriter.FILE_SUFFIX;

    private static final String INDEX_PREFIX = "index-";

    /**
     * One index of a segment: what it was built as, and its files.
     *
     * @param keys the key table's file; null where it has none
     */
    public record IndexTable(IndexSpec spec, TableSummary table, TableSummary keys) {
        public String fileName() {
            return SegmentDescriptor.fileName(spec);
        }

        /** The bytes of its files. */
        public long diskBytes() {
            return table.fileBytes() + (keys == null ? 0 : keys.fileBytes());
        }

        public String keyTableName() {
            return SegmentDescriptor.keyTableName(spec);
        }

        private void addFiles(List<TableFile> files) {
            files.add(new TableFile(fileName(), table));
            if (keys != null) {
                files.add(new TableFile(keyTableName(), keys));
            }
        }
    }

    /** One file of a segment, with the checksums of its regions. */
    public record TableFile(String fileName, TableSummary summary) {
    }

    public SegmentDescriptor {
        indexes = List.copyOf(indexes);
    }

    static String fileName(IndexSpec spec) {
        return INDEX_PREFIX + spec.name() + TableWriter.FILE_SUFFIX;
    }

    static String keyTableName(IndexSpec spec) {
        return INDEX_PREFIX + spec.name() + KeyTableWriter.FILE_SUFFIX;
    }

    /** The names of the index tables, in their order. */
    public List<String> indexNames() {
        return indexes.stream().map(index -> index.spec().name()).toList();
    }

    /** The index table of this name; null where there is none. */
    IndexTable index(String name) {
        return indexes.stream().filter(index -> index.spec().name().equals(name)).findFirst().orElse(null);
    }

    /** Whether the segment has the values of large attributes. */
    public boolean hasValueTable() {
        return indexes.size() > ValueKeys.INDEX && indexes.get(ValueKeys.INDEX).spec().name().equals(ValueKeys.NAME);
    }

    /** The name of the file of its entries. */
    public String entriesFile() {
        return isWithTable() ? MASTER_TABLE_FILE : ENTRIES_FILE;
    }

    /** Whether its entries are in a master table. */
    boolean isWithTable() {
        return version == WITH_TABLE;
    }

    /** All files but the descriptor's own. */
    public List<TableFile> files() {
        List<TableFile> files = new ArrayList<>();
        files.add(new TableFile(entriesFile(), master));
        if (masterKeys != null) {
            files.add(new TableFile(MASTER_KEYS_FILE, masterKeys));
        }
        if (names != null) {
            files.add(new TableFile(NAMES_FILE, names));
        }
        indexes.forEach(index -> index.addFiles(files));
        return files;
    }

    /** The bytes of {@link #files()}. */
    public long diskBytes() {
        return files().stream().mapToLong(file -> file.summary().fileBytes()).sum();
    }
}
