package org.alder.server;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.protocol.BindRequestProtocolOp;
import com.unboundid.ldap.protocol.BindResponseProtocolOp;
import com.unboundid.ldap.protocol.ExtendedRequestProtocolOp;
import com.unboundid.ldap.protocol.ExtendedResponseProtocolOp;
import com.unboundid.ldap.protocol.LDAPMessage;
import com.unboundid.ldap.protocol.SearchRequestProtocolOp;
import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.DereferencePolicy;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.controls.PersistentSearchChangeType;
import com.unboundid.ldap.sdk.controls.PersistentSearchRequestControl;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import org.alder.partition.testing.Await;
import org.alder.partition.testing.Requirement;
import org.alder.server.resource.MemoryBudget;
import org.alder.server.resource.MemoryLimits;
import org.alder.server.wire.ConnectionLimits;
import org.junit.Test;

/** How many connections there may be, and what becomes of those that keep the server waiting. */
public class ManyConnectionsTest {
    /** Of a connection that is to be cut off; for one that is to live, long enough also on a busy machine. */
    private static final int PATIENCE_SECONDS = 3;
    private static final int BUSY = 51;
    private static final int TIME_LIMIT_EXCEEDED = 3;
    private static final byte[] WHO_AM_I = RawClient.bytes(5, new ExtendedRequestProtocolOp("1.3.6.1.4.1.4203.1.11.3", null));
    /** Begins a message of 60,000 bytes, which a client may send before a bind. */
    private static final byte[] BEGINNING = {0x30, (byte) 0x82, (byte) 0xEA, 0x5C};

    private static TestServer server(UnaryOperator<ConnectionLimits> limits) {
        return new TestServer(settings -> settings.with(draft -> draft.wire = settings.wire().withLimits(limits.apply(settings.wire().limits()))));
    }

    private static void isToldAndCutOff(RawClient client, int code, String key) throws Exception {
        LDAPMessage last = client.readToEnd();
        assertNotNull("no notice of disconnection", last);
        ExtendedResponseProtocolOp notice = last.getExtendedResponseProtocolOp();
        assertEquals("1.3.6.1.4.1.1466.20036", notice.getResponseOID());
        assertEquals(notice.getDiagnosticMessage(), code, notice.getResultCode());
        assertTrue(notice.getDiagnosticMessage(), notice.getDiagnosticMessage().contains(key));
    }

    private static void isServed(RawClient client) throws Exception {
        client.send(WHO_AM_I);
        assertEquals(0, client.read().getExtendedResponseProtocolOp().getResultCode());
    }

    /** Who only connects keeps nobody out who binds. */
    @Test(timeout = Await.MILLIS)
    public void theOldestConnectionThatHasNotBoundGivesWay() throws Exception {
        try (TestServer server = server(limits -> limits.withConnections(100, 100).withConnectionsOf(100, 3));
                RawClient bound = new RawClient(server.port()); RawClient oldest = new RawClient(server.port())) {
            bound.bindAsAdmin();
            isServed(oldest);
            try (RawClient second = new RawClient(server.port()); RawClient third = new RawClient(server.port())) {
                isServed(second);
                isServed(third);
                isServed(oldest);
                try (RawClient fourth = new RawClient(server.port())) {
                    isServed(fourth);
                    isToldAndCutOff(oldest, BUSY, "the server has 3 connections that have not bound, as many as it may (maxConnectionsBeforeBind)");
                    isServed(bound);
                    isServed(second);
                    third.bindAsAdmin();
                    try (RawClient fifth = new RawClient(server.port())) {
                        isServed(fifth);
                        isServed(second);
                        isServed(third);
                    }
                }
            }
        }
    }

