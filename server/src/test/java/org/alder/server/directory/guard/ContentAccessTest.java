package org.alder.server.directory.guard;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.alder.partition.Partition;
import org.alder.partition.dn.Dn;
import org.alder.partition.dn.Rdn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryUuid;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.filter.Filter;
import org.alder.partition.filter.FilterParser;
import org.alder.partition.index.AttributeIndexer;
import org.alder.partition.index.IndexDefinition;
import org.alder.partition.index.IndexKind;
import org.alder.partition.memory.MemoryStore;
import org.alder.partition.request.ListWindow;
import org.alder.partition.request.Modification;
import org.alder.partition.request.OrderedList;
import org.alder.partition.request.SearchScope;
import org.alder.partition.request.SortOrder;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.testing.Await;
import org.alder.server.TestServer;
import org.alder.server.access.AccessPolicy;
import org.alder.server.access.AccessRule;
import org.alder.server.access.AccessRuleException;
import org.alder.server.access.AccessRules;
import org.alder.server.access.LimitPolicy;
import org.alder.server.auth.Identity;
import org.alder.server.auth.Passwords;
import org.alder.server.directory.Change;
import org.alder.server.directory.ChangeFeed;
import org.alder.server.directory.ContentChange;
import org.alder.server.directory.ContentRefresh;
import org.alder.server.directory.Directory;
import org.alder.server.directory.EntryCursor;
import org.alder.server.directory.FollowedContexts;
import org.alder.server.directory.EntryCursor.Step;
import org.alder.server.directory.OperationContext;
import org.alder.server.directory.OperationOptions;
import org.alder.server.directory.SearchPosition;
import org.alder.server.directory.SearchRequest;
import org.alder.server.directory.UpdateTransaction;
import org.alder.server.directory.local.PartitionDirectory;
import org.alder.server.directory.own.RootDse;
import org.alder.server.policy.AccountLogins;
import org.alder.server.policy.PasswordPolicies;
import org.alder.server.policy.PasswordPolicy;
import org.alder.server.policy.PasswordUpdates;
import org.alder.server.policy.PolicySettings;
import org.alder.server.resource.Counters;
import org.alder.server.resource.HashingThreads;
import org.alder.server.resource.OpenSessions;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/**
 * Rights that depend on what is in an entry, by the rules of this test: there are no entries of employeeType {@code hidden} for
 * users, telephone numbers of those of employeeType {@code secretive} may not be read, and entries without a title may be changed.
 */
public class ContentAccessTest {
    private static final Dn SUFFIX = TestServer.dn(TestServer.SUFFIX);
    private static final Identity USER = new Identity(TestServer.dn("uid=p0," + TestServer.SUFFIX), false);
    private static final Identity ADMINISTRATOR = new Identity(TestServer.dn(TestServer.ADMIN), true);
    private static final int PEOPLE = 12;

    private Partition partition;
    private AccountLogins logins;
    private final HashingThreads hashing = new HashingThreads(1, 100, new Counters());
    private Directory directory;

    private static final AttributeType TELEPHONE = TestServer.SCHEMA.attributeType("telephoneNumber");
    private static final List<String> RULES = List.of(
            "deny all where (employeeType=hidden) to users",
            "deny all of telephoneNumber where (employeeType=secretive) to users",
            "grant view to users",
            "deny add, write, delete where (|(title=*)(employeeType=secretive)) to users",
            "grant add, write, delete to users",
            "grant compare of userPassword to users");

    static AccessPolicy policy(List<Dn> suffixes, String... lines) throws AccessRuleException {
        List<AccessRule> rules = new ArrayList<>();
        for (String line : lines) {
            AccessRules.add(TestServer.SCHEMA, line, "", false, rules);
        }
        return new AccessPolicy(TestServer.SCHEMA, suffixes, rules, AccessPolicy.Memberships.NONE);
    }

