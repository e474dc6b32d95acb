package org.alder.server;

import static org.alder.server.ClientTests.fails;
import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import com.unboundid.asn1.ASN1OctetString;
import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.DeleteRequest;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ModifyRequest;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.controls.SimplePagedResultsControl;
import com.unboundid.ldif.LDIFException;
import org.alder.partition.testing.Requirement;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** Add, delete, modify, modifyDN and compare over the protocol; what exactly the core does with each is tested there. */
public class UpdateTest {
    private static final String USERS = "ou=users," + TestServer.SUFFIX;

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

    private static String[] person(String dn, String uid) {
        return new String[] {"dn: " + dn, "objectClass: inetOrgPerson", "uid: " + uid, "cn: x", "sn: y"};
    }

    @Test
    public void aGroupOfRfc2307StandsAloneAndOneOfItsSuccessorJoinsAnother() throws LDAPException, LDIFException {
        String alone = "cn=staff," + TestServer.SUFFIX;
        String joined = "cn=crew," + TestServer.SUFFIX;
        admin.add("dn: " + alone, "objectClass: top", "objectClass: posixGroup", "cn: staff", "gidNumber: 100", "memberUid: ann");
        admin.add("dn: " + joined, "objectClass: groupOfNames", "objectClass: posixGroup", "cn: crew", "gidNumber: 101",
                "member: " + TestServer.userDn(1));
        assertEquals("posixGroup", admin.getEntry(alone, "+").getAttributeValue("structuralObjectClass"));
        assertEquals("groupOfNames", admin.getEntry(joined, "+").getAttributeValue("structuralObjectClass"));
        admin.modify(alone, new Modification(ModificationType.ADD, "memberUid", "bob"));
        assertEquals(2, admin.search(TestServer.SUFFIX, SearchScope.SUB, "(objectClass=posixGroup)").getEntryCount());
        fails(ResultCode.OBJECT_CLASS_VIOLATION, () -> admin.modify(alone,
                new Modification(ModificationType.ADD, "member", TestServer.userDn(1))));
    }

    @Test
    public void whateverASyntaxCheckerThrowsIsAnInvalidValue() throws LDAPException {
        String dn = TestServer.userDn(1);
        for (String[] each : new String[][] {{"facsimileTelephoneNumber", "+1 2$f\u6f22"}, {"attributeTypes", "#x"},
                {"attributeTypes", "( x:1 NAME q )"}, {"ldapSyntaxes", "( a: )"}, {"matchingRuleUse", "( 1.: APPLIES a )"},
                {"objectClasses", "( abc:1.2 NAME 'x' )"}, {"matchingRules", "#x"}, {"nameForms", "#x"},
                {"dITContentRules", "( 1.2.3 AUX ( 1.2.3 "}, {"dITStructureRules", "#x"},
                {"subtreeSpecification", "{ base \"" + "\"\"".repeat(10_000) + "\" }"}}) {
            fails(ResultCode.INVALID_ATTRIBUTE_SYNTAX,
                    () -> admin.modify(dn, new Modification(ModificationType.ADD, each[0], each[1])));
        }
        assertEquals(0, admin.search(TestServer.SUFFIX, SearchScope.SUB, Filter.createEqualityFilter("userCertificate",
                "{ serialNumber 1, issuer \"cn=" + "\"\"".repeat(10_000) + "\" }")).getEntryCount());
    }

    @Test
    @Requirement(rfc = 4511, section = "4.7", text = "Add")
    public void adds() throws LDAPException, LDIFException {
        String dn = "uid=new," + USERS;
        admin.add(person(dn, "new"));
        SearchResultEntry entry = admin.getEntry(dn, "*", "+");
        assertEquals(TestServer.ADMIN, entry.getAttributeValue("creatorsName"));
        assertTrue(entry.hasAttribute("entryUUID") && entry.hasAttribute("createTimestamp"));
        fails(ResultCode.ENTRY_ALREADY_EXISTS, () -> admin.add(person(dn, "new")));
        assertEquals(USERS, fails(ResultCode.NO_SUCH_OBJECT, () -> admin.add(person("uid=a,ou=missing," + USERS, "a")))
                .getMatchedDN());
        fails(ResultCode.NO_SUCH_OBJECT, () -> admin.add(person("uid=a,dc=nowhere", "a")));
        fails(ResultCode.OBJECT_CLASS_VIOLATION, () ->
                admin.add("dn: uid=b," + USERS, "objectClass: inetOrgPerson", "uid: b", "cn: x"));
        fails(ResultCode.INVALID_DN_SYNTAX, () -> admin.add("dn: uid", "objectClass: inetOrgPerson"));
        fails(ResultCode.UNWILLING_TO_PERFORM, () -> admin.add("dn: cn=schema", "objectClass: device", "cn: schema"));
    }

