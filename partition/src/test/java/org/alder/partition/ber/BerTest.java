package org.alder.partition.ber;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.Arrays;
import java.util.Random;
import org.alder.partition.testing.Seed;
import org.junit.Test;

public class BerTest {
    private static final int[] LENGTHS = {0, 1, 127, 128, 255, 256, 65_535, 65_536, 70_000};

    @Test
    public void integersRoundTripInTheFewestBytes() throws BerException {
        long[] values = {0, 1, -1, 127, 128, -128, -129, 255, 256, 32_767, 32_768, Integer.MAX_VALUE, Integer.MIN_VALUE};
        int[] lengths = {1, 1, 1, 1, 2, 1, 2, 2, 2, 2, 3, 4, 4};
        for (int i = 0; i < values.length; i++) {
            BerWriter writer = new BerWriter(1);
            writer.integer(BerWriter.INTEGER, values[i]);
            assertEquals("bytes of " + values[i], lengths[i] + 2, writer.size());
            assertEquals(values[i], new BerReader(writer.toByteArray()).readInt(BerWriter.INTEGER));
        }
    }

    @Test
    public void nestedElementsOfEveryLengthFormRoundTrip() throws BerException {
        for (int length : LENGTHS) {
            byte[] content = new byte[length];
            new Random(length).nextBytes(content);
            BerWriter writer = new BerWriter(8);
            int outer = writer.begin(BerWriter.SEQUENCE);
            int inner = writer.begin(BerWriter.SET);
            writer.octets(BerWriter.OCTET_STRING, content);
            writer.end(inner);
            writer.bool(BerWriter.BOOLEAN, true);
            writer.end(outer);

            BerReader reader = new BerReader(writer.toByteArray());
            int outerLimit = reader.enter(BerWriter.SEQUENCE);
            int innerLimit = reader.enter(BerWriter.SET);
            assertArrayEquals(content, reader.readBytes(BerWriter.OCTET_STRING));
            reader.leaveFully(innerLimit);
            assertTrue(reader.readBoolean(BerWriter.BOOLEAN));
            reader.leaveFully(outerLimit);
            assertFalse(reader.hasMore());
        }
    }

    @Test
    public void headerBytesIsWhatAHeaderTakes() {
        for (int length : LENGTHS) {
            BerWriter writer = new BerWriter(16);
            writer.octets(BerWriter.OCTET_STRING, new byte[length]);
            assertEquals(BerWriter.headerBytes(length), writer.size() - length);
        }
    }

    @Test
    public void everyTruncationIsRefused() {
        BerWriter writer = new BerWriter(64);
        int sequence = writer.begin(BerWriter.SEQUENCE);
        writer.integer(BerWriter.INTEGER, 1000);
        writer.string(BerWriter.OCTET_STRING, "x".repeat(200));
        writer.end(sequence);
        byte[] whole = writer.toByteArray();
        for (int length = 0; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThrows("cut at " + length, BerException.class, () -> new BerReader(cut).enter(BerWriter.SEQUENCE));
        }
    }

    @Test
    public void anElementMayNotReachBeyondItsParent() throws BerException {
        byte[] bytes = {0x30, 0x03, 0x04, 0x02, 'a', 'b'};
        BerReader reader = new BerReader(bytes);
        reader.enter(BerWriter.SEQUENCE);
        assertThrows(BerException.class, () -> reader.readBytes(BerWriter.OCTET_STRING));
    }

    @Test
    public void malformedLengthsAndTypesAreRefused() {
        byte[][] malformed = {
            {0x30, (byte) 0x80, 0, 0}, // indefinite length
            {0x30, (byte) 0x85, 0, 0, 0, 0, 1, 0}, // five length bytes
            {0x30, (byte) 0x84, (byte) 0xFF, 0, 0, 0}, // over 2^31
            {0x04, 0x00}, // another tag
        };
        for (byte[] bytes : malformed) {
            assertThrows(Arrays.toString(bytes), BerException.class, () -> new BerReader(bytes).enter(BerWriter.SEQUENCE));
        }
        assertThrows(BerException.class, () -> new BerReader(new byte[] {0x02, 0x00}).readInt(BerWriter.INTEGER));
        assertThrows(BerException.class, () -> new BerReader(new byte[] {0x02, 5, 1, 2, 3, 4, 5}).readInt(BerWriter.INTEGER));
        assertThrows(BerException.class, () -> new BerReader(new byte[] {0x01, 2, 0, 0}).readBoolean(BerWriter.BOOLEAN));
    }

    @Test
    public void leaveFullyRefusesWhatWasNotRead() throws BerException {
        BerReader reader = new BerReader(new byte[] {0x30, 0x02, 0x05, 0x00});
        int outer = reader.enter(BerWriter.SEQUENCE);
        assertThrows(BerException.class, () -> reader.leaveFully(outer));
    }

    @Test
    public void randomBytesNeverGiveAnythingButBerException() {
        long seed = Seed.of(BerTest.class);
        Random random = new Random(seed);
        for (int round = 0; round < 20_000; round++) {
            byte[] bytes = new byte[random.nextInt(24)];
            random.nextBytes(bytes);
            readAll(bytes, "seed " + seed + ", round " + round);
        }
    }

    private static void readAll(byte[] bytes, String round) {
        BerReader reader = new BerReader(bytes);
        try {
            while (reader.hasMore()) {
                int before = reader.position();
                reader.skip();
                assertTrue(round, reader.position() > before && reader.position() <= bytes.length);
            }
        } catch (BerException e) {
            assertTrue(round, e.getMessage().length() > 10);
        }
    }
}
