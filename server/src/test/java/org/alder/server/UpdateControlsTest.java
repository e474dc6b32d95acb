package org.alder.server;

import static org.alder.server.ClientTests.fails;
import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.AddRequest;
import com.unboundid.ldap.sdk.CompareRequest;
import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.DeleteRequest;
import com.unboundid.ldap.sdk.Entry;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.LDAPResult;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ModifyDNRequest;
import com.unboundid.ldap.sdk.ModifyRequest;
import com.unboundid.ldap.sdk.ReadOnlyEntry;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.controls.AssertionRequestControl;
import com.unboundid.ldap.sdk.controls.PermissiveModifyRequestControl;
import com.unboundid.ldap.sdk.controls.PostReadRequestControl;
import com.unboundid.ldap.sdk.controls.PostReadResponseControl;
import com.unboundid.ldap.sdk.controls.PreReadRequestControl;
import com.unboundid.ldap.sdk.controls.PreReadResponseControl;
import com.unboundid.ldap.sdk.controls.SubtreeDeleteRequestControl;
import com.unboundid.ldif.LDIFException;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.jdbm.store.JdbmStore;
import org.alder.partition.memory.MemoryStore;
import org.alder.partition.testing.Requirement;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The controls of updates, through an independent client. */
public class UpdateControlsTest {
    private static final String USERS = "ou=users," + TestServer.SUFFIX;
    private static final String USER = TestServer.userDn(1);
    private static final String NO_OPERATION = "1.3.6.1.4.1.4203.1.10.2";
    private static final String NO_OPERATION_OF_OPENLDAP = "1.3.6.1.4.1.4203.666.5.2";
    private static final String RELAX_RULES = "1.3.6.1.4.1.4203.666.5.12";

    private static final String[] NO_VALUES = {};

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private TestServer server;
    private LDAPConnection admin;

    @Before
    public void start() throws LDAPException {
        server = new TestServer();
        admin = server.admin();
    }

    @After
    public void stop() {
        admin.close();
        server.close();
    }

    private static ModifyRequest modify(String dn, ModificationType type, String attribute, String[] values,
            Control... controls) {
        return new ModifyRequest(dn, new Modification[] {new Modification(type, attribute, values)}, controls);
    }

    private static ModifyRequest setTitle(String value, Control... controls) {
        return modify(USER, ModificationType.REPLACE, "title", new String[] {value}, controls);
    }

    private static AssertionRequestControl asserting(String filter) throws LDAPException {
        return new AssertionRequestControl(filter);
    }

    private static AddRequest device(String name, Control... controls) throws LDIFException {
        AddRequest request = new AddRequest("dn: cn=" + name + "," + USERS, "objectClass: device", "cn: " + name);
        request.setControls(controls);
        return request;
    }

    /** The SDK takes the result code for a success. */
    private static void tried(LDAPResult result) {
        assertEquals(ResultCode.NO_OPERATION, result.getResultCode());
    }

    private String title() throws LDAPException {
        return admin.getEntry(USER).getAttributeValue("title");
    }

    @Test
    @Proves("1.3.6.1.1.12")
    @Requirement(rfc = 4528, section = "3", text = "assertionFailed (122) unless the assertion is true: updates")
    public void changesOnlyWhatIsAsAsserted() throws LDAPException, LDIFException {
        admin.modify(setTitle("a", asserting("(!(title=*))")));
        fails(ResultCode.ASSERTION_FAILED, () -> admin.modify(setTitle("b", asserting("(title=z)"))));
        fails(ResultCode.ASSERTION_FAILED, () -> admin.modify(setTitle("b", asserting("(noSuchAttribute=z)"))));
        assertEquals("a", title());
        admin.modify(setTitle("b", asserting("(&(title=a)(entryDN=" + USER + "))")));
        assertEquals("b", title());
        fails(ResultCode.ASSERTION_FAILED, () -> admin.delete(new DeleteRequest(USER, new Control[] {asserting("(title=a)")})));
        fails(ResultCode.ASSERTION_FAILED, () -> admin.modifyDN(
                new ModifyDNRequest(USER, "uid=other", true, null, new Control[] {asserting("(title=a)")})));
        fails(ResultCode.ASSERTION_FAILED, () -> admin.add(device("d1", asserting("(cn=d2)"))));
        admin.add(device("d1", asserting("(&(cn=d1)(objectClass=device))")));
        fails(ResultCode.NO_SUCH_OBJECT, () ->
                admin.modify(modify("cn=none," + USERS, ModificationType.DELETE, "title", NO_VALUES, asserting("(title=a)"))));
    }

