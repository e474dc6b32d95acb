package org.alder.server;

import static org.alder.server.ClientTests.fails;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.asn1.ASN1Integer;
import com.unboundid.asn1.ASN1OctetString;
import com.unboundid.asn1.ASN1Sequence;
import com.unboundid.ldap.protocol.LDAPMessage;
import com.unboundid.ldap.protocol.SearchRequestProtocolOp;
import com.unboundid.ldap.protocol.SearchResultDoneProtocolOp;
import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.DereferencePolicy;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.LDAPSearchException;
import com.unboundid.ldap.sdk.ModifyRequest;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.controls.ServerSideSortRequestControl;
import com.unboundid.ldap.sdk.controls.SortKey;
import com.unboundid.ldap.sdk.controls.TransactionSpecificationRequestControl;
import com.unboundid.ldap.sdk.controls.VirtualListViewRequestControl;
import com.unboundid.ldap.sdk.extensions.EndTransactionExtendedRequest;
import com.unboundid.ldap.sdk.extensions.StartTransactionExtendedRequest;
import com.unboundid.ldap.sdk.extensions.StartTransactionExtendedResult;
import java.util.Arrays;
import java.util.List;
import org.alder.partition.testing.Await;
import org.alder.server.resource.MemoryBudget;
import org.alder.server.resource.MemoryLimits;
import org.alder.server.wire.WireSettings;
import org.junit.Test;

/** What requests and answers may hold of the server's memory, of one connection and of all. */
public class HeldMemoryTest {
    private static final String USERS = "ou=users," + TestServer.SUFFIX;
    private static final Control BY_DESCRIPTION = new ServerSideSortRequestControl(new SortKey("description"));
    private static final int CHUNK_BYTES = 32 << 10;

    private static TestServer server(long operationBytes) {
        return new TestServer(settings -> settings.with(draft -> draft.memory = 
                new MemoryLimits(settings.memory().unfinishedBytes(), operationBytes)));
    }

    private static MemoryBudget operations(TestServer server) {
        return server.server().memory().operations();
    }

    private static void holdsNothing(TestServer server) throws Exception {
        Await.until("nothing is held", () -> operations(server).heldBytes() == 0);
    }

    private static SearchRequestProtocolOp devices() throws LDAPException {
        return new SearchRequestProtocolOp(USERS, SearchScope.ONE, DereferencePolicy.NEVER, 0, 0, false,
                Filter.create("(objectClass=device)"), List.of());
    }

    /** Waits until another client was served so often that the server must be at rest. Returns the most that was queued. */
    private static long mostQueued(TestServer server) throws LDAPException {
        long most = 0;
        try (LDAPConnection other = server.admin()) {
            long before = -1;
            for (long now = 0; now == 0 || now != before;) {
                before = now;
                for (int i = 0; i < 200; i++) {
                    assertNotNull(other.getEntry(TestServer.userDn(1), "1.1"));
                    now = server.server().service().mostQueuedBytes();
                    most = Math.max(most, now);
                }
            }
        }
        return most;
    }

    /** Each of the searches used to put its first entries before anybody looked at what was queued. */
    @Test(timeout = Await.MILLIS)
    public void manySearchesThatNobodyReadsHoldNoMoreThanOne() throws Exception {
        WireSettings wire = WireSettings.of("127.0.0.1", 0);
        try (TestServer server = new TestServer(); RawClient client = new RawClient(server.port(), 4096)) {
            server.addDevices(20_000);
            client.bindAsAdmin();
            byte[][] requests = new byte[250][];
            for (int i = 0; i < requests.length; i++) {
                requests[i] = RawClient.bytes(i + 1, devices());
            }
            client.send(requests);
            long most = mostQueued(server);
            long threads = 2L + 2 * Runtime.getRuntime().availableProcessors();
            long bound = wire.highWaterBytes() + 2 * threads * CHUNK_BYTES;
            assertTrue("queued " + most + " bytes, at most " + bound + " are allowed", most <= bound);
            client.close();
            holdsNothing(server);
        }
    }

