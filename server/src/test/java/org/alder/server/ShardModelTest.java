package org.alder.server;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertTrue;

import com.unboundid.asn1.ASN1OctetString;
import com.unboundid.asn1.ASN1Sequence;
import com.unboundid.ldap.sdk.AddRequest;
import com.unboundid.ldap.sdk.CompareResult;
import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.DN;
import com.unboundid.ldap.sdk.DeleteRequest;
import com.unboundid.ldap.sdk.DereferencePolicy;
import com.unboundid.ldap.sdk.Entry;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.LDAPRequest;
import com.unboundid.ldap.sdk.LDAPSearchException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ModifyDNRequest;
import com.unboundid.ldap.sdk.ModifyRequest;
import com.unboundid.ldap.sdk.RDN;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchResult;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.UpdatableLDAPRequest;
import com.unboundid.ldap.sdk.controls.ServerSideSortRequestControl;
import com.unboundid.ldap.sdk.controls.SimplePagedResultsControl;
import com.unboundid.ldap.sdk.controls.SortKey;
import com.unboundid.ldap.sdk.controls.TransactionSpecificationRequestControl;
import com.unboundid.ldap.sdk.controls.VirtualListViewRequestControl;
import com.unboundid.ldap.sdk.controls.VirtualListViewResponseControl;
import com.unboundid.ldap.sdk.extensions.EndTransactionExtendedRequest;
import com.unboundid.ldap.sdk.extensions.StartTransactionExtendedRequest;
import com.unboundid.ldap.sdk.extensions.StartTransactionExtendedResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.alder.partition.dn.Dn;
import org.alder.partition.testing.Seed;
import org.alder.partition.tree.Shard;
import org.alder.server.config.ConfigurationException;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The same random requests to a partition that is distributed over shards and to one that is not, through restarts: the answers are the same. */
public class ShardModelTest {
    private static final int SHARDS = 3;
    private static final String SUFFIX = TestServer.SUFFIX;
    private static final String PARTITION = "\ndn: cn=first,cn=config\nobjectClass: alderPartition\nsuffix: " + SUFFIX + "\nindex: objectClass eq,pres\n"
            + "index: uid eq\nindex: cn eq,sub\nindex: entryUUID eq\nindex: mail eq\nmemberOf: none\nreference: none\nunique: mail\n"
            + "unique: description base=uid=u1," + SUFFIX + "\nindex: description eq\n";
    private static final String[] FILTERS = {"(objectClass=*)", "(objectClass=person)", "(cn=b*)", "(!(uid=u1))", "(description=red)",
        "(|(uid=u2)(uid=u7)(ou=g1))", "(&(objectClass=inetOrgPerson)(description=blue))", "(uid=none)", "(dc=example)", "(hasSubordinates=TRUE)",
        "(numSubordinates>=3)"};

    /** What copies are kept of. */
    private static final String[] COPIED = {"(objectClass=*)", "(description=red)"};

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final Random random = new Random(Seed.of(ShardModelTest.class));
    private ConfiguredServer plainServer;
    private ConfiguredServer shardedServer;
    private LDAPConnection plain;
    private LDAPConnection sharded;
    /** What consumers of the sharded one keep, through restarts. */
    private final List<SyncedCopy> copies = new ArrayList<>();
    private int movedElsewhere;
    private int transactions;
    private int shardsOfTransactions;
    private int ledElsewhere;
    private int referredElsewhere;
    private int takenElsewhere;

    @Before
    public void start() throws IOException, ConfigurationException, LDAPException {
        Path root = folder.getRoot().toPath();
        root.resolve("plain").toFile().mkdirs();
        root.resolve("sharded").toFile().mkdirs();
        plainServer = ConfiguredServer.start(root.resolve("plain"), ConfiguredServer.SERVER + PARTITION);
        shardedServer = ConfiguredServer.start(root.resolve("sharded"), ConfiguredServer.SERVER + PARTITION + "distribution: hash\nshards: " + SHARDS + "\n");
        plain = plainServer.admin();
        sharded = shardedServer.admin();
        if (copies.isEmpty()) {
            for (String filter : COPIED) {
                copies.add(new SyncedCopy(shardedServer.admin(), SUFFIX, filter));
            }
        } else {
            for (int i = 0; i < COPIED.length; i++) {
                copies.set(i, copies.get(i).on(shardedServer.admin()));
            }
        }
    }

