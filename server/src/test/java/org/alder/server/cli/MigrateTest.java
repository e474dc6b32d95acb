package org.alder.server.cli;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchResultEntry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.stream.Stream;
import org.alder.partition.text.JsonReader;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Configurations of other servers become some that Alder starts with, and what is said of them is so. */
public class MigrateTest {
    private static final Path SLAPD = Path.of("src", "test", "resources", "migration", "slapd");

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();
    private Path root;
    private Path target;

    @Before
    public void names() {
        root = temporary.getRoot().toPath();
        target = root.resolve("to").resolve("alder.ldif");
    }

    private CommandRun migrate(Path source) throws IOException {
        Files.createDirectories(target.getParent());
        return CommandRun.of("migrate", source, "--output", target).succeeds();
    }

    /** With the file of the entries beside it. */
    private CommandRun migrate(String source, String entries) throws IOException {
        Files.createDirectories(target.getParent());
        return CommandRun.of("migrate", SLAPD.resolveSibling(source), "--entries", SLAPD.resolveSibling(entries), "--output", target).succeeds();
    }

    private static void assertHolds(String text, String... parts) {
        for (String part : parts) {
            assertTrue("expected " + part + " in " + text, text.contains(part));
        }
    }

    private static String title(LDAPConnection connection, String dn) throws LDAPException {
        SearchResultEntry entry = connection.getEntry(dn, "cn");
        return entry == null ? null : entry.getAttributeValue("cn");
    }

    /** What both forms of the same configuration say. */
    private void check(CommandRun run) throws Exception {
        String text = Files.readString(target);
        assertHolds(text, "\nsuffix: dc=example,dc=com\n", "\nsuffix: dc=example,dc=org\n", "\nschemaFile: schema/acme.schema\n",
                "\nadministratorDn: cn=Manager,dc=example,dc=com\n", "\nindex: uid eq,sub\n", "\nindex: cn eq,pres,sub\n", "\nindex: member eq,pres\n",
                "\nmemberOf: member\n", "\nreference: owner\n", "\nreferencePlaceholder: cn=nobody,dc=example,dc=com\n", "\nunique: mail\n",
                "\nunique: uid base=ou=people,dc=example,dc=com filter=(objectClass=posixAccount)\n", "\nconstraint: jpegPhoto size 131072\n",
                "\npasswordPolicyEntry: cn=default,ou=policies,dc=example,dc=com\n", "\nsizeLimit: 5000\n", "\nsizeLimitUnasked: 500\n",
                "\ntimeLimitSeconds: 300\n", "\ntimeLimitSecondsUnasked: 60\n", "\nidleTimeoutSeconds: 900\n",
                "\nlimitRule: size=none time=none to group \"cn=admins,ou=groups,dc=example,dc=com\"\n",
                "\nlimitRule: size=1000/none time=120/300 to dn \"uid=sync,ou=services,dc=example,dc=com\"\n",
                "\naccessRule: grant only view, write, add, delete, rename in \"ou=hr,dc=example,dc=com\" to group"
                        + " \"cn=admins,ou=groups,dc=example,dc=com\"\n",
                "\naccessRule: grant only view in \"dc=example,dc=com\" to address 10.0.0.0/8\n");
        assertTrue(Files.readString(target.resolveSibling("schema").resolve("acme.schema")).contains("acmePerson"));
        assertHolds(run.err(), "by dn.regex=^uid=sync,.*$ write has no counterpart: from here on all is denied", "approx: ",
                "the administrator's password is not in the configuration", "dc=example,dc=org has no access rules");
        assertFalse("a secret", (run.out() + run.err() + text).contains("{SSHA}"));
        serve();
    }