    @Test
    public void addsToTheRightPartition() throws LDAPException, LDIFException {
        admin.add("dn: ou=x," + TestServer.OTHER_SUFFIX, "objectClass: organizationalUnit", "ou: x");
        assertEquals("1", admin.getEntry(TestServer.OTHER_SUFFIX, "numSubordinates").getAttributeValue("numSubordinates"));
        fails(ResultCode.AFFECTS_MULTIPLE_DSAS, () -> admin.modifyDN("ou=x," + TestServer.OTHER_SUFFIX, "ou=x", true, USERS));
    }

    @Test
    @Requirement(rfc = 4511, section = "4.8", text = "Delete, of leaves only")
    public void deletes() throws LDAPException {
        admin.delete(TestServer.userDn(1));
        assertNull(admin.getEntry(TestServer.userDn(1)));
        assertEquals(USERS, fails(ResultCode.NO_SUCH_OBJECT, () -> admin.delete(TestServer.userDn(1))).getMatchedDN());
        fails(ResultCode.NOT_ALLOWED_ON_NONLEAF, () -> admin.delete(USERS));
        fails(ResultCode.UNWILLING_TO_PERFORM, () -> admin.delete("cn=schema"));
    }

    @Test
    @Requirement(rfc = 4511, section = "4.6", text = "Modify: add, delete, replace")
    public void modifies() throws LDAPException {
        String dn = TestServer.userDn(1);
        admin.modify(dn, new Modification(ModificationType.ADD, "description", "a", "b"),
                new Modification(ModificationType.DELETE, "givenName"),
                new Modification(ModificationType.REPLACE, "sn", "changed"));
        SearchResultEntry entry = admin.getEntry(dn);
        assertArrayEquals(new String[] {"a", "b"}, entry.getAttributeValues("description"));
        assertEquals("changed", entry.getAttributeValue("sn"));
        assertFalse(entry.hasAttribute("givenName"));
        fails(ResultCode.NO_SUCH_ATTRIBUTE, () -> admin.modify(dn,
                new Modification(ModificationType.DELETE, "description", "c")));
        fails(ResultCode.ATTRIBUTE_OR_VALUE_EXISTS, () ->
                admin.modify(dn, new Modification(ModificationType.ADD, "description", "A")));
        fails(ResultCode.UNDEFINED_ATTRIBUTE_TYPE, () ->
                admin.modify(dn, new Modification(ModificationType.ADD, "noSuchAttribute", "A")));
        fails(ResultCode.NOT_ALLOWED_ON_RDN, () -> admin.modify(dn, new Modification(ModificationType.REPLACE, "uid", "other")));
        fails(ResultCode.NO_SUCH_OBJECT, () -> admin.modify("uid=nobody," + USERS,
                new Modification(ModificationType.ADD, "description", "A")));
    }

    @Test
    @Requirement(rfc = 4511, section = "4.6", text = "A modify is atomic")
    public void aModifyIsMadeWholeOrNotAtAll() throws LDAPException {
        String dn = TestServer.userDn(1);
        fails(ResultCode.NO_SUCH_ATTRIBUTE, () -> admin.modify(dn, new Modification(ModificationType.REPLACE, "sn", "changed"),
                new Modification(ModificationType.DELETE, "description")));
        assertEquals("Number1", admin.getEntry(dn).getAttributeValue("sn"));
    }

    @Test
    @Proves("1.3.6.1.1.14")
    @Requirement(rfc = 4525, section = "2", text = "Modify-Increment")
    public void increments() throws LDAPException {
        server.add("cn=ids," + TestServer.SUFFIX, "objectClass: account", "objectClass: posixAccount", "uid: ids", "cn: ids",
                "uidNumber: 1000",
                "gidNumber: 5", "homeDirectory: /x");
        admin.modify("cn=ids," + TestServer.SUFFIX, new Modification(ModificationType.INCREMENT, "uidNumber", "7"));
        assertEquals("1007", admin.getEntry("cn=ids," + TestServer.SUFFIX).getAttributeValue("uidNumber"));
    }

