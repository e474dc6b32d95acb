package org.alder.server.access;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.alder.partition.Partition;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.index.AttributeIndexer;
import org.alder.partition.index.IndexDefinition;
import org.alder.partition.index.IndexKind;
import org.alder.partition.memory.MemoryStore;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.store.Snapshot;
import org.alder.partition.tree.EntryView;
import org.alder.partition.update.UpdateOrigin;
import org.alder.partition.update.Updates;
import org.alder.server.TestServer;
import org.alder.server.auth.Identity;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** The worked examples of docs/access-rules.md, as they stand there, and what each of them says. */
public class AccessExamplesTest {
    private static final String SUFFIX = "dc=example,dc=com";
    private static final Map<String, Set<String>> GROUPS = Map.of("anna", Set.of("personnel"), "lars", Set.of("lawyers"),
            "hans", Set.of("helpdesk"), "sara", Set.of("sales admins"), "adam", Set.of("admins"));

    private Partition partition;
    private AccessPolicy policy;
    private Requester.Connection connection = connection("10.1.0.5", 0);

    private record Connection(InetAddress address, int strength, boolean isTls, String mechanism) implements Requester.Connection {
    }

    private static Connection connection(String address, int strength) {
        try {
            return new Connection(InetAddress.getByName(address), strength, strength > 0, "SIMPLE");
        } catch (IOException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static Dn person(String name) {
        return TestServer.dn("uid=" + name + ",ou=people," + SUFFIX);
    }

    @Before
    public void open() {
        List<IndexDefinition> indexes = List.of(new IndexDefinition(TestServer.SCHEMA.attributeType("member"), Set.of(IndexKind.EQUALITY), 100));
        partition = new Partition(TestServer.SCHEMA, TestServer.dn(SUFFIX), indexes,
                new MemoryStore(new AttributeIndexer(TestServer.SCHEMA, indexes)));
        add(SUFFIX, "objectClass: domain", "dc: example");
        for (String unit : List.of("people", "groups", "services", "legal", "sales")) {
            add("ou=" + unit + "," + SUFFIX, "objectClass: organizationalUnit", "ou: " + unit);
        }
        for (String name : List.of("anna", "lars", "hans", "sara", "adam", "paul", "left")) {
            add("uid=" + name + ",ou=people," + SUFFIX, "objectClass: inetOrgPerson", "uid: " + name, "cn: " + name, "sn: x",
                    "employeeType: " + (name.equals("left") ? "left" : "here"), "manager: uid=hans,ou=people," + SUFFIX);
        }
        add("uid=bob,ou=sales," + SUFFIX, "objectClass: inetOrgPerson", "uid: bob", "cn: bob", "sn: x");
        add("cn=case,ou=legal," + SUFFIX, "objectClass: device", "cn: case");
        for (String name : List.of("mailserver", "portal")) {
            add("cn=" + name + ",ou=services," + SUFFIX, "objectClass: device", "cn: " + name);
        }
        add("cn=admins,ou=groups," + SUFFIX, "objectClass: groupOfNames", "cn: admins", "member: uid=adam,ou=people," + SUFFIX);
        add("cn=choir,ou=groups," + SUFFIX, "objectClass: groupOfNames", "cn: choir", "businessCategory: open",
                "owner: uid=anna,ou=people," + SUFFIX, "member: uid=anna,ou=people," + SUFFIX);
        add("cn=board,ou=groups," + SUFFIX, "objectClass: groupOfNames", "cn: board", "member: uid=anna,ou=people," + SUFFIX);
    }

    @After
    public void close() {
        partition.close();
    }

    private void add(String dn, String... lines) {
        List<Attribute> attributes = Arrays.stream(lines).map(line -> new Attribute(line.substring(0, line.indexOf(':')),
                List.of(line.substring(line.indexOf(':') + 2).getBytes(StandardCharsets.UTF_8)))).toList();
        new Updates(partition).add(TestServer.dn(dn), attributes, new UpdateOrigin("cn=test", Instant.EPOCH)).join();
    }

    /** The rules of each example, by its name. */
    private static Map<String, List<String>> examples() throws IOException {
        Map<String, List<String>> examples = new LinkedHashMap<>();
        List<String> open = null;
        for (String line : Files.readAllLines(Path.of("../docs/access-rules.md"))) {
            if (line.startsWith("<!-- example ")) {
                open = examples.computeIfAbsent(line.split(" ")[2], none -> new ArrayList<>());
            } else if (line.startsWith("accessRule: ") && open != null) {
                open.add(line.substring("accessRule: ".length()));
            } else if (line.startsWith("#")) {
                open = null;
            }
        }
        return examples;
    }

    private void use(String name) throws IOException {
        policy = new AccessPolicy(TestServer.SCHEMA, List.of(TestServer.dn(SUFFIX)),
                HiddenEntriesTest.rules(examples().get(name).toArray(String[]::new)), AccessExamplesTest::groups);
    }

    private static Set<Dn> groups(Dn member) {
        Set<Dn> groups = new HashSet<>();
        GROUPS.forEach((name, in) -> in.forEach(group -> {
            if (person(name).equals(member)) {
                groups.add(TestServer.dn("cn=" + group + ",ou=groups," + SUFFIX));
            }
        }));
        return groups;
    }

    private EntryRights rights(Dn who, String dn) {
        Dn target = TestServer.dn(dn.isEmpty() ? SUFFIX : dn + "," + SUFFIX);
        IdentityAccess access = policy.of(new Requester(who == null ? Identity.ANONYMOUS : new Identity(who, false), connection));
        EntryRights byName = access.byName(target);
        try (Snapshot snapshot = partition.snapshot()) {
            EntryView entry = partition.read(snapshot, target);
            EntryRights rights = access.rights(partition.candidate(snapshot, entry));
            assertTrue("what the name says is what the entry says", byName == null || byName == rights);
            return rights;
        }
    }

    private static AttributeType type(String name) {
        return TestServer.SCHEMA.attributeType(name);
    }

    private void may(Dn who, Right right, String attributes, String dn) {
        for (String attribute : attributes.split(",")) {
            assertTrue(who + " " + right.word() + " " + attribute + " " + dn, attribute.isEmpty() ? rights(who, dn).may(right)
                    : rights(who, dn).may(right, type(attribute)));
        }
    }

    private void mayNot(Dn who, Right right, String attributes, String dn) {
        for (String attribute : attributes.split(",")) {
            assertEquals(who + " " + right.word() + " " + attribute + " " + dn, false, attribute.isEmpty() ? rights(who, dn).may(right)
                    : rights(who, dn).may(right, type(attribute)));
        }
    }

    @Test
    public void thePageHasTenExamples() throws IOException {
        assertTrue(examples().keySet().containsAll(new TreeSet<>(List.of("anonymous-phone-book", "self-service", "personal-data",
                "service-account", "hidden-subtree", "group-owners", "help-desk", "delegation", "where-from", "values"))));
        List<String> standard = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of("../docs/access-rules.md"))) {
            if (line.startsWith("accessRule: ")) {
                standard.add(line.substring("accessRule: ".length()));
            }
        }
        assertTrue("the rules that default stands for", standard.containsAll(AccessRules.standard(false)));
    }