    @After
    public void stop() {
        copies.forEach(SyncedCopy::close);
        plain.close();
        sharded.close();
        plainServer.close();
        shardedServer.close();
    }

    @Test
    public void answersAsOneStoreDoes() throws Exception {
        same(connection -> connection.search(SUFFIX, SearchScope.SUB, "(objectClass=*)"));
        add("uid=u1," + SUFFIX, "inetOrgPerson", "u1");
        add(SUFFIX, "domain", null);
        lead();
        for (int round = 0; round < 4; round++) {
            for (int i = 0; i < 60; i++) {
                change();
                if (random.nextInt(20) == 0) {
                    copied();
                }
            }
            for (int i = 0; i < 25; i++) {
                search();
            }
            for (int i = 0; i < 15; i++) {
                aliases();
                dereferenced(random.nextBoolean() ? SUFFIX : name());
            }
            paged();
            for (int i = 0; i < 15; i++) {
                sorted();
                listView();
            }
            stop();
            start();
            search();
        }
        copied();
        assertNotEquals("no rename led to another shard", 0, movedElsewhere);
        assertNotEquals("no transaction was made", 0, transactions);
        assertTrue("transactions of one shard each", shardsOfTransactions > transactions);
        assertNotEquals("no value was another entry's", 0, takenElsewhere);
        assertTrue("too few entries to tell shards by", sharded.search(SUFFIX, SearchScope.ONE, "(objectClass=*)").getEntryCount() > 2 * SHARDS);
    }

    private String name() {
        String top = random.nextInt(4) == 0 ? "ou=g" + random.nextInt(6) : "uid=u" + random.nextInt(20);
        return switch (random.nextInt(5)) {
            case 0 -> "cn=below" + random.nextInt(3) + "," + top + "," + SUFFIX;
            case 1 -> "ou=g" + random.nextInt(6) + "," + SUFFIX;
            default -> top + "," + SUFFIX;
        };
    }

    private void change() throws Exception {
        String dn = name();
        switch (random.nextInt(18)) {
            case 16, 17 -> transaction();
            case 13, 14, 15 -> mail(dn);
            case 10, 11 -> alias();
            case 12 -> same(connection -> connection.modify(dn, new Modification(ModificationType.REPLACE, "manager", manager(dn))));
            case 0, 1, 2, 3 -> add(dn, dn.startsWith("ou") ? "organizationalUnit" : "inetOrgPerson", random.nextBoolean() ? "bob" : "carl");
            case 4, 5 -> same(connection -> connection.modify(dn, new Modification(ModificationType.REPLACE, "description", colour(dn))));
            case 6 -> same(connection -> connection.delete(dn));
            case 7 -> same(connection -> connection.modify(SUFFIX, new Modification(ModificationType.REPLACE, "description", colour(dn))));
            case 8 -> rename(dn, random.nextBoolean() ? "cn=moved" + random.nextInt(4) : "uid=u" + random.nextInt(20),
                    random.nextInt(3) == 0 ? null : random.nextBoolean() ? SUFFIX : name());
            default -> same(connection -> connection.compare(dn, "description", colour(dn)));
        }
    }

    /** Some lead to others, some to nothing, and some to themselves. */
    private void alias() throws Exception {
        String rdn = "cn=alias" + random.nextInt(6);
        alias(rdn, rdn + "," + (random.nextBoolean() ? SUFFIX : name()), random.nextInt(5) == 0 ? "cn=alias" + random.nextInt(6) + "," + SUFFIX : name());
    }

    private void alias(String rdn, String dn, String target) throws Exception {
        Entry entry = new Entry(dn);
        entry.addAttribute("objectClass", "alias", "extensibleObject");
        entry.addAttribute("cn", rdn.substring(3));
        entry.addAttribute("aliasedObjectName", target);
        same(connection -> connection.add(entry));
    }

    private static String manager(String dn) {
        return "uid=u" + Math.floorMod(dn.hashCode(), 20) + "," + SUFFIX;
    }