    /** With the entries that slapcat printed: who may do what is as it was at slapd. */
    private void serve() throws Exception {
        Path data = root.resolve("data");
        CommandRun.of("import", "--data", data, "--conf", target, "--suffix", "dc=example,dc=com", SLAPD.resolve("slapcat.ldif")).succeeds();
        try (ServerProcess server = ServerProcess.start(data, "--conf", target); LDAPConnection connection = new LDAPConnection("127.0.0.1", server.port())) {
            String bob = "uid=bob,ou=staff,ou=people,dc=example,dc=com";
            String alice = "uid=alice,ou=people,dc=example,dc=com";
            assertEquals("anonymous", ResultCode.INSUFFICIENT_ACCESS_RIGHTS, assertRefused(() -> title(connection, alice)));
            connection.bind(alice, "alice-secret");
            assertEquals("himself", "Alice Adams", title(connection, alice));
            assertEquals("users search others, and read nothing of them", ResultCode.INSUFFICIENT_ACCESS_RIGHTS, assertRefused(() -> title(connection,
                    bob)));
            assertTrue("users search others", connection.compare(bob, "sn", "brown").compareMatched());
            assertEquals("the owner writes members", ResultCode.SUCCESS, connection.modify("cn=admins,ou=groups,dc=example,dc=com",
                    new Modification(ModificationType.ADD, "member", bob)).getResultCode());
            assertEquals("admins see what is hidden", "Carol Clark", title(connection, "uid=carol,ou=hr,dc=example,dc=com"));
            connection.bind(bob, "bob-secret");
            assertEquals(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, assertRefused(() -> connection.modify(alice,
                    new Modification(ModificationType.REPLACE, "sn", "x"))));
        }
    }

    @FunctionalInterface
    private interface Update {
        void run() throws LDAPException;
    }

    private static ResultCode assertRefused(Update update) {
        return assertThrows(LDAPException.class, update::run).getResultCode();
    }

    @Test
    public void slapdConf() throws Exception {
        check(migrate(SLAPD.resolve("slapd.conf")));
    }

    @Test
    public void slapdFolder() throws Exception {
        CommandRun run = migrate(SLAPD.resolve("slapd.d"));
        assertHolds(run.err(), "olcDatabase={1}mdb.ldif, line ");
        check(run);
    }

    private void starts(String ldif) throws Exception {
        Path data = root.resolve("data");
        CommandRun.of("import", "--data", data, "--conf", target, SLAPD.resolveSibling(ldif)).succeeds();
        try (ServerProcess server = ServerProcess.start(data, "--conf", target); LDAPConnection connection = server.admin()) {
            assertEquals("example", connection.getEntry("dc=example,dc=com", "dc").getAttributeValue("dc"));
        }
    }

    @Test
    public void dseOf389() throws Exception {
        CommandRun run = migrate(SLAPD.resolveSibling("389/dse.ldif"));
        assertHolds(Files.readString(target), "\naccessRule: grant authenticate to anyone\n", "\nadministratorDn: cn=Directory Manager\n", "\nsizeLimit: 2000\n",
                "\ntimeLimitSeconds: 0\n", "\nidleTimeoutSeconds: 3600\n", "\nexaminedLimit: 5000\n", "\npasswordPolicyMaxAgeSeconds: 8640000\n",
                "\npasswordPolicyGraceLogins: 3\n", "\npasswordPolicyMaxFailures: 3\n", "\npasswordPolicyLockoutSeconds: 0\n",
                "\npasswordPolicyMustChange: true\n", "\nsuffix: dc=example,dc=com\n", "\nindex: uid eq,sub\n", "\nindex: acmeBadge eq,pres\n",
                "\nmemberOf: uniqueMember\n", "\nreference: owner\n", "\nunique: uid base=ou=people,dc=example,dc=com\n",
                "\nautoNumber: uidNumber 100500-200000 class=posixAccount magic=99999\n", "\nschemaFile: schema/99user.schema\n");
        assertFalse("a switch that is off", Files.readString(target).contains("passwordPolicyHistory"));
        assertHolds(run.err(), "who may do what stands in the entries (aci): give the file of the entries with --entries", "syncrepl replica: Alder is no"
                + " consumer", "listen 389");
        assertFalse("without the entries nobody sees any", Files.readString(target).contains("grant view to"));
        assertFalse("a secret", (run.out() + run.err()).contains("PBKDF2"));
        starts("389/db2ldif.ldif");
    }

    @Test
    public void configurationOfOpenDj() throws Exception {
        CommandRun run = migrate(SLAPD.resolveSibling("opendj/config.ldif"));
        assertHolds(Files.readString(target), "\nsizeLimit: 1000\n", "\ntimeLimitSeconds: 60\n", "\nidleTimeoutSeconds: 300\n", "\nindex: cn eq,sub\n",
                "\nindex: uidNumber eq\n", "\nreference: uniqueMember\n", "\nunique: uid\n", "\npasswordPolicyMaxAgeSeconds: 8640000\n",
                "\npasswordPolicyMaxFailures: 5\n", "\npasswordPolicyLockoutSeconds: 900\n", "\npasswordPolicyMustChange: true\n");
        assertHolds(run.err(), "give the file of the entries with --entries");
        assertFalse("what is global may be denied in entries", Files.readString(target).contains("grant view of"));
        starts("opendj/export.ldif");
    }

