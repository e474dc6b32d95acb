package org.alder.server.cli;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchResult;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldif.LDIFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.stream.Stream;
import org.alder.ldif.SampleDirectory;
import org.alder.partition.testing.Await;
import org.alder.server.ClientToolsTest;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** start: in a JVM of its own where it listens, in this one where it refuses to. */
public class StartTest {
    private static final String SUFFIX = "dc=example,dc=com";
    private static final String SERVER = "dn: cn=config\nobjectClass: alderServer\n\n";
    private static final String FIRST = "dn: cn=first,cn=config\nobjectClass: alderPartition\n"
            + "suffix: dc=example,dc=com\nindex: uid eq\n";

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();
    private Path root;
    private Path data;

    @Before
    public void nameFolders() {
        root = temporary.getRoot().toPath();
        data = root.resolve("data");
    }

    private static int count(LDAPConnection connection, String filter) throws LDAPException {
        return connection.search(SUFFIX, SearchScope.SUB, filter, "1.1").getEntryCount();
    }

    /** The search that the start tells to try found nothing there, and said so with an error. */
    @Test
    public void whatToTryOnAnEmptyFolderWorks() throws Exception {
        ClientToolsTest.findTools();
        try (ServerProcess server = ServerProcess.start(data); LDAPConnection connection = server.admin()) {
            String hint = server.hint();
            assertTrue(hint, hint.endsWith(" -s base -b '' '+'"));
            String empty = server.hint();
            assertTrue(empty, empty.startsWith("no entries yet: the next line makes the first one") && empty.contains("docs/first-steps.md"));
            paste("try: " + server.hint()).succeeds();
            assertEquals("example", connection.getEntry(SUFFIX).getAttributeValue("dc"));
        }
    }

    private Path configuration(String lines) throws IOException {
        return Files.writeString(root.resolve("strict.ldif"), "dn: cn=config\nobjectClass: alderServer\n" + lines
                + "\ndn: cn=main,cn=config\nobjectClass: alderPartition\nsuffix: " + SUFFIX + "\n");
    }

    @Test
    public void whereNoPasswordIsTakenInClearWhatToTryGoesThroughTheSocket() throws Exception {
        ClientToolsTest.findTools();
        try (ServerProcess server = ServerProcess.start(data, "--conf", configuration("plaintextBind: none\n"))) {
            LDAPException refusal = assertThrows(LDAPException.class,
                    () -> new LDAPConnection("127.0.0.1", server.port(), ServerProcess.ADMIN, Files.readString(data.resolve("admin.password"))).close());
            assertEquals(ResultCode.CONFIDENTIALITY_REQUIRED, refusal.getResultCode());
            String hint = server.hint();
            assertTrue(hint, hint.contains(" -H ldapi://"));
            assertTrue(paste(hint).succeeds().out().contains("namingContexts"));
        }
    }