    @Test
    @Proves("1.3.6.1.1.12")
    @Requirement(rfc = 4528, section = "3", text = "Assertion: searches, by their base, and compares")
    public void searchesAndComparesOnlyWhatIsAsAsserted() throws LDAPException {
        SearchRequest search = new SearchRequest(USERS, SearchScope.ONE, "(uid=user.1)");
        search.setControls(asserting("(ou=users)"));
        assertEquals(1, admin.search(search).getEntryCount());
        search.setControls(asserting("(ou=other)"));
        fails(ResultCode.ASSERTION_FAILED, () -> admin.search(search));
        CompareRequest compare = new CompareRequest(USER, "sn", "Number1", new Control[] {asserting("(uid=user.1)")});
        assertTrue(admin.compare(compare).compareMatched());
        compare.setControls(asserting("(uid=user.2)"));
        fails(ResultCode.ASSERTION_FAILED, () -> admin.compare(compare));
    }

    @Test
    public void anAssertionTellsNothingThatMayNotBeRead() throws LDAPException {
        SearchRequest search = new SearchRequest(TestServer.userDn(2), SearchScope.BASE, "(objectClass=*)");
        search.setControls(asserting("(userPassword=*)"));
        assertEquals(1, admin.search(search).getEntryCount());
        try (LDAPConnection user = server.user(1)) {
            fails(ResultCode.ASSERTION_FAILED, () -> user.search(search));
            search.setControls(asserting("(!(userPassword=*))"));
            fails(ResultCode.ASSERTION_FAILED, () -> user.search(search));
            fails(ResultCode.ASSERTION_FAILED, () -> user.modify(modify(USER, ModificationType.REPLACE, "userPassword",
                    new String[] {"a new one"}, asserting("(userPassword=*)"))));
        }
        try (LDAPConnection anonymous = server.anonymous()) {
            search.setControls(asserting("(objectClass=*)"));
            fails(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, () -> anonymous.search(search));
        }
    }

    @Test
    @Requirement(rfc = 4528, section = "2", text = "A value that is no filter is protocolError")
    public void refusesAnAssertionThatIsNoFilter() {
        fails(ResultCode.PROTOCOL_ERROR, () -> admin.modify(setTitle("a", new Control("1.3.6.1.1.12", true))));
    }

    @Test
    @Proves({"1.3.6.1.1.13.1", "1.3.6.1.1.13.2"})
    @Requirement(rfc = 4527, section = "3.1, 3.2", text = "Pre-read and post-read")
    public void showsTheEntryBeforeAndAfter() throws LDAPException, LDIFException {
        admin.modify(setTitle("a"));
        LDAPResult result = admin.modify(setTitle("b", new PreReadRequestControl(true, "title", "modifiersName", "entryDN"),
                new PostReadRequestControl(true, "TITLE", "numSubordinates")));
        ReadOnlyEntry before = PreReadResponseControl.get(result).getEntry();
        assertEquals(USER, before.getDN());
        assertEquals("a", before.getAttributeValue("title"));
        assertEquals(USER, before.getAttributeValue("entryDN"));
        assertEquals(3, before.getAttributes().size());
        ReadOnlyEntry after = PostReadResponseControl.get(result).getEntry();
        assertEquals("b", after.getAttributeValue("title"));
        assertEquals("0", after.getAttributeValue("numSubordinates"));

        LDAPResult renamed = admin.modifyDN(new ModifyDNRequest(USER, "uid=other", true, null,
                new Control[] {new PreReadRequestControl(true, "uid"), new PostReadRequestControl(true, "uid")}));
        assertEquals("user.1", PreReadResponseControl.get(renamed).getEntry().getAttributeValue("uid"));
        assertEquals("uid=other," + USERS, PostReadResponseControl.get(renamed).getEntry().getDN());

        LDAPResult added = admin.add(device("d", new PostReadRequestControl(true, "*", "+")));
        ReadOnlyEntry device = PostReadResponseControl.get(added).getEntry();
        assertEquals(admin.getEntry("cn=d," + USERS, "*", "+"), device);

        LDAPResult deleted = admin.delete(new DeleteRequest("cn=d," + USERS,
                new Control[] {new PreReadRequestControl(true, "entryUUID")}));
        assertEquals(device.getAttributeValue("entryUUID"),
                PreReadResponseControl.get(deleted).getEntry().getAttributeValue("entryUUID"));
    }

