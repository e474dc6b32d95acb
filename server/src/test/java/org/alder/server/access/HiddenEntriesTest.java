package org.alder.server.access;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.DereferencePolicy;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ModifyRequest;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchResult;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.controls.AssertionRequestControl;
import com.unboundid.ldap.sdk.controls.PostReadRequestControl;
import com.unboundid.ldap.sdk.controls.PostReadResponseControl;
import com.unboundid.ldap.sdk.controls.ServerSideSortRequestControl;
import com.unboundid.ldap.sdk.controls.SimplePagedResultsControl;
import com.unboundid.ldap.sdk.controls.SortKey;
import com.unboundid.ldap.sdk.controls.VirtualListViewRequestControl;
import com.unboundid.ldap.sdk.controls.VirtualListViewResponseControl;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.alder.server.TestServer;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;

/** Each place that could tell of hidden entries, or of attributes that may not be read, and does not. */
public class HiddenEntriesTest {
    private static final String SUFFIX = TestServer.SUFFIX;
    private static final String USERS = "ou=users," + SUFFIX;
    private static final String HIDDEN = "uid=hidden," + USERS;
    private static final String MISSING = "uid=absent," + USERS;
    private static final String SEEN = "uid=seen," + USERS;
    private static final String SECRET_GROUP = "cn=secret group," + SUFFIX;
    private static final String OPEN_GROUP = "cn=open group," + SUFFIX;
    private static TestServer server;

    public static List<AccessRule> rules(String... lines) {
        List<AccessRule> rules = new ArrayList<>();
        try {
            for (String line : lines) {
                AccessRules.add(TestServer.SCHEMA, line, "a test", false, rules);
            }
        } catch (AccessRuleException e) {
            throw new IllegalArgumentException(e);
        }
        return rules;
    }

    @BeforeClass
    public static void start() {
        server = new TestServer(settings -> settings.with(draft -> draft.accessRules = rules(
                "deny all where (|(description=hidden)(l=hidden)) to users",
                "deny all of employeeType to users",
                "deny read of carLicense to users",
                "deny search of roomNumber to users",
                "deny view of title values (title=Dr*) to users",
                "grant write of sn to users",
                "default")));
        server.add(HIDDEN, "objectClass: inetOrgPerson", "uid: hidden", "cn: x", "sn: x", "description: hidden", "manager: " + SEEN);
        server.add(SEEN, "objectClass: inetOrgPerson", "uid: seen", "cn: x", "sn: x", "employeeType: rich", "carLicense: 123",
                "roomNumber: 7", "title: Dr No", "title: Boss", "manager: " + HIDDEN);
        server.add(SECRET_GROUP, "objectClass: groupOfNames", "cn: secret group", "description: hidden", "member: " + SEEN,
                "member: " + TestServer.userDn(4));
        server.add(OPEN_GROUP, "objectClass: groupOfNames", "cn: open group", "member: " + HIDDEN, "member: " + TestServer.userDn(4));
        server.add("cn=outer," + SUFFIX, "objectClass: groupOfNames", "cn: outer", "member: " + SECRET_GROUP);
        server.add("ou=leaves," + SUFFIX, "objectClass: organizationalUnit", "ou: leaves");
        server.add("ou=gone,ou=leaves," + SUFFIX, "objectClass: organizationalUnit", "ou: gone", "l: hidden");
        server.add("cn=below,ou=gone,ou=leaves," + SUFFIX, "objectClass: device", "cn: below");
        server.add("cn=to hidden," + SUFFIX, "objectClass: alias", "objectClass: extensibleObject", "cn: to hidden",
                "aliasedObjectName: " + HIDDEN);
        server.add("cn=to missing," + SUFFIX, "objectClass: alias", "objectClass: extensibleObject", "cn: to missing",
                "aliasedObjectName: " + MISSING);
        server.add("cn=hidden alias," + SUFFIX, "objectClass: alias", "objectClass: extensibleObject", "cn: hidden alias",
                "l: hidden", "aliasedObjectName: " + TestServer.userDn(9));
        server.add("cn=hidden referral," + SUFFIX, "objectClass: referral", "objectClass: extensibleObject",
                "cn: hidden referral", "l: hidden", "ref: ldap://secret.example.com/");
        server.add("cn=open referral," + SUFFIX, "objectClass: referral", "objectClass: extensibleObject",
                "cn: open referral", "ref: ldap://open.example.com/");
        server.add("cn=dynamic," + SUFFIX, "objectClass: groupOfURLs", "objectClass: extensibleObject", "cn: dynamic",
                "memberURL: ldap:///" + USERS.replace(",", "%2C") + "??sub?(|(uid=hidden)(uid=user.7)(employeeType=rich))");
    }

