package org.alder.server.clients;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.LDAPConnection;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.naming.AuthenticationException;
import javax.naming.Context;
import javax.naming.ContextNotEmptyException;
import javax.naming.NameAlreadyBoundException;
import javax.naming.NameClassPair;
import javax.naming.NameNotFoundException;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;
import javax.naming.OperationNotSupportedException;
import javax.naming.Reference;
import javax.naming.ReferralException;
import javax.naming.SizeLimitExceededException;
import javax.naming.StringRefAddr;
import javax.naming.directory.Attribute;
import javax.naming.directory.Attributes;
import javax.naming.directory.BasicAttribute;
import javax.naming.directory.BasicAttributes;
import javax.naming.directory.DirContext;
import javax.naming.directory.InvalidAttributeValueException;
import javax.naming.directory.ModificationItem;
import javax.naming.directory.NoSuchAttributeException;
import javax.naming.directory.SchemaViolationException;
import javax.naming.directory.SearchControls;
import javax.naming.directory.SearchResult;
import javax.naming.event.EventContext;
import javax.naming.event.EventDirContext;
import javax.naming.event.NamespaceChangeListener;
import javax.naming.event.NamingEvent;
import javax.naming.event.NamingExceptionEvent;
import javax.naming.event.ObjectChangeListener;
import javax.naming.ldap.Control;
import javax.naming.ldap.InitialLdapContext;
import javax.naming.ldap.LdapContext;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.PagedResultsControl;
import javax.naming.ldap.PagedResultsResponseControl;
import javax.naming.ldap.SortControl;
import org.alder.partition.testing.Await;
import org.junit.After;
import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;

/** JNDI, with what it sends by itself: ManageDsaIT, aliases dereferenced always. */
public class JndiTest {
    private static final int MOST_ATTEMPTS = 600;
    private static final String WORK = "ou=jndi," + Site.SUFFIX;

    @ClassRule
    public static final Site SITE = new Site();

    private LdapContext context;

    @BeforeClass
    public static void fill() throws Exception {
        try (LDAPConnection admin = SITE.admin()) {
            admin.add("dn: " + WORK, "objectClass: organizationalUnit", "ou: jndi");
            admin.add("dn: ou=aliases," + Site.SUFFIX, "objectClass: organizationalUnit", "ou: aliases");
            admin.add("dn: uid=ali,ou=aliases," + Site.SUFFIX, "objectClass: alias", "objectClass: extensibleObject", "uid: ali",
                    "aliasedObjectName: " + Site.ALICE);
            admin.add("dn: ou=elsewhere," + Site.SUFFIX, "objectClass: referral", "objectClass: extensibleObject",
                    "ou: elsewhere", "ref: ldap://127.0.0.1:1/ou=elsewhere,dc=other");
        }
    }

    @Before
    public void connect() throws Exception {
        context = new InitialLdapContext(environment("cn=Directory Manager", SITE.adminPassword()), null);
    }

    @After
    public void disconnect() throws NamingException {
        context.close();
    }

    private static Hashtable<String, String> environment(String dn, String password) {
        Hashtable<String, String> environment = new Hashtable<>();
        environment.put(Context.INITIAL_CONTEXT_FACTORY, "com.sun.jndi.ldap.LdapCtxFactory");
        environment.put(Context.PROVIDER_URL, SITE.url());
        environment.put(Context.SECURITY_PRINCIPAL, dn);
        environment.put(Context.SECURITY_CREDENTIALS, password);
        environment.put("com.sun.jndi.ldap.read.timeout", Await.SECONDS + "000");
        environment.put("java.naming.ldap.attributes.binary", "jpegPhoto");
        return environment;
    }

    private static SearchControls subtree(String... attributes) {
        SearchControls controls = new SearchControls();
        controls.setSearchScope(SearchControls.SUBTREE_SCOPE);
        controls.setReturningAttributes(attributes);
        return controls;
    }

    private static List<String> names(NamingEnumeration<? extends NameClassPair> found) throws NamingException {
        List<String> names = new ArrayList<>();
        while (found.hasMore()) {
            names.add(found.next().getNameInNamespace());
        }
        return names;
    }

    private static Attributes attributes(String... lines) {
        BasicAttributes attributes = new BasicAttributes(true);
        for (String line : lines) {
            String[] parts = line.split(": ", 2);
            Attribute attribute = attributes.get(parts[0]);
            if (attribute == null) {
                attribute = new BasicAttribute(parts[0]);
                attributes.put(attribute);
            }
            attribute.add(parts[1]);
        }
        return attributes;
    }

