package org.alder.server;

import static org.alder.server.Transfers.begin;
import static org.alder.server.Transfers.end;
import static org.alder.server.Transfers.exchange;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.asn1.ASN1OctetString;
import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.Entry;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.LDAPResult;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ModifyDNRequest;
import com.unboundid.ldap.sdk.ModifyRequest;
import com.unboundid.ldap.sdk.ReadOnlyEntry;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.controls.AssertionRequestControl;
import com.unboundid.ldap.sdk.controls.PostReadRequestControl;
import com.unboundid.ldap.sdk.controls.PostReadResponseControl;
import com.unboundid.ldap.sdk.controls.PreReadRequestControl;
import com.unboundid.ldap.sdk.controls.PreReadResponseControl;
import com.unboundid.ldap.sdk.controls.TransactionSpecificationRequestControl;
import com.unboundid.ldap.sdk.extensions.EndTransactionExtendedResult;
import java.util.ArrayList;
import java.util.List;
import org.alder.partition.testing.Await;
import org.alder.partition.testing.Seed;
import org.alder.partition.tree.Shard;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Transactions and renames of several shards of a server, as clients see them. */
public class ShardTransactionTest {
    private static final int SHARDS = 3;
    private static final String SUFFIX = TestServer.SUFFIX;
    private static final String PARTITION = "\ndn: cn=first,cn=config\nobjectClass: alderPartition\nsuffix: " + SUFFIX + "\ndistribution: hash\nshards: " + SHARDS + "\n"
            + "index: objectClass eq\nindex: mail eq\nindex: uid eq\nindex: entryUUID eq\nunique: mail\n";

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private ConfiguredServer server;
    private LDAPConnection admin;

    @Before
    public void start() throws Exception {
        server = ConfiguredServer.start(folder.getRoot().toPath(), ConfiguredServer.SERVER + PARTITION);
        admin = server.admin();
        admin.add("dn: " + SUFFIX, "objectClass: domain", "dc: example");
    }

    @After
    public void stop() {
        admin.close();
        server.close();
    }

    /** The first name with a number behind it that a shard holds. */
    private static String dn(int shard, String name) {
        for (int i = 0;; i++) {
            String dn = "uid=" + name + i + "," + SUFFIX;
            if (shard(dn) == shard) {
                return dn;
            }
        }
    }

    private static int shard(String dn) {
        return Shard.numberOf(TestServer.dn(SUFFIX), TestServer.dn(dn), SHARDS);
    }

    private static Entry person(String dn) {
        Entry entry = new Entry(dn);
        entry.addAttribute("objectClass", "inetOrgPerson");
        entry.addAttribute("cn", "someone");
        entry.addAttribute("sn", "0");
        entry.addAttribute("userPassword", "secret");
        return entry;
    }

    @Test
    public void theMonitorTellsHowManyAreUndecided() throws Exception {
        List<SearchResultEntry> shards = admin.search("cn=Monitor", SearchScope.SUB, "(alderShard=*)", "alderUndecidedTransactions").getSearchEntries();
        assertEquals(SHARDS, shards.size());
        shards.forEach(each -> assertEquals(each.getDN(), "0", each.getAttributeValue("alderUndecidedTransactions")));
    }

    @Test
    public void entriesOfAllShardsChangeTogether() throws Exception {
        List<String> dns = List.of(dn(2, "cid"), dn(0, "ann"), dn(1, "bob"));
        for (String each : dns) {
            admin.add(person(each));
        }
        ASN1OctetString id = begin(admin);
        Control in = new TransactionSpecificationRequestControl(id);
        List<Integer> messages = new ArrayList<>();
        for (String each : dns) {
            messages.add(admin.modify(exchange(each, "0", "1", in, new PostReadRequestControl("sn", "entryCSN", "modifyTimestamp"),
                    new PreReadRequestControl("sn"))).getMessageID());
        }
        EndTransactionExtendedResult made = end(admin, id);
        assertEquals(made.getDiagnosticMessage(), ResultCode.SUCCESS, made.getResultCode());
        for (int i = 0; i < dns.size(); i++) {
            Entry found = admin.getEntry(dns.get(i), "sn", "entryCSN", "modifyTimestamp");
            assertEquals("1", found.getAttributeValue("sn"));
            Control[] controls = made.getOperationResponseControls(messages.get(i));
            assertEquals(2, controls.length);
            for (Control each : controls) {
                if (each instanceof PostReadResponseControl post) {
                    assertEquals(found.toLDIFString(), post.getEntry().toLDIFString());
                } else {
                    assertEquals("0", ((PreReadResponseControl) each).getEntry().getAttributeValue("sn"));
                }
            }
        }
    }