    @AfterClass
    public static void stop() {
        server.close();
    }

    private interface Asking {
        Object of(LDAPConnection connection) throws LDAPException;
    }

    /** What a client is told, with the names of the entries that are asked for made the same. */
    private static String told(LDAPConnection connection, Asking asking) {
        try {
            return String.valueOf(asking.of(connection));
        } catch (LDAPException e) {
            return (e.getResultCode() + " matched " + e.getMatchedDN() + " " + e.getDiagnosticMessage()
                    + " " + Arrays.toString(e.getReferralURLs())).replaceAll("hidden|absent|missing", "...");
        }
    }

    private static void same(Asking hidden, Asking missing) throws LDAPException {
        try (LDAPConnection user = server.user(3); LDAPConnection admin = server.admin()) {
            assertEquals(told(user, missing), told(user, hidden));
            assertFalse("not so for the administrator", told(admin, missing).equals(told(admin, hidden)));
        }
    }

    private static TreeSet<String> found(LDAPConnection connection, String base, SearchScope scope, String filter) throws LDAPException {
        TreeSet<String> names = new TreeSet<>();
        connection.search(base, scope, filter, "1.1").getSearchEntries().forEach(entry -> names.add(entry.getDN()));
        return names;
    }

    /** What the user finds, and the administrator beyond that. */
    private static void finds(String filter, List<String> user, List<String> more) throws LDAPException {
        try (LDAPConnection connection = server.user(3); LDAPConnection admin = server.admin()) {
            assertEquals(filter, new TreeSet<>(user), found(connection, SUFFIX, SearchScope.SUB, filter));
            TreeSet<String> all = new TreeSet<>(user);
            all.addAll(more);
            assertEquals("the administrator: " + filter, all, found(admin, SUFFIX, SearchScope.SUB, filter));
        }
    }

    /** What is true for the user, because he does not know better, and not for the administrator. */
    private static void findsAlone(String filter, String dn) throws LDAPException {
        try (LDAPConnection connection = server.user(3); LDAPConnection admin = server.admin()) {
            assertEquals(filter, new TreeSet<>(List.of(dn)), found(connection, SUFFIX, SearchScope.SUB, filter));
            assertEquals("the administrator: " + filter, new TreeSet<>(), found(admin, SUFFIX, SearchScope.SUB, filter));
        }
    }

    @Test
    public void aHiddenEntryAnswersAsOneThatIsNotThere() throws LDAPException {
        for (SearchScope scope : SearchScope.values()) {
            same(user -> user.search(HIDDEN, scope, "(objectClass=*)").getEntryCount(),
                    user -> user.search(MISSING, scope, "(objectClass=*)").getEntryCount());
        }
        same(user -> user.search("cn=x," + HIDDEN, SearchScope.BASE, "(objectClass=*)").getEntryCount(),
                user -> user.search("cn=x," + MISSING, SearchScope.BASE, "(objectClass=*)").getEntryCount());
        same(user -> user.compare(HIDDEN, "cn", "x"), user -> user.compare(MISSING, "cn", "x"));
        same(user -> user.compare("cn=x," + HIDDEN, "cn", "x"), user -> user.compare("cn=x," + MISSING, "cn", "x"));
        same(user -> user.search(asserting(HIDDEN)).getEntryCount(), user -> user.search(asserting(MISSING)).getEntryCount());
        Modification change = new Modification(ModificationType.REPLACE, "sn", "y");
        same(user -> user.modify(HIDDEN, change).getResultCode(), user -> user.modify(MISSING, change).getResultCode());
        same(user -> user.modify("cn=x," + HIDDEN, change).getResultCode() + "x", user -> user.modify("cn=x," + MISSING, change).getResultCode());
    }

