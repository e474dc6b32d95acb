package org.alder.server;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import com.unboundid.asn1.ASN1OctetString;
import com.unboundid.ldap.protocol.AbandonRequestProtocolOp;
import com.unboundid.ldap.protocol.AddRequestProtocolOp;
import com.unboundid.ldap.protocol.BindRequestProtocolOp;
import com.unboundid.ldap.protocol.BindResponseProtocolOp;
import com.unboundid.ldap.protocol.DeleteRequestProtocolOp;
import com.unboundid.ldap.protocol.ExtendedRequestProtocolOp;
import com.unboundid.ldap.protocol.ExtendedResponseProtocolOp;
import com.unboundid.ldap.protocol.LDAPMessage;
import com.unboundid.ldap.protocol.ProtocolOp;
import com.unboundid.ldap.protocol.SearchRequestProtocolOp;
import com.unboundid.ldap.protocol.SearchResultDoneProtocolOp;
import com.unboundid.ldap.protocol.SearchResultEntryProtocolOp;
import com.unboundid.ldap.protocol.UnbindRequestProtocolOp;
import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.DereferencePolicy;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.controls.PersistentSearchChangeType;
import com.unboundid.ldap.sdk.controls.PersistentSearchRequestControl;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.alder.partition.testing.Await;
import org.alder.partition.testing.Requirement;
import org.alder.partition.testing.Seed;
import org.alder.server.wire.WireSettings;
import org.junit.AfterClass;
import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.Test;

/** What happens on one connection: pipelining, order around binds, abandon, slow readers, broken messages. */
public class ConnectionTest {
    private static final int MUCH_BYTES = 16 << 10;
    private static final String USERS = "ou=users," + TestServer.SUFFIX;
    private static final int DEVICES = 100_000;

    private static TestServer server;

    @BeforeClass
    public static void start() {
        server = new TestServer();
        server.addDevices(DEVICES);
    }

    @AfterClass
    public static void stop() {
        server.close();
    }

    private static ProtocolOp search(String base, SearchScope scope, String filter, String... attributes) throws LDAPException {
        return new SearchRequestProtocolOp(base, scope, DereferencePolicy.NEVER, 0, 0, false, Filter.create(filter),
                List.of(attributes));
    }

    /** A request for all devices. */
    static byte[] devices(int messageId) throws LDAPException {
        return RawClient.bytes(messageId, search(USERS, SearchScope.ONE, "(objectClass=device)"));
    }

    private static int resultCode(LDAPMessage message) {
        return message.getSearchResultDoneProtocolOp().getResultCode();
    }

    @Test
    @Requirement(rfc = 4511, section = "3.1", text = "Requests may be sent before the answers to others come")
    public void pipelinedRequestsAreAllAnswered() throws Exception {
        try (RawClient client = new RawClient(server.port())) {
            client.bindAsAdmin();
            byte[][] requests = new byte[1000][];
            for (int i = 0; i < requests.length; i++) {
                requests[i] = RawClient.bytes(i + 1, search(TestServer.userDn(1 + i % TestServer.USERS), SearchScope.BASE,
                        "(objectClass=*)", "uid"));
            }
            client.send(requests);
            int[] messages = new int[requests.length + 1];
            for (int i = 0; i < 2 * requests.length; i++) {
                messages[client.read().getMessageID()]++;
            }
            for (int i = 1; i <= requests.length; i++) {
                assertEquals("entry and result of request " + i, 2, messages[i]);
            }
        }
    }

    @Test
    @Requirement(rfc = 4511, section = "4.2.1", text = "A bind waits for outstanding operations, and later ones for it")
    public void aBindWaitsForWhatIsBeforeItAndHoldsWhatIsBehind() throws Exception {
        try (RawClient client = new RawClient(server.port())) {
            client.bindAsAdmin();
            client.send(RawClient.bytes(1, search(USERS, SearchScope.ONE, "(objectClass=device)", "1.1")),
                    RawClient.bytes(2, new BindRequestProtocolOp("", "")),
                    RawClient.bytes(3, search(USERS, SearchScope.BASE, "(objectClass=*)")),
                    RawClient.bytes(4, new BindRequestProtocolOp(TestServer.ADMIN, TestServer.ADMIN_PASSWORD)),
                    RawClient.bytes(5, search(USERS, SearchScope.BASE, "(objectClass=*)", "1.1")));
            int entries = 0;
            LDAPMessage next = client.read();
            for (; next.getProtocolOp() instanceof SearchResultEntryProtocolOp; next = client.read()) {
                assertEquals(1, next.getMessageID());
                entries++;
            }
            assertEquals(DEVICES, entries);
            assertTrue(next.getProtocolOp() instanceof SearchResultDoneProtocolOp);
            assertEquals(0, ((BindResponseProtocolOp) client.read().getProtocolOp()).getResultCode());
            LDAPMessage denied = client.read();
            assertEquals(3, denied.getMessageID());
            assertEquals("anonymous by then", 50, resultCode(denied));
            assertEquals(4, client.read().getMessageID());
            assertEquals(5, client.read().getMessageID());
            assertEquals(0, resultCode(client.read()));
        }
    }

