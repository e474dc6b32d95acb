package org.alder.partition.jdbm.name;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.alder.partition.entry.StoredName;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.block.TableCorruptException;
import org.alder.partition.jdbm.block.TableSummary;
import org.alder.partition.jdbm.disk.SystemDisk;
import org.alder.partition.testing.Seed;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class NameColumnTest {
    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private Path file() {
        return temporary.getRoot().toPath().resolve("master" + NameColumn.FILE_SUFFIX);
    }

    private static StoredName name(long parent, String rdn) {
        return StoredName.of(parent, rdn.getBytes(StandardCharsets.UTF_8));
    }

    /** @param names null for an entry that is deleted */
    private TableSummary write(Map<Long, StoredName> names) throws IOException {
        Files.deleteIfExists(file());
        try (NameColumnWriter writer = new NameColumnWriter(SystemDisk.INSTANCE, file())) {
            for (Map.Entry<Long, StoredName> each : names.entrySet()) {
                writer.add(each.getKey(), each.getValue());
            }
            return writer.finish();
        }
    }

    private static void assertName(String about, StoredName expected, StoredName found) {
        if (expected == null || expected.rdnLength() > NameFormat.MAX_NAME_BYTES) {
            assertSame(about, expected == null ? NameColumn.DELETED : NameColumn.ELSEWHERE, found);
            return;
        }
        assertEquals(about, expected.parentId(), found.parentId());
        assertEquals(about, expected.rdn(), found.rdn());
    }

    private static String problem(Path file, TableSummary summary, Map<Long, StoredName> names) throws IOException {
        NameColumnCheck check = new NameColumnCheck(file, summary);
        names.forEach(check::entry);
        return check.problem() == null ? null : check.problem().getMessage();
    }

    private static TreeMap<Long, StoredName> randomNames(Random random) {
        TreeMap<Long, StoredName> names = new TreeMap<>();
        long id = 0;
        int gap = 1 + random.nextInt(5);
        for (int i = random.nextInt(400); i > 0; i--) {
            id += random.nextInt(20) == 0 ? 1 + random.nextInt(100_000) : 1 + random.nextInt(gap);
            int length = random.nextInt(50) == 0 ? random.nextInt(2 * NameFormat.MAX_NAME_BYTES) : random.nextInt(40);
            String rdn = "uid=" + "\u00e9x".repeat(random.nextInt(2)) + (random.nextBoolean() ? "user." + id : "q".repeat(length) + id);
            names.put(id, random.nextInt(15) == 0 ? null : name(random.nextInt(3) == 0 ? random.nextInt(1 << 20) : 7, rdn));
        }
        if (random.nextInt(3) == 0) {
            names.put(0xFFFF_FFFFL, name(0xFFFF_FFFEL, "cn=last"));
        }
        return names;
    }

    @Test
    public void whatIsWrittenIsFoundInAnyOrder() throws IOException {
        Random random = Seed.random(NameColumnTest.class);
        for (int round = 0; round < 100; round++) {
            TreeMap<Long, StoredName> names = randomNames(random);
            TableSummary summary = write(names);
            assertEquals(names.size(), summary.pairCount());
            assertNull(problem(file(), summary, names));
            NameColumn column = NameColumn.open(file(), summary);
            NameReader ascending = column.reader();
            NameReader anyOrder = column.reader();
            int skipped = 1 + random.nextInt(20);
            long last = names.isEmpty() ? 20 : names.lastKey() + 3;
            for (Map.Entry<Long, StoredName> each : names.entrySet()) {
                if (random.nextInt(skipped) == 0) {
                    assertName("entry " + each.getKey(), each.getValue(), ascending.name(each.getKey()));
                }
            }
            for (int i = 0; i < 200; i++) {
                long id = random.nextInt(3) == 0 || names.isEmpty() ? (long) (random.nextDouble() * last)
                        : new ArrayList<>(names.keySet()).get(random.nextInt(names.size())) + random.nextInt(2);
                if (names.containsKey(id)) {
                    assertName("entry " + id, names.get(id), anyOrder.name(id));
                } else {
                    assertNull("entry " + id, anyOrder.name(id));
                }
            }
        }
    }

    @Test
    public void theBytesAreTheDocumentedOnes() throws IOException {
        TreeMap<Long, StoredName> names = new TreeMap<>();
        names.put(1L, name(0, "dc=x"));
        names.put(2L, name(1, "ou=a"));
        names.put(5L, name(2, "uid=ab"));
        names.put(6L, name(2, "uid=ac"));
        names.put(7L, null);
        TableSummary summary = write(names);
        byte[] expected = HexFormat.of().parseHex("414c4445524e414d" + "0001" + "10" + "0000000000" + "0000000000000005" + "00000001" + "00000000"
                + "000000000000004c" + "933545fc" + "00000000"
                + "40" + "00" + "04" + "64633d78"
                + "40" + "01" + "04" + "6f753d61"
                + "c0" + "03" + "02" + "06" + "7569643d6162"
                + "05" + "01" + "63"
                + "20"
                + "00000001" + "00000030");
        assertEquals(HexFormat.of().formatHex(expected), HexFormat.of().formatHex(Files.readAllBytes(file())));
        assertArrayEquals(expected, Files.readAllBytes(file()));
        assertEquals(expected.length, summary.fileBytes());
    }

    @Test
    public void anEmptyColumnKnowsNoName() throws IOException {
        TableSummary summary = write(new TreeMap<>());
        assertNull(NameColumn.open(file(), summary).reader().name(1));
        assertNull(problem(file(), summary, Map.of()));
    }

    @Test
    public void whatIsNotThatOfTheEntriesIsNamed() throws IOException {
        TreeMap<Long, StoredName> names = new TreeMap<>();
        for (long id = 1; id <= 40; id++) {
            names.put(id, name(1, "uid=user." + id));
        }
        TableSummary summary = write(names);
        TreeMap<Long, StoredName> other = new TreeMap<>(names);
        other.put(20L, name(2, "uid=user.20"));
        assertTrue(problem(file(), summary, other).contains("entry 20 has another name"));
        other.put(20L, null);
        assertTrue(problem(file(), summary, other).contains("entry 20 has another name"));
        other.remove(20L);
        assertTrue(problem(file(), summary, other).contains("found the entry 20, expected 21"));
        other = new TreeMap<>(names);
        other.remove(40L);
        assertTrue(problem(file(), summary, other).contains("more names"));
        other = new TreeMap<>(names);
        other.put(41L, null);
        assertTrue(problem(file(), summary, other).contains("ends before entry 41"));
    }

    @Test
    public void everyFlippedByteAndTruncationIsFoundBeforeANameIsTold() throws IOException {
        TreeMap<Long, StoredName> names = new TreeMap<>();
        for (long id = 1; id <= 100; id++) {
            names.put(id, name(id / 10, "uid=user." + id));
        }
        TableSummary summary = write(names);
        byte[] good = Files.readAllBytes(file());
        Random random = Seed.random(NameColumnTest.class);
        for (int at = 0; at < good.length; at++) {
            byte[] flipped = good.clone();
            flipped[at] ^= (byte) (1 << random.nextInt(8));
            Files.write(file(), flipped);
            assertThrows("byte " + at, TableCorruptException.class, () -> NameColumn.open(file(), summary).reader().name(50));
        }
        for (int length = 0; length < good.length; length += 7) {
            Files.write(file(), Arrays.copyOf(good, length));
            assertThrows("length " + length, TableCorruptException.class, () -> NameColumn.open(file(), summary).reader().name(50));
        }
    }

    @Test
    public void aRegionIsComparedWhenItIsFirstRead() throws IOException {
        TreeMap<Long, StoredName> names = new TreeMap<>();
        for (long id = 1; id <= 30_000; id++) {
            names.put(id, name(1, "cn=" + Long.toHexString(id * 0x9E3779B97F4A7C15L).repeat(6)));
        }
        TableSummary summary = write(names);
        assertTrue("three regions", summary.regionCrc32c().length >= 3);
        byte[] bytes = Files.readAllBytes(file());
        bytes[summary.regionBytes() + 5] ^= 1;
        Files.write(file(), bytes);
        NameColumn column = NameColumn.open(file(), summary);
        assertName("in the first region", names.get(1L), column.reader().name(1));
        NameReader reader = column.reader();
        StoreException found = assertThrows(StoreException.class, () -> names.keySet().forEach(reader::name));
        assertTrue(found.getMessage(), found.getMessage().contains(file() + " at offset " + summary.regionBytes()));
        assertName("as before", names.get(1L), reader.name(1));
    }

    @Test
    public void aClosedColumnIsNotRead() throws IOException {
        NameColumn column = NameColumn.open(file(), write(new TreeMap<>(Map.of(1L, name(0, "dc=x")))));
        NameReader reader = column.reader();
        assertEquals("dc=x", reader.name(1).rdn());
        column.close();
        assertThrows(IllegalStateException.class, () -> reader.name(1));
    }

    @Test
    public void withoutAnEndThereIsNoFile() throws IOException {
        try (NameColumnWriter writer = new NameColumnWriter(SystemDisk.INSTANCE, file())) {
            for (long id = 1; id <= 5000; id++) {
                writer.add(id, name(1, "cn=" + "x".repeat(100) + id));
            }
        }
        assertTrue(Files.notExists(file()));
        assertEquals(0, temporary.getRoot().list().length);
    }
}
