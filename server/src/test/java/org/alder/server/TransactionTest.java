package org.alder.server;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.asn1.ASN1OctetString;
import com.unboundid.ldap.sdk.AddRequest;
import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.DeleteRequest;
import com.unboundid.ldap.sdk.ExtendedRequest;
import com.unboundid.ldap.sdk.ExtendedResult;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPConnectionOptions;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.LDAPResult;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ModifyDNRequest;
import com.unboundid.ldap.sdk.ModifyRequest;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchResult;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.controls.AssertionRequestControl;
import com.unboundid.ldap.sdk.controls.PostReadRequestControl;
import com.unboundid.ldap.sdk.controls.PostReadResponseControl;
import com.unboundid.ldap.sdk.controls.TransactionSpecificationRequestControl;
import com.unboundid.ldap.sdk.extensions.AbortedTransactionExtendedResult;
import com.unboundid.ldap.sdk.extensions.EndTransactionExtendedRequest;
import com.unboundid.ldap.sdk.extensions.EndTransactionExtendedResult;
import com.unboundid.ldap.sdk.extensions.PasswordModifyExtendedRequest;
import com.unboundid.ldap.sdk.extensions.StartTransactionExtendedRequest;
import com.unboundid.ldap.sdk.extensions.StartTransactionExtendedResult;
import com.unboundid.ldap.sdk.extensions.WhoAmIExtendedRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.jdbm.store.JdbmStore;
import org.alder.partition.rule.UniqueRule;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.testing.Await;
import org.alder.partition.testing.Requirement;
import org.alder.server.protocol.TransactionLimits;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Transactions (RFC 5805), through an independent client. */
public class TransactionTest {
    private static final String USERS = "ou=users," + TestServer.SUFFIX;
    private static final String BOX = "ou=box," + TestServer.SUFFIX;
    private static final TransactionLimits LIMITS = new TransactionLimits(20, 20_000, 60);

    @Rule
    public TemporaryFolder folder = new TemporaryFolder();

    private TestServer server;
    private LDAPConnection admin;

    @Before
    public void start() throws LDAPException {
        server = new TestServer(settings -> settings.with(draft -> draft.transactionLimits = LIMITS));
        admin = server.admin();
    }

    @After
    public void stop() {
        admin.close();
        server.close();
    }

    private static ASN1OctetString begin(LDAPConnection connection) throws LDAPException {
        StartTransactionExtendedResult started =
                (StartTransactionExtendedResult) connection.processExtendedOperation(new StartTransactionExtendedRequest());
        assertEquals(ResultCode.SUCCESS, started.getResultCode());
        return started.getTransactionID();
    }

    private static EndTransactionExtendedResult end(LDAPConnection connection, ASN1OctetString id, boolean commit)
            throws LDAPException {
        return (EndTransactionExtendedResult) connection.processExtendedOperation(new EndTransactionExtendedRequest(id, commit));
    }

    private static Control in(ASN1OctetString id) {
        return new TransactionSpecificationRequestControl(id);
    }

    private static AddRequest add(String dn, String objectClass, String name, Control... controls) {
        AddRequest request = new AddRequest(dn, new Attribute("objectClass", objectClass), new Attribute(name,
                dn.substring(dn.indexOf('=') + 1, dn.indexOf(','))));
        request.setControls(controls);
        return request;
    }

    private static ModifyRequest describe(String dn, String description, Control... controls) {
        return new ModifyRequest(dn, List.of(new Modification(ModificationType.REPLACE, "description", description)), controls);
    }

    private static LDAPResult delete(LDAPConnection connection, String dn, Control... controls) throws LDAPException {
        return connection.delete(new DeleteRequest(dn, controls));
    }

    private static LDAPResult rename(LDAPConnection connection, String dn, String rdn, String superior, Control... controls)
            throws LDAPException {
        return connection.modifyDN(new ModifyDNRequest(dn, rdn, true, superior, controls));
    }

    private static ResultCode failure(ThrowingLdap operation) {
        return assertThrows(LDAPException.class, operation::run).getResultCode();
    }

    private interface ThrowingLdap {
        void run() throws LDAPException;
    }

