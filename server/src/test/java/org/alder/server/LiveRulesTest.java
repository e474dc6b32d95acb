package org.alder.server;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ModifyRequest;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldif.LDIFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.alder.partition.testing.Await;
import org.junit.Rule;
import org.junit.Test;
import org.junit.function.ThrowingRunnable;
import org.junit.rules.TemporaryFolder;

/** What holds between the entries of a partition, changed while the server runs. */
public class LiveRulesTest {
    private static final String NAME = "cn=first,cn=config";
    private static final String TOP = TestServer.SUFFIX;
    /** In files. */
    private static final String TEXT = ConfiguredServer.SERVER + ConfiguredServer.PARTITION.replace("engine: memory\n", "");

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private ConfiguredServer start() throws Exception {
        return ConfiguredServer.start(folder.getRoot().toPath(), TEXT);
    }

    private static void fill(LDAPConnection admin) throws LDAPException, LDIFException {
        admin.add("dn: " + TOP, "objectClass: domain", "dc: example");
        person(admin, "ann");
        person(admin, "bob");
    }

    private static String dn(String uid) {
        return "uid=" + uid + "," + TOP;
    }

    private static void person(LDAPConnection admin, String uid, String... more) throws LDAPException, LDIFException {
        List<String> lines = new ArrayList<>(List.of("dn: " + dn(uid), "objectClass: inetOrgPerson", "uid: " + uid, "cn: " + uid, "sn: " + uid));
        lines.addAll(List.of(more));
        admin.add(lines.toArray(String[]::new));
    }

    private static void group(LDAPConnection admin, String cn, String attribute, String... members) throws LDAPException, LDIFException {
        List<String> lines = new ArrayList<>(List.of("dn: cn=" + cn + "," + TOP, "objectClass: " + (attribute.equals("member") ? "groupOfNames"
                : "groupOfUniqueNames"), "cn: " + cn));
        for (String member : members) {
            lines.add(attribute + ": " + member);
        }
        admin.add(lines.toArray(String[]::new));
    }

    /** It takes effect at once, so the answer says nothing. */
    private static void replace(LDAPConnection admin, String key, String... values) throws LDAPException {
        assertNull(admin.modify(NAME, new Modification(ModificationType.REPLACE, key, values)).getDiagnosticMessage());
        assertNull(admin.getEntry(NAME, "alderWaitsForStart").getAttributeValue("alderWaitsForStart"));
    }

    private static void modify(LDAPConnection admin, String dn, ModificationType type, String attribute, String... values) throws LDAPException {
        admin.modify(dn, new Modification(type, attribute, values));
    }

    private static void refused(ResultCode code, ThrowingRunnable request, String... texts) {
        LDAPException refusal = assertThrows(LDAPException.class, request);
        assertEquals(refusal.getMessage(), code, refusal.getResultCode());
        for (String text : texts) {
            assertTrue(refusal.getMessage(), refusal.getMessage().contains(text));
        }
    }

    @Test(timeout = Await.MILLIS)
    public void valuesAreUniqueFromTheAnswerOn() throws Exception {
        try (ConfiguredServer server = start(); LDAPConnection admin = server.admin()) {
            fill(admin);
            person(admin, "eve", "mail: ann@example.com");
            modify(admin, dn("ann"), ModificationType.ADD, "mail", "Ann@example.com");
            Path file = folder.getRoot().toPath().resolve("data/config.ldif");
            byte[] before = Files.readAllBytes(file);
            String[] both = {"mail", dn("ann"), dn("eve"), "nn@example.com"};
            refused(ResultCode.CONSTRAINT_VIOLATION, () -> replace(admin, "unique", "mail"), both);
            ModifyRequest dryRun = new ModifyRequest(NAME, new Modification(ModificationType.REPLACE, "unique", "mail"));
            dryRun.addControl(new Control("1.3.6.1.4.1.4203.1.10.2", true));
            refused(ResultCode.CONSTRAINT_VIOLATION, () -> admin.modify(dryRun), both);
            assertArrayEquals(before, Files.readAllBytes(file));
            person(admin, "joe", "mail: ann@example.com");
            admin.delete(dn("eve"));
            admin.delete(dn("joe"));
            replace(admin, "unique", "uid", "mail");
            refused(ResultCode.CONSTRAINT_VIOLATION, () -> person(admin, "joe", "mail: ann@example.com"), "must be unique");
            refused(ResultCode.CONSTRAINT_VIOLATION, () -> modify(admin, dn("bob"), ModificationType.ADD, "mail", "ANN@example.com"));
            refused(ResultCode.CONSTRAINT_VIOLATION, () -> modify(admin, NAME, ModificationType.DELETE, "index", "mail eq,sub"), "no equality index");
            replace(admin, "unique");
            person(admin, "joe", "mail: ann@example.com");
            refused(ResultCode.CONSTRAINT_VIOLATION, () -> replace(admin, "unique", "title"), "title has no equality index");
        }
    }

