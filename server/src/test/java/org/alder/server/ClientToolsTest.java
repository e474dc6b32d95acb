package org.alder.server;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;
import static org.junit.Assert.fail;
import static org.junit.Assume.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.alder.partition.testing.Await;
import org.junit.After;
import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * The OpenLDAP command-line tools, each with success and failure. Without them the test is skipped, but for the environment
 * CI=true.
 */
public class ClientToolsTest {
    private static final int NO_SUCH_OBJECT = 32;
    private static final int INVALID_CREDENTIALS = 49;
    private static final int INSUFFICIENT_ACCESS = 50;

    private TestServer server;

    @Rule
    public TemporaryFolder folder = new TemporaryFolder();

    @BeforeClass
    public static void findTools() {
        List<String> missing = new ArrayList<>();
        for (String tool : List.of("ldapsearch", "ldapadd", "ldapmodify", "ldapdelete", "ldapmodrdn", "ldapcompare",
                "ldapwhoami", "ldappasswd")) {
            if (Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                    .noneMatch(dir -> Files.isExecutable(Path.of(dir, tool)))) {
                missing.add(tool);
            }
        }
        if (!missing.isEmpty()) {
            String notice = "OpenLDAP's tools are not installed (Debian: apt-get install ldap-utils): " + missing;
            if ("true".equals(System.getenv("CI"))) {
                fail(notice);
            }
            System.out.println("ClientToolsTest is skipped: " + notice);
        }
        assumeTrue(missing.isEmpty());
    }

    @Before
    public void start() {
        server = new TestServer();
    }

    @After
    public void stop() {
        server.close();
    }

    private record Outcome(int status, String output) {
        Outcome isSuccess() {
            assertEquals(output, 0, status);
            return this;
        }

        void fails(int code, String text) {
            assertEquals(output, code, status);
            assertTrue(output, output.contains(text));
        }

        int count(String prefix) {
            return (int) output.lines().filter(line -> line.startsWith(prefix)).count();
        }
    }

    private Outcome run(String tool, String... arguments) throws IOException, InterruptedException {
        return runAs(TestServer.ADMIN, TestServer.ADMIN_PASSWORD, tool, arguments);
    }

