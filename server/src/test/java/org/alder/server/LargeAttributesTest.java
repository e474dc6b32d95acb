package org.alder.server;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.protocol.AbandonRequestProtocolOp;
import com.unboundid.ldap.protocol.IntermediateResponseProtocolOp;
import com.unboundid.ldap.protocol.LDAPMessage;
import com.unboundid.ldap.protocol.SearchRequestProtocolOp;
import com.unboundid.ldap.protocol.SearchResultEntryProtocolOp;
import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.DereferencePolicy;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ModifyRequest;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchResult;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.controls.ContentSyncRequestControl;
import com.unboundid.ldap.sdk.controls.ContentSyncRequestMode;
import com.unboundid.ldap.sdk.controls.MatchedValuesFilter;
import com.unboundid.ldap.sdk.controls.MatchedValuesRequestControl;
import com.unboundid.ldap.sdk.controls.PersistentSearchChangeType;
import com.unboundid.ldap.sdk.controls.PersistentSearchRequestControl;
import com.unboundid.ldap.sdk.controls.PostReadRequestControl;
import com.unboundid.ldap.sdk.controls.PostReadResponseControl;
import com.unboundid.ldap.sdk.controls.PreReadRequestControl;
import com.unboundid.ldap.sdk.controls.PreReadResponseControl;
import com.unboundid.ldap.sdk.controls.ServerSideSortRequestControl;
import com.unboundid.ldap.sdk.controls.ServerSideSortResponseControl;
import com.unboundid.ldap.sdk.controls.SortKey;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.jdbm.store.JdbmStore;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.Store;
import org.alder.partition.testing.Await;
import org.alder.server.wire.WireSettings;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** A group that is larger than its record may be looks to clients like any other. */
public class LargeAttributesTest {
    private static final String GROUP = "cn=staff," + TestServer.SUFFIX;
    private static final int MEMBERS = 3000;
    /** Enough for several times the members, and not for eight times. */
    private static final long TRANSACTION_BYTES = 8_000_000;

    @Rule
    public TemporaryFolder folder = new TemporaryFolder();
    private int opened;
    private TestServer server;
    private LDAPConnection admin;

    @Before
    public void start() throws LDAPException {
        server = new TestServer(settings -> settings, this::open, true);
        admin = server.admin();
        admin.add(GROUP, new Attribute("objectClass", "groupOfNames"), new Attribute("cn", "staff"),
                new Attribute("member", members(0, MEMBERS)));
    }

    private Store open(EntryIndexer indexer) {
        return JdbmStore.open(folder.getRoot().toPath().resolve("store" + opened++),
                StoreSettings.defaults().withTransactionBytes(TRANSACTION_BYTES), indexer);
    }

    @After
    public void stop() {
        admin.close();
        server.close();
    }

    private static String member(int number) {
        return "uid=user." + number + ",ou=users,dc=Example,dc=com";
    }

    private static String[] members(int from, int to) {
        return IntStream.range(from, to).mapToObj(LargeAttributesTest::member).toArray(String[]::new);
    }

    private void modify(ModificationType type, String attribute, String... values) throws LDAPException {
        admin.modify(GROUP, new Modification(type, attribute, values));
    }

    private ResultCode codeOf(ModificationType type, String attribute, String... values) {
        try {
            modify(type, attribute, values);
            return ResultCode.SUCCESS;
        } catch (LDAPException e) {
            return e.getResultCode();
        }
    }

    private boolean matches(String filter) throws LDAPException {
        return admin.search(GROUP, SearchScope.BASE, filter, "1.1").getEntryCount() == 1
                && admin.search(TestServer.SUFFIX, SearchScope.SUB, "(&(cn=staff)" + filter + ")", "1.1").getEntryCount() == 1;
    }

    private void assertMembers(String... expected) throws LDAPException {
        SearchResultEntry entry = admin.getEntry(GROUP);
        assertEquals(Set.of(expected), Set.of(entry.getAttributeValues("member")));
        assertEquals("staff", entry.getAttributeValue("cn"));
        assertEquals("groupOfNames", entry.getAttributeValue("objectClass"));
    }

