package org.alder.server;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;

import com.unboundid.asn1.ASN1OctetString;
import com.unboundid.ldap.sdk.AddRequest;
import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.CompareRequest;
import com.unboundid.ldap.sdk.DeleteRequest;
import com.unboundid.ldap.sdk.DereferencePolicy;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ModifyDNRequest;
import com.unboundid.ldap.sdk.ModifyRequest;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchResult;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.controls.ManageDsaITRequestControl;
import com.unboundid.ldap.sdk.controls.SimplePagedResultsControl;
import java.util.ArrayList;
import java.util.List;
import org.alder.partition.testing.Requirement;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;
import org.junit.function.ThrowingRunnable;

/** Referral objects (RFC 3296) and superior referrals (RFC 4511 4.1.10) over the protocol. */
public class ReferralTest {
    private static final String MNN = "ou=mnn," + TestServer.SUFFIX;
    private static final String PEOPLE = "ou=People," + MNN;
    private static final String ROLES = "ou=Roles," + MNN;
    private static final String OTHERS = "ou=others," + TestServer.OTHER_SUFFIX;

    private static TestServer server;
    private static LDAPConnection connection;

    @BeforeClass
    public static void start() throws LDAPException {
        server = new TestServer(settings -> settings.with(draft -> draft.superiorReferrals = List.of("ldap://up.example:1389", "ldaps://too/")));
        connection = server.admin();
        server.add(MNN, "objectClass: organizationalUnit");
        server.add("cn=Manager," + MNN, "objectClass: person", "sn: Manager");
        referral(PEOPLE, "ldap://hostb/OU=People,O=MNN,C=US",
                "ldap://hostc/ou=pe%20ople,c=us?cn?one?(cn=x)?!bindname,x=1 a label");
        referral(ROLES, "ldap://hostd", "http://web/roles?x a page");
        referral(OTHERS, "ldaps://hoste:636/");
        server.add("cn=alias," + TestServer.SUFFIX, "objectClass: alias", "objectClass: extensibleObject",
                "aliasedObjectName: cn=staff," + ROLES);
        server.add("cn=roles," + TestServer.SUFFIX, "objectClass: alias", "objectClass: extensibleObject",
                "aliasedObjectName: " + ROLES);
    }

    private static void referral(String dn, String... urls) {
        List<String> lines = new ArrayList<>(List.of("objectClass: referral", "objectClass: extensibleObject"));
        for (String url : urls) {
            lines.add("ref: " + url);
        }
        server.add(dn, lines.toArray(String[]::new));
    }

    @AfterClass
    public static void stop() {
        connection.close();
        server.close();
    }

    private static void refers(ThrowingRunnable operation, String... urls) {
        LDAPException failure = assertThrows(LDAPException.class, operation);
        assertEquals(failure.getMessage(), ResultCode.REFERRAL, failure.getResultCode());
        assertArrayEquals(urls, failure.getReferralURLs());
        assertNull("matchedDN is for other results (RFC 4511 4.1.9)", failure.getMatchedDN());
    }

    private static SearchResult search(String base, SearchScope scope, String filter) throws LDAPException {
        return connection.search(base, scope, filter, "1.1");
    }

    private static List<String> references(SearchResult result) {
        return result.getSearchReferences().stream().flatMap(one -> List.of(one.getReferralURLs()).stream()).sorted().toList();
    }

    private static List<String> names(SearchResult result) {
        return result.getSearchEntries().stream().map(SearchResultEntry::getDN).toList();
    }

    @Test
    @Requirement(rfc = 3296, section = "3.2", text = "Search references for referral objects in scope")
    @Requirement(rfc = 4511, section = "4.5.3", text = "SearchResultReference")
    public void subtreesGoOnAtOtherServersWhateverTheFilter() throws LDAPException {
        List<String> expected = List.of("http://web/roles?x", "ldap://hostb/OU=People,O=MNN,C=US??sub",
                "ldap://hostc/ou=pe%20ople,c=us??sub??!bindname", "ldap://hostd/ou=Roles,ou=mnn,dc=example,dc=com??sub");
        for (String filter : List.of("(objectClass=*)", "(cn=Manager)", "(cn=nobody)", "(&)", "(|)")) {
            SearchResult result = search(MNN, SearchScope.SUB, filter);
            assertEquals(filter, 2, result.getReferenceCount());
            assertEquals(filter, expected, references(result));
        }
        assertEquals(List.of(MNN, "cn=Manager," + MNN), names(search(MNN, SearchScope.SUB, "(objectClass=*)")));
        assertEquals(expected, references(search(TestServer.SUFFIX, SearchScope.SUBORDINATE_SUBTREE, "(cn=x)")));
    }

