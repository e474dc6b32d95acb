package org.alder.server.access;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.AddRequest;
import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.DeleteRequest;
import com.unboundid.ldap.sdk.Entry;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.LDAPResult;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ModifyRequest;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.controls.PostReadRequestControl;
import com.unboundid.ldap.sdk.controls.PostReadResponseControl;
import com.unboundid.ldap.sdk.controls.SubtreeDeleteRequestControl;
import com.unboundid.ldap.sdk.extensions.PasswordModifyExtendedRequest;
import java.util.ArrayList;
import java.util.List;
import org.alder.server.TestServer;
import org.junit.After;
import org.junit.Test;
import org.junit.function.ThrowingRunnable;

/** What rules let whom change, through a client, and what a refused update tells. */
public class AccessUpdateTest {
    private static final String USERS = "ou=users," + TestServer.SUFFIX;
    private static final String GROUPS = "ou=groups," + TestServer.SUFFIX;
    private static final String GROUP = "cn=staff," + GROUPS;
    private static final String HIDDEN = "ou=hidden," + TestServer.SUFFIX;
    private static final String ME = TestServer.userDn(1);
    private static final String OTHER = TestServer.userDn(2);

    private TestServer server;
    private LDAPConnection admin;
    private LDAPConnection me;

    /** Rules before the last one, by which users see everything. */
    private void start(String... rules) throws LDAPException {
        start(List.of("grant view to users"), rules);
    }

    private void start(List<String> last, String... rules) throws LDAPException {
        List<String> texts = new ArrayList<>(List.of("grant authenticate to anyone", "deny all in \"" + HIDDEN + "\" to anyone"));
        texts.addAll(List.of(rules));
        texts.addAll(last);
        server = new TestServer(settings -> settings.with(draft -> draft.accessRules = AccessOracleTest.parsed(texts)));
        server.add(GROUPS, "objectClass: organizationalUnit", "ou: groups");
        server.add(GROUP, "objectClass: groupOfNames", "cn: staff", "member: " + OTHER, "owner: " + OTHER);
        server.add(HIDDEN, "objectClass: organizationalUnit", "ou: hidden");
        server.add("cn=secret," + HIDDEN, "objectClass: device", "cn: secret");
        admin = server.admin();
        me = server.user(1);
    }

    @After
    public void stop() {
        me.close();
        admin.close();
        server.close();
    }

    private static Modification add(String name, String... values) {
        return new Modification(ModificationType.ADD, name, values);
    }

    private static Modification remove(String name, String... values) {
        return new Modification(ModificationType.DELETE, name, values);
    }

    private static Modification replace(String name, String... values) {
        return new Modification(ModificationType.REPLACE, name, values);
    }

    private static LDAPException refused(ThrowingRunnable operation) {
        return fails(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, operation);
    }

    private static LDAPException fails(ResultCode code, ThrowingRunnable operation) {
        LDAPException failure = assertThrows(LDAPException.class, operation);
        assertEquals(failure.getMessage(), code, failure.getResultCode());
        return failure;
    }

    private static Entry device(String cn, String parent, String... more) {
        Entry entry = new Entry("cn=" + cn + "," + parent, new Attribute("objectClass", "device"), new Attribute("cn", cn));
        for (int i = 0; i < more.length; i += 2) {
            entry.addAttribute(more[i], more[i + 1]);
        }
        return entry;
    }

    @Test
    public void aReadOnlyServiceAccountReadsAndChangesNothing() throws LDAPException {
        start(List.of("grant view in \"" + USERS + "\" to dn \"" + ME + '"'));
        assertEquals(TestServer.USERS, me.search(USERS, SearchScope.ONE, "(uid=*)").getEntryCount());
        assertFalse(me.getEntry(OTHER).hasAttribute("userPassword"));
        refused(() -> me.search(GROUPS, SearchScope.SUB, "(cn=staff)"));
        refused(() -> me.modify(OTHER, replace("sn", "x")));
        refused(() -> me.modify(ME, replace("userPassword", "x")));
        refused(() -> me.delete(OTHER));
        refused(() -> me.add(device("x", USERS)));
        refused(() -> me.modifyDN(OTHER, "uid=x", true));
    }

