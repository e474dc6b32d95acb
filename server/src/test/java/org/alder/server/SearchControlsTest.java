package org.alder.server;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.asn1.ASN1Element;
import com.unboundid.asn1.ASN1OctetString;
import com.unboundid.asn1.ASN1Sequence;
import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.LDAPSearchException;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchResult;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.controls.RFC3672SubentriesRequestControl;
import com.unboundid.ldap.sdk.controls.ServerSideSortRequestControl;
import com.unboundid.ldap.sdk.controls.SimplePagedResultsControl;
import com.unboundid.ldap.sdk.controls.SortKey;
import com.unboundid.ldap.sdk.unboundidds.controls.RealAttributesOnlyRequestControl;
import com.unboundid.ldap.sdk.unboundidds.controls.RejectUnindexedSearchRequestControl;
import com.unboundid.ldap.sdk.unboundidds.controls.VirtualAttributesOnlyRequestControl;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.alder.partition.testing.Requirement;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** Subentries (RFC 3672), domain scope and dereference controls, through an independent client. */
public class SearchControlsTest {
    private static final String USERS = "ou=users," + TestServer.SUFFIX;
    private static final String SUBENTRIES = "1.3.6.1.4.1.4203.1.10.1";
    private static final String DOMAIN_SCOPE = "1.2.840.113556.1.4.1339";
    private static final String DEREF = "1.3.6.1.4.1.4203.666.5.16";
    private static final String GROUP = "cn=group," + TestServer.SUFFIX;

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

    private static SearchResult search(LDAPConnection connection, String base, SearchScope scope, String filter,
            Control... controls) throws LDAPException {
        SearchRequest request = new SearchRequest(base, scope, filter, "*");
        request.setControls(controls);
        return connection.search(request);
    }

    private String found(String base, SearchScope scope, Control... controls) throws LDAPException {
        return found(base, scope, "(objectClass=*)", controls);
    }

    private String found(String base, SearchScope scope, String filter, Control... controls) throws LDAPException {
        return search(admin, base, scope, filter, controls).getSearchEntries().stream()
                .map(entry -> entry.getDN().replaceAll("^[^=]*=([^,]*),.*", "$1")).sorted().collect(Collectors.joining(" "));
    }

    @Test
    @Proves(SUBENTRIES)
    @Requirement(rfc = 3672, section = "3", text = "Subentries are invisible unless the control asks for them")
    public void subentriesAreFoundOnlyWhenTheyAreAskedFor() throws LDAPException {
        String inside = "cn=inside,ou=box," + TestServer.SUFFIX;
        server.add("ou=box," + TestServer.SUFFIX, "objectClass: organizationalUnit", "ou: box");
        server.add("cn=plain,ou=box," + TestServer.SUFFIX, "objectClass: device", "cn: plain");
        server.add(inside, "objectClass: subentry", "cn: inside", "subtreeSpecification: {}");
        String box = "ou=box," + TestServer.SUFFIX;
        Control only = new RFC3672SubentriesRequestControl(true);
        Control none = new RFC3672SubentriesRequestControl(false);

        assertEquals("box plain", found(box, SearchScope.SUB));
        assertEquals("plain", found(box, SearchScope.ONE));
        assertEquals("inside", found(inside, SearchScope.BASE));
        assertEquals("inside", found(box, SearchScope.SUB, only));
        assertEquals("inside", found(box, SearchScope.ONE, only));
        assertEquals("inside", found(box, SearchScope.SUBORDINATE_SUBTREE, only));
        assertEquals("inside", found(TestServer.SUFFIX, SearchScope.SUB, only));
        assertEquals("inside", found(inside, SearchScope.SUB, only));
        assertEquals("", found(inside, SearchScope.SUBORDINATE_SUBTREE, only));
        assertEquals("", found(USERS, SearchScope.SUB, only));
        assertEquals("", found(box, SearchScope.BASE, only));
        assertEquals("inside", found(inside, SearchScope.BASE, only));
        assertEquals("box plain", found(box, SearchScope.SUB, none));
        assertEquals("", found(inside, SearchScope.BASE, none));
        assertEquals("", found(inside, SearchScope.SUB, none));
        Control withoutValue = new Control(SUBENTRIES, true);
        LDAPException failure = assertThrows(LDAPException.class, () -> found(box, SearchScope.SUB, withoutValue));
        assertEquals(ResultCode.PROTOCOL_ERROR, failure.getResultCode());
        LDAPException missing = assertThrows(LDAPException.class,
                () -> found("ou=none," + TestServer.SUFFIX, SearchScope.SUBORDINATE_SUBTREE, only));
        assertEquals(ResultCode.NO_SUCH_OBJECT, missing.getResultCode());

        admin.delete(inside);
        assertEquals("", found(box, SearchScope.SUB, only));
    }