    @Test
    @Requirement(rfc = 3296, section = "3.2", text = "One level: references with scope base")
    public void oneLevelGoesOnAtTheObjectItself() throws LDAPException {
        SearchResult result = search(MNN, SearchScope.ONE, "(objectClass=*)");
        assertEquals(List.of("cn=Manager," + MNN), names(result));
        assertEquals(List.of("http://web/roles?x", "ldap://hostb/OU=People,O=MNN,C=US??base",
                "ldap://hostc/ou=pe%20ople,c=us??base??!bindname", "ldap://hostd/ou=Roles,ou=mnn,dc=example,dc=com??base"),
                references(result));
        assertEquals(0, search(TestServer.SUFFIX, SearchScope.ONE, "(cn=x)").getReferenceCount());
        assertEquals(0, search(MNN, SearchScope.BASE, "(objectClass=*)").getReferenceCount());
    }

    @Test
    public void allPartitionsAndPages() throws LDAPException {
        assertEquals(3, search("", SearchScope.SUB, "(cn=nobody)").getReferenceCount());
        int references = 0;
        int entries = 0;
        ASN1OctetString cookie = null;
        do {
            SearchRequest page = new SearchRequest("", SearchScope.SUB, "(objectClass=*)", "1.1");
            page.addControl(new SimplePagedResultsControl(7, cookie, true));
            SearchResult result = connection.search(page);
            references += result.getReferenceCount();
            entries += result.getEntryCount();
            cookie = SimplePagedResultsControl.get(result).getCookie();
        } while (cookie.getValueLength() > 0);
        assertEquals(3, references);
        assertEquals(search("", SearchScope.SUB, "(objectClass=*)").getEntryCount(), entries);
    }

    @Test
    @Requirement(rfc = 3296, section = "3.1", text = "Operations at or below a referral object get referral")
    public void basesAtAndBelowReferralObjects() {
        refers(() -> search(ROLES, SearchScope.SUB, "(cn=x)"), "ldap://hostd/ou=Roles,ou=mnn,dc=example,dc=com??sub",
                "http://web/roles?x");
        refers(() -> search("CN=Manager,OU=roles," + MNN, SearchScope.BASE, "(cn=x)"),
                "ldap://hostd/CN=Manager,OU=roles,ou=mnn,dc=example,dc=com??base", "http://web/roles?x");
        refers(() -> search("cn=a b,cn=ü?," + PEOPLE, SearchScope.ONE, "(cn=x)"),
                "ldap://hostb/cn=a%20b,cn=%C3%BC%3F,OU=People,O=MNN,C=US??one",
                "ldap://hostc/cn=a%20b,cn=%C3%BC%3F,ou=pe%20ople,c=us??one??!bindname");
        refers(() -> search(OTHERS, SearchScope.SUBORDINATE_SUBTREE, "(cn=x)"),
                "ldaps://hoste:636/ou=others,dc=other??subordinate");
    }

    @Test
    public void referralObjectsReachedThroughAliases() throws LDAPException {
        SearchRequest request = new SearchRequest("cn=me,cn=alias," + TestServer.SUFFIX, SearchScope.BASE, "(cn=x)");
        request.setDerefPolicy(DereferencePolicy.ALWAYS);
        refers(() -> connection.search(request), "ldap://hostd/cn=me,cn=staff,ou=Roles,ou=mnn,dc=example,dc=com??base",
                "http://web/roles?x");
        SearchRequest level = new SearchRequest(TestServer.SUFFIX, SearchScope.ONE, "(cn=x)", "1.1");
        level.setDerefPolicy(DereferencePolicy.ALWAYS);
        assertEquals(List.of("http://web/roles?x", "ldap://hostd/ou=Roles,ou=mnn,dc=example,dc=com??base"),
                references(connection.search(level)));
    }

    @Test
    @Requirement(rfc = 3296, section = "3.1", text = "Updates and compares too")
    @Requirement(rfc = 4511, section = "4.1.10", text = "The result referral has URLs")
    public void updatesAndComparesAtAndBelowReferralObjects() {
        String below = "cn=Manager," + ROLES;
        String url = "ldap://hostd/cn=Manager,ou=Roles,ou=mnn,dc=example,dc=com";
        Modification change = new Modification(ModificationType.REPLACE, "description", "x");
        refers(() -> connection.add(below, new Attribute("objectClass", "person"),
                new Attribute("sn", "x")), url, "http://web/roles?x");
        refers(() -> connection.modify(below, change), url, "http://web/roles?x");
        refers(() -> connection.delete(below), url, "http://web/roles?x");
        refers(() -> connection.modifyDN(below, "cn=x", true), url, "http://web/roles?x");
        refers(() -> connection.compare(below, "cn", "x"), url, "http://web/roles?x");
        refers(() -> connection.modify(OTHERS, change), "ldaps://hoste:636/ou=others,dc=other");
        refers(() -> connection.delete(OTHERS), "ldaps://hoste:636/ou=others,dc=other");
    }