    @Test
    public void theRecipeLogsIn() throws Exception {
        login(SITE.recipe("jndi"), SITE.newFolder()).letsAliceInByHerPasswordAlone();
    }

    /** With the key store that the page has made, and the pool that it speaks of. */
    static LoginProgram login(Recipe recipe, Path folder) throws Exception {
        String programs = Path.of(System.getProperty("java.home"), "bin") + File.pathSeparator + System.getenv("PATH");
        recipe.write("trust.sh", folder);
        Program.run(List.of("sh", "-e", "trust.sh"), Map.of("PATH", programs), "", folder).succeeds();
        return LoginProgram.java(recipe.write("Login.java", folder), "-Djavax.net.ssl.trustStore=alder.p12",
                "-Djavax.net.ssl.trustStorePassword=changeit", "-Dcom.sun.jndi.ldap.connect.pool.protocol=plain ssl");
    }

    @Test
    public void aServerThatIsNotKnownIsRefused() throws Exception {
        login(SITE.recipe("jndi").with(Site.AUTHORITY, SITE.stranger()), SITE.newFolder()).run("alice", Site.ALICE_PASSWORD)
                .failsWith("SSLHandshakeException");
    }

    @Test
    public void rootDseAndCapabilities() throws NamingException {
        Attributes root = context.getAttributes("", new String[] {"supportedControl", "supportedExtension", "supportedFeatures",
            "namingContexts", "subschemaSubentry"});
        assertTrue(root.get("supportedControl").contains(PagedResultsControl.OID));
        assertEquals(Site.SUFFIX, root.get("namingContexts").get());
        assertEquals("cn=schema", root.get("subschemaSubentry").get());
    }

    @Test
    public void searchesFollowAliasesUnasked() throws NamingException {
        assertEquals(List.of(Site.ALICE), names(context.search("ou=aliases," + Site.SUFFIX, "(uid=alice)", subtree("uid"))));
        SearchControls base = subtree("mail");
        base.setSearchScope(SearchControls.OBJECT_SCOPE);
        NamingEnumeration<SearchResult> found = context.search("uid=ali,ou=aliases," + Site.SUFFIX, "(objectClass=*)", base);
        assertEquals("alice@example.com", found.next().getAttributes().get("mail").get());
        context.addToEnvironment("java.naming.ldap.derefAliases", "never");
        assertEquals(List.of("uid=ali,ou=aliases," + Site.SUFFIX),
                names(context.search("ou=aliases," + Site.SUFFIX, "(uid=*)", subtree("uid"))));
    }

    /** Unless told what to do about referrals, JNDI asks with ManageDsaIT that they be entries. */
    @Test
    public void referrals() throws NamingException {
        assertEquals(List.of("ou=elsewhere," + Site.SUFFIX),
                names(context.search(Site.SUFFIX, "(ou=elsewhere)", subtree("ref"))));
        context.addToEnvironment(Context.REFERRAL, "throw");
        NamingEnumeration<SearchResult> found = context.search(Site.SUFFIX, "(ou=people)", subtree("ou"));
        assertEquals(Site.PEOPLE, found.next().getNameInNamespace());
        ReferralException referral = assertThrows(ReferralException.class, found::hasMore);
        assertEquals("ldap://127.0.0.1:1/ou=elsewhere,dc=other??sub", referral.getReferralInfo());
        assertThrows(ReferralException.class, () -> context.getAttributes("cn=x,ou=elsewhere," + Site.SUFFIX));
        context.addToEnvironment(Context.REFERRAL, "follow");
        assertThrows("nobody listens on port 1", NamingException.class,
                () -> context.getAttributes("cn=x,ou=elsewhere," + Site.SUFFIX));
    }

    @Test
    public void pagesAndTheControlThatStaysOnTheContext() throws Exception {
        for (int i = 0; i < 25; i++) {
            context.createSubcontext("cn=page " + i + "," + WORK, attributes("objectClass: device", "cn: page " + i));
        }
        Set<String> seen = new HashSet<>();
        byte[] cookie = null;
        int pages = 0;
        do {
            context.setRequestControls(new Control[] {new PagedResultsControl(10, cookie, Control.CRITICAL)});
            seen.addAll(names(context.search(WORK, "(objectClass=device)", subtree("cn"))));
            cookie = ((PagedResultsResponseControl) context.getResponseControls()[0]).getCookie();
            pages++;
        } while (cookie != null && cookie.length > 0);
        assertEquals(25, seen.size());
        assertEquals(3, pages);
        context.setRequestControls(new Control[] {new PagedResultsControl(10, Control.NONCRITICAL)});
        for (String dn : seen) {
            context.destroySubcontext(dn);
        }
    }

