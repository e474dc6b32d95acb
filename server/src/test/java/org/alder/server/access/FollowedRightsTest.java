package org.alder.server.access;

import static org.alder.server.access.HiddenEntriesTest.rules;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.asn1.ASN1OctetString;
import com.unboundid.ldap.sdk.AsyncRequestID;
import com.unboundid.ldap.sdk.AsyncSearchResultListener;
import com.unboundid.ldap.sdk.IntermediateResponse;
import com.unboundid.ldap.sdk.IntermediateResponseListener;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPConnectionOptions;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.LDAPSearchException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchResult;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.SearchResultReference;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.controls.ContentSyncDoneControl;
import com.unboundid.ldap.sdk.controls.ContentSyncRequestControl;
import com.unboundid.ldap.sdk.controls.ContentSyncRequestMode;
import com.unboundid.ldap.sdk.controls.PersistentSearchChangeType;
import com.unboundid.ldap.sdk.controls.PersistentSearchRequestControl;
import com.unboundid.ldap.sdk.extensions.WhoAmIExtendedRequest;
import java.util.EnumSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.alder.partition.testing.Await;
import org.alder.server.FollowingListener;
import org.alder.server.SyncedCopy;
import org.alder.server.TestServer;
import org.junit.Test;

/** Copies of what a search finds, and searches that go on, when whoever has them gets other rights. */
public class FollowedRightsTest {
    private static final int REFRESH_REQUIRED = 4096;
    private static final int LARGE_ENTRIES = 100;
    private static final int LARGE_BYTES = 200_000;
    private static final int RECEIVE_BUFFER_BYTES = 256 << 10;
    private static final String GROUP = "cn=clerks," + TestServer.SUFFIX;

    private static SearchResult synchronize(LDAPConnection connection, ASN1OctetString cookie) throws LDAPException {
        SearchRequest request = new SearchRequest(TestServer.SUFFIX, SearchScope.SUB, "(objectClass=person)", "sn");
        request.addControl(new ContentSyncRequestControl(ContentSyncRequestMode.REFRESH_ONLY, cookie, false));
        return connection.search(request);
    }

    @Test
    public void aCopyIsMadeAnewWhenItsReaderHasOtherRights() throws LDAPException {
        try (TestServer server = clerks()) {
            server.add(GROUP, "objectClass: groupOfNames", "cn: clerks", "member: " + TestServer.userDn(1), "member: " + TestServer.userDn(2));
            try (LDAPConnection user = server.user(2); LDAPConnection admin = server.admin()) {
                SearchResult all = synchronize(user, null);
                assertEquals(TestServer.USERS, all.getEntryCount());
                ASN1OctetString cookie = ContentSyncDoneControl.get(all).getCookie();
                assertEquals("nothing new", 0, synchronize(user, cookie).getEntryCount());
                admin.modify(GROUP, new Modification(ModificationType.DELETE, "member", TestServer.userDn(2)));
                LDAPSearchException refused = assertThrows(LDAPSearchException.class, () -> synchronize(user, cookie));
                assertEquals(REFRESH_REQUIRED, refused.getResultCode().intValue());
                SearchResult own = synchronize(user, null);
                assertEquals(1, own.getEntryCount());
                assertNotEquals(cookie, ContentSyncDoneControl.get(own).getCookie());
            }
        }
    }

    private static FollowingListener persist(LDAPConnection connection) throws LDAPException {
        FollowingListener told = new FollowingListener();
        SearchRequest request = new SearchRequest(told, TestServer.SUFFIX, SearchScope.SUB, "(objectClass=person)", "sn");
        request.setControls(new PersistentSearchRequestControl(EnumSet.allOf(PersistentSearchChangeType.class), true, true));
        connection.asyncSearch(request);
        connection.processExtendedOperation(new WhoAmIExtendedRequest());
        return told;
    }

    /** Both ways of following end by the change, and nothing that is changed after it is told. */
    private static void endsBoth(TestServer server, Modification change, String of) throws Exception {
        Modification later = new Modification(ModificationType.REPLACE, "sn", "changed after the rights");
        try (LDAPConnection user = server.user(2); LDAPConnection admin = server.admin();
                SyncedCopy copy = new SyncedCopy(server.user(2), TestServer.SUFFIX, "(objectClass=person)")) {
            copy.follow();
            assertNull(copy.awaitRefreshedOrEnd());
            assertEquals(TestServer.USERS, copy.content().size());
            FollowingListener told = persist(user);
            admin.modify(TestServer.userDn(1), new Modification(ModificationType.REPLACE, "sn", "changed before"));
            assertNull(copy.awaitEntryOrEnd(TestServer.userDn(1), entry -> { }));
            assertEquals(TestServer.userDn(1), told.next(SearchResultEntry.class).getDN());
            admin.modify(of, change);
            admin.modify(TestServer.userDn(1), later);
            SearchResult end = copy.awaitEntryOrEnd(TestServer.userDn(1), entry -> { });
            assertEquals(String.valueOf(end), REFRESH_REQUIRED, end.getResultCode().intValue());
            assertEquals(REFRESH_REQUIRED, told.next(SearchResult.class).getResultCode().intValue());
            copy.follow();
            assertEquals("its cookie is of what he saw before", REFRESH_REQUIRED, copy.awaitRefreshedOrEnd().getResultCode().intValue());
            assertNotNull("the connection lives", user.getEntry(TestServer.SUFFIX));
        }
    }