    @Test
    public void allComeBackAsTheyAreSpelt() throws LDAPException {
        assertMembers(members(0, MEMBERS));
        assertEquals(MEMBERS, admin.getEntry(GROUP, "*", "+").getAttributeValues("member").length);
        assertEquals(MEMBERS, admin.getEntry(GROUP, "2.5.4.31").getAttributeValues("member").length);
        assertNull(admin.getEntry(GROUP, "cn").getAttribute("member"));
        SearchRequest typesOnly = new SearchRequest(GROUP, SearchScope.BASE, Filter.createPresenceFilter("cn"));
        typesOnly.setTypesOnly(true);
        Attribute types = admin.search(typesOnly).getSearchEntries().get(0).getAttribute("member");
        assertEquals(0, types.getValues().length);
    }

    /** 32 KiB are sent at once: one of these last values reaches beyond them, so that nothing is left behind it. */
    @Test
    public void theLastValueMayEndWithAPart() throws LDAPException {
        for (int count = 75; count < 85; count++) {
            String[] values = IntStream.range(0, count).mapToObj(number -> (1000 + number) + "x".repeat(400)).toArray(String[]::new);
            modify(ModificationType.REPLACE, "description", values);
            assertEquals(Set.of(values), Set.of(admin.getEntry(GROUP, "description").getAttributeValues("description")));
        }
    }

    @Test
    public void oneValueIsAddedTestedAndRemoved() throws LDAPException {
        String asAsked = "UID=User.5000, ou=users, dc=example, dc=com";
        assertFalse(matches("(member=" + asAsked + ")"));
        assertFalse(admin.compare(GROUP, "member", asAsked).compareMatched());
        modify(ModificationType.ADD, "2.5.4.31", member(5000));
        assertTrue(matches("(member=" + asAsked + ")"));
        assertTrue(matches("(2.5.4.31=*)"));
        assertTrue(admin.compare(GROUP, "member", asAsked).compareMatched());
        assertEquals(ResultCode.ATTRIBUTE_OR_VALUE_EXISTS, codeOf(ModificationType.ADD, "member", asAsked));
        modify(ModificationType.DELETE, "member", asAsked);
        assertEquals(ResultCode.NO_SUCH_ATTRIBUTE, codeOf(ModificationType.DELETE, "member", asAsked));
        assertFalse(matches("(member=" + asAsked + ")"));
        assertMembers(members(0, MEMBERS));
    }

    @Test
    public void theSchemaHoldsForValuesOutsideToo() throws LDAPException {
        assertEquals(ResultCode.OBJECT_CLASS_VIOLATION, codeOf(ModificationType.DELETE, "member"));
        assertEquals(ResultCode.INVALID_ATTRIBUTE_SYNTAX, codeOf(ModificationType.ADD, "member", "no dn"));
        assertMembers(members(0, MEMBERS));
    }

    @Test
    public void emptiedAndReplaced() throws LDAPException {
        modify(ModificationType.REPLACE, "member", members(MEMBERS - 2, MEMBERS + 1));
        assertMembers(members(MEMBERS - 2, MEMBERS + 1));
        modify(ModificationType.REPLACE, "member", members(0, MEMBERS));
        assertMembers(members(0, MEMBERS));
        admin.modify(GROUP, new Modification(ModificationType.DELETE, "member"),
                new Modification(ModificationType.ADD, "member", members(0, 1)));
        assertMembers(members(0, 1));
        modify(ModificationType.ADD, "member", members(1, 100));
        admin.modifyDN(GROUP, "cn=crew", false);
        assertEquals(100, admin.getEntry("cn=crew," + TestServer.SUFFIX).getAttributeValues("member").length);
        admin.delete("cn=crew," + TestServer.SUFFIX);
        assertEquals(0, admin.search(TestServer.SUFFIX, SearchScope.SUB, "(member=" + member(5) + ")").getEntryCount());
    }

