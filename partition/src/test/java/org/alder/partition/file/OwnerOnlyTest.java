package org.alder.partition.file;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class OwnerOnlyTest {
    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();
    private Path root;

    @Before
    public void needsPermissions() {
        root = temporary.getRoot().toPath();
        assumeTrue(root.getFileSystem().supportedFileAttributeViews().contains("posix"));
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    public void filesAndAllFoldersThatAreMadeAreTheOwnersAlone() throws IOException {
        Path folder = root.resolve("a/b");
        Folders.create(folder);
        Path file = folder.resolve("f");
        Files.createFile(file, OwnerOnly.file(file));
        assertEquals("rwx------", permissions(root.resolve("a")));
        assertEquals("rwx------", permissions(folder));
        assertEquals("rw-------", permissions(file));
    }

    @Test
    public void foldersThatAreThereKeepTheirPermissions() throws IOException {
        Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-x---"));
        assertFalse(OwnerOnly.isOpenToOthers(root));
        Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-x--x"));
        assertTrue(OwnerOnly.isOpenToOthers(root));
        Folders.create(root.resolve("c"));
        assertEquals("rwxr-x--x", permissions(root));
    }

    @Test
    public void aFolderThatCannotBeMadeIsNamed() throws IOException {
        Path file = Files.createFile(root.resolve("f"));
        IOException refusal = assertThrows(IOException.class, () -> Folders.create(file.resolve("below/it")));
        assertEquals(file + " is there already, and is not a folder", refusal.getMessage());
        assumeTrue(Files.isDirectory(Path.of("/proc")));
        refusal = assertThrows(IOException.class, () -> Folders.create(Path.of("/proc/alder")));
        assertTrue(refusal.getMessage(), refusal.getMessage().startsWith("the folder /proc/alder cannot be made: "));
    }
}
