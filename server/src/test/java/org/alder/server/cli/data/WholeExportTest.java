package org.alder.server.cli.data;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.ResultCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.alder.partition.testing.Await;
import org.alder.server.cli.CommandRun;
import org.alder.server.cli.ServerProcess;
import org.junit.Assert;
import org.junit.Assume;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** An export has all that a directory became while its server ran, schema and states of accounts too, for Alder and for others. */
public class WholeExportTest {
    private static final String SUFFIX = "dc=example,dc=com";
    private static final String USER = "uid=user.1,ou=users," + SUFFIX;
    private static final String BADGE = "( 1.3.6.1.4.1.99999.1.1 NAME 'acmeBadge' SUP name )";
    private static final Path SLAPADD = Path.of("/usr/sbin/slapadd");
    private static final Path SLAPCAT = Path.of("/usr/sbin/slapcat");
    private static final Path SLAPD_SCHEMA = Path.of("/etc/ldap/schema");
    private static final Path SLAPD_MODULES = Path.of("/usr/lib/ldap");

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private Path data;

    @Before
    public void name() {
        data = path("data");
    }

    private Path path(String name) {
        return temporary.getRoot().toPath().resolve(name);
    }

    private String export(Path folder, Object... more) throws IOException {
        Path output = Files.createTempFile(temporary.getRoot().toPath(), "export", ".ldif");
        List<Object> arguments = Stream.concat(Stream.of("export", "--data", folder, "--output", output), Stream.of(more)).toList();
        CommandRun.of(arguments.toArray()).succeeds();
        return Files.readString(output);
    }

    /** Of the changes that leave marks: online schema, failed logins, changed passwords, renamed entries, rules in entries. */
    private void liveAWhile(boolean withSchema) throws Exception {
        try (ServerProcess server = ServerProcess.start(data, "--sample", 20); LDAPConnection connection = server.admin()) {
            if (withSchema) {
                connection.modify("dn: cn=schema", "changetype: modify", "add: attributeTypes", "attributeTypes: " + BADGE, "-",
                        "add: objectClasses", "objectClasses: ( 1.3.6.1.4.1.99999.2.1 NAME 'acmePerson' SUP top AUXILIARY MAY acmeBadge )",
                        "-", "add: attributeTypes", "attributeTypes: ( 1.3.6.1.4.1.99999.1.2 NAME 'acmeDoor' SUP acmeBadge )");
                connection.modify("dn: " + USER, "changetype: modify", "add: objectClass", "objectClass: acmePerson", "-",
                        "add: acmeBadge", "acmeBadge: 4711");
            }
            connection.modify("dn: " + USER, "changetype: modify", "replace: userPassword", "userPassword: first-Password-1");
            connection.modify("dn: uid=user.2,ou=users," + SUFFIX, "changetype: modify", "replace: pwdReset", "pwdReset: TRUE");
            connection.modify("dn: ou=users," + SUFFIX, "changetype: modify", "add: accessRule",
                    "accessRule: grant view to users");
            connection.modifyDN("uid=user.3,ou=users," + SUFFIX, "uid=renamed", true);
            for (int i = 0; i < 2; i++) {
                try (LDAPConnection guessing = new LDAPConnection("127.0.0.1", server.port())) {
                    LDAPException refused = Assert.assertThrows(LDAPException.class, () -> guessing.bind(USER, "wrong"));
                    assertEquals(ResultCode.INVALID_CREDENTIALS, refused.getResultCode());
                }
            }
            try (LDAPConnection user = new LDAPConnection("127.0.0.1", server.port())) {
                LDAPException refused = Assert.assertThrows(LDAPException.class,
                        () -> user.bind("uid=renamed,ou=users," + SUFFIX, "wrong"));
                assertEquals(ResultCode.INVALID_CREDENTIALS, refused.getResultCode());
            }
        }
    }

    @Test
    public void everythingComesBackByImportIntoAnEmptyFolder() throws Exception {
        liveAWhile(true);
        String exported = export(data);
        assertTrue(exported, exported.startsWith("version: 1\n\ndn: cn=schema\nchangetype: modify\nadd: attributeTypes\n"));
        for (String mark : List.of("\nentryUUID: ", "\nentryCSN: ", "\npwdFailureTime: ", "\npwdChangedTime: ", "\npwdReset: TRUE",
                "\naccessRule: ", "\nacmeBadge: 4711")) {
            assertTrue(mark + " in " + exported, exported.contains(mark));
        }
        Path ldif = Files.writeString(path("exported.ldif"), exported);
        Path second = path("second");
        CommandRun run = CommandRun.of("import", "--data", second, ldif).succeeds();
        assertTrue(run.out(), run.out().contains("added 3 definitions to the schema"));
        assertEquals(exported, export(second));
        assertEquals(-1, Files.mismatch(data.resolve("schema.ldif"), second.resolve("schema.ldif")));
        CommandRun.of("verify", "--data", second).succeeds();
        // What is there already is passed over.
        run = CommandRun.of("import", "--data", second, "--replace", ldif).succeeds();
        assertFalse(run.out(), run.out().contains("definitions"));
        assertEquals(exported, export(second));
        // A server is started with that schema.
        try (ServerProcess server = ServerProcess.start(second); LDAPConnection connection = server.admin()) {
            assertEquals("4711", connection.getEntry(USER).getAttributeValue("acmeBadge"));
        }
    }