    /** RFC 4527 3.2: after the update. */
    @Test
    public void whatIsWorkedOutIsSoByTheStateAfterTheUpdate() throws LDAPException, LDIFException {
        String renamed = "uid=other," + USERS;
        admin.add("dn: cn=group," + USER, "objectClass: groupOfNames", "cn: group", "member: " + renamed);
        LDAPResult result = admin.modifyDN(new ModifyDNRequest(USER, "uid=other", true, null,
                new Control[] {new PreReadRequestControl(true, "memberOf"), new PostReadRequestControl(true, "memberOf")}));
        assertFalse(PreReadResponseControl.get(result).getEntry().hasAttribute("memberOf"));
        assertEquals("cn=group," + renamed, PostReadResponseControl.get(result).getEntry().getAttributeValue("memberOf"));
        assertEquals(admin.getEntry(renamed, "memberOf"), PostReadResponseControl.get(result).getEntry());
    }

    @Test
    public void showsNothingOfWhatFailedAndNothingThatMayNotBeRead() throws LDAPException {
        LDAPException failure = fails(ResultCode.NO_SUCH_ATTRIBUTE, () -> admin.modify(
                modify(USER, ModificationType.DELETE, "title", NO_VALUES, new PreReadRequestControl(true))));
        assertEquals(0, failure.getResponseControls().length);
        try (LDAPConnection user = server.user(1)) {
            LDAPResult result = user.modify(modify(USER, ModificationType.REPLACE, "userPassword", new String[] {"a new one"},
                    new PreReadRequestControl(true), new PostReadRequestControl(true)));
            assertTrue(PreReadResponseControl.get(result).getEntry().hasAttribute("sn"));
            assertFalse(PreReadResponseControl.get(result).getEntry().hasAttribute("userPassword"));
            assertFalse(PostReadResponseControl.get(result).getEntry().hasAttribute("userPassword"));
        }
    }

    @Test
    @Requirement(rfc = 4511, section = "4.1.11", text = "Controls of other operations are ignored, or refused if critical")
    public void criticalControlsOfOtherOperationsAreRefused() {
        fails(ResultCode.UNAVAILABLE_CRITICAL_EXTENSION, () -> admin.add(device("d", new PreReadRequestControl(true))));
        fails(ResultCode.UNAVAILABLE_CRITICAL_EXTENSION, () ->
                admin.delete(new DeleteRequest(USER, new Control[] {new PostReadRequestControl(true)})));
        fails(ResultCode.UNAVAILABLE_CRITICAL_EXTENSION, () ->
                admin.modify(setTitle("a", new SubtreeDeleteRequestControl(true))));
        fails(ResultCode.UNAVAILABLE_CRITICAL_EXTENSION, () ->
                admin.delete(new DeleteRequest(USER, new Control[] {new PermissiveModifyRequestControl(true)})));
    }

    @Test
    @Proves("1.2.840.113556.1.4.1413")
    public void permissiveModifyPassesOverWhatIsSoAlready() throws LDAPException {
        Control permissive = new PermissiveModifyRequestControl(true);
        String[] values = {"A", "b"};
        admin.modify(modify(USER, ModificationType.ADD, "title", new String[] {"a"}));
        fails(ResultCode.ATTRIBUTE_OR_VALUE_EXISTS, () -> admin.modify(modify(USER, ModificationType.ADD, "title", values)));
        admin.modify(modify(USER, ModificationType.ADD, "title", values, permissive));
        assertArrayEquals(new String[] {"a", "b"}, admin.getEntry(USER).getAttributeValues("title"));
        admin.modify(modify(USER, ModificationType.DELETE, "title", new String[] {"b", "c"}, permissive));
        assertArrayEquals(new String[] {"a"}, admin.getEntry(USER).getAttributeValues("title"));
        admin.modify(modify(USER, ModificationType.DELETE, "title", NO_VALUES, permissive));
        admin.modify(modify(USER, ModificationType.DELETE, "title", NO_VALUES, permissive));
        assertNull(title());
        fails(ResultCode.NOT_ALLOWED_ON_RDN, () ->
                admin.modify(modify(USER, ModificationType.DELETE, "uid", new String[] {"user.1"}, permissive)));
        fails(ResultCode.OBJECT_CLASS_VIOLATION, () ->
                admin.modify(modify(USER, ModificationType.DELETE, "sn", NO_VALUES, permissive)));
    }

