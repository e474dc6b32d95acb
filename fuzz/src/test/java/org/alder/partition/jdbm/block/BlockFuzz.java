package org.alder.partition.jdbm.block;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

/** Blocks of a table: all their pairs can be read, or they are refused. */
public final class BlockFuzz {
    private static final BlockDecompressor DECOMPRESSOR = new BlockDecompressor(new byte[0]);

    private BlockFuzz() {
    }

    /** A block without compression. */
    public static void block(byte[] input) {
        TableBlock block;
        try {
            block = TableBlock.decode(input);
        } catch (IllegalArgumentException e) {
            assertTrue(e.getMessage(), e.getMessage().startsWith("malformed block: "));
            return;
        }
        read(block);
    }

    /** A block's record as it is in the file, behind its check. */
    public static void record(byte[] input) {
        TableBlock block;
        try {
            block = DECOMPRESSOR.toBlock(input);
        } catch (IllegalArgumentException e) {
            assertTrue("no message", !e.getMessage().isEmpty());
            return;
        }
        read(block);
    }

    private static void read(TableBlock block) {
        boolean ordered = true;
        try {
            block.requireOrder();
        } catch (IllegalArgumentException e) {
            ordered = false;
        }
        for (int pair = 0; pair < block.count(); pair++) {
            byte[] key = block.key(pair);
            assertTrue(block.hasKey(pair, key));
            assertEquals(block.valueLength(pair), block.value(pair).length);
            int found = block.find(key);
            assertTrue("key " + pair + " is found at " + found, !ordered || found == pair);
        }
        assertArrayEquals(block.lastKey(), block.key(block.count() - 1));
    }
}
