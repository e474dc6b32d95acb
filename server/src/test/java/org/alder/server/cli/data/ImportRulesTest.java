package org.alder.server.cli.data;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchScope;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.alder.partition.testing.Requirement;
import org.alder.server.cli.CommandRun;
import org.alder.server.cli.ServerProcess;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** What holds between entries holds between those that are loaded. */
public class ImportRulesTest {
    private static final String SUFFIX = "dc=example,dc=com";
    private static final String BASE = "dn: " + SUFFIX + "\nobjectClass: domain\ndc: example\n\n"
            + "dn: ou=users," + SUFFIX + "\nobjectClass: organizationalUnit\nou: users\n\n";
    private static final String PASSWORD = "a password for this test";

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();
    private Path data;

    @Before
    public void nameFolder() {
        data = temporary.getRoot().toPath().resolve("data");
    }

    private Path configuration(String... lines) throws IOException {
        return Files.writeString(temporary.newFile().toPath(), "dn: cn=config\nobjectClass: alderServer\n\n"
                + "dn: cn=main,cn=config\nobjectClass: alderPartition\nsuffix: " + SUFFIX
                + "\nindex: objectClass eq\nindex: uid eq\nindex: mail eq\n" + String.join("\n", lines) + "\n");
    }

    private static String user(String name, String parent, String... lines) {
        return "dn: cn=" + name + "," + parent + SUFFIX + "\nobjectClass: inetOrgPerson\ncn: " + name + "\nsn: s\n"
                + String.join("\n", lines) + "\n\n";
    }

    private String rejects() throws IOException {
        Path file = data.resolveSibling("data-rejects.ldif");
        String text = Files.exists(file) ? Files.readString(file) : "";
        Files.deleteIfExists(file);
        return text;
    }

    private static void assertHolds(String text, String... parts) {
        for (String part : parts) {
            assertTrue(part + " in\n" + text, text.contains(part));
        }
    }

    private ServerProcess server(Path configuration) throws IOException {
        Path password = Files.writeString(temporary.newFile().toPath(), PASSWORD);
        return ServerProcess.start(data, "--conf", configuration, "--admin-password-file", password);
    }

    private static LDAPConnection connect(ServerProcess server) throws LDAPException {
        return new LDAPConnection("127.0.0.1", server.port(), ServerProcess.ADMIN, PASSWORD);
    }

    @Test
    public void aDamagedFileOfDefinitionsIsNamedByEachCommand() throws IOException {
        CommandRun.importing(data, BASE, "--conf", configuration()).succeeds();
        Files.writeString(data.resolve("schema.ldif"), "# alder-schema 1: cut off\ndn: cn=schema\nattributeTypes: ( 1.2.3 NA");
        for (String verb : new String[] {"start", "export", "verify", "status"}) {
            CommandRun.of(verb, "--data", data, "--conf", configuration()).fails(1, "schema.ldif, line 3: ");
        }
    }

    private static void assertNoLogin(ServerProcess server, String dn, String password) {
        LDAPException failure = assertThrows(LDAPException.class, () -> new LDAPConnection("127.0.0.1", server.port(), dn, password));
        assertEquals(dn, ResultCode.INVALID_CREDENTIALS, failure.getResultCode());
    }

    @Test
    public void passwordsInUnknownSchemesAreCountedAndLetNobodyIn() throws Exception {
        String ldif = BASE + user("a", "", "userPassword: {CRYPT}x") + user("b", "", "userPassword: {crypt}y", "userPassword: known")
                + user("c", "", "userPassword: *") + user("d", "", "userPassword: {SASL}d@REALM")
                + user("f", "", "userPassword: clear text") + user("g", "", "userPassword: {FOO}x", "userPassword: {foo}y")
                + user("e", "", "userPassword: {SHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g=", "description: {NOT}a password");
        CommandRun run = CommandRun.importing(data, ldif, "--conf", configuration()).succeeds();
        assertHolds(run.err(), "2 passwords of the scheme {CRYPT} are damaged", "1 passwords are in the scheme {SASL}",
                "2 passwords are in the scheme {FOO}");
        assertHolds(run.out(), "passwords: 2 in clear text, stored as {SSHA512}; 1 {SHA}; 2 {FOO}, 1 {SASL} that can never verify;"
                + " 2 {CRYPT} that can never verify; 1 locked");
        assertEquals(run.err(), 2, run.err().lines().filter(line -> line.contains("in the scheme")).count());
        try (ServerProcess server = server(configuration())) {
            assertNoLogin(server, "cn=a," + SUFFIX, "{CRYPT}x");
            assertNoLogin(server, "cn=b," + SUFFIX, "{crypt}y");
            assertNoLogin(server, "cn=c," + SUFFIX, "*");
            assertNoLogin(server, "cn=d," + SUFFIX, "{SASL}d@REALM");
            new LDAPConnection("127.0.0.1", server.port(), "cn=b," + SUFFIX, "known").close();
            new LDAPConnection("127.0.0.1", server.port(), "cn=f," + SUFFIX, "clear text").close();
            new LDAPConnection("127.0.0.1", server.port(), "cn=e," + SUFFIX, "password").close();
        }
    }

