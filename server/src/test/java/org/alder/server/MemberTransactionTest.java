package org.alder.server;

import static org.alder.server.Transfers.begin;
import static org.alder.server.Transfers.end;
import static org.alder.server.Transfers.exchange;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.asn1.ASN1OctetString;
import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.Entry;
import com.unboundid.ldap.sdk.ExtendedRequest;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.LDAPResult;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ModifyDNRequest;
import com.unboundid.ldap.sdk.ModifyRequest;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.controls.AssertionRequestControl;
import com.unboundid.ldap.sdk.controls.PostReadRequestControl;
import com.unboundid.ldap.sdk.controls.PostReadResponseControl;
import com.unboundid.ldap.sdk.controls.PreReadRequestControl;
import com.unboundid.ldap.sdk.controls.PreReadResponseControl;
import com.unboundid.ldap.sdk.controls.TransactionSpecificationRequestControl;
import com.unboundid.ldap.sdk.extensions.EndTransactionExtendedResult;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.alder.partition.error.StoreException;
import org.alder.partition.rule.UniqueRule;
import org.alder.partition.store.FeatureLevel;
import org.alder.partition.testing.Await;
import org.alder.partition.testing.Seed;
import org.alder.partition.tree.Shard;
import org.alder.server.protocol.PreparedPart;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** Transactions of several shards that different members of a cluster lead, as clients of any member see them. */
public class MemberTransactionTest {
    private static final String SUFFIX = ShardedMembers.SUFFIX;
    private static final int MEMBERS = ShardedMembers.MEMBERS;
    private static final byte PART = 0x68;
    private static final byte QUESTION = 0x67;

    private ShardedMembers members;
    private final List<LDAPConnection> admins = new ArrayList<>();

    @Before
    public void start() throws Exception {
        members = new ShardedMembers(UniqueRule.of(TestServer.SCHEMA.attributeType("mail")));
        for (int i = 0; i < MEMBERS; i++) {
            admins.add(members.admin(i));
        }
    }

    @After
    public void stop() {
        admins.forEach(LDAPConnection::close);
        members.close();
    }

    /** The first name with a number behind it that a shard holds. */
    private static String dn(int shard, String name) {
        for (int i = 0;; i++) {
            String dn = "uid=" + name + i + "," + SUFFIX;
            if (Shard.numberOf(TestServer.dn(SUFFIX), TestServer.dn(dn), MEMBERS) == shard) {
                return dn;
            }
        }
    }

    private String person(int shard, String name) throws LDAPException {
        Entry entry = new Entry(dn(shard, name));
        entry.addAttribute("objectClass", "inetOrgPerson");
        entry.addAttribute("cn", "someone");
        entry.addAttribute("sn", "0");
        entry.addAttribute("userPassword", "secret");
        admins.get(0).add(entry);
        return entry.getDN();
    }

    private static ModifyRequest mail(String dn, String value, ASN1OctetString id) {
        return new ModifyRequest(dn, new Modification[] {new Modification(ModificationType.REPLACE, "mail", value)},
                new Control[] {new TransactionSpecificationRequestControl(id)});
    }

    private String sn(String dn) throws LDAPException {
        String value = admins.get(0).getEntry(dn).getAttributeValue("sn");
        for (LDAPConnection each : admins) {
            assertEquals(value, each.getEntry(dn).getAttributeValue("sn"));
        }
        return value;
    }

    private void assertEnds(ResultCode code, String message, EndTransactionExtendedResult ended) {
        assertEquals(ended.getDiagnosticMessage(), code, ended.getResultCode());
        assertTrue(ended.getDiagnosticMessage(), ("" + ended.getDiagnosticMessage()).contains(message));
    }

    private void assertNothingIsLeft() throws Exception {
        for (int i = 0; i < MEMBERS; i++) {
            int shard = i;
            Await.until("an end of all that shard " + shard + " has noted", () -> !members.isUndecided(shard));
        }
    }