    /** Tells the kind of each event and the name it is about. */
    private static final class Listener implements NamespaceChangeListener, ObjectChangeListener {
        private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

        @Override
        public void objectAdded(NamingEvent event) {
            events.add("added " + event.getNewBinding().getName());
        }

        @Override
        public void objectRemoved(NamingEvent event) {
            events.add("removed " + event.getOldBinding().getName());
        }

        @Override
        public void objectRenamed(NamingEvent event) {
            events.add("renamed " + event.getNewBinding().getName());
        }

        @Override
        public void objectChanged(NamingEvent event) {
            events.add("changed " + event.getNewBinding().getName());
        }

        @Override
        public void namingExceptionThrown(NamingExceptionEvent event) {
            events.add("failed " + event.getException());
        }

        /** The next one that is not about the first entry, of which any number may come. */
        String next() throws InterruptedException {
            String event = Await.next("an event", events);
            while (event.endsWith("cn=first")) {
                event = Await.next("an event about another entry", events);
            }
            return event;
        }
    }

    /** Listeners are told by a persistent search, which another thread has still to begin when they are there. */
    @Test
    public void events() throws Exception {
        Listener listener = new Listener();
        EventDirContext events = (EventDirContext) context.lookup(WORK);
        events.addNamingListener("", EventContext.SUBTREE_SCOPE, listener);
        for (int attempt = 0; attempt < MOST_ATTEMPTS && listener.events.isEmpty(); attempt++) {
            context.createSubcontext("cn=first," + WORK, attributes("objectClass: device", "cn: first"));
            context.destroySubcontext("cn=first," + WORK);
            String event = listener.events.poll(100, TimeUnit.MILLISECONDS);
            if (event != null) {
                listener.events.add(event);
            }
        }
        String dn = "cn=told," + WORK;
        context.createSubcontext(dn, attributes("objectClass: device", "cn: told"));
        assertEquals("added cn=told", listener.next());
        context.modifyAttributes(dn, DirContext.ADD_ATTRIBUTE, attributes("description: one"));
        assertEquals("changed cn=told", listener.next());
        context.rename(dn, "cn=renamed," + WORK);
        assertEquals("renamed cn=renamed", listener.next());
        context.destroySubcontext("cn=renamed," + WORK);
        assertEquals("removed cn=renamed", listener.next());
        events.removeNamingListener(listener);
        events.close();
    }

    @Test
    public void sorted() throws Exception {
        context.setRequestControls(new Control[] {new SortControl("uidNumber", Control.CRITICAL)});
        assertEquals(List.of("alice", "bob", "carol"), names(context.search(Site.PEOPLE, "(uid=*)", subtree("uid"))).stream()
                .map(name -> name.substring(4, name.indexOf(','))).toList());
    }

    @Test
    public void schemaContexts() throws NamingException {
        DirContext schema = context.getSchema("");
        Attributes person = schema.getAttributes("ClassDefinition/inetOrgPerson");
        assertTrue(person.get("MAY").contains("jpegPhoto"));
        assertEquals("organizationalPerson", person.get("SUP").get());
        assertTrue(schema.getAttributes("AttributeDefinition/cn").get("NAME").contains("commonName"));
        assertNotNull(schema.getAttributes("SyntaxDefinition/1.3.6.1.4.1.1466.115.121.1.15"));
        assertNotNull(schema.getAttributes("MatchingRule/caseIgnoreMatch"));
        for (String folder : List.of("ClassDefinition", "AttributeDefinition", "SyntaxDefinition", "MatchingRule")) {
            NamingEnumeration<NameClassPair> list = schema.list(folder);
            int count = 0;
            for (; list.hasMore(); count++) {
                assertFalse(list.next().getName().isEmpty());
            }
            assertTrue(folder + " has " + count, count > 20);
        }
        DirContext mail = context.getAttributes(Site.ALICE, new String[] {"mail"}).get("mail").getAttributeDefinition();
        assertEquals("caseIgnoreIA5Match", mail.getAttributes("").get("EQUALITY").get());
    }