    private Outcome runAs(String dn, String password, String tool, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(tool, "-x", "-H", "ldap://127.0.0.1:" + server.port()));
        if (dn != null) {
            command.addAll(List.of("-D", dn, "-w", password));
        }
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("LDAPNOINIT", "1");
        Process process = builder.start();
        try (InputStream output = process.getInputStream()) {
            String text = new String(output.readAllBytes(), StandardCharsets.UTF_8);
            return new Outcome(Await.end(tool, process), text);
        }
    }

    private String file(String... lines) throws IOException {
        return Files.write(folder.newFile().toPath(), List.of(lines)).toString();
    }

    @Test
    public void ldapsearch() throws Exception {
        Outcome found = run("ldapsearch", "-LLL", "-b", TestServer.SUFFIX, "(uid=user.7)", "uid", "entryDN").isSuccess();
        assertTrue(found.output, found.output.contains("uid: user.7"));
        assertTrue(found.output, found.output.contains("entryDN: " + TestServer.userDn(7)));
        assertEquals(TestServer.USERS, run("ldapsearch", "-LLL", "-s", "children", "-b", "ou=users," + TestServer.SUFFIX, "1.1")
                .isSuccess().count("dn: "));
        assertEquals(1, runAs(null, null, "ldapsearch", "-LLL", "-s", "base", "-b", "", "+").isSuccess()
                .count("namingContexts: dc=example"));
        run("ldapsearch", "-b", "ou=none," + TestServer.SUFFIX).fails(NO_SUCH_OBJECT, "matchedDN: " + TestServer.SUFFIX);
        run("ldapsearch", "-z", "3", "-b", TestServer.SUFFIX, "(uid=*)").fails(4, "size limit");
        run("ldapsearch", "-E", "!1.2.3.4", "-b", TestServer.SUFFIX).fails(12, "1.2.3.4");
        runAs(null, null, "ldapsearch", "-b", TestServer.SUFFIX).fails(INSUFFICIENT_ACCESS, "bind first");
        runAs(TestServer.ADMIN, "wrong", "ldapsearch", "-b", TestServer.SUFFIX).fails(INVALID_CREDENTIALS, "password");
    }

    @Test
    public void pagedLdapsearch() throws Exception {
        server.addDevices(1000);
        Outcome all = run("ldapsearch", "-LLL", "-E", "pr=100/noprompt", "-b", TestServer.SUFFIX, "(objectClass=device)", "cn")
                .isSuccess();
        assertEquals(1000, all.count("dn: "));
        assertEquals(10, run("ldapsearch", "-E", "!pr=100/noprompt", "-b", TestServer.SUFFIX, "(objectClass=device)", "cn")
                .isSuccess()
                .count("pagedresults: cookie="));
        run("ldapsearch", "-E", "!pr=100/noprompt", "-b", "ou=none," + TestServer.SUFFIX).fails(NO_SUCH_OBJECT, "No such object");
    }

    @Test
    public void ldapsearchSynchronizes() throws Exception {
        Outcome first = run("ldapsearch", "-b", TestServer.SUFFIX, "-E", "!sync=ro", "(uid=user.1*)", "1.1").isSuccess();
        assertEquals(first.output, 11, first.count("# SyncState control"));
        String cookie = first.output.replaceAll("(?s).*# cookie: (\\S+).*", "$1");
        run("ldapdelete", TestServer.userDn(1)).isSuccess();
        Outcome second = run("ldapsearch", "-b", TestServer.SUFFIX, "-E", "!sync=ro/" + cookie, "(uid=user.1*)",
                "1.1").isSuccess();
        assertEquals(0, second.count("# SyncState control"));
        assertEquals(second.output, 1, second.count("# SyncDone control refreshDeletes=1"));
    }

    @Test
    public void ldapadd() throws Exception {
        String entry = file("dn: uid=new,ou=users," + TestServer.SUFFIX, "objectClass: inetOrgPerson", "uid: new",
                "cn:: TMO8xI3DrWE=", "sn: x");
        run("ldapadd", "-f", entry).isSuccess();
        assertEquals(1, run("ldapsearch", "-LLL", "-b", TestServer.SUFFIX, "(cn=l\u00fc\u010d\u00eda)").isSuccess()
                .count("cn:: TMO8xI3DrWE="));
        run("ldapadd", "-f", entry).fails(68, "already exists");
        run("ldapadd", "-f", file("dn: uid=bad,ou=users," + TestServer.SUFFIX, "objectClass: inetOrgPerson", "uid: bad",
                "cn: x")).fails(65, "sn");
        runAs(TestServer.userDn(1), TestServer.USER_PASSWORD, "ldapadd", "-f", entry).fails(INSUFFICIENT_ACCESS, "may not add");
    }

    @Test
    public void ldapmodify() throws Exception {
        run("ldapmodify", "-f", file("dn: " + TestServer.userDn(1), "changetype: modify", "replace: sn", "sn: changed", "-",
                "add: description",
                "description: one", "description: two", "-")).isSuccess();
        assertEquals(1, run("ldapsearch", "-LLL", "-b", TestServer.SUFFIX, "(&(sn=changed)(description=two))", "sn").isSuccess()
                .count("sn: changed"));
        run("ldapmodify", "-f", file("dn: " + TestServer.userDn(1), "changetype: modify", "delete: description",
                "description: three"))
                .fails(16, "description");
        run("ldapmodify", "-M", "-f", file("dn: uid=none," + TestServer.SUFFIX, "changetype: modify", "replace: sn", "sn: x"))
                .fails(NO_SUCH_OBJECT, "no entry");
    }

    @Test
    public void ldapdelete() throws Exception {
        run("ldapdelete", TestServer.userDn(1)).isSuccess();
        run("ldapdelete", TestServer.userDn(1)).fails(NO_SUCH_OBJECT, "no entry");
        run("ldapdelete", "ou=users," + TestServer.SUFFIX).fails(66, "only leaves");
    }

    @Test
    public void ldapmodrdn() throws Exception {
        run("ldapmodrdn", "-r", TestServer.userDn(1), "uid=renamed").isSuccess();
        assertEquals(1, run("ldapsearch", "-LLL", "-b", TestServer.SUFFIX, "(uid=renamed)", "1.1").isSuccess()
                .count("dn: uid=renamed,ou=users"));
        run("ldapmodrdn", "-s", TestServer.SUFFIX, "uid=renamed,ou=users," + TestServer.SUFFIX, "uid=moved").isSuccess();
        run("ldapmodrdn", TestServer.userDn(2), "uid=user.3").fails(68, "already exists");
    }

    @Test
    public void ldapcompare() throws Exception {
        run("ldapcompare", TestServer.userDn(1), "sn:NUMBER1").fails(6, "TRUE");
        run("ldapcompare", TestServer.userDn(1), "sn:other").fails(5, "FALSE");
        run("ldapcompare", TestServer.userDn(1), "description:other").fails(16, "description");
    }

    @Test
    public void ldapwhoami() throws Exception {
        assertEquals("dn:" + TestServer.ADMIN, run("ldapwhoami").isSuccess().output.strip());
        assertEquals("anonymous", runAs(null, null, "ldapwhoami").isSuccess().output.strip());
        runAs(TestServer.userDn(1), "wrong", "ldapwhoami").fails(INVALID_CREDENTIALS, "wrong");
    }

    @Test
    public void ldapwhoamiTellsWhatThePolicySays() throws Exception {
        String dn = TestServer.userDn(1);
        run("ldapadd", "-f", file("dn: cn=policy," + TestServer.SUFFIX, "objectClass: organizationalRole", "objectClass: pwdPolicy",
                "cn: policy", "pwdAttribute: userPassword", "pwdMaxAge: 60", "pwdGraceAuthNLimit: 2")).isSuccess();
        run("ldapmodify", "-f", file("dn: " + dn, "changetype: modify", "replace: pwdReset", "pwdReset: TRUE")).isSuccess();
        Outcome reset = runAs(dn, TestServer.USER_PASSWORD, "ldapwhoami", "-e", "ppolicy").isSuccess();
        assertTrue(reset.output, reset.output.contains("Password must be changed"));
        runAs(dn, TestServer.USER_PASSWORD, "ldapsearch", "-b", dn).fails(INSUFFICIENT_ACCESS, "change it");
        run("ldapmodify", "-e", "relax", "-f", file("dn: " + dn, "changetype: modify", "delete: pwdReset", "-",
                "replace: pwdPolicySubentry", "pwdPolicySubentry: cn=policy," + TestServer.SUFFIX, "-",
                "replace: pwdChangedTime", "pwdChangedTime: 20200101000000Z")).isSuccess();
        Outcome grace = runAs(dn, TestServer.USER_PASSWORD, "ldapwhoami", "-e", "ppolicy").isSuccess();
        assertTrue(grace.output, grace.output.contains("1 grace logins remain"));
        runAs(dn, TestServer.USER_PASSWORD, "ldapwhoami").isSuccess();
        runAs(dn, TestServer.USER_PASSWORD, "ldapwhoami", "-e", "ppolicy").fails(INVALID_CREDENTIALS, "Password expired");
        runAs(dn, "wrong", "ldapwhoami", "-e", "ppolicy").fails(INVALID_CREDENTIALS, "the DN or the password is wrong");
    }

    @Test
    public void ldappasswd() throws Exception {
        String dn = TestServer.userDn(1);
        run("ldappasswd", "-s", "second", dn).isSuccess();
        Outcome made = runAs(dn, "second", "ldappasswd", "-a", "second").isSuccess();
        assertTrue(made.output, made.output.startsWith("New password: "));
        runAs(dn, made.output.substring(14).strip(), "ldapwhoami").isSuccess();
        runAs(dn, made.output.substring(14).strip(), "ldappasswd", "-s", "x", TestServer.userDn(2)).fails(1, "may not write attribute userPassword");
    }

    @Test
    public void toolsAreToldWhatThePasswordPolicySays() throws Exception {
        String dn = TestServer.userDn(1);
        runAs(dn, TestServer.USER_PASSWORD, "ldappasswd", "-e", "ppolicy", "-a", TestServer.USER_PASSWORD, "-s", "short")
                .fails(1, "the password has 5 characters, at least 8 are needed");
        String change = file("dn: " + dn, "changetype: modify", "delete: userPassword", "userPassword: " + TestServer.USER_PASSWORD, "-",
                "add: userPassword", "userPassword: sunshine99", "-");
        runAs(dn, TestServer.USER_PASSWORD, "ldapmodify", "-e", "ppolicy", "-f", change)
                .fails(19, "ppolicy: error=5");
        runAs(dn, TestServer.USER_PASSWORD, "ldappasswd", "-a", TestServer.USER_PASSWORD, "-s", "Krokus-Zwiebel").isSuccess();
        runAs(dn, "Krokus-Zwiebel", "ldapwhoami", "-e", "ppolicy").isSuccess();
        Outcome usable = run("ldapsearch", "-E", "!accountUsability", "-b", dn, "-s", "base", "1.1").isSuccess();
        assertTrue(usable.output, usable.output.contains("1.3.6.1.4.1.42.2.27.9.5.8") || usable.output.contains("sable"));
    }
}
