package org.alder.server;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.asn1.ASN1OctetString;
import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.LDAPSearchException;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.RootDSE;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchResult;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.controls.RFC3672SubentriesRequestControl;
import com.unboundid.ldap.sdk.controls.SimplePagedResultsControl;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.alder.partition.testing.Requirement;
import org.junit.After;
import org.junit.AfterClass;
import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.Test;
import org.junit.function.ThrowingRunnable;

/** Searches over the protocol, with a client that was not written with this server. */
public class SearchTest {
    private static final String USERS = "ou=users," + TestServer.SUFFIX;

    private static TestServer server;
    private LDAPConnection connection;

    @BeforeClass
    public static void start() {
        server = new TestServer();
    }

    @AfterClass
    public static void stop() {
        server.close();
    }

    @Before
    public void connect() throws LDAPException {
        connection = server.admin();
    }

    @After
    public void disconnect() {
        connection.close();
    }

    private int count(String base, SearchScope scope, String filter) throws LDAPException {
        return connection.search(base, scope, filter, "1.1").getEntryCount();
    }

    private SearchResultEntry user(int number, String... attributes) throws LDAPException {
        return connection.getEntry(TestServer.userDn(number), attributes);
    }

    private static Set<String> names(SearchResultEntry entry) {
        return entry.getAttributes().stream().map(Attribute::getName).collect(Collectors.toCollection(TreeSet::new));
    }

    private static void fails(ResultCode code, String base, ThrowingRunnable search) {
        LDAPException failure = assertThrows(base, LDAPException.class, search);
        assertEquals(failure.getMessage(), code, failure.getResultCode());
        assertFalse("a message for the person", failure.getDiagnosticMessage().isEmpty());
    }

    @Test
    @Requirement(rfc = 4511, section = "4.5.1.2", text = "Scopes baseObject, singleLevel, wholeSubtree")
    public void scopes() throws LDAPException {
        assertEquals(1, count(USERS, SearchScope.BASE, "(objectClass=*)"));
        assertEquals(TestServer.USERS, count(USERS, SearchScope.ONE, "(objectClass=*)"));
        assertEquals(TestServer.USERS + 1, count(USERS, SearchScope.SUB, "(objectClass=*)"));
        assertEquals(TestServer.USERS, count(USERS, SearchScope.SUBORDINATE_SUBTREE, "(objectClass=*)"));
        assertEquals(1, count(TestServer.SUFFIX, SearchScope.ONE, "(objectClass=*)"));
        assertEquals(TestServer.USERS + 2, count(TestServer.SUFFIX, SearchScope.SUB, "(objectClass=*)"));
        assertEquals(1, count(TestServer.OTHER_SUFFIX, SearchScope.SUB, "(objectClass=*)"));
    }

    @Test
    public void theRootIsAboveAllSuffixes() throws LDAPException {
        assertEquals(2, count("", SearchScope.ONE, "(objectClass=*)"));
        assertEquals(TestServer.USERS + 3, count("", SearchScope.SUB, "(objectClass=*)"));
        assertEquals(TestServer.USERS + 3, count("", SearchScope.SUBORDINATE_SUBTREE, "(objectClass=*)"));
        assertEquals(1, count("", SearchScope.BASE, "(objectClass=*)"));
        fails(ResultCode.NO_SUCH_OBJECT, "no entry", () -> connection.search("dc=com", SearchScope.ONE, "(objectClass=*)"));
    }

