package org.alder.server;

import static org.alder.server.ClientTests.fails;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.AddRequest;
import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.CompareRequest;
import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ModifyRequest;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.controls.ProxiedAuthorizationV2RequestControl;
import com.unboundid.ldap.sdk.controls.TransactionSpecificationRequestControl;
import com.unboundid.ldap.sdk.extensions.EndTransactionExtendedRequest;
import com.unboundid.ldap.sdk.extensions.PasswordModifyExtendedRequest;
import com.unboundid.ldap.sdk.extensions.StartTransactionExtendedRequest;
import com.unboundid.ldap.sdk.extensions.StartTransactionExtendedResult;
import com.unboundid.util.json.JSONException;
import com.unboundid.util.json.JSONObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.alder.partition.jdbm.disk.AtomicFile;
import org.alder.partition.testing.Await;
import org.alder.server.audit.AuditLevel;
import org.alder.server.audit.AuditSettings;
import org.alder.server.audit.LogFiles;
import org.alder.server.directory.own.OnlineSchema;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The audit log says who asked for what and what came of it, and nothing secret. */
public class AuditTest {
    private static final String SECRET = "xyzzy";

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    /** What clients do. */
    @FunctionalInterface
    private interface Work {
        void with(TestServer server, LDAPConnection admin) throws LDAPException;
    }

    private Path file() {
        return temporary.getRoot().toPath().resolve("audit.jsonl");
    }

    /** The lines of a whole day. */
    private List<JSONObject> audited(AuditLevel level, Work work) throws LDAPException, IOException, JSONException {
        AuditSettings settings = new AuditSettings(level, new LogFiles(file(), 1 << 30, 0, 0), true);
        try (TestServer server = new TestServer(before -> before.with(draft -> draft.audit = settings)); LDAPConnection admin = server.admin()) {
            work.with(server, admin);
        }
        List<JSONObject> lines = new ArrayList<>();
        for (String line : Files.readString(file()).split("\n")) {
            lines.add(new JSONObject(line));
        }
        return lines;
    }

    private static List<JSONObject> ofKind(List<JSONObject> lines, String kind) {
        return lines.stream().filter(line -> kind.equals(line.getFieldAsString("kind"))).toList();
    }

    private static JSONObject only(List<JSONObject> lines, String kind) {
        List<JSONObject> found = ofKind(lines, kind);
        assertEquals(found.toString(), 1, found.size());
        return found.get(0);
    }

    @Test
    public void aDayHasItsStartItsLoginsAndItsEnd() throws Exception {
        List<JSONObject> lines = audited(AuditLevel.SECURITY, (server, admin) -> {
            try (LDAPConnection other = server.anonymous()) {
                fails(ResultCode.INVALID_CREDENTIALS, () -> other.bind(TestServer.userDn(1), SECRET));
                other.bind(TestServer.userDn(1), TestServer.USER_PASSWORD);
                other.getEntry(TestServer.userDn(2));
            }
            admin.add("cn=device," + TestServer.SUFFIX, new Attribute("objectClass", "device"));
        });
        assertEquals(List.of("configuration", "bind", "bind", "bind", "configuration"),
                lines.stream().map(line -> line.getFieldAsString("kind")).toList());
        assertEquals("serverStarted", lines.get(0).getFieldAsString("event"));
        assertEquals("serverStopped", lines.get(4).getFieldAsString("event"));
        JSONObject failed = lines.get(2);
        assertEquals(TestServer.userDn(1), failed.getFieldAsString("target"));
        assertEquals("invalidCredentials", failed.getFieldAsString("result"));
        assertEquals(49, (int) failed.getFieldAsInteger("code"));
        assertEquals("", failed.getFieldAsString("identity"));
        assertEquals("SIMPLE", failed.getFieldAsString("method"));
        assertEquals("none", failed.getFieldAsString("tls"));
        assertTrue(failed.getFieldAsString("address").startsWith("127.0.0.1:"));
        assertNull(failed.getField("mechanism"));
        JSONObject done = lines.get(3);
        assertEquals("dn:" + TestServer.userDn(1), done.getFieldAsString("identity"));
        assertEquals("SIMPLE", done.getFieldAsString("mechanism"));
        assertEquals(failed.getFieldAsInteger("connection"), done.getFieldAsInteger("connection"));
        assertEquals(failed.getFieldAsInteger("message") + 1, (int) done.getFieldAsInteger("message"));
        assertTrue(done.getFieldAsLong("micros") >= 0);
        assertFalse(Files.readString(file()).contains(SECRET));
    }

