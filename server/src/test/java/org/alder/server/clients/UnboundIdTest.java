package org.alder.server.clients;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.asn1.ASN1OctetString;
import com.unboundid.ldap.sdk.DereferencePolicy;
import com.unboundid.ldap.sdk.FailoverServerSet;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.GetEntryLDAPConnectionPoolHealthCheck;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPConnectionPool;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.LDAPSearchException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.RootDSE;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchResult;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.SimpleBindRequest;
import com.unboundid.ldap.sdk.controls.SimplePagedResultsControl;
import com.unboundid.ldap.sdk.extensions.PasswordModifyExtendedRequest;
import com.unboundid.ldap.sdk.extensions.PasswordModifyExtendedResult;
import com.unboundid.ldap.sdk.extensions.WhoAmIExtendedRequest;
import com.unboundid.ldap.sdk.extensions.WhoAmIExtendedResult;
import com.unboundid.ldap.sdk.persist.LDAPPersister;
import com.unboundid.ldap.sdk.schema.AttributeTypeDefinition;
import com.unboundid.ldap.sdk.schema.EntryValidator;
import com.unboundid.ldap.sdk.schema.ObjectClassDefinition;
import com.unboundid.ldap.sdk.schema.Schema;
import com.unboundid.util.LDAPTestUtils;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.alder.partition.testing.Requirement;
import org.junit.ClassRule;
import org.junit.Test;

/** The UnboundID LDAP SDK for Java: pools with health checks, its schema reader and validator, its standard extensions. */
public class UnboundIdTest {
    @ClassRule
    public static final Site SITE = new Site();


    private static LDAPConnection reader() throws LDAPException {
        return new LDAPConnection("127.0.0.1", SITE.port(), Site.READER, Site.READER_PASSWORD);
    }

    @Test
    public void theRecipeLogsIn() throws Exception {
        login(SITE.recipe("unboundid"), SITE.newFolder()).letsAliceInByHerPasswordAlone();
    }