    private static SearchRequest asserting(String dn) throws LDAPException {
        SearchRequest request = new SearchRequest(dn, SearchScope.BASE, "(objectClass=*)");
        request.addControl(new AssertionRequestControl("(cn=x)"));
        return request;
    }

    @Test
    public void filtersFindNothingByWhatIsHidden() throws LDAPException {
        finds("(cn=x)", List.of(SEEN), List.of(HIDDEN));
        finds("(employeeType=rich)", List.of(), List.of(SEEN));
        finds("(&(uid=seen)(!(employeeType=poor)))", List.of(), List.of(SEEN));
        finds("(&(uid=seen)(|(employeeType=*)(!(employeeType=*))))", List.of(), List.of(SEEN));
        finds("(carLicense=123)", List.of(SEEN), List.of());
        finds("(roomNumber=7)", List.of(), List.of(SEEN));
        finds("(title=Dr No)", List.of(), List.of(SEEN));
        finds("(title=Boss)", List.of(SEEN), List.of());
        finds("(title=*)", List.of(SEEN), List.of());
        finds("(&(uid=seen)(!(title=Dr No)))", List.of(), List.of());
        finds("(&(uid=seen)(!(title=Dr Who)))", List.of(), List.of(SEEN));
        finds("(:caseIgnoreMatch:=Dr No)", List.of(), List.of(SEEN));
        finds("(:caseIgnoreMatch:=rich)", List.of(), List.of(SEEN));
    }

    @Test
    public void someValuesAreNotReturned() throws LDAPException {
        try (LDAPConnection user = server.user(3); LDAPConnection admin = server.admin()) {
            SearchResultEntry entry = user.getEntry(SEEN);
            assertEquals(List.of("Boss"), List.of(entry.getAttributeValues("title")));
            assertFalse(entry.hasAttribute("carLicense"));
            assertFalse(entry.hasAttribute("employeeType"));
            assertTrue(entry.hasAttribute("roomNumber"));
            assertEquals(2, admin.getEntry(SEEN).getAttributeValues("title").length);
            assertEquals("[...]", told(user, one -> one.compare(SEEN, "title", "boss").compareMatched() ? "[...]" : "no"));
            assertTrue(told(user, one -> one.compare(SEEN, "title", "Dr No").compareMatched()).startsWith("50"));
            assertTrue(told(user, one -> one.compare(SEEN, "employeeType", "rich").compareMatched()).startsWith("50"));
        }
    }

    @Test
    public void groupsThatAreHiddenAreNotNamed() throws LDAPException {
        finds("(memberOf=" + SECRET_GROUP + ")", List.of(), List.of(SEEN, TestServer.userDn(4)));
        findsAlone("(&(uid=seen)(!(memberOf=" + SECRET_GROUP + ")))", SEEN);
        findsAlone("(&(uid=seen)(!(memberOf=*)))", SEEN);
        finds("(memberOf=" + OPEN_GROUP + ")", List.of(TestServer.userDn(4)), List.of(HIDDEN));
        finds("(memberOf:1.2.840.113556.1.4.1941:=cn=outer," + SUFFIX + ")", List.of(),
                List.of(SEEN, TestServer.userDn(4), SECRET_GROUP));
        finds("(manager:1.2.840.113556.1.4.1941:=" + SEEN + ")", List.of(), List.of(SEEN, HIDDEN));
        try (LDAPConnection user = server.user(3); LDAPConnection admin = server.admin()) {
            assertEquals(List.of(OPEN_GROUP), List.of(user.getEntry(TestServer.userDn(4), "memberOf").getAttributeValues("memberOf")));
            assertEquals(2, admin.getEntry(TestServer.userDn(4), "memberOf").getAttributeValues("memberOf").length);
            assertFalse(told(user, one -> one.compare(TestServer.userDn(4), "memberOf", SECRET_GROUP).compareMatched()).contains("true"));
            assertEquals("true", told(admin, one -> one.compare(TestServer.userDn(4), "memberOf", SECRET_GROUP).compareMatched()));
            ModifyRequest request = new ModifyRequest(TestServer.userDn(4), new Modification(ModificationType.REPLACE, "sn", "z"));
            request.addControl(new PostReadRequestControl("memberOf", "employeeType"));
            assertEquals(List.of(OPEN_GROUP), List.of(PostReadResponseControl.get(user.modify(request)).getEntry()
                    .getAttributeValues("memberOf")));
        }
    }