    /** Updates each of which builds on those before it. */
    private static void queueBox(LDAPConnection connection, ASN1OctetString id) throws LDAPException {
        connection.add(add(BOX, "organizationalUnit", "ou", in(id)));
        connection.add(add("cn=one," + BOX, "device", "cn", in(id)));
        connection.modify(describe("cn=one," + BOX, "first", in(id)));
        rename(connection, "cn=one," + BOX, "cn=two", USERS, in(id));
        connection.modify(describe("cn=two," + USERS, "second", in(id)));
        connection.add(add("cn=three," + BOX, "device", "cn", in(id)));
        rename(connection, BOX, "ou=crate", null, in(id));
        connection.modify(describe("cn=three,ou=crate," + TestServer.SUFFIX, "third", in(id)));
        delete(connection, TestServer.userDn(1), in(id));
    }

    private static void checkCrate(LDAPConnection connection) throws LDAPException {
        assertEquals("second", connection.getEntry("cn=two," + USERS).getAttributeValue("description"));
        assertEquals("third", connection.getEntry("cn=three,ou=crate," + TestServer.SUFFIX).getAttributeValue("description"));
        assertNull(connection.getEntry(BOX));
        assertNull(connection.getEntry(TestServer.userDn(1)));
    }

    @Test
    @Proves({"1.3.6.1.1.21.1", "1.3.6.1.1.21.2", "1.3.6.1.1.21.3"})
    @Requirement(rfc = 5805, section = "2.1 to 2.3, 3",
            text = "Start, updates with the specification control, end: all updates are made together")
    public void allUpdatesAreMadeTogether() throws LDAPException {
        ASN1OctetString id = begin(admin);
        queueBox(admin, id);
        try (LDAPConnection other = server.admin()) {
            assertNull("nothing is done before the end", other.getEntry("cn=two," + USERS));
            assertNotNull(other.getEntry(TestServer.userDn(1)));
            EndTransactionExtendedResult ended = end(admin, id, true);
            assertEquals(ended.toString(), ResultCode.SUCCESS, ended.getResultCode());
            assertNull(ended.getValue());
            checkCrate(other);
        }
        assertEquals("it has ended", ResultCode.OPERATIONS_ERROR, failure(() -> end(admin, id, true)));
        EndTransactionExtendedResult nothing = end(admin, begin(admin), true);
        assertEquals(ResultCode.SUCCESS, nothing.getResultCode());
    }

    @Test
    public void whatWasAcknowledgedIsThereAfterARestart() throws LDAPException {
        Path data = folder.getRoot().toPath();
        int[] opened = {0};
        try (TestServer durable = new TestServer(settings -> settings,
                indexer -> JdbmStore.open(data.resolve("store" + opened[0]++), StoreSettings.defaults(), indexer), true);
                LDAPConnection connection = durable.admin()) {
            ASN1OctetString id = begin(connection);
            queueBox(connection, id);
            assertEquals(ResultCode.SUCCESS, end(connection, id, true).getResultCode());
            checkCrate(connection);
            ASN1OctetString open = begin(connection);
            connection.modify(describe("cn=two," + USERS, "never", in(open)));
        }
        opened[0] = 0;
        try (TestServer durable = new TestServer(settings -> settings,
                indexer -> JdbmStore.open(data.resolve("store" + opened[0]++), StoreSettings.defaults(), indexer), false);
                LDAPConnection connection = durable.admin()) {
            checkCrate(connection);
        }
    }

    @Test
    @Requirement(rfc = 5805, section = "3", text = "One update that fails undoes all; its message ID is told")
    public void oneUpdateThatFailsUndoesAll() throws LDAPException {
        ASN1OctetString id = begin(admin);
        queueBox(admin, id);
        LDAPResult bad = admin.add(add("cn=three,ou=crate," + TestServer.SUFFIX, "device", "cn", in(id)));
        admin.modify(describe(TestServer.userDn(2), "never", in(id)));
        EndTransactionExtendedResult ended = end(admin, id, true);
        assertEquals(ResultCode.ENTRY_ALREADY_EXISTS, ended.getResultCode());
        assertEquals(bad.getMessageID(), ended.getFailedOpMessageID());
        assertNull(admin.getEntry("cn=two," + USERS));
        assertNull(admin.getEntry("ou=crate," + TestServer.SUFFIX));
        assertNotNull(admin.getEntry(TestServer.userDn(1)));
        assertNull(admin.getEntry(TestServer.userDn(2)).getAttributeValue("description"));
    }

