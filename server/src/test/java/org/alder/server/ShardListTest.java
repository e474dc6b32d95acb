package org.alder.server;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.asn1.ASN1OctetString;
import com.unboundid.ldap.sdk.AsyncRequestID;
import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.LDAPSearchException;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchResult;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.controls.ServerSideSortRequestControl;
import com.unboundid.ldap.sdk.controls.ServerSideSortResponseControl;
import com.unboundid.ldap.sdk.controls.SimplePagedResultsControl;
import com.unboundid.ldap.sdk.controls.SortKey;
import com.unboundid.ldap.sdk.controls.VirtualListViewRequestControl;
import com.unboundid.ldap.sdk.controls.VirtualListViewResponseControl;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.alder.partition.testing.Await;
import org.alder.partition.testing.Seed;
import org.alder.server.access.HiddenEntriesTest;
import org.alder.server.directory.guard.Limits;
import org.alder.server.resource.MemoryLimits;
import org.junit.Test;

/** List views and sorted searches from the suffix of shards, and from above it: what all shards have in one order. */
public class ShardListTest {
    private static final SortKey NUMBER = new SortKey("employeeNumber", "2.5.13.15", false);
    private static final SortKey NUMBER_REVERSE = new SortKey("employeeNumber", "2.5.13.15", true);
    private static final int MANY = 12_000;

    private final Random random = new Random(Seed.of(ShardListTest.class));

    private static SearchRequest request(String base, String filter, Control... controls) {
        try {
            SearchRequest request = new SearchRequest(base, SearchScope.SUB, filter, "uid", "employeeNumber");
            request.setControls(controls);
            return request;
        } catch (LDAPException e) {
            throw new IllegalArgumentException(filter, e);
        }
    }

    private static Control sorted(SortKey... keys) {
        return new ServerSideSortRequestControl(true, keys);
    }

    private static Control at(int offset, int before, int after, int contentCount) {
        return new VirtualListViewRequestControl(offset, before, after, contentCount, null);
    }

    private static List<String> values(SearchResult result, String attribute) {
        return result.getSearchEntries().stream().map(entry -> entry.getAttributeValue(attribute)).toList();
    }

    private static VirtualListViewResponseControl view(SearchResult result) throws LDAPException {
        assertEquals(ResultCode.SUCCESS, ServerSideSortResponseControl.get(result).getResultCode());
        VirtualListViewResponseControl view = VirtualListViewResponseControl.get(result);
        assertEquals(ResultCode.SUCCESS, view.getResultCode());
        return view;
    }

    @Test
    public void windowsAreThoseOfOneListWhoeverHasTheEntries() throws Exception {
        try (ShardedServer server = new ShardedServer(); LDAPConnection admin = server.admin()) {
            List<String> numbers = new ArrayList<>(IntStream.rangeClosed(1, ShardedServer.USERS).mapToObj(Integer::toString).toList());
            List<String> reverse = new ArrayList<>(numbers);
            Collections.reverse(reverse);
            for (String base : List.of(ShardedServer.SUFFIX, ShardedServer.ABOVE, "")) {
                for (int i = 0; i < 20; i++) {
                    isWindow(admin, base, NUMBER, numbers);
                    isWindow(admin, base, NUMBER_REVERSE, reverse);
                }
                SearchResult byValue = admin.search(request(base, "(uid=*)", sorted(NUMBER), new VirtualListViewRequestControl("17", 1, 1, null)));
                assertEquals(List.of("16", "17", "18"), values(byValue, "employeeNumber"));
                assertEquals(17, view(byValue).getTargetPosition());
                SearchResult behind = admin.search(request(base, "(uid=*)", sorted(NUMBER), new VirtualListViewRequestControl("51", 1, 1, null)));
                assertEquals(List.of("50"), values(behind, "employeeNumber"));
                assertEquals(51, view(behind).getTargetPosition());
                assertEquals("in proportion", 25, view(admin.search(request(base, "(uid=*)", sorted(NUMBER), at(500, 0, 0, 1000)))).getTargetPosition());
                SearchResult nothing = admin.search(request(base, "(uid=nobody)", sorted(NUMBER), at(1, 0, 5, 0)));
                assertEquals("0/0", view(nothing).getTargetPosition() + "/" + view(nothing).getContentCount());
            }
            SearchResult all = admin.search(request(ShardedServer.ABOVE, "(objectClass=*)", sorted(NUMBER), at(1, 0, 100, 0)));
            assertEquals("both suffixes once, behind those with numbers", ShardedServer.USERS + 2, view(all).getContentCount());
            assertEquals(List.of(ShardedServer.ABOVE, ShardedServer.SUFFIX),
                    all.getSearchEntries().subList(ShardedServer.USERS, ShardedServer.USERS + 2).stream().map(entry -> entry.getDN()).toList());
        }
    }