    /** Nothing here reads them, so nobody may think that they hold. */
    @Test
    public void locksThatStandInNoAccountAreWarnedOf() throws Exception {
        String nested = "objectClass: ldapSubEntry\nobjectClass: nsRoleDefinition\nobjectClass: nsComplexRoleDefinition\n"
                + "objectClass: nsNestedRoleDefinition\n";
        String template = "objectClass: cosSuperDefinition\nobjectClass: cosClassicDefinition\n";
        Path configuration = configuration();
        String ldif = BASE + user("a", "", "nsRoleDN: cn=sales," + SUFFIX)
                + "dn: CN=nsdisabledrole," + SUFFIX + "\n" + nested + "cn: nsDisabledRole\nnsRoleDN: cn=nsManagedDisabledRole," + SUFFIX
                + "\nnsRoleDN: cn=sales," + SUFFIX + "\n\n"
                + "dn: cn=seniors," + SUFFIX + "\n" + nested + "cn: seniors\nnsRoleDN: cn=people," + SUFFIX + "\n\n"
                + "dn: cn=nsAccountInactivation_cos," + SUFFIX + "\n" + template + "cn: nsAccountInactivation_cos\n"
                + "cosAttribute: nsaccountlock operational\n\n"
                + "dn: cn=leavers," + SUFFIX + "\n" + template + "cn: leavers\ncosAttribute: nsAccountLock override\n\n"
                + "dn: cn=mail," + SUFFIX + "\n" + template + "cn: mail\ncosAttribute: mail default\n\n";
        CommandRun run = CommandRun.importing(data, ldif, "--conf", configuration);
        assertEquals(run.err(), 2, run.err().lines().filter(line -> line.contains("whom that kept out can log in here")).count());
        assertHolds(run.err(), "the role \"cn=sales," + SUFFIX + "\" is disabled as a whole (CN=nsdisabledrole," + SUFFIX + ")",
                "the class of service \"cn=leavers," + SUFFIX + "\" gives nsAccountLock");
    }

    @Test
    public void theAdministratorsEntryIsImportedAndItsPasswordDoesNotCount() throws Exception {
        String manager = "cn=Manager," + SUFFIX;
        Path configuration = configuration();
        Files.writeString(configuration, Files.readString(configuration).replace("objectClass: alderServer\n",
                "objectClass: alderServer\nadministratorDn: " + manager + "\n"));
        CommandRun.importing(data, BASE + "dn: " + manager + "\nobjectClass: organizationalRole\nobjectClass: simpleSecurityObject\n"
                + "cn: Manager\nuserPassword: of the entry\n\n", "--conf", configuration).succeeds();
        try (ServerProcess server = server(configuration);
                LDAPConnection admin = new LDAPConnection("127.0.0.1", server.port(), manager, PASSWORD)) {
            assertNoLogin(server, manager, "of the entry");
            admin.modify(manager, new Modification(ModificationType.ADD, "description", "administers"));
            assertEquals("administers", admin.getEntry(manager).getAttributeValue("description"));
        }
    }

    @Test
    public void groupsOfRfc2307AreLoaded() throws IOException {
        CommandRun.importing(data, BASE + "dn: cn=staff," + SUFFIX + "\nobjectClass: posixGroup\ncn: staff\ngidNumber: 100\n\n",
                "--conf", configuration()).succeeds();
        CommandRun.of("verify", "--data", data, "--conf", configuration()).succeeds();
    }