    private static String value(LDAPConnection connection, String dn, String attribute) throws LDAPException {
        SearchResultEntry entry = connection.getEntry(dn, attribute);
        return entry == null ? null : entry.getAttributeValue(attribute);
    }

    private static ResultCode replaced(LDAPConnection connection, String dn, String attribute, String value) {
        try {
            return connection.modify(dn, new Modification(ModificationType.REPLACE, attribute, value)).getResultCode();
        } catch (LDAPException e) {
            return e.getResultCode();
        }
    }

    /** Of files that a server of that kind has made: what its ACIs allowed and denied is so here. */
    private void asThere(String entries, boolean anonymousReads) throws Exception {
        Path data = root.resolve("data");
        CommandRun.of("import", "--data", data, "--conf", target, SLAPD.resolveSibling(entries)).succeeds();
        try (ServerProcess server = ServerProcess.start(data, "--conf", target); LDAPConnection connection = new LDAPConnection("127.0.0.1", server.port())) {
            String alice = "uid=alice,ou=people,dc=example,dc=com";
            String bob = "uid=bob,ou=people,dc=example,dc=com";
            assertEquals("anonymous", anonymousReads ? "A-17" : null, assertReads(connection, alice, "acmeBadge"));
            connection.bind(alice, "alice-secret");
            assertEquals("Brown", value(connection, bob, "sn"));
            assertEquals("her own, which others may not see", "+49 30 1", value(connection, alice, "homePhone"));
            assertEquals("a member of the group changes all", ResultCode.SUCCESS, replaced(connection, bob, "description", "x"));
            assertEquals("by an administrator", ResultCode.SUCCESS, replaced(connection, bob, "userPassword", "new-secret-of-bob"));
        }
        if (!anonymousReads) {
            return;
        }
        try (ServerProcess server = ServerProcess.start(data, "--conf", target); LDAPConnection connection = new LDAPConnection("127.0.0.1", server.port())) {
            assertEquals("denied to all but herself", null, value(connection, "uid=alice,ou=people,dc=example,dc=com", "homePhone"));
        }
    }

    private static String assertReads(LDAPConnection connection, String dn, String attribute) {
        try {
            return value(connection, dn, attribute);
        } catch (LDAPException e) {
            assertEquals(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, e.getResultCode());
            return null;
        }
    }

    @Test
    public void whatIsAskedOfAllComesFirst() throws Exception {
        Path source = Files.writeString(root.resolve("slapd.conf"), """
                require authc
                security simple_bind=112 update_ssf=56
                database mdb
                suffix "dc=example,dc=com"
                security tls=128
                restrict rename
                disallow bind_anon
                access to * by * read
                """);
        CommandRun run = migrate(source);
        List<String> rules = Files.readAllLines(target).stream().filter(line -> line.startsWith("accessRule: ")).toList();
        String last = rules.get(rules.size() - 1);
        assertTrue(last, last.startsWith("accessRule: grant only view in"));
        for (String rule : List.of("deny all to anonymous", "deny authenticate to mechanism SIMPLE and not ssf 112",
                "deny add, write, selfWrite, delete, rename to not ssf 56", "deny all, authenticate in \"dc=example,dc=com\" to not tls or not ssf 128",
                "deny rename in \"dc=example,dc=com\" to anyone")) {
            int at = rules.indexOf("accessRule: " + rule);
            assertTrue(rule + " in " + rules, at >= 0 && at < 5);
        }
        assertHolds(run.err(), "line 7: disallow bind_anon: bind_anon refuses the bind");
    }

    @Test
    public void whoMustNotComeAnonymouslyDoesNot() throws Exception {
        Files.createDirectories(target.getParent());
        String dse = Files.readString(SLAPD.resolveSibling("389/server/dse.ldif"));
        for (String value : List.of("off", "rootdse")) {
            Path source = Files.writeString(root.resolve(value + ".ldif"), dse.replaceFirst("(?m)^nsslapd-allow-anonymous-access: .*\n", "")
                    .replaceFirst("(?m)^nsslapd-rootdn: ", "nsslapd-allow-anonymous-access: " + value + "\n$0"));
            target = root.resolve("to").resolve(value + ".ldif");
            migrate(source);
            assertHolds(Files.readString(target), "\naccessRule: deny all " + (value.equals("off") ? "" : "in \"dc=example,dc=com\" ") + "to anonymous\n");
        }
    }

