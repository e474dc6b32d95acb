package org.alder.server;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.protocol.AbandonRequestProtocolOp;
import com.unboundid.ldap.protocol.ExtendedRequestProtocolOp;
import com.unboundid.ldap.protocol.LDAPMessage;
import com.unboundid.ldap.protocol.SearchRequestProtocolOp;
import com.unboundid.ldap.sdk.DereferencePolicy;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.controls.MatchedValuesFilter;
import com.unboundid.ldap.sdk.controls.MatchedValuesRequestControl;
import com.unboundid.ldap.sdk.controls.ProxiedAuthorizationV2RequestControl;
import java.util.List;
import java.util.Set;
import org.alder.partition.testing.Await;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/**
 * What takes longer than a look-up is done by worker threads: an I/O thread that did it would hold up all connections that it
 * serves.
 */
public class ReadingThreadsTest {
    private static final String USERS = "ou=users," + TestServer.SUFFIX;
    private static final String STATIC = "cn=static," + TestServer.SUFFIX;
    private static final String DYNAMIC = "cn=dynamic," + TestServer.SUFFIX;

    private TestServer server;
    private LDAPConnection admin;

    @Before
    public void start() throws LDAPException {
        server = new TestServer();
        server.add(STATIC, "objectClass: groupOfNames", "cn: static", "member: " + TestServer.userDn(1));
        server.add(DYNAMIC, "objectClass: groupOfURLs", "cn: dynamic", "memberURL: ldap:///" + USERS + "??sub?(uid=user.2)");
        admin = server.admin();
    }

    @After
    public void stop() {
        admin.close();
        server.close();
    }

    private interface Request {
        void send() throws LDAPException;
    }

    /** Whether only workers read the entry for the request, and some of them did. */
    private void isReadByWorkers(String dn, Request request) throws LDAPException {
        server.noteReaders();
        request.send();
        Set<String> readers = server.readersOf(dn);
        assertFalse("nobody reads " + dn, readers.isEmpty());
        assertTrue(dn + " is read by " + readers, readers.stream().allMatch(name -> name.startsWith("alder-worker")));
    }

    @Test
    public void membersOfADynamicGroupAreFoundByAWorker() throws LDAPException {
        isReadByWorkers(TestServer.userDn(2), () -> assertEquals(TestServer.userDn(2),
                admin.getEntry(DYNAMIC).getAttributeValue("member")));
    }

    @Test
    public void membershipIsFoundByAWorkerHoweverItIsSpelt() throws LDAPException {
        for (String filter : new String[] {"(memberOf=%s)", "(MEMBEROF=%s)", "(1.2.840.113556.1.2.102=%s)",
                "(member:1.2.840.113556.1.4.1941:=%s)"}) {
            Filter found = Filter.create(String.format(java.util.Locale.ROOT, filter, STATIC));
            isReadByWorkers(STATIC, () -> admin.search(USERS, SearchScope.SUB, found, "1.1"));
            isReadByWorkers(STATIC, () -> admin.search(TestServer.userDn(1), SearchScope.BASE, found, "1.1"));
        }
    }

    @Test
    public void membershipIsReturnedByAWorkerHoweverItIsSpelt() throws LDAPException {
        for (String name : new String[] {"memberOf", "1.2.840.113556.1.2.102", "+"}) {
            isReadByWorkers(STATIC, () -> assertEquals(1, admin.search(TestServer.userDn(1), SearchScope.BASE,
                    "(objectClass=*)", name).getSearchEntries().get(0).getAttributes().stream()
                    .filter(attribute -> attribute.hasValue(STATIC)).count()));
        }
    }

    @Test
    public void comparesAndProxiedUsersAreReadByAWorker() throws LDAPException {
        isReadByWorkers(TestServer.userDn(3), () -> assertTrue(admin.compare(TestServer.userDn(3), "sn", "Number3")
                .compareMatched()));
        SearchRequest proxied = new SearchRequest(USERS, SearchScope.BASE, "(objectClass=*)", "1.1");
        proxied.setControls(new ProxiedAuthorizationV2RequestControl("u:user.4"));
        isReadByWorkers(TestServer.userDn(4), () -> assertEquals(1, admin.search(proxied).getEntryCount()));
    }

