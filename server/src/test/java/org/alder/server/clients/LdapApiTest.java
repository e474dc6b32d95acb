package org.alder.server.clients;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.alder.partition.testing.Await;
import org.apache.directory.api.ldap.codec.api.LdapApiServiceFactory;
import org.apache.directory.api.ldap.extras.extended.whoAmI.WhoAmIRequestImpl;
import org.apache.directory.api.ldap.extras.extended.whoAmI.WhoAmIResponse;
import org.apache.directory.api.ldap.model.cursor.EntryCursor;
import org.apache.directory.api.ldap.model.cursor.SearchCursor;
import org.apache.directory.api.ldap.model.entry.DefaultEntry;
import org.apache.directory.api.ldap.model.entry.DefaultModification;
import org.apache.directory.api.ldap.model.entry.Entry;
import org.apache.directory.api.ldap.model.entry.ModificationOperation;
import org.apache.directory.api.ldap.model.exception.LdapInvalidAttributeValueException;
import org.apache.directory.api.ldap.model.exception.LdapNoSuchObjectException;
import org.apache.directory.api.ldap.model.message.AliasDerefMode;
import org.apache.directory.api.ldap.model.message.ResultCodeEnum;
import org.apache.directory.api.ldap.model.message.SearchRequest;
import org.apache.directory.api.ldap.model.message.SearchRequestImpl;
import org.apache.directory.api.ldap.model.message.SearchResultDone;
import org.apache.directory.api.ldap.model.message.SearchResultReference;
import org.apache.directory.api.ldap.model.message.SearchScope;
import org.apache.directory.api.ldap.model.message.controls.ManageDsaITImpl;
import org.apache.directory.api.ldap.model.message.controls.PagedResults;
import org.apache.directory.api.ldap.model.message.controls.PagedResultsImpl;
import org.apache.directory.api.ldap.model.message.controls.SortKey;
import org.apache.directory.api.ldap.model.message.controls.SortRequest;
import org.apache.directory.api.ldap.model.message.controls.SortRequestImpl;
import org.apache.directory.api.ldap.model.name.Dn;
import org.apache.directory.api.ldap.model.name.Rdn;
import org.apache.directory.api.ldap.model.schema.SchemaManager;
import org.apache.directory.ldap.client.api.LdapConnectionConfig;
import org.apache.directory.ldap.client.api.LdapNetworkConnection;
import org.junit.After;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Test;

/** The Apache Directory LDAP API, in the requests that Directory Studio, which is built on it, makes of it. */
public class LdapApiTest {
    @ClassRule
    public static final Site SITE = new Site();
    private static final String WORK = "ou=work," + Site.SUFFIX;

    private LdapNetworkConnection studio;

    private static LdapNetworkConnection connect() {
        LdapConnectionConfig config = new LdapConnectionConfig();
        config.setLdapHost("127.0.0.1");
        config.setLdapPort(SITE.port());
        config.setTimeout(Await.SECONDS * 1000L);
        return new LdapNetworkConnection(config);
    }

    @Before
    public void bind() throws Exception {
        studio = connect();
        studio.bind("cn=Directory Manager", SITE.adminPassword());
        studio.add(new DefaultEntry(WORK, "objectClass: organizationalUnit", "ou: work"));
    }

    @After
    public void cleanUp() throws Exception {
        studio.deleteTree(WORK);
        studio.close();
    }

    private void addUnit(String dn) throws Exception {
        studio.add(new DefaultEntry(dn, "objectClass: organizationalUnit"));
    }

    @Test
    public void theRecipeLogsIn() throws Exception {
        login(SITE.recipe("directory-studio"), SITE.newFolder()).letsAliceInByHerPasswordAlone();
    }

