package org.alder.server;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;

import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.DeleteRequest;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.controls.SubtreeDeleteRequestControl;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.jdbm.store.JdbmStore;
import org.alder.partition.rule.EntryRules;
import org.alder.partition.rule.ReferenceRule;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.Store;
import org.junit.After;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Values that name entries follow them, through the wire and on the store that is used. */
public class ReferenceIntegrityTest {
    private static final String USERS = "ou=users," + TestServer.SUFFIX;
    private static final String STAFF = "cn=staff," + TestServer.SUFFIX;

    @Rule
    public TemporaryFolder folder = new TemporaryFolder();
    private int opened;
    private TestServer server;
    private LDAPConnection admin;

    private void start(boolean mustExist) throws LDAPException {
        List<AttributeType> types = Stream.of("member", "uniqueMember", "manager").map(TestServer.SCHEMA::attributeType).toList();
        server = TestServer.withRules(rules -> references(rules, types, mustExist), this::open);
        admin = server.admin();
    }

    private static EntryRules references(EntryRules rules, List<AttributeType> types, boolean mustExist) {
        return rules.withReferences(new ReferenceRule(types, "cn=nobody", mustExist));
    }

    private Store open(EntryIndexer indexer) {
        return JdbmStore.open(folder.getRoot().toPath().resolve("store" + opened++), StoreSettings.defaults(), indexer);
    }

    @After
    public void stop() {
        admin.close();
        server.close();
    }

    private void addStaff(String... members) throws LDAPException {
        admin.add(STAFF, new Attribute("objectClass", "groupOfNames"), new Attribute("member", members));
    }

    private static String[] users(int from, int to) {
        return IntStream.rangeClosed(from, to).mapToObj(TestServer::userDn).toArray(String[]::new);
    }

    private Set<String> members(String dn) throws LDAPException {
        return Set.of(admin.getEntry(dn).getAttributeValues("member"));
    }

    @Test
    public void aDeletedEntryLeavesItsGroups() throws LDAPException {
        start(false);
        addStaff(users(1, 3));
        admin.add("cn=board," + TestServer.SUFFIX, new Attribute("objectClass", "groupOfUniqueNames"),
                new Attribute("uniqueMember", "UID=User.2, " + USERS, TestServer.userDn(1), TestServer.userDn(2) + "#'01'B"));
        admin.modify(TestServer.userDn(4), new Modification(ModificationType.ADD, "manager", TestServer.userDn(2)));
        admin.delete(TestServer.userDn(2));
        assertEquals(Set.of(TestServer.userDn(1), TestServer.userDn(3)), members(STAFF));
        assertEquals("a name with a unique identifier is not the entry's", Set.of(TestServer.userDn(1),
                TestServer.userDn(2) + "#'01'B"),
                Set.of(admin.getEntry("cn=board," + TestServer.SUFFIX).getAttributeValues("uniqueMember")));
        assertNull(admin.getEntry(TestServer.userDn(4)).getAttribute("manager"));
    }

    @Test
    public void theLastValueOfARequiredAttributeIsReplaced() throws LDAPException {
        start(false);
        addStaff(TestServer.userDn(1));
        admin.delete(TestServer.userDn(1));
        assertEquals(Set.of("cn=nobody"), members(STAFF));
    }

    @Test
    public void aRenamedEntryStaysInItsGroups() throws LDAPException {
        start(false);
        addStaff(users(1, 3));
        admin.modify(TestServer.userDn(1), new Modification(ModificationType.ADD, "manager", TestServer.userDn(1)));
        String modified = admin.getEntry(STAFF, "modifyTimestamp").getAttributeValue("modifyTimestamp");
        admin.modifyDN(TestServer.userDn(1), "uid=Ann", true);
        String ann = "uid=Ann," + USERS;
        assertEquals(Set.of(ann, TestServer.userDn(2), TestServer.userDn(3)), members(STAFF));
        assertEquals("its own value", ann, admin.getEntry(ann).getAttributeValue("manager"));
        assertEquals(STAFF, admin.getEntry(ann, "memberOf").getAttributeValue("memberOf"));
        assertEquals(TestServer.ADMIN, admin.getEntry(STAFF, "modifiersName").getAttributeValue("modifiersName"));
        assertEquals(true, modified.compareTo(admin.getEntry(STAFF,
                "modifyTimestamp").getAttributeValue("modifyTimestamp")) <= 0);
    }