    @Test
    @Requirement(rfc = 4511, section = "4.11", text = "Abandon ends a search, without an answer")
    public void abandonedSearchesEndWithoutAResult() throws Exception {
        try (RawClient client = new RawClient(server.port(), 4096)) {
            client.bindAsAdmin();
            client.send(devices(1));
            assertEquals(1, client.read().getMessageID());
            client.send(RawClient.bytes(2, new AbandonRequestProtocolOp(1)),
                    RawClient.bytes(3, search(USERS, SearchScope.BASE, "(objectClass=*)")));
            int entries = 1;
            LDAPMessage next = client.read();
            for (; next.getMessageID() == 1; next = client.read()) {
                assertFalse("no result for an abandoned search", next.getProtocolOp() instanceof SearchResultDoneProtocolOp);
                entries++;
            }
            assertTrue("stopped after " + entries, entries < DEVICES);
            client.send(RawClient.bytes(4, new AbandonRequestProtocolOp(99)));
            assertEquals("what followed is answered", 3, next.getMessageID());
        }
    }

    private static ProtocolOp cancel(int messageId) {
        byte[] value = {0x30, 0x03, 0x02, 0x01, (byte) messageId};
        return new ExtendedRequestProtocolOp("1.3.6.1.1.8", new ASN1OctetString(value));
    }

    private static int resultOf(LDAPMessage message) {
        return message.getProtocolOp() instanceof ExtendedResponseProtocolOp extended ? extended.getResultCode()
                : ((SearchResultDoneProtocolOp) message.getProtocolOp()).getResultCode();
    }

    @Test
    @Proves("1.3.6.1.1.8")
    @Requirement(rfc = 3909, section = "2.3", text = "Cancel ends the operation with the result canceled")
    public void canceledSearchesEndWithThatResult() throws Exception {
        try (RawClient client = new RawClient(server.port(), 4096)) {
            client.bindAsAdmin();
            client.send(devices(1));
            assertEquals(1, client.read().getMessageID());
            client.send(RawClient.bytes(2, cancel(1)));
            int entries = 1;
            LDAPMessage next = client.read();
            for (; next.getProtocolOp() instanceof SearchResultEntryProtocolOp; next = client.read()) {
                entries++;
            }
            assertTrue("stopped after " + entries, entries < DEVICES);
            assertEquals(1, next.getMessageID());
            assertEquals("canceled", 118, resultOf(next));
            LDAPMessage answer = client.read();
            assertEquals(2, answer.getMessageID());
            assertEquals("success", 0, resultOf(answer));
        }
    }

    @Test
    @Requirement(rfc = 3909, section = "2.3",
            text = "Each cancel request is answered, also of an operation that is being canceled")
    public void anOperationIsCanceledOnce() throws Exception {
        try (RawClient client = new RawClient(server.port(), 4096)) {
            client.bindAsAdmin();
            client.send(devices(1));
            assertEquals(1, client.read().getMessageID());
            byte[][] requests = new byte[101][];
            Arrays.setAll(requests, i -> RawClient.bytes(i + 2, cancel(1)));
            requests[100] = RawClient.bytes(102, new BindRequestProtocolOp("", ""));
            client.send(requests);
            Set<Integer> answered = new HashSet<>();
            LDAPMessage next = client.read();
            for (; !(next.getProtocolOp() instanceof BindResponseProtocolOp); next = client.read()) {
                if (!(next.getProtocolOp() instanceof SearchResultEntryProtocolOp)) {
                    assertTrue("a second answer to " + next.getMessageID(), answered.add(next.getMessageID()));
                }
            }
            assertEquals("before the bind, which waits for them", 101, answered.size());
        }
    }

