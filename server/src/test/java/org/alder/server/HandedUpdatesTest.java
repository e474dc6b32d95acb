package org.alder.server;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.asn1.ASN1OctetString;
import com.unboundid.ldap.sdk.AddRequest;
import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.CompareRequest;
import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.LDAPResult;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ModifyDNRequest;
import com.unboundid.ldap.sdk.ModifyRequest;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchResult;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.controls.AssertionRequestControl;
import com.unboundid.ldap.sdk.controls.PostReadRequestControl;
import com.unboundid.ldap.sdk.controls.PostReadResponseControl;
import com.unboundid.ldap.sdk.controls.ProxiedAuthorizationV2RequestControl;
import com.unboundid.ldap.sdk.controls.TransactionSpecificationRequestControl;
import com.unboundid.ldap.sdk.extensions.EndTransactionExtendedRequest;
import com.unboundid.ldap.sdk.extensions.EndTransactionExtendedResult;
import com.unboundid.ldap.sdk.extensions.PasswordModifyExtendedRequest;
import com.unboundid.ldap.sdk.extensions.PasswordModifyExtendedResult;
import com.unboundid.ldap.sdk.extensions.StartTransactionExtendedRequest;
import com.unboundid.ldap.sdk.extensions.StartTransactionExtendedResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.alder.partition.error.NotLeaderException;
import org.alder.partition.error.StoreException;
import org.alder.partition.testing.Await;
import org.alder.server.access.AccessRule;
import org.alder.server.access.AccessRuleParser;
import org.alder.server.audit.AuditLevel;
import org.alder.server.audit.AuditSettings;
import org.alder.server.audit.LogFiles;
import org.alder.server.control.ReadPoint;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Updates that a replica hands on to the leader, and reads behind them, through an independent client. */
public class HandedUpdatesTest {
    private static final String USERS = "ou=users," + TestServer.SUFFIX;
    private static final String DEVICE = "cn=device," + USERS;

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private TestMembers members;
    private LDAPConnection admin;

    private interface ThrowingLdap {
        void run() throws LDAPException;
    }

    @Before
    public void start() throws LDAPException {
        AuditSettings audit = new AuditSettings(AuditLevel.WRITES, new LogFiles(audit(), 1 << 30, 0, 0), true);
        members = new TestMembers(settings -> settings.with(draft -> draft.audit = audit), settings -> settings);
        admin = members.replica.admin();
    }

    @After
    public void stop() {
        admin.close();
        members.close();
    }

    private Path audit() {
        return folder.getRoot().toPath().resolve("audit.jsonl");
    }

    private static AddRequest device(String dn, Control... controls) {
        return new AddRequest(dn, new Attribute[] {new Attribute("objectClass", "device"),
                new Attribute("cn", dn.substring(dn.indexOf('=') + 1, dn.indexOf(',')))}, controls);
    }

    private static ModifyRequest describe(String dn, String text, Control... controls) {
        return new ModifyRequest(dn, List.of(new Modification(ModificationType.REPLACE, "description", text)), controls);
    }

    private SearchResultEntry read(String dn) throws LDAPException {
        return admin.getEntry(dn, "*", "+");
    }

    private static LDAPException failure(ThrowingLdap operation) {
        return assertThrows(LDAPException.class, operation::run);
    }

    private static void assertFails(ResultCode code, String message, ThrowingLdap operation) {
        LDAPException failure = failure(operation);
        assertEquals(failure.getMessage(), code, failure.getResultCode());
        assertTrue(failure.getMessage(), failure.getMessage().contains(message));
    }

