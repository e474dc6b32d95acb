package org.alder.partition.jdbm.segment;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.alder.partition.entry.AttributeCursor;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.block.RegionChecksums;
import org.alder.partition.jdbm.block.TableCorruptException;
import org.alder.partition.jdbm.block.TableSummary;
import org.alder.partition.jdbm.entry.EntryFile;
import org.alder.partition.jdbm.layer.EntryVersion;
import org.alder.partition.jdbm.layer.EntryVersionCursor;
import org.alder.partition.jdbm.layer.IdSetDelta;
import org.alder.partition.jdbm.name.NameColumnCheck;
import org.alder.partition.jdbm.segment.SegmentDescriptor.IndexTable;
import org.alder.partition.jdbm.segment.SegmentDescriptor.TableFile;
import org.alder.partition.jdbm.table.KeyTableCheck;
import org.alder.partition.jdbm.table.Table;
import org.alder.partition.jdbm.table.TableVerifier;
import org.alder.partition.store.EntryIndexer.IndexSpec;

/**
 * Proves that a segment's folder is what its writer left: the descriptor, every checksum, the structure of every table, every
 * entry record and every ID set. Reads everything, changes nothing. Whether the indexes agree with the entries is not its
 * business: that takes all segments of a store and is checked above the engine.
 */
public final class SegmentChecker {
    /** A file with more problems than this is not searched further. */
    private static final int MAX_PROBLEMS_PER_FILE = 20;
    private static final HexFormat HEX = HexFormat.of();

    private final Path folder;
    private final List<Problem> problems = new ArrayList<>();

    /**
     * One thing that is wrong.
     *
     * @param offset byte offset in the file, -1 where it is not known
     * @param key    the key in hexadecimal digits, or null where the problem is not one of a key
     */
    public record Problem(Path file, long offset, String key, String message) {
        /** Whether the file is an index that can be built again from the entries and the value table. */
        public boolean isOfIndex() {
            String name = file.getFileName().toString();
            return !name.equals(SegmentDescriptor.ENTRIES_FILE) && !name.equals(SegmentDescriptor.MASTER_TABLE_FILE) && !name.equals(SegmentDescriptor.FILE_NAME)
                    && !name.equals(SegmentDescriptor.VALUES_FILE);
        }

        @Override
        public String toString() {
            return file + (offset < 0 ? "" : " at offset " + offset) + (key == null ? "" : ", key " + key) + ": " + message;
        }
    }

    private SegmentChecker(Path folder) {
        this.folder = folder;
    }

    /**
     * Checks one segment.
     *
     * @return what is wrong, empty if nothing is
     * @throws StoreException of kind IO where a file cannot be read
     */
    public static List<Problem> check(Path folder) {
        SegmentChecker checker = new SegmentChecker(folder);
        try {
            checker.checkFolder();
        } catch (IOException e) {
            throw new StoreException(StoreException.Kind.IO, "cannot check segment " + folder + ": " + e, e);
        }
        return List.copyOf(checker.problems);
    }

    private void checkFolder() throws IOException {
        SegmentDescriptor descriptor;
        try {
            descriptor = DescriptorFile.read(folder);
        } catch (StoreException e) {
            report(folder.resolve(SegmentDescriptor.FILE_NAME), -1, null, e.getMessage());
            return;
        }
        checkNames(descriptor);
        KeyTableCheck masterKeys = keyTable(SegmentDescriptor.MASTER_KEYS_FILE, descriptor.masterKeys());
        NameColumnCheck names = names(descriptor.names());
        if (isSound(descriptor.entriesFile(), descriptor.master())) {
            EntryCounts counts = new EntryCounts(names);
            boolean whole = descriptor.isWithTable() ? checkTable(descriptor, masterKeys, counts) : checkEntries(descriptor, counts);
            checkCounts(descriptor, counts, whole);
        }
        for (IndexTable index : descriptor.indexes()) {
            KeyTableCheck keys = keyTable(index.keyTableName(), index.keys());
            if (isSound(index.fileName(), index.table())) {
                checkIndex(index, keys);
            }
        }
    }

