package org.alder.partition.index;

import static org.alder.partition.testing.TestDirectory.SCHEMA;
import static org.alder.partition.testing.TestDirectory.index;
import static org.alder.partition.testing.TestDirectory.utf8;
import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.KeyRange;
import org.junit.Test;

public class IndexKeysTest {
    private static Attribute attribute(String description, String... values) {
        return new Attribute(description, Arrays.stream(values).map(value -> utf8(value)).toList());
    }

    /** The keys of index 2, and on, as text, sorted: they come in no order. */
    private static List<String> keys(List<IndexDefinition> definitions, Attribute... attributes) {
        List<String> keys = new ArrayList<>();
        new AttributeIndexer(SCHEMA, definitions).forEachKey(EntryRecord.of(7, utf8("cn=x"), List.of(attributes), List.of()),
                (index, key) -> {
            if (index > 0) {
                keys.add(index + " " + IndexKeys.printable(key));
            }
        });
        Collections.sort(keys);
        return keys;
    }

    /** Few keys are compared with each other, many are sorted. */
    @Test
    public void eachKeyComesOnceHoweverManyThereAre() {
        for (int values : new int[] {1, 3, 30, 50, 3000}) {
            byte[][] texts = new byte[values][];
            Arrays.setAll(texts, i -> utf8("v" + i / 2 + (i % 2 == 0 ? "" : " ")));
            List<String> keys = keys(List.of(index("cn", IndexKind.EQUALITY)),
                    new Attribute("cn", List.of(texts)));
            assertEquals((values + 1) / 2, keys.size());
            assertEquals(keys.size(), Set.copyOf(keys).size());
        }
    }

    /** Each byte of it was an array of its own, 28 times the value in all. */
    @Test
    public void theSubstringKeysOfALongValueTakeLittleMemory() {
        byte[] text = new byte[4 << 20];
        Random random = new Random(7);
        Arrays.setAll(new Object[text.length], i -> text[i] = (byte) ('a' + random.nextInt(26)));
        AttributeIndexer indexer = new AttributeIndexer(SCHEMA, List.of(index("cn", IndexKind.SUBSTRING)));
        EntryRecord record = EntryRecord.of(7, utf8("cn=x"), List.of(new Attribute("cn", List.of(text))), List.of());
        Set<String> keys = new HashSet<>();
        long[] gatheredBytes = new long[1];
        indexer.forEachKey(record, new EntryIndexer.KeyConsumer() {
            @Override
            public void accept(int index, byte[] key) {
                assertTrue(IndexKeys.printable(key), index == 0 || keys.add(IndexKeys.printable(key)));
            }

            @Override
            public void gathering(int index, long heapBytes) {
                assertEquals("none is given before all are counted", Set.of(), keys);
                gatheredBytes[0] = heapBytes;
            }
        });
        // All pieces of three letters, those with the space at either end, and the two ends.
        assertEquals(26 * 26 * 26 + 2 + 2, keys.size());
        assertTrue(gatheredBytes[0] + " bytes", gatheredBytes[0] > 0 && gatheredBytes[0] < text.length);
    }

    @Test
    public void theKeysOfShortAndLongValuesTogetherAreThoseOfEach() {
        Set<String> apart = new TreeSet<>(keys(List.of(index("cn", IndexKind.SUBSTRING)), attribute("cn", "x".repeat(70_000))));
        apart.addAll(keys(List.of(index("cn", IndexKind.SUBSTRING)), attribute("cn", "abc")));
        apart.addAll(keys(List.of(index("cn", IndexKind.SUBSTRING)), attribute("cn", "\u00fcb")));
        List<String> together = keys(List.of(index("cn", IndexKind.SUBSTRING)),
                attribute("cn", "abc", "x".repeat(70_000), "\u00fcb"));
        assertEquals(List.copyOf(apart), together);
    }