    @Test
    public void aMovedSubtreeTakesItsNamesWithIt() throws LDAPException {
        start(false);
        addStaff(users(1, 50));
        String small = "cn=small," + USERS;
        admin.add(small, new Attribute("objectClass", "groupOfNames"), new Attribute("member", TestServer.userDn(7), STAFF, small,
                "uid=user.7,ou=users2," + TestServer.SUFFIX));
        admin.modifyDN(USERS, "ou=people", true);
        String people = "ou=people," + TestServer.SUFFIX;
        assertEquals(Set.of(IntStream.rangeClosed(1, 50).mapToObj(i -> "uid=user." + i + "," + people).toArray()),
                members(STAFF));
        assertEquals(Set.of("uid=user.7," + people, STAFF, "cn=small," + people, "uid=user.7,ou=users2," + TestServer.SUFFIX),
                members("cn=small," + people));
        assertEquals(2, admin.getEntry("uid=user.7," + people, "memberOf").getAttributeValues("memberOf").length);
    }

    @Test
    public void aDeletedSubtreeLeavesTheGroupsOutsideOfIt() throws LDAPException {
        start(false);
        addStaff(Stream.concat(Stream.of(users(1, 50)), Stream.of("cn=somebody,dc=elsewhere")).toArray(String[]::new));
        admin.add("cn=small," + USERS, new Attribute("objectClass", "groupOfNames"), new Attribute("member", STAFF));
        DeleteRequest request = new DeleteRequest(USERS);
        request.addControl(new SubtreeDeleteRequestControl());
        admin.delete(request);
        assertEquals(Set.of("cn=somebody,dc=elsewhere"), members(STAFF));
    }

    @Test
    public void namesOfMissingEntriesAreRefusedIfAskedFor() throws LDAPException {
        start(true);
        String gone = "uid=gone," + USERS;
        LDAPException refused = assertThrows(LDAPException.class, () -> addStaff(TestServer.userDn(1), gone));
        assertEquals(ResultCode.CONSTRAINT_VIOLATION, refused.getResultCode());
        assertEquals("attribute member: the value \"" + gone + "\" names no entry", refused.getDiagnosticMessage());
        addStaff(TestServer.userDn(1), STAFF, "cn=somebody,dc=elsewhere");
        refused = assertThrows(LDAPException.class,
                () -> admin.modify(STAFF, new Modification(ModificationType.ADD, "member", gone)));
        assertEquals(ResultCode.CONSTRAINT_VIOLATION, refused.getResultCode());
        admin.modify(STAFF, new Modification(ModificationType.ADD, "member", TestServer.userDn(2)));
        admin.delete(TestServer.userDn(1));
        assertEquals(Set.of(STAFF, TestServer.userDn(2), "cn=somebody,dc=elsewhere"), members(STAFF));
    }

    @Test
    public void anEntryThatTooManyNameStays() throws LDAPException {
        List<AttributeType> types = List.of(TestServer.SCHEMA.attributeType("manager"));
        server = TestServer.withRules(rules -> references(rules, types, false));
        admin = server.admin();
        for (int i = 0; i <= 10_000; i++) {
            server.add("cn=report" + i + "," + TestServer.SUFFIX, "objectClass: inetOrgPerson", "cn: x", "sn: x",
                    "manager: " + TestServer.userDn(1));
        }
        LDAPException refused = assertThrows(LDAPException.class, () -> admin.delete(TestServer.userDn(1)));
        assertEquals(ResultCode.ADMIN_LIMIT_EXCEEDED, refused.getResultCode());
        assertThrows(LDAPException.class, () -> admin.modifyDN(TestServer.userDn(1), "uid=other", true));
        assertEquals(TestServer.userDn(1), admin.getEntry("cn=report0," + TestServer.SUFFIX).getAttributeValue("manager"));
        admin.delete("cn=report0," + TestServer.SUFFIX);
        admin.delete(TestServer.userDn(1));
        assertNull(admin.getEntry("cn=report1," + TestServer.SUFFIX).getAttribute("manager"));
    }
}