    @Test
    public void updatesSayWhatChangesButNoSecret() throws Exception {
        List<JSONObject> lines = audited(AuditLevel.WRITES, (server, admin) -> {
            String dn = "cn=new," + TestServer.SUFFIX;
            admin.add(dn, new Attribute("objectClass", "person"), new Attribute("sn", "shown"),
                    new Attribute("userPassword", SECRET));
            admin.modify(dn, new Modification(ModificationType.REPLACE, "userPassword", SECRET + 1),
                    new Modification(ModificationType.ADD, "description", "also shown"));
            fails(ResultCode.UNDEFINED_ATTRIBUTE_TYPE,
                    () -> admin.modify(dn, new Modification(ModificationType.REPLACE, "userPasswrd", SECRET)));
            admin.processExtendedOperation(new PasswordModifyExtendedRequest("dn:" + dn, null, SECRET + 2));
            admin.modifyDN(dn, "cn=renamed", true);
            admin.delete("cn=renamed," + TestServer.SUFFIX);
            admin.getEntry(TestServer.userDn(1));
        });
        JSONObject added = only(lines, "add");
        assertEquals("cn=new," + TestServer.SUFFIX, added.getFieldAsString("target"));
        assertEquals("dn:" + TestServer.ADMIN, added.getFieldAsString("identity"));
        String attributes = added.getField("attributes").toString();
        assertTrue(attributes, attributes.contains("\"shown\"") && attributes.contains("\"userPassword\""));
        String changes = ofKind(lines, "modify").get(0).getField("attributes").toString();
        assertTrue(changes, changes.contains("\"also shown\"") && changes.contains("\"replace\""));
        assertEquals(2, ofKind(lines, "modify").size());
        assertEquals("cn=renamed", only(lines, "modify-dn").getFieldAsString("newRdn"));
        assertEquals("dn:cn=new," + TestServer.SUFFIX, only(lines, "extended").getFieldAsString("target"));
        assertEquals(List.of(), ofKind(lines, "search"));
        assertFalse(Files.readString(file()).contains(SECRET));
    }

    @Test
    public void allIsEveryRequestAndNoSecretThatAFilterAsksFor() throws Exception {
        List<JSONObject> lines = audited(AuditLevel.ALL, (server, admin) -> {
            admin.search(TestServer.SUFFIX, SearchScope.SUB, "(|(uid=user.1)(userPassword=" + SECRET + ")(userPassword=*" + SECRET
                    + "*)(noSuchThing>=" + SECRET + "))", "cn");
            admin.compare(new CompareRequest(TestServer.userDn(1), "userPassword", SECRET));
            SearchRequest proxied = new SearchRequest(TestServer.userDn(2), SearchScope.BASE, "(objectClass=*)");
            proxied.addControl(new ProxiedAuthorizationV2RequestControl("dn:" + TestServer.userDn(3)));
            admin.search(proxied);
        });
        JSONObject search = ofKind(lines, "search").get(0);
        assertEquals("(|(uid=user.1)(userPassword=...)(userPassword=*...*)(noSuchThing>=...))", search.getFieldAsString("filter"));
        assertEquals("subtree", search.getFieldAsString("scope"));
        assertEquals(TestServer.SUFFIX, search.getFieldAsString("target"));
        assertEquals("cn", search.getFieldAsString("asked"));
        assertEquals("compareFalse", only(lines, "compare").getFieldAsString("result"));
        JSONObject proxied = ofKind(lines, "search").get(1);
        assertEquals("dn:" + TestServer.userDn(3), proxied.getFieldAsString("identity"));
        assertEquals("dn:" + TestServer.ADMIN, proxied.getFieldAsString("authenticated"));
        assertFalse(Files.readString(file()).contains(SECRET));
    }

    @Test
    public void whatIsDeniedIsToldOnEveryLevel() throws Exception {
        List<JSONObject> lines = audited(AuditLevel.SECURITY, (server, admin) -> {
            try (LDAPConnection user = server.user(1); LDAPConnection anonymous = server.anonymous()) {
                fails(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, () -> user.delete(TestServer.userDn(2)));
                fails(ResultCode.INSUFFICIENT_ACCESS_RIGHTS,
                        () -> anonymous.search(TestServer.SUFFIX, SearchScope.SUB, "(objectClass=*)"));
            }
        });
        assertEquals(TestServer.userDn(2), only(lines, "delete").getFieldAsString("target"));
        assertEquals("insufficientAccessRights", only(lines, "search").getFieldAsString("result"));
    }

