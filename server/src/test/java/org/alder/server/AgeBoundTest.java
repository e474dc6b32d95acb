package org.alder.server;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.asn1.ASN1OctetString;
import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.CompareRequest;
import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.SimpleBindRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.alder.partition.error.StoreException;
import org.alder.partition.testing.Await;
import org.alder.server.control.AgeBound;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** Reads that say how old what they show may be, on a replica that asks its leader. */
public class AgeBoundTest {
    private static final String DEVICE = "cn=device,ou=users," + TestServer.SUFFIX;

    private final ExecutorService background = Executors.newCachedThreadPool();
    private final AtomicInteger asked = new AtomicInteger();
    private TestMembers members;
    private LDAPConnection admin;
    private LDAPConnection atLeader;

    @Before
    public void start() throws LDAPException {
        members = new TestMembers(settings -> settings, settings -> settings);
        members.way(leader -> question -> {
            asked.incrementAndGet();
            return leader.apply(question);
        });
        admin = members.replica.admin();
        atLeader = members.leader.admin();
    }

    @After
    public void stop() {
        background.shutdownNow();
        admin.close();
        atLeader.close();
        members.close();
    }

    private static Control bound(String millis) {
        return new Control(AgeBound.CONTROL.oid(), true, new ASN1OctetString(millis));
    }

    private static int found(LDAPConnection connection, String millis) throws LDAPException {
        SearchRequest search = new SearchRequest("ou=users," + TestServer.SUFFIX, SearchScope.ONE, "(cn=device)");
        search.addControl(bound(millis));
        return connection.search(search).getEntryCount();
    }

    private Future<Integer> foundLater(LDAPConnection connection, String millis) {
        return background.submit(() -> found(connection, millis));
    }

    private void add() throws LDAPException {
        atLeader.add(DEVICE, new Attribute("objectClass", "device"), new Attribute("cn", "device"));
    }

    private static void assertBusy(String message, LDAPException failure) {
        assertEquals(failure.getMessage(), ResultCode.BUSY, failure.getResultCode());
        assertTrue(failure.getMessage(), failure.getMessage().contains(message));
    }

    private static LDAPException failure(Future<?> read) {
        return (LDAPException) assertThrows(ExecutionException.class, () -> read.get(Await.MILLIS, TimeUnit.MILLISECONDS)).getCause();
    }

    @Test
    @Proves("2.25.278641466010882381359084238697260762259.5.3")
    public void aReadWaitsForWhatWasAcknowledgedBeforeIt() throws Exception {
        members.fallBehind();
        add();
        assertEquals("nobody asks without a bound", 0, asked.get());
        Future<Integer> found = foundLater(admin, "0");
        Await.until("that it waits", () -> members.waiting() == 1);
        try (LDAPConnection other = members.replica.admin()) {
            assertNotNull("others do not wait", other.getEntry(TestServer.SUFFIX));
        }
        assertFalse(found.isDone());
        members.catchUp();
        assertEquals(1, (int) found.get(Await.MILLIS, TimeUnit.MILLISECONDS));
        assertEquals("at the leader", 1, found(atLeader, "0"));

        members.fallBehind();
        CompareRequest compare = new CompareRequest(DEVICE, "cn", "device", new Control[] {bound("0")});
        Future<Boolean> compared = background.submit(() -> admin.compare(compare).compareMatched());
        Await.until("that it waits", () -> members.waiting() == 1);
        members.giveUpWaiting();
        assertBusy("does not show yet", failure(compared));
        SimpleBindRequest bind = new SimpleBindRequest(TestServer.ADMIN, TestServer.ADMIN_PASSWORD, bound("0"));
        Future<ResultCode> bound = background.submit(() -> admin.bind(bind).getResultCode());
        Await.until("that it waits", () -> members.waiting() == 1);
        members.catchUp();
        assertEquals(ResultCode.SUCCESS, bound.get(Await.MILLIS, TimeUnit.MILLISECONDS));
    }

