package org.alder.server.protocol;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.asn1.ASN1OctetString;
import com.unboundid.asn1.ASN1Element;
import com.unboundid.ldap.protocol.AbandonRequestProtocolOp;
import com.unboundid.ldap.protocol.BindRequestProtocolOp;
import com.unboundid.ldap.protocol.CompareRequestProtocolOp;
import com.unboundid.ldap.protocol.DeleteRequestProtocolOp;
import com.unboundid.ldap.protocol.LDAPMessage;
import com.unboundid.ldap.protocol.ProtocolOp;
import com.unboundid.ldap.protocol.SearchRequestProtocolOp;
import com.unboundid.ldap.protocol.UnbindRequestProtocolOp;
import com.unboundid.ldap.sdk.DereferencePolicy;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.SearchScope;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.alder.partition.ber.BerReader;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.testing.Await;
import org.alder.server.TestServer;
import org.alder.server.access.LimitPolicy;
import org.alder.server.access.LimitSet;
import org.alder.server.audit.AccessLog;
import org.alder.server.audit.AuditLog;
import org.alder.server.audit.ShownRequests;
import org.alder.server.auth.Administrator;
import org.alder.server.auth.Identity;
import org.alder.server.control.OperationKind;
import org.alder.server.directory.Administrators;
import org.alder.server.login.SaslMechanisms;
import org.alder.server.login.SaslSettings;
import org.alder.server.resource.Counters;
import org.alder.server.resource.FairWorkers;
import org.alder.server.resource.Holding;
import org.alder.server.resource.MemoryBudget;
import org.alder.server.resource.OpenSessions;
import org.alder.server.wire.ConnectionLimits;
import org.alder.server.wire.TestConnection;
import org.alder.server.wire.WireSettings;
import org.junit.After;
import org.junit.Test;

/** Which of a connection's requests run, in what order, and what ends them; of operations that the test answers. */
public class LdapSessionTest {
    private static final int MOST_RUNNING = 256;
    private static final byte[] NO_MESSAGE = {0x30, 0x00};

    private final FairWorkers workers = new FairWorkers(2, 1000, new Counters());
    private final MemoryBudget memory = new MemoryBudget("operationBytes", 1 << 20);
    private final Map<Integer, Exchange> begun = new ConcurrentHashMap<>();
    private final Map<Integer, Thread> beginners = new ConcurrentHashMap<>();
    private final List<Integer> stopped = new CopyOnWriteArrayList<>();
    private final LdapService service = new LdapService(List.of(new Held(OperationKind.BIND, LdapMessage.BIND, 0x61),
            new Held(OperationKind.COMPARE, LdapMessage.COMPARE, 0x6F),
            new Held(OperationKind.SEARCH, LdapMessage.SEARCH, 0x65), new Faulty()), null,
            new SaslMechanisms(sasl -> null, () -> SaslSettings.STANDARD), new Administrators(Administrator.turnedOff(TestServer.dn(TestServer.ADMIN)), null),
            LimitPolicy.of(LimitSet.EMPTY), new Accounting(new Counters(), AuditLog.none(), AccessLog.none(), ShownRequests.NO_VALUES, () -> 1_000_000), () -> TransactionLimits.STANDARD, ConnectionLimits::standard,
            workers, memory,
            new OpenSessions(), OtherMembers.NONE);
    private final TestConnection client = new TestConnection(WireSettings.of("127.0.0.1", 0), memory);
    private final LdapSession session = (LdapSession) service.opened(client.connection());

    /** Begins, and leaves the answer to the test. */
    private final class Held implements Operation {
        private final OperationKind kind;
        private final int requestTag;
        private final int responseTag;

        Held(OperationKind kind, int requestTag, int responseTag) {
            this.kind = kind;
            this.requestTag = requestTag;
            this.responseTag = responseTag;
        }

        @Override
        public OperationKind kind() {
            return kind;
        }

        @Override
        public int requestTag() {
            return requestTag;
        }

        @Override
        public int responseTag() {
            return responseTag;
        }

        @Override
        public void handle(Exchange exchange, BerReader request) {
            exchange.onStop(() -> {
                stopped.add(exchange.messageId());
                exchange.endStopped();
            });
            beginners.put(exchange.messageId(), Thread.currentThread());
            begun.put(exchange.messageId(), exchange);
        }
    }

    private static final class Faulty implements Operation {
        @Override
        public OperationKind kind() {
            return OperationKind.DELETE;
        }

        @Override
        public int requestTag() {
            return LdapMessage.DELETE;
        }

        @Override
        public int responseTag() {
            return 0x6B;
        }

        @Override
        public void handle(Exchange exchange, BerReader request) {
            throw new StackOverflowError("a fault for the test");
        }
    }

