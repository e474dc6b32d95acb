package org.alder.server.assembly;

import static org.junit.Assert.assertEquals;
import static org.junit.Assume.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class DataFolderTest {
    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    /** A data folder that was made with the usual permissions, or by an earlier version, could be read by everybody, silently. */
    @Test
    public void whatOtherUsersCanGetAtIsNamed() throws IOException {
        Path path = temporary.getRoot().toPath();
        assumeTrue(path.getFileSystem().supportedFileAttributeViews().contains("posix"));
        DataFolder folder = new DataFolder(path);
        Path password = Files.createFile(folder.adminPassword());
        permit("rwxr-x---", path);
        permit("rw-r-----", password);
        assertEquals(List.of(), folder.openToOthers(List.of(password)));
        permit("rwxr-xr-x", path);
        assertEquals(List.of(path), folder.openToOthers(List.of(path.resolve("nothing"))));
        assertEquals(List.of(path), folder.openToOthers(List.of(password)));
        permit("rw-r--r--", password);
        assertEquals(List.of(path, password), folder.openToOthers(List.of(password)));
    }

    private static void permit(String permissions, Path file) throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    }
}