    @Test
    public void eachKindOfUpdate() throws LDAPException {
        assertEquals(ResultCode.SUCCESS, admin.add(device(DEVICE)).getResultCode());
        assertEquals(TestServer.ADMIN, read(DEVICE).getAttributeValue("creatorsName"));
        admin.modify(describe(DEVICE, "one"));
        assertEquals("one", read(DEVICE).getAttributeValue("description"));
        admin.modifyDN(new ModifyDNRequest(DEVICE, "cn=other", true));
        assertNotNull(read("cn=other," + USERS));
        admin.delete("cn=other," + USERS);
        assertEquals(null, read("cn=other," + USERS));
        assertFails(ResultCode.NO_SUCH_OBJECT, "", () -> admin.delete("cn=other," + USERS));
        assertEquals(USERS, failure(() -> admin.delete("cn=other," + USERS)).getMatchedDN());
        assertFails(ResultCode.OBJECT_CLASS_VIOLATION, "", () -> admin.add(new AddRequest(DEVICE, new Attribute("objectClass", "device"),
                new Attribute("cn", "device"), new Attribute("sn", "none"))));
        admin.modify(describe(TestServer.OTHER_SUFFIX, "which this member leads itself"));
    }

    /** It was begun where it came to, and nothing of it was done. */
    @Test
    public void anUpdateThatComesWhileALeaderHandsOverIsHandedOn() throws LDAPException {
        members.handOver();
        LDAPResult added = admin.add(device(DEVICE, new PostReadRequestControl("cn")));
        assertEquals("device", PostReadResponseControl.get(added).getEntry().getAttributeValue("cn"));
        members.handOver();
        admin.modify(describe(DEVICE, "one"));
        assertEquals("one", read(DEVICE).getAttributeValue("description"));
        members.handOver();
        assertFails(ResultCode.OBJECT_CLASS_VIOLATION, "", () -> admin.modify(DEVICE, new Modification(ModificationType.ADD, "sn", "none")));
    }

    @Test
    public void controlsGoAlong() throws LDAPException {
        admin.add(device(DEVICE));
        LDAPResult result = admin.modify(describe(DEVICE, "one", new PostReadRequestControl("description")));
        assertEquals("one", PostReadResponseControl.get(result).getEntry().getAttributeValue("description"));
        assertFails(ResultCode.ASSERTION_FAILED, "",
                () -> admin.modify(describe(DEVICE, "two", new AssertionRequestControl("(description=none)", true))));
        Control asUser = new ProxiedAuthorizationV2RequestControl("dn:" + TestServer.userDn(1));
        assertFails(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, TestServer.userDn(1), () -> admin.modify(describe(DEVICE, "by a user", asUser)));
    }

    /** What the leader's rules say of who asks, whoever hands it on. */
    @Test
    public void theIdentityGoesAlong() throws Exception {
        try (LDAPConnection user = members.replica.user(1); LDAPConnection anonymous = members.replica.anonymous()) {
            assertFails(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, "", () -> user.add(device(DEVICE)));
            assertFails(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, "", () -> anonymous.delete(TestServer.userDn(2)));
            user.modify(TestServer.userDn(1), new Modification(ModificationType.REPLACE, "userPassword", "another password"));
            assertEquals(TestServer.userDn(1), read(TestServer.userDn(1)).getAttributeValue("modifiersName"));
            user.bind(TestServer.userDn(1), "another password");
            int port = user.getConnectedPort();
            assertTrue(port > 0);
        }
        members.leader.server().close();
        String lines = Files.readString(audit());
        assertTrue(lines, lines.contains(TestServer.userDn(1)) && lines.contains("127.0.0.1:"));
    }

    /** Rules of the leader by address, encryption and mechanism mean those of the client's connection to the replica. */
    @Test
    public void theConnectionGoesAlong() throws Exception {
        stop();
        List<AccessRule> rules = new ArrayList<>();
        for (String text : List.of("deny write of title to not address 127.0.0.1", "deny write of title to ssf 1", "deny write of title to tls",
                "deny write of title to not mechanism SIMPLE", "grant all of *, + to dn \"" + TestServer.userDn(1) + '"',
                "grant all of *, + to address unix", "grant authenticate to anyone")) {
            rules.add(AccessRuleParser.parse(TestServer.SCHEMA, text, ""));
        }
        members = new TestMembers(settings -> settings.with(draft -> draft.accessRules = rules), settings -> settings);
        admin = members.replica.admin();
        Modification title = new Modification(ModificationType.REPLACE, "title", "made");
        try (LDAPConnection first = members.replica.user(1); LDAPConnection second = members.replica.user(2)) {
            first.modify(TestServer.userDn(3), title);
            assertFails(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, "", () -> second.modify(TestServer.userDn(3), title));
        }
        assertEquals("made", read(TestServer.userDn(3)).getAttributeValue("title"));
    }