    @Test(timeout = Await.MILLIS)
    public void aChangeThatCannotBeWrittenIsTakenBack() throws Exception {
        boolean[] full = {false};
        try (ConfiguredServer server = ConfiguredServer.start(folder.getRoot().toPath(), TEXT, (file, content) -> {
            if (full[0]) {
                throw new IOException("No space left on device");
            }
            Files.write(file, content);
        }); LDAPConnection admin = server.admin()) {
            fill(admin);
            full[0] = true;
            refused(ResultCode.UNWILLING_TO_PERFORM, () -> replace(admin, "unique", "mail"), "No space left");
            refused(ResultCode.UNWILLING_TO_PERFORM, () -> replace(admin, "constraint", "mail regex x"), "No space left");
            person(admin, "eve", "mail: a@example.com");
            person(admin, "joe", "mail: a@example.com");
        }
    }

    @Test(timeout = Await.MILLIS)
    public void constraintsAndLimitsHoldForWhatIsWrittenFromThenOn() throws Exception {
        try (ConfiguredServer server = start(); LDAPConnection admin = server.admin()) {
            fill(admin);
            modify(admin, dn("ann"), ModificationType.ADD, "employeeType", "delta");
            replace(admin, "constraint", "employeeType set alpha beta");
            refused(ResultCode.CONSTRAINT_VIOLATION, () -> modify(admin, dn("bob"), ModificationType.ADD, "employeeType", "delta"), "delta");
            modify(admin, dn("ann"), ModificationType.ADD, "title", "what is there stays");
            replace(admin, "constraint");
            modify(admin, dn("bob"), ModificationType.ADD, "employeeType", "delta");

            replace(admin, "maxAttributeValues", "2");
            refused(ResultCode.ADMIN_LIMIT_EXCEEDED, () -> modify(admin, dn("bob"), ModificationType.ADD, "title", "a", "b", "c"), "2");
            replace(admin, "maxAttributeValues");
            modify(admin, dn("bob"), ModificationType.ADD, "title", "a", "b", "c");

            replace(admin, "maxEntryAttributes", "5");
            refused(ResultCode.ADMIN_LIMIT_EXCEEDED, () -> person(admin, "eve", "mail: m", "l: l"), "5");
            replace(admin, "maxEntryAttributes");
            replace(admin, "maxEntryBytes", "1k");
            refused(ResultCode.ADMIN_LIMIT_EXCEEDED, () -> person(admin, "eve", "description: " + "x".repeat(2000)), "1024");
            replace(admin, "maxEntryBytes");
            replace(admin, "maxEntryDepth", "2");
            refused(ResultCode.ADMIN_LIMIT_EXCEEDED, () -> person(admin, "eve"), "2");
            replace(admin, "maxEntryDepth");
            person(admin, "eve", "description: " + "x".repeat(2000));
        }
    }

    @Test(timeout = Await.MILLIS)
    public void referencesFollowFromThenOn() throws Exception {
        try (ConfiguredServer server = start(); LDAPConnection admin = server.admin()) {
            fill(admin);
            group(admin, "g", "member", dn("ann"), dn("bob"));
            replace(admin, "reference", "none");
            admin.modifyDN(dn("ann"), "uid=anna", true);
            assertTrue(admin.compare("cn=g," + TOP, "member", dn("ann")).compareMatched());
            replace(admin, "reference", "member", "manager");
            admin.modifyDN(dn("bob"), "uid=rob", true);
            assertTrue(admin.compare("cn=g," + TOP, "member", dn("rob")).compareMatched());
            replace(admin, "referencesMustExist", "true");
            refused(ResultCode.CONSTRAINT_VIOLATION, () -> modify(admin, "cn=g," + TOP, ModificationType.ADD, "member", dn("nobody")), "names no entry");
            replace(admin, "referencesMustExist", "false");
            replace(admin, "referencePlaceholder", "cn=nobody");
            modify(admin, "cn=g," + TOP, ModificationType.REPLACE, "member", dn("rob"));
            admin.delete(dn("rob"));
            assertEquals("cn=nobody", admin.getEntry("cn=g," + TOP).getAttributeValue("member"));
        }
    }

    @Test(timeout = Await.MILLIS)
    public void numbersAreGivenFromThenOn() throws Exception {
        try (ConfiguredServer server = start(); LDAPConnection admin = server.admin()) {
            fill(admin);
            String[] account = {"objectClass: posixAccount", "gidNumber: 1", "homeDirectory: /"};
            refused(ResultCode.OBJECT_CLASS_VIOLATION, () -> person(admin, "eve", account), "uidNumber");
            replace(admin, "autoNumber", "uidNumber 1000-1999");
            person(admin, "eve", account);
            assertEquals("1000", admin.getEntry(dn("eve")).getAttributeValue("uidNumber"));
            replace(admin, "autoNumber", "uidNumber 5000-5999");
            person(admin, "joe", account);
            assertEquals("5000", admin.getEntry(dn("joe")).getAttributeValue("uidNumber"));
            replace(admin, "autoNumber");
            refused(ResultCode.OBJECT_CLASS_VIOLATION, () -> person(admin, "zoe", account), "uidNumber");
        }
    }