    private String attributes(String dn, Control... controls) throws LDAPException {
        SearchRequest request = new SearchRequest(dn, SearchScope.BASE, "(objectClass=*)", "*", "+");
        request.setControls(controls);
        return admin.search(request).getSearchEntries().get(0).getAttributes().stream()
                .map(attribute -> attribute.getName() + " " + attribute.size()).sorted().collect(Collectors.joining(", "));
    }

    @Test
    @Proves({RealAttributesOnlyRequestControl.REAL_ATTRIBUTES_ONLY_REQUEST_OID,
            VirtualAttributesOnlyRequestControl.VIRTUAL_ATTRIBUTES_ONLY_REQUEST_OID})
    public void whatIsStoredAndWhatIsWorkedOutComeApart() throws LDAPException {
        String virtual = "entryDN 1, entryUSN 1, hasSubordinates 1, numSubordinates 1, subschemaSubentry 1";
        String real = "createTimestamp 1, creatorsName 1, entryCSN 1, entryUUID 1, modifiersName 1, modifyTimestamp 1,"
                + " structuralObjectClass 1";
        Control realOnly = new RealAttributesOnlyRequestControl(true);
        Control virtualOnly = new VirtualAttributesOnlyRequestControl(true);
        admin.add(GROUP, new Attribute("objectClass", "groupOfURLs", "extensibleObject"),
                new Attribute("member", TestServer.userDn(1), "cn=x"),
                new Attribute("memberURL", "ldap:///" + USERS + "??sub?(|(uid=user.1)(uid=user.2)(uid=user.3))"));
        assertEquals(names("cn 1, member 2, memberURL 1, objectClass 3, " + real), names(attributes(GROUP, realOnly)));
        assertEquals(names("member 2, " + virtual), names(attributes(GROUP, virtualOnly)));
        assertEquals(names("cn 1, member 4, memberURL 1, objectClass 3, " + real + ", " + virtual), names(attributes(GROUP)));

        String byOid = "cn=by-oid," + TestServer.SUFFIX;
        admin.add(byOid, new Attribute("objectClass", "groupOfURLs", "extensibleObject"),
                new Attribute("2.5.4.31", TestServer.userDn(1), "cn=x"),
                new Attribute("memberURL", "ldap:///" + USERS + "??sub?(|(uid=user.1)(uid=user.2)(uid=user.3))"));
        assertEquals("members that are stored under another name of the attribute", names("member 2, " + virtual),
                names(attributes(byOid, virtualOnly)));

        String device = "cn=device," + TestServer.SUFFIX;
        admin.add(device, new Attribute("objectClass", "device"), new Attribute("l", "own"));
        admin.add("cn=shared," + TestServer.SUFFIX, new Attribute("objectClass", "subentry", "collectiveAttributeSubentry"),
                new Attribute("subtreeSpecification", "{}"), new Attribute("c-l", "Berlin", "Bonn"));
        assertEquals(names("cn 1, l 1, objectClass 2, " + real), names(attributes(device, realOnly)));
        assertEquals(names("c-l 2, collectiveAttributeSubentries 1, " + virtual), names(attributes(device, virtualOnly)));
        assertEquals("stored in the subentry, and nowhere else",
                names("cn 1, c-l 2, objectClass 3, subtreeSpecification 1, " + real),
                names(attributes("cn=shared," + TestServer.SUFFIX, realOnly)));
        assertEquals("device", found(TestServer.SUFFIX, SearchScope.ONE, "(&(cn=device)(c-l=bonn))", realOnly));
        LDAPException both = assertThrows(LDAPException.class, () -> attributes(device, realOnly, virtualOnly));
        assertEquals(ResultCode.PROTOCOL_ERROR, both.getResultCode());
    }

    private static List<String> names(String list) {
        return Arrays.stream(list.split(", ")).sorted().toList();
    }