    @Test
    @Proves("1.2.840.113556.1.4.805")
    public void deletesTrees() throws LDAPException {
        deletesTree(server, admin);
    }

    @Test
    public void deletesTreesFromTheDisk() throws LDAPException {
        UnaryOperator<ServerSettings> same = settings -> settings;
        int[] stores = {0};
        try (TestServer onDisk = new TestServer(same, indexer -> stores[0]++ == 0
                ? JdbmStore.open(folder.getRoot().toPath().resolve("data"), StoreSettings.defaults(), indexer)
                : new MemoryStore(indexer), true);
             LDAPConnection connection = onDisk.admin()) {
            deletesTree(onDisk, connection);
        }
    }

    private static void deletesTree(TestServer server, LDAPConnection admin) throws LDAPException {
        server.add("cn=below," + USER, "objectClass: device", "cn: below");
        server.add("cn=deepest,cn=below," + USER, "objectClass: device", "cn: deepest");
        fails(ResultCode.NOT_ALLOWED_ON_NONLEAF, () -> admin.delete(USERS));
        LDAPResult result = admin.delete(new DeleteRequest(USERS,
                new Control[] {new SubtreeDeleteRequestControl(true), new PreReadRequestControl(true, "numSubordinates")}));
        assertEquals(Integer.toString(TestServer.USERS),
                PreReadResponseControl.get(result).getEntry().getAttributeValue("numSubordinates"));
        assertEquals(1, admin.search(TestServer.SUFFIX, SearchScope.SUB, "(objectClass=*)").getEntryCount());
        assertEquals(0, admin.search(TestServer.SUFFIX, SearchScope.SUB, "(uid=*)").getEntryCount());
        assertEquals("FALSE", admin.getEntry(TestServer.SUFFIX, "hasSubordinates").getAttributeValue("hasSubordinates"));
        server.add(USERS, "objectClass: organizationalUnit", "ou: users");
        assertEquals("0", admin.getEntry(USERS, "numSubordinates").getAttributeValue("numSubordinates"));
        admin.delete(new DeleteRequest(USERS, new Control[] {new SubtreeDeleteRequestControl(true)}));
        assertNull(admin.getEntry(USERS));
    }

    @Test
    public void doesNotDeleteTreesThatAreTooLargeOrNotTheClients() throws LDAPException {
        Control[] subtree = {new SubtreeDeleteRequestControl(true)};
        try (LDAPConnection user = server.user(1)) {
            fails(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, () -> user.delete(new DeleteRequest(USER, subtree)));
        }
        server.addDevices(10_000);
        fails(ResultCode.ADMIN_LIMIT_EXCEEDED, () -> admin.delete(new DeleteRequest(USERS, subtree)));
        assertNotNull(admin.getEntry(USER));
    }

    @Test
    @Proves(NO_OPERATION_OF_OPENLDAP)
    public void triesWithoutDoingUnderTheOtherOid() throws LDAPException, LDIFException {
        tried(admin.modify(setTitle("a", new Control(NO_OPERATION_OF_OPENLDAP, true))));
        assertNull(title());
    }