    @Test
    public void whatTheSchemaForbidsFailsToo() throws LDAPException {
        ASN1OctetString id = begin(admin);
        admin.modify(describe(TestServer.userDn(2), "never", in(id)));
        LDAPResult bad = admin.add(add("cn=x," + USERS, "person", "cn", in(id)));
        EndTransactionExtendedResult ended = end(admin, id, true);
        assertEquals(ResultCode.OBJECT_CLASS_VIOLATION, ended.getResultCode());
        assertEquals(bad.getMessageID(), ended.getFailedOpMessageID());
        assertNull(admin.getEntry(TestServer.userDn(2)).getAttributeValue("description"));
    }

    @Test
    public void rulesHoldAmongTheUpdates() throws LDAPException {
        AttributeType number = TestServer.SCHEMA.attributeType("employeeNumber");
        int[] opened = {0};
        try (TestServer ruled = TestServer.withRules(rules -> rules.withUnique(UniqueRule.of(number)),
                indexer -> JdbmStore.open(folder.getRoot().toPath().resolve("ruled" + opened[0]++), StoreSettings.defaults(),
                        indexer));
                LDAPConnection connection = ruled.admin()) {
            ASN1OctetString id = begin(connection);
            connection.modify(number(1, "1000", in(id)));
            connection.modify(number(2, "1", in(id)));
            assertEquals("the value is free by then", ResultCode.SUCCESS, end(connection, id, true).getResultCode());
            ASN1OctetString twice = begin(connection);
            connection.modify(number(3, "2000", in(twice)));
            LDAPResult bad = connection.modify(number(4, "2000", in(twice)));
            EndTransactionExtendedResult ended = end(connection, twice, true);
            assertEquals(ResultCode.CONSTRAINT_VIOLATION, ended.getResultCode());
            assertEquals(bad.getMessageID(), ended.getFailedOpMessageID());
            assertEquals("3", connection.getEntry(TestServer.userDn(3)).getAttributeValue("employeeNumber"));
        }
    }

    private static ModifyRequest number(int user, String number, Control... controls) {
        return new ModifyRequest(TestServer.userDn(user),
                List.of(new Modification(ModificationType.REPLACE, "employeeNumber", number)), controls);
    }

    @Test
    public void accessIsCheckedForEachUpdate() throws LDAPException {
        try (LDAPConnection user = server.user(3)) {
            ASN1OctetString id = begin(user);
            user.processExtendedOperation(new PasswordModifyExtendedRequest(null, (byte[]) null,
                    "changed here".getBytes(StandardCharsets.UTF_8),
                    new Control[] {in(id)}));
            LDAPResult bad = user.modify(describe(TestServer.userDn(2), "never", in(id)));
            EndTransactionExtendedResult ended = end(user, id, true);
            assertEquals(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, ended.getResultCode());
            assertEquals(bad.getMessageID(), ended.getFailedOpMessageID());
        }
        server.user(3).close();
        try (LDAPConnection anonymous = server.anonymous()) {
            assertEquals(ResultCode.INSUFFICIENT_ACCESS_RIGHTS,
                    anonymous.processExtendedOperation(new StartTransactionExtendedRequest()).getResultCode());
        }
    }

    @Test
    public void passwordsChangeWithTheRest() throws LDAPException {
        ASN1OctetString id = begin(admin);
        admin.add(new AddRequest("cn=new," + USERS, List.of(new Attribute("objectClass", "person"), new Attribute("cn", "new"),
                new Attribute("sn", "new"), new Attribute("userPassword", "first")), new Control[] {in(id)}));
        ExtendedResult queued = admin.processExtendedOperation(
                new PasswordModifyExtendedRequest("cn=new," + USERS, null, "second", new Control[] {in(id)}));
        assertEquals(ResultCode.SUCCESS, queued.getResultCode());
        assertEquals(ResultCode.UNWILLING_TO_PERFORM, admin.processExtendedOperation(new PasswordModifyExtendedRequest(
                "cn=new," + USERS, (String) null, null, new Control[] {in(id)})).getResultCode());
        assertEquals(ResultCode.UNAVAILABLE_CRITICAL_EXTENSION,
                admin.processExtendedOperation(new WhoAmIExtendedRequest(new Control[] {in(id)})).getResultCode());
        assertEquals(ResultCode.SUCCESS, end(admin, id, true).getResultCode());
        try (LDAPConnection connection = server.anonymous()) {
            connection.bind("cn=new," + USERS, "second");
        }
    }