    /** Every third person is hidden, every third secretive. */
    @Before
    public void open() throws Exception {
        List<IndexDefinition> indexes = new ArrayList<>();
        for (String name : List.of("objectClass", "uid", "telephoneNumber", "sn")) {
            indexes.add(new IndexDefinition(TestServer.SCHEMA.attributeType(name), Set.of(IndexKind.EQUALITY, IndexKind.PRESENCE),
                    1000));
        }
        partition = new Partition(TestServer.SCHEMA, SUFFIX, indexes, new MemoryStore(new AttributeIndexer(TestServer.SCHEMA,
                indexes)));
        List<Partition> partitions = List.of(partition);
        directory = new PartitionDirectory(TestServer.SCHEMA, () -> partitions,
                ADMINISTRATOR.dn(),
                new RootDse(List.of(), List.of(), List.of(), "", ""), List::of, null, null, new Counters(), new OpenSessions(), FollowedContexts.NONE);
        logins = new AccountLogins(new PasswordPolicies(TestServer.SCHEMA, dn -> partition,
                PolicySettings.STANDARD.withPolicy(PasswordPolicy.NONE)));
        Passwords passwords = new Passwords(TestServer.QUICK_PASSWORDS);
        directory = new PasswordHashingDirectory(directory, TestServer.SCHEMA, passwords,
                new PasswordUpdates(TestServer.SCHEMA, passwords, logins), hashing, logins);
        directory = new AccessControlledDirectory(directory, TestServer.SCHEMA,
                policy(List.of(SUFFIX), RULES.toArray(String[]::new)));
        directory = new LimitedDirectory(directory, LimitPolicy.of(new Limits(PEOPLE, 0, 0).general()), () -> Limits.STANDARD);
        add("", "objectClass: domain", "dc: example");
        for (int i = 0; i < PEOPLE; i++) {
            String kind = List.of("open", "hidden", "secretive").get(i % 3);
            add("uid=p" + i, "objectClass: inetOrgPerson", "uid: p" + i, "cn: x", "sn: s" + i % 2, "employeeType: " + kind,
                    "telephoneNumber: " + (100 - i), "userPassword: secret");
        }
    }

    @After
    public void close() {
        hashing.close();
        logins.close();
        partition.close();
    }

    private static OperationContext as(Identity identity) {
        return new OperationContext(identity, Instant.EPOCH, null);
    }

    private static Dn dn(String rdn) {
        return TestServer.dn((rdn.isEmpty() ? "" : rdn + ",") + TestServer.SUFFIX);
    }

    private static List<Attribute> attributes(String... lines) {
        return Arrays.stream(lines).map(line -> new Attribute(line.substring(0, line.indexOf(':')),
                List.of(line.substring(line.indexOf(':') + 2).getBytes(StandardCharsets.UTF_8)))).toList();
    }

    private void add(String rdn, String... lines) throws Exception {
        done(directory.add(as(ADMINISTRATOR), dn(rdn), attributes(lines)));
    }

    private static Modification replace(String description, String value) {
        return new Modification(Modification.Kind.REPLACE, description, List.of(value.getBytes(StandardCharsets.UTF_8)));
    }