    @Test
    @Proves("1.3.6.1.4.1.4203.1.5.3")
    @Requirement(rfc = 4511, section = "4.5.1.7",
            text = "Filters: and, or, not, equality, substrings, presence; Undefined for unknown attributes")
    @Requirement(rfc = 4526, section = "2", text = "(&) is true, (|) is false")
    public void filters() throws LDAPException {
        assertEquals(1, count(TestServer.SUFFIX, SearchScope.SUB, "(uid=USER.7)"));
        assertEquals(11, count(TestServer.SUFFIX, SearchScope.SUB, "(uid=user.1*)"));
        assertEquals(1, count(TestServer.SUFFIX, SearchScope.SUB, "(&(objectClass=person)(sn=number7))"));
        assertEquals(TestServer.USERS - 1, count(USERS, SearchScope.ONE, "(!(uid=user.7))"));
        assertEquals(2, count(USERS, SearchScope.ONE, "(|(uid=user.7)(uid=user.8)(uid=nobody))"));
        assertEquals(1, count(USERS, SearchScope.ONE, "(cn;lang-de=nutzer 7)"));
        assertEquals(TestServer.USERS, count(USERS, SearchScope.ONE, "(&)"));
        assertEquals(0, count(USERS, SearchScope.ONE, "(|)"));
        assertEquals("an unknown attribute is Undefined", 0, count(USERS, SearchScope.ONE, "(!(noSuchAttribute=x))"));
    }

    @Test
    @Requirement(rfc = 4511, section = "4.5.3",
            text = "A missing base is noSuchObject with matchedDN, a DN that is none invalidDNSyntax")
    public void missingBases() throws LDAPException {
        LDAPSearchException failure = assertThrows(LDAPSearchException.class,
                () -> connection.search("cn=a,cn=b," + USERS, SearchScope.BASE, "(objectClass=*)"));
        assertEquals(ResultCode.NO_SUCH_OBJECT, failure.getResultCode());
        assertEquals(USERS, failure.getMatchedDN());
        fails(ResultCode.NO_SUCH_OBJECT, "no suffix", () -> connection.search("dc=nowhere", SearchScope.SUB, "(objectClass=*)"));
        fails(ResultCode.INVALID_DN_SYNTAX, "no DN", () -> connection.search("uid", SearchScope.SUB, "(objectClass=*)"));
    }

    @Test
    @Requirement(rfc = 4529, section = "3", text = "@extensibleObject asks for all user attributes")
    public void extensibleObjectAsksForAllUserAttributes() throws LDAPException {
        assertEquals(names(user(7, "*")), names(user(7, "@extensibleObject")));
        assertEquals(names(user(7, "*", "entryUUID")), names(user(7, "entryUUID", "@1.3.6.1.4.1.1466.101.120.111")));
    }

    @Test
    @Proves("1.3.6.1.4.1.4203.1.5.2")
    @Requirement(rfc = 4511, section = "4.5.1.8", text = "Attribute lists: none, *, 1.1, subtypes, options")
    @Requirement(rfc = 4529, section = "2", text = "@class asks for the attributes of an object class")
    public void attributeLists() throws LDAPException {
        Set<String> user = new TreeSet<>(List.of("cn", "cn;lang-de", "employeeNumber", "givenName", "objectClass", "sn", "uid",
                "userPassword"));
        assertEquals(user, names(user(7)));
        assertEquals(user, names(user(7, "*")));
        assertEquals(Set.of(), names(user(7, "1.1")));
        assertEquals(Set.of(), names(user(7, "noSuchAttribute")));
        assertEquals(Set.of("sn"), names(user(7, "sn", "noSuchAttribute", "1.1", "description")));
        assertEquals(Set.of("cn", "cn;lang-de"), names(user(7, "cn")));
        assertEquals(Set.of("cn;lang-de"), names(user(7, "cn;lang-de")));
        assertEquals("subtypes of name", new TreeSet<>(List.of("cn", "cn;lang-de", "givenName", "sn")), names(user(7, "name")));
        assertEquals(new TreeSet<>(List.of("cn", "cn;lang-de", "objectClass", "sn", "userPassword")), names(user(7, "@person")));
        assertEquals(Set.of(), names(user(7, "@noSuchClass")));
    }