    @Test
    public void filesThatA389HasMade() throws Exception {
        CommandRun run = migrate("389/server/dse.ldif", "389/server/db2ldif.ldif");
        assertHolds(Files.readString(target), "\naccessRule: deny read, search, compare of homePhone in \"ou=people,dc=example,dc=com\" to not (self)\n",
                "\nschemaFile: schema/99user.schema\n", "\npasswordPolicyMaxAgeSeconds: 8640000\n");
        assertHolds(run.err(), "timeofday>=0800 has no counterpart", "there are no patterns of DNs", "db2ldif.ldif, line 32: aci ");
        assertFalse("that of the root DSE", Files.readString(target).contains("to anyone\naccessRule: grant view of *, + except userPassword"));
        asThere("389/server/db2ldif.ldif", false);
        CommandRun.of("export", "--data", root.resolve("data"), "--conf", target, "--for", "ldif2db", "--output", root.resolve("back.ldif")).succeeds();
        String back = Files.readString(root.resolve("back.ldif"));
        assertHolds(back, "\ndn: cn=empty,ou=groups,dc=example,dc=com\n", "\nref: ldap://other.example.com/ou=elsewhere,dc=example,dc=com\n",
                "\npasswordExpirationTime: 20270303061346Z\n", "\naci: (targetattr = \"homePhone\")");
        assertFalse("389 skips entries with such a value", back.contains("uniqueMember:"));
    }

    @Test
    public void filesThatAnOpenDjHasMade() throws Exception {
        CommandRun run = migrate("opendj/server/config.ldif", "opendj/server/export.ldif");
        assertHolds(Files.readString(target), "\naccessRule: grant view of * except userPassword in \"dc=example,dc=com\" to anyone\n");
        assertHolds(run.err(), "config.ldif, line 1549: ds-cfg-default-root-privilege-name backend-backup", ": there are no privileges here: administratorDn, and the members");
        assertHolds(run.err(), "dns: there is no such condition in access rules", "who may use a control or an extended operation is not said by rules");
        asThere("opendj/server/export.ldif", true);
    }

    @Test
    public void privilegesOfOpenDjAreListed() throws Exception {
        Path entries = Files.writeString(root.resolve("entries.ldif"), Files.readString(SLAPD.resolveSibling("opendj/export.ldif"))
                .replace("ds-privilege-name: config-read\n", "ds-privilege-name: config-read\nds-privilege-name: password-reset\nds-privilege-name: -bypass-acl\n"));
        Path source = Files.writeString(root.resolve("config.ldif"), Files.readString(SLAPD.resolveSibling("opendj/config.ldif"))
                .replaceFirst("(?m)^objectClass: ds-cfg-root-config\n", "objectClass: ds-cfg-root-config\nds-cfg-disabled-privilege: unindexed-search\n"));
        Files.createDirectories(target.getParent());
        String open = CommandRun.of("migrate", source, "--entries", entries, "--output", target).succeeds().err();
        String alice = "of \"uid=alice,ou=people,dc=example,dc=com\": ";
        assertHolds(open, "entries.ldif, line 30: ds-privilege-name config-read: " + alice + "only administrators may: put the entry into the group",
                "line 31: ds-privilege-name password-reset: " + alice + "write grant write of userPassword in \"...\" to \"uid=alice,ou=people,dc=example,dc=com\"",
                "line 32: ds-privilege-name -bypass-acl: " + alice + "it takes a privilege away",
                "ds-cfg-disabled-privilege unindexed-search: there it is not asked for");
        assertFalse("nobody gets what it lets", Files.readString(target).contains("alice"));
    }

