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
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.alder.partition.testing.Requirement;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** Server-side sorting, alone and with pages, through an independent client. */
public class SortTest {
    private static final String USERS = "ou=users," + TestServer.SUFFIX;
    private static final String INTEGER_ORDER = "2.5.13.15";

    private TestServer server;
    private LDAPConnection admin;

    @Before
    public void start() throws LDAPException {
        server = new TestServer();
        admin = server.admin();
        server.add("cn=a\\00b," + USERS, "objectClass: device", "cn: a\0b", "serialNumber: x");
        server.add("cn=a," + USERS, "objectClass: device", "cn: z", "cn: a", "serialNumber: y");
        server.add("cn=B," + USERS, "objectClass: device", "cn: B", "serialNumber: y");
        server.add("cn=c," + USERS, "objectClass: device", "cn: c");
    }

    @After
    public void stop() {
        admin.close();
        server.close();
    }

    private static SearchResult search(LDAPConnection connection, String filter, Control... controls) throws LDAPException {
        SearchRequest request = new SearchRequest(USERS, SearchScope.ONE, filter, "*", "createTimestamp");
        request.setControls(controls);
        return connection.search(request);
    }

    private static String rdns(SearchResult result) {
        return result.getSearchEntries().stream().map(entry -> entry.getDN().replaceAll("^[^=]*=([^,]*),.*", "$1"))
                .collect(Collectors.joining(" "));
    }

    private String devices(SortKey... keys) throws LDAPException {
        SearchResult result = search(admin, "(objectClass=device)", new ServerSideSortRequestControl(true, keys));
        assertEquals(ResultCode.SUCCESS, ServerSideSortResponseControl.get(result).getResultCode());
        return rdns(result);
    }

    @Test
    @Proves("1.2.840.113556.1.4.473")
    @Requirement(rfc = 2891, section = "1", text = "Entries are sorted by the keys, reverse too")
    public void sorts() throws LDAPException {
        assertEquals("the least value counts", "a a\\00b B c", devices(new SortKey("cn")));
        assertEquals("c B a\\00b a", devices(new SortKey("cn", true)));
        assertEquals("missing values are last", "a\\00b a B c", devices(new SortKey("serialNumber"), new SortKey("cn")));
        assertEquals("a\\00b B a c", devices(new SortKey("serialNumber"), new SortKey("cn", true)));
        assertEquals("and first in reverse", "c a B a\\00b", devices(new SortKey("serialNumber", true), new SortKey("cn")));
        assertEquals("a a\\00b B c", devices(new SortKey("CN", "caseIgnoreOrderingMatch", false)));
        assertEquals("upper case first", "B a a\\00b c", devices(new SortKey("cn", "2.5.13.6", false)));
    }

    @Test
    @Requirement(rfc = 2891, section = "2", text = "With paged results all pages are of one order")
    public void pagesAreOfOneOrder() throws LDAPException {
        Control sort = new ServerSideSortRequestControl(true, new SortKey("employeeNumber", INTEGER_ORDER, true));
        for (int size : new int[] {1, 7, 50, 100}) {
            List<String> numbers = new ArrayList<>();
            ASN1OctetString cookie = null;
            do {
                SearchResult result = search(admin, "(employeeNumber=*)", sort,
                        new SimplePagedResultsControl(size, cookie, true));
                result.getSearchEntries().forEach(entry -> numbers.add(entry.getAttributeValue("employeeNumber")));
                SimplePagedResultsControl page = SimplePagedResultsControl.get(result);
                cookie = page.moreResultsToReturn() ? page.getCookie() : null;
            } while (cookie != null);
            List<String> expected = new ArrayList<>(
                    IntStream.rangeClosed(1, TestServer.USERS).mapToObj(Integer::toString).toList());
            Collections.reverse(expected);
            assertEquals(expected, numbers);
        }
    }