    @Test
    public void theUpdateThatCannotBeMadeIsNamed() throws Exception {
        String ann = dn(0, "ann");
        String bob = dn(1, "bob");
        admin.add(person(ann));
        admin.add(person(bob));
        ASN1OctetString id = begin(admin);
        Control in = new TransactionSpecificationRequestControl(id);
        admin.modify(exchange(ann, "0", "1", in));
        LDAPResult bad = admin.modify(exchange(bob, "0", "1", in, new AssertionRequestControl("(sn=7)")));
        EndTransactionExtendedResult ended = end(admin, id);
        assertEquals(ResultCode.ASSERTION_FAILED, ended.getResultCode());
        assertEquals(bad.getMessageID(), ended.getFailedOpMessageID());
        assertEquals("0", admin.getEntry(ann).getAttributeValue("sn"));
        ASN1OctetString other = begin(admin);
        admin.modify(exchange(ann, "0", "1", new TransactionSpecificationRequestControl(other)));
        admin.modify(new ModifyRequest(SUFFIX, new Modification[] {new Modification(ModificationType.ADD, "description", "x")},
                new Control[] {new TransactionSpecificationRequestControl(other)}));
        assertEquals(ResultCode.AFFECTS_MULTIPLE_DSAS, end(admin, other).getResultCode());
    }