    @Test(timeout = Await.MILLIS)
    public void sortedEntriesAreNotQueuedAllAtOnce() throws Exception {
        WireSettings wire = WireSettings.of("127.0.0.1", 0);
        try (TestServer server = new TestServer(); RawClient client = new RawClient(server.port(), 4096)) {
            server.addDevices(25_000);
            client.bindAsAdmin();
            client.send(RawClient.bytes(1, devices(), BY_DESCRIPTION));
            long most = mostQueued(server);
            long bound = wire.highWaterBytes() + 2L * CHUNK_BYTES;
            assertTrue("queued " + most + " bytes, at most " + bound + " are allowed", most <= bound);
            int entries = 0;
            while (!(client.read().getProtocolOp() instanceof SearchResultDoneProtocolOp)) {
                entries++;
            }
            assertEquals(25_000, entries);
            holdsNothing(server);
        }
    }

    @Test(timeout = Await.MILLIS)
    public void clientsGetLessAheadWhileMemoryIsScarce() throws Exception {
        try (TestServer server = server(400_000); RawClient first = new RawClient(server.port(), 4096);
                RawClient second = new RawClient(server.port(), 4096)) {
            server.addDevices(40_000);
            first.bindAsAdmin();
            second.bindAsAdmin();
            first.send(RawClient.bytes(1, devices()));
            mostQueued(server);
            second.send(RawClient.bytes(1, devices()));
            second.read();
            long held = operations(server).heldBytes();
            assertTrue("held " + held, held <= 400_000 + 2L * CHUNK_BYTES);
            for (RawClient client : Arrays.asList(second, first)) {
                while (!(client.read().getProtocolOp() instanceof SearchResultDoneProtocolOp)) {
                    assertTrue(operations(server).heldBytes() >= 0);
                }
            }
            holdsNothing(server);
        }
    }

    @Test(timeout = Await.MILLIS)
    public void requestsThatAreTooMuchForTheServerAreRefusedAndTheConnectionLives() throws Exception {
        try (TestServer server = server(1 << 20); LDAPConnection admin = server.admin()) {
            LDAPException refusal = fails(ResultCode.ADMIN_LIMIT_EXCEEDED, () -> admin.add("dn: cn=large," + USERS,
                    "objectClass: device", "cn: large", "description: " + "x".repeat(600_000)));
            assertTrue(refusal.getMessage(), refusal.getMessage().contains("operationBytes"));
            assertTrue(admin.isConnected());
            String[] many = new String[30_000];
            Arrays.setAll(many, i -> "v" + i);
            assertTrue("also many small values", fails(ResultCode.ADMIN_LIMIT_EXCEEDED, () -> admin.add("cn=many," + USERS,
                    new Attribute("objectClass", "device"),
                    new Attribute("cn", many))).getMessage().contains("operationBytes"));
            admin.add("dn: cn=large," + USERS, "objectClass: device", "cn: large", "description: " + "x".repeat(200_000));
            assertNotNull(admin.getEntry("cn=large," + USERS));
            holdsNothing(server);
        }
    }

    @Test(timeout = Await.MILLIS)
    public void searchesThatGatherTooMuchAreRefusedAndTheConnectionLives() throws Exception {
        try (TestServer server = server(1 << 18); LDAPConnection admin = server.admin()) {
            server.addDevices(20_000);
            SearchRequest sorted = new SearchRequest(USERS, SearchScope.ONE, "(objectClass=device)");
            sorted.setControls(BY_DESCRIPTION);
            SearchRequest view = new SearchRequest(USERS, SearchScope.ONE, "(objectClass=device)");
            view.setControls(new ServerSideSortRequestControl(new SortKey("cn")),
                    new VirtualListViewRequestControl(1, 0, 10, 0, null));
            for (SearchRequest request : Arrays.asList(sorted, view)) {
                LDAPSearchException refusal = assertThrows(LDAPSearchException.class, () -> admin.search(request));
                assertTrue(refusal.getMessage(), refusal.getResultCode() == ResultCode.BUSY
                        || refusal.getResultCode() == ResultCode.ADMIN_LIMIT_EXCEEDED);
                assertTrue(refusal.getMessage(), refusal.getMessage().contains("operationBytes"));
                assertEquals(1, admin.search(USERS, SearchScope.BASE, "(objectClass=*)").getEntryCount());
                holdsNothing(server);
            }
        }
    }

