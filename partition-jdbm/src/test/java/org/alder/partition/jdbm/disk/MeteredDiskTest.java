package org.alder.partition.jdbm.disk;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class MeteredDiskTest {
    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private long told;

    private Path file() {
        return folder.getRoot().toPath().resolve("file");
    }

    @Test
    public void whatIsReadAndWrittenIsTold() throws IOException {
        Disk disk = new MeteredDisk(SystemDisk.INSTANCE, bytes -> told += bytes);
        try (DiskFile file = disk.create(file())) {
            file.write(ByteBuffer.wrap(new byte[1000]), 0);
            assertEquals(1000, told);
            file.read(ByteBuffer.allocate(600), 500);
        }
        assertEquals("as much as there was to read", 1500, told);
    }

    @Test
    public void whatOthersWriteIsToldByTheGrowthOfTheFile() throws IOException {
        Disk disk = new MeteredDisk(SystemDisk.INSTANCE, bytes -> told += bytes);
        disk.create(file()).close();
        for (int i = 0; i < 5; i++) {
            disk.willWrite(file());
            assertEquals(i * 100L, told);
            Files.write(file(), new byte[100], StandardOpenOption.APPEND);
        }
        disk.open(file(), true).close();
        assertEquals(500, told);
        disk.open(file(), true).close();
        assertEquals("only once", 500, told);
    }

    @Test
    public void aLargeFileIsSyncedWhileItGrows() throws IOException {
        FaultyDisk counting = FaultyDisk.sound();
        Disk disk = new MeteredDisk(counting, bytes -> told += bytes);
        disk.create(file()).close();
        long before = counting.changes();
        for (int i = 0; i <= 16; i++) {
            disk.willWrite(file());
            Files.write(file(), new byte[1 << 20], StandardOpenOption.APPEND);
        }
        assertEquals("17 slices and 4 syncs", 21, counting.changes() - before);
    }

    @Test
    public void aFaultOfTheDiskBelowIsPassedOn() throws IOException {
        Disk disk = new MeteredDisk(new FaultyDisk(2, FaultyDisk.Fault.ONCE), bytes -> told += bytes);
        disk.create(file()).close();
        IOException fault = assertThrows(IOException.class, () -> disk.willWrite(file()));
        assertTrue(fault.getMessage(), fault.getMessage().contains(file().toString()));
    }
}