    private static byte[] following(int messageId) throws LDAPException {
        return RawClient.bytes(messageId, search(USERS, SearchScope.SUB, "(objectClass=*)"),
                new PersistentSearchRequestControl(PersistentSearchChangeType.allChangeTypes(), true, true));
    }

    @Test
    @Requirement(rfc = 4511, section = "4.1.1.1", text = "The message ID of a request in progress is not taken for another one")
    public void messageIdsAreTakenAgainOnlyWhenTheirRequestsHaveEnded() throws Exception {
        try (RawClient client = new RawClient(server.port())) {
            client.bindAsAdmin();
            client.send(following(7), RawClient.bytes(7, search(USERS, SearchScope.BASE, "(objectClass=*)", "1.1")));
            LDAPMessage refused = client.read();
            assertEquals(7, refused.getMessageID());
            assertEquals("protocolError", 2, resultCode(refused));
            for (int i = 0; i < 1000; i++) {
                client.send(RawClient.bytes(8, search(USERS, SearchScope.BASE, "(objectClass=*)", "1.1")));
                assertEquals(8, client.read().getMessageID());
                assertEquals("at once when the answer is there", 0, resultCode(client.read()));
            }
            client.send(RawClient.bytes(9, cancel(7)));
            assertEquals("canceled", 118, resultOf(client.read()));
            assertEquals(0, resultOf(client.read()));
        }
    }

    @Test
    @Requirement(rfc = 3909, section = "2.3", text = "noSuchOperation, cannotCancel, protocolError")
    public void whatIsNotBeingDoneCannotBeCanceled() throws Exception {
        try (RawClient client = new RawClient(server.port())) {
            client.bindAsAdmin();
            client.send(RawClient.bytes(2, cancel(1)));
            assertEquals("noSuchOperation", 119, resultOf(client.read()));
            client.send(RawClient.bytes(3, cancel(3)));
            assertEquals("cannotCancel", 121, resultOf(client.read()));
            client.send(RawClient.bytes(4, new ExtendedRequestProtocolOp("1.3.6.1.1.8", new ASN1OctetString("x"))));
            assertEquals("protocolError", 2, resultOf(client.read()));
        }
    }

    /** Connections of the tests before this one may still be closing. */
    @Before
    public void awaitOthers() throws Exception {
        Await.until("the connections of the tests before to be closed", () -> server.server().service().sessionCount() == 0);
    }

    /**
     * Waits until much output is queued, more than the answers to the client that looks, and stays the same while that one is served
     * many times. Returns the most that was seen.
     */
    private static long untilQueueStands() throws LDAPException {
        long most = 0;
        try (LDAPConnection other = server.admin()) {
            long before = -1;
            for (long now = 0; now < MUCH_BYTES || now != before;) {
                before = now;
                for (int i = 0; i < 200; i++) {
                    assertNotNull(other.getEntry(TestServer.userDn(1), "1.1"));
                    most = Math.max(most, server.server().service().mostQueuedBytes());
                }
                now = server.server().service().mostQueuedBytes();
            }
        }
        return most;
    }

    /** The client reads nothing until the server pauses; without back-pressure the server would queue all of the 30 MB. */
    @Test
    public void aClientThatDoesNotReadCostsBoundedMemoryAndLosesNothing() throws Exception {
        WireSettings wire = WireSettings.of("127.0.0.1", 0);
        long bound = wire.highWaterBytes() + 2L * (32 << 10);
        try (RawClient client = new RawClient(server.port(), 4096)) {
            client.bindAsAdmin();
            client.send(devices(1));
            Await.until("more queued bytes than " + wire.lowWaterBytes(),
                    () -> server.server().service().mostQueuedBytes() > wire.lowWaterBytes());
            long most = untilQueueStands();
            int entries = 0;
            LDAPMessage next = client.read();
            for (; next.getProtocolOp() instanceof SearchResultEntryProtocolOp; next = client.read()) {
                entries++;
                most = Math.max(most, server.server().service().mostQueuedBytes());
            }
            assertEquals(0, resultCode(next));
            assertEquals(DEVICES, entries);
            assertTrue("queued " + most + " bytes, at most " + bound + " are allowed", most <= bound);
        }
    }

