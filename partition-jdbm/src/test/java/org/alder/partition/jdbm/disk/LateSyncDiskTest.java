package org.alder.partition.jdbm.disk;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class LateSyncDiskTest {
    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private Path file(String name) {
        return folder.getRoot().toPath().resolve(name);
    }

    private void write(Disk disk, String name) throws IOException {
        try (DiskFile file = disk.create(file(name))) {
            file.write(ByteBuffer.wrap(new byte[1000]), 0);
            file.sync();
        }
    }

    @Test
    public void filesAreSyncedWithTheFolder() throws IOException {
        FaultyDisk counting = FaultyDisk.sound();
        Disk disk = new LateSyncDisk(counting);
        write(disk, "a");
        write(disk, "b");
        try (DiskFile again = disk.open(file("a"), true)) {
            again.sync();
        }
        assertEquals("each is made and written", 4, counting.changes());
        disk.syncFolder(folder.getRoot().toPath());
        assertEquals("two files and the folder", 4 + 3, counting.changes());
        disk.syncFolder(folder.getRoot().toPath());
        assertEquals("only once", 4 + 3 + 1, counting.changes());
    }

    @Test
    public void whatIsRemovedIsNotSynced() throws IOException {
        FaultyDisk counting = FaultyDisk.sound();
        Disk disk = new LateSyncDisk(counting);
        write(disk, "a");
        disk.delete(file("a"));
        disk.syncFolder(folder.getRoot().toPath());
        assertEquals("made, written, removed, and the folder", 4, counting.changes());
    }

    @Test
    public void aSyncThatFailsIsTold() throws IOException {
        Disk disk = new LateSyncDisk(new FaultyDisk(3, FaultyDisk.Fault.ONCE));
        write(disk, "a");
        IOException fault = assertThrows(IOException.class, () -> disk.syncFolder(folder.getRoot().toPath()));
        assertEquals("injected fault: sync", fault.getMessage());
    }
}