    static LoginProgram login(Recipe recipe, Path folder) throws Exception {
        String sdk = Path.of(LDAPConnection.class.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
        return LoginProgram.java(recipe.write("Login.java", folder), "-cp", sdk);
    }

    @Test
    public void aServerThatIsNotKnownIsRefused() throws Exception {
        login(SITE.recipe("unboundid").with(Site.AUTHORITY, SITE.stranger()), SITE.newFolder()).run("alice", Site.ALICE_PASSWORD)
                .failsWith("certificate");
    }

    @Test
    public void rootDse() throws LDAPException {
        try (LDAPConnection connection = new LDAPConnection("127.0.0.1", SITE.port())) {
            RootDSE root = connection.getRootDSE();
            assertEquals(List.of(Site.SUFFIX), List.of(root.getNamingContextDNs()));
            assertEquals("Alder", root.getVendorName());
            assertNotNull(root.getVendorVersion());
            assertTrue(root.supportsLDAPVersion(3));
        }
    }

    /** The SDK parses every definition, and its validator knows every attribute of every entry. */
    @Test
    @Requirement(rfc = 4512, section = "4.1, 4.2",
            text = "An independent schema reader parses all definitions, and its validator accepts all entries")
    public void schemaAndItsEntries() throws Exception {
        try (LDAPConnection connection = SITE.admin()) {
            Schema schema = Schema.getSchema(connection, "", true);
            for (AttributeTypeDefinition type : schema.getAttributeTypes()) {
                assertNotNull(type.getNameOrOID() + " has no syntax", schema.getAttributeSyntax(type.getBaseSyntaxOID(schema)));
                assertTrue(type.toString(), type.getSuperiorType() == null || type.getSuperiorType(schema) != null);
            }
            for (ObjectClassDefinition type : schema.getObjectClasses()) {
                assertEquals(type.toString(), type.getSuperiorClasses().length, type.getSuperiorClasses(schema, false).size());
                for (String name : type.getRequiredAttributes()) {
                    assertNotNull(type.getNameOrOID() + " wants " + name, schema.getAttributeType(name));
                }
                for (String name : type.getOptionalAttributes()) {
                    assertNotNull(type.getNameOrOID() + " may have " + name, schema.getAttributeType(name));
                }
            }
            EntryValidator validator = new EntryValidator(schema);
            SearchResult all = connection.search(Site.SUFFIX, SearchScope.SUB, "(objectClass=*)");
            assertTrue(all.getEntryCount() > 10);
            List<String> reasons = new ArrayList<>();
            all.getSearchEntries().forEach(entry -> validator.entryIsValid(entry, reasons));
            assertEquals(List.of(), reasons);
        }
    }

    @Test
    public void poolWithHealthChecks() throws Exception {
        GetEntryLDAPConnectionPoolHealthCheck check =
                new GetEntryLDAPConnectionPoolHealthCheck("", 5000, true, true, true, true, true);
        Background.Address nobody = Background.freeAddress();
        FailoverServerSet servers = new FailoverServerSet(new String[] {nobody.host(), "127.0.0.1"},
                new int[] {nobody.port(), SITE.port()});
        try (LDAPConnectionPool pool = new LDAPConnectionPool(servers, new SimpleBindRequest(Site.READER, Site.READER_PASSWORD),
                2, 4, 1, null, true, check)) {
            for (int i = 0; i < 20; i++) {
                assertEquals("alice", pool.getEntry(Site.ALICE, "uid").getAttributeValue("uid"));
            }
            assertEquals(ResultCode.SUCCESS, pool.bindAndRevertAuthentication(Site.ALICE, Site.ALICE_PASSWORD).getResultCode());
            LDAPTestUtils.assertValueExists(pool, "cn=administrators," + Site.GROUPS, "member", Site.ALICE);
            LDAPTestUtils.assertEntryMissing(pool, "uid=dave," + Site.PEOPLE);
        }
    }

    @Test
    @Requirement(rfc = 4532, section = "2", text = "Who am I?")
    @Requirement(rfc = 3062, section = "2", text = "Password modify by the user, with a generated password")
    public void extensions() throws Exception {
        try (LDAPConnection admin = SITE.admin(); LDAPConnection user = new LDAPConnection("127.0.0.1", SITE.port())) {
            String dn = "uid=changing," + Site.PEOPLE;
            admin.add("dn: " + dn, "objectClass: inetOrgPerson", "uid: changing", "cn: x", "sn: x", "userPassword: first");
            user.bind(dn, "first");
            assertEquals("dn:" + dn, ((WhoAmIExtendedResult) user.processExtendedOperation(new WhoAmIExtendedRequest()))
                    .getAuthorizationID());
            PasswordModifyExtendedResult made = (PasswordModifyExtendedResult)
                    user.processExtendedOperation(new PasswordModifyExtendedRequest("first", (String) null));
            assertEquals(ResultCode.SUCCESS, made.getResultCode());
            user.bind(dn, made.getGeneratedPassword());
            assertEquals(ResultCode.INVALID_CREDENTIALS,
                    assertThrows(LDAPException.class, () -> user.bind(dn, "first")).getResultCode());
            admin.delete(dn);
        }
    }

    @Test
    public void pagesOnTwoConnections() throws LDAPException {
        ASN1OctetString cookie = null;
        List<String> seen = new ArrayList<>();
        do {
            try (LDAPConnection connection = reader()) {
                SearchRequest request = new SearchRequest(Site.PEOPLE, SearchScope.ONE, DereferencePolicy.ALWAYS, 0, 0, false,
                        Filter.createEqualityFilter("objectClass", "inetOrgPerson"), "uid");
                request.addControl(new SimplePagedResultsControl(2, cookie, true));
                SearchResult page = connection.search(request);
                page.getSearchEntries().forEach(entry -> seen.add(entry.getAttributeValue("uid")));
                cookie = SimplePagedResultsControl.get(page).getCookie();
            }
        } while (cookie != null && cookie.getValueLength() > 0);
        assertEquals(List.of("alice", "bob", "carol"), seen.stream().sorted().toList());
    }

    @Test
    public void failuresCarryWhatAProgramNeeds() throws Exception {
        try (LDAPConnection connection = reader(); LDAPConnection admin = SITE.admin()) {
            LDAPSearchException missing = assertThrows(LDAPSearchException.class,
                    () -> connection.search("uid=x,ou=none," + Site.SUFFIX, SearchScope.BASE, "(objectClass=*)"));
            assertEquals(ResultCode.NO_SUCH_OBJECT, missing.getResultCode());
            assertEquals(Site.SUFFIX, missing.getMatchedDN());
            LDAPException refused = assertThrows(LDAPException.class,
                    () -> admin.modify(Site.ALICE, new Modification(ModificationType.ADD, "uidNumber", "7")));
            assertEquals(ResultCode.CONSTRAINT_VIOLATION, refused.getResultCode());
            assertFalse(refused.getDiagnosticMessage().isEmpty());
        }
    }

    /** The SDK's persistence writes its own schema definitions and entries. */
    @Test
    public void persistedObjects() throws Exception {
        LDAPPersister<Printer> persister = LDAPPersister.getInstance(Printer.class);
        try (LDAPConnection admin = SITE.admin()) {
            Printer printer = new Printer();
            printer.name = "lp1, second floor";
            printer.description = "by the stairs";
            persister.add(printer, admin, Site.SUFFIX);
            Printer template = new Printer();
            template.description = "by the stairs";
            assertEquals("lp1, second floor", persister.searchForObject(template, admin, Site.SUFFIX, SearchScope.SUB).name);
            persister.delete(printer, admin);
        }
    }
}