    @Test
    public void everySuperclassAndSupertypeInTheSchemaContextsCanBeFound() throws NamingException {
        DirContext schema = context.getSchema("");
        for (String folder : List.of("ClassDefinition", "AttributeDefinition")) {
            NamingEnumeration<NameClassPair> list = schema.list(folder);
            while (list.hasMore()) {
                Attribute superior = schema.getAttributes(folder + "/" + list.next().getName()).get("SUP");
                for (int i = 0; superior != null && i < superior.size(); i++) {
                    assertNotNull(schema.getAttributes(folder + "/" + superior.get(i)));
                }
            }
        }
    }

    @Test
    public void updates() throws NamingException {
        LdapName dn = new LdapName("cn=a \\\"quoted\\\" \\, name," + WORK);
        context.createSubcontext(dn, attributes("objectClass: device", "cn: a \"quoted\" , name", "serialNumber: 1"));
        assertThrows(NameAlreadyBoundException.class,
                () -> context.createSubcontext(dn, attributes("objectClass: device", "cn: x")));
        context.modifyAttributes(dn, new ModificationItem[] {
            new ModificationItem(DirContext.ADD_ATTRIBUTE, new BasicAttribute("description", "one")),
            new ModificationItem(DirContext.REPLACE_ATTRIBUTE, new BasicAttribute("serialNumber", "2")),
        });
        assertEquals("2", context.getAttributes(dn).get("serialNumber").get());
        assertThrows(NoSuchAttributeException.class,
                () -> context.modifyAttributes(dn, DirContext.REMOVE_ATTRIBUTE, attributes("description: two")));
        assertThrows(SchemaViolationException.class,
                () -> context.modifyAttributes(dn, DirContext.ADD_ATTRIBUTE, attributes("mail: x@example.com")));
        assertThrows(InvalidAttributeValueException.class,
                () -> context.modifyAttributes(dn, DirContext.ADD_ATTRIBUTE, attributes("owner: no DN")));
        context.rename(dn, new LdapName("cn=renamed," + WORK));
        assertThrows(NameNotFoundException.class, () -> context.getAttributes(dn));
        context.createSubcontext("ou=inner," + WORK, attributes("objectClass: organizationalUnit", "ou: inner"));
        context.rename("cn=renamed," + WORK, "cn=moved,ou=inner," + WORK);
        assertThrows(ContextNotEmptyException.class, () -> context.destroySubcontext("ou=inner," + WORK));
        context.destroySubcontext("cn=moved,ou=inner," + WORK);
        context.destroySubcontext("ou=inner," + WORK);
    }

    @Test
    public void listsAndNames() throws NamingException {
        assertEquals(Set.of("uid=alice", "uid=bob", "uid=carol"), relative(context.list(Site.PEOPLE)));
        assertEquals(Set.of("uid=alice", "uid=bob", "uid=carol"), relative(context.listBindings(Site.PEOPLE)));
        assertEquals(Site.PEOPLE, ((Context) context.lookup(Site.PEOPLE)).getNameInNamespace());
        assertEquals("Carol O'Neil, Jr.", context.getAttributes("uid=carol," + Site.PEOPLE, new String[] {"cn"}).get("cn").get());
    }

    private static Set<String> relative(NamingEnumeration<? extends NameClassPair> list) throws NamingException {
        Set<String> names = new TreeSet<>();
        while (list.hasMore()) {
            names.add(list.next().getName());
        }
        return names;
    }

    @Test
    public void binaryValues() throws NamingException {
        Attributes alice = context.getAttributes(Site.ALICE, new String[] {"userCertificate;binary", "jpegPhoto"});
        byte[] photo = (byte[]) alice.get("jpegPhoto").get();
        assertEquals((byte) 0xFF, photo[0]);
        byte[] certificate = (byte[]) alice.get("userCertificate;binary").get();
        assertEquals(0x30, certificate[0]);
        NamingEnumeration<SearchResult> found = context.search(Site.PEOPLE, "(&(jpegPhoto=*)(userCertificate;binary=*))",
                subtree("jpegPhoto"));
        assertArrayEquals(photo, (byte[]) found.next().getAttributes().get("jpegPhoto").get());
    }

