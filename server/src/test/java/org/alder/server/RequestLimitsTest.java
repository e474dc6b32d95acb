package org.alder.server;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ModifyRequest;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.controls.AssertionRequestControl;
import com.unboundid.ldap.sdk.controls.MatchedValuesFilter;
import com.unboundid.ldap.sdk.controls.MatchedValuesRequestControl;
import com.unboundid.ldap.sdk.controls.PostReadRequestControl;
import com.unboundid.ldap.sdk.controls.ServerSideSortRequestControl;
import com.unboundid.ldap.sdk.controls.SortKey;
import com.unboundid.ldap.sdk.controls.VirtualListViewRequestControl;
import java.util.Collections;
import org.alder.partition.filter.FilterLimits;
import org.alder.server.control.RequestLimits;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.junit.function.ThrowingRunnable;

/** What one request may ask for: beyond it the client is told which limit it is, and its connection lives. */
public class RequestLimitsTest {
    private static final String USERS = "ou=users," + TestServer.SUFFIX;
    private static final RequestLimits LIMITS = new RequestLimits(new FilterLimits(4, 3, 200), 3, 2, 10);

    private TestServer server;
    private LDAPConnection admin;

    @Before
    public void start() throws LDAPException {
        server = new TestServer(settings -> settings.with(draft -> draft.requestLimits = LIMITS));
        admin = server.admin();
    }

    @After
    public void stop() {
        admin.close();
        server.close();
    }

    private void refused(String limit, ThrowingRunnable request) throws LDAPException {
        LDAPException refusal = assertThrows(LDAPException.class, request);
        assertEquals(refusal.getMessage(), ResultCode.ADMIN_LIMIT_EXCEEDED, refusal.getResultCode());
        assertTrue(refusal.getMessage(), refusal.getDiagnosticMessage().contains("the limit is " + limit));
        assertNotNull("the connection lives", admin.getEntry(TestServer.SUFFIX, "1.1"));
    }

    private int count(String filter, String... attributes) throws LDAPException {
        return admin.search(USERS, SearchScope.SUB, filter, attributes).getEntryCount();
    }

    private int count(Control... controls) throws LDAPException {
        SearchRequest request = new SearchRequest(USERS, SearchScope.SUB, "(uid=*)", "uid");
        request.setControls(controls);
        return admin.search(request).getEntryCount();
    }

    @Test
    public void filtersOfTooManyItemsAreRefused() throws LDAPException {
        assertEquals(3, count("(|(uid=user.1)(uid=user.2)(uid=user.3))"));
        refused("4 (maxFilterItems)", () -> count("(|(uid=user.1)(uid=user.2)(uid=user.3)(uid=user.4))"));
        refused("4 (maxFilterItems)", () -> count("(uid=*a*b*c*d*)"));
        refused("4 (maxFilterItems)", () -> admin.modify(described(new AssertionRequestControl("(|(uid=1)(uid=2)(uid=3)(uid=4))"))));
        MatchedValuesFilter item = MatchedValuesFilter.createPresentFilter("uid");
        refused("4 (maxFilterItems)", () -> count(new MatchedValuesRequestControl(true, Collections.nCopies(5, item))));
    }

    private static ModifyRequest described(Control... controls) {
        return new ModifyRequest(TestServer.userDn(1), new Modification[] {new Modification(ModificationType.REPLACE, "description", "x")},
                controls);
    }

    @Test
    public void filtersThatAreTooDeepAreRefused() throws LDAPException {
        assertEquals(1, count("(&(|(uid=user.1)))"));
        refused("3 (maxFilterDepth)", () -> count("(&(|(&(uid=user.1))))"));
    }

    /** The deepest one that any configuration allows goes through planning, matching and whatever else looks at filters. */
    @Test
    public void theDeepestFilterIsAnswered() throws LDAPException {
        FilterLimits most = new FilterLimits(FilterLimits.MOST_ITEMS, FilterLimits.MOST_DEPTH, 1 << 20);
        try (TestServer deep = new TestServer(settings -> settings.with(draft -> draft.requestLimits = new RequestLimits(most, 3, 2, 10)));
                LDAPConnection user = deep.user(1)) {
            for (String last : new String[] {"uid", "sn"}) {
                Filter filter = Filter.createPresenceFilter(last);
                for (int depth = 2; depth <= FilterLimits.MOST_DEPTH; depth++) {
                    filter = depth % 4 < 2 ? Filter.createNOTFilter(filter) : depth % 4 == 2 ? Filter.createANDFilter(filter)
                            : Filter.createORFilter(filter);
                }
                assertEquals(TestServer.USERS, user.search(USERS, SearchScope.SUB, filter, "1.1").getEntryCount());
            }
        }
    }

    @Test
    public void filtersOfTooManyBytesAreRefused() throws LDAPException {
        assertEquals(0, count("(uid=" + "a".repeat(190) + ")"));
        refused("200 (maxFilterBytes)", () -> count("(uid=" + "a".repeat(200) + ")"));
    }

    @Test
    public void tooManyAttributesToReturnAreRefused() throws LDAPException {
        assertEquals(1, count("(uid=user.1)", "a", "b", "c"));
        refused("3 (maxRequestedAttributes)", () -> count("(uid=user.1)", "a", "b", "c", "d"));
        refused("3 (maxRequestedAttributes)", () -> admin.modify(described(new PostReadRequestControl("a", "b", "c", "d"))));
    }

    @Test
    public void tooManySortKeysAreRefused() throws LDAPException {
        SortKey key = new SortKey("uid");
        assertEquals(TestServer.USERS, count(new ServerSideSortRequestControl(true, key, key)));
        refused("2 (maxSortKeys)", () -> count(new ServerSideSortRequestControl(true, key, key, key)));
        refused("2 (maxSortKeys)", () -> count(new ServerSideSortRequestControl(false, key, key, key)));
    }

    /** The result is that of list views, whose control has the code of the limit. */
    @Test
    public void listViewsOfTooManyEntriesAreRefused() throws LDAPException {
        Control sort = new ServerSideSortRequestControl(true, new SortKey("uid"));
        assertEquals(10, count(sort, new VirtualListViewRequestControl(1, 0, 9, 0, null)));
        LDAPException refusal = assertThrows(LDAPException.class, () -> count(sort, new VirtualListViewRequestControl(6, 5, 5, 0, null)));
        assertEquals(ResultCode.VIRTUAL_LIST_VIEW_ERROR, refusal.getResultCode());
        assertTrue(refusal.getMessage(), refusal.getDiagnosticMessage().contains("the limit is 10 (maxListViewEntries)"));
        assertNotNull(admin.getEntry(TestServer.SUFFIX, "1.1"));
    }
}