    @Test
    @Requirement(rfc = 5805, section = "2.3", text = "The end brings the response controls of the updates")
    public void theEndBringsTheControlsOfTheUpdates() throws Exception {
        ASN1OctetString id = begin(admin);
        LDAPResult first = admin.modify(describe(TestServer.userDn(4), "x", in(id),
                new PostReadRequestControl("description", "sn")));
        admin.modify(describe(TestServer.userDn(5), "y", in(id)));
        LDAPResult third = admin.modify(describe(TestServer.userDn(4), "z", in(id), new PostReadRequestControl("description"),
                new AssertionRequestControl("(description=x)")));
        EndTransactionExtendedResult ended = end(admin, id, true);
        assertEquals(ended.toString(), ResultCode.SUCCESS, ended.getResultCode());
        assertEquals(2, ended.getOperationResponseControls().size());
        assertEquals("x", postRead(ended.getOperationResponseControls(first.getMessageID())).getAttributeValue("description"));
        assertEquals("z", postRead(ended.getOperationResponseControls(third.getMessageID())).getAttributeValue("description"));

        ASN1OctetString failing = begin(admin);
        LDAPResult bad = admin.modify(describe(TestServer.userDn(4), "w", in(failing),
                new AssertionRequestControl("(description=x)")));
        EndTransactionExtendedResult failed = end(admin, failing, true);
        assertEquals(ResultCode.ASSERTION_FAILED, failed.getResultCode());
        assertEquals(bad.getMessageID(), failed.getFailedOpMessageID());
    }

    @Test
    public void theControlsOfUpdatesCountToo() throws LDAPException {
        ASN1OctetString id = begin(admin);
        AssertionRequestControl large = new AssertionRequestControl("(description=" + "x".repeat((int) LIMITS.bytes()) + ")");
        LDAPException refusal = ClientTests.fails(ResultCode.ADMIN_LIMIT_EXCEEDED, () -> admin.modify(new ModifyRequest(
                TestServer.userDn(4),
                List.of(new Modification(ModificationType.REPLACE, "title", "x")), new Control[] {in(id), large})));
        assertTrue(refusal.getMessage(), refusal.getMessage().contains("transactionBytes"));
    }

    @Test
    public void whatTheUpdatesReturnIsBounded() throws LDAPException {
        TransactionLimits many = new TransactionLimits(1000, 10_000_000, 60);
        try (TestServer large = new TestServer(settings -> settings.with(draft -> draft.transactionLimits = many));
                LDAPConnection connection = large.admin()) {
            int times = 20;
            int bytes = (int) (Runtime.getRuntime().maxMemory() / 64 / times);
            connection.modify(describe(TestServer.userDn(4), "x".repeat(Math.min(bytes, 8_000_000))));
            ASN1OctetString id = begin(connection);
            for (int i = 0; i < 2 * times; i++) {
                connection.modify(new ModifyRequest(TestServer.userDn(4),
                        List.of(new Modification(ModificationType.REPLACE, "title", "" + i)),
                        new Control[] {in(id), new PostReadRequestControl("title")}));
            }
            EndTransactionExtendedResult ended = end(connection, id, true);
            assertEquals(ResultCode.ADMIN_LIMIT_EXCEEDED, ended.getResultCode());
            assertNull(connection.getEntry(TestServer.userDn(4)).getAttributeValue("title"));
        }
    }

    private static SearchResultEntry postRead(Control[] controls) throws LDAPException {
        assertEquals(1, controls.length);
        Control control = controls[0];
        return new SearchResultEntry(new PostReadResponseControl(control.getOID(), control.isCritical(), control.getValue())
                .getEntry());
    }

