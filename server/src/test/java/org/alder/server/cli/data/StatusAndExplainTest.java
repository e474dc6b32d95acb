package org.alder.server.cli.data;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.alder.partition.Partition;
import org.alder.server.assembly.PartitionFolder;
import org.alder.server.cli.Alder;
import org.alder.server.cli.option.DataOptions;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import picocli.CommandLine;

public class StatusAndExplainTest {
    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final StringWriter out = new StringWriter();
    private final StringWriter errors = new StringWriter();
    private String homeBefore;
    private Path data;

    @Before
    public void load() throws IOException {
        homeBefore = System.getProperty("alder.home");
        System.setProperty("alder.home", "..");
        data = folder.getRoot().toPath().resolve("data");
        StringBuilder ldif = new StringBuilder("dn: dc=example,dc=com\nobjectClass: domain\ndc: example\n\n");
        for (int i = 0; i < 20; i++) {
            ldif.append("dn: uid=u").append(i).append(",dc=example,dc=com\nobjectClass: inetOrgPerson\nuid: u").append(i)
                    .append("\ncn: c\nsn: s").append(i % 2).append("\ntitle: t").append(i % 4).append("\n\n");
        }
        Path file = Files.writeString(folder.getRoot().toPath().resolve("in.ldif"), ldif);
        assertEquals(errors.toString(), 0, run("import", "--progress", "none", "--rejects",
                folder.getRoot().toPath().resolve("rejects.ldif").toString(), file.toString()));
    }

    @After
    public void restoreHome() {
        if (homeBefore == null) {
            System.clearProperty("alder.home");
        } else {
            System.setProperty("alder.home", homeBefore);
        }
    }