    /** Each client sees both what it has written and what it had been told. */
    @Test
    public void sumsStayTheSameWhoeverTransfers() throws Exception {
        int accounts = 8;
        long seed = Seed.of(ShardTransactionTest.class);
        List<String> dns = new ArrayList<>();
        for (int i = 0; i < accounts; i++) {
            dns.add(dn(i % SHARDS, "account" + i + "x"));
            admin.add(person(dns.get(i)));
        }
        List<LDAPConnection> clients = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            clients.add(server.admin());
        }
        Transfers.race(clients, dns, 60, seed);
        clients.forEach(LDAPConnection::close);
        int sum = 0;
        for (String each : dns) {
            sum += Integer.parseInt(admin.getEntry(each).getAttributeValue("sn"));
        }
        assertEquals(0, sum);
    }

    @Test
    public void anEntryGoesToAnotherShardWithAllBelowIt() throws Exception {
        String ann = dn(0, "ann");
        String eve = dn(2, "eve");
        admin.add(person(ann));
        admin.add("dn: cn=phone," + ann, "objectClass: device", "cn: phone", "description: its");
        admin.add("dn: cn=cover,cn=phone," + ann, "objectClass: device", "cn: cover");
        admin.modify(ann, new Modification(ModificationType.ADD, "mail", "ann@example.com"));
        Entry before = admin.getEntry(ann, "*", "+");
        String rdn = eve.substring(0, eve.indexOf(','));
        ModifyDNRequest request = new ModifyDNRequest(ann, rdn, true, null, new Control[] {new PreReadRequestControl("uid"), new PostReadRequestControl("*", "entryCSN")});
        LDAPResult moved = admin.modifyDN(request);
        assertEquals(before.getAttributeValue("uid"), PreReadResponseControl.get(moved).getEntry().getAttributeValue("uid"));
        ReadOnlyEntry seen = PostReadResponseControl.get(moved).getEntry();
        assertEquals(eve, seen.getDN());
        assertNull(admin.getEntry(ann));
        assertNull(admin.getEntry("cn=phone," + ann));
        Entry after = admin.getEntry(eve, "*", "+");
        assertEquals(admin.getEntry(eve, "*", "entryCSN").toLDIFString(), seen.toLDIFString());
        for (String same : List.of("entryUUID", "createTimestamp", "creatorsName", "mail", "userPassword", "structuralObjectClass")) {
            assertEquals(same, before.getAttributeValue(same), after.getAttributeValue(same));
        }
        assertEquals(rdn.substring(4), after.getAttributeValue("uid"));
        assertNotEquals(before.getAttributeValue("entryCSN"), after.getAttributeValue("entryCSN"));
        assertEquals("its", admin.getEntry("cn=phone," + eve).getAttributeValue("description"));
        assertNotNull(admin.getEntry("cn=cover,cn=phone," + eve));
        assertEquals(4, admin.search(SUFFIX, SearchScope.SUB, "(objectClass=*)", "1.1").getEntryCount());
        try (LDAPConnection own = server.admin()) {
            own.bind(eve, "secret");
        }
        Entry second = person(ann);
        second.addAttribute("mail", "ann@example.com");
        LDAPException taken = assertThrows(LDAPException.class, () -> admin.add(second));
        assertEquals(ResultCode.CONSTRAINT_VIOLATION, taken.getResultCode());
        admin.add(person(ann));
        LDAPException there = assertThrows(LDAPException.class, () -> admin.modifyDN(new ModifyDNRequest(ann, rdn, true)));
        assertEquals(ResultCode.ENTRY_ALREADY_EXISTS, there.getResultCode());
        admin.modifyDN(new ModifyDNRequest("cn=phone," + eve, "cn=phone", true, ann));
        assertNotNull(admin.getEntry("cn=cover,cn=phone," + ann));
        String top = dn(1, "phone").replace("uid=", "cn=");
        int shard = shard(top);
        admin.modifyDN(new ModifyDNRequest("cn=phone," + ann, top.substring(0, top.indexOf(',')), false, SUFFIX));
        assertNotNull("in shard " + shard, admin.getEntry("cn=cover," + top));
        assertEquals(2, admin.getEntry(top).getAttributeValues("cn").length);
    }

    @Test
    public void whoMayNotMoveItMovesNothing() throws Exception {
        String ann = dn(0, "ann");
        String eve = dn(2, "eve");
        String rdn = eve.substring(0, eve.indexOf(','));
        admin.add(person(ann));
        try (LDAPConnection own = server.admin()) {
            own.bind(ann, "secret");
            LDAPException refused = assertThrows(LDAPException.class, () -> own.modifyDN(new ModifyDNRequest(ann, rdn, true)));
            assertEquals(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, refused.getResultCode());
        }
        LDAPException failed = assertThrows(LDAPException.class, () -> admin.modifyDN(new ModifyDNRequest(ann, rdn, true, null,
                new Control[] {new AssertionRequestControl("(sn=7)")})));
        assertEquals(ResultCode.ASSERTION_FAILED, failed.getResultCode());
        LDAPException none = assertThrows(LDAPException.class, () -> admin.modifyDN(new ModifyDNRequest(dn(0, "nobody"), rdn, true)));
        assertEquals(ResultCode.NO_SUCH_OBJECT, none.getResultCode());
        assertEquals(SUFFIX, none.getMatchedDN());
        assertNotNull(admin.getEntry(ann));
        assertNull(admin.getEntry(eve));
    }

    @Test
    public void whatIsTooMuchStaysWhereItIs() throws Exception {
        String ann = dn(0, "ann");
        String eve = dn(2, "eve");
        String rdn = eve.substring(0, eve.indexOf(','));
        admin.add(person(ann));
        for (int i = 0; i < 1000; i++) {
            admin.add("dn: cn=below" + i + "," + ann, "objectClass: device", "cn: below" + i);
        }
        LDAPException many = assertThrows(LDAPException.class, () -> admin.modifyDN(new ModifyDNRequest(ann, rdn, true)));
        assertEquals(ResultCode.AFFECTS_MULTIPLE_DSAS, many.getResultCode());
        assertTrue(many.getMessage(), many.getMessage().contains("1000 entries"));
        admin.delete("cn=below0," + ann);
        admin.modifyDN(new ModifyDNRequest(ann, rdn, true));
        assertEquals(1000, admin.search(eve, SearchScope.SUB, "(objectClass=*)", "1.1").getEntryCount());
        admin.modify("cn=below1," + eve, new Modification(ModificationType.ADD, "description", "x".repeat(1 << 20)));
        LDAPException large = assertThrows(LDAPException.class, () -> admin.modifyDN(new ModifyDNRequest(eve, ann.substring(0, ann.indexOf(',')), true)));
        assertEquals(ResultCode.AFFECTS_MULTIPLE_DSAS, large.getResultCode());
        ASN1OctetString id = begin(admin);
        admin.modifyDN(new ModifyDNRequest(eve, ann.substring(0, ann.indexOf(',')), true, null, new Control[] {new TransactionSpecificationRequestControl(id)}));
        EndTransactionExtendedResult ended = end(admin, id);
        assertEquals(ResultCode.AFFECTS_MULTIPLE_DSAS, ended.getResultCode());
        assertTrue(ended.getDiagnosticMessage(), ended.getDiagnosticMessage().contains("in a request of its own"));
    }
}