    @Test
    @Proves("1.3.6.1.4.1.4203.1.5.1")
    @Requirement(rfc = 3673, section = "2", text = "+ asks for all operational attributes")
    public void operationalAttributes() throws LDAPException {
        SearchResultEntry entry = user(7, "+");
        Set<String> expected = Set.of("entryUUID", "createTimestamp", "modifyTimestamp", "creatorsName", "modifiersName",
                "structuralObjectClass", "entryDN", "subschemaSubentry", "hasSubordinates", "numSubordinates", "entryCSN",
                "entryUSN");
        assertEquals(new TreeSet<>(expected), names(entry));
        assertEquals(TestServer.userDn(7), entry.getAttributeValue("entryDN"));
        assertEquals("FALSE", entry.getAttributeValue("hasSubordinates"));
        SearchResultEntry users = connection.getEntry(USERS, "numSubordinates", "hasSubordinates", "ou");
        assertEquals(Integer.toString(TestServer.USERS), users.getAttributeValue("numSubordinates"));
        assertEquals(3, users.getAttributes().size());
        Set<String> all = new HashSet<>(names(user(7, "*", "+")));
        assertTrue(all.containsAll(expected) && all.contains("sn"));
    }

    @Test
    @Requirement(rfc = 4512, section = "2.5", text = "Attribute names are case insensitive")
    public void namesComeBackAsTheClientSpellsThem() throws LDAPException {
        assertEquals(Set.of("GIVENNAME", "uid"), names(user(7, "GIVENNAME", "uid")));
        assertEquals(Set.of("EntryUuid"), names(user(7, "EntryUuid")));
        assertEquals(Set.of("entrydn"), names(user(7, "entrydn")));
        SearchResultEntry both = user(7, "*", "SN");
        assertTrue(names(both).contains("SN"));
        assertEquals("Number7", both.getAttributeValue("sn"));
    }

    @Test
    @Requirement(rfc = 4511, section = "4.5.1.6", text = "typesOnly returns no values")
    public void typesOnly() throws LDAPException {
        SearchRequest request = new SearchRequest(TestServer.userDn(7), SearchScope.BASE, "(objectClass=*)", "SN", "uid",
                "entryDN");
        request.setTypesOnly(true);
        SearchResultEntry entry = connection.search(request).getSearchEntries().get(0);
        assertEquals(Set.of("SN", "uid", "entryDN"), names(entry));
        assertTrue(entry.getAttributes().stream().noneMatch(Attribute::hasValue));
    }

    @Test
    @Requirement(rfc = 4511, section = "4.5.1.4",
            text = "sizeLimit ends the search with sizeLimitExceeded, with the entries found")
    public void sizeLimits() throws LDAPException {
        SearchRequest request = new SearchRequest(USERS, SearchScope.ONE, "(objectClass=*)", "1.1");
        request.setSizeLimit(10);
        LDAPSearchException failure = assertThrows(LDAPSearchException.class, () -> connection.search(request));
        assertEquals(ResultCode.SIZE_LIMIT_EXCEEDED, failure.getResultCode());
        assertEquals("what was found is returned", 10, failure.getEntryCount());
        request.setSizeLimit(TestServer.USERS);
        assertEquals(TestServer.USERS, connection.search(request).getEntryCount());
    }

    private SearchResult page(int size, ASN1OctetString cookie, int sizeLimit) throws LDAPException {
        SearchRequest request = new SearchRequest(USERS, SearchScope.ONE, "(objectClass=person)", "uid");
        request.setSizeLimit(sizeLimit);
        request.addControl(new SimplePagedResultsControl(size, cookie, true));
        return connection.search(request);
    }

    private int pages(int size) throws LDAPException {
        Set<String> seen = new HashSet<>();
        ASN1OctetString cookie = null;
        int pages = 0;
        do {
            SearchResult result = page(size, cookie, 0);
            pages++;
            result.getSearchEntries().forEach(entry -> assertTrue("twice: " + entry.getDN(), seen.add(entry.getDN())));
            SimplePagedResultsControl control = SimplePagedResultsControl.get(result);
            assertNotNull("the control is always answered", control);
            cookie = control.moreResultsToReturn() ? control.getCookie() : null;
        } while (cookie != null);
        assertEquals(TestServer.USERS, seen.size());
        return pages;
    }

