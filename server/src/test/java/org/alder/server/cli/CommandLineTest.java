package org.alder.server.cli;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldif.LDIFException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.alder.partition.testing.Await;
import org.alder.partition.text.JsonText;
import org.alder.server.ClientToolsTest;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** generate, import and export, as a user calls them. */
public class CommandLineTest {
    private static final String BASE = "dn: dc=example,dc=com\nobjectClass: domain\ndc: example\n\n";
    private static final String ALICE = "dn: cn=alice,dc=example,dc=com\nobjectClass: person\ncn: alice\nsn: One\n\n";
    private static final String BOB = "dn: cn=bob,dc=example,dc=com\nobjectClass: person\ncn: bob\nsn: Two\n\n";
    private static final String TWO_PARTITIONS = "dn: cn=config\nobjectClass: alderServer\n\n"
            + "dn: cn=first,cn=config\nobjectClass: alderPartition\nsuffix: dc=example,dc=com\nindex: uid eq\n\n"
            + "dn: cn=second,cn=config\nobjectClass: alderPartition\nsuffix: o=Second\nindex: objectClass eq\n";

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();
    private Path root;
    private Path data;

    @Before
    public void nameFolders() {
        root = temporary.getRoot().toPath();
        data = root.resolve("data");
    }

    private Path file(String name, String text) throws IOException {
        return Files.writeString(root.resolve(name), text);
    }

    private String export(Path folder, Object... more) throws IOException {
        Path output = Files.createTempFile(root, "export", ".ldif");
        Object[] arguments = new Object[more.length + 5];
        System.arraycopy(new Object[] {"export", "--data", folder, "--output", output}, 0, arguments, 0, 5);
        System.arraycopy(more, 0, arguments, 5, more.length);
        CommandRun.of(arguments).succeeds();
        return Files.readString(output);
    }

    @Test
    public void generateIsTheSameForTheSameSeed() throws IOException, InterruptedException {
        Path first = root.resolve("first");
        Path second = root.resolve("second");
        Path other = root.resolve("other");
        CommandRun.of("generate", "--entries", 300, "--output", first).succeeds();
        CommandRun printed = ServerProcess.run(second, "generate", "--entries", 300, "--seed", 42, "--progress", "none")
                .succeeds();
        CommandRun.of("generate", "--entries", 300, "--seed", 43, "--output", other).succeeds();
        assertArrayEquals("--output and standard output differ", Files.readAllBytes(first), Files.readAllBytes(second));
        assertNotEquals(printed.out(), Files.readString(other));
        assertEquals(300, printed.out().lines().filter(line -> line.startsWith("uid: user.")).count());
        assertEquals("", printed.err());
    }

    @Test
    public void generateRefusesWhatItCannotDo() {
        CommandRun.of("generate", "--entries", -1, "--output", root.resolve("x")).fails(2, "-1");
        Path missing = root.resolve("missing/x");
        CommandRun.of("generate", "--entries", 1, "--output", missing).fails(1, "no such file or folder: " + missing.getParent());
        assertEquals(2, CommandRun.of("generate").status());
        assertTrue(CommandRun.of("generate", "--entries", "many").err().contains("'many' is not"));
    }