    @Test
    public void nestedGroupsAreWalked() throws LDAPException {
        admin.add("cn=all," + TestServer.SUFFIX, new Attribute("objectClass", "groupOfNames"), new Attribute("cn", "all"),
                new Attribute("member", GROUP));
        SearchResult found = admin.search(TestServer.SUFFIX, SearchScope.SUB,
                "(member:1.2.840.113556.1.4.1941:=" + member(7) + ")", "1.1");
        assertEquals(2, found.getEntryCount());
        assertTrue(matches("(member:distinguishedNameMatch:=" + member(7) + ")"));
        assertTrue(matches("(:distinguishedNameMatch:=" + member(7) + ")"));
        assertFalse(matches("(:distinguishedNameMatch:=" + member(MEMBERS) + ")"));
    }

    @Test
    public void anUpdateShowsTheValuesBeforeAndAfter() throws LDAPException {
        ModifyRequest request = new ModifyRequest(GROUP, new Modification(ModificationType.ADD, "member", member(MEMBERS)));
        request.addControl(new PreReadRequestControl(true, "member"));
        request.addControl(new PostReadRequestControl(true, "member"));
        com.unboundid.ldap.sdk.LDAPResult result = admin.modify(request);
        Set<String> after = Set.of(members(0, MEMBERS + 1));
        assertEquals(Set.of(members(0, MEMBERS)),
                Set.of(PreReadResponseControl.get(result).getEntry().getAttributeValues("member")));
        assertEquals(after, Set.of(PostReadResponseControl.get(result).getEntry().getAttributeValues("member")));
    }

    /** One request must not take all memory: the server says so and goes on. */
    @Test
    public void tooManyAtOnceAreRefused() throws LDAPException {
        int most = 8 * MEMBERS;
        for (int from = MEMBERS; from < most; from += MEMBERS) {
            modify(ModificationType.ADD, "member", members(from, from + MEMBERS));
        }
        assertEquals(ResultCode.ADMIN_LIMIT_EXCEEDED, codeOf(ModificationType.REPLACE, "member", member(0)));
        assertEquals(ResultCode.ADMIN_LIMIT_EXCEEDED,
                assertThrows(LDAPException.class, () -> admin.delete(GROUP)).getResultCode());
        assertMembers(members(0, most));
        assertShownOnlyInPart();
        modify(ModificationType.DELETE, "member", members(MEMBERS, 3 * MEMBERS));
        modify(ModificationType.DELETE, "member", members(3 * MEMBERS, 5 * MEMBERS));
        admin.delete(GROUP);
        assertNull(admin.getEntry(GROUP));
    }

    /** An update does not return as many values as a search does, and says so; other attributes of the entry it does. */
    private void assertShownOnlyInPart() throws LDAPException {
        ModifyRequest request = new ModifyRequest(GROUP, new Modification(ModificationType.DELETE, "member", member(1)));
        request.setControls(new PreReadRequestControl("member"));
        assertEquals(ResultCode.ADMIN_LIMIT_EXCEEDED,
                assertThrows(LDAPException.class, () -> admin.modify(request)).getResultCode());
        assertTrue("nothing is changed", matches("(member=" + member(1) + ")"));
        request.setControls(new PreReadRequestControl("cn", "entryUUID"), new PostReadRequestControl("cn"));
        com.unboundid.ldap.sdk.LDAPResult result = admin.modify(request);
        assertEquals("staff", PreReadResponseControl.get(result).getEntry().getAttributeValue("cn"));
        assertEquals(1, PostReadResponseControl.get(result).getEntry().getAttributes().size());
        assertFalse(matches("(member=" + member(1) + ")"));
    }

