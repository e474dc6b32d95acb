package org.alder.partition.jdbm.entry;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.id.IdSet;
import org.alder.partition.jdbm.block.TableCorruptException;
import org.alder.partition.jdbm.block.TableSummary;
import org.alder.partition.jdbm.disk.SystemDisk;
import org.alder.partition.jdbm.layer.EntryFinder;
import org.alder.partition.jdbm.layer.EntryVersion;
import org.alder.partition.jdbm.layer.EntryVersionCursor;
import org.alder.partition.testing.Seed;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class EntryFileTest {
    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private Path file() {
        return temporary.getRoot().toPath().resolve("master" + EntryFile.FILE_SUFFIX);
    }

    /** @param entries null for one that is deleted */
    private TableSummary write(EntryCodec codec, Map<Long, EntryRecord> entries) throws IOException {
        return write(new EntryEncoder(codec), entries);
    }

    private TableSummary write(EntryEncoder encoder, Map<Long, EntryRecord> entries) throws IOException {
        Files.deleteIfExists(file());
        try (EntryFileWriter writer = new EntryFileWriter(SystemDisk.INSTANCE, file(), encoder)) {
            for (Map.Entry<Long, EntryRecord> each : entries.entrySet()) {
                writer.add(each.getKey(), each.getValue());
            }
            return writer.finish();
        }
    }

    private static TreeMap<Long, EntryRecord> randomEntries(Random random) {
        TreeMap<Long, EntryRecord> entries = new TreeMap<>();
        SampleRecords records = new SampleRecords(random);
        long id = 0;
        int gap = 1 + random.nextInt(5);
        for (int i = random.nextInt(300); i > 0; i--) {
            id += random.nextInt(20) == 0 ? 1 + random.nextInt(100_000) : 1 + random.nextInt(gap);
            entries.put(id, random.nextInt(15) == 0 ? null : records.next());
        }
        if (random.nextInt(3) == 0) {
            entries.put(IdSet.MAX_ID, records.next());
        }
        return entries;
    }

    private static void assertEntry(Map.Entry<Long, EntryRecord> expected, EntryVersion found) {
        assertEquals("entry " + expected.getKey(), new EntryVersion(expected.getValue()), found);
    }

    @Test
    public void whatIsWrittenIsFoundInAnyOrder() throws IOException {
        Random random = Seed.random(EntryFileTest.class);
        for (int round = 0; round < 40; round++) {
            TreeMap<Long, EntryRecord> entries = randomEntries(random);
            TableSummary summary = write(EntryCodec.values()[round % 2], entries);
            assertEquals(entries.size(), summary.pairCount());
            // Small windows, so that entries reach from one into the next.
            try (EntryFile opened = EntryFile.open(file(), summary, round % 3 == 0 ? 30 : 9 + random.nextInt(8), random.nextBoolean())) {
                assertAll(entries, opened);
                assertAnyOrder(random, entries, opened);
            }
        }
    }

    private static void assertAll(TreeMap<Long, EntryRecord> entries, EntryFile opened) {
        EntryVersionCursor cursor = opened.entries(0);
        EntryFinder finder = opened.finder(IdSet.EMPTY);
        for (Map.Entry<Long, EntryRecord> each : entries.entrySet()) {
            assertTrue(cursor.next());
            assertEquals((long) each.getKey(), cursor.id());
            assertEquals(each.getValue() == null, cursor.isDeleted());
            assertEntry(each, cursor.version());
            assertEntry(each, cursor.version());
            assertEntry(each, finder.entry(each.getKey()));
        }
        assertFalse(cursor.next());
        assertFalse(cursor.next());
    }

    private static void assertAnyOrder(Random random, TreeMap<Long, EntryRecord> entries, EntryFile opened) {
        EntryFinder finder = opened.finder(IdSet.EMPTY);
        List<Long> ids = new ArrayList<>(entries.keySet());
        long last = ids.isEmpty() ? 20 : entries.lastKey() + 3;
        for (int i = 0; i < 200; i++) {
            long id = random.nextInt(3) == 0 || ids.isEmpty() ? (long) (random.nextDouble() * last)
                    : ids.get(random.nextInt(ids.size())) + random.nextInt(2);
            EntryVersion expected = entries.containsKey(id) ? new EntryVersion(entries.get(id)) : null;
            assertEquals("entry " + id, expected, finder.entry(id));
            assertEquals("entry " + id, expected, opened.entry(id));
            EntryVersionCursor from = opened.entries(id);
            Map.Entry<Long, EntryRecord> next = entries.ceilingEntry(id);
            assertEquals("from " + id, next != null, from.next());
            if (next != null) {
                assertEquals((long) next.getKey(), from.id());
                assertEntry(next, from.version());
            }
        }
    }

    @Test
    public void codedEntriesAreSmall() throws IOException {
        TreeMap<Long, EntryRecord> entries = new TreeMap<>();
        for (long id = 1; id <= 2000; id++) {
            entries.put(id, EntryRecord.of(2, utf8("uid=user." + id), List.of(attribute("objectClass", "top", "person", "inetOrgPerson"),
                    attribute("uid", "user." + id), attribute("mail", "user." + id + "@example.com"), attribute("l", "Berlin")),
                    List.of(attribute("createTimestamp", "20261127130501Z"))));
        }
        long plain = write(EntryCodec.NONE, entries).fileBytes();
        long coded = write(EntryCodec.CODED, entries).fileBytes();
        assertTrue(coded + " bytes, " + plain + " as records", coded < plain / 4);
        // Two values of their own, of which one has a common ending; shape, parent, codes, check and place.
        assertTrue(coded / 2000 + " bytes each", coded < 2000 * (2 * 9 + 20));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static Attribute attribute(String description, String... values) {
        return new Attribute(description, Arrays.stream(values).map(EntryFileTest::utf8).toList());
    }

    @Test
    public void theBytesAreTheDocumentedOnes() throws IOException {
        TreeMap<Long, EntryRecord> entries = new TreeMap<>();
        for (long id = 1; id <= 4; id++) {
            entries.put(id, EntryRecord.of(7, utf8("cn=" + "abcd".charAt((int) id - 1)), List.of(attribute("cn", "" + "abcd".charAt((int) id - 1)),
                    attribute("l", "x"), attribute("mail", "m" + id + "@x.org")), List.of(attribute("modifyTimestamp", "20261127130501Z"))));
        }
        entries.put(9L, null);
        write(new EntryEncoder(EntryCodec.CODED, 0), entries);
        String expected = """
                414c444552454e54 0001 10 0000000000
                0000000000000005 0000000000000001 00000000000000b5 000000000000005c 0000000000000111 00000000 25a69be1
                02 07 01 05 04 04 20 e601 61 78 6d3140782e6f7267 126d69490d85 f9ab9253
                02 07 01 05 04 04 20 e601 62 78 6d3240782e6f7267 126d69490d85 cdd6361e
                02 07 01 05 04 01 03 02 05 63 6d33 806dbaf9
                02 07 01 05 04 01 03 02 05 64 6d34 b2691340
                01 00000001 00000002 00000003 00000008 005a 003d 0020 0010 0000
                01 04 03 02 636e 01 01 6c 01 04 6d61696c 01 0f 6d6f6469667954696d657374616d70 01
                02 0a 300804016c3103040178 26 3024040f6d6f6469667954696d657374616d703111040f32303236313132373133303530315a
                01 06 40782e6f7267
                0000000000000001 000000000000009a
                """;
        assertEquals(expected.replaceAll("\\s", ""), HexFormat.of().formatHex(Files.readAllBytes(file())));
    }

    @Test
    public void aFlippedByteIsFoundWhereItMatters() throws IOException {
        Random random = Seed.random(EntryFileTest.class);
        TreeMap<Long, EntryRecord> entries = randomEntries(random);
        entries.put(IdSet.MAX_ID, new SampleRecords(random).next());
        TableSummary summary = write(EntryCodec.CODED, entries);
        byte[] good = Files.readAllBytes(file());
        for (int i = 0; i < 300; i++) {
            byte[] flipped = good.clone();
            int at = random.nextInt(good.length);
            flipped[at] ^= (byte) (1 << random.nextInt(8));
            Files.write(file(), flipped);
            try (EntryFile opened = EntryFile.open(file(), summary)) {
                int wrong = 0;
                for (Map.Entry<Long, EntryRecord> each : entries.entrySet()) {
                    wrong += isFound(opened, each) ? 0 : 1;
                }
                assertTrue("byte " + at, wrong > 0 || cannotBeWalked(opened));
            } catch (TableCorruptException e) {
                assertEquals(file(), e.file());
            }
        }
    }

    /** The same entry, or an error: never another one. */
    private boolean isFound(EntryFile opened, Map.Entry<Long, EntryRecord> entry) {
        try {
            EntryVersion found = opened.entry(entry.getKey());
            if (found != null && !(found.isDeleted() && entry.getValue() != null)) {
                assertEntry(entry, found);
                return true;
            }
            return false;
        } catch (TableCorruptException e) {
            assertEquals(file(), e.file());
            return false;
        }
    }

    private static boolean cannotBeWalked(EntryFile opened) {
        EntryVersionCursor cursor = opened.entries(0);
        try {
            while (cursor.next()) {
                cursor.version();
            }
            return false;
        } catch (TableCorruptException e) {
            return true;
        }
    }

    /** BER allows lengths in more bytes than they need; no record of this program has any. */
    @Test
    public void aRecordWithOtherLengthsThanTheShortestIsKeptAsItIs() throws IOException {
        byte[] record = HexFormat.of().parseHex("01020463 6e3d780b".replace(" ", "") + "300904 02636e31 0304 0178".replace(" ", ""));
        byte[] longer = HexFormat.of().parseHex("0102" + "04636e3d78" + "0d" + "30810a" + "0402636e" + "310404" + "810178");
        TreeMap<Long, EntryRecord> entries = new TreeMap<>();
        entries.put(3L, EntryRecord.of(record));
        entries.put(4L, EntryRecord.of(longer));
        TableSummary summary = write(EntryCodec.CODED, entries);
        try (EntryFile opened = EntryFile.open(file(), summary)) {
            assertArrayEquals(record, opened.entry(3).record().bytes());
            assertArrayEquals(longer, opened.entry(4).record().bytes());
        }
    }

    @Test
    public void anUnfinishedFileIsRemovedAndAnEmptyOneIsRead() throws IOException {
        try (EntryFileWriter writer = new EntryFileWriter(SystemDisk.INSTANCE, file(), EntryCodec.CODED)) {
            writer.add(1, new SampleRecords(new Random(1)).next());
        }
        assertFalse(Files.exists(file()));
        TableSummary summary = write(EntryCodec.CODED, new TreeMap<>());
        EntryFile opened = EntryFile.open(file(), summary);
        assertNull(opened.entry(1));
        assertFalse(opened.entries(0).next());
        opened.close();
        assertThrows(IllegalStateException.class, () -> opened.entry(1));
    }

    @Test
    public void aCursorOfAClosedFileSaysSo() throws IOException {
        TreeMap<Long, EntryRecord> entries = new TreeMap<>();
        entries.put(1L, new SampleRecords(new Random(1)).next());
        EntryFile opened = EntryFile.open(file(), write(EntryCodec.CODED, entries));
        EntryVersionCursor cursor = opened.entries(0);
        opened.close();
        assertEquals("entry file " + file() + " is closed", assertThrows(IllegalStateException.class, cursor::next).getMessage());
    }
}
