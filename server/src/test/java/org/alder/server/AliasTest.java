package org.alder.server;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;

import com.unboundid.asn1.ASN1OctetString;
import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.DereferencePolicy;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchResult;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.controls.SimplePagedResultsControl;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.alder.partition.testing.Requirement;
import org.alder.server.directory.guard.Limits;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;

/** Aliases over the protocol (RFC 4511 4.5.1.3, RFC 4512 2.6). */
public class AliasTest {
    private static final String TOP = "ou=aliases," + TestServer.SUFFIX;
    private static final String PLACES = "ou=places," + TestServer.SUFFIX;

    private static TestServer server;
    private static LDAPConnection connection;

    @BeforeClass
    public static void start() throws LDAPException {
        server = new TestServer(settings -> settings.with(draft -> draft.limits = new Limits(0, 0, 10)));
        connection = server.admin();
        unit(TOP);
        unit(PLACES);
        unit("ou=inner," + PLACES);
        person("cn=deep,ou=inner," + PLACES);
        person("cn=here," + TOP);
        unit("l=there," + TestServer.OTHER_SUFFIX, "locality");
        person("cn=far,l=there," + TestServer.OTHER_SUFFIX);
        alias("cn=one," + TOP, TestServer.userDn(1));
        alias("cn=two," + TOP, TestServer.userDn(2));
        alias("cn=two again," + TOP, TestServer.userDn(2));
        alias("cn=here again," + TOP, "CN=Here," + TOP);
        alias("cn=places," + TOP, PLACES);
        alias("cn=other," + TOP, "l=there," + TestServer.OTHER_SUFFIX);
        alias("cn=up," + PLACES, TOP);
        alias("cn=indirect," + PLACES, "cn=inner,cn=step," + TestServer.SUFFIX);
        alias("cn=step," + TestServer.SUFFIX, "ou=names," + TestServer.SUFFIX);
        unit("ou=names," + TestServer.SUFFIX);
        alias("cn=inner,ou=names," + TestServer.SUFFIX, "ou=inner," + PLACES);
        unit("ou=broken," + TestServer.SUFFIX);
        alias("cn=gone,ou=broken," + TestServer.SUFFIX, "cn=nobody," + TOP);
        alias("cn=outside,ou=broken," + TestServer.SUFFIX, "dc=nowhere");
        alias("cn=left,ou=broken," + TestServer.SUFFIX, "cn=right,ou=broken," + TestServer.SUFFIX);
        alias("cn=right,ou=broken," + TestServer.SUFFIX, "cn=left,ou=broken," + TestServer.SUFFIX);
        alias("cn=self,ou=broken," + TestServer.SUFFIX, "cn=self,ou=broken," + TestServer.SUFFIX);
        person("cn=whole,ou=broken," + TestServer.SUFFIX);
    }

    private static void unit(String dn) {
        unit(dn, "organizationalUnit");
    }

    private static void unit(String dn, String objectClass) {
        server.add(dn, "objectClass: " + objectClass);
    }

    private static void person(String dn) {
        server.add(dn, "objectClass: person", "sn: somebody");
    }

    private static void alias(String dn, String target) {
        server.add(dn, "objectClass: alias", "objectClass: extensibleObject", "aliasedObjectName: " + target);
    }

    @AfterClass
    public static void stop() {
        connection.close();
        server.close();
    }

    private static SearchRequest request(String base, SearchScope scope, DereferencePolicy policy, String filter)
            throws LDAPException {
        SearchRequest request = new SearchRequest(base, scope, filter, "1.1");
        request.setDerefPolicy(policy);
        return request;
    }

    /** The names of the entries found: their RDNs without the type. */
    private static List<String> names(String base, SearchScope scope, DereferencePolicy policy) throws LDAPException {
        return names(connection.search(request(base, scope, policy, "(objectClass=*)")));
    }

    private static List<String> names(SearchResult result) {
        return result.getSearchEntries().stream().map(entry -> entry.getDN().replaceFirst("^\\w+=([^,]*),.*", "$1")).sorted()
                .toList();
    }

    private static List<String> sorted(String... names) {
        return Stream.of(names).sorted().toList();
    }

    @Test
    @Requirement(rfc = 4511, section = "4.5.1.3", text = "neverDerefAliases")
    public void withoutDereferencingAliasesAreEntries() throws LDAPException {
        List<String> all = sorted("aliases", "here", "here again", "one", "two", "two again", "places", "other");
        assertEquals(all, names(TOP, SearchScope.SUB, DereferencePolicy.NEVER));
        assertEquals(all, names(TOP, SearchScope.SUB, DereferencePolicy.FINDING));
        assertEquals(List.of("one"), names("cn=one," + TOP, SearchScope.BASE, DereferencePolicy.NEVER));
        assertEquals(List.of("one"), names("cn=one," + TOP, SearchScope.BASE, DereferencePolicy.SEARCHING));
        assertEquals(List.of("one"), names("cn=one," + TOP, SearchScope.SUB, DereferencePolicy.SEARCHING));
        fails(ResultCode.NO_SUCH_OBJECT, "cn=one," + TOP, "cn=x,cn=one," + TOP, DereferencePolicy.SEARCHING);
    }