    @After
    public void stop() {
        workers.close();
    }

    private void send(int id, ProtocolOp operation) {
        byte[] bytes = new LDAPMessage(id, operation).encode().encode();
        session.received(bytes, 0, bytes.length);
    }

    private void compare(int id) {
        send(id, new CompareRequestProtocolOp("dc=x", "dc", new ASN1OctetString("x")));
    }

    private void bind(int id) {
        send(id, new BindRequestProtocolOp("dc=x", "x"));
    }

    private void awaitBegun(int id) throws Exception {
        Await.until("request " + id + " to begin", () -> begun.containsKey(id));
    }

    private LDAPMessage answer(int index) throws Exception {
        Await.until("answer number " + index, () -> client.read().size() > index);
        return LDAPMessage.decode(ASN1Element.decode(client.read().get(index)).decodeAsSequence());
    }

    private void endsWith(int code) throws Exception {
        assertEquals(code, answer(client.read().size() - 1).getExtendedResponseProtocolOp().getResultCode());
        assertTrue(client.isEnding());
        compare(99);
        assertFalse("nothing is begun after the end", begun.containsKey(99));
    }

    @Test
    public void aBindWaitsForThoseBeforeItAndThoseAfterItWaitForIt() throws Exception {
        compare(1);
        bind(2);
        compare(3);
        assertEquals(1, begun.size());
        assertFalse(client.isServerReading());
        begun.get(1).succeed();
        awaitBegun(2);
        assertEquals(2, begun.size());
        begun.get(2).succeed();
        awaitBegun(3);
        begun.get(3).succeed();
        assertEquals(3, answer(2).getMessageID());
        Await.until("the client to be read again", client::isServerReading);
        assertTrue(session.isIdle());
    }

    @Test
    public void thoseThatWaitAreShownAndEndedUnlessTheyAreBinds() throws Exception {
        compare(1);
        bind(2);
        compare(3);
        compare(4);
        assertEquals(List.of("1 compare running", "2 bind waiting", "3 compare waiting", "4 compare waiting"), session.running().stream()
                .map(each -> each.messageId() + " " + each.kind() + (each.waiting() ? " waiting" : " running")).toList());
        assertTrue(session.running(3).waiting());
        assertTrue(session.running(3).micros() >= 0);
        assertNull(session.running(5));
        session.end(3, "enough");
        assertEquals("unwillingToPerform", 53, answer(0).getCompareResponseProtocolOp().getResultCode());
        assertEquals("enough", answer(0).getCompareResponseProtocolOp().getDiagnosticMessage());
        assertNull(session.running(3));
        assertThrows(DirectoryException.class, () -> session.end(2, "enough"));
        begun.get(1).succeed();
        awaitBegun(2);
        begun.get(2).succeed();
        awaitBegun(4);
        begun.get(4).succeed();
        assertFalse(begun.containsKey(3));
        assertEquals(0, memory.heldBytes());
    }

    @Test
    public void onlySoManyRunAtOnce() throws Exception {
        for (int id = 1; id <= MOST_RUNNING + 2; id++) {
            compare(id);
        }
        assertEquals(MOST_RUNNING, begun.size());
        assertFalse(client.isServerReading());
        begun.get(7).succeed();
        awaitBegun(MOST_RUNNING + 1);
        assertFalse("one waits still", client.isServerReading());
        begun.get(8).succeed();
        awaitBegun(MOST_RUNNING + 2);
        Await.until("the client to be read again", client::isServerReading);
    }

    @Test
    public void whatWaitsForMoreMemoryThanThereIsGetsBusy() throws Exception {
        bind(1);
        memory.open(Holding.REQUEST).take(1 << 20);
        compare(2);
        assertEquals(51, answer(0).getCompareResponseProtocolOp().getResultCode());
        assertTrue(answer(0).getCompareResponseProtocolOp().getDiagnosticMessage().contains("operationBytes"));
        assertFalse(client.isEnding());
    }

    /** It used to be answered at once, and those who had bound before were still asked for. */
    @Test
    public void aBindThatIsRefusedWaitsForThoseBeforeItAndForgetsWhoWasBound() throws Exception {
        session.client().setIdentity(new Identity(TestServer.dn("uid=1,dc=x"), false, false));
        compare(1);
        MemoryBudget.Share all = memory.open(Holding.REQUEST);
        all.take(1 << 20);
        bind(2);
        assertEquals(0, client.read().size());
        assertFalse(client.isServerReading());
        begun.get(1).succeed();
        assertEquals("busy", 51, answer(1).getBindResponseProtocolOp().getResultCode());
        assertTrue(session.client().boundIdentity().isAnonymous());
        assertFalse(begun.containsKey(2));
        Await.until("the client to be read again", client::isServerReading);
        all.close();
        assertEquals(0, memory.heldBytes());
    }