    @Test(timeout = Await.MILLIS)
    public void oneIdentityHasSoManyConnectionsAndOneMoreBindIsBusy() throws Exception {
        try (TestServer server = server(limits -> limits.withConnectionsOf(2, 100));
                RawClient first = new RawClient(server.port()); RawClient second = new RawClient(server.port());
                RawClient third = new RawClient(server.port())) {
            assertEquals(0, bind(first, 1).getResultCode());
            assertEquals(0, bind(second, 1).getResultCode());
            BindResponseProtocolOp refusal = bind(third, 1);
            assertEquals(BUSY, refusal.getResultCode());
            assertTrue(refusal.getDiagnosticMessage(), refusal.getDiagnosticMessage().contains("2 connections with dn:" + TestServer.userDn(1)));
            assertTrue(refusal.getDiagnosticMessage(), refusal.getDiagnosticMessage().contains("(maxConnectionsPerIdentity)"));
            third.send(WHO_AM_I);
            assertEquals("", third.read().getExtendedResponseProtocolOp().getResponseValue().stringValue());
            assertEquals("another one may", 0, bind(third, 2).getResultCode());
            assertEquals("and who is one of the two may bind again", 0, bind(first, 1).getResultCode());
            assertEquals(0, bind(second, 2).getResultCode());
            assertEquals("there is room when one has gone", 0, bind(third, 1).getResultCode());
            first.close();
            Await.until("the first connection to be gone", () -> server.server().service().sessionCount() == 2);
            try (RawClient fourth = new RawClient(server.port())) {
                assertEquals(0, bind(fourth, 1).getResultCode());
            }
        }
    }

    private static BindResponseProtocolOp bind(RawClient client, int user) throws Exception {
        client.send(RawClient.bytes(9, new BindRequestProtocolOp(TestServer.userDn(user), TestServer.USER_PASSWORD)));
        return client.read().getBindResponseProtocolOp();
    }

    @Test(timeout = Await.MILLIS)
    @Requirement(rfc = 4511, section = "4.4.1", text = "A client that is disconnected is told why")
    public void connectionsBeyondTheLimitAreToldSoAndTheOthersLive() throws Exception {
        try (TestServer server = server(limits -> limits.withConnections(3, 3));
                RawClient first = new RawClient(server.port()); RawClient second = new RawClient(server.port())) {
            isServed(first);
            isServed(second);
            try (RawClient third = new RawClient(server.port())) {
                isServed(third);
                for (int i = 0; i < 10; i++) {
                    try (RawClient more = new RawClient(server.port())) {
                        isToldAndCutOff(more, BUSY, "maxConnections");
                    }
                }
                isServed(first);
            }
            Await.until("the third is gone", () -> server.server().service().sessionCount() == 2);
            try (RawClient next = new RawClient(server.port())) {
                isServed(next);
            }
        }
    }

    @Test(timeout = Await.MILLIS)
    public void oneAddressDoesNotGetAllConnections() throws Exception {
        try (TestServer server = server(limits -> limits.withConnections(10, 1));
                RawClient first = new RawClient(server.port())) {
            isServed(first);
            try (RawClient second = new RawClient(server.port())) {
                isToldAndCutOff(second, BUSY, "maxConnectionsPerAddress");
            }
            isServed(first);
        }
    }

    @Test(timeout = Await.MILLIS)
    public void clientsThatSendNothingDoNotKeepTheirConnections() throws Exception {
        try (TestServer server = server(limits -> limits.withSeconds(PATIENCE_SECONDS, 0, 0, 0));
                RawClient served = new RawClient(server.port())) {
            isServed(served);
            try (RawClient silent = new RawClient(server.port())) {
                isToldAndCutOff(silent, TIME_LIMIT_EXCEEDED, "firstMessageTimeoutSeconds");
            }
            isServed(served);
        }
    }

    @Test(timeout = Await.MILLIS)
    public void theEndOfAMessageIsNotAwaitedForEver() throws Exception {
        try (TestServer server = server(limits -> limits.withSeconds(0, PATIENCE_SECONDS, 0, 0));
                RawClient served = new RawClient(server.port()); RawClient slow = new RawClient(server.port())) {
            isServed(served);
            slow.send(WHO_AM_I, BEGINNING);
            isToldAndCutOff(slow, TIME_LIMIT_EXCEEDED, "messageTimeoutSeconds");
            isServed(served);
        }
    }