    @Test
    public void aValueThatASyntaxCheckerCannotReadIsRejectedWithItsLine() throws IOException {
        String ldif = BASE + user("a", "", "facsimileTelephoneNumber: +1 2$f\u6f22") + user("b", "", "attributeTypes: #x")
                + user("c", "", "ldapSyntaxes: ( a: )") + user("d", "", "objectClasses: ( 1.2.3 AUX ( 1.2.3 ") + user("e", "");
        CommandRun.importing(data, ldif, "--conf", configuration()).fails(1, "4 records were rejected");
        assertHolds(rejects(), "line 9", "facsimileTelephoneNumber", "attributeTypes", "ldapSyntaxes", "objectClasses",
                "is not of syntax");
    }

    @Test
    public void valuesThatHaveToBeUniqueAre() throws Exception {
        Path configuration = configuration("unique: uid", "unique: mail,uid base=ou=users," + SUFFIX + " filter=(title=x)");
        String ldif = BASE
                + user("a", "ou=users,", "uid: A  one", "uid: second")
                + user("b", "", "uid: b", "uid: SECOND")
                + user("below", "cn=b,")
                + user("a", "ou=users,", "uid: a one")
                + user("c", "ou=users,", "uid: c", "mail: c@example.com", "title: x")
                + user("d", "ou=users,", "uid: d", "mail: C@Example.com", "title: x")
                + user("e", "ou=users,", "uid: e", "mail: c@example.com")
                + user("f", "", "uid: f", "mail: c@example.com", "title: x")
                + user("g", "ou=users,", "uid: g", "mail: h", "title: x")
                + user("h", "ou=users,", "uid: H", "title: x")
                + user("i", "ou=users,", "uid: i", "mail: i", "title: x");
        CommandRun.importing(data, ldif, "--conf", configuration).fails(1, "5 records were rejected");
        String rejected = rejects();
        assertHolds(rejected, "\"cn=b," + SUFFIX
                + "\": attribute uid: the value \"SECOND\" must be unique, and the entry on line 9 has",
                "\"cn=below,cn=b," + SUFFIX + "\": its parent", "\"cn=a,ou=users," + SUFFIX + "\": it was there before",
                "\"cn=d,ou=users," + SUFFIX + "\": attribute mail: the value \"C@Example.com\" must be unique",
                "\"cn=h,ou=users," + SUFFIX + "\": attribute uid: the value \"H\" must be unique");
        try (ServerProcess server = server(configuration); LDAPConnection admin = connect(server)) {
            assertEquals(1, admin.search(SUFFIX, SearchScope.SUB, "(uid=second)").getEntryCount());
            assertEquals(3, admin.search(SUFFIX, SearchScope.SUB, "(mail=c@example.com)").getEntryCount());
            assertEquals(8, admin.search(SUFFIX, SearchScope.SUB, "(objectClass=*)").getEntryCount());
        }
        CommandRun.importing(data, ldif, "--replace", "--conf", configuration()).fails(1, "1 record was rejected");
        assertHolds(rejects(), "it was there before");
    }

    @Test
    @Requirement(rfc = 4530, section = "2", text = "No two entries that are loaded have the same entryUUID")
    public void entryUuidsAreUnique() throws IOException {
        String uuid = "6c1f0b0a-27ab-4b25-9d05-0123456789ab";
        String ldif = BASE + user("a", "", "entryUUID: " + uuid) + user("b", "", "ENTRYUUID: " + uuid.toUpperCase(Locale.ROOT));
        CommandRun.importing(data, ldif, "--conf", configuration()).fails(1, "1 record was rejected");
        assertHolds(rejects(), "\"cn=b," + SUFFIX + "\": attribute entryUUID: the value", "and the entry on line 9 has it");
        CommandRun.of("verify", "--data", data, "--conf", configuration()).succeeds();
    }

