package org.alder.partition.jdbm.table;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.alder.partition.jdbm.block.BigEndian;
import org.alder.partition.jdbm.block.BlockCodec;
import org.alder.partition.jdbm.block.TableLimits;
import org.alder.partition.jdbm.block.TableSettings;
import org.alder.partition.jdbm.block.TableSummary;
import org.alder.partition.jdbm.disk.SystemDisk;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** What a writer refuses, and what it leaves behind. */
public class TableWriterTest {

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private Path file(String name) {
        return folder.getRoot().toPath().resolve(name);
    }

    @Test
    public void keysMustAscendAndTheMessageNamesBoth() throws IOException {
        try (TableWriter writer = TableWriter.create(SystemDisk.INSTANCE, file("t.db"), TableSettings.index())) {
            writer.append(new byte[] {0x12, (byte) 0xfe}, new byte[0]);
            byte[][] notAbove = {{0x12, (byte) 0xfe}, {0x12, (byte) 0xfd}, {0x12}, {0x11, 0x33}};
            for (byte[] key : notAbove) {
                IllegalArgumentException e =
                    assertThrows(IllegalArgumentException.class, () -> writer.append(key, new byte[0]));
                assertTrue(e.getMessage(), e.getMessage().endsWith("is not above the key before it, 12fe"));
            }
            writer.append(new byte[] {(byte) 0x80}, new byte[] {1});
            assertEquals(2, writer.finish().pairCount());
        }
        try (Table table = Table.open(file("t.db"))) {
            assertArrayEquals(new byte[] {1}, table.get(new byte[] {(byte) 0x80}));
        }
    }

    @Test
    public void keysAndValuesHaveLimits() throws IOException {
        try (TableWriter writer = TableWriter.create(SystemDisk.INSTANCE, file("t.db"), TableSettings.index())) {
            byte[] longestKey = new byte[TableLimits.MAX_KEY_BYTES];
            byte[] longestValue = new byte[TableLimits.MAX_VALUE_BYTES];
            assertThrows(IllegalArgumentException.class, () -> writer.append(new byte[0], new byte[0]));
            assertThrows(IllegalArgumentException.class,
                () -> writer.append(new byte[longestKey.length + 1], new byte[0]));
            assertThrows(IllegalArgumentException.class,
                () -> writer.append(longestKey, new byte[longestValue.length + 1]));
            writer.append(longestKey, longestValue);
            writer.finish();
        }
        try (Table table = Table.open(file("t.db"))) {
            assertEquals(TableLimits.MAX_VALUE_BYTES, table.get(new byte[TableLimits.MAX_KEY_BYTES]).length);
        }
    }

    @Test
    public void anUnfinishedTableIsDeletedAndAFinishedOneIsNot() throws IOException {
        TableWriter unfinished = TableWriter.create(SystemDisk.INSTANCE, file("a.db"), TableSettings.index());
        unfinished.append(new byte[] {1}, new byte[2_000_000]);
        unfinished.close();
        unfinished.close();
        assertFalse(Files.exists(file("a.db")));
        assertThrows(IllegalStateException.class, () -> unfinished.append(new byte[] {2}, new byte[0]));
        assertThrows(IllegalStateException.class, unfinished::finish);

        TableWriter finished = TableWriter.create(SystemDisk.INSTANCE, file("b.db"), TableSettings.index());
        TableSummary summary = finished.finish();
        assertThrows(IllegalStateException.class, finished::finish);
        finished.close();
        assertEquals(summary.fileBytes(), Files.size(file("b.db")));
        try (var files = Files.list(folder.getRoot().toPath())) {
            assertEquals(1, files.count());
        }
    }

    @Test
    public void namesAndExistingFilesAreRefused() throws IOException {
        assertThrows(IllegalArgumentException.class, () -> TableWriter.create(SystemDisk.INSTANCE, file("t.table"),
                TableSettings.index()));
        Files.write(file("old.db"), new byte[] {1, 2, 3});
        assertThrows(FileAlreadyExistsException.class, () -> TableWriter.create(SystemDisk.INSTANCE, file("old.db"),
                TableSettings.index()));
        assertArrayEquals(new byte[] {1, 2, 3}, Files.readAllBytes(file("old.db")));
        assertThrows(IOException.class, () -> TableWriter.create(SystemDisk.INSTANCE, file("no/such/folder.db"),
                TableSettings.index()));
    }

    @Test
    public void settingsHaveRanges() {
        assertThrows(IllegalArgumentException.class, () -> TableSettings.index().withBlockBytes(255));
        assertThrows(IllegalArgumentException.class, () -> TableSettings.index().withBlockBytes((1 << 20) + 1));
        assertThrows(IllegalArgumentException.class, () -> TableSettings.index().withZstd(0, new byte[0]));
        assertThrows(IllegalArgumentException.class,
            () -> new TableSettings(4096, BlockCodec.LZ4, 3, new byte[] {1}));
    }

    @Test
    public void theFileIsNotTwiceItsContents() throws IOException {
        long contents = 0;
        TableSummary summary;
        try (TableWriter writer = TableWriter.create(SystemDisk.INSTANCE, file("t.db"),
                TableSettings.index().withCodec(BlockCodec.NONE))) {
            for (int i = 0; i < 20_000; i++) {
                writer.append(BigEndian.ofLong(i), new byte[700]);
                contents += 708;
            }
            summary = writer.finish();
        }
        assertTrue(summary.fileBytes() + " bytes for " + contents, summary.fileBytes() < contents * 1.05);
    }
}