    @Test
    public void factsAreToldAsJson() throws Exception {
        Files.createDirectories(target.getParent());
        CommandRun run = CommandRun.of("migrate", SLAPD.resolve("slapd.conf"), "--json", "--output", target).succeeds();
        Map<?, ?> facts = (Map<?, ?>) JsonReader.parse(run.out());
        List<?> files = (List<?>) facts.get("files");
        assertEquals(target.toString(), files.get(files.size() - 1));
        for (Object file : files) {
            assertTrue(file.toString(), Files.isRegularFile(Path.of(file.toString())));
        }
        assertTrue(facts.toString(), ((List<?>) facts.get("mapped")).stream().anyMatch(each -> each.toString().endsWith("a partition")));
        assertTrue(facts.toString(), !((List<?>) facts.get("open")).isEmpty() && !((List<?>) facts.get("unneeded")).isEmpty());
        CommandRun.of("migrate", SLAPD.resolve("slapd.conf"), "--json").fails(2, "--json needs --output FILE");
        CommandRun.of("migrate", SLAPD.resolve("slapd.conf"), "--to", root.resolve("former.ldif")).succeeds();
        assertEquals("the name that --output had", Files.readString(target), Files.readString(root.resolve("former.ldif")));
        CommandRun.of("migrate", SLAPD.resolve("slapd.conf"), "--to", target, "--output", target).fails(2, "--output and --to are one");
    }

    @Test
    public void filesThatAnApacheDsHasMade() throws Exception {
        CommandRun run = migrate(SLAPD.resolveSibling("apacheds/server/config.ldif"));
        assertHolds(Files.readString(target), "\nsuffix: dc=example,dc=com\n", "\nindex: uid eq\n", "\nadministratorDn: uid=admin,ou=system\n",
                "\npasswordPolicyMaxFailures: 5\n", "\naccessRule: grant view to users\n");
        assertHolds(run.err(), "access control was off");
        assertFalse("its own", Files.readString(target).contains("suffix: ou=system"));
        Path data = root.resolve("data");
        CommandRun.of("import", "--data", data, "--conf", target, SLAPD.resolveSibling("apacheds/server/export.ldif")).succeeds();
        try (ServerProcess server = ServerProcess.start(data, "--conf", target); LDAPConnection connection = new LDAPConnection("127.0.0.1", server.port())) {
            connection.bind("uid=admin,ou=system", Files.readString(data.resolve("admin.password")));
            assertEquals("example", value(connection, "dc=example,dc=com", "dc"));
            connection.bind("uid=alice,ou=people,dc=example,dc=com", "alice-secret");
            assertEquals("alice", value(connection, "cn=admins,dc=example,dc=com", "member").replaceAll("^uid=|,.*$", ""));
            assertEquals(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, replaced(connection, "cn=admins,dc=example,dc=com", "description", "x"));
        }
    }

    /** With the rules that its items become, which grant what they did there: of two items the one of the higher precedence decides. */
    @Test
    public void anApacheDsWithAccessControl() throws Exception {
        Path folder = Files.createDirectories(root.resolve("conf").resolve("ou=config").resolve("ads-directoryserviceid=default"));
        String text = Files.readString(SLAPD.resolveSibling("apacheds/server/config.ldif")).replace("ads-dsaccesscontrolenabled: FALSE",
                "ads-dsaccesscontrolenabled: TRUE");
        Files.writeString(root.resolve("conf").resolve("ou=config.ldif"), text.substring(0, text.indexOf("\n\n") + 1));
        Files.writeString(folder.resolve("all.ldif"), text.substring(text.indexOf("\n\n") + 2));
        Files.createDirectories(target.getParent());
        CommandRun without = CommandRun.of("migrate", root.resolve("conf")).succeeds();
        assertHolds(without.err(), "who may do what stands in the entries");
        assertFalse(without.out().contains("grant view to"));
        String own = "{ identificationTag \"own\", precedence 20, authenticationLevel simple, itemOrUserFirst userFirst: { userClasses { thisEntry },"
                + " userPermissions { { protectedItems { entry }, grantsAndDenials { grantModify } }, { protectedItems { attributeType { description },"
                + " allAttributeValues { description } }, grantsAndDenials { grantAdd, grantRemove } } } } }";
        Path entries = Files.writeString(root.resolve("export.ldif"), Files.readString(SLAPD.resolveSibling("apacheds/server/export.ldif")).replaceFirst(
                "(?m)^prescriptiveACI: ", "prescriptiveACI: " + Matcher.quoteReplacement(own)
                        + "\nprescriptiveACI: { identificationTag \"bad\"\nprescriptiveACI: "));
        CommandRun run = CommandRun.of("migrate", root.resolve("conf"), "--entries", entries, "--output", target).succeeds();
        assertHolds(run.err(), "prescriptiveaci { identificationTag \"bad\": of \"cn=enableSearch,dc=example,dc=com\": ", "it grants nothing");
        assertHolds(Files.readString(target), "\nsuffix: dc=example,dc=com\n", "\naccessRule: grant view of * in \"dc=example,dc=com\" to users\n",
                "\naccessRule: grant write of description in \"dc=example,dc=com\" to self\n");
        Path data = root.resolve("data");
        CommandRun.of("import", "--data", data, "--conf", target, SLAPD.resolveSibling("apacheds/server/export.ldif")).succeeds();
        try (ServerProcess server = ServerProcess.start(data, "--conf", target); LDAPConnection connection = new LDAPConnection("127.0.0.1", server.port())) {
            assertEquals("anonymous", ResultCode.INSUFFICIENT_ACCESS_RIGHTS, assertRefused(() -> value(connection, "cn=admins,dc=example,dc=com", "cn")));
            connection.bind("uid=alice,ou=people,dc=example,dc=com", "alice-secret");
            assertEquals("admins", value(connection, "cn=admins,dc=example,dc=com", "cn"));
            assertEquals(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, replaced(connection, "cn=admins,dc=example,dc=com", "description", "x"));
            assertEquals(ResultCode.SUCCESS, replaced(connection, "uid=alice,ou=people,dc=example,dc=com", "description", "x"));
        }
    }