    /** A sorted search keeps its entries in memory, and sends those there is no room for as they come. */
    @Test
    public void entriesTooLargeToBeSortedComeUnsorted() throws LDAPException {
        int groups = 3;
        for (int group = 0; group < groups; group++) {
            String dn = "cn=b" + group + "," + TestServer.SUFFIX;
            admin.add(dn, new Attribute("objectClass", "groupOfNames"), new Attribute("cn", "b" + group),
                    new Attribute("description", "long"), new Attribute("member", GROUP));
            for (int from = 0; from < 6 * MEMBERS; from += MEMBERS) {
                String padding = ",ou=" + "x".repeat(300) + ",";
                admin.modify(dn, new Modification(ModificationType.ADD, "member", Arrays.stream(members(from, from + MEMBERS))
                        .map(member -> member.replaceFirst(",", padding)).toArray(String[]::new)));
            }
        }
        SearchRequest request = new SearchRequest(TestServer.SUFFIX, SearchScope.ONE, "(description=long)", "cn", "member");
        request.addControl(new ServerSideSortRequestControl(false, new SortKey("cn")));
        SearchResult found = admin.search(request);
        assertEquals(ResultCode.SUCCESS, found.getResultCode());
        assertEquals(groups, found.getEntryCount());
        found.getSearchEntries().forEach(entry -> assertEquals(6 * MEMBERS + 1, entry.getAttributeValues("member").length));
        assertEquals(ResultCode.ADMIN_LIMIT_EXCEEDED, ServerSideSortResponseControl.get(found).getResultCode());
        request.setControls(new ServerSideSortRequestControl(true, new SortKey("cn")));
        assertEquals(ResultCode.UNAVAILABLE_CRITICAL_EXTENSION,
                assertThrows(LDAPException.class, () -> admin.search(request)).getResultCode());
    }

    /** RFC 3876: of the values outside of the record, too, only those that match. */
    @Test
    public void matchingValuesOnly() throws LDAPException {
        String other = "cn=other," + TestServer.SUFFIX;
        modify(ModificationType.ADD, "description", IntStream.range(0, 40).mapToObj(i -> "Text " + i).toArray(String[]::new));
        modify(ModificationType.ADD, "member", other);
        SearchResultEntry entry = read(
                MatchedValuesFilter.createEqualityFilter("2.5.4.31", "UID=User.77,OU=users,DC=example,dc=com"),
                MatchedValuesFilter.createEqualityFilter("member", other),
                MatchedValuesFilter.createSubstringFilter("description", null, null, "t 7"));
        assertEquals(Set.of(member(77), other), Set.of(entry.getAttributeValues("member")));
        assertArrayEquals(new String[] {"Text 7"}, entry.getAttributeValues("description"));
        assertEquals("what has no value left is left out", 2, entry.getAttributes().size());
        entry = read(MatchedValuesFilter.createPresentFilter("member"));
        assertEquals(MEMBERS + 1, Set.of(entry.getAttributeValues("member")).size());
        entry = read(MatchedValuesFilter.createEqualityFilter("member", member(MEMBERS)));
        assertEquals(0, entry.getAttributes().size());
    }

    private SearchResultEntry read(MatchedValuesFilter... filters) throws LDAPException {
        SearchRequest request = new SearchRequest(GROUP, SearchScope.BASE, "(objectClass=*)");
        request.addControl(new MatchedValuesRequestControl(true, filters));
        return admin.searchForEntry(request);
    }

    /** While a large entry is sent no other message may come between its parts. */
    @Test
    public void concurrentSearchesOfOneConnectionDoNotMix() throws Exception {
        String[] expected = members(0, 50_000);
        for (int from = MEMBERS; from < expected.length; from += 10_000) {
            modify(ModificationType.ADD, "member", Arrays.copyOfRange(expected, from, Math.min(from + 10_000, expected.length)));
        }
        Set<String> sent = new HashSet<>(Arrays.asList(expected));
        Thread[] searchers = new Thread[4];
        int[] right = new int[searchers.length];
        for (int i = 0; i < searchers.length; i++) {
            int number = i;
            searchers[i] = new Thread(() -> right[number] = count(number, sent));
            searchers[i].start();
        }
        Await.end(searchers);
        assertArrayEquals(new int[] {10, 10, 500, 500}, right);
    }