    static LoginProgram login(Recipe recipe, Path folder) throws Exception {
        // The API warns where the server has closed the connection before its layer of TLS takes leave.
        Path quiet = Files.writeString(folder.resolve("logback.xml"), "<configuration><root level=\"OFF\"/></configuration>");
        return LoginProgram.java(recipe.write("StudioLogin.java", folder), "-Dlogback.configurationFile=" + quiet, "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    }

    @Test
    public void aServerThatIsNotKnownIsRefused() throws Exception {
        // The API waits for as long as it waits for an answer before it says what was wrong with the certificate.
        Recipe recipe = SITE.recipe("directory-studio").with("500000", "30000").with(Site.AUTHORITY, SITE.stranger());
        login(recipe, SITE.newFolder()).run("alice", Site.ALICE_PASSWORD).failsWith("ertificat");
    }

    @Test
    public void rootDseLeadsToTheSchema() throws Exception {
        try (LdapNetworkConnection anonymous = connect()) {
            Entry root = anonymous.getRootDse("*", "+");
            assertEquals(Site.SUFFIX, root.get("namingContexts").getString());
            assertEquals("3", root.get("supportedLDAPVersion").getString());
            String subschema = root.get("subschemaSubentry").getString();
            Entry schema = anonymous.lookup(subschema, "objectClasses", "attributeTypes", "ldapSyntaxes", "matchingRules",
                    "createTimestamp", "modifyTimestamp");
            assertTrue(schema.get("attributeTypes").size() > 300);
            assertNotNull("tells whether the copy of the schema is still good", schema.get("modifyTimestamp"));
            assertTrue(anonymous.isControlSupported(PagedResults.OID));
        }
    }

    /** Each definition is parsed, linked with the others and checked by the API's own schema manager. */
    @Test
    public void theSchemaManagerTakesTheWholeSchema() throws Exception {
        studio.loadSchema();
        SchemaManager manager = studio.getSchemaManager();
        assertEquals(List.of(), manager.getErrors());
        assertNotNull(manager.lookupAttributeTypeRegistry("sshPublicKey"));
        assertNotNull(manager.lookupObjectClassRegistry("posixAccount"));
        assertEquals("caseIgnoreIA5Match", manager.lookupAttributeTypeRegistry("mail").getEquality().getName());
    }

    /** What the tree shows of each entry: name, classes, and whether it can be opened. */
    @Test
    public void aLevelIsBrowsed() throws Exception {
        addUnit("ou=with," + WORK);
        addUnit("ou=child,ou=with," + WORK);
        addUnit("ou=without," + WORK);
        SearchRequest request = new SearchRequestImpl();
        request.setBase(new Dn(WORK));
        request.setScope(SearchScope.ONELEVEL);
        request.setFilter("(objectClass=*)");
        request.setDerefAliases(AliasDerefMode.DEREF_ALWAYS);
        request.setSizeLimit(1000);
        request.addAttributes("hasSubordinates", "numSubordinates", "subordinateCount", "objectClass");
        Set<String> seen = new TreeSet<>();
        try (SearchCursor found = studio.search(request)) {
            while (found.next()) {
                Entry entry = found.getEntry();
                seen.add(entry.getDn().getRdn() + " " + entry.get("hasSubordinates").getString() + " "
                        + entry.get("numSubordinates").getString());
            }
            assertEquals(ResultCodeEnum.SUCCESS, found.getSearchResultDone().getLdapResult().getResultCode());
        }
        assertEquals(Set.of("ou=with TRUE 1", "ou=without FALSE 0"), seen);
    }

    @Test
    public void aLargeLevelComesInSortedPages() throws Exception {
        List<String> expected = new ArrayList<>();
        for (int i = 10; i < 37; i++) {
            studio.add(new DefaultEntry("cn=d" + i + "," + WORK, "objectClass: device", "cn: d" + i));
            expected.add("d" + i);
        }
        List<String> seen = new ArrayList<>();
        byte[] cookie = null;
        do {
            SearchRequest request = new SearchRequestImpl();
            request.setBase(new Dn(WORK));
            request.setScope(SearchScope.ONELEVEL);
            request.setFilter("(objectClass=device)");
            PagedResults page = new PagedResultsImpl();
            page.setSize(10);
            page.setCookie(cookie);
            SortRequest sort = new SortRequestImpl();
            sort.addSortKey(new SortKey("cn"));
            request.addControl(page).addControl(sort);
            try (SearchCursor found = studio.search(request)) {
                while (found.next()) {
                    seen.add(found.getEntry().get("cn").getString());
                }
                SearchResultDone done = found.getSearchResultDone();
                cookie = ((PagedResults) done.getControl(PagedResults.OID)).getCookie();
            }
        } while (cookie != null && cookie.length > 0);
        assertEquals(expected, seen);
    }

    @Test
    public void entriesAreChangedRenamedAndMoved() throws Exception {
        addUnit("ou=away," + WORK);
        String dn = "cn=J\u00f6rg\\, 2nd," + WORK;
        studio.add(new DefaultEntry(dn, "objectClass: person", "sn: x"));
        studio.modify(dn, new DefaultModification(ModificationOperation.ADD_ATTRIBUTE, "description", "one", "two"),
                new DefaultModification(ModificationOperation.REPLACE_ATTRIBUTE, "sn", "y"),
                new DefaultModification(ModificationOperation.REMOVE_ATTRIBUTE, "description", "one"));
        Entry changed = studio.lookup(dn);
        assertTrue(changed.contains("description", "two") && !changed.contains("description", "one") && changed.contains("sn", "y"));
        assertThrows(LdapInvalidAttributeValueException.class, () -> studio.modify(dn,
                new DefaultModification(ModificationOperation.ADD_ATTRIBUTE, "seeAlso", "no name")));
        studio.rename(new Dn(dn), new Rdn("cn=Jane"), true);
        studio.move("cn=Jane," + WORK, "ou=away," + WORK);
        studio.moveAndRename("cn=Jane,ou=away," + WORK, "cn=Joan," + WORK);
        assertNull(studio.lookup("cn=Jane,ou=away," + WORK));
        assertTrue(studio.compare("cn=Joan," + WORK, "cn", "joan"));
    }

    @Test
    public void aSubtreeIsDeletedAtOnce() throws Exception {
        addUnit("ou=top," + WORK);
        addUnit("ou=middle,ou=top," + WORK);
        addUnit("ou=bottom,ou=middle,ou=top," + WORK);
        studio.deleteTree("ou=top," + WORK);
        assertFalse(studio.exists("ou=top," + WORK));
        assertThrows(LdapNoSuchObjectException.class, () -> studio.delete("ou=bottom,ou=middle,ou=top," + WORK));
    }

    @Test
    public void referralsAreShownOrManaged() throws Exception {
        String dn = "ou=elsewhere," + WORK;
        studio.add(new DefaultEntry(dn, "objectClass: referral", "objectClass: extensibleObject",
                "ref: ldap://other.example.com/ou=there"));
        SearchRequest request = new SearchRequestImpl();
        request.setBase(new Dn(WORK));
        request.setScope(SearchScope.ONELEVEL);
        request.setFilter("(objectClass=*)");
        try (SearchCursor found = studio.search(request)) {
            assertTrue(found.next() && found.isReferral());
            SearchResultReference reference = (SearchResultReference) found.get();
            assertEquals(List.of("ldap://other.example.com/ou=there??base"), List.copyOf(reference.getReferral().getLdapUrls()));
            assertFalse(found.next());
        }
        request.addControl(new ManageDsaITImpl());
        request.addAttributes("*", "ref");
        try (SearchCursor found = studio.search(request)) {
            assertTrue(found.next() && found.isEntry() && found.getEntry().containsAttribute("ref"));
        }
    }

    @Test
    public void filtersAndOperationalAttributes() throws Exception {
        try (EntryCursor found = studio.search(Site.SUFFIX, "(&(objectClass=person)(|(uid=ALICE)(cn=b\u00f6b*))(!(uid=carol)))",
                SearchScope.SUBTREE, "*", "+")) {
            assertTrue(found.next());
            Entry alice = found.get();
            assertEquals(Site.ALICE, alice.getDn().toString());
            for (String name : List.of("entryUUID", "entryCSN", "createTimestamp", "creatorsName", "entryDN", "memberOf")) {
                assertTrue(name, alice.containsAttribute(name));
            }
            assertTrue("binary, as the API's registry says", alice.get("jpegPhoto").get().getBytes().length > 100);
            assertFalse(found.next());
        }
    }

    @Test
    public void whoAmI() throws Exception {
        assertNotNull(LdapApiServiceFactory.getSingleton());
        WhoAmIResponse answer = (WhoAmIResponse) studio.extended(new WhoAmIRequestImpl());
        assertTrue(answer.isDnAuthzId());
        assertEquals("cn=Directory Manager", answer.getDn().toString());
    }
}