    private static String colour(String dn) {
        return dn.hashCode() % 2 == 0 ? "red" : "blue";
    }

    /** Which only one entry may have, whichever shard has it. */
    private void mail(String dn) throws Exception {
        ModificationType type = List.of(ModificationType.ADD, ModificationType.REPLACE, ModificationType.DELETE).get(random.nextInt(3));
        mail(dn, type == ModificationType.DELETE ? new Modification(type, "mail") : new Modification(type, "mail", "m" + random.nextInt(8) + "@example.com"));
    }

    private void mail(String dn, Modification modification) throws Exception {
        ResultCode result = code(connection -> connection.modify(dn, modification), sharded);
        assertEquals(dn + " " + modification, code(connection -> connection.modify(dn, modification), plain), result);
        takenElsewhere += result.equals(ResultCode.CONSTRAINT_VIOLATION) ? 1 : 0;
    }

    private void add(String dn, String objectClass, String cn) throws Exception {
        Entry entry = entry(dn, objectClass, cn);
        same(connection -> connection.add(entry));
    }

    private static Entry entry(String dn, String objectClass, String cn) throws LDAPException {
        Entry entry = new Entry(dn);
        entry.addAttribute("objectClass", "top", objectClass);
        if (objectClass.equals("inetOrgPerson")) {
            entry.addAttribute("cn", cn);
            entry.addAttribute("sn", cn);
        }
        RDN rdn = new DN(dn).getRDN();
        entry.addAttribute(rdn.getAttributeNames()[0], rdn.getAttributeValues()[0]);
        return entry;
    }

    private void rename(String dn, String rdn, String superior) throws Exception {
        ModifyDNRequest request = new ModifyDNRequest(dn, rdn, random.nextBoolean(), superior);
        ResultCode result = code(connection -> connection.modifyDN(request), sharded);
        assertEquals(dn + " to " + rdn + "," + superior, code(connection -> connection.modifyDN(request), plain), result);
        Dn from = TestServer.dn(dn);
        Dn to = TestServer.dn(rdn + "," + (superior == null ? from.parent().text() : superior));
        movedElsewhere += result.equals(ResultCode.SUCCESS) && shard(from) != shard(to) ? 1 : 0;
    }

    /** All of it on both, or nothing: which of several updates is blamed that cannot be made is another thing. */
    private void transaction() throws Exception {
        List<LDAPRequest> updates = new ArrayList<>();
        TreeSet<Integer> touched = new TreeSet<>();
        List<String> there = new ArrayList<>();
        plain.search(SUFFIX, SearchScope.SUBORDINATE_SUBTREE, "(objectClass=inetOrgPerson)", "1.1").getSearchEntries().forEach(each -> there.add(each.getDN()));
        for (int i = 0; i < 2 + random.nextInt(3); i++) {
            String dn = there.isEmpty() || random.nextInt(6) == 0 ? name() : there.get(random.nextInt(there.size()));
            touched.add(shard(TestServer.dn(dn)));
            updates.add(switch (random.nextInt(8)) {
                case 0 -> new AddRequest(entry(dn, dn.startsWith("ou") ? "organizationalUnit" : "inetOrgPerson", "bob"));
                case 1, 3 -> new ModifyRequest(dn, new Modification(ModificationType.ADD, "mail", "t" + transactions + "x" + i + "@example.com"));
                case 2 -> new DeleteRequest(dn);
                default -> new ModifyRequest(dn, new Modification(ModificationType.REPLACE, "description", colour(dn)));
            });
        }
        transaction(updates, touched.size());
    }

    private void transaction(List<LDAPRequest> updates, int shards) throws Exception {
        boolean isMade = isMade(updates, sharded);
        assertEquals(updates.toString(), isMade(updates, plain), isMade);
        transactions += isMade ? 1 : 0;
        shardsOfTransactions += isMade ? shards : 0;
    }

    private static boolean isMade(List<LDAPRequest> updates, LDAPConnection connection) throws LDAPException {
        ASN1OctetString id = ((StartTransactionExtendedResult) connection.processExtendedOperation(new StartTransactionExtendedRequest())).getTransactionID();
        Control in = new TransactionSpecificationRequestControl(id);
        for (LDAPRequest each : updates) {
            UpdatableLDAPRequest copy = (UpdatableLDAPRequest) each.duplicate();
            copy.addControl(in);
            connection.processOperation(copy);
        }
        return connection.processExtendedOperation(new EndTransactionExtendedRequest(id, true)).getResultCode().equals(ResultCode.SUCCESS);
    }

