package org.alder.partition.jdbm.entry;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.UUID;
import org.alder.partition.testing.Seed;
import org.junit.Test;

public class PackedValueTest {
    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static int make(String text) {
        byte[] value = bytes("<" + text + ">");
        return PackedValue.make(value, 1, value.length - 1);
    }

    private static void assertPacked(String text, int bytes) {
        byte[] value = bytes("<" + text);
        int make = PackedValue.make(value, 1, value.length);
        assertTrue(text, make != PackedValue.NONE);
        assertEquals(text, text.length(), PackedValue.length(make));
        assertEquals(text, bytes, PackedValue.packedLength(make));
        byte[] packed = new byte[bytes + 1];
        assertEquals(bytes + 1, PackedValue.pack(make, value, 1, packed, 1));
        byte[] again = new byte[text.length() + 2];
        assertTrue(PackedValue.unpack(make, packed, 1, again, 2));
        assertEquals(text, new String(again, 2, text.length(), StandardCharsets.UTF_8));
    }

    private static void assertNotPacked(String text) {
        assertEquals(text, PackedValue.NONE, make(text));
    }

    @Test
    public void digitsTimesUuidsAndChangeSequenceNumbersArePacked() {
        assertPacked("0000", 2);
        assertPacked("8785266644", 5);
        assertPacked("999999999999999999", 8);
        assertPacked("000000000000000001", 8);
        assertPacked("20261127130501Z", 6);
        assertPacked("202611271305Z", 5);
        assertPacked("597ae2f6-16a6-1027-98f4-d28b5365dc14", 16);
        assertPacked("20261127130501.383000Z#000000#000#000000", 17);
        assertPacked("99991231235959.999999Z#ffffff#fff#abcdef", 17);
    }

    @Test
    public void whatIsOnlyLikeThemIsNot() {
        for (String text : new String[] {"", "123", "1234567890123456789", "12a4", "+4812", "20261127130501+", "123Z", "2026112713050a Z",
            "597AE2F6-16a6-1027-98f4-d28b5365dc14", "597ae2f6-16a6-1027-98f4_d28b5365dc14", "597ae2f6-16a6-1027-98f4-d28b5365dcxx",
            "20261127130501,383000Z#000000#000#000000", "20261127130501.383000Z#00000g#000#000000", "20261127130501.383000Z#00000A#000#000000",
            "20261127130501.383000+#000000#000#000000", "2026112713050x.383000Z#000000#000#000000"}) {
            assertNotPacked(text);
        }
    }

    @Test
    public void randomOnesComeBack() {
        Random random = Seed.random(PackedValueTest.class);
        for (int i = 0; i < 2000; i++) {
            StringBuilder digits = new StringBuilder();
            for (int count = 4 + random.nextInt(15); count > 0; count--) {
                digits.append(random.nextInt(10));
            }
            String text = digits + (random.nextBoolean() ? "Z" : "");
            assertPacked(text, PackedValue.packedLength(make(text)));
            assertPacked(new UUID(random.nextLong(), random.nextLong()).toString(), 16);
        }
    }

    @Test
    public void bytesThatNoValueIsPackedAsAreFound() {
        byte[] out = new byte[64];
        byte[] ones = new byte[32];
        Arrays.fill(ones, (byte) 0xFF);
        int four = make("1234");
        assertFalse("65535 has five digits", PackedValue.unpack(four, ones, 0, out, 0));
        assertFalse("beyond 63 bits", PackedValue.unpack(make("123456789012345678"), ones, 0, out, 0));
        assertFalse("three digits of 12 bits", PackedValue.unpack(PackedValue.CSN, ones, 0, out, 0));
        for (int make : new int[] {3 << 2, 19 << 2, 3 << 2 | PackedValue.TIME, 1 << 2 | PackedValue.UUID, 7 << 2 | PackedValue.CSN}) {
            assertEquals(-1, PackedValue.length(make));
        }
    }
}
