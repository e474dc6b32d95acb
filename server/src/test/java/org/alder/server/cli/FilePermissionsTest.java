package org.alder.server.cli;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** After a day of use the data folder, and all that was made of it, is the owner's alone, though files are usually everybody's to read. */
public class FilePermissionsTest {
    private static final String SUFFIX = "dc=example,dc=com";

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private static List<String> openToOthers(Path top) throws IOException {
        List<String> open = new ArrayList<>();
        try (Stream<Path> all = Files.walk(top)) {
            for (Path each : all.toList()) {
                String permissions = PosixFilePermissions.toString(Files.getPosixFilePermissions(each));
                if (!permissions.equals(Files.isDirectory(each) ? "rwx------" : "rw-------")) {
                    open.add(permissions + " " + each);
                }
            }
        }
        return open;
    }

    private static Set<String> names(Path top) throws IOException {
        try (Stream<Path> all = Files.walk(top)) {
            return all.map(each -> each.getFileName().toString().replaceAll("[0-9]+", "N")).collect(Collectors.toSet());
        }
    }

    @Test
    public void nothingOfADayIsOpenToOthers() throws Exception {
        Path data = temporary.getRoot().toPath().resolve("data");
        Path configuration = Files.writeString(temporary.getRoot().toPath().resolve("audited.ldif"),
                "dn: cn=config\nobjectClass: alderServer\naudit: all\nauditFileBytes: 64k\n");
        try (ServerProcess server = ServerProcess.start(data, "--sample", 200, "--conf", configuration);
                LDAPConnection admin = server.admin()) {
            for (int i = 0; i < 500; i++) {
                admin.modify(SUFFIX, new Modification(ModificationType.REPLACE, "description", "change " + i));
            }
            admin.modify("cn=schema", new Modification(ModificationType.ADD, "attributeTypes",
                    "( 1.2.3.4.5 NAME 'added' SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 )"));
            admin.modify("cn=config", new Modification(ModificationType.REPLACE, "sizeLimit", "500"));
            assertEquals("while it runs", List.of(), openToOthers(data));
            CommandRun.of("status", "--data", data);
        }
        Path exported = data.resolve("export.ldif");
        assertEquals(0, CommandRun.of("export", "--data", data, "--output", exported).status());
        Path unusable = Files.writeString(temporary.getRoot().toPath().resolve("unusable.ldif"),
                Files.readString(exported) + "\ndn: cn=nowhere,dc=elsewhere\nobjectClass: device\ncn: nowhere\n");
        CommandRun imported = CommandRun.of("import", "--data", data, "--replace", "--rejects", data.resolve("rejects.ldif"), unusable);
        assertTrue(imported.err(), imported.err().contains("1 record was rejected"));
        assertEquals(0, CommandRun.of("verify", "--data", data).status());
        assertEquals(0, CommandRun.of("verify", "--repair", "--data", data).status());
        assertEquals(List.of(), openToOthers(data));
        Set<String> names = names(data);
        assertTrue(names.toString(), names.containsAll(Set.of("admin.password", "tls.key", "tls.crt", "schema.ldif", "rejects.ldif",
                "export.ldif", "config.ldif", "config-history", "last-configuration", "audit.jsonl", "audit-N.jsonl", "MANIFEST", "LOCK")));
    }
}
