package org.alder.server;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.AsyncRequestID;
import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.DereferencePolicy;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchResult;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.controls.AssertionRequestControl;
import com.unboundid.ldap.sdk.controls.PersistentSearchChangeType;
import com.unboundid.ldap.sdk.controls.PersistentSearchRequestControl;
import com.unboundid.ldap.sdk.controls.ProxiedAuthorizationV2RequestControl;
import com.unboundid.ldap.sdk.controls.ServerSideSortRequestControl;
import com.unboundid.ldap.sdk.controls.SimplePagedResultsControl;
import com.unboundid.ldap.sdk.controls.SortKey;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.alder.partition.error.MustWaitException;
import org.alder.partition.error.StoreException;
import org.alder.partition.memory.MemoryStore;
import org.alder.partition.store.Commit;
import org.alder.partition.store.CommitFeed;
import org.alder.partition.store.CommitFollower;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.NeverWaits;
import org.alder.partition.store.Replica;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.Store;
import org.alder.partition.testing.Await;
import org.alder.server.access.AccessRule;
import org.alder.server.access.AccessRules;
import org.alder.server.directory.local.PartitionGroups;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** A server whose entries another machine has: whatever reads them waits for it, and never on an I/O loop. Through an independent client. */
public class ElsewhereTest {
    private static final String USERS = "ou=users," + TestServer.SUFFIX;
    private static final Set<String> LOOK_UPS = Set.of("entry", "name", "lookup", "ids", "cardinality", "keys", "entries", "follow", "changes");

    /** Look-ups that were tried where nobody may wait. */
    private final AtomicInteger refused = new AtomicInteger();
    private TestServer server;
    private LDAPConnection admin;