    private CommandRun refused(String text, String message) throws IOException {
        return refused(text.getBytes(StandardCharsets.UTF_8), message);
    }

    private CommandRun refused(byte[] text, String message) throws IOException {
        return CommandRun.of("migrate", Files.write(root.resolve("slapd.conf"), text)).fails(1, message);
    }

    @Test
    public void whatIsNoConfigurationIsRefusedInOneLine() throws Exception {
        refused("include " + root.resolve("slapd.conf") + "\n", "slapd.conf: it includes itself");
        Files.writeString(root.resolve("b.conf"), "include slapd.conf\n");
        refused("include b.conf\n", "it includes itself");
        refused("suffix \"\0\"\n", "NUL bytes");
        refused(new byte[] {'d', 'b', (byte) 0xff, '\n'}, "it is not UTF-8");
        refused("database mdb\nsuffix \"" + "x".repeat(2 << 20) + "\"\n", "line 2: expected a line of no more than 1048576 characters");
        refused("database mdb\ndirectory ../../etc\n", "there is no database with a suffix");
        refused("", "there is no database with a suffix");
        refused("dn: cn=config\nobjectClass olcGlobal\n", "line 2: expected 'attribute: value'");
        CommandRun.of("migrate", root.resolve("nothing")).fails(1, "no such file or folder: " + root.resolve("nothing"));
        CommandRun.of("migrate", root).fails(1, "there is no cn=config.ldif in it");
        Files.createDirectories(target.getParent());
        Files.writeString(target, "mine");
        CommandRun.of("migrate", SLAPD.resolve("slapd.conf"), "--output", target).fails(1, target + " is there already");
        assertEquals("mine", Files.readString(target));
    }

    @Test
    public void whatCannotBeSaidDeniesAndIsListed() throws Exception {
        Path source = Files.writeString(root.resolve("slapd.conf"), """
                database mdb
                suffix "dc=example,dc=com"
                index ../../x eq
                index nosuch eq
                overlay nops
                syncrepl rid=1 provider=ldap://x
                access to attrs=nosuch by * read
                access to dn.subtree="ou=a,dc=example,dc=com" by set="this/x" read by users read
                access to attrs=children by dn.exact="cn=a,dc=example,dc=com" write
                access to dn.base="" by * read
                access to * by users read by anonymous auth
                """);
        CommandRun run = migrate(source);
        assertHolds(run.err(), "slapd.conf, line 4: index nosuch eq: no index of nosuch", "line 5: overlay nops: this overlay has no counterpart",
                "line 6: syncrepl", "line 7: access to attrs=nosuch by * read: \"grant only view of nosuch in \"dc=example,dc=com\" to anyone\" is refused,"
                        + " and all is denied instead", "by set=this/x read has no counterpart: from here on all is denied");
        String text = Files.readString(target);
        assertHolds(text, "accessRule: deny all in \"dc=example,dc=com\" to anyone\n", "accessRule: deny all in \"ou=a,dc=example,dc=com\" to anyone\n",
                "accessRule: grant add, delete, rename in children \"dc=example,dc=com\" to dn \"cn=a,dc=example,dc=com\"\n",
                "accessRule: grant only view in base \"\" to anyone\n");
        assertFalse(text, text.contains("nosuch eq"));
        try (Stream<Path> files = Files.list(target.getParent())) {
            assertEquals(List.of(target), files.toList());
        }
    }
}