    @Test
    public void aClientThatPipelinesAndDoesNotReadIsNotReadEither() throws Exception {
        WireSettings wire = WireSettings.of("127.0.0.1", 0);
        int requests = 4000;
        ProtocolOp request = search("cn=schema", SearchScope.BASE, "(objectClass=*)", "matchingRules");
        int requestBytes = RawClient.bytes(1, request).length;
        try (RawClient client = new RawClient(server.port(), 4096)) {
            client.bindAsAdmin();
            Thread sender = new Thread(() -> sendMany(client, request, requests));
            sender.start();
            long most = 0;
            long size = 0;
            for (int i = 0; i < 2 * requests; i++) {
                LDAPMessage next = client.read();
                size = Math.max(size, next.encode().encode().length);
                most = Math.max(most, server.server().service().mostQueuedBytes());
            }
            Await.end(sender);
            long bound = 2L * wire.highWaterBytes() + (65536 / requestBytes + 2) * (size + 64);
            assertTrue("queued " + most + " bytes, at most " + bound + " are allowed", most <= bound);
        }
    }

    private static void sendMany(RawClient client, ProtocolOp request, int count) {
        try {
            for (int i = 0; i < count; i++) {
                client.send(RawClient.bytes(i + 1, request));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    public void aClientThatGoesAwayLeavesNothingBehind() throws Exception {
        try (RawClient client = new RawClient(server.port(), 4096)) {
            client.bindAsAdmin();
            client.send(devices(1));
            client.read();
        }
        try (LDAPConnection other = server.admin()) {
            Await.until("the other connection to be closed", () -> {
                assertNotNull(other.getEntry(USERS, "1.1"));
                return server.server().service().sessionCount() == 1;
            });
        }
    }

    private static void isDisconnected(int code, byte[]... messages) throws Exception {
        try (RawClient client = new RawClient(server.port())) {
            client.send(messages);
            LDAPMessage last = client.readToEnd();
            assertNotNull(last);
            assertEquals(0, last.getMessageID());
            ExtendedResponseProtocolOp notice = last.getExtendedResponseProtocolOp();
            assertEquals("1.3.6.1.4.1.1466.20036", notice.getResponseOID());
            assertEquals(code, notice.getResultCode());
            assertFalse(notice.getDiagnosticMessage().isEmpty());
        }
    }

    @Test
    @Requirement(rfc = 4511, section = "4.1.1, 4.4.1",
            text = "Messages that cannot be parsed end the connection, with the notice of disconnection")
    @Requirement(rfc = 4511, section = "5.1", text = "Definite lengths only")
    public void brokenMessagesEndTheConnectionWithANotice() throws Exception {
        isDisconnected(2, "GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        isDisconnected(2, new byte[] {0x30, (byte) 0x84, 0x7F, 0, 0, 0});
        isDisconnected(2, new byte[] {0x30, 3, 2, 1, 1});
        isDisconnected(2, new byte[] {0x30, 5, 2, 1, 1, 0x55, 0});
        isDisconnected(2, new byte[] {0x30, 7, 2, 1, 1, 0x63, 2, 4, 0});
        isDisconnected(2, RawClient.bytes(0, new DeleteRequestProtocolOp("cn=x")));
    }

    @Test
    public void largeMessagesAreForTheAuthenticated() throws Exception {
        byte[] large = RawClient.bytes(7, new AddRequestProtocolOp("cn=large," + TestServer.SUFFIX,
                List.of(new Attribute("objectClass", "device"), new Attribute("cn", "large"),
                        new Attribute("description", "x".repeat(70_000)))));
        isDisconnected(2, large);
        try (RawClient client = new RawClient(server.port())) {
            client.bindAsAdmin();
            client.send(large);
            assertEquals(0, client.read().getAddResponseProtocolOp().getResultCode());
        }
    }

    @Test
    @Requirement(rfc = 4511, section = "4.2", text = "Versions other than 3 get protocolError")
    public void oldVersionsAreRefused() throws Exception {
        byte[] bind = RawClient.bytes(1, new BindRequestProtocolOp("", ""));
        for (int i = 0; i < bind.length - 2; i++) {
            if (bind[i] == 2 && bind[i + 1] == 1 && bind[i + 2] == 3) {
                bind[i + 2] = 2;
            }
        }
        try (RawClient client = new RawClient(server.port())) {
            client.send(bind);
            assertEquals(2, ((BindResponseProtocolOp) client.read().getProtocolOp()).getResultCode());
        }
    }

    @Test
    @Requirement(rfc = 4511, section = "4.3", text = "Unbind")
    public void unbindEndsTheConnection() throws Exception {
        try (RawClient client = new RawClient(server.port())) {
            client.send(RawClient.bytes(1, new UnbindRequestProtocolOp()));
            assertNull(client.readToEnd());
        }
    }

    @Test
    @Requirement(rfc = 4511, section = "4.4.1", text = "Notice of disconnection: unavailable")
    public void clientsAreToldWhenTheServerStops() throws Exception {
        try (TestServer other = new TestServer(); RawClient client = new RawClient(other.port())) {
            client.bindAsAdmin();
            other.server().close();
            assertEquals(52, client.readToEnd().getExtendedResponseProtocolOp().getResultCode());
        }
    }

    /** Binds, searches, compares and abandons in any order, sent without waiting, from several connections at once. */
    @Test
    @Requirement(rfc = 4511, section = "4.1.1.1", text = "Answers have the message ID of their requests")
    public void everyRequestIsAnsweredOnce() throws Exception {
        long seed = Seed.of(ConnectionTest.class);
        ExecutorService clients = Executors.newFixedThreadPool(6);
        List<Future<Void>> running = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            Random random = new Random(seed + i);
            running.add(clients.submit(() -> {
                sendInAnyOrder(random);
                return null;
            }));
        }
        for (Future<Void> each : running) {
            Await.result("the answers to a client", each);
        }
        clients.shutdown();
    }

    private static void sendInAnyOrder(Random random) throws Exception {
        int requests = 600;
        Set<Integer> expected = new HashSet<>();
        Set<Integer> abandoned = new HashSet<>();
        byte[][] messages = new byte[requests][];
        for (int id = 1; id <= requests; id++) {
            int kind = random.nextInt(100);
            messages[id - 1] = kind < 5 ? abandon(id, random, abandoned) : RawClient.bytes(id, request(kind));
            if (kind >= 5) {
                expected.add(id);
            }
        }
        expected.removeAll(abandoned);
        try (RawClient client = new RawClient(server.port(), 16_384)) {
            Thread sender = new Thread(() -> sendInPieces(client, messages, random));
            sender.start();
            Set<Integer> answered = new HashSet<>();
            while (!answered.containsAll(expected)) {
                LDAPMessage next = client.read();
                assertNotNull("the connection ends, unanswered: " + expected.stream().filter(id -> !answered.contains(id))
                        .toList(), next);
                if (!(next.getProtocolOp() instanceof SearchResultEntryProtocolOp)) {
                    assertTrue("answered twice: " + next, answered.add(next.getMessageID()));
                }
            }
            Await.end(sender);
        }
    }

    private static byte[] abandon(int id, Random random, Set<Integer> abandoned) {
        int target = 1 + random.nextInt(id);
        abandoned.add(target);
        return RawClient.bytes(id, new AbandonRequestProtocolOp(target));
    }

    private static ProtocolOp request(int kind) throws LDAPException {
        if (kind < 10) {
            return new BindRequestProtocolOp(TestServer.ADMIN, TestServer.ADMIN_PASSWORD);
        } else if (kind < 13) {
            return new BindRequestProtocolOp("", "");
        } else if (kind < 15) {
            return new SearchRequestProtocolOp(USERS, SearchScope.ONE, DereferencePolicy.NEVER, 1000, 0, false,
                    Filter.create("(objectClass=device)"), List.of());
        } else if (kind < 16) {
            return search(USERS, SearchScope.ONE, "(uid=user.1*)");
        } else if (kind < 30) {
            return new ExtendedRequestProtocolOp("1.3.6.1.4.1.4203.1.11.3", null);
        }
        return search(TestServer.userDn(1 + kind % TestServer.USERS), SearchScope.BASE, "(objectClass=*)", "cn");
    }

    private static void sendInPieces(RawClient client, byte[][] messages, Random random) {
        try {
            for (int from = 0; from < messages.length;) {
                int to = Math.min(messages.length, from + 1 + random.nextInt(300));
                client.send(Arrays.copyOfRange(messages, from, to));
                from = to;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