    @Test
    @Requirement(rfc = 4512, section = "4.1.7", text = "Name forms and structure rules hold for entries that are loaded")
    public void namesAndPlacesFollowTheRules() throws Exception {
        Path configuration = configuration();
        CommandRun.importing(data, BASE, "--conf", configuration).succeeds();
        try (ServerProcess server = server(configuration); LDAPConnection admin = connect(server)) {
            assertEquals(ResultCode.SUCCESS, admin.modify("cn=schema",
                    new Modification(ModificationType.ADD, "nameForms",
                            "( 1.2.3.20 NAME 'unitForm' OC organizationalUnit MUST ou )",
                            "( 1.2.3.21 NAME 'personForm' OC inetOrgPerson MUST cn )"),
                    new Modification(ModificationType.ADD, "dITStructureRules", "( 1 NAME 'units' FORM unitForm )",
                            "( 2 NAME 'people' FORM personForm SUP 1 )")).getResultCode());
        }
        String ldif = BASE + user("a", "ou=users,") + user("b", "") + user("c", "cn=a,ou=users,")
                + "dn: sn=d,ou=users," + SUFFIX + "\nobjectClass: inetOrgPerson\ncn: d\nsn: d\n\n"
                + "dn: cn=e,ou=users," + SUFFIX + "\nobjectClass: device\ncn: e\n\n" + user("f", "ou=users,");
        CommandRun.importing(data, ldif, "--replace", "--conf", configuration).fails(1, "4 records were rejected");
        String place = SUFFIX + "\": the structure rules do not allow it in its place: ";
        assertHolds(rejects(), "\"cn=b," + place + "it has the rules [2 (people)]", "\"cn=c,cn=a,ou=users," + place,
                "\"sn=d,ou=users," + SUFFIX + "\": the name form personForm",
                "\"cn=e,ou=users," + place + "no rule is for such an entry");
        try (ServerProcess server = server(configuration); LDAPConnection admin = connect(server)) {
            assertEquals("2", admin.getEntry("cn=f,ou=users," + SUFFIX, "+").getAttributeValue("governingStructureRule"));
            assertEquals(4, admin.search(SUFFIX, SearchScope.SUB, "(objectClass=*)").getEntryCount());
        }
    }

    @Test
    public void accessRulesAndPasswordPoliciesThatCannotBeAreRejectedWithTheirLinesAndTheRestIsLoaded() throws Exception {
        String ldif = BASE + "dn: ou=sales," + SUFFIX + "\nobjectClass: organizationalUnit\nou: sales\n"
                + "accessRule: grant view to users\naccessRule: grant vieuw of cn to users\n\n"
                + "dn: ou=legal," + SUFFIX + "\nobjectClass: organizationalUnit\nou: legal\n"
                + "accessRule: grant view in \"ou=users," + SUFFIX + "\" to users\n\n"
                + "dn: ou=good," + SUFFIX + "\nobjectClass: organizationalUnit\nou: good\n"
                + "accessRule: grant view to anonymous\n\n"
                + policy("lax", "pwdMaxFailure: 3") + policy("odd", "pwdCheckQuality: 3") + policy("turned", "pwdMinAge: 9", "pwdMaxAge: 5")
                + user("a", "ou=sales,") + user("b", "ou=users,");
        CommandRun.importing(data, ldif, "--conf", configuration()).fails(1, "5 records were rejected");
        assertHolds(rejects(), "ou=sales," + SUFFIX + "\": line 13, attribute accessRule, value \"grant vieuw of cn to users\": column 7: ",
                "ou=legal," + SUFFIX, "expected a DN at or below \"ou=legal," + SUFFIX, "cn=odd," + SUFFIX,
                "pwdCheckQuality: 3, expected a whole number from 0 to 2", "cn=turned," + SUFFIX, "pwdMaxAge: 5, less than pwdMinAge, which is 9");
        try (ServerProcess server = server(configuration());
                LDAPConnection anonymous = new LDAPConnection("127.0.0.1", server.port());
                LDAPConnection admin = connect(server)) {
            assertEquals("good", anonymous.getEntry("ou=good," + SUFFIX).getAttributeValue("ou"));
            assertEquals("3", admin.getEntry("cn=lax," + SUFFIX).getAttributeValue("pwdMaxFailure"));
            assertEquals("b", admin.getEntry("cn=b,ou=users," + SUFFIX).getAttributeValue("cn"));
        }
    }

    private static String policy(String name, String... lines) {
        return "dn: cn=" + name + "," + SUFFIX + "\nobjectClass: organizationalRole\nobjectClass: pwdPolicy\ncn: " + name
                + "\npwdAttribute: userPassword\n" + String.join("\n", lines) + "\n\n";
    }
}