    @Test
    @Requirement(rfc = 4511, section = "4.5.1.3", text = "derefFindingBaseObj")
    public void theBaseIsFoundThroughAliases() throws LDAPException {
        for (DereferencePolicy policy : List.of(DereferencePolicy.FINDING, DereferencePolicy.ALWAYS)) {
            assertEquals(List.of("user.1"), names("cn=one," + TOP, SearchScope.BASE, policy));
            assertEquals(List.of("deep", "inner"), names("ou=inner,cn=places," + TOP, SearchScope.SUB, policy));
            assertEquals(List.of("deep"), names("cn=deep,cn=indirect,cn=places," + TOP, SearchScope.BASE, policy));
            assertEquals(List.of("far"), names("cn=other," + TOP, SearchScope.ONE, policy));
        }
    }

    @Test
    public void theDnIsThatOfTheEntryFound() throws LDAPException {
        SearchRequest request = request("cn=deep,cn=indirect,cn=places," + TOP, SearchScope.BASE, DereferencePolicy.ALWAYS,
                "(cn=deep)");
        assertEquals("cn=deep,ou=inner," + PLACES, connection.search(request).getSearchEntries().get(0).getDN());
    }

    @Test
    @Requirement(rfc = 4511, section = "4.5.1.3", text = "derefInSearching in one level")
    public void oneLevelHasWhatTheAliasesStandFor() throws LDAPException {
        List<String> found = sorted("here", "user.1", "user.2", "places", "there");
        assertEquals(found, names(TOP, SearchScope.ONE, DereferencePolicy.SEARCHING));
        assertEquals(found, names(TOP, SearchScope.ONE, DereferencePolicy.ALWAYS));
        assertEquals(List.of("aliases", "inner"), names("cn=places," + TOP, SearchScope.ONE, DereferencePolicy.ALWAYS).stream()
                .distinct().toList());
    }

    @Test
    @Requirement(rfc = 4511, section = "4.5.1.3", text = "derefInSearching, each entry once")
    public void subtreesGoOnThroughAliasesWithoutDuplicates() throws LDAPException {
        List<String> found = sorted("aliases", "here", "user.1", "user.2", "places", "inner", "deep", "there", "far");
        assertEquals(found, names(TOP, SearchScope.SUB, DereferencePolicy.SEARCHING));
        assertEquals(found, names(TOP, SearchScope.SUB, DereferencePolicy.ALWAYS));
        assertEquals("the loop leads back to the base", found,
                names(TOP, SearchScope.SUBORDINATE_SUBTREE, DereferencePolicy.ALWAYS));
        assertEquals(List.of("deep", "inner"), names("ou=names," + TestServer.SUFFIX, SearchScope.SUBORDINATE_SUBTREE,
                DereferencePolicy.ALWAYS));
        assertEquals(List.of("user.2"), names(connection.search(request(TOP, SearchScope.SUB, DereferencePolicy.ALWAYS,
                "(uid=user.2)"))));
    }

    @Test
    public void fromTheTopEverythingIsFoundOnce() throws LDAPException {
        List<String> whole = names(TestServer.SUFFIX, SearchScope.SUB, DereferencePolicy.ALWAYS);
        assertEquals(whole.stream().distinct().toList(), whole);
        assertEquals("the users, what is above them, and the ten entries added here that are no aliases",
                TestServer.USERS + 2 + 10, whole.size());
        assertEquals(names("", SearchScope.SUB, DereferencePolicy.ALWAYS).size(), whole.size() + 1);
    }

    @Test
    public void pagesHoldTheSameEntries() throws LDAPException {
        List<String> found = new ArrayList<>();
        ASN1OctetString cookie = null;
        do {
            SearchRequest page = request(TOP, SearchScope.SUB, DereferencePolicy.ALWAYS, "(objectClass=*)");
            page.addControl(new SimplePagedResultsControl(2, cookie, true));
            SearchResult result = connection.search(page);
            found.addAll(names(result));
            cookie = SimplePagedResultsControl.get(result).getCookie();
        } while (cookie.getValueLength() > 0);
        assertEquals(names(TOP, SearchScope.SUB, DereferencePolicy.ALWAYS), found.stream().sorted().toList());
    }

    @Test
    public void aCookieIsForOneWayOfDereferencing() throws LDAPException {
        SearchRequest page = request(TOP, SearchScope.SUB, DereferencePolicy.ALWAYS, "(objectClass=*)");
        page.addControl(new SimplePagedResultsControl(2, null, true));
        ASN1OctetString cookie = SimplePagedResultsControl.get(connection.search(page)).getCookie();
        page.setDerefPolicy(DereferencePolicy.NEVER);
        page.replaceControl(new SimplePagedResultsControl(2, cookie, true));
        LDAPException failure = assertThrows(LDAPException.class, () -> connection.search(page));
        assertEquals(ResultCode.UNWILLING_TO_PERFORM, failure.getResultCode());
    }