    private void isWindow(LDAPConnection connection, String base, SortKey key, List<String> expected) throws LDAPException {
        int offset = 1 + random.nextInt(expected.size());
        int before = random.nextInt(5);
        int after = random.nextInt(20);
        SearchResult result = connection.search(request(base, "(uid=*)", sorted(key), at(offset, before, after, 0)));
        assertEquals(expected.subList(Math.max(0, offset - 1 - before), Math.min(expected.size(), offset + after)), values(result, "employeeNumber"));
        assertEquals(offset, view(result).getTargetPosition());
        assertEquals(expected.size(), view(result).getContentCount());
    }

    /** Entries with equal values have one order, whichever windows they are seen through. */
    @Test
    public void windowsThatFollowEachOtherHaveEachEntryOnce() throws Exception {
        try (ShardedServer server = new ShardedServer(); LDAPConnection admin = server.admin()) {
            for (boolean reverse : new boolean[] {false, true}) {
                List<String> seen = new ArrayList<>();
                for (int offset = 1; offset <= ShardedServer.USERS; offset += 7) {
                    SearchRequest window = request(ShardedServer.SUFFIX, "(uid=*)", sorted(new SortKey("sn", reverse)), at(offset, 0, 6, 0));
                    seen.addAll(values(admin.search(window), "uid"));
                }
                assertEquals(ShardedServer.USERS, seen.size());
                assertEquals(ShardedServer.USERS, new HashSet<>(seen).size());
            }
        }
    }

    @Test
    public void manyEntriesAreMergedFromTheIndexesOfAllShardsInPagesToo() throws Exception {
        try (ShardedServer server = new ShardedServer(); LDAPConnection admin = server.admin()) {
            server.addAccounts(MANY);
            List<String> expected = IntStream.range(0, MANY).mapToObj(i -> "account." + i).sorted().toList();
            for (String base : List.of(ShardedServer.SUFFIX, ShardedServer.ABOVE)) {
                SearchRequest request = request(base, "(objectClass=account)", sorted(new SortKey("uid")));
                assertEquals(expected, values(admin.search(request), "uid"));
                List<String> found = new ArrayList<>();
                ASN1OctetString cookie = null;
                do {
                    request.setControls(sorted(new SortKey("uid")), new SimplePagedResultsControl(5000, cookie));
                    SearchResult page = admin.search(request);
                    found.addAll(values(page, "uid"));
                    cookie = SimplePagedResultsControl.get(page).getCookie();
                } while (cookie.getValueLength() > 0);
                assertEquals(expected, found);
                int before = server.readRecords();
                request.setControls(sorted(new SortKey("uid", true)), at(4001, 1, 1, 0));
                SearchResult window = admin.search(request);
                assertEquals(MANY, view(window).getContentCount());
                assertEquals(List.of(expected.get(MANY - 4000), expected.get(MANY - 4001), expected.get(MANY - 4002)), values(window, "uid"));
                assertTrue("entries were read that are not in the window: " + (server.readRecords() - before), server.readRecords() - before < 20);
            }
        }
    }