    @Test
    public void cookiesOfOtherOrdersAreRefused() throws LDAPException {
        ASN1OctetString cookie = SimplePagedResultsControl.get(search(admin, "(uid=*)",
                new ServerSideSortRequestControl(true, new SortKey("cn")), new SimplePagedResultsControl(5))).getCookie();
        for (Control[] other : new Control[][] {{new ServerSideSortRequestControl(true, new SortKey("cn", true))}, {}}) {
            List<Control> controls = new ArrayList<>(List.of(other));
            controls.add(new SimplePagedResultsControl(5, cookie));
            assertEquals(ResultCode.UNWILLING_TO_PERFORM, assertThrows(LDAPException.class, () ->
                    search(admin, "(uid=*)", controls.toArray(Control[]::new))).getResultCode());
        }
    }

    @Test
    public void theSizeLimitIsOfTheSortedEntries() throws LDAPException {
        SearchRequest request = new SearchRequest(USERS, SearchScope.ONE, "(objectClass=device)", "cn");
        request.setControls(new ServerSideSortRequestControl(true, new SortKey("cn", true)));
        request.setSizeLimit(2);
        LDAPSearchException failure = assertThrows(LDAPSearchException.class, () -> admin.search(request));
        assertEquals(ResultCode.SIZE_LIMIT_EXCEEDED, failure.getResultCode());
        assertEquals("c B", rdns(failure.getSearchResult()));
        request.setSizeLimit(4);
        assertEquals(4, admin.search(request).getEntryCount());
    }

    @Test
    @Requirement(rfc = 2891, section = "1.2, 2", text = "sortResult says why; critical: no entries")
    public void saysWhyItDoesNotSort() throws LDAPException {
        SearchResult unsorted = search(admin, "(objectClass=device)",
                new ServerSideSortRequestControl(false, new SortKey("none")));
        assertEquals(4, unsorted.getEntryCount());
        assertEquals(ResultCode.NO_SUCH_ATTRIBUTE, ServerSideSortResponseControl.get(unsorted).getResultCode());
        LDAPSearchException failure = assertThrows(LDAPSearchException.class, () -> search(admin, "(objectClass=device)",
                new ServerSideSortRequestControl(true, new SortKey("cn", "noSuchRule", false))));
        assertEquals(ResultCode.UNAVAILABLE_CRITICAL_EXTENSION, failure.getResultCode());
        ServerSideSortResponseControl control = ServerSideSortResponseControl.get(failure.getSearchResult());
        assertEquals(ResultCode.INAPPROPRIATE_MATCHING, control.getResultCode());
        assertEquals("cn", control.getAttributeName());
        assertEquals(ResultCode.PROTOCOL_ERROR, assertThrows(LDAPException.class, () -> search(admin, "(cn=a)",
                new Control("1.2.840.113556.1.4.473", true, new ASN1OctetString(new byte[] {0x30, 0})))).getResultCode());
    }

    @Test
    public void whatIsTooMuchForMemoryIsReturnedUnsortedOrInPages() throws LDAPException {
        int count = 60_000;
        server.addDevices(count);
        SortKey key = new SortKey("cn");
        SearchResult unsorted = search(admin, "(cn=device.*)", new ServerSideSortRequestControl(false, key));
        assertEquals(count, unsorted.getEntryCount());
        assertEquals(ResultCode.ADMIN_LIMIT_EXCEEDED, ServerSideSortResponseControl.get(unsorted).getResultCode());
        Control critical = new ServerSideSortRequestControl(true, key);
        LDAPSearchException failure = assertThrows(LDAPSearchException.class, () -> search(admin, "(cn=device.*)", critical));
        assertEquals(ResultCode.UNAVAILABLE_CRITICAL_EXTENSION, failure.getResultCode());
        assertEquals("device.1 device.10 device.100",
                rdns(search(admin, "(cn=device.*)", critical, new SimplePagedResultsControl(3))));
    }

    @Test
    public void theOrderTellsNothingThatMayNotBeRead() throws LDAPException {
        server.add("cn=d," + USERS, "objectClass: person", "cn: d", "sn: d", "userPassword: a");
        Control byPassword = new ServerSideSortRequestControl(true, new SortKey("userPassword"), new SortKey("cn"));
        assertEquals("d B c", rdns(search(admin, "(|(cn=d)(cn=c)(cn=B))", byPassword)));
        try (LDAPConnection user = server.user(1)) {
            assertEquals("B c d", rdns(search(user, "(|(cn=d)(cn=c)(cn=B))", byPassword)));
        }
    }
}
