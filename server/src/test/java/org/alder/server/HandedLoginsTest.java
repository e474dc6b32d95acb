package org.alder.server;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ResultCode;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.alder.partition.error.StoreException;
import org.alder.partition.testing.Await;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** Logins on a replica, which the leader counts. */
public class HandedLoginsTest {
    private static final String USER = TestServer.userDn(1);

    private final AtomicInteger asked = new AtomicInteger();
    private TestMembers members;

    @Before
    public void start() {
        members = new TestMembers(settings -> settings, settings -> settings);
        members.way(leader -> question -> {
            asked.incrementAndGet();
            return leader.apply(question);
        });
    }

    @After
    public void stop() {
        members.close();
    }

    private static void wrong(TestServer server, String dn, int times) throws LDAPException {
        try (LDAPConnection connection = server.anonymous()) {
            for (int i = 0; i < times; i++) {
                assertEquals(ResultCode.INVALID_CREDENTIALS, assertThrows(LDAPException.class, () -> connection.bind(dn, "wrong")).getResultCode());
            }
        }
    }

    private static boolean letsIn(TestServer server, String dn) throws LDAPException {
        try (LDAPConnection connection = server.anonymous()) {
            connection.bind(dn, TestServer.USER_PASSWORD);
            return true;
        } catch (LDAPException e) {
            assertEquals(e.getMessage(), ResultCode.INVALID_CREDENTIALS, e.getResultCode());
            return false;
        }
    }

    private static String stored(TestServer server, String dn, String attribute) {
        try (LDAPConnection admin = server.admin()) {
            return admin.getEntry(dn, attribute).getAttributeValue(attribute);
        } catch (LDAPException e) {
            throw new AssertionError(e);
        }
    }

    /** Neither has seen ten, and both have seen ten: the lock is written by the leader, and holds on both. */
    @Test
    public void wrongPasswordsOfAllMembersCountTogether() throws Exception {
        wrong(members.replica, USER, 5);
        Await.until("that they are told", () -> members.leader.server().logins().ledger().size() == 1 && asked.get() > 0);
        wrong(members.leader, USER, 5);
        Await.until("that the lock is written", () -> stored(members.leader, USER, "pwdAccountLockedTime") != null);
        assertEquals(false, letsIn(members.leader, USER));
        assertEquals(false, letsIn(members.replica, USER));
        int told = asked.get();
        assertTrue("others are let in", letsIn(members.replica, TestServer.userDn(2)));
        Await.until("that this is told, too", () -> asked.get() > told);
        int before = asked.get();
        wrong(members.replica, USER, 20);
        assertEquals("what is locked is not counted", before, asked.get());

        try (LDAPConnection admin = members.replica.admin()) {
            admin.modify(USER, new Modification(ModificationType.DELETE, "pwdAccountLockedTime"));
        }
        assertTrue("unlocked by a replica's administrator", letsIn(members.replica, USER));
        assertTrue(letsIn(members.leader, USER));
    }

    /** What was not done is sent again, what has no answer is not: nothing counts twice. */
    @Test
    public void whatIsNotDoneIsToldAgainAndNothingTwice() throws Exception {
        members.way(leader -> question -> asked.incrementAndGet() < 3
                ? CompletableFuture.failedFuture(new StoreException(StoreException.Kind.NOT_LEADER, "nothing was done")) : leader.apply(question));
        wrong(members.replica, USER, 1);
        Await.until("that it is told", () -> members.leader.server().logins().ledger().size() == 1);
        assertEquals(3, asked.get());
        wrong(members.leader, USER, 8);
        assertTrue("nine", letsIn(members.leader, USER));

        String other = TestServer.userDn(3);
        members.way(leader -> question -> {
            asked.incrementAndGet();
            return leader.apply(question).thenCompose(lost -> CompletableFuture.failedFuture(
                    new StoreException(StoreException.Kind.OUTCOME_UNKNOWN, "the answer was lost")));
        });
        int before = asked.get();
        wrong(members.replica, other, 1);
        Await.until("that it is told", () -> asked.get() == before + 1);
        members.way(leader -> leader);
        wrong(members.leader, other, 8);
        assertTrue("nine", letsIn(members.leader, other));
    }

    /** Cut off, it counts for itself. */
    @Test
    public void withoutALeader() throws Exception {
        members.leads(null);
        wrong(members.replica, USER, 10);
        assertEquals(false, letsIn(members.replica, USER));
        assertTrue(letsIn(members.leader, USER));
        assertEquals(0, asked.get());
    }

    /** The questions that say so are for members; what is none changes nothing, and says why. */
    @Test
    public void whatIsNoSuchQuestionIsNotCounted() throws Exception {
        byte[][] seen = new byte[1][];
        members.way(leader -> question -> {
            seen[0] = question;
            return leader.apply(question);
        });
        wrong(members.replica, USER, 1);
        Await.until("that it is told", () -> seen[0] != null);
        byte[] question = seen[0];
        members.way(leader -> leader);
        for (int i = 0; i < question.length; i++) {
            byte[] damaged = question.clone();
            damaged[i] ^= 1 << i % 7;
            AtomicInteger ended = new AtomicInteger();
            members.ask(damaged).whenComplete((answer, failure) -> ended.incrementAndGet());
            Await.until("an answer", () -> ended.get() == 1);
        }
        assertTrue("what was damaged in no way that shows is few", letsIn(members.leader, TestServer.userDn(4)));
    }
}
