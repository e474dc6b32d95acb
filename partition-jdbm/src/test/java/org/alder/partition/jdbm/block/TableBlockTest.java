package org.alder.partition.jdbm.block;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.alder.partition.testing.Seed;
import org.junit.Test;

/** The packed form of pairs, sound and malformed; malformed blocks here have no checksum that would have found them. */
public class TableBlockTest {

    private final Random random = Seed.random(TableBlockTest.class);

    private static byte[] build(String... keysAndValues) {
        BlockBuilder builder = new BlockBuilder();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            builder.add(keysAndValues[i].getBytes(StandardCharsets.UTF_8), keysAndValues[i + 1].getBytes(StandardCharsets.UTF_8));
        }
        return builder.build();
    }

    @Test
    public void workedExampleOfTheFormatDocument() {
        byte[] block = build("user.1", "A", "user.12", "", "user.2", "BC");
        assertEquals("00000003" + "0005" + "02" + "00" + "0003" + "0006" + "000a" + "757365722e" + "013141" + "023132"
            + "01324243", HexFormat.of().formatHex(block));
        TableBlock decoded = TableBlock.decode(block);
        assertEquals(3, decoded.count());
        assertArrayEquals("user.12".getBytes(StandardCharsets.UTF_8), decoded.key(1));
        assertEquals(0, decoded.value(1).length);
        assertEquals(1, decoded.find("user.12".getBytes(StandardCharsets.UTF_8)));
        assertEquals(-3, decoded.find("user.13".getBytes(StandardCharsets.UTF_8)));
        assertEquals(-1, decoded.find("user".getBytes(StandardCharsets.UTF_8)));
        assertEquals(-4, decoded.find("v".getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    public void everyTruncationIsRefused() {
        byte[] block = build("user.1", "A", "user.12", "", "user.2", "BC");
        for (int length = 0; length < block.length; length++) {
            byte[] cut = Arrays.copyOf(block, length);
            assertThrows("cut to " + length, IllegalArgumentException.class, () -> TableBlock.decode(cut));
        }
        assertThrows(IllegalArgumentException.class, () -> TableBlock.decode(Arrays.copyOf(block, block.length + 1)));
    }

    @Test
    public void keysOutOfOrderAndEmptyKeysAreRefused() {
        for (byte[] bad : new byte[][] {build("b", "1", "a", "2"), build("a", "1", "a", "2"),
            build("a", "1", "c", "2", "b", "3", "d", "4")}) {
            assertThrows(IllegalArgumentException.class, () -> TableBlock.decode(bad).requireOrder());
        }
        assertThrows(IllegalArgumentException.class, () -> TableBlock.decode(build("", "x")));
    }

    @Test
    public void numbersAreFoundWithAndWithoutGaps() {
        for (int round = 0; round < 2_000; round++) {
            TreeSet<Integer> numbers = new TreeSet<>();
            int first = random.nextInt();
            int widestGap = 1 << random.nextInt(24);
            for (int i = 1 + random.nextInt(30); i > 0; i--) {
                numbers.add(first);
                first += 1 + random.nextInt(widestGap);
            }
            List<byte[]> keys = numbers.stream().map(TableBlockTest::numberKey).sorted(Arrays::compareUnsigned).toList();
            BlockBuilder builder = new BlockBuilder();
            keys.forEach(key -> builder.add(key, key));
            TableBlock block = TableBlock.decode(builder.build());
            for (int number : numbers) {
                for (int near = number - 1; near <= number + 1; near++) {
                    byte[] key = numberKey(near);
                    int below = (int) keys.stream().filter(other -> Arrays.compareUnsigned(other, key) < 0).count();
                    assertEquals(numbers.contains(near) ? below : -1 - below, block.find(key));
                }
            }
        }
    }

    private static byte[] numberKey(int number) {
        return ByteBuffer.allocate(Long.BYTES).putInt(4, number).array();
    }

    @Test
    public void damagedBlocksAreRefusedOrReadWithinBounds() {
        int refused = 0;
        for (int round = 0; round < 20_000; round++) {
            byte[] block = build("user.1", "A", "user.12", "", "user.2", "BC", "user.200", "x".repeat(200));
            for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
                block[random.nextInt(block.length)] = (byte) random.nextInt(256);
            }
            try {
                TableBlock decoded = TableBlock.decode(block);
                decoded.requireOrder();
                for (int pair = 0; pair < decoded.count(); pair++) {
                    assertEquals(pair, decoded.find(decoded.key(pair)));
                    assertTrue(decoded.value(pair).length <= block.length);
                }
            } catch (IllegalArgumentException e) {
                refused++;
            }
        }
        assertTrue("refused " + refused, refused > 1000);
    }

    @Test
    public void recordsOfEveryCodecRefuseWrongLengthsAndGarbage() {
        byte[] block = build("user.1", "A".repeat(500), "user.2", "B".repeat(500));
        for (BlockCodec codec : BlockCodec.values()) {
            BlockDecompressor decompressor = new BlockDecompressor(new byte[0]);
            byte[] record;
            try (BlockCompressor compressor = new BlockCompressor(TableSettings.index().withCodec(codec), new byte[0])) {
                record = compressor.toRecord(block);
            }
            assertEquals(codec.id(), record[0]);
            assertEquals(2, decompressor.toBlock(record).count());
            for (int length : new int[] {0, -1, 1, block.length - 1, block.length + 1, Integer.MAX_VALUE}) {
                byte[] wrong = record.clone();
                BigEndian.putInt(wrong, 1, length);
                assertThrows(codec + " " + length, IllegalArgumentException.class, () -> decompressor.toBlock(wrong));
            }
            for (int length = 0; length < record.length; length++) {
                byte[] cut = Arrays.copyOf(record, length);
                assertThrows(IllegalArgumentException.class, () -> decompressor.toBlock(cut));
            }
            byte[] unknown = record.clone();
            unknown[0] = 3;
            assertThrows(IllegalArgumentException.class, () -> decompressor.toBlock(unknown));
        }
    }
}