    private static int shard(Dn dn) {
        return Shard.numberOf(TestServer.dn(SUFFIX), dn, SHARDS);
    }

    private void search() throws Exception {
        SearchScope[] scopes = {SearchScope.BASE, SearchScope.ONE, SearchScope.SUB, SearchScope.SUBORDINATE_SUBTREE};
        String base = switch (random.nextInt(4)) {
            case 0 -> name();
            case 1 -> "";
            default -> SUFFIX;
        };
        SearchRequest request = new SearchRequest(base, scopes[base.isEmpty() ? 2 : random.nextInt(4)], FILTERS[random.nextInt(FILTERS.length)], "*", "entryDN",
                "structuralObjectClass", "hasSubordinates", "numSubordinates");
        same(connection -> connection.search(request));
        request.setSizeLimit(1 + random.nextInt(6));
        SearchResult one = counted(plain, request);
        SearchResult other = counted(sharded, request);
        assertEquals(request.toString(), one.getResultCode(), other.getResultCode());
        assertEquals(request.toString(), one.getEntryCount(), other.getEntryCount());
    }

    /** By names that never change, so that some lead, and go, from shard to shard whatever the seed. */
    private void lead() throws Exception {
        for (int i = 0; i < 6; i++) {
            String person = "uid=u" + i + "," + SUFFIX;
            add(person, "inetOrgPerson", "bob");
            same(connection -> connection.modify(person, new Modification(ModificationType.REPLACE, "manager", manager(person))));
            alias("cn=alias" + i, "cn=alias" + i + "," + SUFFIX, person);
            mail(person, new Modification(ModificationType.REPLACE, "mail", "m0@example.com"));
        }
        for (int i = 0; i < 6; i++) {
            aliases("cn=alias" + i + "," + SUFFIX, SearchScope.BASE, DereferencePolicy.ALWAYS, FILTERS[0]);
        }
        dereferenced(SUFFIX);
        List<LDAPRequest> updates = new ArrayList<>();
        TreeSet<Integer> touched = new TreeSet<>();
        for (int i = 0; i < 6; i++) {
            String person = "uid=u" + i + "," + SUFFIX;
            touched.add(shard(TestServer.dn(person)));
            updates.add(new ModifyRequest(person, new Modification(ModificationType.REPLACE, "description", "blue")));
        }
        transaction(updates, touched.size());
        add("cn=below0,uid=u0," + SUFFIX, "inetOrgPerson", "bob");
        rename("uid=u0," + SUFFIX, elsewhere("uid=u0"), null);
        assertNotEquals("no alias led to another shard", 0, ledElsewhere);
        assertNotEquals("no reference led to another shard", 0, referredElsewhere);
    }

    /** The RDN of an entry that is not there, and would be in another shard. */
    private static String elsewhere(String rdn) {
        return IntStream.range(6, 20).mapToObj(i -> "uid=u" + i).filter(each -> shard(TestServer.dn(each + "," + SUFFIX)) != shard(TestServer.dn(rdn + "," + SUFFIX)))
                .findFirst().orElseThrow();
    }

    private void aliases() throws Exception {
        SearchScope[] scopes = {SearchScope.BASE, SearchScope.ONE, SearchScope.SUB, SearchScope.SUBORDINATE_SUBTREE};
        DereferencePolicy[] policies = {DereferencePolicy.ALWAYS, DereferencePolicy.SEARCHING, DereferencePolicy.FINDING};
        String base = random.nextInt(3) == 0 ? SUFFIX : random.nextInt(5) > 0 ? "cn=alias" + random.nextInt(6) + "," + SUFFIX : name();
        aliases(base, scopes[random.nextInt(4)], policies[random.nextInt(policies.length)], FILTERS[random.nextBoolean() ? 0 : random.nextInt(FILTERS.length)]);
    }

