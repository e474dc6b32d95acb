package org.alder.partition.jdbm.folder;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.disk.FaultyDisk;
import org.alder.partition.jdbm.disk.SystemDisk;
import org.alder.partition.jdbm.segment.SequenceRange;
import org.alder.partition.jdbm.store.TestIndexer;
import org.alder.partition.store.EntryIndexer.IndexSpec;
import org.alder.partition.store.SystemRecords;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class ManifestFileTest {
    private static final Manifest EMPTY = Manifest.empty(new UUID(1, 2), new TestIndexer("cn"));
    private static final Manifest SAMPLE = new Manifest(new UUID(1, 2), 3, 0xFFFF_FFFFL, 77, 99, 100, 8, "a b",
            List.of(new IndexSpec("hierarchy", 1000), new IndexSpec("cn", 1)),
            List.of(new Manifest.SegmentEntry(4, new SequenceRange(1, 60)),
            new Manifest.SegmentEntry(7, new SequenceRange(61, 99))));
    private static final Manifest WITH_RECORDS = SAMPLE.flushed(new Manifest.SegmentEntry(8, new SequenceRange(100, 100)), 9, 1,
            SystemRecords.of(Map.of("a/b", new byte[] {1, 2, 3, 4}, "c", new byte[0])), 101);

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private Path folder() {
        return temporary.getRoot().toPath();
    }

    @Test
    public void whatIsWrittenIsRead() throws IOException {
        assertNull(ManifestFile.read(folder()));
        for (Manifest manifest : List.of(EMPTY, SAMPLE, SAMPLE.sharing(new Manifest.Shared(2, 7)), WITH_RECORDS,
                WITH_RECORDS.sharing(new Manifest.Shared(2, 7)))) {
            ManifestFile.write(SystemDisk.INSTANCE, folder(), manifest);
            assertEquals(manifest, ManifestFile.read(folder()));
        }
    }

    @Test
    public void everyFlippedByteAndEveryTruncationIsRefused() throws IOException {
        for (Manifest manifest : List.of(SAMPLE, SAMPLE.sharing(new Manifest.Shared(2, 7)), WITH_RECORDS)) {
            everyFlippedByteAndEveryTruncationIsRefused(manifest);
        }
    }

    private void everyFlippedByteAndEveryTruncationIsRefused(Manifest manifest) throws IOException {
        ManifestFile.write(SystemDisk.INSTANCE, folder(), manifest);
        Path file = folder().resolve("MANIFEST");
        byte[] whole = Files.readAllBytes(file);
        for (int i = 0; i < whole.length; i++) {
            byte[] damaged = whole.clone();
            damaged[i] ^= 1;
            assertRefused(file, damaged);
            assertRefused(file, Arrays.copyOf(whole, i));
        }
        assertRefused(file, Arrays.copyOf(whole, whole.length + 1));
    }

    private void assertRefused(Path file, byte[] bytes) throws IOException {
        Files.write(file, bytes);
        StoreException e = assertThrows(StoreException.class, () -> ManifestFile.read(folder()));
        assertEquals(StoreException.Kind.CORRUPT, e.kind());
        assertTrue(e.getMessage(), e.getMessage().startsWith(file + ": "));
    }

    @Test
    public void otherVersionsAndUnknownLinesAreRefusedEvenWithTheRightCheck() throws IOException {
        ManifestFile.write(SystemDisk.INSTANCE, folder(), SAMPLE);
        Path file = folder().resolve("MANIFEST");
        String text = Files.readString(file);
        String body = text.substring(0, text.indexOf("crc32c"));
        for (String other : List.of(body.replace("alder-manifest 2", "alder-manifest 3"), body + "extra 1\n", body
                + "segment 1 2\n",
                body.replace("generation", "age"), body.replace("entries 77", "entries x"), body.replace("4 1 60", "4 60 1"),
                "alder-manifest 2\n")) {
            assertRefused(file, checked(other));
        }
    }

    @Test
    public void systemRecordsAreOfVersion4Alone() throws IOException {
        ManifestFile.write(SystemDisk.INSTANCE, folder(), WITH_RECORDS);
        Path file = folder().resolve("MANIFEST");
        String text = Files.readString(file);
        assertTrue(text, text.startsWith("alder-manifest 4\n") && text.contains("\nrecord a/b AQIDBA==\nrecord c \ncrc32c "));
        String body = text.substring(0, text.indexOf("crc32c"));
        for (String other : List.of(body.replace("manifest 4", "manifest 2"), body + "record c AQ==\n", body.replace("AQIDBA", "AQID*A"), body + "record d\n",
                body + "record e f g\n", body.replace("manifest 4", "manifest 5"), body.replace("record c", "record \u00e9"))) {
            assertRefused(file, checked(other));
        }
    }

    private static byte[] checked(String body) {
        CRC32C crc = new CRC32C();
        crc.update(body.getBytes(StandardCharsets.UTF_8));
        return (body + String.format(Locale.ROOT, "crc32c %08x\n", crc.getValue())).getBytes(StandardCharsets.UTF_8);
    }

    @Test
    public void whatTheVersionBeforeWroteIsRead() throws IOException {
        ManifestFile.write(SystemDisk.INSTANCE, folder(), SAMPLE);
        Path file = folder().resolve("MANIFEST");
        String text = Files.readString(file);
        String before = text.substring(0, text.indexOf("crc32c")).replace("alder-manifest 2", "alder-manifest 1");
        Files.write(file, checked(before));
        assertEquals(SAMPLE, ManifestFile.read(folder()));
    }

    @Test
    public void aFailedReplacementLeavesOneOfTheTwoWhole() throws IOException {
        ManifestFile.write(SystemDisk.INSTANCE, folder(), EMPTY);
        boolean failed = true;
        for (int n = 1; failed; n++) {
            try {
                ManifestFile.write(new FaultyDisk(n, FaultyDisk.Fault.FOR_EVER), folder(), SAMPLE);
                failed = false;
            } catch (IOException e) {
                Manifest found = ManifestFile.read(folder());
                assertTrue("fault at " + n, found.equals(EMPTY) || found.equals(SAMPLE));
                ManifestFile.write(SystemDisk.INSTANCE, folder(), EMPTY);
            }
        }
        assertEquals(SAMPLE, ManifestFile.read(folder()));
    }
}