    /** What was heard lately is new enough for who allows that; 0 has the leader asked each time. */
    @Test
    public void theLeaderIsAskedNoMoreThanTheBoundDemands() throws Exception {
        found(admin, "3600000");
        assertEquals(1, asked.get());
        found(admin, "3600000");
        assertEquals(1, asked.get());
        found(admin, "0");
        assertEquals(2, asked.get());
        members.way(leader -> question -> CompletableFuture.failedFuture(new StoreException(StoreException.Kind.NOT_LEADER, "cut off")));
        assertBusy("cut off", assertThrows(LDAPException.class, () -> found(admin, "0")));
        assertEquals("what was heard counts as long as it is new enough", 0, found(admin, "3600000"));
    }

    /** The answer to a question that was sent before says nothing of what was acknowledged since; many that wait share the next one. */
    @Test
    public void readsShareQuestionsThatCameAfterThem() throws Exception {
        CompletableFuture<Void> held = new CompletableFuture<>();
        members.way(leader -> question -> {
            asked.incrementAndGet();
            CompletableFuture<byte[]> answer = leader.apply(question);
            return asked.get() == 1 ? held.thenCompose(released -> answer) : answer;
        });
        Future<Integer> first = foundLater(admin, "0");
        Await.until("that it is asked", () -> asked.get() == 1);
        add();
        members.fallBehind();
        List<LDAPConnection> others = new ArrayList<>();
        List<Future<Integer>> found = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            others.add(members.replica.admin());
            found.add(foundLater(others.get(i), "0"));
        }
        Thread.sleep(100);
        held.complete(null);
        Await.until("that they wait", () -> members.waiting() >= 8);
        assertTrue("one question for all, or two: " + asked.get(), asked.get() <= 3);
        members.catchUp();
        for (Future<Integer> each : found) {
            assertEquals(1, (int) each.get(Await.MILLIS, TimeUnit.MILLISECONDS));
        }
        first.get(Await.MILLIS, TimeUnit.MILLISECONDS);
        others.forEach(LDAPConnection::close);
    }

    /** A member that does not know what it lacks says so, instead of showing what is old. */
    @Test
    public void cutOff() throws Exception {
        add();
        members.way(leader -> question -> new CompletableFuture<>());
        Future<Integer> silent = foundLater(admin, "50");
        assertBusy("no answer for", failure(silent));
        assertNotNull("without a bound it shows what it has", admin.getEntry(DEVICE));

        members.way(leader -> leader);
        members.isCertain(false);
        assertBusy("not certain", assertThrows(LDAPException.class, () -> found(admin, "0")));
        members.isCertain(true);
        assertEquals(1, found(admin, "0"));

        members.leads(null);
        assertBusy("nobody leads", assertThrows(LDAPException.class, () -> found(admin, "0")));
        Future<Integer> elected = foundLater(admin, "0");
        Thread.sleep(100);
        members.leads("node1");
        assertEquals(1, (int) elected.get(Await.MILLIS, TimeUnit.MILLISECONDS));

        members.refusal(new org.alder.partition.error.NotLeaderException("another one leads", "ldap://leader:389"));
        assertEquals(ResultCode.UNWILLING_TO_PERFORM, assertThrows(LDAPException.class, () -> found(admin, "0")).getResultCode());
    }

    /** One that thinks it leads, and does not know whether another one does. */
    @Test
    public void aLeaderThatIsNotCertain() throws Exception {
        add();
        members.isCertain(false);
        assertThrows(LDAPException.class, () -> found(atLeader, "0"));
        assertNotNull(atLeader.getEntry(DEVICE));
        members.isCertain(true);
        assertEquals(1, found(atLeader, "0"));
    }

    @Test
    public void whatIsNoNumberIsRefused() {
        for (String wrong : List.of("", "-1", "1.5", "1234567890", "0x1")) {
            assertEquals(wrong, ResultCode.PROTOCOL_ERROR, assertThrows(LDAPException.class, () -> found(admin, wrong)).getResultCode());
        }
    }
}