    @Test
    public void definitionsThatCannotBeAreRejected() throws IOException {
        String entry = "\ndn: " + SUFFIX + "\nobjectClass: domain\nobjectClass: top\ndc: example\n";
        for (String change : List.of("add: attributeTypes\nattributeTypes: ( 1.2.3 NAME 'cn' SUP name )",
                "add: attributeTypes\nattributeTypes: no definition", "replace: attributeTypes\nattributeTypes: " + BADGE,
                "add: cn\ncn: other")) {
            Path folder = Files.createTempDirectory(temporary.getRoot().toPath(), "refused").resolve("data");
            CommandRun run = CommandRun.importing(folder, "version: 1\n\ndn: cn=schema\nchangetype: modify\n" + change + "\n-\n" + entry);
            assertEquals(run.toString(), 1, run.status());
            assertTrue(run.toString(), run.out().contains("loaded 1 entry") && run.err().contains("1 record was rejected"));
            assertFalse(run.toString(), Files.exists(folder.resolve("schema.ldif")));
        }
    }

    @Test
    public void slapaddTakesAnExport() throws Exception {
        Assume.assumeTrue("slapadd is not installed", Files.isExecutable(SLAPADD) && Files.isExecutable(SLAPCAT));
        Assume.assumeTrue("slapd's schema and modules are elsewhere",
                Files.exists(SLAPD_SCHEMA.resolve("core.schema")) && Files.isDirectory(SLAPD_MODULES));
        liveAWhile(false);
        String exported = export(data, "--for", "slapadd");
        assertTrue(exported, exported.startsWith("\ndn: " + SUFFIX + "\n") || exported.startsWith("dn: " + SUFFIX + "\n"));
        assertFalse(exported, exported.contains("accessRule"));
        Path ldif = Files.writeString(path("for-slapadd.ldif"), exported);
        Path database = Files.createDirectory(path("slapd"));
        Path configuration = Files.writeString(path("slapd.conf"), Stream.of("core", "cosine", "inetorgperson")
                .map(name -> "include " + SLAPD_SCHEMA.resolve(name + ".schema") + "\n").reduce("", String::concat)
                + "include " + schemaOfGroups() + "\nmodulepath " + SLAPD_MODULES + "\nmoduleload back_mdb\nmoduleload ppolicy\ndatabase mdb\nsuffix \"" + SUFFIX
                + "\"\ndirectory " + database + "\nmaxsize 1073741824\n");
        run(SLAPADD, configuration, "-l", ldif.toString());
        String there = run(SLAPCAT, configuration);
        assertEquals(marks(exported), marks(there));
        assertTrue(there, there.contains("\npwdFailureTime: "));
    }

    /** RFC 2307bis as slapd reads it, without the two types that slapd has of its own. */
    private Path schemaOfGroups() throws IOException {
        String text = Files.readString(Path.of("../conf/schema/rfc2307bis.ldif")).replace("\n ", "");
        List<String> directives = text.lines().filter(line -> line.startsWith("attributeTypes: ") || line.startsWith("objectClasses: "))
                .map(line -> line.replace("attributeTypes: ", "attributetype ").replace("objectClasses: ", "objectclass "))
                .filter(line -> !line.matches("attributetype \\( 1\\.3\\.6\\.1\\.1\\.1\\.1\\.[01] .*")).toList();
        return Files.writeString(path("groups.schema"), String.join("\n", directives) + "\n");
    }

    /** The lines of a kind that slapcat writes as they were loaded. */
    private static List<String> marks(String ldif) {
        return ldif.lines().filter(line -> line.startsWith("entryUUID: ") || line.startsWith("entryCSN: ") || line.startsWith("mail: "))
                .sorted().toList();
    }

    private String run(Path program, Path configuration, String... more) throws IOException, InterruptedException {
        Path output = Files.createTempFile(temporary.getRoot().toPath(), "slapd", ".out");
        Path errors = Files.createTempFile(temporary.getRoot().toPath(), "slapd", ".err");
        List<String> command = Stream.concat(Stream.of(program.toString(), "-f", configuration.toString()), Stream.of(more)).toList();
        Process process = new ProcessBuilder(command).redirectOutput(output.toFile()).redirectError(errors.toFile()).start();
        try {
            int status = Await.end(program.toString(), process);
            assertEquals(command + ": " + Files.readString(errors), 0, status);
        } finally {
            process.destroyForcibly();
        }
        return Files.readString(output, StandardCharsets.UTF_8);
    }

    @Test
    public void ldif2dbGetsNoAttributesItMakesItself() throws Exception {
        liveAWhile(true);
        String exported = export(data, "--for", "ldif2db");
        assertTrue(exported, exported.contains("# attributeTypes: " + BADGE));
        for (String other : List.of("entryUUID", "entryCSN", "structuralObjectClass", "pwdFailureTime", "accessRule")) {
            assertFalse(other + " in " + exported, exported.contains("\n" + other + ":"));
        }
        assertTrue(exported, exported.contains("\ncreateTimestamp: ") && exported.contains("\nuserPassword:"));
    }
}
