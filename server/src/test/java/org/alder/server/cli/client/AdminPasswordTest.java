package org.alder.server.cli.client;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.alder.partition.jdbm.disk.AtomicFile;
import org.alder.server.cli.option.CommandException;
import org.alder.server.config.ConfigurationException;
import org.alder.server.config.ConfigurationReader;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class AdminPasswordTest {
    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    @Test
    public void theFirstStartMakesOneThatOnlyTheOwnerReads() throws Exception {
        Path data = folder.getRoot().toPath().resolve("data");
        AdminPassword made = AdminPassword.find(null, data.resolve("admin.password"), AtomicFile.onDisk());
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(made.file())));
        assertTrue(made.password().length() >= 24);
        assertEquals("no line end, ldapsearch -y takes the whole file", made.password(), Files.readString(made.file()));
        assertEquals(made, AdminPassword.find(null, data.resolve("admin.password"), AtomicFile.onDisk()));
    }

    @Test
    public void noTwoAreEqual() throws Exception {
        Path root = folder.getRoot().toPath();
        assertNotEquals(AdminPassword.find(null, root.resolve("a/admin.password"), AtomicFile.onDisk()).password(), AdminPassword.find(null,
                root.resolve("b/admin.password"), AtomicFile.onDisk()).password());
    }

    @Test
    public void aGivenFileWinsAndMayEndInALineEnd() throws Exception {
        Path data = folder.getRoot().toPath();
        Path file = Files.writeString(data.resolve("given"), "geheim\n");
        assertEquals("geheim", AdminPassword.find(file, data.resolve("admin.password"), AtomicFile.onDisk()).password());
        assertFalse(Files.exists(data.resolve("admin.password")));
    }

    private AdminPassword configured(String reference) throws Exception {
        Path file = folder.getRoot().toPath().resolve("test.ldif");
        return AdminPassword.configured(ConfigurationReader.read(Files.writeString(file, "dn: cn=config\nobjectClass: alderServer\n"
                + "administrators: cn=g,dc=example,dc=com\nadministratorPassword: " + reference + "\n")));
    }

    @Test
    public void theConfigurationSaysWhereItIs() throws Exception {
        Path file = Files.writeString(folder.getRoot().toPath().resolve("elsewhere"), "geheim\n");
        assertEquals("geheim", configured("file:" + file).password());
        assertEquals("found from the folder of the configuration", file, configured("file:elsewhere").file());
        assertEquals(System.getenv("PATH"), configured("env:PATH").password());
        assertNull(configured("none").password());
        String message = assertThrows(ConfigurationException.class, () -> configured("env:ALDER_NO_SUCH_VARIABLE")).getMessage();
        assertTrue(message, message.contains("test.ldif, line 4, administratorPassword: ALDER_NO_SUCH_VARIABLE is empty"));
        message = assertThrows(ConfigurationException.class, () -> configured("file:nowhere")).getMessage();
        assertTrue(message, message.contains("test.ldif, line 4, administratorPassword: ") && message.contains("nowhere"));
    }

    @Test
    public void anEmptyFileIsRefused() throws Exception {
        Path file = Files.writeString(folder.getRoot().toPath().resolve("given"), "\n");
        CommandException refusal = assertThrows(CommandException.class, () -> AdminPassword.find(file,
                folder.getRoot().toPath(), AtomicFile.onDisk()));
        assertTrue(refusal.getMessage(), refusal.getMessage().contains(file.toString()));
    }

    @Test
    public void aPowerFailureNeverLeavesHalfAPasswordBecauseItIsReplacedInOneDurableStep() throws Exception {
        Path data = folder.getRoot().toPath().resolve("data");
        List<String> replaced = new ArrayList<>();
        AdminPassword made = AdminPassword.find(null, data.resolve("admin.password"), (file, content) -> {
            assertFalse("nothing is written before the replacement", Files.exists(file));
            replaced.add(file + " " + new String(content, StandardCharsets.UTF_8));
        });
        assertEquals(List.of(data.resolve("admin.password") + " " + made.password()), replaced);
    }

    @Test
    public void whatAPowerFailureLeftOfAnOlderFileIsNoPassword() throws Exception {
        Path data = folder.getRoot().toPath();
        Path file = data.resolve("admin.password");
        for (byte[] left : List.of(new byte[24], new byte[0], "ge\0heim".getBytes(StandardCharsets.UTF_8),
                new byte[] {'a', (byte) 0xc3}, new byte[5000])) {
            Files.write(file, left);
            CommandException refusal = assertThrows(CommandException.class,
                    () -> AdminPassword.find(null, data.resolve("admin.password"), AtomicFile.onDisk()));
            assertTrue(refusal.getMessage(), refusal.getMessage().startsWith(file.toString()));
            assertTrue(refusal.getMessage(), refusal.getMessage().contains("delete it, and the next start makes a new one"));
            assertArrayEquals("it is left as it is", left, Files.readAllBytes(file));
        }
    }
}
