package org.alder.server.warmup;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.alder.partition.jdbm.disk.AtomicFile;
import org.alder.partition.testing.Seed;
import org.alder.server.cli.ServerProcess;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** What was in use before is noted, and read at the next start; what is noted wrongly does no harm. */
public class PageMemoryTest {
    private static final int UNITS = 100;

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();
    private Path folder;
    private Path list;

    @Before
    public void nameFiles() throws IOException {
        folder = temporary.newFolder("partitions").toPath();
        list = temporary.getRoot().toPath().resolve("hot-pages");
    }

    private static BitSet units(int... units) {
        BitSet set = new BitSet();
        for (int unit : units) {
            set.set(unit);
        }
        return set;
    }

    private PageMemory memory(boolean on) {
        return PageMemory.start(folder, list, AtomicFile.onDisk(), on);
    }

    private Path file(String name) throws IOException {
        return Files.write(folder.resolve(name), new byte[UNITS * HotPages.UNIT_BYTES]);
    }

    /** docs/format/hot-pages.md */
    @Test
    public void theFormatIsTheDocumentedOne() {
        HotPages pages = new HotPages(new TreeMap<>(Map.of("example/a b", units(0, 1, 2, 4), "example/c", units(7), "none", units())));
        assertEquals("alder hot pages 1\n0-2,4 example/a b\n7 example/c\nend\n", pages.encode());
        assertEquals(pages.plus(HotPages.NONE).units().get("example/a b"), HotPages.parse(pages.encode()).units().get("example/a b"));
    }

    @Test
    public void whatIsWrittenIsRead() {
        Random random = Seed.random(PageMemoryTest.class);
        for (int i = 0; i < 200; i++) {
            Map<String, BitSet> units = new TreeMap<>();
            for (int file = random.nextInt(4); file > 0; file--) {
                BitSet set = units(random.nextInt(1 << random.nextInt(20)));
                for (int run = random.nextInt(20); run > 0; run--) {
                    int first = random.nextInt(5000);
                    set.set(first, first + 1 + random.nextInt(1 + random.nextInt(300)));
                }
                units.put("example/file " + file, set);
            }
            assertEquals(new HotPages(units), HotPages.parse(new HotPages(units).encode()));
        }
    }

    @Test
    public void otherTextsAreRefused() {
        for (String body : List.of("", "0\n", "0 \n", " a\n", "x a\n", "1-0 a\n", "3,2 a\n", "3,3 a\n", "-1 a\n", "0-1073741824 a\n", "99999999999 a\n", "1,,2 a\n",
                "0 /a\n", "0 ../a\n", "0 a/../../b\n", "0 a/./b\n", "0 a\n1 a\n", "0 a")) {
            String text = "alder hot pages 1\n" + body + "end\n";
            if (body.isEmpty()) {
                assertEquals(HotPages.NONE, HotPages.parse(text));
            } else {
                assertThrows(text, IllegalArgumentException.class, () -> HotPages.parse(text));
            }
        }
        for (String text : List.of("", "end\n", "alder hot pages 2\nend\n", "alder hot pages 1\n0 a\n", "alder hot pages 1\n0 a\nend", "alder hot pages 1\nend\nend\n\n")) {
            assertThrows(text, IllegalArgumentException.class, () -> HotPages.parse(text));
        }
    }

    @Test
    public void onlyPagesThatWereReadAreInUse() throws IOException {
        assumeTrue("this system tells which pages are in use", MappedPages.isTold());
        Path file = file("entries with a blank");
        try (FileChannel channel = FileChannel.open(file)) {
            MappedByteBuffer mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
            for (int at = 0; at < HotPages.UNIT_BYTES; at += 4096) {
                assertEquals(0, mapped.get(50 * HotPages.UNIT_BYTES + at));
            }
            HotPages pages = MappedPages.in(folder);
            BitSet units = pages.units().get("entries with a blank");
            assertTrue(pages.toString(), units.get(50));
            assertFalse("far away: " + pages, units.get(5) || units.get(95));
            assertEquals("of other folders nothing", Map.of(), MappedPages.in(temporary.newFolder("part").toPath()).units());
        }
    }

    @Test
    public void whatWasInUseIsReadAhead() throws IOException {
        Path file = file("a");
        Files.writeString(list, "alder hot pages 1\n1-3,40-79,98-200 a\n0-5 gone\nend\n");
        try (PageMemory memory = memory(false)) {
            assertEquals("up to the file's end", (3 + 40 + 2L) * HotPages.UNIT_BYTES, memory.readAhead());
            memory.note();
            assertTrue("it is off", Files.readString(list).contains("gone"));
        }
        Files.delete(file);
        Files.createSymbolicLink(file, list);
        try (PageMemory memory = memory(false)) {
            assertEquals("no link is followed", 0, memory.readAhead());
        }
    }

    @Test
    public void aShortRunKeepsWhatItWasTold() throws IOException {
        assumeTrue("this system tells which pages are in use", MappedPages.isTold());
        file("a");
        Files.writeString(list, "alder hot pages 1\n1-3 a\n0-5 gone\nend\n");
        try (PageMemory memory = memory(true)) {
            memory.note();
        }
        assertEquals("alder hot pages 1\n1-3 a\nend\n", Files.readString(list));
    }

    @Test
    public void aDamagedListIsWrittenAnew() throws IOException {
        assumeTrue("this system tells which pages are in use", MappedPages.isTold());
        Files.write(list, new byte[] {(byte) 0xFF, 0, 1});
        try (PageMemory memory = memory(true)) {
            assertEquals(0, memory.readAhead());
            memory.note();
        }
        assertEquals("alder hot pages 1\nend\n", Files.readString(list));
    }

    @Test
    public void aServerNotesWhatItUsed() throws Exception {
        assumeTrue("this system tells which pages are in use", MappedPages.isTold());
        Path data = temporary.getRoot().toPath().resolve("data");
        ServerProcess.start(data, "--sample", 50).close();
        String noted = Files.readString(data.resolve("hot-pages"));
        assertTrue(noted, HotPages.parse(noted).units().keySet().stream().anyMatch(path -> path.matches("example/segment-\\d+/.*")));
    }
}