    @Test
    public void dynamicGroupsFindWhatTheReaderWouldFind() throws LDAPException {
        String group = "cn=dynamic," + SUFFIX;
        try (LDAPConnection user = server.user(3); LDAPConnection admin = server.admin()) {
            assertEquals(List.of(TestServer.userDn(7)), List.of(user.getEntry(group).getAttributeValues("member")));
            assertEquals(3, admin.getEntry(group).getAttributeValues("member").length);
        }
        finds("(&(cn=dynamic)(member=" + HIDDEN + "))", List.of(), List.of(group));
        finds("(&(cn=dynamic)(member=" + SEEN + "))", List.of(), List.of(group));
        finds("(&(cn=dynamic)(member=" + TestServer.userDn(7) + "))", List.of(group), List.of());
        finds("(memberOf=" + group + ")", List.of(TestServer.userDn(7)), List.of(SEEN, HIDDEN));
        findsAlone("(&(uid=seen)(!(memberOf=" + group + ")))", SEEN);
    }

    @Test
    public void hiddenChildrenAreNotCounted() throws LDAPException {
        String parent = "ou=leaves," + SUFFIX;
        try (LDAPConnection user = server.user(3); LDAPConnection admin = server.admin()) {
            SearchResultEntry seen = user.getEntry(parent, "hasSubordinates", "numSubordinates");
            assertEquals("FALSE", seen.getAttributeValue("hasSubordinates"));
            assertEquals("0", seen.getAttributeValue("numSubordinates"));
            assertEquals("1", admin.getEntry(parent, "numSubordinates").getAttributeValue("numSubordinates"));
            assertEquals("what is below a hidden entry is there if it is not hidden itself", new TreeSet<>(List.of("cn=below,ou=gone," + parent)),
                    found(user, parent, SearchScope.SUBORDINATE_SUBTREE, "(objectClass=*)"));
        }
        finds("(&(ou=leaves)(hasSubordinates=TRUE))", List.of(), List.of(parent));
        findsAlone("(&(ou=leaves)(hasSubordinates=FALSE)(numSubordinates=0))", parent);
        findsAlone("(&(ou=leaves)(!(hasSubordinates=TRUE)))", parent);
    }

    @Test
    public void aliasesLeadToNothingHidden() throws LDAPException {
        same(user -> user.search(dereferencing("cn=to hidden," + SUFFIX)).getEntryCount(),
                user -> user.search(dereferencing("cn=to missing," + SUFFIX)).getEntryCount());
        same(user -> user.search(dereferencing("cn=hidden alias," + SUFFIX)).getEntryCount(),
                user -> user.search(dereferencing("cn=missing alias," + SUFFIX)).getEntryCount());
        try (LDAPConnection user = server.user(3); LDAPConnection admin = server.admin()) {
            SearchRequest below = new SearchRequest(SUFFIX, SearchScope.ONE, DereferencePolicy.ALWAYS, 0, 0, false,
                    Filter.create("(objectClass=person)"), "1.1");
            assertEquals(0, user.search(below).getEntryCount());
            assertEquals(2, admin.search(below).getEntryCount());
        }
    }