    @Test
    @Proves(NO_OPERATION)
    public void triesWithoutDoing() throws LDAPException, LDIFException {
        Control noOperation = new Control(NO_OPERATION, true);
        tried(admin.modify(setTitle("a", noOperation)));
        tried(admin.add(device("d", noOperation)));
        tried(admin.delete(new DeleteRequest(USER, new Control[] {noOperation})));
        tried(admin.delete(
                new DeleteRequest(USERS, new Control[] {noOperation, new SubtreeDeleteRequestControl(true)})));
        tried(admin.modifyDN(new ModifyDNRequest(USER, "uid=other", true, null, new Control[] {noOperation})));
        fails(ResultCode.NOT_ALLOWED_ON_NONLEAF, () -> admin.delete(new DeleteRequest(USERS, new Control[] {noOperation})));
        fails(ResultCode.ASSERTION_FAILED, () -> admin.modify(setTitle("a", noOperation, asserting("(title=x)"))));
        assertNull(title());
        assertNull(admin.getEntry("cn=d," + USERS));
        assertNull(admin.getEntry("uid=other," + USERS));
    }

    /** OpenLDAP's tools send the control with whatever they do. */
    @Test
    public void relaxedRulesAreAlsoForChangesAndDeletes() throws LDAPException, LDIFException {
        String dn = "cn=relaxed," + USERS;
        admin.add("dn: " + dn, "objectClass: device", "cn: relaxed");
        Control relax = new Control(RELAX_RULES, true);
        List<Modification> times = List.of(new Modification(ModificationType.REPLACE, "createTimestamp", "20200101000000Z"),
                new Modification(ModificationType.REPLACE, "modifiersName", USER),
                new Modification(ModificationType.REPLACE, "description", "x"));
        fails(ResultCode.CONSTRAINT_VIOLATION, () -> admin.modify(new ModifyRequest(dn, times)));
        try (LDAPConnection user = server.user(1)) {
            fails(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, () -> user.modify(new ModifyRequest(USER,
                    List.of(new Modification(ModificationType.REPLACE, "description", "x")), new Control[] {relax})));
        }
        admin.modify(new ModifyRequest(dn, times, new Control[] {relax}));
        Entry changed = admin.getEntry(dn, "*", "+");
        assertEquals("20200101000000Z", changed.getAttributeValue("createTimestamp"));
        assertEquals(USER, changed.getAttributeValue("modifiersName"));
        assertEquals("x", changed.getAttributeValue("description"));
        for (String kept : List.of("entryUUID: 01020304-0506-0708-090a-0b0c0d0e0f10", "structuralObjectClass: person",
                "entryDN: cn=x")) {
            String[] parts = kept.split(": ");
            fails(ResultCode.CONSTRAINT_VIOLATION, () -> admin.modify(new ModifyRequest(dn,
                    List.of(new Modification(ModificationType.REPLACE, parts[0], parts[1])), new Control[] {relax})));
        }
        admin.delete(new DeleteRequest(dn, new Control[] {relax}));
        assertNull(admin.getEntry(dn));
    }

    @Test
    @Proves(RELAX_RULES)
    public void restoresEntriesAsTheyWere() throws LDAPException, LDIFException {
        String uuid = "01020304-0506-0708-090a-0b0c0d0e0f10";
        AddRequest request = new AddRequest("dn: cn=d," + USERS, "objectClass: device", "cn: d", "entryUUID: " + uuid,
                "createTimestamp: 20200101000000Z", "creatorsName: " + USER);
        fails(ResultCode.CONSTRAINT_VIOLATION, () -> admin.add(request));
        request.setControls(new Control(RELAX_RULES, true));
        try (LDAPConnection user = server.user(1)) {
            fails(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, () -> user.add(request));
        }
        admin.add(request);
        assertEquals(uuid, admin.getEntry("cn=d," + USERS, "entryUUID").getAttributeValue("entryUUID"));
        assertEquals("20200101000000Z", admin.getEntry("cn=d," + USERS, "+").getAttributeValue("createTimestamp"));
        AddRequest twin = new AddRequest("dn: cn=twin," + USERS, "objectClass: device", "cn: twin", "entryUUID: "
                + uuid.toUpperCase(Locale.ROOT));
        twin.setControls(new Control(RELAX_RULES, true));
        assertTrue(fails(ResultCode.CONSTRAINT_VIOLATION, () -> admin.add(twin)).getMessage().contains("entryUUID"));
        fails(ResultCode.OBJECT_CLASS_VIOLATION, () -> {
            AddRequest wrong = new AddRequest("dn: cn=e," + USERS, "objectClass: device", "cn: e", "sn: not of a device");
            wrong.setControls(new Control(RELAX_RULES, true));
            admin.add(wrong);
        });
    }
}