    @Test
    public void whoFollowsIsToldToAskAgainWhenAGroupLosesHim() throws Exception {
        try (TestServer server = clerks()) {
            server.add(GROUP, "objectClass: groupOfNames", "cn: clerks", "member: " + TestServer.userDn(1), "member: cn=nested," + TestServer.SUFFIX);
            server.add("cn=nested," + TestServer.SUFFIX, "objectClass: groupOfNames", "cn: nested", "member: " + TestServer.userDn(2));
            endsBoth(server, new Modification(ModificationType.REPLACE, "member", TestServer.userDn(3)), "cn=nested," + TestServer.SUFFIX);
        }
    }

    @Test
    public void whoFollowsIsToldToAskAgainWhenADynamicGroupLosesHim() throws Exception {
        try (TestServer server = clerks()) {
            server.add(GROUP, "objectClass: groupOfURLs", "cn: clerks", "memberURL: ldap:///" + TestServer.SUFFIX.replace(",", "%2C")
                    + "??sub?(employeeNumber=2)");
            endsBoth(server, new Modification(ModificationType.REPLACE, "employeeNumber", "200"), TestServer.userDn(2));
        }
    }

    @Test
    public void whoFollowsIsToldToAskAgainWhenTheRulesOfAnEntryChange() throws Exception {
        try (TestServer server = new TestServer(settings -> settings
                .with(draft -> draft.accessRules = rules("grant view in base \"" + TestServer.SUFFIX
                + "\" to users", "grant authenticate to anyone")))) {
            String users = "ou=users," + TestServer.SUFFIX;
            try (LDAPConnection admin = server.admin()) {
                admin.modify(users, new Modification(ModificationType.ADD, "accessRule", "grant view to users"));
            }
            endsBoth(server, new Modification(ModificationType.DELETE, "accessRule"), users);
        }
    }

    /** Does not read on before it is let. */
    private static final class Slow implements AsyncSearchResultListener, IntermediateResponseListener {
        private static final long serialVersionUID = 1L;

        private final transient CountDownLatch begun = new CountDownLatch(1);
        private final transient CountDownLatch goOn = new CountDownLatch(1);
        private final transient BlockingQueue<Object> ends = new LinkedBlockingQueue<>();

        @Override
        public void searchEntryReturned(SearchResultEntry entry) {
            begun.countDown();
            try {
                Await.latch("leave to read on", goOn);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void searchReferenceReturned(SearchResultReference reference) {
            // There are none.
        }

        @Override
        public void searchResultReceived(AsyncRequestID requestId, SearchResult result) {
            ends.add(result);
        }

        @Override
        public void intermediateResponseReturned(IntermediateResponse response) {
            ends.add(response);
        }
    }

    /** More than waits on the way to a client, so that the refresh is not over when the rights are lost. */
    @Test
    public void whoLosesRightsDuringTheRefreshIsToldToAskAgain() throws Exception {
        try (TestServer server = clerks()) {
            server.add(GROUP, "objectClass: groupOfNames", "cn: clerks", "member: " + TestServer.userDn(1), "member: " + TestServer.userDn(2));
            for (int i = 0; i < LARGE_ENTRIES; i++) {
                server.add("cn=large " + i + ",ou=users," + TestServer.SUFFIX, "objectClass: device", "cn: large " + i,
                        "description: " + "x".repeat(LARGE_BYTES));
            }
            LDAPConnectionOptions options = new LDAPConnectionOptions();
            options.setReceiveBufferSize(RECEIVE_BUFFER_BYTES);
            options.setResponseTimeoutMillis(Await.MILLIS);
            Slow told = new Slow();
            try (LDAPConnection user = new LDAPConnection(options, "127.0.0.1", server.port()); LDAPConnection admin = server.admin()) {
                user.bind(TestServer.userDn(2), TestServer.USER_PASSWORD);
                SearchRequest request = new SearchRequest(told, TestServer.SUFFIX, SearchScope.SUB, "(objectClass=*)", "*");
                request.setControls(new ContentSyncRequestControl(ContentSyncRequestMode.REFRESH_AND_PERSIST));
                request.setIntermediateResponseListener(told);
                user.asyncSearch(request);
                Await.latch("the first entry", told.begun);
                admin.modify(GROUP, new Modification(ModificationType.DELETE, "member", TestServer.userDn(2)));
                told.goOn.countDown();
                Object end = Await.next("the end of the refresh", told.ends);
                assertTrue(String.valueOf(end), end instanceof SearchResult);
                assertEquals(REFRESH_REQUIRED, ((SearchResult) end).getResultCode().intValue());
            } finally {
                told.goOn.countDown();
            }
        }
    }

    /** A server whose users are seen by a group, and each by himself. */
    private static TestServer clerks() {
        return new TestServer(settings -> settings.with(draft -> draft.accessRules = rules(
                "grant view in \"ou=users," + TestServer.SUFFIX + "\" to group \"" + GROUP + "\"",
                "grant view in base \"" + TestServer.SUFFIX + "\" to users", "grant view to self", "grant authenticate to anyone")));
    }
}