    @Test
    @Requirement(rfc = 5805, section = "2.3, 3", text = "An end that does not commit changes nothing")
    public void endsWithoutAnythingDone() throws LDAPException {
        ASN1OctetString id = begin(admin);
        admin.modify(describe(TestServer.userDn(6), "never", in(id)));
        assertEquals(ResultCode.SUCCESS, end(admin, id, false).getResultCode());
        assertNull(admin.getEntry(TestServer.userDn(6)).getAttributeValue("description"));
        assertEquals(ResultCode.OPERATIONS_ERROR, failure(() -> admin.modify(describe(TestServer.userDn(6), "x", in(id)))));

        ASN1OctetString bound = begin(admin);
        admin.modify(describe(TestServer.userDn(6), "never", in(bound)));
        admin.bind(TestServer.ADMIN, TestServer.ADMIN_PASSWORD);
        assertEquals("a bind ends it", ResultCode.OPERATIONS_ERROR, failure(() -> end(admin, bound, true)));

        ASN1OctetString mine = begin(admin);
        try (LDAPConnection other = server.admin()) {
            assertEquals("another connection's", ResultCode.OPERATIONS_ERROR, failure(() -> end(other, mine, true)));
        }
    }

    @Test
    public void staysInOnePartition() throws LDAPException {
        ASN1OctetString id = begin(admin);
        admin.modify(describe(TestServer.userDn(6), "never", in(id)));
        LDAPResult bad = admin.modify(describe(TestServer.OTHER_SUFFIX, "never", in(id)));
        EndTransactionExtendedResult ended = end(admin, id, true);
        assertEquals(ResultCode.AFFECTS_MULTIPLE_DSAS, ended.getResultCode());
        assertEquals(bad.getMessageID(), ended.getFailedOpMessageID());
        assertNull(admin.getEntry(TestServer.userDn(6)).getAttributeValue("description"));
    }

    @Test
    @Requirement(rfc = 5805, section = "2, 3",
            text = "Unknown identifiers, wrong values and controls without a transaction are refused")
    public void requestsThatAreWrong() throws LDAPException {
        Control optional = new Control("1.3.6.1.1.21.2", false, new ASN1OctetString("1"));
        assertEquals(ResultCode.PROTOCOL_ERROR, failure(() -> admin.modify(describe(TestServer.userDn(6), "x", optional))));
        Control without = new Control("1.3.6.1.1.21.2", true);
        assertEquals(ResultCode.PROTOCOL_ERROR, failure(() -> admin.modify(describe(TestServer.userDn(6), "x", without))));
        for (ExtendedRequest wrong : List.of(new ExtendedRequest("1.3.6.1.1.21.3"),
                new ExtendedRequest("1.3.6.1.1.21.3", new ASN1OctetString(new byte[] {0x30, 3, 1})),
                new ExtendedRequest("1.3.6.1.1.21.1", new ASN1OctetString("x")))) {
            assertEquals(ResultCode.PROTOCOL_ERROR, failure(() -> admin.processExtendedOperation(wrong)));
        }
        for (int i = 0; i < 16; i++) {
            begin(admin);
        }
        assertEquals(ResultCode.BUSY, failure(() -> admin.processExtendedOperation(new StartTransactionExtendedRequest())));
    }

    private static LDAPConnection listening(TestServer server, BlockingQueue<ExtendedResult> notices) throws LDAPException {
        LDAPConnectionOptions options = new LDAPConnectionOptions();
        options.setUnsolicitedNotificationHandler((connection, notice) -> notices.add(notice));
        LDAPConnection connection = new LDAPConnection(options, "127.0.0.1", server.port());
        connection.bind(TestServer.ADMIN, TestServer.ADMIN_PASSWORD);
        return connection;
    }

    private static void expectNotice(BlockingQueue<ExtendedResult> notices, ASN1OctetString id, ResultCode code, String reason)
            throws InterruptedException, LDAPException {
        ExtendedResult notice = Await.next("the notice of the aborted transaction", notices);
        assertEquals(AbortedTransactionExtendedResult.ABORTED_TRANSACTION_RESULT_OID, notice.getOID());
        assertEquals(id.stringValue(), new AbortedTransactionExtendedResult(notice).getTransactionID().stringValue());
        assertEquals(code, notice.getResultCode());
        assertTrue(notice.getDiagnosticMessage(), notice.getDiagnosticMessage().contains(reason));
    }