    @Test
    public void anonymousPhoneBook() throws IOException {
        use("anonymous-phone-book");
        may(null, Right.READ, "cn,sn,telephoneNumber", "uid=paul,ou=people");
        mayNot(null, Right.READ, "mail,uid,userPassword", "uid=paul,ou=people");
        assertEquals(false, rights(null, "cn=choir,ou=groups").mayFind());
        may(person("anna"), Right.READ, "mail,uid", "uid=paul,ou=people");
    }

    @Test
    public void selfService() throws IOException {
        use("self-service");
        may(person("paul"), Right.WRITE, "telephoneNumber,jpegPhoto,userPassword", "uid=paul,ou=people");
        mayNot(person("paul"), Right.WRITE, "sn", "uid=paul,ou=people");
        mayNot(person("anna"), Right.WRITE, "telephoneNumber", "uid=paul,ou=people");
    }

    @Test
    public void personalData() throws IOException {
        use("personal-data");
        for (String who : List.of("paul", "hans", "anna")) {
            may(person(who), Right.READ, "homePhone,sn", "uid=paul,ou=people");
        }
        mayNot(person("lars"), Right.READ, "homePhone", "uid=paul,ou=people");
        mayNot(person("lars"), Right.SEARCH, "homePhone", "uid=paul,ou=people");
        may(person("lars"), Right.READ, "sn", "uid=paul,ou=people");
    }

