package org.alder.server.page;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.SearchScope;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.alder.partition.testing.Await;
import org.alder.server.cli.Alder;
import org.alder.server.cli.CommandRun;
import org.alder.server.clients.Program;
import org.junit.BeforeClass;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import picocli.CommandLine.ParameterException;

/** The boxes of the pages in docs do what the pages say; those that cannot be run here are known, each with why. */
public class PagesTest {
    private static final String SUFFIX = "dc=example,dc=com";
    private static final String CONFIGURATION = "dn: cn=config\nobjectClass: alderServer\n";
    private static final String PARTITION = "\ndn: cn=example,cn=config\nobjectClass: alderPartition\nsuffix: " + SUFFIX + "\n";

    private static final Pattern COMMAND = Pattern.compile("^ {4}(bin/)?(alder|ldap[a-z]+|curl|jq|openssl|mvn|systemctl) ");

    /** Pages that tests of their own run, or that are made of the code. */
    private static final Map<String, String> ELSEWHERE = Map.of("commands.md", "CommandsPageTest", "cluster.md", ".ci/cluster", "conformance.md", "ConformanceTest", "first-steps.md", ".ci/walkthrough",
            "kerberos.md", "KerberosTest");

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    /** What the shells of the pages call, beside Alder and what every system has. */
    @BeforeClass
    public static void requirePrograms() {
        Program.require(Stream.of("bash", "ldapsearch", "ldapmodify", "curl", "jq").allMatch(Program::isOnPath),
                "bash, OpenLDAP's tools, curl and jq (Debian: apt-get install ldap-utils curl jq)");
    }

    private PageRun page() throws IOException {
        return new PageRun(temporary.newFolder().toPath().toRealPath());
    }

    /** With a server of some people. */
    private PageRun served(Object... options) throws IOException {
        PageRun page = page();
        List<Object> all = new ArrayList<>(List.of("--sample", 200));
        all.addAll(Arrays.asList(options));
        return page.start(all.toArray());
    }

    /** Pages about a server that is there, and of which none gets in the way of the others. */
    @Test
    public void pagesOfOneServer() throws Exception {
        try (PageRun page = served()) {
            CommandRun.of("search", "--data", page.data(), "(roomNumber=17)").succeeds();
            for (String name : List.of("indexes.md", "metrics.md", "groups.md", "synchronization.md", "sorting.md", "large-groups.md",
                    "collective-attributes.md", "integrity.md", "authentication.md", "console.md", "troubleshooting.md", "../README.md")) {
                page.follow(name);
            }
        }
    }

    @Test
    public void backup() throws Exception {
        try (PageRun page = served()) {
            Path backups = page.folder().resolve("backups");
            page.withFolder("/var/lib/alder", page.data()).withFolder("/backups/alder", backups);
            page.with("2026-11-22T22:18:54Z", () -> {
                Instant moment = Instant.now();
                describe(page, "later");
                CommandRun.of("backup", "--data", page.data(), "--to", backups).succeeds();
                return moment.toString();
            });
            page.with("to-change 1234", () -> "to-change " + lastChange(page, backups));
            page.follow("backup.md");
        }
    }

    private static String lastChange(PageRun page, Path backups) {
        describe(page, "last");
        CommandRun.of("backup", "--data", page.data(), "--to", backups).succeeds();
        String list = CommandRun.of("backup", "list", "--from", backups, "--json").succeeds().out().strip();
        return list.substring(list.lastIndexOf('\n') + 1).replaceFirst(".*\"change\":(\\d+).*", "$1");
    }