    private int run(String verb, String... arguments) {
        CommandLine line = Alder.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(errors, true));
        List<String> all = new ArrayList<>(List.of(verb, "--data", data.toString()));
        all.addAll(List.of(arguments));
        return line.execute(all.toArray(String[]::new));
    }

    private void assertPrinted(String... lines) {
        for (String line : lines) {
            assertTrue("\"" + line + "\" in:\n" + out, out.toString().contains(line));
        }
    }

    @Test
    public void explainShowsPlanCountsAndTimes() {
        assertEquals(errors.toString(), 0, run("explain", "(&(sn=s1)(title=t3))"));
        assertPrinted("intersect", "sn eq \"s1\"", ": 10 entries, 10 left", "test", "candidates  10\n", "no index    title\n",
                "examined    10\n", "matches     5\n", "time        plan ", "first match ");
    }

    @Test
    public void explainTakesBaseAndScope() {
        assertEquals(errors.toString(), 0, run("explain", "--base", "UID=u3,dc=Example,dc=com", "--scope", "base",
                "(objectClass=*)"));
        assertPrinted("base        \"UID=u3,dc=Example,dc=com\", BASE", "matches     1\n");
    }

    @Test
    public void explainSaysWhichRuleDecides() throws IOException {
        Path configuration = folder.getRoot().toPath().resolve("rules.ldif");
        Files.writeString(configuration, "dn: cn=config\nobjectClass: alderServer\n"
                + "accessRule: deny view of title where (title=t1) to users\naccessRule: grant view of sn, title, uid, objectClass to users\n"
                + "accessRule: grant write of sn to self\n\n"
                + "dn: cn=example,cn=config\nobjectClass: alderPartition\nsuffix: dc=example,dc=com\n");
        assertEquals(errors.toString(), 0, run("explain", "--conf", configuration.toString(), "--as", "uid=u1,dc=example,dc=com",
                "(|(uid=u1)(uid=u2))"));
        String place = configuration + ", line ";
        assertPrinted("matches     2\n", "entry       uid=u1,dc=example,dc=com\n  is found\n",
                "  read         yes objectClass sn uid: grant view of sn, title, uid, objectClass to users (" + place + 4,
                "  read         no  title: deny view of title where (title=t1) to users (" + place + 3,
                "  write        yes sn: grant write of sn to self (" + place + 5, "  delete       no  no rule grants it\n",
                "  read         yes objectClass sn title uid: grant view of sn, title, uid, objectClass to users");
        assertEquals(errors.toString(), 0, run("explain", "--conf", configuration.toString(), "--as", "", "(uid=u3)"));
        assertPrinted("matches     0\n", "entry       uid=u3,dc=example,dc=com\n  is not found: as if there were no such entry\n");
        assertEquals(errors.toString(), 0, run("explain", "--conf", configuration.toString(), "--as", "cn=Directory Manager", "(uid=u4)"));
        assertPrinted("entry       uid=u4,dc=example,dc=com\n  is found\n", ": the administrator may do everything\n");
    }

    private void assertReads(boolean granted, Path configuration, String attribute, String... connection) {
        out.getBuffer().setLength(0);
        List<String> arguments = new ArrayList<>(List.of("--conf", configuration.toString(), "--as", "uid=u1,dc=example,dc=com"));
        arguments.addAll(List.of(connection));
        arguments.add("(uid=u2)");
        assertEquals(errors.toString(), 0, run("explain", arguments.toArray(String[]::new)));
        String read = out.toString().lines().filter(line -> line.startsWith("  read ") && line.matches(".* " + attribute + "[ :].*"))
                .findFirst().orElseThrow();
        assertEquals(out.toString(), granted, read.startsWith("  read         yes"));
    }

    @Test
    public void explainKnowsTheConnectionThatIsDescribed() throws IOException {
        Path configuration = folder.getRoot().toPath().resolve("connection.ldif");
        Files.writeString(configuration, "dn: cn=config\nobjectClass: alderServer\n"
                + "accessRule: grant view of sn to users and address 10.0.0.0/8, unix\n"
                + "accessRule: grant view of cn to tls\naccessRule: grant view of title to ssf 128\n"
                + "accessRule: grant view of uid to mechanism EXTERNAL\naccessRule: grant view of objectClass to not address 10.0.0.0/8\n\n"
                + "dn: cn=example,cn=config\nobjectClass: alderPartition\nsuffix: dc=example,dc=com\n");
        for (String attribute : List.of("sn", "cn", "title", "uid")) {
            assertReads(false, configuration, attribute);
        }
        assertReads(true, configuration, "objectClass");
        assertReads(true, configuration, "sn", "--address", "10.2.3.4");
        assertReads(false, configuration, "objectClass", "--address", "10.2.3.4");
        assertReads(false, configuration, "title", "--address", "10.2.3.4");
        assertReads(false, configuration, "sn", "--address", "2001:db8::1");
        assertReads(true, configuration, "sn", "--address", "unix");
        assertReads(true, configuration, "title", "--address", "unix");
        assertReads(false, configuration, "cn", "--address", "unix");
        assertReads(true, configuration, "cn", "--tls");
        assertReads(true, configuration, "title", "--tls");
        assertReads(false, configuration, "title", "--tls", "--ssf", "56");
        assertReads(true, configuration, "title", "--ssf", "128");
        assertReads(false, configuration, "uid", "--tls");
        assertReads(true, configuration, "uid", "--mechanism", "external");
    }

    @Test
    public void explainRefusesConnectionsThatCannotBe() {
        assertEquals(2, run("explain", "--as", "", "--address", "localhost", "(uid=u1)"));
        assertTrue(errors.toString(), errors.toString().contains("--address localhost: expected an address"));
        assertEquals(2, run("explain", "--as", "", "--address", "10.0.0.0/8", "(uid=u1)"));
        assertEquals(2, run("explain", "--as", "", "--ssf", "-1", "(uid=u1)"));
        assertTrue(errors.toString(), errors.toString().contains("--ssf -1: expected"));
        assertEquals(2, run("explain", "--tls", "(uid=u1)"));
        assertTrue(errors.toString(), errors.toString().contains("add --as DN"));
    }

    @Test
    public void explainWithoutMatchesHasNoFirst() {
        assertEquals(errors.toString(), 0, run("explain", "(sn=nobody)"));
        assertPrinted("matches     0\n", "first match none");
    }

    @Test
    public void explainSaysWhereAFilterIsNone() {
        assertEquals(2, run("explain", "(sn=s1"));
        assertTrue(errors.toString(), errors.toString().startsWith("alder: "));
    }

    @Test
    public void explainOfAMissingBaseNamesIt() {
        assertEquals(1, run("explain", "--base", "ou=none,dc=example,dc=com", "(sn=s1)"));
        assertTrue(errors.toString(), errors.toString().contains("ou=none,dc=example,dc=com"));
    }

    @Test
    public void statusShowsWhatIsThere() {
        assertEquals(errors.toString(), 0, run("status"));
        assertPrinted("partition   dc=example,dc=com\n", "entries     21 at sequence ", " in 1 segment, ", "index       uid eq");
    }

    @Test
    public void bothRunBesideTheHolderOfTheFolder() throws Exception {
        DataOptions options = CommandLine.populateCommand(new DataOptions(), "--data", data.toString());
        PartitionFolder held = options.data().partitions(options.configuration(), options.schema()).get(0);
        try (Partition partition = held.open()) {
            assertEquals(errors.toString(), 0, run("status"));
            assertEquals(errors.toString(), 0, run("explain", "(uid=u1)"));
            assertEquals("dc=example,dc=com", partition.suffix().text());
        }
        assertPrinted("entries     21 ", "matches     1\n");
    }

    @Test
    public void statusOfNothingSaysWhatToDo() {
        data = folder.getRoot().toPath().resolve("nothing");
        assertEquals(1, run("status"));
        assertTrue(errors.toString(), errors.toString().contains("holds no partition"));
    }
}