    @Test
    @Proves("1.2.840.113556.1.4.319")
    @Requirement(rfc = 2696, section = "3", text = "Pages hold each entry once, until the cookie is empty")
    public void pagesOfAllSizes() throws LDAPException {
        assertEquals(1, pages(1000));
        assertEquals(1, pages(TestServer.USERS));
        assertEquals(2, pages(TestServer.USERS - 1));
        assertEquals(2, pages(25));
        assertEquals(7, pages(8));
        assertEquals(TestServer.USERS, pages(1));
    }

    @Test
    public void pagesOverSeveralPartitions() throws LDAPException {
        Set<String> seen = new HashSet<>();
        ASN1OctetString cookie = null;
        do {
            SearchRequest request = new SearchRequest("", SearchScope.SUB, "(objectClass=domain)", "1.1");
            request.addControl(new SimplePagedResultsControl(1, cookie, true));
            SearchResult result = connection.search(request);
            result.getSearchEntries().forEach(entry -> seen.add(entry.getDN()));
            SimplePagedResultsControl control = SimplePagedResultsControl.get(result);
            cookie = control.moreResultsToReturn() ? control.getCookie() : null;
        } while (cookie != null);
        assertEquals(Set.of(TestServer.SUFFIX, TestServer.OTHER_SUFFIX), seen);
    }

    @Test
    @Requirement(rfc = 2696, section = "3", text = "searchResultDone always has the control")
    public void pagedAnswersWithoutEntriesHaveTheControlToo() throws LDAPException {
        SearchRequest request = new SearchRequest(USERS, SearchScope.ONE, "(uid=nobody)", "uid");
        request.addControl(new SimplePagedResultsControl(10, true));
        assertFalse(SimplePagedResultsControl.get(connection.search(request)).moreResultsToReturn());
        SearchRequest missing = new SearchRequest("ou=missing," + TestServer.SUFFIX, SearchScope.ONE, "(uid=nobody)", "uid");
        missing.addControl(new SimplePagedResultsControl(10, true));
        LDAPSearchException failure = assertThrows(LDAPSearchException.class, () -> connection.search(missing));
        assertEquals(ResultCode.NO_SUCH_OBJECT, failure.getResultCode());
        assertNotNull(failure.getResponseControl(SimplePagedResultsControl.PAGED_RESULTS_OID));
    }

    @Test
    @Requirement(rfc = 2696, section = "3", text = "A page of size zero ends the search")
    public void aPageOfSizeZeroEndsThePagedSearch() throws LDAPException {
        ASN1OctetString cookie = SimplePagedResultsControl.get(page(10, null, 0)).getCookie();
        SearchResult end = page(0, cookie, 0);
        assertEquals(0, end.getEntryCount());
        assertFalse(SimplePagedResultsControl.get(end).moreResultsToReturn());
    }

    @Test
    @Requirement(rfc = 2696, section = "3", text = "The size limit of the request holds for all pages")
    public void theClientsSizeLimitHoldsForAllPages() throws LDAPException {
        SearchResult first = page(10, null, 15);
        assertEquals(10, first.getEntryCount());
        ASN1OctetString cookie = SimplePagedResultsControl.get(first).getCookie();
        LDAPSearchException failure = assertThrows(LDAPSearchException.class, () -> page(10, cookie, 15));
        assertEquals(ResultCode.SIZE_LIMIT_EXCEEDED, failure.getResultCode());
        assertEquals(5, failure.getEntryCount());
    }

    @Test
    @Requirement(rfc = 2696, section = "3", text = "A cookie is for the search it came from")
    public void cookiesOfOtherSearchesAreRefused() throws LDAPException {
        ASN1OctetString cookie = SimplePagedResultsControl.get(page(10, null, 0)).getCookie();
        SearchRequest other = new SearchRequest(USERS, SearchScope.ONE, "(objectClass=top)", "uid");
        other.addControl(new SimplePagedResultsControl(10, cookie, true));
        fails(ResultCode.UNWILLING_TO_PERFORM, "other filter", () -> connection.search(other));
    }