    @Test
    public void passwordModify() throws LDAPException {
        try (LDAPConnection user = members.replica.user(3)) {
            user.processExtendedOperation(new PasswordModifyExtendedRequest(TestServer.USER_PASSWORD, "quite another one"));
            user.bind(TestServer.userDn(3), "quite another one");
            PasswordModifyExtendedResult made = (PasswordModifyExtendedResult) admin.processExtendedOperation(
                    new PasswordModifyExtendedRequest("u:user.4", (String) null, null));
            assertEquals(made.getDiagnosticMessage(), ResultCode.SUCCESS, made.getResultCode());
            user.bind(TestServer.userDn(4), made.getGeneratedPassword());
            assertEquals(ResultCode.INVALID_CREDENTIALS,
                    user.processExtendedOperation(new PasswordModifyExtendedRequest("wrong one", "more")).getResultCode());
        }
    }

    private ASN1OctetString begin() throws LDAPException {
        return ((StartTransactionExtendedResult) admin.processExtendedOperation(new StartTransactionExtendedRequest())).getTransactionID();
    }

    private EndTransactionExtendedResult end(ASN1OctetString id) throws LDAPException {
        return (EndTransactionExtendedResult) admin.processExtendedOperation(new EndTransactionExtendedRequest(id, true));
    }

    @Test
    public void transactions() throws LDAPException {
        ASN1OctetString other = begin();
        ASN1OctetString id = begin();
        Control in = new TransactionSpecificationRequestControl(id);
        admin.add(device(DEVICE, in));
        int modified = admin.modify(describe(DEVICE, "made", in, new PostReadRequestControl("description"))).getMessageID();
        admin.processExtendedOperation(new PasswordModifyExtendedRequest(TestServer.userDn(5), null, "in a transaction", new Control[] {in}));
        assertEquals("nothing before its end", null, read(DEVICE));
        EndTransactionExtendedResult made = end(id);
        assertEquals(made.getDiagnosticMessage(), ResultCode.SUCCESS, made.getResultCode());
        assertEquals(1, made.getOperationResponseControls(modified).length);
        assertEquals("made", read(DEVICE).getAttributeValue("description"));
        admin.processExtendedOperation(new EndTransactionExtendedRequest(other, false));

        ASN1OctetString second = begin();
        Control inSecond = new TransactionSpecificationRequestControl(second);
        admin.add(device("cn=more," + USERS, inSecond));
        int failing = admin.add(device(DEVICE, inSecond)).getMessageID();
        EndTransactionExtendedResult failed = end(second);
        assertEquals(ResultCode.ENTRY_ALREADY_EXISTS, failed.getResultCode());
        assertEquals(failing, failed.getFailedOpMessageID());
        assertEquals("all or nothing", null, read("cn=more," + USERS));

        ASN1OctetString third = begin();
        Control inThird = new TransactionSpecificationRequestControl(third);
        admin.modify(describe(DEVICE, "not", inThird));
        admin.modify(describe(TestServer.OTHER_SUFFIX, "not", inThird));
        assertEquals(ResultCode.AFFECTS_MULTIPLE_DSAS, end(third).getResultCode());
        assertEquals("made", read(DEVICE).getAttributeValue("description"));
    }

    @Test
    public void aTransactionThatComesWhileALeaderHandsOverIsHandedOn() throws LDAPException {
        ASN1OctetString id = begin();
        Control in = new TransactionSpecificationRequestControl(id);
        admin.add(device(DEVICE, in));
        int modified = admin.modify(describe(DEVICE, "made", in, new PostReadRequestControl("description"))).getMessageID();
        members.handOver();
        EndTransactionExtendedResult made = end(id);
        assertEquals(made.getDiagnosticMessage(), ResultCode.SUCCESS, made.getResultCode());
        assertEquals(1, made.getOperationResponseControls(modified).length);
        assertEquals("made", read(DEVICE).getAttributeValue("description"));
        ASN1OctetString second = begin();
        int failing = admin.add(device(DEVICE, new TransactionSpecificationRequestControl(second))).getMessageID();
        members.handOver();
        EndTransactionExtendedResult failed = end(second);
        assertEquals(ResultCode.ENTRY_ALREADY_EXISTS, failed.getResultCode());
        assertEquals(failing, failed.getFailedOpMessageID());
    }