    @Test
    public void usersServeThemselvesAsFarAsTheAttributesAreNamed() throws LDAPException {
        start("grant write of telephoneNumber, mobile, cn to self");
        me.modify(ME, replace("telephoneNumber", "1"), add("mobile", "2"), add("cn;lang-fr", "Moi"), remove("telephoneNumber"));
        assertTrue(refused(() -> me.modify(ME, add("telephoneNumber", "3"), replace("sn", "x"))).getDiagnosticMessage()
                .contains("sn"));
        refused(() -> me.modify(OTHER, replace("telephoneNumber", "1")));
        refused(() -> me.modify(ME, replace("userPassword", "x")));
        assertNull(admin.getEntry(ME).getAttribute("telephoneNumber"));
    }

    @Test
    public void theOwnersOfAGroupManageItsMembers() throws LDAPException {
        start("grant write of member where (objectClass=groupOfNames) to namedBy owner");
        refused(() -> me.modify(GROUP, add("member", ME)));
        try (LDAPConnection owner = server.user(2)) {
            owner.modify(GROUP, add("member", ME));
            refused(() -> owner.modify(GROUP, replace("owner", ME)));
            owner.modify(GROUP, replace("member", ME));
        }
        admin.modify(GROUP, replace("owner", ME));
        me.modify(GROUP, add("member", OTHER));
    }

    @Test
    public void theHelpDeskGivesNewPasswordsBelowASubtree() throws LDAPException {
        start("grant write of userPassword in children \"" + USERS + "\" to dn \"" + ME + '"');
        me.processExtendedOperation(new PasswordModifyExtendedRequest(OTHER, null, "another one"));
        try (LDAPConnection other = server.anonymous()) {
            other.bind(OTHER, "another one");
            assertEquals(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, other.processExtendedOperation(
                    new PasswordModifyExtendedRequest(ME, null, "stolen")).getResultCode());
        }
        me.modify(OTHER, replace("userPassword", "a third password"));
        assertFalse(me.getEntry(OTHER, "*", "userPassword").hasAttribute("userPassword"));
        assertEquals(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, me.processExtendedOperation(
                new PasswordModifyExtendedRequest(GROUP, null, "no")).getResultCode());
        refused(() -> me.modify(OTHER, replace("sn", "x")));
    }

    @Test
    public void anonymousClientsReadNamedAttributesAndChangeNothing() throws LDAPException {
        start("grant view of uid, cn in \"" + USERS + "\" to anonymous");
        try (LDAPConnection anonymous = server.anonymous()) {
            Entry entry = anonymous.searchForEntry(USERS, SearchScope.SUB, "(uid=user.3)");
            assertEquals("user.3", entry.getAttributeValue("uid"));
            assertFalse(entry.hasAttribute("sn"));
            assertEquals(0, anonymous.search(USERS, SearchScope.SUB, "(sn=*)").getEntryCount());
            refused(() -> anonymous.modify(ME, replace("cn", "x")));
            refused(() -> anonymous.delete(ME));
        }
    }

    @Test
    public void whoMayWriteHisNameWritesNoOther() throws LDAPException {
        start("grant selfWrite of member, owner in \"" + GROUPS + "\" to users");
        refused(() -> me.modify(GROUP, add("member", TestServer.userDn(3))));
        refused(() -> me.modify(GROUP, add("member", ME, TestServer.userDn(3))));
        me.modify(GROUP, add("member", "UID=user.1, ou=Users," + TestServer.SUFFIX));
        assertTrue(refused(() -> me.modify(GROUP, remove("member", OTHER))).getDiagnosticMessage().contains("member"));
        refused(() -> me.modify(GROUP, remove("member")));
        refused(() -> me.modify(GROUP, replace("member", ME)));
        me.modify(GROUP, replace("member", ME, OTHER));
        me.modify(GROUP, remove("member", ME));
        me.modify(GROUP, replace("member", ME, OTHER));
        refused(() -> me.modify(ME, add("seeAlso", ME)));
        assertEquals(2, admin.getEntry(GROUP).getAttributeValues("member").length);
    }