    @Test
    public void importReadsStandardInputGzipAndSeveralFiles() throws IOException {
        ByteArrayOutputStream zipped = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(zipped)) {
            gzip.write(ALICE.getBytes(StandardCharsets.UTF_8));
        }
        Path gzip = Files.write(root.resolve("alice.ldif.gz"), zipped.toByteArray());
        CommandRun loaded = CommandRun.reading(BOB.getBytes(StandardCharsets.UTF_8), "import", "--data", data,
                file("base.ldif", BASE), gzip, "-").succeeds();
        assertEquals("loaded 3 entries", loaded.out().strip());
        String exported = export(data);
        assertTrue(exported, exported.contains("dn: cn=alice,dc=example,dc=com\n") && exported.contains("dn: cn=bob,"));
        assertEquals(3, exported.lines().filter(line -> line.startsWith("dn: ")).count());
    }

    @Test
    public void importRefusesExistingEntriesUnlessToldToReplaceThem() throws IOException, LDAPException {
        CommandRun.importing(data, BASE + ALICE).succeeds();
        String before = export(data);
        CommandRun.importing(data, BASE + BOB).fails(1, "--replace");
        assertEquals(before, export(data));
        CommandRun.importing(data, BASE + BOB, "--replace").succeeds();
        String after = export(data);
        assertTrue(after, after.contains("cn=bob") && !after.contains("alice"));
        CommandRun.of("verify", "--data", data).succeeds();
        try (ServerProcess server = ServerProcess.start(data); LDAPConnection connection = server.admin()) {
            assertEquals(0, connection.search("dc=example,dc=com", SearchScope.SUB, "(cn=alice)").getEntryCount());
            assertEquals(1, connection.search("dc=example,dc=com", SearchScope.SUB, "(cn=bob)").getEntryCount());
            CommandRun.importing(data, BASE + ALICE, "--replace").fails(1, "the data folder " + data + " is in use by");
        }
    }

    @Test
    public void importGoesIntoAnEmptyStoreAndAfterAFailedImport() throws IOException {
        ServerProcess.start(data).close();
        Path truncated = Files.write(root.resolve("bad.gz"), new byte[] {0x1f, (byte) 0x8b, 8, 0, 0});
        CommandRun.of("import", "--data", data, truncated).fails(1, truncated.toString());
        CommandRun.importing(data, BASE + ALICE).succeeds();
        CommandRun.of("verify", "--data", data).succeeds();
    }

    @Test
    public void importTakesASuffix() throws IOException {
        Path configuration = file("two.ldif", TWO_PARTITIONS);
        String second = "dn: o=Second\nobjectClass: organization\no: Second\n\n";
        CommandRun.importing(data, second, "--conf", configuration, "--suffix", "O = second").succeeds();
        CommandRun.importing(data, BASE, "--conf", configuration).fails(1, "say which one with --suffix");
        CommandRun.importing(data, BASE, "--conf", configuration, "--suffix", "dc=example,dc=com").succeeds();
        String one = export(data, "--conf", configuration, "--suffix", "o=second");
        assertTrue(one, one.contains("dn: o=Second\n") && !one.contains("dc=com"));
        String all = export(data, "--conf", configuration);
        assertTrue(all, all.contains("dn: o=Second\n") && all.contains("dn: dc=example,dc=com\n"));
        CommandRun.importing(data, second, "--conf", configuration, "--suffix", "o=third").fails(1, "o=third");
        CommandRun.importing(data, second, "--conf", configuration, "--suffix", "third").fails(1, "third");
    }

    @Test
    public void rejectsCanBeCorrectedAndLoadedWithLdapadd() throws IOException, LDAPException, InterruptedException {
        ClientToolsTest.findTools();
        String broken = BASE + "dn: cn=carol,dc=example,dc=com\nobjectClass: person\ncn: carol\n\n" + ALICE
                + "dn: cn=dan,dc=example,dc=com\nobjectClass: person\ncn: dan\nsn; Four\n\n"
                + "dn: cn=erin,ou=none,dc=example,dc=com\nobjectClass: person\ncn: erin\nsn: Five\n\n" + BOB;
        Path rejects = root.resolve("rejects");
        CommandRun run = CommandRun.of("import", "--data", data, "--rejects", rejects, file("broken.ldif", broken));
        assertEquals(run.toString(), 1, run.status());
        assertEquals("loaded 3 entries", run.out().strip());
        run.fails(1, "3 records were rejected; " + rejects);
        String text = Files.readString(rejects);
        assertTrue(text, text.contains("# line 5: ") && text.contains("requires the attribute sn"));
        assertTrue(text, text.contains("# line 17: ") && text.contains("sn; Four"));
        assertTrue(text, text.contains("# line 19: ") && text.contains("ou=none"));
        Path corrected = file("corrected", text.replace("cn: carol\n", "cn: carol\nsn: Three\n").replace("sn; Four", "sn: Four")
                .replace(",ou=none,", ","));
        try (ServerProcess server = ServerProcess.start(data); LDAPConnection connection = server.admin()) {
            ldapadd(server, corrected);
            assertEquals(5, connection.search("dc=example,dc=com", SearchScope.ONE, "(objectClass=person)").getEntryCount());
        }
    }

    private void ldapadd(ServerProcess server, Path file, String... more) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("ldapadd", "-x", "-H", "ldap://127.0.0.1:" + server.port(), "-D",
                ServerProcess.ADMIN, "-y", data.resolve("admin.password").toString(), "-c", "-f", file.toString()));
        command.addAll(List.of(more));
        Path out = root.resolve("ldapadd.out");
        Process ldapadd = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile()).start();
        int status = Await.end("ldapadd", ldapadd);
        assertEquals(Files.readString(out), 0, status);
    }

    @Test
    public void rejectsOfSlapcatAreLoadedWithLdapaddAsTheLastLineSays() throws IOException, LDAPException, InterruptedException {
        ClientToolsTest.findTools();
        String uuid = "d7cb0a5c-6a9d-103f-8a8c-0123456789ab";
        String slapcat = BASE + "dn: cn=carol,dc=example,dc=com\nobjectClass: person\nstructuralObjectClass: person\ncn: carol\n"
                + "entryUUID: " + uuid + "\ncreatorsName: cn=admin,dc=example,dc=com\ncreateTimestamp: 20240101000000Z\n"
                + "entryCSN: 20240101000000.000000Z#000000#000#000000\nmodifiersName: cn=admin,dc=example,dc=com\n"
                + "modifyTimestamp: 20240101000000Z\n\n";
        Path rejects = root.resolve("slapcat.rejects.ldif");
        CommandRun.of("import", "--data", data, file("slapcat.ldif", slapcat))
                .fails(1, "load them with ldapadd -c (and -e relax where they bring operational attributes");
        Path corrected = file("corrected", Files.readString(rejects).replace("cn: carol\n", "cn: carol\nsn: Three\n"));
        try (ServerProcess server = ServerProcess.start(data); LDAPConnection connection = server.admin()) {
            ldapadd(server, corrected, "-e", "relax");
            assertEquals(uuid, connection.getEntry("cn=carol,dc=example,dc=com", "entryUUID").getAttributeValue("entryUUID"));
        }
    }

    @Test
    public void importSaysWhatIsWrongInOneLine() throws IOException {
        Path missing = root.resolve("missing.ldif");
        CommandRun.of("import", "--data", data, missing).fails(1, "no such file or folder: " + missing);
        CommandRun.of("import", "--data", data, root).fails(1, root + " is a folder");
        assertFalse("a failed call leaves a store behind", Files.exists(data));
        Path wrong = file("wrong.ldif", TWO_PARTITIONS.replace("index: uid eq", "index: uid equal"));
        CommandRun.importing(data, BASE, "--conf", wrong).fails(1, wrong + ", line 7, index: \"uid equal\" is not ");
        CommandRun.importing(data, BASE, "--conf", missing).fails(1, missing + ": there is no such file");
        CommandRun.importing(data, BASE, "--conf", file("unknown.ldif", TWO_PARTITIONS + "colour: red\n")).fails(1, "colour");
        Path index = file("index.ldif", TWO_PARTITIONS.replace("uid", "nosuch"));
        CommandRun.importing(data, BASE, "--conf", index).fails(1, "nosuch");
        Path plain = file("plain", "");
        CommandRun.importing(plain.resolve("below"), BASE).fails(1, plain.toString());
        Path truncated = Files.write(root.resolve("bad.gz"), new byte[] {0x1f, (byte) 0x8b, 8, 0, 0});
        CommandRun.of("import", "--data", root.resolve("new"), truncated).fails(1, truncated.toString());
    }

    @Test
    public void exportReadsBesideARunningServer() throws IOException, LDAPException, InterruptedException, LDIFException {
        CommandRun.importing(data, BASE + ALICE).succeeds();
        try (ServerProcess server = ServerProcess.start(data); LDAPConnection connection = server.admin()) {
            connection.add(BOB.strip().split("\n"));
            connection.modify("dn: cn=alice,dc=example,dc=com", "changetype: modify", "replace: sn", "sn: changed");
            Path output = root.resolve("standard-output");
            CommandRun run = ServerProcess.run(output, "export", "--data", data).succeeds();
            assertTrue(run.out(), run.out().contains("dn: cn=bob,dc=example,dc=com\n") && run.out().contains("sn: changed\n"));
            assertEquals(run.out(), export(data));
            connection.delete("cn=alice,dc=example,dc=com");
            assertFalse(export(data).contains("alice"));
        }
        assertFalse(export(data).contains("alice"));
    }

    @Test
    public void exportSaysWhatIsMissing() throws IOException {
        CommandRun.of("export", "--data", data).fails(1, data.resolve("partitions/example").toString());
        assertFalse(Files.exists(data));
        CommandRun.importing(data, BASE).succeeds();
        Path missing = root.resolve("missing/x");
        CommandRun.of("export", "--data", data, "--output", missing).fails(1, "no such file or folder: " + missing.getParent());
        CommandRun.of("export", "--data", data, "--conf", file("two.ldif", TWO_PARTITIONS), "--suffix", "o=second")
                .fails(1, "partitions/second");
    }

    @Test
    public void noVerbNeedsTheConfigurationOfTheDataAgain() throws IOException {
        Path configuration = file("mine.ldif", "dn: cn=example,cn=config\nobjectClass: alderPartition\nsuffix: dc=example,dc=com\n"
                + "index: uid eq\n");
        CommandRun.importing(data, BASE, "--conf", configuration).succeeds();
        CommandRun.of("export", "--data", data, "--output", root.resolve("out")).succeeds();
        CommandRun.of("status", "--data", data).succeeds();
        CommandRun.of("export", "--data", data, "--conf", configuration, "--output", root.resolve("out")).succeeds();
        Path other = file("other.ldif", "dn: cn=example,cn=config\nobjectClass: alderPartition\nsuffix: dc=example,dc=com\n");
        for (String verb : List.of("export", "status")) {
            CommandRun refused = CommandRun.of(verb, "--data", data, "--conf", other)
                    .fails(1, "the data were last served or loaded with --conf " + configuration);
            assertTrue(refused.err(), refused.err().length() < 600);
        }
        CommandRun.of("status", "--data", data, "--set", "index=uid eq", "--conf", other).succeeds();
        CommandRun.of("status", "--data", data, "--set", "colour=red").fails(1, "--set, unknown key colour");
        CommandRun.of("status", "--data", data, "--set", "nothing").fails(2, "nothing: expected KEY=VALUE");
    }

    @Test
    public void importedEntriesWereMadeByTheConfiguredAdministrator() throws IOException {
        Path configuration = file("mine.ldif", "dn: cn=config\nobjectClass: alderServer\nadministratorDn: CN=Boss,dc=example,dc=com\n");
        CommandRun.importing(data, BASE, "--conf", configuration).succeeds();
        String exported = export(data, "--conf", configuration);
        assertTrue(exported, exported.contains("creatorsName: CN=Boss,dc=example,dc=com\n"));
        CommandRun.importing(data, BASE, "--replace", "--conf", file("wrong.ldif",
                "dn: cn=config\nobjectClass: alderServer\nadministratorDn: boss\n")).fails(1, "wrong.ldif, line 3, administratorDn: ");
    }

    @Test
    public void schemaChecksFilesAndNamesTheFault() throws IOException {
        CommandRun.importing(data, BASE).succeeds();
        assertTrue(CommandRun.of("schema", "--data", data).succeeds().out().startsWith("sound: "));
        Path good = file("acme.schema", "objectidentifier acme 1.2.3\nattributetype ( acme:1\n\tNAME 'acmeName' SUP name )\n");
        assertTrue(CommandRun.of("schema", "--data", data, good).succeeds().out().contains("attributeTypes (1 new)"));
        Path bad = file("bad.ldif", "dn: cn=schema\nattributeTypes: ( 1.2.3.1 NAME 'acmeName'\n  SUP nope )\n");
        CommandRun.of("schema", "--data", data, bad).fails(1, bad + ", line 2: the attribute type nope is not defined");
        CommandRun.of("schema", "--data", data, good, file("other.ldif", "attributeTypes: ( 1.2.4 NAME 'acmeName' SUP name )\n"))
                .fails(1, "acmeName is already defined by " + good + ", line 2");
    }

    @Test
    public void aFileOfAnotherSuffixIsToldOnceAndNotRejectedEntryByEntry() throws IOException {
        Path acme = file("acme.ldif", "dn: ou=people,dc=acme,dc=org\nobjectClass: organizationalUnit\nou: people\n\n"
                + "dn: dc=acme,dc=org\nobjectClass: domain\ndc: acme\n\n");
        CommandRun.of("import", "--data", data, acme).fails(1, "while reading " + acme
                + ": line 5: the entries are those of \"dc=acme,dc=org\"");
        try (Stream<Path> files = Files.walk(data)) {
            assertEquals(List.of(), files.filter(path -> path.toString().contains("reject")).toList());
        }
        assertEquals("entries of another suffix among others are rejects", 1, CommandRun.of("import", "--data", data, "--rejects",
                root.resolve("r"), file("mixed.ldif", BASE + ALICE.replace("dc=com", "dc=org"))).status());
    }

    @Test
    public void rejectsGoBesideTheirFileUnlessTheCallSaysWhere() throws IOException {
        Path broken = file("broken.ldif", BASE + "dn: cn=x,dc=example,dc=com\ncn: x\n\n");
        CommandRun.of("import", "--data", data, "--progress", "none", broken).fails(1, "1 record was rejected; " + root.resolve("broken.rejects.ldif") + " ");
        CommandRun printed = CommandRun.of("import", "--data", data, "--progress", "none", "--replace", "--rejects", "-", broken)
                .fails(1, "1 record was rejected; standard output ");
        assertTrue(printed.out(), printed.out().contains("dn: cn=x,dc=example,dc=com\ncn: x\n"));
        assertFalse(Files.exists(Path.of("-")));
    }

    @Test
    public void aLineLargerThanTheHeapIsARejectWithItsNumber() throws IOException, InterruptedException {
        Path huge = root.resolve("huge.ldif");
        byte[] megabyte = new byte[1 << 20];
        Arrays.fill(megabyte, (byte) 'x');
        try (OutputStream out = Files.newOutputStream(huge)) {
            out.write((BASE + "dn: cn=x,dc=example,dc=com\ncn: ").getBytes(StandardCharsets.UTF_8));
            for (int i = 0; i < 300; i++) {
                out.write(megabyte);
            }
            out.write(("\n\n" + ALICE).getBytes(StandardCharsets.UTF_8));
        }
        CommandRun run = ServerProcess.run(root.resolve("out"), "import", "--data", data, huge);
        assertEquals(run.toString(), "loaded 2 entries", run.out().strip());
        String rejects = Files.readString(root.resolve("huge.rejects.ldif"));
        assertTrue(rejects, rejects.startsWith("# line 5: expected a record of at most "));
    }

    @Test
    public void aWrongCallIsToldInOneLineInTheWordsOfTheHelp() {
        CommandRun.of("nonsense").fails(2, "there is no verb nonsense");
        // A server that is named is the one that is meant: what the data folder says is no answer.
        CommandRun.of("status", "-H", "ldap://127.0.0.1:1").fails(1, "no server answers at ldap://127.0.0.1:1");
        CommandRun.of("status", "-H", "ldap://nowhere.invalid").fails(1, "no server answers at ldap://nowhere.invalid (no host has that name)");
        CommandRun.of("import").fails(2, "(see alder import --help)");
        CommandRun.of("backup", "verify", "--form", root).fails(2, "Unknown option: '--form'");
        CommandRun.of("explain", "--josn").fails(2, "Unknown option: '--josn'");
        CommandRun style = CommandRun.of("generate", "--entries", 1, "--progress", "loud").fails(2, "auto, bar, lines, json, none");
        assertFalse(style.err(), style.err().contains("AUTO"));
        assertTrue(CommandRun.of("help", "import").succeeds().out().contains("Usage: alder import"));
    }

    @Test
    public void aFolderThatIsNotThereOrHasNoDataIsNotTakenForOneThatIsInOrder() throws IOException {
        Path empty = Files.createDirectory(root.resolve("empty"));
        Path right = file("right.ldif", "dn: cn=config\nobjectClass: alderServer\nsizeLimit: 5\n");
        for (Object[] verb : new Object[][] {{"schema"}, {"schema", root.resolve("more.ldif")}, {"config", "show"}, {"config", "diff"}}) {
            Object[] named = Arrays.copyOf(verb, verb.length + 2);
            named[verb.length] = "--data";
            named[verb.length + 1] = data;
            assertEquals("", CommandRun.of(named).fails(1, "no such folder: " + data).out());
            named[verb.length + 1] = empty;
            assertEquals("", CommandRun.of(named).fails(1, "there are no data in " + empty).out());
            named[verb.length + 1] = right;
            assertEquals("", CommandRun.of(named).fails(1, right + " is no folder").out());
        }
        String checked = CommandRun.of("config", "check", right, "--data", data).succeeds().out();
        assertEquals(right + " can be used; there are no data in " + data + "\n", checked);
        assertFalse(Files.exists(data));
        CommandRun made = CommandRun.of("config", "set", "sizeLimit=5", "--data", data).succeeds();
        assertEquals("alder: there was no folder " + data + ": it is made\n", made.err());
        assertTrue(CommandRun.of("schema", "--data", data).succeeds().out().startsWith("sound: "));
    }

    @Test
    public void resultsThatCannotBeWrittenAreNoSuccess() throws Exception {
        CommandRun.importing(data, BASE).succeeds();
        Path full = Path.of("/dev/full");
        assumeTrue(Files.exists(full));
        for (Object[] verb : new Object[][] {{"status"}, {"config", "show"}, {"verify"}, {"schema"}, {"export"}}) {
            Object[] all = Arrays.copyOf(verb, verb.length + 2);
            all[verb.length] = "--data";
            all[verb.length + 1] = data;
            Path errors = root.resolve("errors");
            ProcessBuilder builder = ServerProcess.command(Arrays.stream(all).map(Object::toString).toList());
            Process process = builder.redirectOutput(full.toFile()).redirectError(errors.toFile()).start();
            int status = Await.end(verb[0].toString(), process);
            assertEquals(verb[0] + ": " + Files.readString(errors), 1, status);
            assertTrue(Files.readString(errors), Files.readString(errors).startsWith("alder: "));
        }
    }

    /** As {@code alder export | head} does when it has its lines. */
    @Test
    public void whoeverReadsNoMoreIsNotToldOfIt() throws Exception {
        CommandRun.importing(data, BASE).succeeds();
        for (List<String> verb : List.of(List.of("status"), List.of("config", "show"), List.of("verify"), List.of("schema"), List.of("export"),
                List.of("generate", "--entries", "2000"))) {
            List<String> arguments = new ArrayList<>(verb);
            if (!verb.contains("generate")) {
                arguments.addAll(List.of("--data", data.toString()));
            }
            Path errors = root.resolve("errors");
            Process process = ServerProcess.command(arguments).redirectError(errors.toFile()).start();
            process.getInputStream().close();
            int status = Await.end(verb.get(0), process);
            assertEquals(verb + ": " + Files.readString(errors), 141, status);
            assertEquals("", Files.readString(errors));
        }
    }

    @Test
    public void aLoadThatIsStoppedSaysWhatIsThere() throws Exception {
        Path errors = root.resolve("errors");
        ProcessBuilder builder = ServerProcess.command(List.of("import", "--data", data.toString(), "-"));
        Process load = builder.redirectError(errors.toFile()).redirectOutput(root.resolve("out").toFile()).start();
        try {
            load.getOutputStream().write(BASE.getBytes(StandardCharsets.UTF_8));
            load.getOutputStream().flush();
            Await.until("the load to begin", () -> Files.exists(data.resolve("last-configuration")));
            load.destroy();
            Await.end("the stopped load", load);
        } finally {
            load.destroyForcibly();
        }
        assertTrue(Files.readString(errors), Files.readString(errors).contains("alder: stopped before the end: nothing was loaded"));
    }

    @Test
    public void importAndExportSpeakJson() throws IOException {
        Path broken = file("broken.ldif", BASE + ALICE + "dn: cn=x,dc=example,dc=com\ncn: x\n\n");
        CommandRun loaded = CommandRun.of("import", "--data", data, "--progress", "none", "--json", broken).fails(1, "1 record was rejected");
        String rejects = root.resolve("broken.rejects.ldif").toString();
        assertTrue(loaded.out(), loaded.out().matches("\\{\"partition\":\"dc=example,dc=com\",\"entries\":2,\"rejected\":1,\"rejects\":\\[\""
                + Pattern.quote(rejects) + "\"],\"remarks\":\\[],\"seconds\":\\d+\\.\\d{1,3}}\n"));
        CommandRun.of("import", "--data", data, "--replace", "--json", "--rejects", "-", broken).fails(2, "--rejects - and --json");

        Path output = root.resolve("all.ldif");
        CommandRun written = CommandRun.of("export", "--data", data, "--progress", "none", "--json", "--output", output).succeeds();
        assertTrue(written.out(), written.out().matches("\\{\"partition\":\"dc=example,dc=com\",\"entries\":2,\"output\":\""
                + Pattern.quote(output.toString()) + "\",\"seconds\":\\d+\\.\\d{1,3}}\n"));
        CommandRun.of("export", "--data", data, "--json").fails(2, "--json needs --output FILE");
        CommandRun replaced = CommandRun.of("import", "--data", data, "--progress", "none", "--replace", "--json", output).succeeds();
        assertTrue(replaced.out(), replaced.out().contains("\"entries\":2,\"rejected\":0,\"rejects\":[],"));
    }

    @Test
    public void statusAndVerifySpeakJson() throws IOException {
        CommandRun.importing(data, BASE + ALICE).succeeds();
        String verified = CommandRun.of("verify", "--json", "--data", data).succeeds().out();
        assertTrue(verified, verified.startsWith("{\"partition\":\"dc=example,dc=com\",\"clean\":true,\"problems\":[],\"entries\":2,"));
        String status = CommandRun.of("status", "--json", "--data", data).succeeds().out();
        assertTrue(status, status.contains("\"entries\":2,\"sequence\":") && status.contains("\"uid eq\""));
        assertEquals("{\"a\":[\"\\\"\\\\\\u000a\",1]}", JsonText.of(Map.of("a", List.of("\"\\\n", 1))));
    }
}
