package org.alder.server;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.asn1.ASN1OctetString;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.LDAPSearchException;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchResult;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.controls.SimplePagedResultsControl;
import java.util.List;
import org.alder.partition.testing.Await;
import org.alder.server.directory.guard.Limits;
import org.alder.server.wire.ConnectionLimits;
import org.alder.server.wire.WireSettings;
import org.junit.Test;

/** The server's own limits, and what it does about its own faults. */
public class LimitsTest {
    private static final String USERS = "ou=users," + TestServer.SUFFIX;

    private static LDAPSearchException cut(ResultCode code, int entries, String text, LDAPConnection connection, String filter) {
        LDAPSearchException failure = assertThrows(LDAPSearchException.class, () ->
                connection.search(USERS, SearchScope.SUB, filter, "1.1"));
        assertEquals(failure.getMessage(), code, failure.getResultCode());
        assertEquals("what was found is returned", entries, failure.getEntryCount());
        assertTrue(failure.getDiagnosticMessage(), failure.getDiagnosticMessage().contains(text));
        return failure;
    }

    @Test
    public void theServersSizeLimitHoldsForOnePageAndNotForTheAdministrator() throws LDAPException {
        try (TestServer server = new TestServer(settings -> settings.with(draft -> draft.limits = new Limits(20, 0, 0)));
                LDAPConnection user = server.user(1); LDAPConnection admin = server.admin()) {
            cut(ResultCode.SIZE_LIMIT_EXCEEDED, 20, "server's size limit of 20 entries (sizeLimit)", user, "(objectClass=person)");
            assertEquals(TestServer.USERS, admin.search(USERS, SearchScope.SUB, "(objectClass=person)", "1.1").getEntryCount());
            int entries = 0;
            ASN1OctetString cookie = null;
            do {
                SearchRequest request = new SearchRequest(USERS, SearchScope.SUB, "(objectClass=person)", "1.1");
                request.addControl(new SimplePagedResultsControl(15, cookie, true));
                SearchResult result = user.search(request);
                entries += result.getEntryCount();
                cookie = SimplePagedResultsControl.get(result).getCookie();
            } while (cookie.getValueLength() > 0);
            assertEquals(TestServer.USERS, entries);
        }
    }

    @Test
    public void unindexedSearchesAreBounded() throws LDAPException {
        try (TestServer server = new TestServer(settings -> settings.with(draft -> draft.limits = new Limits(0, 0, 10)));
                LDAPConnection user = server.user(1); LDAPConnection admin = server.admin()) {
            cut(ResultCode.ADMIN_LIMIT_EXCEEDED, 0, "(examinedLimit)", user, "(sn=nobody)");
            assertEquals(0, admin.search(USERS, SearchScope.SUB, "(sn=nobody)").getEntryCount());
            assertEquals(1, user.search(USERS, SearchScope.SUB, "(uid=user.9)").getEntryCount());
        }
    }

    /** The snapshot that such a search had opened stayed open for good. */
    @Test
    public void aSearchThatTheDiskFailsLeavesNoSnapshotOpen() throws LDAPException {
        try (TestServer server = new TestServer(); LDAPConnection admin = server.admin()) {
            // What is special is read anew after each change.
            server.add("ou=more," + TestServer.SUFFIX, "objectClass: organizationalUnit", "ou: more");
            server.failIndexes(true);
            assertEquals(ResultCode.OTHER, assertThrows(LDAPException.class,
                    () -> admin.search(USERS, SearchScope.ONE, "(uid=user.9)")).getResultCode());
            server.failIndexes(false);
            assertEquals(1, admin.search(USERS, SearchScope.ONE, "(uid=user.9)").getEntryCount());
            assertEquals(1, server.takeFaults().size());
        }
    }

    @Test
    public void damagedEntriesAreReportedUnderAReferenceAndTheConnectionGoesOn() throws LDAPException {
        try (TestServer server = new TestServer(); LDAPConnection admin = server.admin()) {
            server.damage(TestServer.userDn(7));
            LDAPException failure = assertThrows(LDAPException.class, () -> admin.search(USERS, SearchScope.ONE, "(sn=Number9)"));
            assertEquals(ResultCode.OTHER, failure.getResultCode());
            String message = failure.getDiagnosticMessage();
            assertTrue(message, message.contains("reference"));
            List<String> logged = server.takeFaults();
            assertEquals(logged.toString(), 1, logged.size());
            assertTrue(message + " for " + logged, logged.get(0).contains(message.substring(message.lastIndexOf(' '))));
            assertEquals("user.9", admin.getEntry(TestServer.userDn(9)).getAttributeValue("uid"));
        }
    }

    @Test
    public void aStoreThatIsClosedIsUnavailable() throws LDAPException {
        try (TestServer server = new TestServer(); LDAPConnection admin = server.admin()) {
            server.closeStores();
            LDAPException search = assertThrows(LDAPException.class, () -> admin.search(USERS, SearchScope.ONE, "(sn=x)"));
            assertEquals(ResultCode.UNAVAILABLE, search.getResultCode());
            assertEquals(ResultCode.UNAVAILABLE, assertThrows(LDAPException.class, () -> admin.delete(USERS)).getResultCode());
            assertEquals(ResultCode.UNAVAILABLE, assertThrows(LDAPException.class, () -> admin.compare(USERS, "ou", "x"))
                    .getResultCode());
            assertEquals(ResultCode.UNAVAILABLE, assertThrows(LDAPException.class,
                    () -> admin.bind(TestServer.userDn(1), TestServer.USER_PASSWORD)).getResultCode());
        }
    }

    @Test
    public void aClientThatNeverReadsIsCutOff() throws Exception {
        WireSettings impatient = WireSettings.of("127.0.0.1", 0).withIoThreads(1)
                .withLimits(ConnectionLimits.standard().withAnswerSeconds(1));
        try (TestServer server = new TestServer(settings ->
                settings.with(draft -> draft.wire = impatient)); RawClient client = new RawClient(server.port(), 4096)) {
            server.addDevices(50_000);
            client.bindAsAdmin();
            client.send(ConnectionTest.devices(1));
            Await.until("the connection to be cut off", () -> server.server().service().sessionCount() == 0);
        }
    }
}