    /** What a request does not show: how many aliases are in its scope. */
    @Test
    public void manyAliasesAreFollowedByAWorker() throws LDAPException {
        String top = "ou=aliases," + TestServer.SUFFIX;
        server.add(top, "objectClass: organizationalUnit", "ou: aliases");
        for (int i = 0; i < 5000; i++) {
            server.add("cn=alias." + i + "," + top, "objectClass: alias", "objectClass: extensibleObject", "cn: alias." + i,
                    "aliasedObjectName: " + TestServer.userDn(i % 5 + 1));
        }
        SearchRequest request = new SearchRequest(top, SearchScope.SUB, "(uid=user.2)", "1.1");
        request.setDerefPolicy(DereferencePolicy.ALWAYS);
        isReadByWorkers(TestServer.userDn(2), () -> assertEquals(1, admin.search(request).getEntryCount()));
    }

    @Test
    public void matchedValuesAreFoundByAWorker() throws LDAPException {
        SearchRequest request = new SearchRequest(TestServer.userDn(5), SearchScope.BASE, "(objectClass=*)", "sn");
        request.addControl(new MatchedValuesRequestControl(MatchedValuesFilter.createPresentFilter("sn")));
        isReadByWorkers(TestServer.userDn(5), () -> assertEquals(1, admin.search(request).getEntryCount()));
    }

    /** A thousand look-ups that were sent at once were all done before anybody else's that came to the same thread. */
    @Test
    public void lookUpsThatCameTogetherAreDoneByWorkersWhenThoseBeforeHaveTakenLong() throws Exception {
        byte[][] requests = new byte[20][];
        for (int i = 0; i < requests.length; i++) {
            requests[i] = RawClient.bytes(i + 1, new SearchRequestProtocolOp(TestServer.userDn(7), SearchScope.BASE, DereferencePolicy.NEVER,
                    0, 0, false, Filter.createPresenceFilter("objectClass"), List.of("1.1")));
        }
        try (RawClient client = new RawClient(server.port())) {
            client.bindAsAdmin();
            server.noteReaders();
            server.readSlowly(2);
            client.send(requests);
            for (int done = 0; done < requests.length;) {
                done += client.read().getProtocolOpType() == LDAPMessage.PROTOCOL_OP_TYPE_SEARCH_RESULT_DONE ? 1 : 0;
            }
        }
        Set<String> readers = server.readersOf(TestServer.userDn(7));
        assertTrue("read by " + readers, readers.stream().anyMatch(name -> name.startsWith("alder-worker")));
    }

    /** They were planned first, each, and then it was seen that nobody waited for them. */
    @Test
    public void searchesThatWereAbandonedBeforeTheirTurnAreNotBegun() throws Exception {
        int count = 50;
        try (TestServer slow = new TestServer(settings -> settings.with(draft -> draft.workerThreads = 1));
                RawClient client = new RawClient(slow.port())) {
            client.bindAsAdmin();
            slow.readSlowly(20);
            int before = slow.openedSnapshots();
            // Keeps the thread for a step of 32 entries.
            client.send(unindexed(1));
            byte[][] givenUp = new byte[2 * count][];
            for (int i = 0; i < count; i++) {
                givenUp[2 * i] = unindexed(2 + i);
                givenUp[2 * i + 1] = RawClient.bytes(2 + count + i, new AbandonRequestProtocolOp(2 + i));
            }
            client.send(givenUp);
            client.send(RawClient.bytes(1000, new ExtendedRequestProtocolOp("1.3.6.1.4.1.4203.1.11.3", null)));
            for (int answers = 0; answers < 2;) {
                answers += client.read().getProtocolOpType() == LDAPMessage.PROTOCOL_OP_TYPE_SEARCH_RESULT_ENTRY ? 0 : 1;
            }
            Await.until("all searches have ended", () -> slow.openSnapshots() == 0);
            assertTrue("snapshots: " + (slow.openedSnapshots() - before), slow.openedSnapshots() - before < count / 2);
        }
    }

    private static byte[] unindexed(int id) throws LDAPException {
        return RawClient.bytes(id, new SearchRequestProtocolOp(USERS, SearchScope.SUB, DereferencePolicy.NEVER, 0, 0, false,
                Filter.create("(description=*nowhere*)"), List.of("1.1")));
    }
}