    private static void describe(PageRun page, String text) {
        try (LDAPConnection admin = page.admin(page.data())) {
            admin.modify("uid=user.1,ou=users," + SUFFIX, new Modification(ModificationType.REPLACE, "description", text));
        } catch (LDAPException | IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    public void configuration() throws Exception {
        try (PageRun page = page()) {
            page.file("my.ldif", CONFIGURATION + "sizeLimit: 6\n" + PARTITION).file("other.ldif", CONFIGURATION + "sizeLimit: 5\n" + PARTITION);
            page.withFolder("/srv/alder", page.data()).follow("configuration.md");
        }
    }

    @Test
    public void accessLog() throws Exception {
        try (PageRun page = served("--set", "accessLog=all")) {
            describe(page, "logged");
            page.with("data/access/access.jsonl", () -> {
                awaitFile(page.data().resolve("access/access.jsonl"));
                return "data/access/access.jsonl";
            }).follow("access-log.md");
        }
    }

    private static void awaitFile(Path file) {
        try {
            Await.until(file + " to have lines", () -> Files.exists(file) && Files.size(file) > 0);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    public void sharding() throws Exception {
        try (PageRun page = served()) {
            int port;
            try (LDAPConnection admin = page.admin(page.data())) {
                port = admin.getConnectedPort();
            }
            page.file("admin.password", Files.readString(page.data().resolve("admin.password")));
            page.with("old.example.com:10389", () -> "127.0.0.1:" + port).with(" --port 20389", () -> "").follow("sharding.md");
            Path sharded = page.folder().resolve("sharded");
            try (LDAPConnection admin = page.admin(sharded)) {
                admin.modify("uid=user.1,ou=users," + SUFFIX, new Modification(ModificationType.REPLACE, "description", "by the new one"));
                assertEquals(217, admin.search(SUFFIX, SearchScope.SUB, "(objectClass=*)", "1.1").getEntryCount());
            }
            page.stop(sharded);
            CommandRun.of("verify", "--data", sharded).succeeds();
        }
    }

    /** The connections that are closed are those of two clients of this test. */
    @Test
    public void monitor() throws Exception {
        try (PageRun page = served(); LDAPConnection one = page.admin(page.data()); LDAPConnection other = page.admin(page.data())) {
            List<String> ids = CommandRun.of("connections", "--data", page.data(), "--address", "127.0.0.1", "--json").succeeds().out().lines()
                    .map(line -> line.replaceFirst(".*\"id\":(\\d+).*", "$1")).toList();
            assertEquals(ids.toString(), 2, ids.size());
            page.with("close --id 4711 --id 4712", () -> "close --id " + String.join(" --id ", ids)).follow("monitor.md");
            assertThrows(LDAPException.class, one::getRootDSE);
            assertThrows(LDAPException.class, other::getRootDSE);
        }
    }

    @Test
    public void schema() throws Exception {
        StringBuilder schema = new StringBuilder();
        for (int i = 1; i <= 12; i++) {
            schema.append("attributetype ( 1.3.6.1.4.1.99999.7.").append(i).append(" NAME 'acmeAttribute").append(i)
                    .append("' SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 )\n");
        }
        for (int i = 1; i <= 3; i++) {
            schema.append("objectclass ( 1.3.6.1.4.1.99999.8.").append(i).append(" NAME 'acmeClass").append(i).append("' SUP top AUXILIARY )\n");
        }
        try (PageRun page = served()) {
            page.file("acme.schema", schema.toString()).follow("schema.md");
        }
    }

    @Test
    public void security() throws Exception {
        try (PageRun page = served("--set", "audit=writes")) {
            describe(page, "audited");
            awaitFile(page.data().resolve("audit/audit.jsonl"));
            page.follow("security.md");
        }
    }

    @Test
    public void tls() throws Exception {
        try (PageRun page = page()) {
            page.with("ldapi://%2Fopt%2Falder%2Fdata%2Fldapi", () -> "ldapi://" + page.data().resolve("ldapi").toString().replace("/", "%2F"));
            page.follow("tls.md");
        }
    }

    @Test
    public void bulkLoad() throws Exception {
        String people = "dn: " + SUFFIX + "\nobjectClass: domain\ndc: example\n\ndn: ou=people," + SUFFIX + "\nobjectClass: organizationalUnit\nou: people\n";
        try (PageRun page = page()) {
            ByteArrayOutputStream compressed = new ByteArrayOutputStream();
            try (OutputStream gzip = new GZIPOutputStream(compressed)) {
                gzip.write(people.getBytes(StandardCharsets.UTF_8));
            }
            Files.write(page.folder().resolve("people.ldif.gz"), compressed.toByteArray());
            page.file("people.ldif", people).withFolder("/var/lib/alder", page.data()).follow("bulk-load.md");
        }
    }

    /** Pages about people whose names and passwords they take to be there. */
    @Test
    public void people() throws Exception {
        try (PageRun page = page().start()) {
            page.apply("dn: dc=example,dc=com\nobjectClass: domain\ndc: example\n");
            for (String unit : List.of("people", "services", "sales")) {
                page.apply("dn: ou=" + unit + ",dc=example,dc=com\nobjectClass: organizationalUnit\nou: " + unit + "\n");
            }
            for (String uid : List.of("anna", "intern", "desk", "ann", "bob")) {
                page.apply("dn: uid=" + uid + ",ou=people,dc=example,dc=com\nobjectClass: inetOrgPerson\nuid: " + uid + "\ncn: " + uid
                        + "\nsn: Smith\nuserPassword: Anfang-2027\n");
            }
            page.file("desk.password", "Anfang-2027").file("ca.pem", Files.readString(page.data().resolve("tls.crt")));
            page.with("ldaps://ldap.example.com:10636", () -> "ldaps://" + page.ofReader("localhost:10636"));
            page.withFolder("/var/lib/alder", page.data());
            for (String name : List.of("password-policy.md", "access-rules.md", "access-rules-migration.md", "limits.md")) {
                page.follow(name);
            }
        }
    }

    /** What a verb is and which options it has is looked at; nothing is done. */
    @Test
    public void theVerbsTakeTheirExamples() throws Exception {
        Path folder = temporary.newFolder().toPath();
        List<String> refused = Collections.synchronizedList(new ArrayList<>());
        AtomicInteger calls = new AtomicInteger();
        int examples = 0;
        Relay relay = Relay.open(folder.resolve("bin/alder"), folder.resolve("calls"), (where, in, arguments) -> {
            calls.incrementAndGet();
            try {
                Alder.commandLineFor(arguments.toArray(String[]::new)).parseArgs(arguments.toArray(String[]::new));
            } catch (ParameterException e) {
                refused.add(arguments + ": " + e.getMessage());
            }
            return new CommandRun(0, "", "");
        });
        try {
            boolean inside = false;
            for (String line : Files.readAllLines(Box.DOCS.resolve("commands.md"))) {
                inside ^= line.startsWith("```");
                if (inside && !line.startsWith("```")) {
                    examples++;
                    ProcessBuilder shell = new ProcessBuilder("bash", "-c", line).directory(folder.toFile()).redirectErrorStream(true)
                            .redirectInput(Path.of("/dev/null").toFile()).redirectOutput(folder.resolve("printed").toFile());
                    shell.environment().put("HOME", folder.toString());
                    Await.end(line, shell.start());
                }
            }
        } finally {
            relay.close();
        }
        assertEquals(List.of(), refused);
        assertEquals("each example calls Alder once", examples, calls.get());
        assertTrue(examples + " examples", examples > 60);
    }

    private String failure(String... lines) throws Exception {
        Path file = Files.writeString(temporary.newFile("page.md").toPath(), "Some text.\n\n" + String.join("\n", lines) + "\n");
        try (PageRun page = page()) {
            String message = assertThrows(AssertionError.class, () -> page.follow(file.toString())).getMessage();
            Files.delete(file);
            return message;
        }
    }

    private void fails(String expected, String... lines) throws Exception {
        String message = failure(lines);
        assertTrue(message, message.contains(expected) && message.contains("page.md:"));
    }

    /** With the page and the line of its box. */
    @Test
    public void whatDoesNotDoWhatThePageSaysIsTold() throws Exception {
        fails("page.md:3: ", "```sh", "true", "false", "```");
        fails("line 2 of the box ends with status 1", "```sh", "true", "false", "```");
        fails("page.md:7: ", "<!-- ends with 3 -->", "```sh", "exit 3", "```", "```sh", "bin/alder no-such-verb", "```");
        fails("the page says that this is printed:\none\ntwo\n", "```sh", "echo one", "```", "", "```text", "one", "two", "```");
        fails("the page says that this is printed", "```sh", "echo one and two", "```", "", "```text", "one ... three", "```");
        fails("sizeLimits", "```conf", "sizeLimits: 5", "```");
        fails("no server has been started", "```ldif", "dn: dc=example,dc=com", "objectClass: domain", "dc: example", "```");
        fails("is not run, and no comment above it says why", "```yaml", "a: b", "```");
        fails("the box has no end", "```sh", "true");
        fails("no commands above print this", "```text", "one", "```");
    }

    /** A box that is not run is one of these. */
    @Test
    public void whatIsNotRunIsKnown() throws IOException {
        List<String> notRun = new ArrayList<>();
        for (String name : pages()) {
            if (!ELSEWHERE.containsKey(name)) {
                Box.of(name).stream().filter(box -> !box.isRun()).map(box -> name + ": " + box.reason()).forEach(notRun::add);
            }
        }
        assertEquals(Files.readString(Path.of("src/test/resources/boxes-not-run.txt")), String.join("\n", notRun) + "\n");
    }

    /** And every page with boxes is followed, by a test above: what names no page here is nowhere run. */
    @Test
    public void everyPageWithBoxesIsFollowed() throws IOException {
        String self = Files.readString(Path.of("src/test/java/org/alder/server/page/PagesTest.java"));
        for (String name : pages()) {
            if (!ELSEWHERE.containsKey(name)) {
                assertTrue(name + " has boxes, and no test here follows it", Box.of(name).stream().noneMatch(Box::isRun) || self.contains('"' + name + '"'));
                assertEquals(name + ": commands stand between fences, where they are run", List.of(), commandsOutsideOfBoxes(name));
            }
        }
    }

    private static List<String> commandsOutsideOfBoxes(String name) throws IOException {
        List<String> found = new ArrayList<>();
        boolean inside = false;
        for (String line : Files.readAllLines(Box.DOCS.resolve(name))) {
            inside ^= line.startsWith("```");
            if (!inside && COMMAND.matcher(line).find()) {
                found.add(line);
            }
        }
        return found;
    }

    private static List<String> pages() throws IOException {
        try (Stream<Path> files = Files.list(Box.DOCS)) {
            return Stream.concat(Stream.of("../README.md"), files.map(file -> file.getFileName().toString()).filter(file -> file.endsWith(".md")).sorted())
                    .toList();
        }
    }
}
