package org.alder.partition.index;

import static org.alder.partition.testing.TestDirectory.SCHEMA;
import static org.alder.partition.testing.TestDirectory.index;
import static org.alder.partition.testing.TestDirectory.inline;
import static org.alder.partition.testing.TestDirectory.utf8;
import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.store.KeyRange;
import org.junit.Test;

/** The composite keys that inline attributes bring, and what is refused of their definitions. */
public class InlineKeysTest {
    private static final IndexDefinition INITIALS = inline(index("initials", IndexKind.EQUALITY), "employeeType", "cn");

    private static Attribute attribute(String description, String... values) {
        return new Attribute(description, Arrays.stream(values).map(value -> utf8(value)).toList());
    }

    private static List<String> keys(IndexDefinition definition, Attribute... attributes) {
        List<String> keys = new ArrayList<>();
        new AttributeIndexer(SCHEMA, List.of(definition)).forEachKey(
                EntryRecord.of(7, utf8("cn=x"), List.of(attributes), List.of()), (index, key) -> {
            if (index > 0) {
                keys.add(IndexKeys.printable(key));
            }
        });
        Collections.sort(keys);
        return keys;
    }

    private static String[] numbered(String prefix, int count) {
        return IntStream.range(0, count).mapToObj(i -> prefix + i).toArray(String[]::new);
    }

    /** The attributes are numbered by their names: cn is 0, employeeType 1. */
    @Test
    public void theDocumentedExample() {
        assertEquals(List.of("eaa", "i\\00\\03eaa\\00efoo", "i\\00\\03eaa\\01ealpha"),
                keys(INITIALS, attribute("initials", "AA"), attribute("employeeType", "Alpha"), attribute("cn", "Foo")));
    }

    @Test
    public void valuesOfBothSidesAreCombinedOnceEach() {
        assertEquals(List.of("ea", "eb", "i\\00\\02ea\\01ex", "i\\00\\02ea\\01ey", "i\\00\\02eb\\01ex", "i\\00\\02eb\\01ey"),
                keys(INITIALS, attribute("initials", "a", "B", "A "), attribute("employeeType", "x", "Y", "y")));
    }

    @Test
    public void oneSideAloneHasNoCompositeKeys() {
        assertEquals(List.of("ea"), keys(INITIALS, attribute("initials", "a")));
        assertEquals(List.of(), keys(INITIALS, attribute("employeeType", "x")));
    }

    @Test
    public void subtypesAndOptionsCountAsTheirType() {
        IndexDefinition name = inline(index("name", IndexKind.EQUALITY), "cn");
        assertEquals(List.of("ea", "eb", "i\\00\\02ea\\00ea", "i\\00\\02eb\\00ea"),
                keys(name, attribute("cn;lang-en", "A"), attribute("sn", "b")));
        IndexDefinition uid = inline(index("uid", IndexKind.EQUALITY), "name");
        assertEquals(List.of("et", "i\\00\\02et\\00ea", "i\\00\\02et\\00eb"),
                keys(uid, attribute("uid", "t"), attribute("cn;lang-en", "A"), attribute("sn", "b")));
    }

    @Test
    public void anInlineObjectClassBringsItsSuperclasses() {
        IndexDefinition title = inline(index("title", IndexKind.EQUALITY), "objectClass");
        assertEquals(List.of("et", "i\\00\\02et\\00e2.5.6.0", "i\\00\\02et\\00e2.5.6.6"),
                keys(title, attribute("title", "t"), attribute("objectClass", "person")));
    }

    @Test
    public void aValueTheRuleCannotReadHasNoKey() {
        IndexDefinition title = inline(index("title", IndexKind.EQUALITY), "uidNumber");
        assertEquals(List.of("et"), keys(title, attribute("title", "t"), attribute("uidNumber", "x")));
    }

    @Test
    public void otherKindsOfKeysAreNotCombined() {
        IndexDefinition all = inline(index("title", IndexKind.EQUALITY, IndexKind.SUBSTRING, IndexKind.PRESENCE), "employeeType");
        List<String> keys = keys(all, attribute("title", "t"), attribute("employeeType", "x"));
        assertEquals(List.of("i\\00\\02et\\00ex"), keys.stream().filter(key -> key.startsWith("i")).toList());
        assertTrue(keys.containsAll(List.of("et", "p", "sb t ")));
    }

    /** The length says where the first part ends, whatever its bytes are. */
    @Test
    public void noTwoPairsHaveTheSameKey() {
        List<String> values = List.of("a", "ab", "b", "", "\0", "\0ab", "a\0\0eb", "i", "\0\2", "\u00ff");
        TreeSet<byte[]> keys = new TreeSet<>(Arrays::compareUnsigned);
        assertTrue(keys.add(IndexKeys.inlineTooMany()));
        for (String first : values) {
            byte[] equalityKey = IndexKeys.equality(utf8(first));
            assertTrue(keys.add(equalityKey));
            assertTrue(keys.add(IndexKeys.inlineTooMany(equalityKey)));
            for (String second : values) {
                assertTrue(keys.add(IndexKeys.inline(equalityKey, 0, IndexKeys.equality(utf8(second)))));
                assertTrue(keys.add(IndexKeys.inline(equalityKey, 1, IndexKeys.equality(utf8(second)))));
            }
        }
    }