    private void checkNames(SegmentDescriptor descriptor) throws IOException {
        Set<String> expected = new HashSet<>(descriptor.files().stream().map(TableFile::fileName).toList());
        expected.add(SegmentDescriptor.FILE_NAME);
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                if (!expected.contains(file.getFileName().toString())) {
                    report(file, -1, null, "the segment's descriptor does not name this file");
                }
            }
        }
    }

    /** Whether the bytes of a file are those that were written: only then it makes sense to look into it. */
    private boolean isSound(String fileName, TableSummary expected) throws IOException {
        Path file = folder.resolve(fileName);
        if (!Files.isRegularFile(file)) {
            report(file, -1, null, "the file is missing, the segment's descriptor names it");
            return false;
        }
        if (Files.size(file) != expected.fileBytes()) {
            report(file, -1, null, "the file has " + Files.size(file) + " bytes, the segment's descriptor says "
                    + expected.fileBytes());
            return false;
        }
        int before = problems.size();
        try (RegionChecksums checksums = new RegionChecksums(file, expected)) {
            for (int region = 0; region < checksums.regionCount(); region++) {
                String mismatch = checksums.mismatch(region);
                if (mismatch != null) {
                    report(file, checksums.offset(region), null, mismatch);
                }
            }
        }
        return problems.size() == before;
    }

    /** Returns whether it got to the end. */
    private boolean checkTable(SegmentDescriptor descriptor, KeyTableCheck keys, EntryCounts counts) throws IOException {
        return walk(folder.resolve(descriptor.entriesFile()), descriptor.master(), TableVerifier.NestedTreeFinder.NONE, keys, (key, value, table) -> {
            if (MasterKeys.isPart(key)) {
                counts.requireEntryOf(key);
                return;
            }
            long id = MasterKeys.id(key);
            byte[] record = MasterKeys.isParted(value, 0, value.length) ? MasterKeys.assemble(id, value, table::get) : value;
            EntryVersion version = MasterKeys.version(record, 0, record.length);
            counts.add(id, version);
            counts.partsLeft = MasterKeys.furtherParts(version);
        });
    }

    private boolean checkEntries(SegmentDescriptor descriptor, EntryCounts counts) throws IOException {
        Path file = folder.resolve(descriptor.entriesFile());
        int before = problems.size();
        try (EntryFile entries = EntryFile.open(file, descriptor.master())) {
            EntryVersionCursor cursor = entries.entries(0);
            while (problems.size() < before + MAX_PROBLEMS_PER_FILE && cursor.next()) {
                checkEntry(file, entries, cursor, counts);
            }
        } catch (TableCorruptException e) {
            report(file, e.offset(), null, e.getMessage());
        }
        return problems.size() == before;
    }

    private void checkEntry(Path file, EntryFile entries, EntryVersionCursor cursor, EntryCounts counts) {
        long id = cursor.id();
        try {
            EntryVersion version = cursor.version();
            counts.add(id, version);
            if (!version.equals(entries.entry(id))) {
                report(file, -1, null, "entry " + id + " is not found by its ID");
            }
        } catch (TableCorruptException e) {
            report(file, e.offset(), null, e.getMessage());
        } catch (StoreException e) {
            report(file, -1, null, "entry " + id + ": " + e.getMessage());
        }
    }

    private void checkCounts(SegmentDescriptor descriptor, EntryCounts counts, boolean whole) {
        TableCorruptException problem = counts.names == null ? null : counts.names.problem();
        if (whole && problem != null) {
            report(problem.file(), problem.offset(), null, problem.getMessage());
        }
        String expected = EntryCounts.describe(descriptor);
        if (whole && !counts.describe().equals(expected)) {
            report(folder.resolve(descriptor.entriesFile()), -1, null, "found " + counts.describe() + ", the segment's descriptor says " + expected);
        }
    }

    private static void decodeAll(EntryRecord record) {
        AttributeCursor attributes = record.cursor(true);
        while (attributes.next()) {
            attributes.values();
        }
    }

    private void checkIndex(IndexTable index, KeyTableCheck keys) throws IOException {
        walk(folder.resolve(index.fileName()), index.table(),
                (key, value, recordIds) -> nestedTrees(value).forEach(recordIds::accept), keys,
                (key, value, table) -> checkIdSet(index.spec(), value, table));
    }

    /**
     * What to hold a key table against its table with; null where there is none, or its bytes are not those that were written.
     *
     * @param expected null where the table has no key table
     */
    private KeyTableCheck keyTable(String name, TableSummary expected) throws IOException {
        return expected != null && isSound(name, expected) ? new KeyTableCheck(folder.resolve(name), expected) : null;
    }

    /** The same for the names of the entries. */
    private NameColumnCheck names(TableSummary expected) throws IOException {
        return expected != null && isSound(SegmentDescriptor.NAMES_FILE, expected)
                ? new NameColumnCheck(folder.resolve(SegmentDescriptor.NAMES_FILE), expected) : null;
    }

    private static List<Long> nestedTrees(byte[] value) {
        List<Long> trees = new ArrayList<>();
        try {
            IdSetCodec.findNestedTrees(value, trees::add);
        } catch (StoreException e) {
            // The check of the pair finds the same, and can name the key.
            trees.clear();
        }
        return trees;
    }

    private static void checkIdSet(IndexSpec spec, byte[] value, Table table) {
        String misplaced = IdSetCodec.head(value).misplaced(spec.duplicateThreshold());
        if (misplaced != null) {
            throw corrupt("the " + misplaced + " is stored the wrong way for the threshold " + spec.duplicateThreshold());
        }
        IdSetDelta delta = IdSetCodec.decode(value, table);
        if (delta.isEmpty()) {
            throw corrupt("an ID set that changes nothing");
        }
        if (!delta.added().and(delta.removed()).isEmpty()) {
            throw corrupt("IDs both added and removed: " + delta.added().and(delta.removed()));
        }
        requireAscending(delta.added().bitmap().toArray());
        requireAscending(delta.removed().bitmap().toArray());
    }

    /** A bitmap is decoded without looking into its containers, so their order is looked at here. */
    private static void requireAscending(int[] ids) {
        for (int i = 1; i < ids.length; i++) {
            if (Integer.compareUnsigned(ids[i - 1], ids[i]) >= 0) {
                throw corrupt("the ID " + Integer.toUnsignedLong(ids[i]) + " follows " + Integer.toUnsignedLong(ids[i - 1]));
            }
        }
    }

    private static StoreException corrupt(String found) {
        return new StoreException(StoreException.Kind.CORRUPT, found);
    }

    /** Looks at one pair; throws a StoreException where it is wrong. */
    private interface PairCheck {
        void check(byte[] key, byte[] value, Table table);
    }

    /**
     * Verifies a table, each of its pairs on the way, and its key table; no key table can be right for a damaged table, which is
     * reported itself. Returns whether it got to the end.
     *
     * @param keys null for none
     */
    private boolean walk(Path file, TableSummary expected, TableVerifier.NestedTreeFinder nestedTrees, KeyTableCheck keys,
            PairCheck check) throws IOException {
        int before = problems.size();
        try {
            boolean whole = TableVerifier.verifyStructure(file, expected, nestedTrees, keys, (key, value, table) -> {
                check(file, key, value, table, check);
                return problems.size() < before + MAX_PROBLEMS_PER_FILE;
            });
            if (keys != null && keys.problem() != null && problems.size() == before) {
                report(keys.problem().file(), keys.problem().offset(), null, keys.problem().getMessage());
            }
            return whole;
        } catch (TableCorruptException e) {
            report(file, e.offset(), null, e.getMessage());
            return false;
        }
    }

    private void check(Path file, byte[] key, byte[] value, Table table, PairCheck check) {
        try {
            check.check(key, value, table);
        } catch (TableCorruptException e) {
            throw e;
        } catch (StoreException e) {
            report(file, -1, HEX.formatHex(key), e.getMessage());
        }
    }

    private void report(Path file, long offset, String key, String message) {
        problems.add(new Problem(file, offset, key, message));
    }

    /** The entries of a segment, each of which is decoded and held against its name. */
    private static final class EntryCounts {
        /** Null where there are none to hold them against. */
        private final NameColumnCheck names;
        private long entries;
        private long tombstones;
        private long minId;
        private long maxId;
        /** Of a record in a table. */
        private int partsLeft;

        EntryCounts(NameColumnCheck names) {
            this.names = names;
        }

        void add(long id, EntryVersion version) {
            if (names != null) {
                names.entry(id, version.record());
            }
            minId = minId == 0 ? id : minId;
            maxId = id;
            if (version.isDeleted()) {
                tombstones++;
            } else {
                entries++;
                decodeAll(version.record());
            }
        }

        /** A part may only follow its entry, and only as many as the entry has. */
        void requireEntryOf(byte[] partKey) {
            if (MasterKeys.idOfPart(partKey) != maxId || partsLeft-- == 0) {
                throw corrupt("a part of a record that has no such part");
            }
        }

        String describe() {
            return describe(entries, tombstones, minId, maxId);
        }

        static String describe(SegmentDescriptor descriptor) {
            return describe(descriptor.entries(), descriptor.tombstones(), descriptor.minId(), descriptor.maxId());
        }

        private static String describe(long entries, long tombstones, long minId, long maxId) {
            return entries + " entries, " + tombstones + " tombstones, IDs " + minId + " to " + maxId;
        }
    }
}
