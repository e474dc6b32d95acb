package org.alder.server.cli;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class AdminPasswordTest {
    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    @Test
    public void theFirstStartMakesOneThatOnlyTheOwnerReads() throws Exception {
        Path data = folder.getRoot().toPath().resolve("data");
        AdminPassword made = AdminPassword.find(null, data);
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(made.file())));
        assertTrue(made.password().length() >= 24);
        assertEquals("no line end, ldapsearch -y takes the whole file", made.password(), Files.readString(made.file()));
        assertEquals(made, AdminPassword.find(null, data));
    }

    @Test
    public void noTwoAreEqual() throws Exception {
        Path root = folder.getRoot().toPath();
        assertNotEquals(AdminPassword.find(null, root.resolve("a")).password(), AdminPassword.find(null,
                root.resolve("b")).password());
    }

    @Test
    public void aGivenFileWinsAndMayEndInALineEnd() throws Exception {
        Path data = folder.getRoot().toPath();
        Path file = Files.writeString(data.resolve("given"), "geheim\n");
        assertEquals("geheim", AdminPassword.find(file, data).password());
        assertFalse(Files.exists(data.resolve("admin.password")));
    }

    @Test
    public void anEmptyFileIsRefused() throws Exception {
        Path file = Files.writeString(folder.getRoot().toPath().resolve("given"), "\n");
        CommandException refusal = assertThrows(CommandException.class, () -> AdminPassword.find(file,
                folder.getRoot().toPath()));
        assertTrue(refusal.getMessage(), refusal.getMessage().contains(file.toString()));
    }
}
