package org.alder.partition.jdbm.name;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import org.alder.partition.entry.StoredName;
import org.alder.partition.jdbm.block.TableCorruptException;
import org.alder.partition.jdbm.block.TableSummary;

/** Name columns that a disk has changed, with the checksums of what they have: nothing outside of them is read, or they are found to be damaged. */
public final class NameColumnFuzz {
    private static final Path FILE = Path.of("fuzzed.names");
    private static final int CHECK_OFFSET = 40;
    private static final int NAMES_OFFSET = 16;
    private static final int GROUPS_OFFSET = 24;
    private static final int MOST_IDS = 40;

    private NameColumnFuzz() {
    }

    /** A file, whose header and only region get the right checks. */
    public static void file(byte[] input) {
        if (input.length < NameFormat.HEADER_BYTES) {
            return;
        }
        ByteBuffer file = ByteBuffer.wrap(input).putInt(CHECK_OFFSET, sum(input, CHECK_OFFSET)).asReadOnlyBuffer();
        TableSummary summary = new TableSummary(file.getLong(NAMES_OFFSET), file.getInt(GROUPS_OFFSET), input.length, input.length,
                new int[] {sum(input, input.length)});
        try {
            NameColumn column = NameColumn.of(FILE, file, summary);
            NameReader reader = column.reader();
            for (long id = 0; id < MOST_IDS; id++) {
                read(reader, id);
                read(column.reader(), MOST_IDS - id);
            }
        } catch (TableCorruptException e) {
            assertEquals(FILE, e.file());
        }
    }

    private static void read(NameReader reader, long id) {
        try {
            StoredName name = reader.name(id);
            assertTrue("a name of " + (name == null ? 0 : name.rdnLength()) + " bytes", name == null || name.rdnLength() <= NameFormat.MAX_NAME_BYTES);
        } catch (TableCorruptException e) {
            assertEquals(FILE, e.file());
        }
    }

    private static int sum(byte[] input, int length) {
        CRC32C crc = new CRC32C();
        crc.update(input, 0, length);
        return (int) crc.getValue();
    }
}