    /** Sent again is only what was not made; what may have been made is not. */
    @Test
    public void leadersThatComeAndGo() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        members.way(leader -> question -> asked.incrementAndGet() < 3
                ? CompletableFuture.failedFuture(new StoreException(StoreException.Kind.NOT_LEADER, "nothing was done")) : leader.apply(question));
        admin.add(device(DEVICE));
        assertEquals(3, asked.get());

        asked.set(0);
        members.way(leader -> question -> {
            asked.incrementAndGet();
            return leader.apply(question).thenCompose(lost -> CompletableFuture.failedFuture(
                    new StoreException(StoreException.Kind.OUTCOME_UNKNOWN, "it is not known whether it was made")));
        });
        assertFails(ResultCode.UNAVAILABLE, "not known", () -> admin.modify(describe(DEVICE, "perhaps")));
        assertEquals("sent once", 1, asked.get());
        members.way(leader -> leader);
        assertEquals("perhaps", read(DEVICE).getAttributeValue("description"));

        members.leads(null);
        Future<LDAPResult> waits = inBackground(() -> admin.modify(describe(DEVICE, "later")));
        assertThrows(java.util.concurrent.TimeoutException.class, () -> waits.get(300, TimeUnit.MILLISECONDS));
        members.leads("node1");
        assertEquals(ResultCode.SUCCESS, waits.get(Await.MILLIS, TimeUnit.MILLISECONDS).getResultCode());

