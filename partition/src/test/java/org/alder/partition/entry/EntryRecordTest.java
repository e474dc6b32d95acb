package org.alder.partition.entry;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.alder.partition.error.StoreException;
import org.alder.partition.testing.Seed;
import org.junit.Test;

public class EntryRecordTest {
    private static final List<Attribute> USER = List.of(attribute("cn", "Åsa", "Asa"), attribute("userCertificate;binary",
            "\0\1\2"));
    private static final List<Attribute> OPERATIONAL = List.of(attribute("createTimestamp", "20261121000000Z"));

    private final EntryRecord record = EntryRecord.of(7, "cn=Åsa".getBytes(UTF_8), USER, OPERATIONAL);

    private static Attribute attribute(String description, String... values) {
        return new Attribute(description, Arrays.stream(values).map(value -> value.getBytes(UTF_8)).toList());
    }

    private static AttributeDelta delta(String description, boolean operational, List<String> removed, List<String> added) {
        return new AttributeDelta(description, operational, removed.stream().map(value -> value.getBytes(UTF_8)).toList(),
                added.stream().map(value -> value.getBytes(UTF_8)).toList());
    }

    private static List<String> text(List<Attribute> attributes) {
        return attributes.stream().map(attribute -> attribute.description() + "="
                + attribute.values().stream().map(value -> new String(value, UTF_8)).toList()).toList();
    }

    @Test
    public void whatIsPutInComesOut() {
        EntryRecord read = EntryRecord.of(record.bytes().clone());
        assertEquals(7, read.parentId());
        assertEquals("cn=Åsa", read.rdn());
        assertEquals(text(USER), text(read.userAttributes()));
        assertEquals(text(OPERATIONAL), text(read.operationalAttributes()));
        assertEquals(record, read);
    }

    @Test
    public void aPartOfALargerArrayReadsAsTheWhole() {
        byte[] bytes = record.bytes();
        byte[] larger = new byte[bytes.length + 20];
        Arrays.fill(larger, (byte) 0x30);
        System.arraycopy(bytes, 0, larger, 9, bytes.length);
        EntryRecord part = EntryRecord.of(larger, 9, bytes.length);
        assertEquals(record, part);
        assertEquals(record.hashCode(), part.hashCode());
        assertArrayEquals(bytes, part.bytes());
        assertEquals(bytes.length, part.length());
        assertEquals("cn=Åsa", part.rdn());
        assertEquals("cn=Åsa", new String(part.buffer(), part.rdnOffset(), part.rdnLength(), UTF_8));
        assertEquals(text(USER), text(part.userAttributes()));
        assertEquals(text(OPERATIONAL), text(part.operationalAttributes()));
        assertEquals(record.withParent(1234567), part.withParent(1234567));
        List<AttributeDelta> deltas = List.of(delta("cn", false, List.of("Asa"), List.of("A")));
        assertEquals(record.apply(deltas), part.apply(deltas));
        for (int length = 0; length < part.userOffset() - 9; length++) {
            int shorter = length;
            assertThrows(StoreException.class, () -> EntryRecord.of(larger, 9, shorter));
        }
    }

    @Test
    public void theUserPartIsReadyForTheWire() {
        byte[] first = {0x30, 0x11, 0x04, 0x02, 'c', 'n'};
        assertArrayEquals(first, Arrays.copyOfRange(record.bytes(), record.userOffset(), record.userOffset() + first.length));
    }

    @Test
    public void cursorTellsOperationalFromUser() {
        AttributeCursor cursor = record.cursor(true);
        List<String> seen = new ArrayList<>();
        while (cursor.next()) {
            seen.add(cursor.description() + cursor.isOperational());
        }
        assertEquals(List.of("cnfalse", "userCertificate;binaryfalse", "createTimestamptrue"), seen);
        AttributeCursor users = record.cursor(false);
        assertTrue(users.next() && users.next());
        assertFalse(users.next());
    }

    @Test
    public void deltasRemoveThenAppendAndEmptyAttributesGo() {
        EntryRecord changed = record.apply(List.of(
                delta("cn", false, List.of("Asa"), List.of("Aasa")),
                delta("userCertificate;binary", false, List.of("\0\1\2"), List.of()),
                delta("sn", false, List.of(), List.of("Berg")),
                delta("modifyTimestamp", true, List.of(), List.of("20261122000000Z"))));
        assertEquals(List.of("cn=[Åsa, Aasa]", "sn=[Berg]"), text(changed.userAttributes()));
        assertEquals(List.of("createTimestamp=[20261121000000Z]", "modifyTimestamp=[20261122000000Z]"),
                text(changed.operationalAttributes()));
        assertEquals(7, changed.parentId());
    }