    @Test
    public void entriesOfAllShardsChangeTogetherWhicheverMemberIsAsked() throws Exception {
        List<String> dns = List.of(person(2, "cid"), person(0, "ann"), person(1, "bob"));
        for (int asked = 0; asked < MEMBERS; asked++) {
            LDAPConnection admin = admins.get(asked);
            ASN1OctetString id = begin(admin);
            List<Integer> messages = new ArrayList<>();
            for (String each : dns) {
                messages.add(admin.modify(exchange(each, "" + asked, "" + (asked + 1), new TransactionSpecificationRequestControl(id), new PreReadRequestControl("sn")))
                        .getMessageID());
            }
            messages.add(admin.modify(exchange(dns.get(0), "" + (asked + 1), "" + (asked + 1), new TransactionSpecificationRequestControl(id),
                    new PostReadRequestControl("sn"))).getMessageID());
            EndTransactionExtendedResult made = end(admin, id);
            assertEnds(ResultCode.SUCCESS, "", made);
            for (int i = 0; i < dns.size(); i++) {
                Control[] controls = made.getOperationResponseControls(messages.get(i));
                assertEquals(1, controls.length);
                assertEquals("" + asked, ((PreReadResponseControl) controls[0]).getEntry().getAttributeValue("sn"));
                assertEquals("" + (asked + 1), sn(dns.get(i)));
            }
            PostReadResponseControl last = (PostReadResponseControl) made.getOperationResponseControls(messages.get(3))[0];
            assertEquals("" + (asked + 1), last.getEntry().getAttributeValue("sn"));
        }
        assertNothingIsLeft();
    }

    @Test
    public void theUpdateThatCannotBeMadeIsNamedAndNothingIsMade() throws Exception {
        String ann = person(0, "ann");
        String bob = person(1, "bob");
        for (int asked = 0; asked < MEMBERS; asked++) {
            LDAPConnection admin = admins.get(asked);
            for (List<String> order : List.of(List.of(ann, bob), List.of(bob, ann))) {
                ASN1OctetString id = begin(admin);
                Control in = new TransactionSpecificationRequestControl(id);
                admin.modify(exchange(order.get(0), "0", "1", in));
                LDAPResult bad = admin.modify(exchange(order.get(1), "0", "1", in, new AssertionRequestControl("(sn=7)")));
                EndTransactionExtendedResult ended = end(admin, id);
                assertEnds(ResultCode.ASSERTION_FAILED, "", ended);
                assertEquals(bad.getMessageID(), ended.getFailedOpMessageID());
                ASN1OctetString other = begin(admin);
                LDAPResult first = admin.modify(exchange(order.get(0), "7", "1", new TransactionSpecificationRequestControl(other)));
                admin.modify(exchange(order.get(1), "0", "1", new TransactionSpecificationRequestControl(other)));
                ended = end(admin, other);
                assertEnds(ResultCode.NO_SUCH_ATTRIBUTE, "", ended);
                assertEquals(first.getMessageID(), ended.getFailedOpMessageID());
            }
        }
        assertEquals("0", sn(ann));
        assertEquals("0", sn(bob));
        assertNothingIsLeft();
    }

    @Test
    public void whoMayNotChangeAnEntryElsewhereChangesNothing() throws Exception {
        String ann = person(0, "ann");
        String bob = person(1, "bob");
        try (LDAPConnection own = members.bound(2, ann, "secret")) {
            ASN1OctetString id = begin(own);
            own.modify(new ModifyRequest(ann, new Modification[] {new Modification(ModificationType.REPLACE, "userPassword", "another secret")},
                    new Control[] {new TransactionSpecificationRequestControl(id)}));
            LDAPResult bad = own.modify(exchange(bob, "0", "1", new TransactionSpecificationRequestControl(id)));
            EndTransactionExtendedResult ended = end(own, id);
            assertEquals(ended.getDiagnosticMessage(), ResultCode.INSUFFICIENT_ACCESS_RIGHTS, ended.getResultCode());
            assertEquals(bad.getMessageID(), ended.getFailedOpMessageID());
        }
        members.bound(1, ann, "secret").close();
        assertEquals("0", sn(bob));
    }

    @Test
    public void whatIsShownAtTheEndOrMovesIsRefused() throws Exception {
        String ann = person(0, "ann");
        String bob = person(1, "bob");
        LDAPConnection admin = admins.get(2);
        ASN1OctetString id = begin(admin);
        Control in = new TransactionSpecificationRequestControl(id);
        admin.modify(exchange(ann, "0", "1", in));
        LDAPResult bad = admin.modify(exchange(bob, "0", "1", in, new PostReadRequestControl("sn")));
        EndTransactionExtendedResult ended = end(admin, id);
        assertEnds(ResultCode.AFFECTS_MULTIPLE_DSAS, "read it afterwards", ended);
        assertEquals(bad.getMessageID(), ended.getFailedOpMessageID());
        ASN1OctetString move = begin(admin);
        admin.modify(exchange(ann, "0", "1", new TransactionSpecificationRequestControl(move)));
        String eve = dn(2, "eve");
        admin.modifyDN(new ModifyDNRequest(bob, eve.substring(0, eve.indexOf(',')), true, null, new Control[] {new TransactionSpecificationRequestControl(move)}));
        assertEnds(ResultCode.AFFECTS_MULTIPLE_DSAS, "in a request of its own", end(admin, move));
        members.level(FeatureLevel.ASKED_WRITERS - 1);
        ASN1OctetString old = begin(admin);
        admin.modify(exchange(ann, "0", "1", new TransactionSpecificationRequestControl(old)));
        admin.modify(exchange(bob, "0", "1", new TransactionSpecificationRequestControl(old)));
        assertEnds(ResultCode.AFFECTS_MULTIPLE_DSAS, "cluster upgrade", end(admin, old));
        assertEquals("0", sn(ann));
        assertEquals("0", sn(bob));
        assertNothingIsLeft();
    }