    private static void fails(ResultCode code, String matchedDn, String base, DereferencePolicy policy) throws LDAPException {
        SearchRequest request = request(base, SearchScope.BASE, policy, "(objectClass=*)");
        LDAPException failure = assertThrows(base, LDAPException.class, () -> connection.search(request));
        assertEquals(base, code, failure.getResultCode());
        assertEquals(base, matchedDn, failure.getMatchedDN());
        assertFalse(failure.getDiagnosticMessage().isEmpty());
    }

    @Test
    @Requirement(rfc = 4511, section = "4.5.1.3, A.2",
            text = "Loops and missing targets: aliasDereferencingProblem, aliasProblem")
    public void aliasesOfTheBaseThatLeadNowhere() throws LDAPException {
        String broken = ",ou=broken," + TestServer.SUFFIX;
        fails(ResultCode.ALIAS_PROBLEM, TOP, "cn=gone" + broken, DereferencePolicy.ALWAYS);
        fails(ResultCode.ALIAS_PROBLEM, TOP, "cn=below,cn=gone" + broken, DereferencePolicy.FINDING);
        fails(ResultCode.ALIAS_PROBLEM, null, "cn=outside" + broken, DereferencePolicy.ALWAYS);
        fails(ResultCode.ALIAS_DEREFERENCING_PROBLEM, null, "cn=left" + broken, DereferencePolicy.ALWAYS);
        fails(ResultCode.ALIAS_DEREFERENCING_PROBLEM, null, "cn=self" + broken, DereferencePolicy.FINDING);
        fails(ResultCode.NO_SUCH_OBJECT, PLACES, "cn=nobody,cn=places," + TOP, DereferencePolicy.ALWAYS);
    }

    @Test
    public void aliasesInScopeThatLeadNowhereArePassedOver() throws LDAPException {
        String broken = "ou=broken," + TestServer.SUFFIX;
        assertEquals(List.of("whole"), names(broken, SearchScope.ONE, DereferencePolicy.ALWAYS));
        assertEquals(List.of("broken", "whole"), names(broken, SearchScope.SUB, DereferencePolicy.ALWAYS));
    }

    @Test
    @Requirement(rfc = 4511, section = "4.6 to 4.10", text = "Other operations take aliases as entries")
    public void otherOperationsDoNotDereference() throws LDAPException {
        LDAPException failure = assertThrows(LDAPException.class,
                () -> connection.compare("cn=one," + TOP, "uid", "user.1"));
        assertEquals(ResultCode.NO_SUCH_ATTRIBUTE, failure.getResultCode());
        failure = assertThrows(LDAPException.class, () -> connection.delete("ou=inner,cn=places," + TOP));
        assertEquals(ResultCode.NO_SUCH_OBJECT, failure.getResultCode());
        failure = assertThrows(LDAPException.class, () -> server.anonymous().bind("cn=one," + TOP, TestServer.USER_PASSWORD));
        assertEquals(ResultCode.INVALID_CREDENTIALS, failure.getResultCode());
    }

    @Test
    public void moreAliasesThanMayBeExaminedEndTheSearch() throws LDAPException {
        try (LDAPConnection user = server.user(1)) {
            SearchRequest request = request(TestServer.SUFFIX, SearchScope.SUB, DereferencePolicy.ALWAYS, "(uid=user.2)");
            LDAPException failure = assertThrows(LDAPException.class, () -> user.search(request));
            assertEquals(ResultCode.ADMIN_LIMIT_EXCEEDED, failure.getResultCode());
            request.setDerefPolicy(DereferencePolicy.NEVER);
            assertEquals(List.of("user.2"), names(user.search(request)));
        }
    }

    @Test
    public void aliasesComeAndGo() throws LDAPException {
        String dn = "cn=passing,ou=users," + TestServer.SUFFIX;
        connection.add(dn, new Attribute("objectClass", "alias", "extensibleObject"),
                new Attribute("aliasedObjectName", "ou=inner," + PLACES));
        assertEquals(List.of("deep"), names(dn, SearchScope.ONE, DereferencePolicy.ALWAYS));
        connection.modifyDN(dn, "cn=passed", true);
        assertEquals(List.of("inner"), names("cn=passed,ou=users," + TestServer.SUFFIX, SearchScope.BASE,
                DereferencePolicy.ALWAYS));
        connection.delete("cn=passed,ou=users," + TestServer.SUFFIX);
        assertEquals(TestServer.USERS, names("ou=users," + TestServer.SUFFIX, SearchScope.ONE, DereferencePolicy.ALWAYS).size());
    }
}