    @Test
    @Requirement(rfc = 4511, section = "4.9", text = "Modify DN: newrdn, deleteoldrdn, newSuperior, subtrees")
    public void renamesAndMovesSubtrees() throws LDAPException, LDIFException {
        String dn = "uid=renamed," + USERS;
        admin.modifyDN(TestServer.userDn(1), "uid=renamed", true);
        assertEquals("renamed", admin.getEntry(dn).getAttributeValue("uid"));
        fails(ResultCode.ENTRY_ALREADY_EXISTS, () -> admin.modifyDN(dn, "uid=user.2", true));
        fails(ResultCode.NO_SUCH_OBJECT, () -> admin.modifyDN(TestServer.userDn(1), "uid=x", true));
        admin.add("dn: ou=old," + TestServer.SUFFIX, "objectClass: organizationalUnit", "ou: old");
        admin.modifyDN(USERS, "ou=people", true, "ou=old," + TestServer.SUFFIX);
        assertEquals("user.2", admin.getEntry("uid=user.2,ou=people,ou=old," + TestServer.SUFFIX).getAttributeValue("uid"));
        assertNull(admin.getEntry(TestServer.userDn(2)));
    }

    @Test
    @Requirement(rfc = 4511, section = "4.10", text = "Compare: compareTrue, compareFalse, noSuchAttribute")
    public void compares() throws LDAPException {
        String dn = TestServer.userDn(1);
        assertTrue(admin.compare(dn, "sn", "NUMBER1").compareMatched());
        assertFalse(admin.compare(dn, "sn", "other").compareMatched());
        assertTrue(admin.compare(dn, "entryDN", dn).compareMatched());
        assertTrue(admin.compare(dn, "cn;lang-de", "Nutzer 1").compareMatched());
        assertTrue(admin.compare("", "vendorName", "Alder").compareMatched());
        fails(ResultCode.NO_SUCH_ATTRIBUTE, () -> admin.compare(dn, "description", "x"));
        fails(ResultCode.UNDEFINED_ATTRIBUTE_TYPE, () -> admin.compare(dn, "noSuchAttribute", "x"));
        fails(ResultCode.INAPPROPRIATE_MATCHING, () -> admin.compare(dn, "jpegPhoto", "x"));
        fails(ResultCode.NO_SUCH_OBJECT, () -> admin.compare("uid=nobody," + USERS, "sn", "x"));
    }

    @Test
    @Proves("2.16.840.1.113730.3.4.2")
    @Requirement(rfc = 4511, section = "4.1.11", text = "A critical control that does not apply to an operation is refused")
    public void criticalControlsOfUpdates() throws LDAPException {
        DeleteRequest delete = new DeleteRequest(TestServer.userDn(1), new Control[] {new Control("1.2.3.4", true)});
        fails(ResultCode.UNAVAILABLE_CRITICAL_EXTENSION, () -> admin.delete(delete));
        ModifyRequest modify = new ModifyRequest(TestServer.userDn(1),
                new Modification(ModificationType.REPLACE, "sn", "changed"));
        modify.addControl(new SimplePagedResultsControl(10, new ASN1OctetString(), true));
        fails(ResultCode.UNAVAILABLE_CRITICAL_EXTENSION, () -> admin.modify(modify));
        modify.setControls(new Control("2.16.840.1.113730.3.4.2", true), new SimplePagedResultsControl(10, null, false));
        admin.modify(modify);
        assertEquals("changed", admin.getEntry(TestServer.userDn(1)).getAttributeValue("sn"));
    }

    @Test
    @Requirement(rfc = 4522, section = "2, 3", text = "The ;binary option")
    @Requirement(rfc = 4523, section = "2.1", text = "Certificates are transferred with ;binary")
    public void binaryValuesComeBackAsTheyWere() throws LDAPException {
        byte[] value = new byte[300];
        for (int i = 0; i < value.length; i++) {
            value[i] = (byte) i;
        }
        admin.modify(TestServer.userDn(1), new Modification(ModificationType.ADD, "userPKCS12", value));
        assertArrayEquals(value, admin.getEntry(TestServer.userDn(1)).getAttributeValueBytes("userPKCS12"));
    }
}
