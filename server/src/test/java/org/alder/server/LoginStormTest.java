package org.alder.server;

import static org.alder.server.ClientTests.fails;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.protocol.AbandonRequestProtocolOp;
import com.unboundid.ldap.protocol.BindRequestProtocolOp;
import com.unboundid.ldap.protocol.ExtendedRequestProtocolOp;
import com.unboundid.ldap.protocol.LDAPMessage;
import com.unboundid.ldap.protocol.UnbindRequestProtocolOp;
import com.unboundid.ldap.sdk.ExtendedRequest;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.ResultCode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.alder.partition.testing.Await;
import org.alder.partition.testing.Requirement;
import org.alder.server.extended.WhoAmI;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** What binds do to others while their passwords cannot be hashed, because the one thread for it has something else to do. */
public class LoginStormTest {
    private static final int MOST_WAITING = 8;
    private static final String USER = "uid=hashed,ou=users," + TestServer.SUFFIX;

    private final CountDownLatch released = new CountDownLatch(1);
    private final CountDownLatch busy = new CountDownLatch(1);
    private final List<RawClient> clients = new ArrayList<>();
    private TestServer server;

    @Before
    public void occupy() throws Exception {
        server = new TestServer(settings -> settings.with(draft -> draft.passwords = TestServer.QUICK_PASSWORDS.withThreads(1)
                .withMostWaiting(MOST_WAITING)));
        server.add(USER, "objectClass: inetOrgPerson", "uid: hashed", "cn: x", "sn: x",
                "userPassword: {SSHA}2D7DXcHaxkWxjlTTFhTzbi4Z/sdhYmNk");
        server.server().hashing().run("nobody", "nobody", () -> {
            busy.countDown();
            Await.latch("the release", released);
            return true;
        });
        Await.latch("the thread to be busy", busy);
    }

    @After
    public void close() throws Exception {
        released.countDown();
        for (RawClient client : clients) {
            client.close();
        }
        server.close();
    }

    /** A client whose bind waits. */
    private RawClient waiting() throws Exception {
        int before = server.server().hashing().waiting();
        RawClient client = new RawClient(server.port());
        clients.add(client);
        client.send(RawClient.bytes(1, new BindRequestProtocolOp(USER, "password")));
        Await.until("the bind waits", () -> server.server().hashing().waiting() == before + 1);
        return client;
    }

    @Test
    public void bindsThatWaitDelayNoSearch() throws Exception {
        RawClient client = waiting();
        try (LDAPConnection user = server.user(1)) {
            assertNotNull(user.getEntry(TestServer.userDn(2)));
        }
        released.countDown();
        assertEquals(0, client.read().getBindResponseProtocolOp().getResultCode());
    }

    @Test
    @Requirement(rfc = 4511, section = "4.1.9", text = "A bind beyond what the server can check is answered with busy, and its connection lives")
    public void oneBindTooManyIsAnsweredWithBusyAndItsConnectionLives() throws Exception {
        for (int i = 0; i < MOST_WAITING / 2; i++) {
            waiting();
        }
        try (LDAPConnection client = server.anonymous()) {
            LDAPException refusal = fails(ResultCode.BUSY, () -> client.bind(USER, "password"));
            assertTrue(refusal.getMessage(), refusal.getMessage().contains("passwordQueue"));
            client.bind(TestServer.ADMIN, TestServer.ADMIN_PASSWORD);
            released.countDown();
            for (RawClient each : clients) {
                assertEquals(0, each.read().getBindResponseProtocolOp().getResultCode());
            }
            client.bind(USER, "password");
        }
    }

    @Test
    public void whoGoesAwayLeavesTheQueue() throws Exception {
        waiting().close();
        Await.until("the closed connection's bind is gone", () -> server.server().hashing().waiting() == 0);
        waiting().send(RawClient.bytes(2, new UnbindRequestProtocolOp()));
        Await.until("the bind is gone whose client has unbound", () -> server.server().hashing().waiting() == 0);
    }

