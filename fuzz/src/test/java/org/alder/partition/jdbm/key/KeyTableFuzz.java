package org.alder.partition.jdbm.key;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.alder.partition.jdbm.block.TableCorruptException;

/** Key tables that a disk has changed: nothing outside of them is read, or they are found to be damaged. */
public final class KeyTableFuzz {
    private static final Path FILE = Path.of("fuzzed.keys");
    private static final int CHECK_OFFSET = 40;
    private static final int KEYS_OFFSET = 24;
    private static final int BLOCKS_OFFSET = 36;
    private static final int MOST_KEYS = 32;

    private KeyTableFuzz() {
    }

    /** A file, whose header gets the right check, of a table that has as many keys and blocks as it says. */
    public static void file(byte[] input) {
        if (input.length < KeyTableFormat.HEADER_BYTES) {
            return;
        }
        CRC32C crc = new CRC32C();
        crc.update(input, 0, CHECK_OFFSET);
        ByteBuffer file = ByteBuffer.wrap(input).putInt(CHECK_OFFSET, (int) crc.getValue()).asReadOnlyBuffer();
        try {
            KeyTable table = KeyTable.of(FILE, file, file.getLong(KEYS_OFFSET), file.getInt(BLOCKS_OFFSET));
            for (int i = 0; i < MOST_KEYS; i++) {
                lookUp(table, Arrays.copyOf(input, i));
            }
        } catch (TableCorruptException e) {
            assertEquals(FILE, e.file());
        }
    }

    private static void lookUp(KeyTable table, byte[] key) {
        try {
            Object found = table.find(key, (recordId, pair, wanted) -> {
                assertTrue("pair " + pair, pair >= 0);
                return null;
            }, (block, pair) -> block);
            assertEquals("what no block has", null, found);
            table.leadsTo(key, 0, 0, 0);
        } catch (TableCorruptException e) {
            assertEquals(FILE, e.file());
        }
    }
}