    @Test
    public void aPortForMonitoringThatIsTakenEndsTheStart() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + taken.getLocalPort();
            CommandRun run = ServerProcess.run(root.resolve("out"), "start", "--data", data, "--port", 0, "--conf",
                    configuration("httpListener: http://" + address + "\n"));
            assertEquals(run.toString(), 1, run.status());
            assertTrue(run.toString(), run.err().contains("alder: httpListener " + address + " cannot be listened on"));
        }
    }

    @Test
    public void passwordsOfTheSampleAreShownOnce() throws Exception {
        try (ServerProcess server = ServerProcess.start(data, "--sample", 20)) {
            server.hint();
            String title = server.hint();
            assertTrue(title, title.startsWith("passwords of the sample, which are shown this once"));
            for (String dn : SampleDirectory.accounts(20)) {
                String line = server.hint();
                assertTrue(line, line.endsWith("  " + dn));
                try (LDAPConnection connection = new LDAPConnection("127.0.0.1", server.port(), dn, line.strip().split(" ")[0])) {
                    assertEquals("an account looks people up", 1, count(connection, "(uid=user.7)"));
                }
            }
            try (LDAPConnection connection = server.admin()) {
                String[] groups = connection.getEntry("uid=user.7,ou=users," + SUFFIX, "memberOf").getAttributeValues("memberOf");
                assertTrue("of a department", Arrays.stream(groups).anyMatch(dn -> dn.endsWith(SampleDirectory.GROUPS)));
                assertEquals("groups in a group", 20, connection.search(SUFFIX, SearchScope.SUB,
                        "(memberOf:1.2.840.113556.1.4.1941:=cn=staff," + SampleDirectory.GROUPS + ")", "1.1").getSearchEntries().stream()
                        .filter(entry -> entry.getDN().startsWith("uid=")).count());
            }
        }
    }

    @Test
    public void firstStartMakesAPasswordThatOnlyTheOwnerReads() throws IOException, LDAPException {
        Path file = data.resolve("admin.password");
        String password;
        try (ServerProcess server = ServerProcess.start(data, "--sample", 20); LDAPConnection connection = server.admin()) {
            assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
            password = Files.readString(file);
            assertTrue(password, password.length() >= 20);
            assertEquals(20, count(connection, "(uid=user.*)"));
            String hint = server.hint();
            assertTrue(hint, hint.contains("-H ldap://127.0.0.1:" + server.port()) && hint.contains("-y " + file));
        }
        try (ServerProcess server = ServerProcess.start(data, "--sample", 50);
                LDAPConnection connection = server.connect(password)) {
            assertEquals("a second start loads no sample", 20, count(connection, "(uid=user.*)"));
            String hint = server.hint();
            assertTrue("nor does it know who is there: " + hint, hint.endsWith(" -s base"));
        }
    }

    /** As the start wants it: nobody else reads it. */
    private Path passwordFile(String text) throws IOException {
        Path file = Files.writeString(root.resolve("password"), text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    @Test
    public void givenPasswordFile() throws IOException, LDAPException {
        Path file = passwordFile("of my own\n");
        try (ServerProcess server = ServerProcess.start(data, "--admin-password-file", file);
                LDAPConnection connection = server.connect("of my own")) {
            assertTrue(connection.isConnected());
            assertFalse("a password nobody needs", Files.exists(data.resolve("admin.password")));
            assertEquals(ResultCode.INVALID_CREDENTIALS, refusedBind(server));
        }
    }

    private static ResultCode refusedBind(ServerProcess server) {
        try (LDAPConnection connection = server.connect("another")) {
            return ResultCode.SUCCESS;
        } catch (LDAPException e) {
            return e.getResultCode();
        }
    }

    @Test
    public void unusablePasswordFiles() throws IOException {
        Path empty = Files.writeString(root.resolve("empty"), "\n");
        CommandRun.of("start", "--data", data, "--port", 0, "--admin-password-file", empty).fails(1, empty.toString());
        CommandRun.of("start", "--data", data, "--port", 0, "--admin-password-file", root).fails(1, root.toString());
        Path missing = root.resolve("missing");
        CommandRun.of("start", "--data", data, "--port", 0, "--admin-password-file", missing).fails(1, missing.toString());
    }

    @Test
    public void wrongOptions() throws IOException {
        CommandRun.of("start", "--data", data, "--port", 65536).fails(2, "--port 65536");
        CommandRun.of("start", "--data", data, "--port", -1).fails(2, "--port -1");
        CommandRun.of("start", "--data", data, "--sample", -1).fails(2, "--sample -1");
        CommandRun other = CommandRun.of("start", "--data", root.resolve("other"), "--sample", 5, "--set", "example/suffix=dc=other");
        assertTrue(other.toString(), other.status() == 1 && other.err().contains("the first partition has the suffix \"dc=other\""));
        assertFalse(Files.exists(data));
        Path plain = Files.writeString(root.resolve("plain"), "");
        CommandRun.of("start", "--data", plain).fails(1, plain + " is no folder, expected the data folder");
        CommandRun.of("start", "--data", data, "--conf", root.resolve("none.ldif")).fails(1, "none.ldif: there is no such file");
    }

    @Test
    public void readOnlyFolder() throws IOException {
        Files.createDirectory(data, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("r-x------")));
        assumeTrue("the super-user may write anywhere", !Files.isWritable(data));
        CommandRun.of("start", "--data", data).fails(1, "permission denied: " + data);
    }

    @Test
    public void secondServerOnTheSameFolderIsRefused() throws IOException, LDAPException {
        try (ServerProcess server = ServerProcess.start(data, "--sample", 5); LDAPConnection connection = server.admin()) {
            CommandRun second = CommandRun.of("start", "--data", data, "--port", 0);
            second.fails(1, "the data folder " + data + " is in use by another process (pid ");
            assertEquals("the first one serves on", 5, count(connection, "(uid=user.*)"));
            connection.delete("uid=user.1,ou=users," + SUFFIX);
        }
    }

    @Test
    public void portInUse() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            CommandRun.of("start", "--data", data, "--port", taken.getLocalPort(), "--admin-password-file",
                    passwordFile("x"))
                    .fails(1, "cannot listen on 127.0.0.1:" + taken.getLocalPort() + ": Address already in use");
        }
    }

    @Test
    public void unknownHost() throws IOException {
        CommandRun.of("start", "--data", data, "--port", 0, "--host", "no.such.host.invalid", "--admin-password-file",
                passwordFile("x")).fails(1, "no.such.host.invalid:0: unknown host");
    }

    @Test
    public void verifyBesideTheServer() throws IOException, LDAPException {
        try (ServerProcess server = ServerProcess.start(data, "--sample", 5); LDAPConnection connection = server.admin()) {
            connection.delete("uid=user.1,ou=users," + SUFFIX);
            CommandRun run = CommandRun.of("verify", "--data", data).succeeds();
            assertTrue(run.toString(), run.out().startsWith(SUFFIX + ": 14 entries, "));
        }
    }

    @Test
    public void stopsWhileClientsWork() throws IOException, LDAPException, LDIFException {
        try (ServerProcess server = ServerProcess.start(data, "--sample", 5)) {
            LDAPConnection connection = server.admin();
            connection.add("dn: ou=late," + SUFFIX, "objectClass: organizationalUnit", "ou: late");
        }
        CommandRun.of("verify", "--data", data).succeeds();
        try (ServerProcess server = ServerProcess.start(data); LDAPConnection connection = server.admin()) {
            assertEquals(1, count(connection, "(ou=late)"));
        }
    }

    @Test
    public void anotherIndexConfigurationRebuildsTheIndexes() throws IOException, LDAPException, LDIFException {
        String limited = SERVER.replace("alderServer\n", "alderServer\nexaminedLimit: 10\n");
        Path before = Files.writeString(root.resolve("before.ldif"), limited + FIRST);
        Path after = Files.writeString(root.resolve("after.ldif"), limited + FIRST + "index: pager eq\nindex: mail sub\n");
        String user = "uid=user.1,ou=users," + SUFFIX;
        String pager;
        try (ServerProcess server = ServerProcess.start(data, "--sample", 100, "--conf", before);
                LDAPConnection admin = server.admin();
                LDAPConnection connection = new LDAPConnection("127.0.0.1", server.port())) {
            pager = admin.getEntry(user).getAttributeValue("pager");
            admin.modify("dn: " + user, "changetype: modify", "replace: mail", "mail: found@example.com",
                    "-", "replace: userPassword", "userPassword: password");
            connection.bind(user, "password");
            assertEquals(ResultCode.ADMIN_LIMIT_EXCEEDED, searchCode(connection, "(pager=" + pager + ")"));
        }
        try (ServerProcess server = ServerProcess.start(data, "--conf", after);
                LDAPConnection connection = new LDAPConnection("127.0.0.1", server.port())) {
            connection.bind(user, "password");
            assertEquals(1, count(connection, "(pager=" + pager + ")"));
            assertEquals(1, count(connection, "(mail=*nd@exam*)"));
        }
        CommandRun.of("verify", "--data", data, "--conf", after).succeeds();
        CommandRun.of("verify", "--data", data, "--conf", before).succeeds();
        Path more = Files.writeString(root.resolve("more.ldif"), limited + FIRST + "index: pager eq\nindex: title eq\n");
        CommandRun lacking = CommandRun.of("verify", "--data", data, "--conf", more);
        assertEquals(lacking.toString(), 1, lacking.status());
        assertTrue(lacking.out(), lacking.out().contains("needs other indexes: the configuration has indexes that the data lack (title), and not all that they have (mail"));
        Path other = Files.writeString(root.resolve("other.ldif"), limited + FIRST + "index: pager eq,pres\nindex: mail eq\n");
        CommandRun otherKinds = CommandRun.of("verify", "--data", data, "--conf", other);
        assertTrue(otherKinds.out(), otherKinds.out().contains("names than wanted: "));
        assertTrue(otherKinds.out(), otherKinds.out().lines().allMatch(line -> line.length() < 400));
    }

    private static ResultCode searchCode(LDAPConnection connection, String filter) {
        try {
            return connection.search(SUFFIX, SearchScope.SUB, filter, "1.1").getResultCode();
        } catch (LDAPException e) {
            return e.getResultCode();
        }
    }

    @Test
    public void suffixesThatCannotBe() throws IOException {
        Path twice = Files.writeString(root.resolve("twice.ldif"), SERVER + FIRST
                + "\ndn: cn=second,cn=config\nobjectClass: alderPartition\nsuffix: DC=Example, dc=com\n");
        CommandRun.of("start", "--data", data, "--conf", twice).fails(1, twice + ", line 11, suffix: another partition has the suffix");
        assertFalse(Files.exists(data));
        Path wrong = Files.writeString(root.resolve("wrong.ldif"), SERVER + FIRST.replace("dc=example,dc=com", "example"));
        CommandRun.of("start", "--data", data, "--conf", wrong).fails(1, wrong + ", line 6, suffix: invalid DN \"example\"");
        Path own = Files.writeString(root.resolve("own.ldif"), SERVER + FIRST.replace("dc=example,dc=com", "cn=a,cn=monitor"));
        CommandRun.of("start", "--data", data, "--conf", own).fails(1, own + ", line 6, suffix: \"cn=a,cn=monitor\" is the name of");
        Path first = Files.writeString(root.resolve("first.ldif"), SERVER + FIRST);
        Path other = Files.writeString(root.resolve("other.ldif"), SERVER + FIRST.replace("dc=example,dc=com", "o=Other"));
        CommandRun.importing(data, "dn: dc=example,dc=com\nobjectClass: domain\ndc: example\n", "--conf", first).succeeds();
        Path password = passwordFile("x");
        CommandRun.of("start", "--data", data, "--conf", other, "--port", 0, "--admin-password-file", password)
                .fails(1, data.resolve("partitions/first") + " holds entries, but not \"o=Other\"");
        CommandRun.of("verify", "--data", data, "--conf", first).succeeds();
    }

    @Test
    public void twoPartitionsServe() throws IOException, LDAPException, LDIFException {
        Path two = Files.writeString(root.resolve("two.ldif"), SERVER + FIRST
                + "\ndn: cn=second,cn=config\nobjectClass: alderPartition\nsuffix: o=Second\nindex: objectClass eq\n");
        String entry = "dn: o=Second\nobjectClass: organization\no: Second\n";
        CommandRun.importing(data, entry, "--conf", two, "--suffix", "o=Second").succeeds();
        try (ServerProcess server = ServerProcess.start(data, "--conf", two, "--sample", 5);
                LDAPConnection connection = server.admin()) {
            connection.add("dn: ou=unit,o=Second", "objectClass: organizationalUnit", "ou: unit");
            SearchResult both = connection.search("", SearchScope.SUB, "(|(ou=unit)(uid=user.5))", "1.1");
            assertEquals(2, both.getEntryCount());
            assertEquals(2, connection.getRootDSE().getNamingContextDNs().length);
            assertEquals(1, connection.search("o=second", SearchScope.ONE, "(objectClass=*)").getEntryCount());
        }
        CommandRun verified = CommandRun.of("verify", "--data", data, "--conf", two).succeeds();
        assertEquals(verified.out(), 2, verified.out().lines().count());
    }

    @Test
    public void nobodyElseReadsTheDataFolder() throws IOException, LDAPException, LDIFException {
        try (ServerProcess server = ServerProcess.start(data, "--sample", 20); LDAPConnection connection = server.admin()) {
            connection.add("dn: ou=late," + SUFFIX, "objectClass: organizationalUnit", "ou: late");
            try (Stream<Path> files = Files.walk(data)) {
                for (Path file : files.toList()) {
                    String permissions = PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
                    assertEquals(file.toString(), Files.isDirectory(file) ? "rwx------" : "rw-------", permissions);
                }
            }
        }
    }

    private CommandRun paste(String hint) throws IOException, InterruptedException {
        assertTrue(hint, hint.startsWith("try: "));
        Path out = root.resolve("pasted.out");
        Process shell = new ProcessBuilder("sh", "-c", hint.substring("try: ".length())).redirectErrorStream(true)
                .redirectOutput(out.toFile()).start();
        return new CommandRun(Await.end("the pasted line", shell), Files.readString(out), "");
    }

    @Test
    public void theLineToTryFindsSomethingWhateverThereIs() throws IOException, InterruptedException {
        ClientToolsTest.findTools();
        try (ServerProcess server = ServerProcess.start(data)) {
            assertTrue(paste(server.hint()).succeeds().out().contains("namingContexts"));
        }
        CommandRun.importing(data, "dn: " + SUFFIX + "\nobjectClass: domain\ndc: example\n").succeeds();
        try (ServerProcess server = ServerProcess.start(data)) {
            CommandRun found = paste(server.hint()).succeeds();
            assertTrue(found.out(), found.out().contains("dn: " + SUFFIX));
        }
    }

    @Test
    public void theEngineInMemoryServesUntilTheServerStops() throws IOException, LDAPException, LDIFException {
        Path memory = Files.writeString(root.resolve("memory.ldif"), SERVER + FIRST + "engine: memory\n");
        try (ServerProcess server = ServerProcess.start(data, "--sample", 20, "--conf", memory);
                LDAPConnection connection = server.admin()) {
            assertEquals(20, count(connection, "(uid=user.*)"));
            connection.add("dn: ou=late," + SUFFIX, "objectClass: organizationalUnit", "ou: late");
            assertEquals(1, count(connection, "(ou=late)"));
        }
        assertFalse(Files.exists(data.resolve("partitions")));
    }
}