    /** What Keycloak sends to find what has changed, and to find a user again by its id. */
    @Test
    public void changedSinceAndById() throws NamingException {
        String uuid = (String) context.getAttributes(Site.ALICE, new String[] {"entryUUID"}).get("entryUUID").get();
        assertEquals(List.of(Site.ALICE),
                names(context.search(Site.PEOPLE, "(&(objectClass=*)(entryUUID=" + uuid + "))", subtree("*", "+"))));
        String filter = "(&(|(createTimestamp>=%1$s)(modifyTimestamp>=%1$s))(objectClass=inetOrgPerson))";
        assertEquals(3, names(context.search(Site.PEOPLE, String.format(Locale.ROOT,
                filter, "20000101000000.0Z"), subtree("uid"))).size());
        assertEquals(0, names(context.search(Site.PEOPLE, String.format(Locale.ROOT,
                filter, "20990101000000.000Z"), subtree("uid"))).size());
    }

    @Test
    public void limits() throws NamingException {
        SearchControls controls = subtree("uid");
        controls.setCountLimit(2);
        NamingEnumeration<SearchResult> found = context.search(Site.PEOPLE, "(uid=*)", controls);
        found.next();
        found.next();
        assertThrows(SizeLimitExceededException.class, found::hasMore);
    }

    @Test
    public void binds() throws Exception {
        assertThrows(AuthenticationException.class, () -> new InitialLdapContext(environment(Site.ALICE, "wrong"), null));
        assertThrows(AuthenticationException.class,
                () -> new InitialLdapContext(environment("uid=nobody," + Site.PEOPLE, "wrong"), null));
        Hashtable<String, String> pooled = environment(Site.READER, Site.READER_PASSWORD);
        pooled.put("com.sun.jndi.ldap.connect.pool", "true");
        for (int i = 0; i < 3; i++) {
            LdapContext reader = new InitialLdapContext(pooled, null);
            assertEquals("alice", reader.getAttributes(Site.ALICE).get("uid").get());
            reader.close();
        }
        context.addToEnvironment(Context.SECURITY_PRINCIPAL, Site.ALICE);
        context.addToEnvironment(Context.SECURITY_CREDENTIALS, Site.ALICE_PASSWORD);
        context.reconnect(null);
        assertEquals("alice", context.getAttributes(Site.ALICE).get("uid").get());
        assertThrows(NamingException.class, () -> context.destroySubcontext(Site.ALICE));
    }

    /** A name and an empty password is what a login form sends when nothing was typed in: nobody must be let in by it. */
    @Test
    public void emptyPasswords() {
        Hashtable<String, String> environment = environment(Site.ALICE, "");
        environment.put(Context.SECURITY_AUTHENTICATION, "simple");
        assertThrows(OperationNotSupportedException.class, () -> new InitialLdapContext(environment, null));
    }

    @Test
    public void compare() throws NamingException {
        SearchControls compare = new SearchControls();
        compare.setSearchScope(SearchControls.OBJECT_SCOPE);
        compare.setReturningAttributes(new String[0]);
        String group = "cn=administrators," + Site.GROUPS;
        assertTrue(context.search(group, "(member={0})", new Object[] {Site.ALICE}, compare).hasMore());
        assertFalse(context.search(group, "(member={0})", new Object[] {"uid=bob," + Site.PEOPLE}, compare).hasMore());
    }

    /** RFC 2713: objects in the directory, serialized and as references. */
    @Test
    public void javaObjects() throws NamingException {
        String dn = "cn=object," + WORK;
        context.bind(dn, "a string");
        context.rebind(dn, new ArrayList<>(List.of("one", "two")));
        Attributes stored = context.getAttributes(dn, new String[] {"javaSerializedData", "javaClassName", "objectClass"});
        assertTrue(stored.get("javaSerializedData").get() instanceof byte[]);
        assertEquals("java.util.ArrayList", stored.get("javaClassName").get());
        assertTrue("a superclass", stored.get("objectClass").contains("javaObject"));
        assertEquals(List.of(dn), names(context.search(WORK, "(objectClass=javaContainer)", subtree("cn"))));
        context.unbind(dn);
        assertThrows(NameNotFoundException.class, () -> context.getAttributes(dn));
        context.bind("cn=reference," + WORK, new Reference("java.lang.String", new StringRefAddr("url", "ldap://x")));
        assertEquals("java.lang.String",
                context.getAttributes("cn=reference," + WORK).get("javaClassName").get());
        context.unbind("cn=reference," + WORK);
    }
}