    private int count(int number, Set<String> sent) {
        int right = 0;
        try {
            for (int i = 0; i < (number < 2 ? 10 : 500); i++) {
                if (number < 2) {
                    right += sent.equals(Set.of(admin.getEntry(GROUP).getAttributeValues("member"))) ? 1 : 0;
                } else {
                    right += admin.getEntry(TestServer.userDn(i % TestServer.USERS + 1)).hasAttribute("sn") ? 1 : 0;
                }
            }
        } catch (LDAPException e) {
            throw new AssertionError(e);
        }
        return right;
    }

    private static byte[] followGroup(int messageId, Control control) throws LDAPException {
        return RawClient.bytes(messageId, new SearchRequestProtocolOp(GROUP, SearchScope.BASE, DereferencePolicy.NEVER, 0, 0,
                false, Filter.create("(objectClass=*)"), List.of()), control);
    }

    private static void assertGroup(LDAPMessage message, int messageId, int members) {
        assertEquals(messageId, message.getMessageID());
        assertTrue("expected an entry, found " + message, message.getProtocolOp() instanceof SearchResultEntryProtocolOp);
        for (Attribute attribute : message.getSearchResultEntryProtocolOp().getAttributes()) {
            if (attribute.getName().equals("member")) {
                assertEquals(members, attribute.size());
                return;
            }
        }
        throw new AssertionError("no members");
    }

    /**
     * The next message but those that say how far a content synchronization is: one more comes behind the entry that was changed before
     * the changes were followed (a second phase, RFC 4533 3.4.1), which a slow machine lets happen.
     */
    private static LDAPMessage entry(RawClient client) throws Exception {
        LDAPMessage next = client.read();
        while (next.getProtocolOp() instanceof IntermediateResponseProtocolOp) {
            next = client.read();
        }
        return next;
    }

    /** What is queued from now on is of what happens from now on. */
    private void untilNothingIsQueued() throws Exception {
        Await.value("nothing to be queued", () -> server.server().service().mostQueuedBytes(), queued -> queued == 0);
    }

    private long untilMuchIsQueued() throws Exception {
        long lowWaterBytes = WireSettings.of("127.0.0.1", 0).lowWaterBytes();
        return Await.value("more queued bytes than " + lowWaterBytes, () -> server.server().service().mostQueuedBytes(),
                queued -> queued > lowWaterBytes);
    }

    /** Without back-pressure the server would have the whole entry in memory, for each client that follows it. */
    @Test
    public void followedSearchesSendLargeEntriesInBoundedMemory() throws Exception {
        int count = 60_000;
        for (int from = MEMBERS; from < count; from += 11_400) {
            modify(ModificationType.ADD, "member", members(from, from + 11_400));
        }
        long bound = WireSettings.of("127.0.0.1", 0).highWaterBytes() + 2L * (32 << 10);
        for (Control control : List.of(
                new PersistentSearchRequestControl(PersistentSearchChangeType.allChangeTypes(), false, true),
                new ContentSyncRequestControl(ContentSyncRequestMode.REFRESH_AND_PERSIST))) {
            try (RawClient client = new RawClient(server.port(), 4096)) {
                client.bindAsAdmin();
                client.send(followGroup(1, control));
                long most = untilMuchIsQueued();
                for (int i = 0; i < 200; i++) {
                    assertNotNull(admin.getEntry(TestServer.userDn(1), "1.1"));
                    most = Math.max(most, server.server().service().mostQueuedBytes());
                }
                assertGroup(entry(client), 1, count);
                assertTrue("queued " + most + " bytes, at most " + bound + " are allowed", most <= bound);
                modify(ModificationType.DELETE, "member", member(count - 1));
                assertGroup(entry(client), 1, count - 1);
                untilNothingIsQueued();
                modify(ModificationType.ADD, "member", member(count - 1));
                untilMuchIsQueued();
                client.send(RawClient.bytes(2, new AbandonRequestProtocolOp(1)), followGroup(3, control));
                assertGroup(entry(client), 1, count);
                LDAPMessage next = entry(client);
                assertGroup(next.getMessageID() == 1 ? entry(client) : next, 3, count);
            }
        }
    }
}
