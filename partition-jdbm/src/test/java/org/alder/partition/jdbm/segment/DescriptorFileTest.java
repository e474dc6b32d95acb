package org.alder.partition.jdbm.segment;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32C;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.block.TableSummary;
import org.alder.partition.jdbm.disk.SystemDisk;
import org.alder.partition.jdbm.segment.SegmentDescriptor.IndexTable;
import org.alder.partition.store.EntryIndexer.IndexSpec;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class DescriptorFileTest {
    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private Path folder() {
        return temporary.getRoot().toPath();
    }

    private Path file() {
        return folder().resolve(SegmentDescriptor.FILE_NAME);
    }

    private static SegmentDescriptor descriptor(IndexSpec... specs) {
        TableSummary master = new TableSummary(12, 3, 2500, 1000, new int[] {1, -2, 0x7FFF_FFFF});
        List<IndexTable> indexes = Arrays.stream(specs)
                .map(spec -> new IndexTable(spec, new TableSummary(5, 1, 8192, 1 << 20, new int[] {0}), keys(spec))).toList();
        return new SegmentDescriptor(SegmentDescriptor.VERSION, new SequenceRange(5, 99), 10, 2, 7, 4_000_000_000L, master, null,
                new TableSummary(12, 1, 150, 1 << 20, new int[] {7}), indexes);
    }

    private static TableSummary keys(IndexSpec spec) {
        return spec.primaryKey() ? new TableSummary(5, 1, 900, 1 << 20, new int[] {3}) : null;
    }

    private static SegmentDescriptor descriptor() {
        return descriptor(new IndexSpec("hierarchy", 1000, true), new IndexSpec("cn.sub;lang-de", 0));
    }

    @Test
    public void whatIsWrittenIsRead() throws IOException {
        SegmentDescriptor written = descriptor();
        DescriptorFile.write(SystemDisk.INSTANCE, folder(), written);
        SegmentDescriptor read = DescriptorFile.read(folder());
        assertEquals(written.toString().replaceAll("\\[I@[0-9a-f]+", ""), read.toString().replaceAll("\\[I@[0-9a-f]+", ""));
        assertArrayEquals(written.master().regionCrc32c(), read.master().regionCrc32c());
        assertEquals(List.of("hierarchy", "cn.sub;lang-de"), read.indexNames());
        assertEquals(2500 + 150 + 2 * 8192 + 900, read.diskBytes());
    }

    @Test
    public void theTextIsTheDocumentedOne() throws IOException {
        DescriptorFile.write(SystemDisk.INSTANCE, folder(), descriptor(new IndexSpec("hierarchy", 1000, true)));
        String text = Files.readString(file());
        String body = """
                alder-segment 4
                sequences 5 99
                entries 10
                tombstones 2
                ids 7 4000000000
                master 12 3 2500 1000 00000001 fffffffe 7fffffff
                names 12 1 150 1048576 00000007
                index hierarchy 1000 5 1 8192 1048576 00000000
                keys 5 1 900 1048576 00000003
                crc32c 93680de4
                """;
        assertEquals(body, text);
    }

    private static String checksumLine(String body) {
        CRC32C sum = new CRC32C();
        sum.update(body.getBytes(StandardCharsets.UTF_8));
        return "crc32c " + HexFormat.of().toHexDigits((int) sum.getValue()) + "\n";
    }

    private StoreException assertCorrupt() {
        StoreException refused = assertThrows(StoreException.class, () -> DescriptorFile.read(folder()));
        assertEquals(StoreException.Kind.CORRUPT, refused.kind());
        assertTrue(refused.getMessage(), refused.getMessage().contains(file().toString()));
        return refused;
    }

    @Test
    public void aMissingDescriptorIsNamed() {
        assertTrue(assertCorrupt().getMessage().contains("missing"));
    }

    @Test
    public void everyFlippedBitAndEveryTruncationIsFound() throws IOException {
        DescriptorFile.write(SystemDisk.INSTANCE, folder(), descriptor());
        byte[] good = Files.readAllBytes(file());
        for (int at = 0; at < good.length; at++) {
            byte[] flipped = good.clone();
            flipped[at] ^= (byte) (1 << at % 8);
            Files.write(file(), flipped);
            assertCorrupt();
            Files.write(file(), Arrays.copyOf(good, at));
            assertCorrupt();
        }
    }

    private void assertBodyRefused(String part, String body) throws IOException {
        Files.writeString(file(), body + checksumLine(body));
        String message = assertCorrupt().getMessage();
        assertTrue(message, message.contains(part));
    }

    @Test
    public void aMalformedBodyWithARightChecksumIsRefused() throws IOException {
        DescriptorFile.write(SystemDisk.INSTANCE, folder(), descriptor());
        String text = Files.readString(file());
        String body = text.substring(0, text.indexOf("crc32c"));
        assertBodyRefused("format version 1", body.replace("alder-segment 4", "alder-segment 1"));
        assertBodyRefused("expected \"alder-segment\"", "alder-store 1\n");
        assertBodyRefused("line 1", "");
        assertBodyRefused("line 3", body.replace("entries 10", "entries ten"));
        assertBodyRefused("line 5", body.replace("ids 7 4000000000\n", ""));
        assertBodyRefused("2 checksums for 2500 bytes", body.replace("fffffffe ", ""));
        assertBodyRefused("sequence range", body.replace("sequences 5", "sequences 500"));
        assertBodyRefused("no file name", body.replace("cn.sub", "../cn"));
        assertBodyRefused("two indexes", body.replace("cn.sub;lang-de", "Hierarchy"));
        assertBodyRefused("threshold -1", body.replace("hierarchy 1000", "hierarchy -1"));
        assertBodyRefused("line 11", body + "more\n");
        assertBodyRefused("line 8", body.replaceAll("index hierarchy.*\n", ""));
    }
}
