package org.alder.server;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import com.unboundid.asn1.ASN1OctetString;
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
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** Virtual list views (draft-ietf-ldapext-ldapv3-vlv-09), and sorting by an index, through an independent client. */
public class ListViewTest {
    private static final String USERS = "ou=users," + TestServer.SUFFIX;
    private static final String VLV = "2.16.840.1.113730.3.4.9";
    private static final int LIST_VIEW_ERROR = 76;

    private TestServer server;
    private LDAPConnection admin;

    @Before
    public void start() throws LDAPException {
        server = new TestServer();
        admin = server.admin();
    }

    @After
    public void stop() {
        admin.close();
        server.close();
    }

    private static Control sorted(SortKey... keys) {
        return new ServerSideSortRequestControl(true, keys);
    }

    private static Control at(int offset, int before, int after, int contentCount) {
        return new VirtualListViewRequestControl(offset, before, after, contentCount, null);
    }

    private static Control from(String value, int before, int after) {
        return new VirtualListViewRequestControl(value, before, after, null);
    }

    private static SearchResult search(LDAPConnection connection, String base, String filter, Control... controls)
            throws LDAPException {
        SearchRequest request = new SearchRequest(base, SearchScope.SUB, filter, "employeeNumber");
        request.setControls(controls);
        return connection.search(request);
    }

    /** The users' numbers, then the target's position and the number of entries. */
    private String view(Control sort, Control view) throws LDAPException {
        SearchResult result = search(admin, USERS, "(uid=*)", sort, view);
        assertEquals(ResultCode.SUCCESS, ServerSideSortResponseControl.get(result).getResultCode());
        VirtualListViewResponseControl response = VirtualListViewResponseControl.get(result);
        assertEquals(ResultCode.SUCCESS, response.getResultCode());
        return numbers(result) + " " + response.getTargetPosition() + "/" + response.getContentCount();
    }

    private static String numbers(SearchResult result) {
        return result.getSearchEntries().stream().map(entry -> entry.getAttributeValue("employeeNumber")).toList().toString();
    }

    @Test
    @Proves(VLV)
    public void aWindowOfTheSortedEntriesIsReturned() throws LDAPException {
        Control number = sorted(new SortKey("employeeNumber", "2.5.13.15", false));
        assertEquals("[1, 2, 3] 1/50", view(number, at(1, 2, 2, 0)));
        assertEquals("[8, 9, 10, 11, 12] 10/50", view(number, at(10, 2, 2, 50)));
        assertEquals("in proportion", "[25] 25/50", view(number, at(500, 0, 0, 1000)));
        assertEquals("the last", "[49, 50] 50/50", view(number, at(7, 1, 3, 7)));
        assertEquals("behind the end", "[50] 50/50", view(number, at(1000, 0, 0, 0)));
        assertEquals("[16, 17, 18] 17/50", view(number, from("17", 1, 1)));
        assertEquals("[1] 1/50", view(number, from("-5", 3, 0)));
        assertEquals("[49, 50] 51/50", view(number, from("51", 2, 2)));

        Control reverse = sorted(new SortKey("employeeNumber", "2.5.13.15", true));
        assertEquals("[42, 41, 40] 10/50", view(reverse, at(10, 1, 1, 0)));
        assertEquals("[18, 17, 16] 34/50", view(reverse, from("17", 1, 1)));
        Control uid = sorted(new SortKey("uid"));
        assertEquals("[19, 2, 20] 12/50", view(uid, from("USER.2", 1, 1)));
        Control several = sorted(new SortKey("objectClass"), new SortKey("employeeNumber", "2.5.13.15", true));
        assertEquals("[49, 48, 47] 3/50", view(several, at(3, 1, 1, 0)));
    }