        members.leads(null);
        Future<LDAPResult> here = inBackground(() -> admin.modify(describe(DEVICE, "here")));
        assertThrows(java.util.concurrent.TimeoutException.class, () -> here.get(300, TimeUnit.MILLISECONDS));
        members.refusal(null);
        assertEquals("this member leads now", ResultCode.SUCCESS, here.get(Await.MILLIS, TimeUnit.MILLISECONDS).getResultCode());
        assertEquals("here", read(DEVICE).getAttributeValue("description"));
    }

    @Test
    public void withoutALeaderForLongAndWhereItIsNotHandedOn() {
        members.leads(null);
        assertFails(ResultCode.UNAVAILABLE, "nothing was done", () -> admin.add(device(DEVICE)));
        members.refusal(new NotLeaderException("another one leads; nothing was done", "ldap://leader:389"));
        assertFails(ResultCode.REFERRAL, "another one leads", () -> admin.add(device(DEVICE)));
        members.refusal(new NotLeaderException("another one leads; nothing was done", null));
        assertFails(ResultCode.UNAVAILABLE, "another one leads", () -> admin.add(device(DEVICE)));
    }

    private static final ExecutorService BACKGROUND = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "background");
        thread.setDaemon(true);
        return thread;
    });

    private interface Asking<T> {
        T ask() throws LDAPException;
    }

    private static <T> Future<T> inBackground(Asking<T> asking) {
        return BACKGROUND.submit(asking::ask);
    }

    /** A read waits until this member shows what its connection has written; those of others do not. */
    @Test
    public void readsOfOwnWrites() throws Exception {
        members.fallBehind();
        admin.add(device(DEVICE));
        Future<SearchResultEntry> search = inBackground(() -> admin.getEntry(DEVICE));
        Await.until("that it waits", () -> members.waiting() == 1);
        try (LDAPConnection other = members.replica.admin()) {
            assertNotNull("others do not wait", other.getEntry(USERS));
        }
        assertFalse(search.isDone());
        members.catchUp();
        assertEquals(DEVICE, search.get(Await.MILLIS, TimeUnit.MILLISECONDS).getDN());

        members.fallBehind();
        admin.modify(describe(DEVICE, "one"));
        admin.modify(describe(DEVICE, "updates do not wait"));
        Future<LDAPResult> compare = inBackground(() -> admin.compare(new CompareRequest(DEVICE, "description", "updates do not wait")));
        Await.until("that it waits", () -> members.waiting() == 1);
        members.giveUpWaiting();
        assertEquals(ResultCode.BUSY, assertThrows(java.util.concurrent.ExecutionException.class, () -> compare.get(Await.MILLIS, TimeUnit.MILLISECONDS))
                .getCause() instanceof LDAPException busy ? busy.getResultCode() : null);
        Future<LDAPResult> bind = inBackground(() -> admin.bind(TestServer.ADMIN, TestServer.ADMIN_PASSWORD));
        Await.until("that it waits", () -> members.waiting() == 1);
        members.catchUp();
        assertEquals(ResultCode.SUCCESS, bind.get(Await.MILLIS, TimeUnit.MILLISECONDS).getResultCode());
        assertEquals("updates do not wait", read(DEVICE).getAttributeValue("description"));
    }

    /** What an update was answered with makes reads of other connections wait for it. */
    @Test
    @Proves("2.25.278641466010882381359084238697260762259.5.2")
    public void readsOfAStateThatIsNamed() throws Exception {
        String oid = ReadPoint.CONTROL.oid();
        members.fallBehind();
        ASN1OctetString token = admin.add(device(DEVICE, new Control(oid, true))).getResponseControl(oid).getValue();
        try (LDAPConnection other = members.replica.admin(); LDAPConnection atLeader = members.leader.admin()) {
            SearchRequest named = new SearchRequest(DEVICE, SearchScope.BASE, "(objectClass=*)");
            named.addControl(new Control(oid, true, token));
            Future<SearchResult> search = inBackground(() -> other.search(named.duplicate()));
            Await.until("that it waits", () -> members.waiting() == 1);
            assertEquals("the leader shows it", 1, atLeader.search(named.duplicate()).getEntryCount());
            members.catchUp();
            assertEquals(1, search.get(Await.MILLIS, TimeUnit.MILLISECONDS).getEntryCount());
            members.fallBehind();
            Future<SearchResult> late = inBackground(() -> other.search(named.duplicate()));
            Await.until("that it waits", () -> members.waiting() == 1);
            members.giveUpWaiting();
            assertEquals(ResultCode.BUSY, assertThrows(java.util.concurrent.ExecutionException.class, () -> late.get(Await.MILLIS, TimeUnit.MILLISECONDS))
                    .getCause() instanceof LDAPException busy ? busy.getResultCode() : null);
            assertNotNull("without it nothing waits", other.getEntry(DEVICE));
            SearchRequest wrong = new SearchRequest(DEVICE, SearchScope.BASE, "(objectClass=*)");
            wrong.addControl(new Control(oid, false, new ASN1OctetString("a token")));
            assertFails(ResultCode.PROTOCOL_ERROR, "read point", () -> other.search(wrong));
            ASN1OctetString ofLeader = atLeader.modify(describe(DEVICE, "there", new Control(oid, true))).getResponseControl(oid).getValue();
            assertTrue("a later state", !ofLeader.equals(token));
        }
        members.catchUp();
    }

    /** What is no update, or none at all, is not done, whoever sends it to the leader. */
    @Test
    public void whatIsHandedOnIsAnUpdate() throws Exception {
        byte[][] seen = new byte[1][];
        members.way(leader -> question -> {
            seen[0] = question;
            return leader.apply(question);
        });
        admin.delete(TestServer.userDn(9));
        byte[] question = seen[0];
        for (int i = 0; i < question.length; i++) {
            byte[] damaged = question.clone();
            damaged[i] ^= 1 << i % 7;
            members.way(leader -> any -> leader.apply(damaged).orTimeout(Await.SECONDS, TimeUnit.SECONDS));
            try {
                admin.delete(TestServer.userDn(9));
            } catch (LDAPException e) {
                assertFalse(e.getMessage(), e.getMessage().contains("internal error"));
            }
        }
        members.way(leader -> leader);
        assertNotNull("nothing else is deleted", read(TestServer.userDn(10)));
    }
}