    @Test
    public void whatPasswordPoliciesDoIsTold() throws Exception {
        List<JSONObject> lines = audited(AuditLevel.SECURITY, (server, admin) -> {
            try (LDAPConnection user = server.anonymous()) {
                for (int i = 0; i < 12; i++) {
                    fails(ResultCode.INVALID_CREDENTIALS, () -> user.bind(TestServer.userDn(1), SECRET));
                }
                fails(ResultCode.INVALID_CREDENTIALS, () -> user.bind(TestServer.userDn(1), TestServer.USER_PASSWORD));
            }
        });
        List<JSONObject> policy = ofKind(lines, "policy");
        assertEquals(List.of("accountLocked", "loginRefused"), policy.stream().map(line -> line.getFieldAsString("event")).toList());
        assertEquals(TestServer.userDn(1), policy.get(0).getFieldAsString("target"));
        assertEquals(TestServer.userDn(1), policy.get(1).getFieldAsString("target"));
        assertEquals("and each bind", 14, ofKind(lines, "bind").size());
    }

    /** Also where updates are not told. */
    @Test
    public void whatAdministratorsDoToAccountsIsTold() throws Exception {
        String dn = TestServer.userDn(1);
        List<JSONObject> lines = audited(AuditLevel.SECURITY, (server, admin) -> {
            try (LDAPConnection user = server.user(1)) {
                user.modify(dn, new Modification(ModificationType.REPLACE, "userPassword", "a password of his own"));
            }
            admin.modify(dn, new Modification(ModificationType.REPLACE, "description", "no account"));
            admin.modify(dn, new Modification(ModificationType.REPLACE, "pwdAccountLockedTime", "000001010000Z"));
            admin.modify(dn, new Modification(ModificationType.REPLACE, "pwdAccountLockedTime"));
            admin.modify(dn, new Modification(ModificationType.REPLACE, "nsAccountLock", "TRUE"));
            admin.modify(dn, new Modification(ModificationType.REPLACE, "userPassword", SECRET),
                    new Modification(ModificationType.REPLACE, "pwdReset", "TRUE"));
            ModifyRequest dryRun = new ModifyRequest(dn, new Modification(ModificationType.REPLACE, "pwdReset"));
            dryRun.addControl(new Control("1.3.6.1.4.1.4203.1.10.2", true));
            assertEquals(ResultCode.NO_OPERATION, admin.modify(dryRun).getResultCode());
            fails(ResultCode.NO_SUCH_OBJECT, () -> admin.modify("cn=nobody," + TestServer.SUFFIX,
                    new Modification(ModificationType.REPLACE, "pwdReset", "TRUE")));
        });
        assertEquals(List.of("accountChanged replace pwdAccountLockedTime 000001010000Z", "accountChanged replace pwdAccountLockedTime",
                "accountChanged replace nsAccountLock TRUE", "passwordReset somebody else than its owner has set the password",
                "accountChanged replace pwdReset TRUE"), ofKind(lines, "policy").stream().map(line -> line.getFieldAsString("event") + " "
                + line.getFieldAsString("detail")).toList());
        for (JSONObject line : ofKind(lines, "policy")) {
            assertEquals(dn, line.getFieldAsString("target"));
            assertEquals("dn:" + TestServer.ADMIN, line.getFieldAsString("identity"));
        }
        assertFalse(Files.readString(file()).contains(SECRET));
    }

    @Test
    public void newCertificatesAreTold() throws Exception {
        Path folder = temporary.newFolder("tls").toPath();
        AuditSettings settings = new AuditSettings(AuditLevel.SECURITY, new LogFiles(file(), 1 << 30, 0, 0), true);
        try (TestTls tls = new TestTls(folder, before -> before.with(draft -> draft.audit = settings))) {
            Instant end = tls.contexts().notAfter();
            TestTls.writePair(folder, Instant.now(), 300);
            Await.until("the new certificate is used", () -> !tls.contexts().notAfter().equals(end));
            Files.writeString(folder.resolve("tls.crt"), "no certificate");
            Await.until("the next one is refused", () -> Files.readString(file()).contains("certificatesRefused"));
        }
        List<String> events = Files.readAllLines(file()).stream().filter(line -> line.contains("\"configuration\""))
                .map(line -> line.replaceAll(".*\"event\":\"(\\w+)\".*", "$1")).filter(event -> event.startsWith("cert")).distinct().toList();
        assertTrue(events.toString(), events.contains("certificatesChanged") && events.contains("certificatesRefused"));
        assertTrue(Files.readString(file()).contains("tls.crt"));
    }

    @Test
    public void aTransactionIsToldWithItsParts() throws Exception {
        List<JSONObject> lines = audited(AuditLevel.WRITES, (server, admin) -> {
            StartTransactionExtendedResult started =
                    (StartTransactionExtendedResult) admin.processExtendedOperation(new StartTransactionExtendedRequest());
            AddRequest add = new AddRequest("cn=part," + TestServer.SUFFIX, new Attribute("objectClass", "device"));
            add.addControl(new TransactionSpecificationRequestControl(started.getTransactionID()));
            admin.add(add);
            admin.processExtendedOperation(new EndTransactionExtendedRequest(started.getTransactionID(), true));
        });
        assertEquals("queued", only(lines, "add").getFieldAsString("result"));
        assertEquals("success", only(lines, "extended").getFieldAsString("result"));
    }