    @Test
    public void whatIsWrongWithTheView() throws LDAPException {
        Control number = sorted(new SortKey("employeeNumber", "2.5.13.15", false));
        refuses(60, at(1, 0, 1, 0));
        refuses(61, number, at(7, 0, 1, 6));
        refuses(61, number, at(0, 0, 1, 6));
        refuses(53, number, at(1, 0, 1, 0), new SimplePagedResultsControl(5));
        refuses(21, number, from("no number", 0, 1));
        refuses(11, number, at(1, 100_000, 1, 0));
        refuses(18, sorted(new SortKey("noSuchAttribute")), at(1, 0, 1, 0));
        for (Control malformed : List.of(new Control(VLV, true),
                new Control(VLV, true, new ASN1OctetString(new byte[] {0x30, 0})))) {
            LDAPException failure = assertThrows(LDAPException.class, () -> search(admin, USERS, "(uid=*)", number, malformed));
            assertEquals(ResultCode.PROTOCOL_ERROR, failure.getResultCode());
        }
        LDAPException missing = assertThrows(LDAPException.class,
                () -> search(admin, "ou=none," + TestServer.SUFFIX, "(uid=*)", number, at(1, 0, 1, 0)));
        assertEquals("the search itself", ResultCode.NO_SUCH_OBJECT, missing.getResultCode());
    }

    @Test
    public void severalPartitionsHaveOneList() throws LDAPException {
        server.add("uid=other," + TestServer.OTHER_SUFFIX, "objectClass: inetOrgPerson", "uid: other", "cn: x", "sn: x", "employeeNumber: 20");
        Control number = sorted(new SortKey("employeeNumber", "2.5.13.15", false));
        SearchResult result = search(admin, "", "(uid=*)", number, at(20, 0, 2, 0));
        assertEquals("[20, 20, 21]", numbers(result));
        assertEquals("uid=other," + TestServer.OTHER_SUFFIX, result.getSearchEntries().get(1).getDN());
        assertEquals(51, VirtualListViewResponseControl.get(result).getContentCount());
    }

    private void refuses(int code, Control... controls) throws LDAPException {
        LDAPSearchException failure = assertThrows(LDAPSearchException.class, () -> search(admin, USERS, "(uid=*)", controls));
        assertEquals(failure.getMessage(), LIST_VIEW_ERROR, failure.getResultCode().intValue());
        assertEquals(code, VirtualListViewResponseControl.get(failure.getSearchResult()).getResultCode().intValue());
    }

    @Test
    public void theOrderTellsNothingThatMayNotBeRead() throws LDAPException {
        try (LDAPConnection user = server.user(1)) {
            SearchResult result = search(user, USERS, "(uid=*)", sorted(new SortKey("userPassword")), from("password", 0, 0));
            assertEquals("nobody has a password that he may read", 1,
                    VirtualListViewResponseControl.get(result).getTargetPosition());
        }
    }

    @Test
    public void manyEntriesAreSortedByTheIndexInPagesToo() throws LDAPException {
        server.addAccounts(11_000);
        Control uid = sorted(new SortKey("uid"));
        SearchRequest request = new SearchRequest(USERS, SearchScope.SUB, "(objectClass=account)", "uid");
        List<String> found = new ArrayList<>();
        ASN1OctetString cookie = null;
        do {
            request.setControls(uid, new SimplePagedResultsControl(4000, cookie));
            SearchResult page = admin.search(request);
            assertEquals(ResultCode.SUCCESS, ServerSideSortResponseControl.get(page).getResultCode());
            page.getSearchEntries().forEach(entry -> found.add(entry.getAttributeValue("uid")));
            cookie = SimplePagedResultsControl.get(page).getCookie();
        } while (cookie.getValueLength() > 0);
        assertEquals(11_000, found.size());
        assertEquals(found.stream().sorted().collect(Collectors.toList()), found);
        request.setControls(uid);
        assertEquals(found, admin.search(request).getSearchEntries().stream().map(entry -> entry.getAttributeValue("uid"))
                .toList());

        request.setControls(sorted(new SortKey("uid", true)), at(2, 1, 1, 0));
        SearchResult view = admin.search(request);
        assertEquals(11_000, VirtualListViewResponseControl.get(view).getContentCount());
        assertEquals(List.of(found.get(10_999), found.get(10_998), found.get(10_997)),
                view.getSearchEntries().stream().map(entry -> entry.getAttributeValue("uid")).toList());
    }
}