    @Test
    public void valuesAreAllowedOneByOne() throws LDAPException {
        start("grant write of employeeType values (|(employeeType=guest)(employeeType=visitor)) in \"" + USERS + "\" to users",
                "grant write of l values (l=b*) to users");
        me.modify(OTHER, add("employeeType", "Guest"));
        refused(() -> me.modify(OTHER, add("employeeType", "boss")));
        me.modify(OTHER, replace("employeeType", "visitor"));
        admin.modify(OTHER, add("employeeType", "boss"));
        refused(() -> me.modify(OTHER, replace("employeeType", "visitor")));
        refused(() -> me.modify(OTHER, remove("employeeType")));
        me.modify(OTHER, replace("employeeType", "boss"));
        refused(() -> me.modify(OTHER, remove("employeeType", "boss")));
        me.modify(OTHER, add("l", "Bonn", "Berlin"));
        refused(() -> me.modify(OTHER, add("l", "Basel", "Kiel")));
        me.modify(OTHER, remove("l"));
    }

    @Test
    public void anEntryIsAddedWithWhatMayBeAdded() throws LDAPException {
        start("grant add of objectClass, cn, description in children \"" + GROUPS + "\" where (objectClass=device) to users");
        me.add(device("a", GROUPS, "description", "x"));
        assertTrue(refused(() -> me.add(device("b", GROUPS, "serialNumber", "1"))).getDiagnosticMessage().contains("serialNumber"));
        refused(() -> me.add(device("b", USERS)));
        refused(() -> me.add("cn=c," + GROUPS, new Attribute("objectClass", "organizationalRole"), new Attribute("cn", "c")));
        fails(ResultCode.ENTRY_ALREADY_EXISTS, () -> me.add(device("a", GROUPS)));
        refused(() -> me.modify("cn=a," + GROUPS, replace("description", "y")));
        refused(() -> me.delete("cn=a," + GROUPS));
        refused(() -> me.add(device("a", USERS)));
        AddRequest relaxed = new AddRequest(device("r", GROUPS));
        relaxed.addControl(new Control("1.3.6.1.4.1.4203.666.5.12", true));
        refused(() -> me.add(relaxed));
    }

    @Test
    public void whatIsHiddenIsNotThere() throws LDAPException {
        String missing = "ou=missing," + TestServer.SUFFIX;
        start(List.of("deny all in \"" + missing + "\" to anyone", "grant all to users"));
        requireSame(missing, HIDDEN);
        requireSameSuperior(missing, HIDDEN);
    }

    @Test
    public void whatIsHiddenForWhatIsInItIsNotThere() throws LDAPException {
        start(List.of("deny all where (|(ou=veiled)(cn=secret)) to anyone", "grant all to users"));
        String veiled = "ou=veiled," + TestServer.SUFFIX;
        server.add(veiled, "objectClass: organizationalUnit", "ou: veiled");
        server.add("cn=secret," + veiled, "objectClass: device", "cn: secret");
        String missing = "ou=missing," + TestServer.SUFFIX;
        requireSame(missing, veiled);
        requireSameSuperior(missing, veiled);
        LDAPException told = fails(ResultCode.NO_SUCH_OBJECT, () -> me.delete("cn=secret," + veiled));
        assertEquals(TestServer.SUFFIX, told.getMatchedDN());
        fails(ResultCode.NOT_ALLOWED_ON_NONLEAF, () -> me.delete(USERS));
    }

    private void requireSame(String missing, String hidden) {
        for (String rdn : List.of("", "cn=secret,")) {
            same(() -> me.modify(rdn + missing, replace("description", "x")), () -> me.modify(rdn + hidden, replace("description", "x")));
            same(() -> me.delete(rdn + missing), () -> me.delete(rdn + hidden));
            same(() -> me.modifyDN(rdn + missing, "ou=x", true), () -> me.modifyDN(rdn + hidden, "ou=x", true));
            same(() -> me.compare(rdn + missing, "cn", "x"), () -> me.compare(rdn + hidden, "cn", "x"));
        }
    }

    private void requireSameSuperior(String missing, String hidden) {
        same(() -> me.add(device("x", missing)), () -> me.add(device("x", hidden)));
        same(() -> me.modifyDN(OTHER, "uid=user.2", true, missing), () -> me.modifyDN(OTHER, "uid=user.2", true, hidden));
    }