    private void aliases(String base, SearchScope scope, DereferencePolicy policy, String filter) throws Exception {
        SearchRequest request = new SearchRequest(base, scope, filter, "*", "entryDN");
        request.setDerefPolicy(policy);
        same(connection -> connection.search(request));
        if (!base.equals(SUFFIX)) {
            Dn asked = TestServer.dn(base);
            ledElsewhere += (int) found(sharded, request).stream().filter(entry -> shard(TestServer.dn(entry.getDN())) != shard(asked)).count();
        }
    }

    private void dereferenced(String base) throws Exception {
        Control control = new Control("1.3.6.1.4.1.4203.666.5.16", true, new ASN1OctetString(new ASN1Sequence(new ASN1Sequence(new ASN1OctetString("manager"),
                new ASN1Sequence(new ASN1OctetString("cn"), new ASN1OctetString("description")))).encode()));
        SearchRequest request = new SearchRequest(base, SearchScope.SUB, "(manager=*)", "manager");
        request.addControl(control);
        assertEquals(references(found(plain, request)), references(found(sharded, request)));
        referredElsewhere += (int) found(sharded, request).stream()
                .filter(entry -> entry.getControls().length > 0 && shard(TestServer.dn(entry.getDN())) != shard(TestServer.dn(entry.getAttributeValue("manager")))).count();
    }

    private static List<SearchResultEntry> found(LDAPConnection connection, SearchRequest request) {
        return counted(connection, request).getSearchEntries();
    }

    /** With what the entry that is referred to has. */
    private static List<String> references(List<SearchResultEntry> entries) {
        return entries.stream().map(entry -> entry.getDN() + " " + List.of(entry.getControls())).sorted().toList();
    }

    private static SearchResult counted(LDAPConnection connection, SearchRequest request) {
        try {
            return connection.search(request);
        } catch (LDAPSearchException e) {
            return e.getSearchResult();
        }
    }

    private void paged() throws Exception {
        assertEquals(new TreeSet<>(pages(plain)), new TreeSet<>(pages(sharded)));
        assertEquals(pages(plain).size(), pages(sharded).size());
    }

    private static List<String> pages(LDAPConnection connection) throws LDAPException {
        List<String> found = new ArrayList<>();
        ASN1OctetString cookie = null;
        do {
            SearchRequest request = new SearchRequest(SUFFIX, SearchScope.SUB, "(objectClass=*)", "1.1");
            request.addControl(new SimplePagedResultsControl(4, cookie));
            SearchResult result = connection.search(request);
            result.getSearchEntries().forEach(entry -> found.add(entry.getDN()));
            cookie = SimplePagedResultsControl.get(result).getCookie();
        } while (cookie != null && cookie.getValueLength() > 0);
        return found;
    }

    /** What the copies have is what both have, whichever shards have changed since. */
    private void copied() throws Exception {
        for (int i = 0; i < COPIED.length; i++) {
            SyncedCopy copy = copies.get(i);
            copy.poll();
            assertEquals(copy.history(), SyncedCopy.content(sharded, SUFFIX, COPIED[i]), copy.content());
            TreeSet<String> names = new TreeSet<>();
            plain.search(SUFFIX, SearchScope.SUB, COPIED[i], "1.1").getSearchEntries().forEach(entry -> names.add(entry.getDN()));
            assertEquals(names.size(), copy.content().size());
            assertTrue(names + " " + copy.content(),
                    copy.content().values().stream().allMatch(text -> names.stream().anyMatch(dn -> text.startsWith("dn: " + dn + "\n"))));
        }
    }

    /** An order, in which entries with equal values may be in another one in each store. */
    private record Order(String attribute, boolean reverse) {
        Control control() {
            return new ServerSideSortRequestControl(true, new SortKey(attribute, reverse));
        }

        /** What the entries are ordered by, one after the other: the least value of each. */
        List<String> values(SearchResult result) {
            return result.getSearchEntries().stream().map(this::least).toList();
        }

        private String least(SearchResultEntry entry) {
            String[] values = entry.getAttributeValues(attribute);
            return values == null ? "none" : Arrays.stream(values).map(value -> value.toLowerCase(Locale.ROOT)).min(Comparator.naturalOrder()).orElseThrow();
        }
    }

    private Order order() {
        return new Order(List.of("uid", "cn", "description", "mail").get(random.nextInt(4)), random.nextBoolean());
    }