    private <T> T elsewhere(Class<T> type, T inner) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
            if (type != Commit.class && LOOK_UPS.contains(method.getName()) && NeverWaits.isCurrent()) {
                refused.incrementAndGet();
                throw new MustWaitException("it is elsewhere");
            }
            try {
                Object result = method.invoke(inner, method.getName().equals("follow") ? new Object[] {told((CommitFollower) arguments[0])} : arguments);
                return result instanceof Snapshot snapshot ? elsewhere(Snapshot.class, snapshot) : method.getName().equals("feed") ? elsewhere(CommitFeed.class, (CommitFeed) result)
                        : result;
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }));
    }

    private CommitFollower told(CommitFollower follower) {
        return commit -> follower.committed(elsewhere(Commit.class, commit));
    }

    private Store store(EntryIndexer indexer) {
        TestReplica replica = new TestReplica();
        Store store = replica.in(elsewhere(Store.class, new MemoryStore(indexer)));
        replica.role = Replica.Role.ELSEWHERE;
        return store;
    }

    private TestServer server(String... lines) throws Exception {
        List<AccessRule> rules = new ArrayList<>();
        for (String line : lines) {
            AccessRules.add(TestServer.SCHEMA, line, "a test", false, rules);
        }
        return new TestServer(settings -> settings.with(draft -> draft.accessRules = rules.isEmpty() ? draft.accessRules : rules), this::store, true);
    }

    @Before
    public void start() throws Exception {
        server = server();
        admin = server.admin();
    }

    @After
    public void close() {
        admin.close();
        server.close();
    }

    private SearchResult search(SearchRequest request) throws LDAPException {
        return admin.search(request);
    }

    private static SearchRequest all(Control... controls) {
        return new SearchRequest(null, controls, USERS, SearchScope.SUB, DereferencePolicy.NEVER, 0, 0, false,
                Filter.createEqualityFilter("objectClass", "person"), "uid");
    }

    @Test
    public void searchesOfAllKindsAreAnswered() throws Exception {
        AtomicInteger tries = new AtomicInteger();
        Await.until("a look-up that an I/O loop begins, and that has to be begun anew", () -> {
            // A loop whose turn is over leaves it to others at once; what is known of a state is looked up once.
            server.add("cn=try " + tries.incrementAndGet() + "," + USERS, "objectClass: device", "cn: try " + tries.get());
            assertEquals(TestServer.userDn(7), admin.getEntry(TestServer.userDn(7)).getDN());
            return refused.get() > 0;
        });
        assertEquals(1, admin.search(USERS, SearchScope.SUB, "(uid=user.3)").getEntryCount());
        assertEquals(TestServer.USERS, search(all()).getEntryCount());
        assertEquals("from above, into both partitions", TestServer.USERS, admin.search("", SearchScope.SUB, "(objectClass=person)").getEntryCount());
        assertEquals(10, search(all(new SimplePagedResultsControl(10))).getEntryCount());
        assertEquals("user.9", search(all(new ServerSideSortRequestControl(true, new SortKey("uid", true)))).getSearchEntries().get(0).getAttributeValue("uid"));
        assertEquals(1, admin.search(TestServer.userDn(7), SearchScope.BASE, "(uid=user.7)", "+", "*").getEntryCount());
        assertEquals(ResultCode.NO_SUCH_OBJECT, assertThrows(LDAPException.class, () -> admin.search("uid=none," + USERS, SearchScope.BASE, "(uid=*)")).getResultCode());
    }

    @Test
    public void loginsComparesAndUpdatesAreAnswered() throws LDAPException {
        try (LDAPConnection user = server.user(3)) {
            assertNotNull(user.getEntry(TestServer.userDn(3)));
        }
        try (LDAPConnection other = server.anonymous()) {
            assertEquals(ResultCode.INVALID_CREDENTIALS, assertThrows(LDAPException.class, () -> other.bind(TestServer.userDn(3), "wrong")).getResultCode());
        }
        assertTrue(admin.compare(TestServer.userDn(3), "uid", "user.3").compareMatched());
        admin.modify(TestServer.userDn(3), new Modification(ModificationType.REPLACE, "description", "new"));
        assertEquals("new", admin.getEntry(TestServer.userDn(3)).getAttributeValue("description"));
    }

    @Test
    public void whatControlsLookUpIsWaitedForToo() throws LDAPException {
        assertEquals(1, search(new SearchRequest(null, new Control[] {new ProxiedAuthorizationV2RequestControl("dn:" + TestServer.userDn(4))}, TestServer.userDn(4),
                SearchScope.BASE, DereferencePolicy.NEVER, 0, 0, false, Filter.createPresenceFilter("objectClass"))).getEntryCount());
        assertEquals(ResultCode.ASSERTION_FAILED, assertThrows(LDAPException.class, () -> search(all(new AssertionRequestControl("(ou=none)", true)))).getResultCode());
    }

    @Test
    public void copiesAreKept() throws Exception {
        try (SyncedCopy copy = new SyncedCopy(server.admin(), USERS, "(objectClass=*)")) {
            assertEquals(TestServer.USERS + 1, copy.poll());
            admin.modify(TestServer.userDn(3), new Modification(ModificationType.REPLACE, "description", "changed"));
            admin.delete(TestServer.userDn(4));
            assertEquals(1, copy.poll());
            assertEquals(SyncedCopy.content(admin, USERS, "(objectClass=*)"), copy.content());
            copy.follow();
            copy.awaitRefreshed();
            admin.modifyDN(TestServer.userDn(5), "uid=renamed", true);
            admin.delete(TestServer.userDn(6));
            server.add("cn=new," + USERS, "objectClass: device", "cn: new");
            while (!SyncedCopy.content(admin, USERS, "(objectClass=*)").equals(copy.content())) {
                copy.takeNext();
            }
        }
    }

    /** It begins on an I/O loop, which does not wait, and is counted once all the same. */
    @Test
    public void changesAreTold() throws Exception {
        FollowingListener told = new FollowingListener();
        SearchRequest request = new SearchRequest(told, USERS, SearchScope.SUB, "(objectClass=device)", "cn");
        request.setControls(new PersistentSearchRequestControl(PersistentSearchChangeType.allChangeTypes(), true, true));
        try (LDAPConnection follower = server.admin()) {
            AsyncRequestID id = follower.asyncSearch(request);
            AtomicInteger tries = new AtomicInteger();
            Await.until("a change that is told", () -> {
                server.add("cn=try " + tries.incrementAndGet() + "," + USERS, "objectClass: device", "cn: try " + tries.get());
                return !told.isQuiet();
            });
            assertTrue("nobody waits on a loop", refused.get() > 0);
            follower.abandon(id);
        }
    }

    /** Rules by groups hold wherever these are; who administers the server does not depend on another machine. */
    @Test
    public void groupsAreLookedUpElsewhereButForAdministrators() throws Exception {
        String group = "cn=group," + USERS;
        try (TestServer other = server("deny read, search to group \"" + group + "\"", "grant read, search, compare, authenticate to anyone")) {
            other.add(group, "objectClass: groupOfNames", "cn: group", "member: " + TestServer.userDn(1));
            try (LDAPConnection member = other.user(1); LDAPConnection user = other.user(2)) {
                LDAPException denied = assertThrows(LDAPException.class, () -> member.getEntry(TestServer.userDn(3)));
                assertEquals(denied.getMessage(), ResultCode.INSUFFICIENT_ACCESS_RIGHTS, denied.getResultCode());
                assertNotNull(user.getEntry(TestServer.userDn(3)));
            }
            StoreException refusal = assertThrows(StoreException.class,
                    () -> new PartitionGroups(TestServer.SCHEMA, other::partitions).isNamed(TestServer.dn(group), TestServer.dn(TestServer.userDn(1))));
            assertTrue(refusal.getMessage(), refusal.getMessage().contains("by which the server knows its administrators, is in " + TestServer.SUFFIX));
        }
    }
}