    @Test
    @Requirement(rfc = 4511, section = "4.2.1", text = "Requests that follow a bind wait for it, as long as its password waits to be checked")
    public void requestsDuringABindWaitForItAndItCannotBeAbandoned() throws Exception {
        RawClient client = waiting();
        client.send(RawClient.bytes(2, new AbandonRequestProtocolOp(1)),
                RawClient.bytes(3, new ExtendedRequestProtocolOp(new ExtendedRequest(WhoAmI.OID))));
        try (LDAPConnection other = server.user(1)) {
            assertNotNull(other.getEntry(TestServer.userDn(2)));
        }
        assertEquals(1, server.server().hashing().waiting());
        released.countDown();
        assertEquals(0, client.read().getBindResponseProtocolOp().getResultCode());
        LDAPMessage who = client.read();
        assertEquals("dn:" + USER, who.getExtendedResponseProtocolOp().getResponseValue().stringValue());
    }

    /** Each waits for the threads that hash exactly once, so that the time tells nothing. */
    @Test
    public void allFailuresTakeTheSameWayAndGetTheSameAnswer() throws Exception {
        server.add("uid=locked,ou=users," + TestServer.SUFFIX, "objectClass: inetOrgPerson", "uid: locked", "cn: x", "sn: x",
                "userPassword: !{SSHA}2D7DXcHaxkWxjlTTFhTzbi4Z/sdhYmNk");
        List<String> names = List.of(USER, TestServer.userDn(1), "uid=nobody,ou=users," + TestServer.SUFFIX, "cn=under no suffix",
                "uid=locked,ou=users," + TestServer.SUFFIX, "ou=users," + TestServer.SUFFIX, TestServer.ADMIN);
        int limit = MOST_WAITING / 2;
        List<RawClient> asked = new ArrayList<>();
        for (String name : names.subList(0, limit)) {
            asked.add(wrong(name));
        }
        released.countDown();
        List<LDAPMessage> answers = new ArrayList<>();
        for (RawClient client : asked) {
            answers.add(client.read());
        }
        for (String name : names.subList(limit, names.size())) {
            answers.add(wrong(name).read());
        }
        String answer = null;
        for (LDAPMessage response : answers) {
            assertEquals(49, response.getBindResponseProtocolOp().getResultCode());
            String message = response.getBindResponseProtocolOp().getDiagnosticMessage();
            assertEquals(answer == null ? message : answer, message);
            answer = message;
        }
    }

    /** The right password of an account out of use waits as a wrong one does, and gets the answer of an unknown name. */
    @Test
    public void lockedAccountsAreAsSlowAsWrongPasswords() throws Exception {
        for (int i = 0; i < 2; i++) {
            // Of the first the password is in clear text, which needs no hash.
            server.add("uid=off." + i + ",ou=users," + TestServer.SUFFIX, "objectClass: inetOrgPerson", "uid: off." + i, "cn: x",
                    "sn: x", "nsAccountLock: true", "userPassword: " + (i == 0 ? "password" : "{SSHA}2D7DXcHaxkWxjlTTFhTzbi4Z/sdhYmNk"));
        }
        List<RawClient> asked = List.of(bind("uid=off.0,ou=users," + TestServer.SUFFIX, "password"),
                bind("uid=off.1,ou=users," + TestServer.SUFFIX, "password"), wrong("uid=nobody,ou=users," + TestServer.SUFFIX));
        released.countDown();
        List<String> messages = new ArrayList<>();
        for (RawClient client : asked) {
            LDAPMessage answer = client.read();
            assertEquals(49, answer.getBindResponseProtocolOp().getResultCode());
            assertTrue(answer.getControls().isEmpty());
            messages.add(answer.getBindResponseProtocolOp().getDiagnosticMessage());
        }
        assertEquals(1, new HashSet<>(messages).size());
    }

    private RawClient wrong(String name) throws Exception {
        return bind(name, "wrong");
    }

    private RawClient bind(String name, String password) throws Exception {
        int before = server.server().hashing().waiting();
        RawClient client = new RawClient(server.port());
        clients.add(client);
        client.send(RawClient.bytes(1, new BindRequestProtocolOp(name, password)));
        if (released.getCount() > 0) {
            Await.until(name + " waits", () -> server.server().hashing().waiting() == before + 1);
        }
        return client;
    }
}