    @Test
    public void aBindToAServerThatStopsAbandonsWhatIsFollowed() throws Exception {
        compare(1);
        send(2, new SearchRequestProtocolOp("dc=x", SearchScope.BASE, DereferencePolicy.NEVER, 0, 0, false, Filter.createPresenceFilter("dc"), List.of()));
        begun.get(2).persist();
        session.drain();
        bind(3);
        assertEquals(List.of(), stopped);
        begun.get(1).succeed();
        assertEquals("unavailable", 52, answer(1).getBindResponseProtocolOp().getResultCode());
        assertEquals(List.of(2), stopped);
        Await.until("the connection to end", client::isEnding);
    }

    @Test
    public void anAbandonedRequestHasNoAnswer() {
        compare(1);
        compare(2);
        send(3, new AbandonRequestProtocolOp(1));
        send(4, new AbandonRequestProtocolOp(77));
        assertEquals(List.of(1), stopped);
        begun.get(1).succeed();
        assertEquals(0, client.read().size());
        begun.get(2).succeed();
        assertEquals(1, client.read().size());
        assertTrue(session.isIdle());
    }

    /** It used to be done when its turn came, and answered. */
    @Test
    public void anAbandonedRequestThatWaitsIsNotBegun() throws Exception {
        compare(1);
        bind(2);
        compare(3);
        compare(4);
        send(5, new AbandonRequestProtocolOp(3));
        send(6, new AbandonRequestProtocolOp(2));
        begun.get(1).succeed();
        awaitBegun(2);
        begun.get(2).succeed();
        awaitBegun(4);
        begun.get(4).succeed();
        assertFalse(begun.containsKey(3));
        assertEquals(3, client.read().size());
        Await.until("the client to be read again", client::isServerReading);
        assertEquals(0, memory.heldBytes());
    }

    @Test
    public void anIdInUseIsRefusedAndFreeAgainWithTheAnswer() throws Exception {
        compare(1);
        compare(1);
        assertEquals("protocolError", 2, answer(0).getCompareResponseProtocolOp().getResultCode());
        Exchange first = begun.remove(1);
        first.succeed();
        compare(1);
        begun.get(1).succeed();
        assertEquals(3, client.read().size());
        assertTrue(session.isIdle());
    }

    @Test
    public void aFaultOfAnOperationIsItsResultAndTheOthersGoOn() throws Exception {
        compare(1);
        send(2, new DeleteRequestProtocolOp("dc=x"));
        assertEquals("other", 80, answer(0).getDeleteResponseProtocolOp().getResultCode());
        begun.get(1).succeed();
        assertEquals(1, answer(1).getMessageID());
        assertFalse(client.isEnding());
        assertTrue(session.isIdle());
    }

    @Test
    public void whatIsNoMessageEndsTheConnection() throws Exception {
        compare(1);
        session.received(NO_MESSAGE, 0, NO_MESSAGE.length);
        assertEquals(List.of(1), stopped);
        endsWith(2);
    }

    @Test
    public void theMessageIdOfNoticesIsNotAClients() throws Exception {
        compare(0);
        endsWith(2);
    }

    @Test
    public void aRequestThatNobodyAnswersEndsTheConnection() throws Exception {
        byte[] modify = {0x30, 0x05, 0x02, 0x01, 0x01, (byte) LdapMessage.MODIFY, 0x00};
        session.received(modify, 0, modify.length);
        endsWith(2);
    }

    @Test
    public void whoGoesAwayStopsWhatHeAskedFor() {
        compare(1);
        compare(2);
        send(3, new UnbindRequestProtocolOp());
        assertTrue(client.isEnding());
        assertEquals(List.of(1, 2), stopped.stream().sorted().toList());
        session.closed();
        assertEquals(0, service.sessionCount());
        assertEquals("no notice", 0, client.read().size());
        assertEquals(0, memory.heldBytes());
    }

    /** A filter of hundreds of items takes longer to decode than the thread that has read it may be kept. */
    @Test
    public void aLongSearchIsBegunByAWorkerAndAShortOneWhereItWasRead() throws Exception {
        for (int id : new int[] {1, 2}) {
            send(id, new SearchRequestProtocolOp("dc=x", SearchScope.BASE, DereferencePolicy.NEVER, 0, 0, false,
                    Filter.createEqualityFilter("dc", "x".repeat(id * 3000)), List.of()));
            awaitBegun(id);
        }
        assertEquals(Thread.currentThread(), beginners.get(1));
        assertTrue("begun by " + beginners.get(2), beginners.get(2).getName().startsWith("alder-worker"));
    }
}