    @Test
    @Proves(RejectUnindexedSearchRequestControl.REJECT_UNINDEXED_SEARCH_REQUEST_OID)
    public void searchesThatNoIndexAnswersAreRefusedWhereTheClientWantsThat() throws LDAPException {
        Control reject = new RejectUnindexedSearchRequestControl(true);
        assertEquals("user.1", found(TestServer.SUFFIX, SearchScope.SUB, "(uid=user.1)", reject));
        assertEquals("few candidates are tested", "",
                found(TestServer.SUFFIX, SearchScope.SUB, "(&(uid=user.1)(roomNumber=none))", reject));
        assertEquals("", found(TestServer.SUFFIX, SearchScope.SUB, "(roomNumber=none)"));
        LDAPException refused = assertThrows(LDAPException.class,
                () -> found(TestServer.SUFFIX, SearchScope.SUB, "(roomNumber=none)", reject));
        assertEquals(ResultCode.UNWILLING_TO_PERFORM, refused.getResultCode());
        assertTrue(refused.getMessage(), refused.getMessage().contains("roomNumber"));
        assertEquals("", found(TestServer.userDn(1), SearchScope.BASE, "(roomNumber=none)", reject));
    }

    @Test
    @Proves(DOMAIN_SCOPE)
    public void domainScopeLeavesReferencesOut() throws LDAPException {
        server.add("ou=far," + TestServer.SUFFIX, "objectClass: referral", "objectClass: extensibleObject", "ou: far",
                "ref: ldap://elsewhere/");
        assertEquals(1, search(admin, TestServer.SUFFIX, SearchScope.SUB, "(ou=*)").getReferenceCount());
        SearchResult without = search(admin, TestServer.SUFFIX, SearchScope.SUB, "(ou=*)", new Control(DOMAIN_SCOPE, true));
        assertEquals(0, without.getReferenceCount());
        assertEquals(1, without.getEntryCount());
        LDAPException base = assertThrows(LDAPException.class,
                () -> search(admin, "ou=far," + TestServer.SUFFIX, SearchScope.SUB, "(ou=*)", new Control(DOMAIN_SCOPE, true)));
        assertEquals(ResultCode.REFERRAL, base.getResultCode());
    }

    /** @param specs each an attribute and those wanted of the entries it names, with blanks between them */
    private static Control deref(boolean critical, String... specs) {
        List<ASN1Element> all = new ArrayList<>();
        for (String spec : specs) {
            String[] names = spec.split(" ");
            List<ASN1Element> wanted = new ArrayList<>();
            Arrays.stream(names).skip(1).forEach(name -> wanted.add(new ASN1OctetString(name)));
            all.add(new ASN1Sequence(new ASN1OctetString(names[0]), new ASN1Sequence(wanted)));
        }
        return new Control(DEREF, critical, new ASN1OctetString(new ASN1Sequence(all).encode()));
    }

    /** The control's value as {@code attribute DN(RDN only)[name=value...]}; null without one. */
    private static String dereferenced(SearchResultEntry entry) throws Exception {
        Control control = entry.getControl(DEREF);
        if (control == null) {
            return null;
        }
        StringBuilder text = new StringBuilder();
        for (ASN1Element one : ASN1Sequence.decodeAsSequence(control.getValue().getValue()).elements()) {
            ASN1Element[] fields = ASN1Sequence.decodeAsSequence(one).elements();
            String dn = ASN1OctetString.decodeAsOctetString(fields[1]).stringValue();
            text.append(text.length() == 0 ? "" : " ").append(ASN1OctetString.decodeAsOctetString(fields[0]).stringValue())
                    .append(' ').append(dn.replaceAll(",.*", ""));
            if (fields.length > 2) {
                assertEquals((byte) 0xA0, fields[2].getType());
                List<String> attributes = new ArrayList<>();
                for (ASN1Element attribute : ASN1Sequence.decodeAsSequence(fields[2]).elements()) {
                    Attribute decoded = Attribute.decode(ASN1Sequence.decodeAsSequence(attribute));
                    attributes.add(decoded.getName() + "=" + String.join("|", decoded.getValues()));
                }
                text.append(attributes);
            }
        }
        return text.toString();
    }

    private void addGroup(String... members) {
        List<String> lines = new ArrayList<>(List.of("objectClass: groupOfNames", "cn: group"));
        Arrays.stream(members).forEach(member -> lines.add("member: " + member));
        server.add(GROUP, lines.toArray(String[]::new));
    }

