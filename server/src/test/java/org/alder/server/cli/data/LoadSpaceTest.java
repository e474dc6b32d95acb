package org.alder.server.cli.data;

import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.alder.server.cli.CommandRun;
import org.alder.server.cli.option.CommandException;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class LoadSpaceTest {
    private static final long GIB = 1L << 30;

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    @Test
    public void tooLittleSpaceIsRefusedWithTheAmounts() throws CommandException {
        Path folder = Path.of("data");
        LoadSpace.require(folder, 2 * GIB, 3 * GIB);
        CommandException refused = assertThrows(CommandException.class, () -> LoadSpace.require(folder, 2 * GIB, 3 * GIB - 1));
        for (String part : List.of("2,048 MiB of LDIF", "3,072 MiB", "data has only 3,071 MiB", "--force")) {
            assertTrue(refused.getMessage(), refused.getMessage().contains(part));
        }
    }

    @Test
    public void sparseFileLargerThanTheDiskIsRefusedAndGzipIsNot() throws IOException, CommandException {
        Path file = temporary.newFile("huge.ldif").toPath();
        try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength(1L << 43);
        }
        Path folder = temporary.getRoot().toPath().resolve("not/there");
        assertThrows(CommandException.class, () -> LoadSpace.require(folder, List.of(file)));
        CommandRun.of("import", "--data", folder, file).fails(1, "--force");
        assertTrue("nothing was made", Files.notExists(folder));
        LoadSpace.require(folder, List.of(file, Path.of("-")));
        Files.write(file, new byte[] {0x1f, (byte) 0x8b});
        LoadSpace.require(folder, List.of(file));
    }
}