    @Test
    public void tooMuchIsGivenUpWithANotice() throws LDAPException, InterruptedException {
        BlockingQueue<ExtendedResult> notices = new LinkedBlockingQueue<>();
        try (LDAPConnection connection = listening(server, notices)) {
            ASN1OctetString many = begin(connection);
            for (int i = 0; i < LIMITS.updates(); i++) {
                connection.modify(describe(TestServer.userDn(6), "never", in(many)));
            }
            assertEquals(ResultCode.ADMIN_LIMIT_EXCEEDED,
                    failure(() -> connection.modify(describe(TestServer.userDn(6), "never", in(many)))));
            expectNotice(notices, many, ResultCode.ADMIN_LIMIT_EXCEEDED, "transactionUpdates");
            assertEquals(ResultCode.OPERATIONS_ERROR, failure(() -> end(connection, many, true)));

            ASN1OctetString large = begin(connection);
            String half = "x".repeat((int) LIMITS.bytes() * 2 / 3);
            connection.modify(describe(TestServer.userDn(6), half, in(large)));
            ASN1OctetString more = begin(connection);
            assertEquals(ResultCode.ADMIN_LIMIT_EXCEEDED,
                    failure(() -> connection.modify(describe(TestServer.userDn(6), half, in(more)))));
            expectNotice(notices, more, ResultCode.ADMIN_LIMIT_EXCEEDED, "transactionBytes");
            assertEquals("the other one goes on", ResultCode.SUCCESS, end(connection, large, true).getResultCode());
        }
        assertTrue(notices.isEmpty());
    }

    @Test
    @Requirement(rfc = 5805, section = "2.4", text = "Aborted transaction notice")
    public void tooLongIsGivenUpWithANotice() throws LDAPException, InterruptedException {
        BlockingQueue<ExtendedResult> notices = new LinkedBlockingQueue<>();
        try (TestServer brief = new TestServer(settings -> settings.with(draft -> draft.transactionLimits = new TransactionLimits(10, 10_000, 3)));
                LDAPConnection connection = listening(brief, notices)) {
            ASN1OctetString id = begin(connection);
            connection.modify(describe(TestServer.userDn(6), "never", in(id)));
            expectNotice(notices, id, ResultCode.TIME_LIMIT_EXCEEDED, "3 s, as long as is allowed (transactionSeconds)");
            assertEquals(ResultCode.OPERATIONS_ERROR, failure(() -> end(connection, id, true)));
            assertNull(connection.getEntry(TestServer.userDn(6)).getAttributeValue("description"));
        }
    }

    @Test
    @Requirement(rfc = 5805, section = "3", text = "Others see all of a transaction or nothing")
    public void nobodySeesHalfOfATransaction() throws Exception {
        admin.modify(describe(TestServer.userDn(7), "0"));
        admin.modify(describe(TestServer.userDn(8), "0"));
        AtomicReference<Throwable> failed = new AtomicReference<>();
        Thread writer = new Thread(() -> {
            try (LDAPConnection connection = server.admin()) {
                for (int i = 1; i <= 200; i++) {
                    ASN1OctetString id = begin(connection);
                    connection.modify(describe(TestServer.userDn(7), "" + i, in(id)));
                    connection.modify(describe(TestServer.userDn(8), "" + i, in(id)));
                    assertEquals(ResultCode.SUCCESS, end(connection, id, i % 3 != 0).getResultCode());
                }
            } catch (LDAPException | AssertionError e) {
                failed.set(e);
            }
        });
        writer.start();
        do {
            SearchResult both = admin.search(USERS, SearchScope.ONE, "(|(uid=user.7)(uid=user.8))", "description");
            assertEquals(1, both.getSearchEntries().stream().map(entry -> entry.getAttributeValue("description")).distinct()
                    .count());
        } while (writer.isAlive());
        Await.end(writer);
        assertNull(failed.get());
        assertEquals("200", admin.getEntry(TestServer.userDn(7)).getAttributeValue("description"));
    }
}