    @Test
    public void nobodyWritesLinesOfHisOwn() throws Exception {
        String nasty = "\n{\"kind\":\"bind\"}\r\u0085\u2028\u2029\u202E\u2066\u0000\u001b[2J\u007f\u009b\"\\";
        List<JSONObject> lines = audited(AuditLevel.ALL, (server, admin) -> {
            admin.modify(TestServer.userDn(1), new Modification(ModificationType.REPLACE, "description", nasty));
            fails(ResultCode.INVALID_DN_SYNTAX, () -> admin.delete("no name" + nasty));
            admin.search(TestServer.SUFFIX, SearchScope.SUB, com.unboundid.ldap.sdk.Filter.createEqualityFilter("description", nasty));
            admin.modify(TestServer.userDn(2), new Modification(ModificationType.REPLACE, "audio", new byte[] {-1, 10, 0}),
                    new Modification(ModificationType.REPLACE, "description", "long ".repeat(10_000)));
        });
        byte[] bytes = Files.readAllBytes(file());
        String text = new String(bytes, StandardCharsets.UTF_8);
        assertEquals("start, bind, and one for each request, and stop", 7, text.lines().count());
        assertTrue(text.chars().allMatch(c -> c == '\n' || c >= ' ' && c < 0x7F));
        assertTrue(only(lines, "delete").getFieldAsString("target").endsWith(nasty));
        assertTrue(ofKind(lines, "modify").get(0).getField("attributes").toString().length() > 40);
        assertTrue(text, text.contains("base64:/woA") && text.contains("(50000 bytes)"));
    }

    @Test
    public void aPasswordThatAPolicyRefusesIsToldOnEveryLevel() throws Exception {
        List<JSONObject> lines = audited(AuditLevel.SECURITY, (server, admin) -> {
            try (LDAPConnection user = server.user(1)) {
                fails(ResultCode.CONSTRAINT_VIOLATION, () -> user.modify(TestServer.userDn(1),
                        new Modification(ModificationType.REPLACE, "userPassword", SECRET)));
            }
        });
        assertEquals("constraintViolation", only(lines, "modify").getFieldAsString("result"));
        assertFalse(Files.readString(file()).contains(SECRET));
    }

    @Test
    public void aChangeOfTheSchemaIsToldOnEveryLevel() throws Exception {
        List<JSONObject> lines = audited(AuditLevel.SECURITY, (server, admin) ->
                fails(ResultCode.UNWILLING_TO_PERFORM, () -> admin.modify("cn=schema", new Modification(ModificationType.ADD,
                        "attributeTypes", "( 1.2.3.4.5 NAME 'auditTest' SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 )"))));
        assertEquals("nothing was changed", 2, ofKind(lines, "configuration").size());
    }

    @Test
    public void aDefinitionThatIsAddedIsTold() throws Exception {
        AuditSettings settings = new AuditSettings(AuditLevel.SECURITY, new LogFiles(file(), 1 << 30, 0, 0), true);
        Path schema = temporary.getRoot().toPath().resolve("schema.ldif");
        String definition = "( 1.2.3.4.5 NAME 'auditTest' SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 )";
        try (TestServer server = new TestServer(before -> before.with(draft -> draft.audit = settings)
                .with(draft -> draft.onlineSchema = new OnlineSchema(schema,
                AtomicFile.onDisk()))); LDAPConnection admin = server.admin()) {
            admin.modify("cn=schema", new Modification(ModificationType.ADD, "attributeTypes", definition));
            admin.modify("cn=schema", new Modification(ModificationType.DELETE, "attributeTypes", definition));
        }
        List<JSONObject> lines = new ArrayList<>();
        for (String line : Files.readAllLines(file())) {
            lines.add(new JSONObject(line));
        }
        List<JSONObject> told = ofKind(lines, "configuration").stream().filter(line -> "schemaChanged".equals(line.getFieldAsString("event")))
                .toList();
        assertEquals(List.of("add attributeTypes " + definition, "delete attributeTypes " + definition),
                told.stream().map(line -> line.getFieldAsString("detail")).toList());
        assertEquals("dn:" + TestServer.ADMIN, told.get(0).getFieldAsString("identity"));
        assertEquals("cn=schema", told.get(0).getFieldAsString("target"));
    }

    @Test
    public void withoutASettingThereIsNoAuditLog() throws Exception {
        try (TestServer server = new TestServer(); LDAPConnection admin = server.admin()) {
            assertNull(admin.getEntry("cn=audit,cn=Monitor"));
        }
        assertFalse(Files.exists(file()));
    }
}