    @Test
    @Requirement(rfc = 3296, section = "3.3", text = "modifyDN to a name of another server is affectsMultipleDSAs")
    public void newNamesThatOtherServersHold() {
        for (String superior : List.of(ROLES, "cn=x," + ROLES)) {
            LDAPException failure = assertThrows(LDAPException.class,
                    () -> connection.modifyDN("cn=Manager," + MNN, "cn=Manager", true, superior));
            assertEquals(ResultCode.AFFECTS_MULTIPLE_DSAS, failure.getResultCode());
        }
        LDAPException failure = assertThrows(LDAPException.class,
                () -> connection.modifyDN("cn=Manager," + MNN, "ou=People", false));
        assertEquals(ResultCode.AFFECTS_MULTIPLE_DSAS, failure.getResultCode());
    }

    @Test
    @Requirement(rfc = 3296, section = "3.4", text = "Binds are not referred")
    public void bindsAreNotReferred() {
        LDAPException failure = assertThrows(LDAPException.class, () -> server.anonymous().bind("cn=x," + ROLES, "secret"));
        assertEquals(ResultCode.INVALID_CREDENTIALS, failure.getResultCode());
    }

    @Test
    @Requirement(rfc = 3296, section = "3", text = "ManageDsaIT makes them entries")
    public void withManageDsaItTheyAreEntries() throws Exception {
        ManageDsaITRequestControl manage = new ManageDsaITRequestControl(true);
        String dn = "ou=managed," + MNN;
        AddRequest add = new AddRequest("dn: " + dn, "objectClass: referral", "objectClass: extensibleObject", "ou: managed",
                "ref: ldap://old/");
        connection.add(add);
        refers(() -> search(dn, SearchScope.BASE, "(objectClass=*)"), "ldap://old/" + dn + "??base");
        ModifyRequest modify = new ModifyRequest(dn, new Modification(ModificationType.REPLACE, "ref", "ldap://new"));
        modify.addControl(manage);
        connection.modify(modify);
        ModifyRequest without = new ModifyRequest(dn, new Modification(ModificationType.DELETE, "ref"));
        without.addControl(manage);
        LDAPException required = assertThrows(LDAPException.class, () -> connection.modify(without));
        assertEquals("its class requires the attribute, which is operational", ResultCode.OBJECT_CLASS_VIOLATION, required.getResultCode());
        CompareRequest compare = new CompareRequest(dn, "ref", "ldap://new");
        compare.addControl(manage);
        assertEquals(true, connection.compare(compare).compareMatched());
        SearchRequest search = new SearchRequest(MNN, SearchScope.SUB, "(objectClass=referral)", "ref");
        search.addControl(manage);
        SearchResult result = connection.search(search);
        assertEquals(List.of(PEOPLE, ROLES, dn), names(result));
        assertEquals("ldap://new", result.getSearchEntry(dn).getAttributeValue("ref"));
        assertEquals(0, result.getReferenceCount());
        isRefusedBelow(dn, manage);
        ModifyDNRequest rename = new ModifyDNRequest(dn, "ou=renamed", true);
        rename.addControl(manage);
        connection.modifyDN(rename);
        refers(() -> search("ou=renamed," + MNN, SearchScope.BASE, "(ou=*)"), "ldap://new/ou=renamed," + MNN + "??base");
        DeleteRequest delete = new DeleteRequest("ou=renamed," + MNN);
        delete.addControl(manage);
        connection.delete(delete);
        assertEquals(2, search(MNN, SearchScope.SUB, "(cn=x)").getReferenceCount());
    }

    private static void isRefusedBelow(String dn, ManageDsaITRequestControl manage) throws Exception {
        AddRequest below = new AddRequest("dn: cn=x," + dn, "objectClass: device", "cn: x");
        below.addControl(manage);
        LDAPException failure = assertThrows(LDAPException.class, () -> connection.add(below));
        assertEquals(ResultCode.UNWILLING_TO_PERFORM, failure.getResultCode());
    }

    @Test
    @Requirement(rfc = 3296, section = "4", text = "Superior reference")
    public void namesOutsideOfAllSuffixes() {
        refers(() -> search("ou=x,c=de", SearchScope.ONE, "(cn=x)"), "ldap://up.example:1389/ou=x,c=de??one",
                "ldaps://too/ou=x,c=de??one");
        refers(() -> connection.delete("ou=x,c=de"), "ldap://up.example:1389/ou=x,c=de", "ldaps://too/ou=x,c=de");
        refers(() -> connection.compare("dc=com", "dc", "com"), "ldap://up.example:1389/dc=com", "ldaps://too/dc=com");
    }
}