    /** What was found out of groups by other attributes is forgotten, and who depends on groups is not locked out. */
    @Test(timeout = Await.MILLIS)
    public void otherAttributesNameMembersFromThenOn() throws Exception {
        try (ConfiguredServer server = start(); LDAPConnection admin = server.admin()) {
            fill(admin);
            modify(admin, dn("ann"), ModificationType.REPLACE, "userPassword", TestServer.USER_PASSWORD);
            group(admin, "m", "member", dn("ann"));
            group(admin, "u", "uniqueMember", dn("ann"));
            modify(admin, "cn=config", ModificationType.REPLACE, "accessRule", "grant authenticate to anyone",
                    "grant view to group \"cn=m," + TOP + "\"");
            try (LDAPConnection ann = server.anonymous()) {
                ann.bind(dn("ann"), TestServer.USER_PASSWORD);
                assertEquals(dn("bob"), ann.getEntry(dn("bob")).getDN());
                replace(admin, "memberOf", "uniqueMember");
                assertArrayEquals(new String[] {"cn=u," + TOP}, admin.getEntry(dn("ann"), "memberOf").getAttributeValues("memberOf"));
                assertEquals(1, admin.search(TOP, SearchScope.SUB, "(memberOf=cn=u," + TOP + ")").getEntryCount());
                assertEquals(0, admin.search(TOP, SearchScope.SUB, "(memberOf=cn=m," + TOP + ")").getEntryCount());
                refused(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, () -> ann.getEntry(dn("bob")));
                replace(admin, "memberOf", "member");
                assertEquals(dn("bob"), ann.getEntry(dn("bob")).getDN());
            }
            modify(admin, "cn=config", ModificationType.REPLACE, "administrators", "cn=m," + TOP);
            refused(ResultCode.CONSTRAINT_VIOLATION, () -> replace(admin, "memberOf", "none"), "no groups");
            modify(admin, "cn=config", ModificationType.DELETE, "administrators");
            replace(admin, "memberOf", "none");
            assertFalse(admin.getEntry(dn("ann"), "memberOf").hasAttribute("memberOf"));
        }
    }

    @Test(timeout = Await.MILLIS)
    public void valuesAreKeptElsewhereFromAnotherNumberOn() throws Exception {
        String[] members = new String[50];
        for (int i = 0; i < members.length; i++) {
            members[i] = dn("u" + i);
        }
        try (ConfiguredServer server = start(); LDAPConnection admin = server.admin()) {
            fill(admin);
            group(admin, "small", "member", members);
            replace(admin, "largeAttributeThreshold", "10");
            group(admin, "large", "member", members);
            modify(admin, "cn=small," + TOP, ModificationType.DELETE, "member", members[0]);
            replace(admin, "maxEntryBytes", "1k");
            modify(admin, "cn=large," + TOP, ModificationType.ADD, "member", dn("more"));
            assertEquals(51, admin.getEntry("cn=large," + TOP).getAttributeValues("member").length);
            assertEquals(49, admin.getEntry("cn=small," + TOP).getAttributeValues("member").length);
            replace(admin, "largeAttributeThreshold", "0");
            refused(ResultCode.ADMIN_LIMIT_EXCEEDED, () -> group(admin, "record", "member", members), "1024");
            replace(admin, "maxEntryBytes");
            group(admin, "record", "member", members);
        }
        try (ConfiguredServer server = start(); LDAPConnection admin = server.admin()) {
            assertEquals(51, admin.getEntry("cn=large," + TOP).getAttributeValues("member").length);
            assertEquals(3, admin.search(TOP, SearchScope.SUB, "(member=" + members[7] + ")").getEntryCount());
        }
    }

    @Test(timeout = Await.MILLIS)
    public void whatIsUndoneHoldsAgain() throws Exception {
        try (ConfiguredServer server = start(); LDAPConnection admin = server.admin()) {
            fill(admin);
            replace(admin, "unique", "mail");
            replace(admin, "unique");
            person(admin, "eve", "mail: a@example.com");
            person(admin, "joe", "mail: a@example.com");
            refused(ResultCode.CONSTRAINT_VIOLATION, () -> modify(admin, "cn=config", ModificationType.DELETE, "alderConfigurationChange"), dn("eve"), dn("joe"));
            admin.delete(dn("joe"));
            modify(admin, "cn=config", ModificationType.DELETE, "alderConfigurationChange");
            refused(ResultCode.CONSTRAINT_VIOLATION, () -> person(admin, "joe", "mail: a@example.com"), "must be unique");
        }
        try (ConfiguredServer server = start(); LDAPConnection admin = server.admin()) {
            refused(ResultCode.CONSTRAINT_VIOLATION, () -> person(admin, "joe", "mail: a@example.com"), "must be unique");
        }
    }
}
