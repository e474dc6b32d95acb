package org.alder.partition.jdbm.key;

import static org.junit.Assert.assertEquals;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.alder.partition.jdbm.disk.DiskFile;
import org.alder.partition.jdbm.disk.SystemDisk;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class BlockListTest {
    private static final int BUFFERED = BlockList.BUFFER_BYTES / Long.BYTES;
    private static final int POSITION = 40;

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    @Test
    public void allComeOutInTheirOrder() throws IOException {
        for (int count : new int[] {0, 1, 300, BUFFERED, BUFFERED + 1, 3 * BUFFERED, 3 * BUFFERED + 77}) {
            Path scratch = folder.getRoot().toPath().resolve("scratch" + count);
            Path file = folder.getRoot().toPath().resolve("target" + count);
            try (BlockList blocks = new BlockList(SystemDisk.INSTANCE, scratch);
                    DiskFile target = SystemDisk.INSTANCE.create(file)) {
                for (int i = 0; i < count; i++) {
                    blocks.add(i * 3L);
                }
                assertEquals(count, blocks.count());
                blocks.writeTo(target, POSITION);
                assertEquals("after writing too", count, blocks.count());
            }
            assertEquals(count == 0 ? 0 : POSITION + count * 8L, Files.size(file));
            ByteBuffer written = ByteBuffer.wrap(Files.readAllBytes(file));
            for (int i = 0; i < count; i++) {
                assertEquals(i * 3L, written.getLong(POSITION + i * Long.BYTES));
            }
            assertEquals("the scratch file is gone", false, Files.exists(scratch));
        }
    }
}