    @Test
    @Proves(DEREF)
    public void aGroupComesWithItsMembers() throws Exception {
        addGroup(TestServer.userDn(1), "uid=nobody," + USERS, TestServer.userDn(2));
        SearchResult result = search(admin, TestServer.SUFFIX, SearchScope.SUB, "(|(cn=group)(uid=user.7))",
                deref(true, "MEMBER uid sn missing", "seeAlso cn"));
        assertEquals(2, result.getEntryCount());
        for (SearchResultEntry entry : result.getSearchEntries()) {
            boolean group = entry.getDN().equals(GROUP);
            assertEquals(group ? "MEMBER uid=user.1[uid=user.1, sn=Number1] MEMBER uid=nobody "
                    + "MEMBER uid=user.2[uid=user.2, sn=Number2]" : null, dereferenced(entry));
        }
        Control nothingThere = deref(true, "member mail");
        assertEquals("member uid=user.1 member uid=nobody member uid=user.2",
                dereferenced(search(admin, GROUP, SearchScope.BASE, "(cn=*)", nothingThere).getSearchEntries().get(0)));
        Control sorted = new ServerSideSortRequestControl(true, new SortKey("cn"));
        Control operational = deref(true, "member hasSubordinates entryDN");
        assertEquals("member uid=user.1[entryDN=" + TestServer.userDn(1) + ", hasSubordinates=FALSE] member uid=nobody "
                + "member uid=user.2[entryDN=" + TestServer.userDn(2) + ", hasSubordinates=FALSE]",
                dereferenced(search(admin, GROUP, SearchScope.SUB, "(cn=*)", sorted, operational,
                        new SimplePagedResultsControl(5)).getSearchEntries().get(0)));
    }

    @Test
    public void membersOfALargeGroupAreDereferencedToo() throws Exception {
        String[] members = new String[TestServer.LARGE_ATTRIBUTE_THRESHOLD + 5];
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < members.length; i++) {
            members[i] = TestServer.userDn(i + 1);
            expected.add("member uid=user." + (i + 1) + "[uid=user." + (i + 1) + "]");
        }
        addGroup(members);
        SearchResultEntry entry = search(admin, GROUP, SearchScope.BASE, "(cn=*)", deref(true, "member uid"))
                .getSearchEntries().get(0);
        assertEquals(members.length, entry.getAttributeValues("member").length);
        List<String> found = Arrays.stream(dereferenced(entry).split(" (?=member)")).sorted().toList();
        assertEquals(expected.stream().sorted().toList(), found);

        server.add("cn=outer," + TestServer.SUFFIX, "objectClass: groupOfNames", "cn: outer", "member: " + GROUP);
        SearchResultEntry outer = search(admin, "cn=outer," + TestServer.SUFFIX, SearchScope.BASE, "(cn=*)",
                deref(true, "member member")).getSearchEntries().get(0);
        assertEquals(members.length, dereferenced(outer).split("uid=user").length - 1);
    }

    @Test
    public void nothingIsToldThatMayNotBeRead() throws Exception {
        addGroup(TestServer.userDn(1));
        assertEquals("member uid=user.1[userPassword=" + TestServer.USER_PASSWORD + "]",
                dereferenced(search(admin, GROUP, SearchScope.BASE, "(cn=*)", deref(true, "member userPassword"))
                        .getSearchEntries().get(0)));
        try (LDAPConnection user = server.user(1)) {
            assertEquals("member uid=user.1", dereferenced(search(user, GROUP, SearchScope.BASE, "(cn=*)",
                    deref(true, "member userPassword")).getSearchEntries().get(0)));
        }
    }

    @Test
    public void attributesThatAreNoDnsAreRefusedIfTheControlIsCritical() throws Exception {
        addGroup(TestServer.userDn(1));
        for (String spec : List.of("cn uid", "noSuchAttribute uid")) {
            LDAPSearchException failure = assertThrows(LDAPSearchException.class,
                    () -> search(admin, GROUP, SearchScope.BASE, "(cn=*)", deref(true, spec)));
            assertEquals(ResultCode.PROTOCOL_ERROR, failure.getResultCode());
            assertNull(dereferenced(search(admin, GROUP, SearchScope.BASE, "(cn=*)", deref(false, spec))
                    .getSearchEntries().get(0)));
        }
        for (Control wrong : List.of(deref(true), deref(true, "member"), deref(true, "member cn", "MEMBER sn"),
                new Control(DEREF, true), new Control(DEREF, true, new ASN1OctetString(new byte[] {0x30, 5})))) {
            LDAPException failure = assertThrows(LDAPException.class,
                    () -> search(admin, GROUP, SearchScope.BASE, "(cn=*)", wrong));
            assertEquals(ResultCode.PROTOCOL_ERROR, failure.getResultCode());
        }
    }
}
