package org.alder.server;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.protocol.BindRequestProtocolOp;
import com.unboundid.ldap.protocol.ExtendedRequestProtocolOp;
import com.unboundid.ldap.protocol.LDAPMessage;
import com.unboundid.ldap.protocol.SearchRequestProtocolOp;
import com.unboundid.ldap.sdk.DereferencePolicy;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.controls.PersistentSearchChangeType;
import com.unboundid.ldap.sdk.controls.PersistentSearchRequestControl;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.alder.partition.testing.Await;
import org.alder.partition.testing.Requirement;
import org.alder.server.auth.PasswordSettings;
import org.alder.server.wire.WireSettings;
import org.junit.Test;

/** How a server stops whose clients do not wait for it. */
public class StopTest {
    private static final String USERS = "ou=users," + TestServer.SUFFIX;
    private static final String START_TRANSACTION = "1.3.6.1.1.21.1";
    private static final int UNAVAILABLE = 52;

    private static TestServer server(int stopSeconds) {
        return new TestServer(settings -> settings.with(draft -> draft.wire = settings.wire().withIoThreads(1)
                .withLimits(settings.wire().limits().withStopSeconds(stopSeconds)))
                .with(draft -> draft.passwords = PasswordSettings.STANDARD.withThreads(1)));
    }

    private static byte[] devices(int id) {
        return RawClient.bytes(id, new SearchRequestProtocolOp(USERS, SearchScope.SUB, DereferencePolicy.NEVER, 0, 0, false,
                Filter.createPresenceFilter("objectClass"), List.of()));
    }

    /** What is beyond the low water stays, whatever the kernel takes of the rest. */
    private static void awaitQueue(TestServer server) throws Exception {
        int lowWaterBytes = WireSettings.of("127.0.0.1", 0).lowWaterBytes();
        Await.until("the server to have answers that nobody reads", () -> server.server().service().mostQueuedBytes() > lowWaterBytes);
    }

    private static void isToldAtTheEnd(RawClient client) throws Exception {
        LDAPMessage last = client.readToEnd();
        assertNotNull("no notice of disconnection", last);
        assertEquals("1.3.6.1.4.1.1466.20036", last.getExtendedResponseProtocolOp().getResponseOID());
        assertEquals(UNAVAILABLE, last.getExtendedResponseProtocolOp().getResultCode());
    }

    /** Some do not read, hold transactions, follow changes, or have more passwords hashed than can be in the time. */
    @Test(timeout = Await.MILLIS)
    @Requirement(rfc = 4511, section = "4.4.1", text = "Clients are told when the server stops")
    public void nobodyDelaysTheStopForLongerThanItsTime() throws Exception {
        List<RawClient> clients = new ArrayList<>();
        TestServer server = server(1);
        try {
            server.addDevices(30_000);
            for (int i = 0; i < 4; i++) {
                clients.add(new RawClient(server.port(), 4096));
                clients.get(i).bindAsAdmin();
            }
            clients.get(0).send(devices(1));
            awaitQueue(server);
            RawClient transaction = clients.get(1);
            transaction.send(RawClient.bytes(2, new ExtendedRequestProtocolOp(START_TRANSACTION, null)));
            assertEquals(0, transaction.read().getExtendedResponseProtocolOp().getResultCode());
            RawClient follower = clients.get(2);
            follower.send(RawClient.bytes(3, new SearchRequestProtocolOp(USERS, SearchScope.SUB, DereferencePolicy.NEVER, 0, 0, false,
                    Filter.createPresenceFilter("objectClass"), List.of()), new PersistentSearchRequestControl(
                            PersistentSearchChangeType.allChangeTypes(), true, true)));
            RawClient idle = clients.get(3);
            for (int i = 0; i < 40; i++) {
                RawClient binding = new RawClient(server.port());
                clients.add(binding);
                binding.send(RawClient.bytes(4, new BindRequestProtocolOp(TestServer.userDn(i + 1), "wrong")));
            }
            Await.until("passwords to wait", () -> server.server().hashing().waiting() > 10);
            Await.result("the server to stop", CompletableFuture.runAsync(server::close, Await.THREADS));
            isToldAtTheEnd(transaction);
            isToldAtTheEnd(follower);
            isToldAtTheEnd(idle);
        } finally {
            for (RawClient client : clients) {
                client.close();
            }
            server.close();
        }
    }

    /** Its answer was lost: the client could not know whether it has bound. */
    @Test(timeout = Await.MILLIS)
    public void whatHasBegunIsAnsweredAndNothingElseBegins() throws Exception {
        try (TestServer server = server(Await.MILLIS / 1000); RawClient client = new RawClient(server.port(), 4096)) {
            int port = server.port();
            server.addDevices(30_000);
            client.bindAsAdmin();
            client.send(devices(1));
            awaitQueue(server);
            CompletableFuture<Void> stopped = CompletableFuture.runAsync(server::close, Await.THREADS);
            Await.until("the server to accept nobody", () -> {
                try (RawClient late = new RawClient(port)) {
                    return late.read() == null;
                } catch (ConnectException e) {
                    return true;
                } catch (LDAPException e) {
                    // Taken by the system in the last moment, and reset.
                    return e.getResultCode() == ResultCode.SERVER_DOWN;
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            });
            int entries = 0;
            LDAPMessage next = client.read();
            for (; next.getProtocolOpType() == LDAPMessage.PROTOCOL_OP_TYPE_SEARCH_RESULT_ENTRY; next = client.read()) {
                entries++;
            }
            assertTrue("all of the answer", entries > 30_000);
            assertEquals(0, next.getSearchResultDoneProtocolOp().getResultCode());
            isToldAtTheEnd(client);
            Await.result("the server to have stopped", stopped);
        }
    }
}
