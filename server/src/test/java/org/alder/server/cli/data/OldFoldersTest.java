package org.alder.server.cli.data;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.SearchScope;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.alder.server.cli.CommandRun;
import org.alder.server.cli.ServerProcess;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * Data folders that an older version has written are opened, with all that was in them. {@code 907df71.zip} is of that commit: a
 * folder of a load and of changes over LDAP, among them to attributes beyond the {@code largeAttributeThreshold}, with the logs of
 * a server that was stopped and of one that was killed, and with what it exported itself.
 */
public class OldFoldersTest {
    private static final String SUFFIX = "dc=example,dc=com";

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private Path old;
    private Path configuration;
    private Path data;

    @Before
    public void unpack() throws IOException {
        old = temporary.getRoot().toPath().resolve("old");
        configuration = old.resolve("config.ldif");
        data = temporary.getRoot().toPath().resolve("data");
        try (ZipInputStream zip = new ZipInputStream(OldFoldersTest.class.getResourceAsStream("/folders/907df71.zip"))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                Path file = old.resolve(entry.getName());
                Files.createDirectories(file.getParent());
                Files.copy(zip, file);
            }
        }
    }

    private void use(String logs) throws IOException {
        Path store = Files.createDirectories(data.resolve("partitions")).resolve("example");
        Files.move(old.resolve("both"), store);
        try (var files = Files.list(old.resolve(logs))) {
            for (Path log : files.toList()) {
                Files.move(log, store.resolve(log.getFileName()));
            }
        }
    }

    /** By DN; the order of attributes is nobody's promise. */
    private static Map<String, Set<String>> entries(Path ldif) throws IOException {
        Map<String, Set<String>> entries = new TreeMap<>();
        for (String entry : Files.readString(ldif).replace("\n ", "").split("\n\n")) {
            Set<String> lines = new TreeSet<>(entry.lines().toList());
            entries.put(entry.lines().findFirst().orElse(""), lines);
        }
        return entries;
    }

    private static int count(LDAPConnection connection, String filter) throws LDAPException {
        return connection.search(SUFFIX, SearchScope.SUB, filter, "1.1").getEntryCount();
    }

    private void opens(String logs) throws IOException, LDAPException {
        use(logs);
        Path exported = temporary.getRoot().toPath().resolve("exported.ldif");
        ServerProcess.start(data, "--conf", configuration).close();
        CommandRun.of("verify", "--data", data, "--conf", configuration).succeeds();
        CommandRun.of("export", "--data", data, "--conf", configuration, "--output", exported).succeeds();
        assertEquals(entries(old.resolve("entries.ldif")), entries(exported));
        try (ServerProcess server = ServerProcess.start(data, "--conf", configuration); LDAPConnection admin = server.admin()) {
            assertEquals("a member from before", 1, count(admin, "(&(member=uid=p40,ou=The People," + SUFFIX + ")(cn=large))"));
            assertEquals("one that was deleted", 0, count(admin, "(member=uid=p5,ou=The People," + SUFFIX + ")"));
            assertEquals(7, count(admin, "(mail=p*@example.com)"));
            assertEquals(3, count(admin, "(uid=n*)"));
            admin.modify("cn=large," + SUFFIX, new Modification(ModificationType.ADD, "member", "uid=new," + SUFFIX));
            admin.modify("cn=shrinks," + SUFFIX, new Modification(ModificationType.DELETE, "description", "d1"));
            assertEquals(1, count(admin, "(member=uid=new," + SUFFIX + ")"));
        }
        CommandRun verified = CommandRun.of("verify", "--data", data, "--conf", configuration).succeeds();
        assertTrue(verified.out(), verified.out().contains("15 entries"));
    }

    @Test
    public void aFolderOfAServerThatWasStopped() throws Exception {
        opens("stopped");
    }

    @Test
    public void aFolderOfAServerThatWasKilled() throws Exception {
        opens("killed");
    }
}