    @Test
    public void whatIsHiddenIsNotCounted() throws Exception {
        try (ShardedServer server = new ShardedServer(settings -> settings.with(draft -> draft.accessRules = HiddenEntriesTest.rules(
                "deny all where (sn=Number1) to users", "default"))); LDAPConnection user = server.user(3)) {
            List<String> expected = IntStream.rangeClosed(1, ShardedServer.USERS).filter(i -> i % 3 != 1).mapToObj(Integer::toString).toList();
            SearchResult result = user.search(request(ShardedServer.SUFFIX, "(uid=*)", sorted(NUMBER), at(1, 0, 100, 0)));
            assertEquals(expected, values(result, "employeeNumber"));
            assertEquals(expected.size(), view(result).getContentCount());
            SearchResult secret = user.search(request(ShardedServer.SUFFIX, "(uid=*)", sorted(new SortKey("userPassword")),
                    new VirtualListViewRequestControl("password", 0, 0, null)));
            assertEquals("nobody has a password that he may read", 1, view(secret).getTargetPosition());
            assertEquals(Integer.toString(expected.size()), user.getEntry(ShardedServer.SUFFIX, "numSubordinates").getAttributeValue("numSubordinates"));
            assertEquals(0, user.search(ShardedServer.SUFFIX, SearchScope.BASE, "(numSubordinates>=" + ShardedServer.USERS + ")").getEntryCount());
            try (LDAPConnection admin = server.admin()) {
                assertEquals("TRUE", admin.getEntry(ShardedServer.SUFFIX, "hasSubordinates").getAttributeValue("hasSubordinates"));
                assertEquals(1, admin.search(ShardedServer.SUFFIX, SearchScope.BASE, "(numSubordinates=" + ShardedServer.USERS + ")").getEntryCount());
                server.addAccounts(MANY);
                assertNull("too many to be counted for who may not see all",
                        user.getEntry(ShardedServer.SUFFIX, "numSubordinates").getAttributeValue("numSubordinates"));
                assertEquals("TRUE", user.getEntry(ShardedServer.SUFFIX, "hasSubordinates").getAttributeValue("hasSubordinates"));
                assertEquals(Integer.toString(ShardedServer.USERS + MANY),
                        admin.getEntry(ShardedServer.SUFFIX, "numSubordinates").getAttributeValue("numSubordinates"));
            }
        }
    }

    private static void ends(ResultCode expected, LDAPConnection connection, SearchRequest request) {
        LDAPSearchException end = assertThrows(LDAPSearchException.class, () -> connection.search(request));
        assertEquals(end.getMessage(), expected, end.getResultCode());
    }

    @Test(timeout = Await.MILLIS)
    public void limitsHoldForAllShardsTogether() throws Exception {
        try (ShardedServer server = new ShardedServer(settings -> settings.with(draft -> {
            draft.limits = new Limits(0, 0, 5);
            draft.memory = new MemoryLimits(settings.memory().unfinishedBytes(), 1 << 18);
        })); LDAPConnection admin = server.admin(); LDAPConnection user = server.user(3)) {
            ends(ResultCode.ADMIN_LIMIT_EXCEEDED, user, request(ShardedServer.SUFFIX, "(cn=none)", sorted(NUMBER), at(1, 0, 100, 0)));
            ends(ResultCode.ADMIN_LIMIT_EXCEEDED, user, request(ShardedServer.SUFFIX, "(cn=none)", sorted(NUMBER)));
            SearchRequest few = request(ShardedServer.SUFFIX, "(uid=*)", sorted(NUMBER));
            few.setSizeLimit(3);
            LDAPSearchException end = assertThrows(LDAPSearchException.class, () -> admin.search(few));
            assertEquals(ResultCode.SIZE_LIMIT_EXCEEDED, end.getResultCode());
            assertEquals(List.of("1", "2", "3"), values(end.getSearchResult(), "employeeNumber"));
            server.addAccounts(MANY);
            SearchRequest large = request(ShardedServer.SUFFIX, "(objectClass=account)", sorted(new SortKey("uid"), new SortKey("cn")), at(1, 0, 1, 0));
            LDAPSearchException full = assertThrows(LDAPSearchException.class, () -> admin.search(large));
            assertTrue(full.getMessage(), full.getMessage().contains("operationBytes"));
            server.readSlowly(100);
            SearchRequest slow = request(ShardedServer.SUFFIX, "(sn=*)", sorted(NUMBER), at(1, 0, 100, 0));
            slow.setTimeLimitSeconds(1);
            ends(ResultCode.TIME_LIMIT_EXCEEDED, admin, slow);
            AsyncRequestID abandoned = admin.asyncSearch(abandonable(slow));
            Await.until("all shards are read", () -> server.openSnapshots() == ShardedServer.SHARDS);
            admin.abandon(abandoned);
            Await.until("nothing is open", () -> server.openSnapshots() == 0);
            Await.until("nothing is held", () -> server.server().memory().operations().heldBytes() == 0);
        }
    }