    @Test
    public void serviceAccount() throws IOException {
        use("service-account");
        Dn mail = TestServer.dn("cn=mailserver,ou=services," + SUFFIX);
        may(mail, Right.READ, "uid,mail", "uid=paul,ou=people");
        mayNot(mail, Right.READ, "sn,telephoneNumber", "uid=paul,ou=people");
        assertEquals(false, rights(mail, "cn=choir,ou=groups").mayFind());
        may(mail, Right.AUTHENTICATE, "", "cn=mailserver,ou=services");
        may(person("paul"), Right.READ, "sn", "uid=anna,ou=people");
    }

    @Test
    public void hiddenSubtree() throws IOException {
        use("hidden-subtree");
        assertTrue(rights(person("lars"), "cn=case,ou=legal").mayFind());
        assertEquals(false, rights(person("paul"), "cn=case,ou=legal").mayFind());
        assertEquals(false, rights(person("paul"), "ou=legal").mayFind());
        assertTrue(rights(person("paul"), "ou=sales").mayFind());
    }

    @Test
    public void groupOwners() throws IOException {
        use("group-owners");
        may(person("anna"), Right.WRITE, "member", "cn=choir,ou=groups");
        mayNot(person("anna"), Right.WRITE, "member", "cn=board,ou=groups");
        mayNot(person("anna"), Right.WRITE, "owner", "cn=choir,ou=groups");
        may(person("paul"), Right.SELF_WRITE, "member", "cn=choir,ou=groups");
        mayNot(person("paul"), Right.WRITE, "member", "cn=choir,ou=groups");
        mayNot(person("paul"), Right.SELF_WRITE, "member", "cn=board,ou=groups");
    }

    @Test
    public void helpDesk() throws IOException {
        use("help-desk");
        mayNot(person("hans"), Right.WRITE, "userPassword", "uid=paul,ou=people");
        connection = connection("192.0.2.1", 128);
        may(person("hans"), Right.WRITE, "userPassword", "uid=paul,ou=people");
        mayNot(person("hans"), Right.READ, "userPassword", "uid=paul,ou=people");
        mayNot(person("hans"), Right.WRITE, "userPassword", "uid=adam,ou=people");
        may(person("adam"), Right.WRITE, "userPassword", "uid=adam,ou=people");
        mayNot(person("paul"), Right.WRITE, "userPassword", "uid=anna,ou=people");
    }

    @Test
    public void delegation() throws IOException {
        use("delegation");
        may(person("sara"), Right.DELETE, "", "uid=bob,ou=sales");
        may(person("sara"), Right.RENAME_OUT, "", "uid=bob,ou=sales");
        may(person("sara"), Right.ADD, "cn,sn,userPassword", "uid=bob,ou=sales");
        may(person("sara"), Right.WRITE, "userPassword", "uid=bob,ou=sales");
        mayNot(person("sara"), Right.DELETE, "", "ou=sales");
        mayNot(person("sara"), Right.DELETE, "", "uid=paul,ou=people");
        mayNot(person("paul"), Right.DELETE, "", "uid=bob,ou=sales");
    }

    @Test
    public void whereFrom() throws IOException {
        use("where-from");
        Dn portal = TestServer.dn("cn=portal,ou=services," + SUFFIX);
        may(portal, Right.AUTHENTICATE, "", "cn=portal,ou=services");
        mayNot(person("adam"), Right.AUTHENTICATE, "", "uid=adam,ou=people");
        connection = connection("192.0.2.1", 256);
        mayNot(portal, Right.AUTHENTICATE, "", "cn=portal,ou=services");
        may(person("adam"), Right.AUTHENTICATE, "", "uid=adam,ou=people");
        may(person("paul"), Right.AUTHENTICATE, "", "uid=paul,ou=people");
    }

    @Test
    public void values() throws IOException {
        use("values");
        assertEquals(false, rights(person("paul"), "uid=left,ou=people").mayFind());
        EntryRights rights = rights(person("paul"), "uid=anna,ou=people");
        assertTrue(rights.may(Right.READ, type("objectClass"), "person".getBytes(StandardCharsets.UTF_8)));
        assertEquals(false, rights.may(Right.READ, type("objectClass"), "top".getBytes(StandardCharsets.UTF_8)));
        Dn portal = TestServer.dn("cn=portal,ou=services," + SUFFIX);
        mayNot(portal, Right.PROXY, "", "uid=paul,ou=people");
        connection = connection("192.0.2.1", 128);
        may(portal, Right.PROXY, "", "uid=paul,ou=people");
        mayNot(portal, Right.PROXY, "", "cn=mailserver,ou=services");
        mayNot(person("paul"), Right.PROXY, "", "uid=anna,ou=people");
    }
}