    @Test
    public void valuesStayUnique() throws Exception {
        String ann = person(0, "ann");
        String bob = person(1, "bob");
        String cid = person(2, "cid");
        LDAPConnection admin = admins.get(2);
        ASN1OctetString id = begin(admin);
        admin.modify(mail(ann, "ann@example.com", id));
        admin.modify(mail(bob, "bob@example.com", id));
        assertEnds(ResultCode.SUCCESS, "", end(admin, id));
        for (List<String> order : List.of(List.of(ann, cid), List.of(cid, ann))) {
            ASN1OctetString taken = begin(admin);
            admin.modify(mail(order.get(0), order.get(0).equals(cid) ? "bob@example.com" : "other@example.com", taken));
            admin.modify(mail(order.get(1), order.get(1).equals(cid) ? "bob@example.com" : "other@example.com", taken));
            assertEnds(ResultCode.CONSTRAINT_VIOLATION, "", end(admin, taken));
        }
        assertEquals("ann@example.com", admin.getEntry(ann).getAttributeValue("mail"));
        assertNull(admin.getEntry(cid).getAttributeValue("mail"));
        assertNothingIsLeft();
    }

    /** A client cannot have parts kept that nobody decides. */
    @Test
    public void noClientAsksForAPart() throws Exception {
        LDAPException refused = assertThrows(LDAPException.class,
                () -> admins.get(0).processExtendedOperation(new ExtendedRequest(PreparedPart.OID, new ASN1OctetString("x"))));
        assertEquals(ResultCode.PROTOCOL_ERROR, refused.getResultCode());
        assertTrue(refused.getMessage(), refused.getMessage().contains("is not supported"));
        assertFalse(admins.get(0).getRootDSE().supportsExtendedOperation(PreparedPart.OID));
    }

    /** The first answer about a part is lost behind its being kept, and the first word of its end, too. */
    @Test
    public void anAnswerThatIsLostLeavesNothingHalf() throws Exception {
        String ann = person(0, "ann");
        String bob = person(1, "bob");
        AtomicInteger parts = new AtomicInteger();
        AtomicInteger questions = new AtomicInteger();
        members.way(asked -> question -> {
            boolean isLost = question[0] == PART && parts.getAndIncrement() == 0 || question[0] == QUESTION && questions.getAndIncrement() < 2;
            return isLost ? asked.apply(question).thenCompose(none -> CompletableFuture.failedFuture(new StoreException(StoreException.Kind.OUTCOME_UNKNOWN, "lost")))
                    : asked.apply(question);
        });
        LDAPConnection admin = admins.get(0);
        ASN1OctetString id = begin(admin);
        admin.modify(exchange(ann, "0", "1", new TransactionSpecificationRequestControl(id)));
        admin.modify(exchange(bob, "0", "1", new TransactionSpecificationRequestControl(id)));
        assertEnds(ResultCode.SUCCESS, "", end(admin, id));
        assertTrue(parts.get() + " parts, " + questions.get() + " questions", parts.get() >= 2 && questions.get() >= 3);
        assertEquals("1", sn(ann));
        assertEquals("1", sn(bob));
        Await.result("the rest", members.settle(1));
        assertNothingIsLeft();
    }

    /** Each client is on another member, and sees both what it has written and what it had been told. */
    @Test
    public void sumsStayTheSameWhoeverTransfers() throws Exception {
        int accounts = 8;
        long seed = Seed.of(MemberTransactionTest.class);
        List<String> dns = new ArrayList<>();
        for (int i = 0; i < accounts; i++) {
            dns.add(person(i % MEMBERS, "account" + i + "x"));
        }
        Transfers.race(admins, dns, 40, seed);
        int sum = 0;
        for (String each : dns) {
            sum += Integer.parseInt(sn(each));
        }
        assertEquals(0, sum);
        assertNothingIsLeft();
    }
}
