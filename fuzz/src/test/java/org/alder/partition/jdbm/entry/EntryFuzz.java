package org.alder.partition.jdbm.entry;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.alder.partition.entry.AttributeCursor;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.StoreException;
import org.alder.partition.id.IdSet;
import org.alder.partition.jdbm.block.TableCorruptException;
import org.alder.partition.jdbm.block.TableSummary;
import org.alder.partition.jdbm.layer.EntryFinder;
import org.alder.partition.jdbm.layer.EntryVersionCursor;

/** Entry files that a disk has changed, with the checksums of what they have: nothing outside of them is read, or they are found to be damaged. */
public final class EntryFuzz {
    private static final Path FILE = Path.of("fuzzed.entries");
    private static final int CHECK_OFFSET = 60;
    private static final int ENTRIES_OFFSET = 16;
    private static final int GROUPS_OFFSET = 24;
    private static final int MOST_IDS = 40;

    private EntryFuzz() {
    }

    /** A file, whose header and only region get the right checks. */
    public static void file(byte[] input) {
        if (input.length < EntryFormat.HEADER_BYTES) {
            return;
        }
        ByteBuffer file = ByteBuffer.wrap(input).putInt(CHECK_OFFSET, sum(input, CHECK_OFFSET));
        TableSummary summary = new TableSummary(file.getLong(ENTRIES_OFFSET), file.getLong(GROUPS_OFFSET), input.length, input.length,
                new int[] {sum(input, input.length)});
        try (EntryFile entries = EntryFile.of(FILE, Mapping.of(input), false, null, summary)) {
            EntryFinder finder = entries.finder(IdSet.EMPTY);
            for (long id = 0; id < MOST_IDS; id++) {
                find(finder, id);
                find(entries.finder(IdSet.EMPTY), MOST_IDS - id);
            }
            EntryVersionCursor cursor = entries.entries(0);
            for (int i = 0; i < MOST_IDS && cursor.next(); i++) {
                cursor.version();
            }
        } catch (TableCorruptException e) {
            assertEquals(FILE, e.file());
        }
    }

    private static void find(EntryFinder finder, long id) {
        try {
            finder.entry(id);
        } catch (TableCorruptException e) {
            assertEquals(FILE, e.file());
        }
    }

    /** The length of a vocabulary in two bytes, the vocabulary, and an entry that is coded with it. */
    public static void coded(byte[] input) {
        if (input.length < Short.BYTES) {
            return;
        }
        int split = Math.min(input.length, Short.BYTES + (ByteBuffer.wrap(input).getShort() & 0xFFFF));
        try {
            Vocabulary vocabulary = Vocabulary.read(Arrays.copyOfRange(input, Short.BYTES, split));
            EntryRecord record = new EntryDecoder(vocabulary).decode(Arrays.copyOf(input, input.length + Word.SLACK), split, input.length);
            assertTrue(record.length() <= EntryRecord.MAX_BYTES);
            AttributeCursor attributes = record.cursor(true);
            while (attributes.next()) {
                attributes.values();
            }
        } catch (StoreException e) {
            assertEquals(e.getMessage(), StoreException.Kind.CORRUPT, e.kind());
        }
    }

    private static int sum(byte[] input, int length) {
        CRC32C crc = new CRC32C();
        crc.update(input, 0, length);
        return (int) crc.getValue();
    }
}