    @Test(timeout = Await.MILLIS)
    public void idleIsWhoAsksForNothingAndNotWhoWaitsForChanges() throws Exception {
        try (TestServer server = server(limits -> limits.withSeconds(0, 0, PATIENCE_SECONDS, PATIENCE_SECONDS));
                RawClient following = new RawClient(server.port()); RawClient bound = new RawClient(server.port())) {
            following.bindAsAdmin();
            Control changes = new PersistentSearchRequestControl(PersistentSearchChangeType.allChangeTypes(), true, true);
            following.send(RawClient.bytes(1, new SearchRequestProtocolOp(TestServer.SUFFIX, SearchScope.SUB,
                    DereferencePolicy.NEVER, 0, 0, false, Filter.create("(objectClass=*)"), List.of()), changes));
            bound.bindAsAdmin();
            isToldAndCutOff(bound, TIME_LIMIT_EXCEEDED, "idleTimeoutSeconds)");
            try (RawClient unbound = new RawClient(server.port())) {
                isServed(unbound);
                isToldAndCutOff(unbound, TIME_LIMIT_EXCEEDED, "idleTimeoutSecondsBeforeBind");
            }
            isServed(following);
        }
    }

    /** A harmless request now and then keeps no connection that has not bound: only a bind does. */
    @Test(timeout = Await.MILLIS)
    public void whoNeverBindsIsToldToGoWhateverHeAsks() throws Exception {
        try (TestServer server = server(limits -> limits.withBindSeconds(PATIENCE_SECONDS)); RawClient bound = new RawClient(server.port());
                RawClient following = new RawClient(server.port()); RawClient asking = new RawClient(server.port())) {
            bound.bindAsAdmin();
            Control changes = new PersistentSearchRequestControl(PersistentSearchChangeType.allChangeTypes(), true, true);
            following.send(RawClient.bytes(1, new SearchRequestProtocolOp(TestServer.SUFFIX, SearchScope.SUB,
                    DereferencePolicy.NEVER, 0, 0, false, Filter.create("(objectClass=*)"), List.of()), changes));
            LDAPMessage answer;
            do {
                asking.send(RawClient.bytes(7, new BindRequestProtocolOp(TestServer.ADMIN, "wrong")));
                answer = asking.read();
            } while (answer != null && answer.getMessageID() == 7);
            assertNotNull("no notice of disconnection", answer);
            assertEquals(TIME_LIMIT_EXCEEDED, answer.getExtendedResponseProtocolOp().getResultCode());
            assertTrue(answer.toString(), answer.getExtendedResponseProtocolOp().getDiagnosticMessage()
                    .contains("allowed are " + PATIENCE_SECONDS + " s (bindTimeoutSeconds)"));
            isToldAndCutOff(following, TIME_LIMIT_EXCEEDED, "bindTimeoutSeconds");
            isServed(bound);
        }
    }

    /** The old server held 128 KiB for each, and had no limit but the heap. */
    @Test(timeout = Await.MILLIS)
    public void unfinishedRequestsOfManyClientsAreBoundedTogether() throws Exception {
        int limit = 200_000;
        try (TestServer server = new TestServer(settings -> settings.with(draft -> draft.memory = 
                new MemoryLimits(limit, settings.memory().operationBytes()))); RawClient served = new RawClient(server.port())) {
            MemoryBudget unfinished = server.server().memory().unfinished();
            byte[] most = Arrays.copyOf(BEGINNING, 59_000);
            List<RawClient> clients = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                RawClient client = new RawClient(server.port());
                clients.add(client);
                client.send(most);
                long all = (i + 1) * 50_000;
                Await.until("all has come", () -> unfinished.heldBytes() > all);
            }
            assertTrue("little more than has come: " + unfinished.heldBytes(), unfinished.heldBytes() <= 3 * 60_000);
            try (RawClient refused = new RawClient(server.port())) {
                refused.send(most);
                isToldAndCutOff(refused, BUSY, "unfinishedBytes");
            }
            isServed(served);
            served.send(RawClient.bytes(7, new BindRequestProtocolOp("", "")));
            assertEquals(7, served.read().getMessageID());
            for (RawClient client : clients) {
                client.close();
            }
            Await.until("nothing is held", () -> unfinished.heldBytes() == 0);
        }
    }
}
