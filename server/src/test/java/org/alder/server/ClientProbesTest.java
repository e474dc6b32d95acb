package org.alder.server;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.AddRequest;
import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.CompareRequest;
import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.DeleteRequest;
import com.unboundid.ldap.sdk.DereferencePolicy;
import com.unboundid.ldap.sdk.ExtendedRequest;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.LDAPRequest;
import com.unboundid.ldap.sdk.LDAPResult;
import com.unboundid.ldap.sdk.LDAPSearchException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ModifyDNRequest;
import com.unboundid.ldap.sdk.ModifyRequest;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchResult;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.SimpleBindRequest;
import com.unboundid.ldap.sdk.UpdatableLDAPRequest;
import com.unboundid.ldap.sdk.schema.Schema;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import org.alder.partition.testing.Requirement;
import org.junit.After;
import org.junit.AfterClass;
import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.Test;

/** What clients ask a server they have never met, and what they then rely on. */
public class ClientProbesTest {
    private static final String USERS = "ou=users," + TestServer.SUFFIX;

    private static TestServer server;
    private LDAPConnection connection;
    private LDAPConnection anonymous;

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
        anonymous = server.anonymous();
    }

    @After
    public void disconnect() {
        connection.close();
        anonymous.close();
    }

    private static Set<String> names(SearchResultEntry entry) {
        return entry.getAttributes().stream().map(Attribute::getName).collect(Collectors.toCollection(TreeSet::new));
    }

    private static SearchResultEntry base(LDAPConnection from, String dn, String filter, String... attributes)
            throws LDAPException {
        List<SearchResultEntry> found = from.search(dn, SearchScope.BASE, filter, attributes).getSearchEntries();
        assertEquals(1, found.size());
        return found.get(0);
    }

    private static void fails(ResultCode code, LDAPException failure) {
        assertEquals(failure.getMessage(), code, failure.getResultCode());
        assertFalse("a message for the person", failure.getDiagnosticMessage().isEmpty());
    }

    /** SSSD's first search, attribute for attribute; those that Alder has not are left out without an error. */
    @Test
    @Requirement(rfc = 4512, section = "5.1",
            text = "Root DSE attributes are operational, readable by a base search for (objectClass=*)")
    public void rootDseAsSssdReadsIt() throws LDAPException {
        SearchResultEntry root = base(anonymous, "", "(objectclass=*)", "*", "altServer", "namingContexts", "supportedControl",
                "supportedExtension", "supportedFeatures", "supportedLDAPVersion", "supportedSASLMechanisms",
                "domainControllerFunctionality", "defaultNamingContext", "lastUSN", "highestCommittedUSN");
        Set<String> expected = Set.of("objectClass", "namingContexts", "supportedControl", "supportedExtension",
                "supportedFeatures", "supportedLDAPVersion", "defaultNamingContext");
        assertTrue(names(root).toString(), names(root).containsAll(expected));
        assertEquals(TestServer.SUFFIX, root.getAttributeValue("defaultNamingContext"));
        assertEquals("3", root.getAttributeValue("supportedLDAPVersion"));
    }

    @Test
    @Requirement(rfc = 4512, section = "5.1",
            text = "The root DSE names naming contexts, subschema, versions, controls, extensions, features")
    @Requirement(rfc = 3045, section = "2, 3", text = "vendorName and vendorVersion in the root DSE")
    public void rootDseWithPlus() throws LDAPException {
        SearchResultEntry root = base(anonymous, "", "(objectClass=*)", "+");
        Set<String> expected = Set.of("namingContexts", "defaultNamingContext", "subschemaSubentry", "supportedLDAPVersion",
                "supportedControl", "supportedExtension", "supportedFeatures", "vendorName", "vendorVersion");
        assertTrue(names(root).toString(), names(root).containsAll(expected));
        assertEquals("Alder", root.getAttributeValue("vendorName"));
        assertFalse("user attributes are asked for with *", names(root).contains("objectClass"));
        assertEquals("operational attributes are asked for", Set.of("objectClass"),
                names(base(anonymous, "", "(objectClass=*)")));
        Schema schema = anonymous.getSchema();
        names(root).forEach(name -> assertNotNull(name + " in the schema", schema.getAttributeType(name)));
    }

    @Test
    @Requirement(rfc = 4512, section = "5.1", text = "The root DSE is not returned by searches of one level or of subtrees")
    public void theRootDseIsInNoSubtree() throws LDAPException {
        SearchResult all = connection.search("", SearchScope.SUB, "(objectClass=*)", "1.1");
        assertTrue(all.getSearchEntries().stream().noneMatch(entry -> entry.getDN().isEmpty()));
    }

    @Test
    @Requirement(rfc = 4512, section = "4.4", text = "subschemaSubentry of an entry names the subschema that governs it")
    @Requirement(rfc = 4512, section = "4.2",
            text = "The subschema is read by a base search for (objectClass=subschema), its attributes by name")
    public void theSchemaAsClientsFindIt() throws Exception {
        String dn = base(connection, TestServer.userDn(1), "(objectClass=*)", "subschemaSubentry")
                .getAttributeValue("subschemaSubentry");
        List<String> kinds = List.of("objectClasses", "attributeTypes", "ldapSyntaxes", "matchingRules", "matchingRuleUse",
                "createTimestamp", "modifyTimestamp");
        SearchResultEntry schema = base(anonymous, dn, "(objectClass=subschema)", kinds.toArray(String[]::new));
        assertEquals(new TreeSet<>(kinds), names(schema));
        assertTrue(Set.of("cn", "objectClass").containsAll(names(base(anonymous, dn, "(objectClass=*)"))));
        SearchResultEntry asLdap3Asks = base(anonymous, dn, "(objectClass=subschema)", "objectClasses", "attributeTypes",
                "ldapSyntaxes", "matchingRules", "matchingRuleUse", "dITContentRules", "dITStructureRules", "nameForms",
                "createTimestamp", "modifyTimestamp", "*", "+");
        assertTrue(names(asLdap3Asks).containsAll(kinds));
        Schema parsed = new Schema(asLdap3Asks);
        for (String name : List.of("memberOf", "entryUUID", "entryDN", "hasSubordinates", "numSubordinates", "createTimestamp",
                "structuralObjectClass", "subschemaSubentry", "pwdAccountLockedTime", "defaultNamingContext", "vendorName")) {
            assertNotNull(name, parsed.getAttributeType(name));
        }
        for (String name : List.of("inetOrgPerson", "posixAccount", "posixGroup", "shadowAccount", "sudoRole", "ldapPublicKey",
                "groupOfURLs", "automount", "sambaSamAccount", "pwdPolicy", "subschema", "extensibleObject")) {
            assertNotNull(name, parsed.getObjectClass(name));
        }
    }

    @Test
    @Requirement(rfc = 4512, section = "3.4",
            text = "creatorsName, createTimestamp, modifiersName, modifyTimestamp, structuralObjectClass")
    @Requirement(rfc = 4530, section = "2.3", text = "Every entry has one entryUUID, by which it can be found")
    @Requirement(rfc = 5020, section = "2", text = "entryDN is the entry's DN, and can be searched for")
    public void operationalAttributesOfEveryEntry() throws LDAPException {
        for (String dn : List.of(TestServer.SUFFIX, USERS, TestServer.userDn(7))) {
            SearchResultEntry entry = base(connection, dn, "(objectClass=*)", "+");
            Set<String> expected = Set.of("entryUUID", "entryDN", "createTimestamp", "modifyTimestamp", "creatorsName",
                    "modifiersName", "structuralObjectClass", "subschemaSubentry", "hasSubordinates", "numSubordinates");
            assertTrue(names(entry).toString(), names(entry).containsAll(expected));
            UUID uuid = UUID.fromString(entry.getAttributeValue("entryUUID"));
            assertEquals(dn, connection.searchForEntry(
                    "", SearchScope.SUB, "(entryUUID=" + uuid.toString().toUpperCase(Locale.ROOT) + ")")
                    .getDN());
            assertEquals(dn, connection.searchForEntry(
                    "", SearchScope.SUB, "(entryDN=" + dn.toUpperCase(Locale.ROOT) + ")").getDN());
        }
        assertEquals("TRUE", base(connection, USERS, "(hasSubordinates=TRUE)", "hasSubordinates")
                .getAttributeValue("hasSubordinates"));
        assertEquals("inetOrgPerson", base(connection, TestServer.userDn(7), "(uid=*)", "structuralObjectClass")
                .getAttributeValue("structuralObjectClass"));
    }

    @Test
    @Requirement(rfc = 4512, section = "3.4", text = "Clients cannot change operational attributes that the server maintains")
    public void operationalAttributesAreTheServers() {
        for (String name : List.of("entryUUID", "createTimestamp", "entryDN", "structuralObjectClass", "hasSubordinates",
                "subschemaSubentry")) {
            fails(ResultCode.CONSTRAINT_VIOLATION, assertThrows(name, LDAPException.class,
                    () -> connection.modify(TestServer.userDn(7), new Modification(ModificationType.REPLACE, name, "x"))));
        }
    }

    @Test
    @Requirement(rfc = 4511, section = "4.5.1.8", text = "Unknown attributes in the list are ignored; none comes twice")
    public void attributesNobodyKnows() throws LDAPException {
        SearchResultEntry entry = base(connection, TestServer.userDn(7), "(objectClass=*)", "dn", "objectSid", "nsUniqueId",
                "objectguid", "sn", "SN", "surname", "no such attribute");
        assertEquals("one description once", 1, entry.getAttributes().stream().filter(each -> each.hasValue("Number7")).count());
        SearchResult found = connection.search(USERS, SearchScope.ONE, "(&(uid=user.7)(|(objectSid=x)(uid=user.7)))", "1.1");
        assertEquals(1, found.getEntryCount());
    }

    @Test
    @Requirement(rfc = 4511, section = "4.1.11",
            text = "Unknown controls: ignored unless critical, then unavailableCriticalExtension, on any operation")
    public void unknownControls() throws LDAPException {
        Control ignored = new Control("1.3.6.1.4.1.99999.1", false);
        Control critical = new Control("1.3.6.1.4.1.99999.1", true);
        SearchRequest search = new SearchRequest(USERS, SearchScope.BASE, DereferencePolicy.ALWAYS, 0, 0, false,
                Filter.createPresenceFilter("objectClass"));
        search.setControls(ignored);
        assertEquals(1, connection.search(search).getEntryCount());
        search.setControls(critical);
        fails(ResultCode.UNAVAILABLE_CRITICAL_EXTENSION,
                assertThrows(LDAPSearchException.class, () -> connection.search(search)));
        for (boolean isCritical : List.of(true, false)) {
            Control[] control = {isCritical ? critical : ignored};
            assertEquals(isCritical ? ResultCode.UNAVAILABLE_CRITICAL_EXTENSION : ResultCode.SUCCESS,
                    connection.processExtendedOperation(new ExtendedRequest("1.3.6.1.4.1.4203.1.11.3", control)).getResultCode());
            assertEquals(!isCritical, isDone(anonymous,
                    new SimpleBindRequest(TestServer.userDn(1), TestServer.USER_PASSWORD, control)));
            String dn = "ou=controlled," + TestServer.SUFFIX;
            AddRequest add = new AddRequest(dn, new Attribute("objectClass", "organizationalUnit"), new Attribute("ou", "controlled"));
            ModifyRequest modify = new ModifyRequest(dn, new Modification(ModificationType.REPLACE, "description", "x"));
            ModifyDNRequest rename = new ModifyDNRequest(dn, "ou=renamed", true);
            for (UpdatableLDAPRequest request : List.of(add, modify, new CompareRequest(dn, "description", "x"), rename,
                    new DeleteRequest("ou=renamed," + TestServer.SUFFIX))) {
                request.setControls(control);
                assertEquals(request.toString(), !isCritical, isDone(connection, request));
            }
        }
    }

    /** Or refused for a critical control. */
    private static boolean isDone(LDAPConnection connection, LDAPRequest request) {
        try {
            LDAPResult result = connection.processOperation(request);
            return Set.of(ResultCode.SUCCESS, ResultCode.COMPARE_TRUE).contains(result.getResultCode());
        } catch (LDAPException e) {
            fails(ResultCode.UNAVAILABLE_CRITICAL_EXTENSION, e);
            return false;
        }
    }

    @Test
    @Requirement(rfc = 4511, section = "4.1.9", text = "noSuchObject comes with the DN of the last entry that exists")
    public void matchedDn() {
        LDAPSearchException missing = assertThrows(LDAPSearchException.class,
                () -> connection.search("cn=x,uid=none," + USERS, SearchScope.SUB, "(objectClass=*)"));
        fails(ResultCode.NO_SUCH_OBJECT, missing);
        assertEquals(USERS, missing.getMatchedDN());
        LDAPException deleted = assertThrows(LDAPException.class, () -> connection.delete("cn=x,uid=none," + USERS));
        assertEquals(USERS, deleted.getMatchedDN());
    }

    @Test
    @Requirement(rfc = 4511, section = "4.12", text = "An unknown extended operation gets protocolError")
    public void unknownExtendedOperations() {
        fails(ResultCode.PROTOCOL_ERROR, assertThrows(LDAPException.class,
                () -> connection.processExtendedOperation(new ExtendedRequest("1.3.6.1.4.1.99999.2"))));
    }

    @Test
    @Requirement(rfc = 4511, section = "4.2.1", text = "A connection can be bound any number of times")
    public void manyBindsOnOneConnection() throws LDAPException {
        for (int i = 1; i <= 20; i++) {
            anonymous.bind(TestServer.userDn(i), TestServer.USER_PASSWORD);
            assertNotNull(anonymous.getEntry(TestServer.userDn(i), "1.1"));
        }
    }

    @Test
    @Requirement(rfc = 4511, section = "4.7", text = "An add needs its parent, values once only, and an existing name is refused")
    public void addsThatCannotBe() {
        fails(ResultCode.NO_SUCH_OBJECT, assertThrows(LDAPException.class,
                () -> connection.add("dn: ou=x,ou=none," + TestServer.SUFFIX, "objectClass: organizationalUnit", "ou: x")));
        fails(ResultCode.ATTRIBUTE_OR_VALUE_EXISTS, assertThrows(LDAPException.class,
                () -> connection.add("ou=x," + TestServer.SUFFIX, List.of(new Attribute("objectClass", "organizationalUnit"),
                        new Attribute("ou", "x"), new Attribute("description", List.of("a", "A"))))));
        fails(ResultCode.ENTRY_ALREADY_EXISTS, assertThrows(LDAPException.class,
                () -> connection.add("dn: OU=Users," + TestServer.SUFFIX, "objectClass: organizationalUnit", "ou: users")));
        fails(ResultCode.OBJECT_CLASS_VIOLATION, assertThrows(LDAPException.class,
                () -> connection.add("dn: ou=x," + TestServer.SUFFIX, "objectClass: person", "ou: x", "cn: x", "sn: x")));
    }
}