    @Test
    public void theDocumentedExample() {
        assertEquals(List.of("2 efoo bar", "2 p", "2 sb fo", "2 sf ra", "2 si  b", "2 si ba", "2 si fo", "2 siar ", "2 sibar",
                "2 sifoo",
                "2 sio  ", "2 sioo "),
                keys(List.of(index("cn", IndexKind.EQUALITY, IndexKind.SUBSTRING, IndexKind.PRESENCE)),
                attribute("cn", "Foo  Bar")));
    }

    @Test
    public void subtypesOptionsAndOtherNamesAreInTheIndexOnce() {
        assertEquals(List.of("2 ea", "2 eb", "3 ea"), keys(List.of(index("name", IndexKind.EQUALITY),
                index("cn", IndexKind.EQUALITY)),
                attribute("commonName", "A"), attribute("cn;lang-en", "a"), attribute("2.5.4.4", "b"),
                attribute("description", "c")));
    }

    @Test
    public void aClassBringsItsSuperclasses() {
        assertEquals(List.of("2 e2.5.6.0", "2 e2.5.6.6"), keys(List.of(index("objectClass", IndexKind.EQUALITY)),
                attribute("objectClass", "PERSON")));
    }

    @Test
    public void shortSubstringForms() {
        assertEquals(List.of("2 sb1", "2 sf1"), keys(List.of(index("telephoneNumber", IndexKind.SUBSTRING)),
                attribute("telephoneNumber", "1")));
        assertEquals(List.of("2 sb12", "2 sf21"), keys(List.of(index("telephoneNumber", IndexKind.SUBSTRING)),
                attribute("telephoneNumber", "1-2")));
    }

    @Test
    public void aValueTheRuleCannotReadHasNoKey() {
        assertEquals(List.of("2 p"), keys(List.of(index("uidNumber", IndexKind.EQUALITY, IndexKind.PRESENCE)),
                attribute("uidNumber", "x")));
    }

    @Test
    public void hierarchyKeysComeFirst() {
        List<byte[]> keys = new ArrayList<>();
        new AttributeIndexer(SCHEMA, List.of()).forEachKey(EntryRecord.of(7, utf8("CN=x"), List.of(), List.of()),
                (index, key) -> keys.add(key));
        assertEquals(2, keys.size());
        assertTrue(IndexKeys.printable(keys.get(0)).startsWith("r\\00\\00\\00\\00\\00\\00\\00\\07cn="));
        assertArrayEquals(HierarchyKeys.children(7), keys.get(1));
    }

    @Test
    public void describesKeysForPeople() {
        assertEquals("pres", IndexKeys.described(IndexKeys.presence()));
        assertEquals("eq \"smith\"", IndexKeys.described(IndexKeys.equality(utf8("smith"))));
        assertEquals("sub \"abc*\"", IndexKeys.described(utf8("sbabc")));
        assertEquals("sub \"*xyz\"", IndexKeys.described(utf8("sfzyx")));
        assertEquals("sub \"*mit*\"", IndexKeys.described(utf8("simit")));
        assertEquals("\"f\"", IndexKeys.described(utf8("f")));
    }

    @Test
    public void longFormsAreHashed() throws NoSuchAlgorithmException {
        byte[] longest = utf8("x".repeat(512));
        assertEquals("e" + "x".repeat(512), IndexKeys.printable(IndexKeys.equality(longest)));
        byte[] longer = utf8("x".repeat(513));
        byte[] key = IndexKeys.equality(longer);
        assertEquals(513, key.length);
        assertEquals("E" + "x".repeat(480), IndexKeys.printable(Arrays.copyOf(key, 481)));
        assertArrayEquals(MessageDigest.getInstance("SHA-256").digest(longer), Arrays.copyOfRange(key, 481, 513));
        assertFalse(IndexKeys.isLong(longest));
        assertTrue(IndexKeys.isLong(longer));
    }

    private static boolean holds(KeyRange range, byte[] key) {
        return Arrays.compareUnsigned(key, range.from()) >= 0 && range.endsBehind(key);
    }