    private static SearchRequest abandonable(SearchRequest of) {
        SearchRequest request = new SearchRequest(new FollowingListener(), of.getBaseDN(), of.getScope(), of.getFilter(), of.getAttributes());
        request.setControls(of.getControls());
        return request;
    }

    /** A shard that fails after others were opened leaves nothing open. */
    @Test
    public void aShardThatCannotBeReadEndsTheSearch() throws Exception {
        try (ShardedServer server = new ShardedServer(); LDAPConnection admin = server.admin()) {
            server.failIndexes(ShardedServer.SHARDS - 1, true);
            for (Control[] controls : new Control[][] {{sorted(NUMBER), at(1, 0, 5, 0)}, {sorted(NUMBER)}, {}}) {
                assertThrows(LDAPException.class, () -> admin.search(request(ShardedServer.SUFFIX, "(uid=user.1)", controls)));
            }
            server.failIndexes(ShardedServer.SHARDS - 1, false);
            assertTrue("a fault of the disk is logged", !server.takeFaults().isEmpty());
            assertEquals(1, view(admin.search(request(ShardedServer.SUFFIX, "(uid=user.1)", sorted(NUMBER), at(1, 0, 5, 0)))).getContentCount());
        }
    }

    @Test
    public void whatIsWrongWithTheViewIsToldAsOfOneStore() throws IOException, LDAPException {
        try (ShardedServer server = new ShardedServer(); LDAPConnection admin = server.admin()) {
            refuses(60, admin, at(1, 0, 1, 0));
            refuses(61, admin, sorted(NUMBER), at(0, 0, 1, 6));
            refuses(53, admin, sorted(NUMBER), at(1, 0, 1, 0), new SimplePagedResultsControl(5));
            refuses(21, admin, sorted(NUMBER), new VirtualListViewRequestControl("no number", 0, 1, null));
            refuses(11, admin, sorted(NUMBER), at(1, 100_000, 1, 0));
        }
    }

    private static void refuses(int code, LDAPConnection connection, Control... controls) throws LDAPException {
        LDAPSearchException end = assertThrows(LDAPSearchException.class, () -> connection.search(request(ShardedServer.SUFFIX, "(uid=*)", controls)));
        assertEquals(end.getMessage(), 76, end.getResultCode().intValue());
        assertEquals(code, VirtualListViewResponseControl.get(end.getSearchResult()).getResultCode().intValue());
    }

    /** A cookie of another search, or one whose bytes were changed, begins nothing. */
    @Test
    public void cookiesOfSortedPagesAreOfTheirSearch() throws Exception {
        try (ShardedServer server = new ShardedServer(); LDAPConnection admin = server.admin()) {
            SearchRequest request = request(ShardedServer.SUFFIX, "(uid=*)", sorted(NUMBER), new SimplePagedResultsControl(7));
            byte[] cookie = SimplePagedResultsControl.get(admin.search(request)).getCookie().getValue();
            for (int i = 0; i < cookie.length; i++) {
                byte[] changed = cookie.clone();
                changed[i] ^= (byte) (1 << random.nextInt(8));
                request.setControls(sorted(NUMBER), new SimplePagedResultsControl(7, new ASN1OctetString(changed)));
                ends(ResultCode.UNWILLING_TO_PERFORM, admin, request);
            }
            request.setControls(sorted(NUMBER_REVERSE), new SimplePagedResultsControl(7, new ASN1OctetString(cookie)));
            ends(ResultCode.UNWILLING_TO_PERFORM, admin, request);
        }
    }
}