    @Test
    @Requirement(rfc = 4511, section = "4.1.11", text = "A critical control that is unknown is unavailableCriticalExtension")
    public void criticalControls() throws LDAPException {
        SearchRequest request = new SearchRequest(USERS, SearchScope.BASE, "(objectClass=*)");
        request.addControl(new Control("1.2.3.4", true));
        fails(ResultCode.UNAVAILABLE_CRITICAL_EXTENSION, "unknown", () -> connection.search(request));
        request.setControls(new Control("1.2.3.4", false), new Control("2.16.840.1.113730.3.4.2", true));
        assertEquals(1, connection.search(request).getEntryCount());
    }

    @Test
    @Requirement(rfc = 4512, section = "5.1", text = "The root DSE is read anonymously")
    public void rootDse() throws LDAPException {
        try (LDAPConnection anonymous = server.anonymous()) {
            RootDSE root = anonymous.getRootDSE();
            assertArrayEquals(new String[] {TestServer.SUFFIX, TestServer.OTHER_SUFFIX}, root.getNamingContextDNs());
            assertEquals("cn=schema", root.getSubschemaSubentryDN());
            assertArrayEquals(new int[] {3}, root.getSupportedLDAPVersions());
            assertTrue(root.supportsControl("1.2.840.113556.1.4.319"));
            assertTrue(root.supportsExtendedOperation("1.3.6.1.4.1.4203.1.11.3"));
            assertTrue(root.supportsExtendedOperation("1.3.6.1.4.1.4203.1.11.1"));
            assertTrue(root.supportsFeature("1.3.6.1.4.1.4203.1.5.1"));
            assertArrayEquals("without TLS", new String[] {"SCRAM-SHA-512", "SCRAM-SHA-256"}, root.getSupportedSASLMechanismNames());
            assertEquals("Alder", root.getVendorName());
            assertEquals(TestServer.SUFFIX, anonymous.getEntry("", "defaultNamingContext")
                    .getAttributeValue("defaultnamingcontext"));
            assertEquals("operational ones on request only", Set.of("objectClass"), names(anonymous.getEntry("")));
            assertEquals(0, anonymous.search("", SearchScope.BASE, "(objectClass=person)").getEntryCount());
        }
    }

    @Test
    @Requirement(rfc = 3672, section = "3", text = "The subschema subentry is found like others: when named, or asked for")
    public void theSubschemaSubentryIsASubentry() throws LDAPException {
        try (LDAPConnection admin = server.admin()) {
            for (SearchScope scope : List.of(SearchScope.BASE, SearchScope.SUB)) {
                SearchRequest request = new SearchRequest("cn=schema", scope, "(objectClass=*)", "1.1");
                assertEquals(scope == SearchScope.BASE ? 1 : 0, admin.search(request).getEntryCount());
                request.setControls(new RFC3672SubentriesRequestControl(false));
                assertEquals("subentries are not wanted", 0, admin.search(request).getEntryCount());
                request.setControls(new RFC3672SubentriesRequestControl(true));
                assertEquals("only they are", 1, admin.search(request).getEntryCount());
            }
        }
    }

    @Test
    @Requirement(rfc = 4512, section = "4.2", text = "The subschema subentry has all definitions")
    public void subschema() throws LDAPException {
        try (LDAPConnection anonymous = server.anonymous()) {
            com.unboundid.ldap.sdk.schema.Schema schema = anonymous.getSchema();
            assertNotNull(schema.getAttributeType("uid"));
            assertNotNull(schema.getObjectClass("inetOrgPerson"));
            assertNotNull(schema.getMatchingRule("caseIgnoreMatch"));
            for (String dn : Arrays.asList("cn=schema", "CN=Subschema")) {
                SearchResultEntry entry = anonymous.search(dn, SearchScope.BASE, "(objectClass=subschema)", "+")
                        .getSearchEntries().get(0);
                assertTrue(entry.hasAttribute("modifyTimestamp"));
                assertTrue(entry.hasAttribute("attributeTypes"));
            }
        }
    }
}
