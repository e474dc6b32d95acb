package org.alder.partition.store;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.alder.partition.error.StoreException;
import org.junit.Test;

/** The bytes of docs/format/values.md. */
public final class ValueKeysTest {
    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static void assertIs(byte[] key, long id, int slot, byte[] form, byte[] value) {
        assertTrue(ValueKeys.isKey(key));
        assertEquals(id, ValueKeys.entryId(key));
        assertEquals(slot, ValueKeys.slot(key));
        assertArrayEquals(form, ValueKeys.form(key));
        assertArrayEquals(value, ValueKeys.value(key));
        int from = ValueKeys.valueOffset(key);
        assertArrayEquals(value, Arrays.copyOfRange(key, from, from + ValueKeys.valueLength(key)));
        assertEquals(key.length, ValueKeys.length(form, value));
        assertTrue(ValueKeys.startsWith(key, ValueKeys.ofForm(id, slot, form)));
        assertTrue(ValueKeys.startsWith(key, ValueKeys.ofAttribute(id, slot)));
        assertTrue(ValueKeys.startsWith(key, ValueKeys.ofEntry(id)));
    }

    @Test
    public void theExampleOfTheDescription() {
        byte[] key = ValueKeys.key(7, 0, utf8("ann"), utf8("Ann"));
        assertEquals("0000000000000007" + "00" + "03616e6e" + "01416e6e", HexFormat.of().formatHex(key));
        assertIs(key, 7, 0, utf8("ann"), utf8("Ann"));
    }

    @Test
    public void aValueThatIsItsFormIsThereOnce() {
        byte[] key = ValueKeys.key(1L << 40, 255, utf8("ann"), utf8("ann"));
        assertEquals("0000010000000000" + "ff" + "03616e6e" + "00", HexFormat.of().formatHex(key));
        assertIs(key, 1L << 40, 255, utf8("ann"), utf8("ann"));
    }

    @Test
    public void formsAndValuesOfAllLengths() {
        Random random = new Random(7);
        for (int length : new int[] {0, 1, 127, 128, 4000, 8000}) {
            byte[] form = new byte[length];
            random.nextBytes(form);
            byte[] value = Arrays.copyOf(form, length + 1);
            assertIs(ValueKeys.key(3, 9, form, form), 3, 9, form, form);
            assertIs(ValueKeys.key(3, 9, form, value), 3, 9, form, value);
            assertIs(ValueKeys.key(3, 9, form, new byte[0]), 3, 9, form, new byte[0]);
        }
    }

    @Test
    public void noKeyBeginsAsThatOfAnotherValue() {
        List<byte[]> forms = List.of(utf8(""), utf8("a"), utf8("an"), utf8("ann"), utf8("an\0"), utf8("\3ann"),
                utf8("a".repeat(130)), utf8("a".repeat(258)));
        for (byte[] form : forms) {
            for (byte[] other : forms) {
                byte[] prefix = ValueKeys.ofForm(7, 1, other);
                assertEquals(form == other, ValueKeys.startsWith(ValueKeys.key(7, 1, form, utf8("Any")), prefix));
                assertFalse(ValueKeys.startsWith(ValueKeys.key(7, 2, form, utf8("Any")), prefix));
                assertFalse(ValueKeys.startsWith(ValueKeys.key(8, 1, form, utf8("Any")), prefix));
            }
        }
    }

    @Test
    public void theIdIsPutInLater() {
        byte[] keys = new byte[40];
        byte[] key = ValueKeys.key(0, 4, utf8("x"), utf8("X"));
        System.arraycopy(key, 0, keys, 5, key.length);
        ValueKeys.setEntryId(keys, 5, 0x0123_4567_89AB_CDEFL);
        assertArrayEquals(ValueKeys.key(0x0123_4567_89AB_CDEFL, 4, utf8("x"), utf8("X")),
                Arrays.copyOfRange(keys, 5, 5 + key.length));
        assertEquals("nothing before it", 0, keys[4]);
    }

    private static void assertMalformed(String hex) {
        byte[] key = HexFormat.of().parseHex(hex);
        assertFalse(hex, ValueKeys.isKey(key));
        assertEquals(hex, StoreException.Kind.CORRUPT,
                assertThrows(hex, StoreException.class, () -> ValueKeys.value(key)).kind());
        assertEquals(hex, StoreException.Kind.CORRUPT,
                assertThrows(hex, StoreException.class, () -> ValueKeys.form(key)).kind());
    }

    @Test
    public void whatIsNoKeyIsRefused() {
        String head = "000000000000000700";
        assertMalformed("");
        assertMalformed("00000000000000");
        assertMalformed(head);
        assertMalformed(head + "03616e6e");
        assertMalformed(head + "03616e");
        assertMalformed(head + "03616e6e02");
        assertMalformed(head + "03616e6e0041");
        assertMalformed(head + "80");
        assertMalformed(head + "ffffffffffffffffff7f00");
        assertMalformed(head + "ffffffff0700");
        assertEquals(StoreException.Kind.CORRUPT,
                assertThrows(StoreException.class, () -> ValueKeys.entryId(HexFormat.of().parseHex(head))).kind());
    }
}