    private static Change done(CompletableFuture<Change> change) throws DirectoryException {
        try {
            return Await.result("the change", change);
        } catch (ExecutionException | CompletionException e) {
            if (e.getCause() instanceof DirectoryException cause) {
                throw cause;
            }
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private Change modify(Identity identity, String rdn, Modification modification) throws DirectoryException {
        return done(directory.modify(as(identity), dn(rdn), List.of(modification)));
    }

    private static SearchRequest request(String filter, int sizeLimit) throws DirectoryException {
        return new SearchRequest(SUFFIX, SearchScope.SUBTREE, FilterParser.parse(filter), sizeLimit, 0, 0, false, false,
                SearchPosition.START);
    }

    private static List<String> names(EntryCursor cursor) throws DirectoryException {
        List<String> names = new ArrayList<>();
        for (Step step = cursor.step(1); step != Step.END; step = cursor.step(1)) {
            if (step == Step.MATCH) {
                String name = cursor.dn();
                names.add(name.substring(name.indexOf('=') + 1, name.indexOf(',')));
            }
        }
        return names;
    }

    private List<String> found(Identity identity, String filter) throws DirectoryException {
        try (EntryCursor cursor = directory.search(as(identity), request(filter, 0))) {
            return names(cursor);
        }
    }

    private static void assertCode(ResultCode code, org.junit.function.ThrowingRunnable action) {
        assertEquals(code, assertThrows(DirectoryException.class, action).resultCode());
    }

    @Test
    public void hiddenEntriesUseUpNoSizeLimit() throws DirectoryException {
        for (String filter : List.of("(objectClass=inetOrgPerson)", "(cn=x)", "(sn=s0)")) {
            int visible = found(USER, filter).size();
            assertTrue(filter, visible >= PEOPLE / 3 && visible < found(ADMINISTRATOR, filter).size());
            try (EntryCursor cursor = directory.search(as(USER), request(filter, visible))) {
                assertEquals(filter, visible, names(cursor).size());
            }
            try (EntryCursor cursor = directory.search(as(USER), request(filter, visible - 1))) {
                assertCode(ResultCode.SIZE_LIMIT_EXCEEDED, () -> names(cursor));
            }
        }
    }

    @Test
    public void whatMayNotBeReadOfAnEntryIsUndefinedForThatEntry() throws DirectoryException {
        assertEquals(List.of("p0"), found(USER, "(telephoneNumber=100)"));
        assertEquals(List.of(), found(USER, "(telephoneNumber=98)"));
        assertEquals(List.of("p2"), found(ADMINISTRATOR, "(telephoneNumber=98)"));
        assertEquals(List.of("p0", "p3", "p6", "p9"), found(USER, "(telephoneNumber=*)"));
        assertEquals(List.of("p3", "p6", "p9"), found(USER, "(&(uid=*)(!(telephoneNumber=100)))"));
        assertEquals(List.of("p0", "p2"), found(USER, "(|(telephoneNumber=100)(uid=p1)(uid=p2))"));
        assertEquals(List.of(), found(USER, "(userPassword=*)"));
        assertEquals(List.of("p2"), found(USER, "(&(uid=p2)(|(telephoneNumber=98)(sn=s0)))"));
    }

    private static OrderedList byTelephone(ListWindow window) {
        AttributeType type = TELEPHONE;
        SortOrder order = new SortOrder(TestServer.SCHEMA, List.of(new SortOrder.Part(TestServer.SCHEMA.descriptionOrNull(type.name()),
                type.equality(), false)));
        return new OrderedList(order, new byte[0], 0, 0, window);
    }

    @Test
    public void listViewsCountAndOrderByWhatMayBeRead() throws DirectoryException {
        OrderedList list = byTelephone(new ListWindow(0, PEOPLE, new ListWindow.Target.Offset(1, 0)));
        try (EntryCursor cursor = directory.search(as(USER), request("(uid=*)", 0).withList(list))) {
            assertEquals("readable numbers in their order, then those without", List.of("p0", "p9", "p6", "p3", "p2", "p5", "p8", "p11"),
                    names(cursor));
            assertEquals(8, cursor.listView().contentCount());
        }
        try (EntryCursor cursor = directory.search(as(ADMINISTRATOR), request("(uid=*)", 0).withList(list))) {
            assertEquals(PEOPLE, names(cursor).size());
            assertEquals(PEOPLE, cursor.listView().contentCount());
        }
    }

    private static void assertChange(ContentChange.Kind kind, String uid, ChangeFeed feed) throws DirectoryException {
        ContentChange change = feed.next();
        assertNotNull("expected " + kind + " of " + uid, change);
        assertEquals(kind, change.kind());
        assertTrue(change.entry().dn(), change.entry().dn().startsWith("uid=" + uid + ","));
    }

    @Test
    public void feedsTellWhatBecomesVisibleAndWhatIsHidden() throws DirectoryException {
        try (ChangeFeed feed = directory.follow(as(USER), request("(uid=*)", 0), true)) {
            modify(ADMINISTRATOR, "uid=p1", replace("sn", "unseen"));
            assertNull(feed.next());
            modify(ADMINISTRATOR, "uid=p1", replace("employeeType", "open"));
            assertChange(ContentChange.Kind.ADDED, "p1", feed);
            modify(ADMINISTRATOR, "uid=p1", replace("sn", "seen"));
            assertChange(ContentChange.Kind.MODIFIED, "p1", feed);
            modify(ADMINISTRATOR, "uid=p1", replace("employeeType", "hidden"));
            assertChange(ContentChange.Kind.DELETED, "p1", feed);
            done(directory.delete(as(ADMINISTRATOR), dn("uid=p1")));
            assertNull(feed.next());
        }
        try (ChangeFeed feed = directory.follow(as(USER), request("(telephoneNumber=*)", 0), true)) {
            modify(ADMINISTRATOR, "uid=p0", replace("employeeType", "secretive"));
            assertChange(ContentChange.Kind.DELETED, "p0", feed);
            assertNull(feed.next());
        }
    }

    @Test
    public void theFormerNameOfAHiddenEntryIsNotTold() throws Exception {
        add("ou=groups", "objectClass: organizationalUnit", "ou: groups");
        try (ChangeFeed feed = directory.follow(as(USER), request("(uid=*)", 0), false)) {
            done(directory.rename(as(ADMINISTRATOR), dn("uid=p3"), Rdn.parse(TestServer.SCHEMA, "uid=q3"), true, null));
            ContentChange renamed = feed.next();
            assertEquals(ContentChange.Kind.RENAMED, renamed.kind());
            assertEquals("uid=p3," + TestServer.SUFFIX, renamed.previousDn());
            UpdateTransaction transaction = directory.begin();
            OperationContext together = as(ADMINISTRATOR).withTransaction(transaction);
            directory.modify(together, dn("uid=p4"), List.of(replace("employeeType", "open")));
            directory.rename(together, dn("uid=p4"), Rdn.parse(TestServer.SCHEMA, "uid=q4"), true, null);
            Await.result("the transaction", transaction.commit());
            ContentChange shown = feed.next();
            assertEquals(ContentChange.Kind.ADDED, shown.kind());
            assertNull(shown.previousDn());
        }
    }

    @Test
    public void aCopyLosesWhatIsHiddenAndGetsNothingHidden() throws DirectoryException {
        ContentRefresh all = directory.refresh(as(USER), request("(uid=*)", 0), null);
        assertEquals(8, names(all.entries()).size());
        all.close();
        modify(ADMINISTRATOR, "uid=p0", replace("employeeType", "hidden"));
        modify(ADMINISTRATOR, "uid=p4", replace("employeeType", "open"));
        byte[] hidden;
        try (EntryCursor cursor = directory.search(as(ADMINISTRATOR), request("(uid=p0)", 0))) {
            assertEquals(Step.MATCH, cursor.step(100));
            hidden = EntryUuid.in(cursor.attributes());
        }
        try (ContentRefresh changes = directory.refresh(as(USER), request("(uid=*)", 0), all.state())) {
            assertEquals(ContentRefresh.Kind.CHANGES, changes.kind());
            assertEquals(List.of("p4"), names(changes.entries()));
            assertEquals(1, changes.deleted().size());
            assertTrue(Arrays.equals(hidden, changes.deleted().get(0)));
        }
    }

    @Test
    public void anUpdateIsCheckedInTheStateItIsAppliedTo() throws Exception {
        modify(USER, "uid=p0", replace("description", "changed by a user"));
        assertCode(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, () -> modify(USER, "uid=p2", replace("description", "x")));
        assertCode(ResultCode.NO_SUCH_OBJECT, () -> modify(USER, "uid=p1", replace("description", "x")));
        assertCode(ResultCode.NO_SUCH_OBJECT, () -> modify(USER, "uid=nobody", replace("description", "x")));
        assertCode(ResultCode.NO_SUCH_OBJECT, () -> done(directory.delete(as(USER), dn("uid=p1"))));
        assertCode(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, () -> done(directory.delete(as(USER), dn("uid=p2"))));
        assertCode(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, () -> done(directory.add(as(USER), dn("uid=new"), attributes(
                "objectClass: inetOrgPerson", "uid: new", "cn: x", "sn: x", "title: boss"))));
        done(directory.add(as(USER), dn("uid=new"), attributes("objectClass: inetOrgPerson", "uid: new", "cn: x", "sn: x")));
        UpdateTransaction transaction = directory.begin();
        OperationContext together = as(USER).withTransaction(transaction);
        directory.modify(together, dn("uid=p3"), List.of(replace("title", "closed by the first update")));
        CompletableFuture<Change> second = directory.modify(together, dn("uid=p3"), List.of(replace("description", "x")));
        assertFalse("nothing stands in its way before the first is made", second.isCompletedExceptionally());
        assertThrows(ExecutionException.class, () -> Await.result("the transaction", transaction.commit()));
        assertEquals(1, transaction.failed());
        assertCode(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, () -> done(second));
        assertEquals(List.of(), found(ADMINISTRATOR, "(title=closed*)"));
        done(directory.delete(as(USER), dn("uid=p3")));
    }

    @Test
    public void assertionsAndShownEntriesTellWhatMayBeRead() throws DirectoryException {
        Filter number = FilterParser.parse("(telephoneNumber=98)");
        OperationOptions asserting = new OperationOptions(number, false, false, List.of(), false, false, false, false, false);
        SearchRequest base = new SearchRequest(dn("uid=p2"), SearchScope.BASE, FilterParser.parse("(uid=*)"), 0, 0, 0, false, false,
                SearchPosition.START);
        directory.search(as(ADMINISTRATOR).withOptions(asserting), base).close();
        DirectoryException failed = assertThrows(DirectoryException.class,
                () -> directory.search(as(USER).withOptions(asserting), base));
        assertEquals(ResultCode.ASSERTION_FAILED, failed.resultCode());
        OperationOptions showing = new OperationOptions(null, true, true, List.of("*"), false, false, false, false, false);
        Change change = done(directory.modify(as(USER).withOptions(showing), dn("uid=p0"),
                List.of(replace("employeeType", "secretive"))));
        assertTrue(change.before().access().mayRead(TELEPHONE));
        assertFalse(change.after().access().mayRead(TELEPHONE));
    }

    @Test
    public void compareAsksTheEntry() throws DirectoryException {
        byte[] value = "100".getBytes(StandardCharsets.UTF_8);
        assertTrue(directory.compare(as(USER), dn("uid=p0"), "telephoneNumber", value).join());
        assertCode(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, () -> directory.compare(as(USER), dn("uid=p2"), "telephoneNumber", value));
        assertCode(ResultCode.NO_SUCH_OBJECT, () -> directory.compare(as(USER), dn("uid=p1"), "telephoneNumber", value));
        assertTrue(directory.compare(as(USER), dn("uid=p0"), "userPassword", "secret".getBytes(StandardCharsets.UTF_8))
                .join());
    }
}