    @Test(timeout = Await.MILLIS)
    public void transactionsGiveBackWhatTheirUpdatesHeld() throws Exception {
        try (TestServer server = new TestServer(); LDAPConnection admin = server.admin()) {
            for (boolean commit : new boolean[] {true, false}) {
                ASN1OctetString id = ((StartTransactionExtendedResult)
                        admin.processExtendedOperation(new StartTransactionExtendedRequest()))
                        .getTransactionID();
                ModifyRequest request = new ModifyRequest("dn: " + USERS,
                        "changetype: modify", "replace: description", "description: " + "x".repeat(10_000));
                request.addControl(new TransactionSpecificationRequestControl(id));
                admin.modify(request);
                assertTrue("held until the end", operations(server).heldBytes() > 10_000);
                admin.processExtendedOperation(
                        new EndTransactionExtendedRequest(id, commit));
                holdsNothing(server);
            }
        }
    }

    /** The notice of disconnection was sent, and the request kept its part of the budget until the server stopped. */
    @Test(timeout = Await.MILLIS)
    public void largeRequestsThatAreMalformedGiveBackWhatTheyHeld() throws Exception {
        try (TestServer server = new TestServer()) {
            for (int i = 0; i < 3; i++) {
                try (RawClient client = new RawClient(server.port())) {
                    client.bindAsAdmin();
                    client.send(addWithoutAttributes());
                    assertEquals(ResultCode.PROTOCOL_ERROR_INT_VALUE,
                            client.readToEnd().getExtendedResponseProtocolOp().getResultCode());
                }
            }
            holdsNothing(server);
        }
    }

    /** An add request that has an octet string where the list of attributes belongs. */
    private static byte[] addWithoutAttributes() {
        return new ASN1Sequence(new ASN1Integer(1), new ASN1Sequence(LDAPMessage.PROTOCOL_OP_TYPE_ADD_REQUEST,
                new ASN1OctetString("cn=large," + USERS), new ASN1OctetString(new byte[100_000]))).encode();
    }

    /** Searches that nobody reads, over as many connections as one user liked, took all there was. */
    @Test(timeout = Await.MILLIS)
    public void oneUserLeavesMemoryForOthers() throws Exception {
        try (TestServer server = server(3 << 20); LDAPConnection greedy = server.user(1); LDAPConnection other = server.user(2)) {
            ASN1OctetString id = ((StartTransactionExtendedResult)
                    greedy.processExtendedOperation(new StartTransactionExtendedRequest())).getTransactionID();
            LDAPException refusal = fails(ResultCode.BUSY, () -> {
                for (int i = 0; i < 1000; i++) {
                    ModifyRequest request = new ModifyRequest("dn: " + TestServer.userDn(1), "changetype: modify",
                            "replace: userPassword", "userPassword: " + "x".repeat(1_000));
                    request.addControl(new TransactionSpecificationRequestControl(id));
                    greedy.modify(request);
                }
            });
            assertTrue(refusal.getMessage(), refusal.getMessage().contains("for one client"));
            assertTrue("held " + operations(server).heldBytes(), operations(server).heldBytes() <= 1 << 20);
            assertEquals(ResultCode.SUCCESS, other.modify("dn: " + TestServer.userDn(2), "changetype: modify",
                    "replace: userPassword", "userPassword: " + "y".repeat(1_000)).getResultCode());
            greedy.close();
            other.close();
            holdsNothing(server);
        }
    }
}