    /** Both fail with the same, but for the name. */
    private static void same(ThrowingRunnable missing, ThrowingRunnable hidden) {
        LDAPException expected = assertThrows(LDAPException.class, missing);
        LDAPException found = assertThrows(LDAPException.class, hidden);
        assertEquals(expected.getResultCode(), found.getResultCode());
        assertEquals(expected.getMatchedDN(), found.getMatchedDN());
        assertEquals(expected.getDiagnosticMessage().replace("missing", "X"),
                found.getDiagnosticMessage().replaceAll("hidden|veiled", "X"));
    }

    /** What cannot be kept from who may give an entry a name: that it is taken. */
    @Test
    public void aNameIsTakenOnlyForWhoMayGiveIt() throws LDAPException {
        String taken = "cn=taken," + GROUPS;
        start("deny view, write in base \"" + taken + "\" to anyone", "grant add in children \"" + GROUPS + "\" to dn \"" + ME + '"');
        server.add(taken, "objectClass: device", "cn: taken");
        fails(ResultCode.ENTRY_ALREADY_EXISTS, () -> me.add(device("taken", GROUPS)));
        try (LDAPConnection other = server.user(2)) {
            refused(() -> other.add(device("taken", GROUPS)));
            refused(() -> other.add(device("free", GROUPS)));
        }
    }

    @Test
    public void anEntryGoesWhereItMayCome() throws LDAPException {
        start("grant renameOut, renameIn in one \"" + USERS + "\" to users", "grant write of uid, cn in \"" + USERS + "\" to users",
                "grant renameIn in one \"" + GROUPS + "\" where (objectClass=device) to users");
        server.add("cn=d," + USERS, "objectClass: device", "cn: d");
        me.modifyDN("cn=d," + USERS, "cn=e", true);
        me.modifyDN("cn=e," + USERS, "cn=e", true, GROUPS);
        refused(() -> me.modifyDN("cn=e," + GROUPS, "cn=e", true, USERS));
        refused(() -> me.modifyDN(OTHER, "uid=user.2", true, GROUPS));
        refused(() -> me.modifyDN(OTHER, "sn=Number2", true));
        me.modifyDN(OTHER, "uid=user.2+cn=User 2", false);
        me.modifyDN("uid=user.2+cn=User 2," + USERS, "uid=user.2", false);
        assertEquals("User 2", admin.getEntry(OTHER).getAttributeValue("cn"));
    }

    @Test
    public void aSubtreeGoesIfEachEntryMay() throws LDAPException {
        start("grant delete where (objectClass=device) to users");
        server.add("cn=top," + USERS, "objectClass: device", "cn: top");
        server.add("cn=leaf,cn=top," + USERS, "objectClass: device", "cn: leaf");
        server.add("ou=stays,cn=top," + USERS, "objectClass: organizationalUnit", "ou: stays");
        DeleteRequest tree = new DeleteRequest("cn=top," + USERS);
        tree.addControl(new SubtreeDeleteRequestControl());
        refused(() -> me.delete(tree));
        fails(ResultCode.NOT_ALLOWED_ON_NONLEAF, () -> me.delete("cn=top," + USERS));
        refused(() -> me.delete("ou=stays,cn=top," + USERS));
        admin.delete("ou=stays,cn=top," + USERS);
        me.delete(tree);
        assertNull(admin.getEntry("cn=leaf,cn=top," + USERS));
    }

    @Test
    public void whatAnUpdateShowsIsWhatMayBeReadAfterIt() throws LDAPException {
        start("deny read of telephoneNumber where (employeeType=secretive) to users", "grant write in \"" + USERS + "\" to users");
        ModifyRequest request = new ModifyRequest(OTHER, replace("employeeType", "secretive"), replace("telephoneNumber", "1"));
        request.addControl(new PostReadRequestControl("*"));
        LDAPResult result = me.modify(request);
        Entry after = PostReadResponseControl.get(result).getEntry();
        assertTrue(after.hasAttribute("employeeType"));
        assertFalse(after.hasAttribute("telephoneNumber"));
        assertFalse(after.hasAttribute("userPassword"));
        refused(() -> me.modify(OTHER, replace("userPassword", "x")));
    }
}