    @Test
    public void rangesOfForms() {
        byte[] b = utf8("b");
        for (String form : List.of("", "a", "b", "b\0", "ba", "c")) {
            byte[] key = IndexKeys.equality(utf8(form));
            assertEquals(form, form.compareTo("b") >= 0, holds(IndexKeys.equalityRange(b, null), key));
            assertEquals(form, form.compareTo("b") <= 0, holds(IndexKeys.equalityRange(null, b), key));
            assertFalse(form, holds(IndexKeys.longEqualityRange(null, null), key));
        }
        byte[] longKey = IndexKeys.equality(utf8("b" + "x".repeat(600)));
        assertTrue(holds(IndexKeys.longEqualityRange(b, null), longKey));
        assertTrue(holds(IndexKeys.longEqualityRange(null, utf8("b" + "x".repeat(600))), longKey));
        assertFalse(holds(IndexKeys.longEqualityRange(null, utf8("a")), longKey));
        assertFalse(holds(IndexKeys.equalityRange(null, null), longKey));
    }

    @Test
    public void rangesOfPrefixes() {
        byte[] last = {(byte) 0xFF};
        assertTrue(holds(KeyRange.ofPrefix(last), new byte[] {(byte) 0xFF, (byte) 0xFF}));
        KeyRange range = KeyRange.ofPrefix(new byte[] {1, (byte) 0xFF});
        assertTrue(holds(range, new byte[] {1, (byte) 0xFF, 0}));
        assertFalse(holds(range, new byte[] {2}));
        assertFalse(holds(range, new byte[] {1, (byte) 0xFE}));
    }

    @Test
    public void definitionsAreChecked() {
        assertThrows(IllegalArgumentException.class, () -> index("cn"));
        assertThrows(IllegalArgumentException.class, () -> index("jpegPhoto", IndexKind.EQUALITY));
        assertThrows(IllegalArgumentException.class, () -> index("uidNumber", IndexKind.SUBSTRING));
        assertThrows(IllegalArgumentException.class,
                () -> new AttributeIndexer(SCHEMA, List.of(index("cn", IndexKind.EQUALITY),
                index("commonName", IndexKind.PRESENCE))));
    }

    @Test
    public void theFingerprintTellsKindsApart() {
        AttributeIndexer one = new AttributeIndexer(SCHEMA, List.of(index("cn", IndexKind.EQUALITY),
                index("sn", IndexKind.PRESENCE)));
        AttributeIndexer other = new AttributeIndexer(SCHEMA, List.of(index("cn", IndexKind.EQUALITY, IndexKind.SUBSTRING),
                index("sn", IndexKind.PRESENCE)));
        assertTrue(one.fingerprint(), one.fingerprint().startsWith("keys 1.3 values 1 forms 1 unicode "));
        assertTrue(one.fingerprint(), one.fingerprint().contains(" cn:E(2.5.13.2/2.5.13.4) sn:P(2.5.13.2/2.5.13.4) types "));
        assertNotEquals(one.fingerprint(), other.fingerprint());
    }

    @Test
    public void fingerprintsOfEarlierReleasesSayTheSame() {
        AttributeIndexer one = new AttributeIndexer(SCHEMA, List.of(index("cn", IndexKind.EQUALITY), index("sn", IndexKind.PRESENCE)));
        AttributeIndexer other = new AttributeIndexer(SCHEMA, List.of(index("cn", IndexKind.EQUALITY, IndexKind.SUBSTRING),
                index("sn", IndexKind.PRESENCE)));
        for (KeyFingerprint.Form form : KeyFingerprint.Form.values()) {
            String stored = one.currentFingerprint(form).toString();
            assertEquals(form, KeyFingerprint.parse(stored).form());
            assertNull(one.whyDeriveAnew(stored));
            assertFalse(one.dependsOnData(stored));
            assertEquals(one.fingerprint(), one.fingerprintFollowing(stored, false));
            assertEquals(form == KeyFingerprint.Form.HASHED ? null : Set.of("cn"), other.indexesToDerive(stored));
            assertEquals("the configuration has other kinds", Set.of(), other.indexesOfOtherSchema(stored));
        }
    }
}
