package org.alder.server.cli.data;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.ResultCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.alder.server.cli.CommandRun;
import org.alder.server.cli.ServerProcess;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * Who could log in at another server can log in here with what that server has stored, and who could not, cannot. The LDIF files of
 * {@code src/test/resources/passwords} say where they come from, and in the names of the users what is expected.
 */
public class ImportedLoginsTest {
    private static final Path FILES = Path.of("src", "test", "resources", "passwords");

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    @Test
    public void whatSlapcatPrints() throws Exception {
        String summary = check("slapd.ldif", 30);
        for (String part : List.of("2 in clear text", "1 {SASL}", "1 {UNIX}", "1 {UNKNOWN}", "1 {APR1}", "1 {BSDMD5}", "1 {NS-MTA-MD5}",
                "1 {ARGON2}", "1 {PBKDF2-SHA512}", "9 {CRYPT}", "8 {CRYPT}", "that can never verify")) {
            assertTrue("expected " + part + " in " + summary, summary.contains(part));
        }
    }

    @Test
    public void what389Keeps() throws Exception {
        check("389.ldif", 19);
    }

    @Test
    public void whatOpenDjKeeps() throws Exception {
        check("opendj.ldif", 16);
    }

    /** @return what the import says of passwords */
    private String check(String file, int logins) throws Exception {
        Path data = temporary.getRoot().toPath().resolve("data");
        Path quick = Files.writeString(temporary.getRoot().toPath().resolve("quick.ldif"), """
                dn: cn=config
                objectClass: alderServer
                passwordScheme: pbkdf2Sha512
                pbkdf2Rounds: 4096

                dn: cn=example,cn=config
                objectClass: alderPartition
                suffix: dc=example,dc=com
                """);
        CommandRun run = CommandRun.of("import", "--data", data, "--conf", quick, FILES.resolve(file)).succeeds();
        List<String> names = Files.readAllLines(FILES.resolve(file)).stream().filter(line -> line.startsWith("uid: "))
                .map(line -> line.substring("uid: ".length())).toList();
        int succeeded = 0;
        try (ServerProcess server = ServerProcess.start(data, "--conf", quick); LDAPConnection connection = server.admin()) {
            for (String name : names) {
                String dn = "uid=" + name + ",dc=example,dc=com";
                if (name.startsWith("in-") || name.startsWith("policy-in-")) {
                    logIn(connection, dn);
                    // By then its hash may be another one.
                    logIn(connection, dn);
                    succeeded++;
                } else {
                    refused(connection, dn, "password");
                }
                refused(connection, dn, "passwore");
            }
        }
        assertEquals(run.toString(), logins, succeeded);
        return run.out() + run.err();
    }

    private static void logIn(LDAPConnection connection, String dn) {
        try {
            connection.bind(dn, "password");
        } catch (LDAPException e) {
            throw new AssertionError(dn, e);
        }
    }

    private static void refused(LDAPConnection connection, String dn, String password) {
        LDAPException refusal = assertThrows(dn, LDAPException.class, () -> connection.bind(dn, password));
        assertEquals(dn, ResultCode.INVALID_CREDENTIALS, refusal.getResultCode());
    }
}