    /** The keys of "a" with "b" would otherwise be among those of "ab". */
    @Test
    public void rangesMeetNoKeysOfOtherValues() {
        byte[] a = IndexKeys.equality(utf8("a"));
        byte[] ab = IndexKeys.equality(utf8("ab"));
        KeyRange all = IndexKeys.inlineRange(a, 0, IndexKeys.equalityRange(null, null));
        assertTrue(holds(all, IndexKeys.inline(a, 0, IndexKeys.equality(utf8("b")))));
        assertFalse(holds(all, IndexKeys.inline(ab, 0, IndexKeys.equality(utf8("b")))));
        assertFalse(holds(all, IndexKeys.inline(a, 1, IndexKeys.equality(utf8("b")))));
        assertFalse(holds(all, IndexKeys.inlineTooMany(a)));
        assertFalse(holds(IndexKeys.equalityRange(null, null), IndexKeys.inline(a, 0, ab)));
        assertFalse(holds(IndexKeys.longEqualityRange(null, null), IndexKeys.inline(a, 0, ab)));
        KeyRange some = IndexKeys.inlineRange(a, 0, IndexKeys.equalityRange(utf8("b"), utf8("c")));
        for (String inside : List.of("b", "b\0", "bz", "c")) {
            assertTrue(inside, holds(some, IndexKeys.inline(a, 0, IndexKeys.equality(utf8(inside)))));
        }
        for (String outside : List.of("a", "c\0", "d")) {
            assertFalse(outside, holds(some, IndexKeys.inline(a, 0, IndexKeys.equality(utf8(outside)))));
        }
    }

    private static boolean holds(KeyRange range, byte[] key) {
        return Arrays.compareUnsigned(range.from(), key) <= 0 && range.endsBehind(key);
    }

    @Test
    public void longFormsAreHashedOnBothSides() {
        byte[] equalityKey = IndexKeys.equality(utf8("x".repeat(600)));
        byte[] key = IndexKeys.inline(equalityKey, 3, equalityKey);
        assertEquals(4 + 2 * 513, key.length);
        assertArrayEquals(new byte[] {'i', 2, 1, 'E'}, Arrays.copyOf(key, 4));
    }

    @Test
    public void anEntryWithTooManyValuesIsMarkedInstead() {
        List<String> most = keys(INITIALS, attribute("initials", numbered("i", 2)), attribute("cn", numbered("c", 64)));
        assertEquals(2 + InlineAttributes.MAX_KEYS, most.size());
        List<String> more = keys(INITIALS, attribute("initials", numbered("i", 2)), attribute("cn", numbered("c", 64)),
                attribute("employeeType", "alpha"));
        assertEquals(List.of("ei0", "ei1", "i\\00\\03ei0\\ff", "i\\00\\03ei1\\ff", "i\\ff\\ff"), more);
    }

    @Test
    public void definitionsAreChecked() {
        assertRefused("no equality index", () -> inline(index("cn", IndexKind.SUBSTRING), "sn"));
        assertRefused("jpegPhoto has no equality rule", () -> inline(index("cn", IndexKind.EQUALITY), "jpegPhoto"));
        assertRefused("entryDN is virtual", () -> inline(index("cn", IndexKind.EQUALITY), "entryDN"));
        assertRefused("itself", () -> inline(index("cn", IndexKind.EQUALITY), "commonName"));
        assertRefused("sn twice", () -> inline(index("cn", IndexKind.EQUALITY), "sn", "surname"));
        assertRefused("17 inline attributes", () -> inline(index("cn", IndexKind.EQUALITY), "sn", "title", "st", "l", "street",
                "o", "ou", "givenName", "initials", "employeeType", "departmentNumber", "description", "uid", "mail", "c",
                "postalCode", "telephoneNumber"));
        assertRefused("entryDN is virtual", () -> index("entryDN", IndexKind.EQUALITY));
    }

    private static void assertRefused(String text, Runnable definition) {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, definition::run);
        assertTrue(e.getMessage(), e.getMessage().contains(text));
    }

    @Test
    public void theFingerprintNamesThemInAnyOrder() {
        IndexDefinition turned = inline(index("initials", IndexKind.EQUALITY), "cn", "employeeType");
        String fingerprint = new AttributeIndexer(SCHEMA, List.of(INITIALS)).fingerprint();
        assertTrue(fingerprint, fingerprint.contains(" initials:E+cn,employeetype(2.5.13.2/2.5.13.4+2.5.13.2+2.5.13.2) "));
        assertEquals(fingerprint, new AttributeIndexer(SCHEMA, List.of(turned)).fingerprint());
    }
}