    /** A search in an order, from the suffix or above it. */
    private SearchRequest ordered(Order order) throws LDAPException {
        SearchScope[] scopes = {SearchScope.ONE, SearchScope.SUB, SearchScope.SUBORDINATE_SUBTREE};
        boolean isAbove = random.nextInt(4) == 0;
        SearchRequest request = new SearchRequest(isAbove ? "" : SUFFIX, isAbove ? SearchScope.SUB : scopes[random.nextInt(3)],
                FILTERS[random.nextInt(FILTERS.length)], order.attribute);
        request.addControl(order.control());
        return request;
    }

    private void sorted() throws Exception {
        Order order = order();
        SearchRequest request = ordered(order);
        assertEquals(request.toString(), order.values(plain.search(request)), order.values(sharded.search(request)));
        int size = 1 + random.nextInt(12);
        request.setSizeLimit(random.nextBoolean() ? 0 : 1 + random.nextInt(20));
        List<String> names = new ArrayList<>();
        assertEquals(request.toString(), pages(plain, request, order, size, new ArrayList<>()), pages(sharded, request, order, size, names));
        assertEquals("none twice", names.size(), new TreeSet<>(names).size());
    }

    /** What the entries of all pages are ordered by. @param names takes theirs */
    private static List<String> pages(LDAPConnection connection, SearchRequest request, Order order, int size, List<String> names) {
        List<String> values = new ArrayList<>();
        ASN1OctetString cookie = null;
        SearchResult page;
        do {
            request.setControls(order.control(), new SimplePagedResultsControl(size, cookie));
            page = counted(connection, request);
            values.addAll(order.values(page));
            page.getSearchEntries().forEach(entry -> names.add(entry.getDN()));
            cookie = cookie(page);
        } while (cookie != null && cookie.getValueLength() > 0);
        values.add(page.getResultCode().toString());
        return values;
    }

    private static ASN1OctetString cookie(SearchResult page) {
        try {
            SimplePagedResultsControl control = SimplePagedResultsControl.get(page);
            return control == null ? null : control.getCookie();
        } catch (LDAPException e) {
            throw new IllegalStateException(e);
        }
    }

    private void listView() throws Exception {
        Order order = order();
        SearchRequest request = ordered(order);
        String[] values = {"u1", "U17", "a", "red", "m3@example.com", "zzz"};
        Control window = random.nextBoolean()
                ? new VirtualListViewRequestControl(1 + random.nextInt(50), random.nextInt(4), random.nextInt(9), random.nextInt(3) * 25, null)
                : new VirtualListViewRequestControl(values[random.nextInt(values.length)], random.nextInt(4), random.nextInt(9), null);
        request.addControl(window);
        assertEquals(request.toString(), view(counted(plain, request), order), view(counted(sharded, request), order));
    }

    private static String view(SearchResult result, Order order) throws LDAPException {
        VirtualListViewResponseControl view = VirtualListViewResponseControl.get(result);
        return result.getResultCode() + " " + view.getResultCode() + " " + view.getTargetPosition() + "/" + view.getContentCount() + " "
                + order.values(result);
    }

    /** A request. */
    @FunctionalInterface
    private interface Request {
        Object send(LDAPConnection connection) throws LDAPException;
    }

    private void same(Request request) throws Exception {
        assertEquals(answer(request, plain), answer(request, sharded));
    }

    private static ResultCode code(Request request, LDAPConnection connection) {
        try {
            request.send(connection);
            return ResultCode.SUCCESS;
        } catch (LDAPException e) {
            return e.getResultCode();
        }
    }

    /** With all entries in an order that does not depend on the stores. */
    private static String answer(Request request, LDAPConnection connection) {
        try {
            Object answer = request.send(connection);
            if (answer instanceof SearchResult result) {
                List<String> entries = result.getSearchEntries().stream().map(entry -> entry.toLDIFString()).sorted().toList();
                return result.getResultCode() + " " + entries;
            }
            return answer instanceof CompareResult compared ? compared.getResultCode().toString() : "done";
        } catch (LDAPException e) {
            return e.getResultCode() + " below " + e.getMatchedDN();
        }
    }
}