    @Test
    public void movingKeepsTheAttributes() {
        EntryRecord moved = record.moved(300, "cn=Bo".getBytes(UTF_8), List.of());
        assertEquals(300, moved.parentId());
        assertEquals("cn=Bo", moved.rdn());
        assertEquals(text(USER), text(moved.userAttributes()));
        assertEquals(text(OPERATIONAL), text(moved.operationalAttributes()));
    }

    @Test
    public void aValueThatIsNotThereCannotBeRemoved() {
        StoreException thrown = assertThrows(StoreException.class,
                () -> record.apply(List.of(delta("cn", false, List.of("Ole"), List.of()))));
        assertTrue(thrown.getMessage(), thrown.getMessage().contains("cn") && thrown.getMessage().contains("Ole"));
    }

    @Test
    public void truncationsAndNoiseAreCorruptNeverAnotherError() {
        long seed = Seed.of(EntryRecordTest.class);
        Random random = new Random(seed);
        byte[] whole = record.bytes();
        for (int length = 0; length < whole.length; length++) {
            readAll(Arrays.copyOf(whole, length), "cut at " + length);
        }
        for (int round = 0; round < 5000; round++) {
            byte[] noisy = whole.clone();
            noisy[random.nextInt(noisy.length)] = (byte) random.nextInt();
            readAll(noisy, "seed " + seed + ", round " + round);
        }
    }

    private static void readAll(byte[] bytes, String where) {
        try {
            EntryRecord read = EntryRecord.of(bytes);
            read.userAttributes();
            read.operationalAttributes();
            read.rdn();
        } catch (StoreException e) {
            assertEquals(where, StoreException.Kind.CORRUPT, e.kind());
        }
    }

    @Test
    public void anOperationalAttributeWithoutValuesIsDamage() {
        EntryRecord empty = EntryRecord.of("\1\1\1a\0000\15\4\11entryUUID1\0".getBytes(StandardCharsets.US_ASCII));
        assertEquals(StoreException.Kind.CORRUPT,
                assertThrows(StoreException.class, () -> empty.operationalValue("entryUUID")).kind());
    }

    @Test
    public void varintsOfEveryLengthRoundTrip() {
        byte[] buffer = new byte[Varints.MAX_BYTES];
        for (int bits = 0; bits < 63; bits++) {
            for (long value : new long[] {(1L << bits) - 1, 1L << bits}) {
                int end = Varints.put(buffer, 0, value);
                Varints in = new Varints(buffer, 0);
                assertEquals(value, in.next());
                assertEquals(end, in.position());
            }
        }
    }

    @Test
    public void onlyTheSpellingThatIsThereIsFoundWhateverItsLengthAndWhereverTheRecordEnds() {
        Random random = Seed.random(EntryRecordTest.class);
        for (int round = 0; round < 2000; round++) {
            String name = "nameOfAnAttributeWithManyLetters".substring(0, 1 + random.nextInt(32));
            String value = "v".repeat(1 + random.nextInt(random.nextInt(4) == 0 ? 300 : 20));
            AttributeCursor cursor = EntryRecord.of(1, new byte[0], List.of(attribute(name, value)), List.of()).cursor(true);
            int changed = random.nextInt(name.length());
            for (String other : List.of(name + "x", name.substring(0, changed) + '_' + name.substring(changed + 1),
                    name.substring(0, changed))) {
                assertFalse(other + " for " + name, cursor.nextIfSpelt(new AttributeSpelling(other.getBytes(UTF_8))));
            }
            AttributeSpelling right = new AttributeSpelling(name.getBytes(UTF_8));
            boolean isShort = 2 + name.length() + 2 + (value.length() < 128 ? 2 : value.length() < 256 ? 3 : 4) + value.length() < 128;
            assertEquals(name + " with " + value.length(), isShort, cursor.nextIfSpelt(right));
            assertTrue(isShort || cursor.next());
            assertTrue(cursor.isSpelt(right));
            assertFalse(cursor.isSpelt(new AttributeSpelling((name + 'x').getBytes(UTF_8))));
            assertEquals(name, cursor.description());
            assertEquals(value, new String(cursor.values().get(0), UTF_8));
            assertFalse(cursor.nextIfSpelt(right));
            assertFalse(cursor.next());
        }
    }
}