    private static SearchRequest dereferencing(String dn) throws LDAPException {
        return new SearchRequest(dn, SearchScope.BASE, DereferencePolicy.ALWAYS, 0, 0, false,
                Filter.create("(objectClass=*)"), "1.1");
    }

    @Test
    public void hiddenReferralsAreNotTold() throws LDAPException {
        same(user -> user.search("cn=hidden referral," + SUFFIX, SearchScope.BASE, "(objectClass=*)").getEntryCount(),
                user -> user.search("cn=missing referral," + SUFFIX, SearchScope.BASE, "(objectClass=*)").getEntryCount());
        same(user -> user.search("cn=x,cn=hidden referral," + SUFFIX, SearchScope.BASE, "(objectClass=*)").getEntryCount(),
                user -> user.search("cn=x,cn=missing referral," + SUFFIX, SearchScope.BASE, "(objectClass=*)").getEntryCount());
        same(user -> user.compare("cn=hidden referral," + SUFFIX, "cn", "x"), user -> user.compare("cn=missing referral," + SUFFIX, "cn", "x"));
        try (LDAPConnection user = server.user(3); LDAPConnection admin = server.admin()) {
            assertEquals(1, user.search(SUFFIX, SearchScope.ONE, "(cn=none)").getReferenceCount());
            assertEquals(2, admin.search(SUFFIX, SearchScope.ONE, "(cn=none)").getReferenceCount());
        }
    }

    @Test
    public void pagesListsAndOrderCountNothingHidden() throws LDAPException {
        try (LDAPConnection user = server.user(3)) {
            SearchRequest request = new SearchRequest(USERS, SearchScope.ONE, "(cn=x)", "1.1");
            request.setControls(new SimplePagedResultsControl(1));
            SearchResult page = user.search(request);
            assertEquals(1, page.getEntryCount());
            request.setControls(new SimplePagedResultsControl(1, SimplePagedResultsControl.get(page).getCookie()));
            SearchResult rest = SimplePagedResultsControl.get(page).moreResultsToReturn() ? user.search(request) : null;
            assertTrue(rest == null || rest.getEntryCount() == 0 && !SimplePagedResultsControl.get(rest).moreResultsToReturn());
            ServerSideSortRequestControl sort = new ServerSideSortRequestControl(new SortKey("employeeType", null, false));
            request.setControls(sort, new VirtualListViewRequestControl(1, 0, 10, 0, null));
            SearchResult view = user.search(request);
            assertEquals(1, view.getEntryCount());
            assertEquals(1, VirtualListViewResponseControl.get(view).getContentCount());
            request.setControls(new Control[0]);
            request.setSizeLimit(1);
            assertEquals(ResultCode.SUCCESS, user.search(request).getResultCode());
            request.setControls(new ServerSideSortRequestControl(true, new SortKey("employeeType", null, true)));
            request.setBaseDN(SUFFIX);
            request.setScope(SearchScope.SUB);
            request.setSizeLimit(0);
            request.setFilter("(|(uid=seen)(uid=user.1))");
            List<String> order = user.search(request).getSearchEntries().stream().map(SearchResultEntry::getDN).toList();
            assertEquals("as if none had it", List.of(TestServer.userDn(1), SEEN), order);
        }
    }

    @Test
    public void whoMayNotReadAnythingFindsTheRootDseAlone() throws LDAPException {
        try (LDAPConnection anonymous = server.anonymous()) {
            assertTrue(anonymous.getRootDSE().hasAttribute("namingContexts"));
            assertEquals(told(anonymous, one -> one.search(HIDDEN, SearchScope.BASE, "(objectClass=*)")),
                    told(anonymous, one -> one.search(MISSING, SearchScope.BASE, "(objectClass=*)")));
            assertEquals(told(anonymous, one -> one.search(SUFFIX, SearchScope.SUB, "(objectClass=*)")).replace(SUFFIX, ""),
                    told(anonymous, one -> one.search("dc=nowhere", SearchScope.SUB, "(objectClass=*)")).replace("dc=nowhere", ""));
        }
    }
}
