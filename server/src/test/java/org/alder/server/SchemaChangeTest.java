package org.alder.server;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ModifyRequest;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.controls.AssertionRequestControl;
import com.unboundid.ldap.sdk.controls.PostReadRequestControl;
import com.unboundid.ldap.sdk.controls.PostReadResponseControl;
import com.unboundid.ldap.sdk.experimental.DraftZeilengaLDAPNoOp12RequestControl;
import com.unboundid.ldif.LDIFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.alder.partition.Partition;
import org.alder.partition.check.Checker;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.file.FileReplacement;
import org.alder.partition.index.AttributeIndexer;
import org.alder.partition.index.IndexDefinition;
import org.alder.partition.index.IndexKind;
import org.alder.partition.jdbm.disk.AtomicFile;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.jdbm.store.JdbmStore;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.Snapshot;
import org.alder.partition.testing.Await;
import org.alder.partition.testing.Requirement;
import org.alder.partition.update.UpdateOrigin;
import org.alder.partition.update.Updates;
import org.alder.server.auth.Administrator;
import org.alder.server.directory.own.OnlineSchema;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The schema of a running server, changed over LDAP, with a store on disk that is opened again. */
public class SchemaChangeTest {
    private static final String SUFFIX = "dc=example,dc=com";
    private static final String ADMIN = "cn=Directory Manager";
    /** Any one of them may meet no add at work, but not all. */
    private static final int MOST_CHANGES = 20_000;
    private static final String BOX_NAME = "( 1.2.3.1 NAME 'boxName' EQUALITY caseIgnoreMatch SUBSTR caseIgnoreSubstringsMatch"
            + " SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 )";
    private static final String BOX = "( 1.2.3.2 NAME 'box' SUP top STRUCTURAL MUST boxName MAY description )";

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();
    private Schema schema;
    private Partition partition;
    private LoggedFaults faults;
    private AlderServer server;
    private LDAPConnection admin;
    private FileReplacement replacement = AtomicFile.onDisk();

    @Before
    public void start() throws IOException, DirectoryException, LDAPException, LDIFException {
        faults = new LoggedFaults();
        Path online = folder.getRoot().toPath().resolve("schema.ldif");
        schema = Schema.load(schemaFiles(), online);
        List<IndexDefinition> indexes = new ArrayList<>();
        for (String name : List.of("objectClass", "cn", "name", "member", "uidNumber", "pwdAttribute")) {
            indexes.add(new IndexDefinition(schema.attributeType(name), Set.of(IndexKind.EQUALITY), 1000));
        }
        indexes.add(new IndexDefinition(schema.attributeType("memberURL"), Set.of(IndexKind.PRESENCE), 1000));
        Path data = folder.getRoot().toPath().resolve("data");
        partition = new Partition(schema, Dn.parse(schema, SUFFIX), indexes,
                JdbmStore.open(data, StoreSettings.defaults(), new AttributeIndexer(schema, indexes)));
        Administrator administrator = new Administrator(Dn.parse(schema, ADMIN), "secret".getBytes(StandardCharsets.UTF_8));
        server = AlderServer.start(ServerSettings.of("127.0.0.1", 0, schema, List.of(partition), administrator)
                .with(draft -> draft.onlineSchema = new OnlineSchema(online, replacement)));
        admin = new LDAPConnection("127.0.0.1", server.port(), ADMIN, "secret");
        if (admin.getEntry(SUFFIX) == null) {
            admin.add("dn: " + SUFFIX, "objectClass: domain", "dc: example");
        }
    }

    private static List<Path> schemaFiles() {
        try (Stream<Path> files = Files.list(Path.of("../conf/schema"))) {
            return files.sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @After
    public void stop() {
        admin.close();
        server.close();
        try (Snapshot snapshot = partition.snapshot()) {
            assertEquals(List.of(), new Checker(schema, partition.suffix(), partition.indexer())
                    .check(snapshot, (phase, done, total) -> { }).problems());
        } finally {
            partition.close();
        }
        faults.close();
    }

    private void restart() throws IOException, DirectoryException, LDAPException, LDIFException {
        stop();
        start();
    }

    private static Modification change(ModificationType type, String attribute, String... values) {
        return new Modification(type, attribute, values);
    }

    private void add(String attribute, String... values) throws LDAPException {
        admin.modify("cn=schema", change(ModificationType.ADD, attribute, values));
    }

    private void delete(String attribute, String... values) throws LDAPException {
        admin.modify("cn=schema", change(ModificationType.DELETE, attribute, values));
    }

    private interface Change {
        void make() throws LDAPException, LDIFException;
    }

    private static String refused(ResultCode code, String part, Change change) {
        LDAPException e = assertThrows(LDAPException.class, change::make);
        assertEquals(e.getMessage(), code, e.getResultCode());
        assertTrue("expected " + part + " in " + e.getMessage(), e.getMessage().contains(part));
        return e.getMessage();
    }

    private List<String> published(String attribute) throws LDAPException {
        String[] values = admin.getEntry("cn=schema", attribute).getAttributeValues(attribute);
        return values == null ? List.of() : List.of(values);
    }

    @Test
    @Requirement(rfc = 4512, section = "4.2", text = "The subschema can be changed over LDAP")
    public void definitionsAreAddedUsedAndStayOverRestarts() throws Exception {
        String before = published("modifyTimestamp").get(0);
        admin.modify("cn=Subschema", List.of(change(ModificationType.ADD, "objectClasses", BOX),
                change(ModificationType.ADD, "attributeTypes", BOX_NAME)));
        assertTrue(published("attributeTypes").contains(BOX_NAME) && published("objectClasses").contains(BOX));
        String after = published("modifyTimestamp").get(0);
        assertTrue(before + " " + after, before.compareTo(after) < 0);
        assertNotNull(admin.getSchema().getObjectClass("box"));
        admin.add("dn: boxName=One,dc=example,dc=com", "objectClass: box", "boxName: One");
        restart();
        assertTrue(published("attributeTypes").contains(BOX_NAME));
        assertEquals(1, admin.search(SUFFIX, SearchScope.SUB, "(&(objectClass=box)(boxName=ONE))").getEntryCount());
        add("attributeTypes", "( 1.2.3.7 NAME 'boxSize' SUP uidNumber )");
        assertEquals(2, Files.readAllLines(folder.getRoot().toPath().resolve("schema.ldif")).stream()
                .filter(line -> line.startsWith("attributeTypes: ")).count());
    }

    @Test
    public void aDefinitionOfSeveralLinesStays() throws Exception {
        add("attributeTypes", "( 1.2.3.8 NAME 'boxText'\n DESC 'a\r\nb: c'\n SUP name )");
        restart();
        add("objectClasses", "( 1.2.3.9 NAME 'texts' SUP top AUXILIARY MAY boxText )");
        restart();
        assertEquals(1, published("attributeTypes").stream()
                .filter(text -> text.contains("NAME 'boxText'") && text.contains("DESC 'a\r\nb: c'")).count());
    }

    @Test
    public void aFileThatCannotBeWrittenLeavesTheSchemaAsItWas() throws Exception {
        add("attributeTypes", BOX_NAME);
        Path file = folder.getRoot().toPath().resolve("schema.ldif");
        byte[] before = Files.readAllBytes(file);
        for (boolean late : List.of(false, true)) {
            AtomicBoolean failed = new AtomicBoolean();
            stop();
            replacement = (path, content) -> {
                boolean fails = failed.compareAndSet(false, true);
                if (late || !fails) {
                    AtomicFile.onDisk().replace(path, content);
                }
                if (fails) {
                    throw new IOException("injected fault");
                }
            };
            start();
            refused(ResultCode.OTHER, "reference", () -> add("objectClasses", BOX));
            assertTrue(failed.get());
            assertEquals("the fault is the server's", 1, faults.take().size());
            assertArrayEquals(before, Files.readAllBytes(file));
            assertFalse(published("objectClasses").contains(BOX));
            refused(ResultCode.OBJECT_CLASS_VIOLATION, "box",
                    () -> admin.add("dn: boxName=One,dc=example,dc=com", "objectClass: box", "boxName: One"));
        }
        add("objectClasses", BOX);
        admin.add("dn: boxName=One,dc=example,dc=com", "objectClass: box", "boxName: One");
        restart();
        assertTrue(published("objectClasses").contains(BOX));
    }

    @Test
    public void aNewSubtypeIsInTheIndexOfItsSupertype() throws Exception {
        add("attributeTypes", "( 1.2.3.1 NAME 'boxName' SUP name )");
        add("objectClasses", BOX);
        admin.add("dn: boxName=One,dc=example,dc=com", "objectClass: box", "boxName: One", "boxName;x-old: Uno");
        assertEquals(1, admin.search(SUFFIX, SearchScope.SUB, "(name=one)", "name").getEntryCount());
        assertEquals(1, admin.search(SUFFIX, SearchScope.SUB, "(name=uno)").getEntryCount());
        admin.delete("boxName=One,dc=example,dc=com");
        admin.modify("cn=schema", List.of(change(ModificationType.DELETE, "attributeTypes", "( 1.2.3.1 )"),
                change(ModificationType.DELETE, "objectClasses", BOX)));
        restart();
        assertNull(schema.attributeType("boxName"));
        assertFalse(published("attributeTypes").stream().anyMatch(text -> text.contains("boxName")));
    }

    @Test
    public void whatIsInUseStays() throws Exception {
        add("attributeTypes", BOX_NAME);
        add("objectClasses", BOX);
        refused(ResultCode.CONSTRAINT_VIOLATION, "boxName", () -> delete("attributeTypes", BOX_NAME));
        Modification[] both = {change(ModificationType.DELETE, "objectClasses", BOX),
                change(ModificationType.DELETE, "attributeTypes", BOX_NAME)};
        admin.add("dn: boxName=One,dc=example,dc=com", "objectClass: box", "boxName: One");
        refused(ResultCode.UNWILLING_TO_PERFORM, "boxName=One,dc=example,dc=com", () -> admin.modify("cn=schema", both));
        refused(ResultCode.UNWILLING_TO_PERFORM, "boxName=One,dc=example,dc=com", () -> delete("objectClasses", BOX));
        admin.delete("boxName=One,dc=example,dc=com");
        admin.add("dn: cn=group,dc=example,dc=com", "objectClass: groupOfNames", "cn: group", "member: BOXNAME=x," + SUFFIX);
        refused(ResultCode.UNWILLING_TO_PERFORM, "member", () -> admin.modify("cn=schema", both));
        // What looks like the beginning of a unique identifier is a part of the name, and hid what is behind it.
        admin.modify("cn=group,dc=example,dc=com", change(ModificationType.REPLACE, "member", "cn=a#'b,boxName=x," + SUFFIX));
        refused(ResultCode.UNWILLING_TO_PERFORM, "member", () -> admin.modify("cn=schema", both));
        admin.modify("cn=group,dc=example,dc=com", change(ModificationType.REPLACE, "member", SUFFIX));
        admin.modify("cn=schema", both);
        refused(ResultCode.OBJECT_CLASS_VIOLATION, "box", () -> admin.add("dn: cn=One,dc=example,dc=com", "objectClass: box",
                "cn: One"));
    }

    /** The index kept what the name was without the definition, so that a search for the value did not find the entry. */
    @Test
    public void aNameThatAnIndexHasAsAValueKeepsItsMeaning() throws Exception {
        String policy = "cn=policy," + SUFFIX;
        admin.add("dn: " + policy, "objectClass: device", "objectClass: extensibleObject", "cn: policy", "pwdAttribute: boxName");
        String reason = "the index of pwdAttribute has the value \"boxName\"";
        assertTrue(refused(ResultCode.UNWILLING_TO_PERFORM, reason, () -> add("attributeTypes", BOX_NAME)).contains(policy));
        refused(ResultCode.UNWILLING_TO_PERFORM, reason,
                () -> add("objectClasses", "( 1.2.3.2 NAME ( 'box' 'BOXNAME' ) SUP top AUXILIARY )"));
        add("objectClasses", "( 1.2.3.2 NAME 'box' SUP top AUXILIARY )");
        assertEquals(1, admin.search(SUFFIX, SearchScope.SUB, "(pwdAttribute=boxname)").getEntryCount());
        admin.modify(policy, change(ModificationType.REPLACE, "pwdAttribute", "boxTitle"));
        add("attributeTypes", BOX_NAME);
        refused(ResultCode.UNWILLING_TO_PERFORM, "has the value \"boxTitle\"", () -> admin.modify("cn=schema",
                change(ModificationType.DELETE, "attributeTypes", "( 1.2.3.1 )"), change(ModificationType.ADD, "attributeTypes",
                        BOX_NAME.replace("'boxName'", "( 'boxName' 'boxTitle' )"))));
        admin.modify(policy, change(ModificationType.REPLACE, "pwdAttribute", "boxName"));
        refused(ResultCode.UNWILLING_TO_PERFORM, "boxName", () -> delete("attributeTypes", BOX_NAME));
        restart();
        assertEquals(1, admin.search(SUFFIX, SearchScope.SUB, "(pwdAttribute=1.2.3.1)").getEntryCount());
    }

    @Test
    public void changesThatEntriesDoNotMindAreMade() throws Exception {
        add("attributeTypes", BOX_NAME);
        add("objectClasses", BOX);
        admin.add("dn: boxName=One,dc=example,dc=com", "objectClass: box", "boxName: One");
        admin.modify("cn=schema", List.of(change(ModificationType.DELETE, "objectClasses", "( 1.2.3.2 )"),
                change(ModificationType.ADD, "objectClasses", "( 1.2.3.2 NAME ( 'box' 'crate' ) DESC 'a box' SUP top STRUCTURAL"
                        + " MUST boxName MAY ( description $ seeAlso ) )")));
        admin.modify("boxName=One,dc=example,dc=com", change(ModificationType.ADD, "seeAlso", SUFFIX));
        assertEquals(1, admin.search(SUFFIX, SearchScope.SUB, "(objectClass=crate)").getEntryCount());
        for (String narrower : List.of("MUST ( boxName $ seeAlso )", "MUST boxName", "SUP person MUST boxName",
                "AUXILIARY MUST boxName")) {
            refused(ResultCode.UNWILLING_TO_PERFORM, "object class box cannot be", () -> admin.modify("cn=schema",
                    List.of(change(ModificationType.DELETE, "objectClasses", "( 1.2.3.2 )"),
                            change(ModificationType.ADD, "objectClasses",
                                    "( 1.2.3.2 NAME ( 'box' 'crate' ) " + narrower + " )"))));
        }
        for (String other : List.of("EQUALITY caseExactMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.15",
                "EQUALITY caseIgnoreMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.44", "SUP name",
                "EQUALITY caseIgnoreMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 SINGLE-VALUE")) {
            refused(ResultCode.UNWILLING_TO_PERFORM, "attribute type boxName cannot be", () -> admin.modify("cn=schema",
                    List.of(change(ModificationType.DELETE, "attributeTypes", "( 1.2.3.1 )"),
                            change(ModificationType.ADD, "attributeTypes", "( 1.2.3.1 NAME 'boxName' " + other + " )"))));
        }
        admin.delete("boxName=One,dc=example,dc=com");
        admin.modify("cn=schema", List.of(change(ModificationType.DELETE, "attributeTypes", "( 1.2.3.1 )"),
                change(ModificationType.ADD, "attributeTypes", "( 1.2.3.1 NAME 'boxName' EQUALITY caseExactMatch SYNTAX"
                        + " 1.3.6.1.4.1.1466.115.121.1.15 )")));
        admin.add("dn: boxName=One,dc=example,dc=com", "objectClass: crate", "boxName: One");
        admin.modify("boxName=One,dc=example,dc=com", change(ModificationType.ADD, "boxName", "ONE"));
        restart();
        assertEquals(1, admin.search(SUFFIX, SearchScope.SUB, "(boxName=ONE)").getEntryCount());
        assertEquals(0, admin.search(SUFFIX, SearchScope.SUB, "(boxName=one)").getEntryCount());
    }

    @Test
    public void standardDefinitionsAndIndexesStay() throws Exception {
        refused(ResultCode.UNWILLING_TO_PERFORM, "built-in system.ldif",
                () -> delete("attributeTypes", "( 2.5.4.3 NAME 'cn' SUP name )"));
        refused(ResultCode.UNWILLING_TO_PERFORM, "sudo.ldif", () -> delete("objectClasses", "( 1.3.6.1.4.1.15953.9.2.1 )"));
        refused(ResultCode.ATTRIBUTE_OR_VALUE_EXISTS, "system.ldif", () -> add("attributeTypes",
                "( 2.5.4.3 NAME 'cn' SUP name )"));
        refused(ResultCode.CONSTRAINT_VIOLATION, "cn is already defined by built-in system.ldif",
                () -> add("attributeTypes", "( 1.2.3.4 NAME 'cn' SUP name )"));
        refused(ResultCode.UNWILLING_TO_PERFORM, "built-in",
                () -> admin.modify("cn=schema", change(ModificationType.REPLACE, "attributeTypes", BOX_NAME)));
        refused(ResultCode.UNWILLING_TO_PERFORM, "belongs to the server", () -> delete("matchingRules"));
        refused(ResultCode.UNWILLING_TO_PERFORM, "belongs to the server", () -> add("cn", "other"));
        refused(ResultCode.ATTRIBUTE_OR_VALUE_EXISTS, "the server",
                () -> add("ldapSyntaxes", "( 1.3.6.1.4.1.1466.115.121.1.15 DESC 'Directory String' )"));
        refused(ResultCode.UNWILLING_TO_PERFORM, "", () -> admin.delete("cn=schema"));
    }

    @Test
    public void badDefinitionsAreRefusedWhole() throws Exception {
        refused(ResultCode.INVALID_ATTRIBUTE_SYNTAX, "EQUALS", () -> add("attributeTypes", "( 1.2.3.4 NAME 'a' EQUALS x )"));
        refused(ResultCode.CONSTRAINT_VIOLATION, "nope", () -> add("attributeTypes", BOX_NAME, "( 1.2.3.4 NAME 'a' SUP nope )"));
        refused(ResultCode.NO_SUCH_ATTRIBUTE, "1.2.3.4", () -> delete("attributeTypes", "( 1.2.3.4 NAME 'a' )"));
        refused(ResultCode.UNDEFINED_ATTRIBUTE_TYPE, "nope", () -> add("nope", BOX_NAME));
        assertNull(schema.attributeType("boxName"));
        add("attributeTypes", BOX_NAME);
        refused(ResultCode.ATTRIBUTE_OR_VALUE_EXISTS, "1.2.3.1", () -> add("attributeTypes", BOX_NAME));
        LDAPConnection other = new LDAPConnection("127.0.0.1", server.port());
        assertEquals(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, assertThrows(LDAPException.class,
                () -> other.modify("cn=schema", change(ModificationType.ADD, "objectClasses", BOX))).getResultCode());
        other.close();
    }

    @Test
    public void replaceLeavesWhatIsAsked() throws Exception {
        add("attributeTypes", BOX_NAME, "( 1.2.3.4 NAME 'other' SUP name )");
        List<String> wanted = new ArrayList<>(published("attributeTypes"));
        wanted.removeIf(text -> text.contains("'other'"));
        wanted.add("( 1.2.3.5 NAME 'third' SUP name )");
        admin.modify("cn=schema", change(ModificationType.REPLACE, "attributeTypes", wanted.toArray(String[]::new)));
        assertEquals(Set.copyOf(wanted), Set.copyOf(published("attributeTypes")));
        restart();
        assertEquals(Set.copyOf(wanted), Set.copyOf(published("attributeTypes")));
    }

    @Test
    public void controlsOfUpdatesHold() throws Exception {
        ModifyRequest request = new ModifyRequest("cn=schema", change(ModificationType.ADD, "attributeTypes", BOX_NAME));
        request.addControl(new DraftZeilengaLDAPNoOp12RequestControl());
        assertEquals(ResultCode.NO_OPERATION, admin.modify(request).getResultCode());
        assertNull(schema.attributeType("boxName"));
        request.setControls(new AssertionRequestControl("(cn=other)"));
        refused(ResultCode.ASSERTION_FAILED, "", () -> admin.modify(request));
        request.setControls(new PostReadRequestControl("attributeTypes"));
        PostReadResponseControl shown = PostReadResponseControl.get(admin.modify(request));
        assertTrue(List.of(shown.getEntry().getAttributeValues("attributeTypes")).contains(BOX_NAME));
    }

    @Test
    public void aSubtypeOfPasswordsIsAPassword() throws Exception {
        add("attributeTypes", "( 1.2.3.9 NAME 'boxSecret' SUP userPassword )");
        admin.add("dn: cn=user,dc=example,dc=com", "objectClass: person", "objectClass: extensibleObject", "cn: user", "sn: x",
                "userPassword: pw", "boxSecret: hidden");
        LDAPConnection user = new LDAPConnection("127.0.0.1", server.port(), "cn=user,dc=example,dc=com", "pw");
        assertNull(user.getEntry("cn=user,dc=example,dc=com").getAttribute("boxSecret"));
        assertNotEquals("hidden", admin.getEntry("cn=user,dc=example,dc=com").getAttributeValue("boxSecret"));
        user.close();
    }

    @Test
    @Requirement(rfc = 4512, section = "4.1.7", text = "Name forms and DIT structure rules say where entries may be")
    public void namesAndPlacesFollowTheRules() throws Exception {
        add("nameForms", "( 1.2.3.20 NAME 'unitForm' OC organizationalUnit MUST ou )",
                "( 1.2.3.21 NAME 'personForm' OC person MUST cn MAY sn )");
        assertEquals(2, published("nameForms").size());
        admin.add("dn: cn=a," + SUFFIX, "objectClass: person", "cn: a", "sn: s");
        refused(ResultCode.NAMING_VIOLATION, "personForm",
                () -> admin.add("dn: sn=b," + SUFFIX, "objectClass: person", "cn: b", "sn: b"));
        refused(ResultCode.NAMING_VIOLATION, "personForm", () -> admin.modifyDN("cn=a," + SUFFIX, "sn=s", false));
        admin.modifyDN("cn=a," + SUFFIX, "cn=a+sn=s", false);
        add("dITStructureRules", "( 1 NAME 'units' FORM unitForm )", "( 2 NAME 'people' FORM personForm SUP 1 )");
        refused(ResultCode.NAMING_VIOLATION, "2 (people)",
                () -> admin.add("dn: cn=b," + SUFFIX, "objectClass: person", "cn: b", "sn: s"));
        admin.add("dn: ou=u," + SUFFIX, "objectClass: organizationalUnit", "ou: u");
        admin.add("dn: cn=b,ou=u," + SUFFIX, "objectClass: person", "cn: b", "sn: s");
        refused(ResultCode.NAMING_VIOLATION, "no rule is for",
                () -> admin.add("dn: cn=d,ou=u," + SUFFIX, "objectClass: device", "cn: d"));
        refused(ResultCode.NAMING_VIOLATION, "1 (units)",
                () -> admin.add("dn: ou=v,ou=u," + SUFFIX, "objectClass: organizationalUnit", "ou: v"));
        refused(ResultCode.NAMING_VIOLATION, "2 (people)", () -> admin.modifyDN("cn=b,ou=u," + SUFFIX, "cn=b", false, SUFFIX));
        admin.modifyDN("cn=a+sn=s," + SUFFIX, "cn=a", false, "ou=u," + SUFFIX);
        refused(ResultCode.CONSTRAINT_VIOLATION, "unitForm", () -> delete("nameForms", "( 1.2.3.20 )"));
        delete("dITStructureRules");
        admin.add("dn: cn=d,ou=u," + SUFFIX, "objectClass: device", "cn: d");
    }

    @Test
    @Requirement(rfc = 4512, section = "4.1.6", text = "DIT content rules say what entries hold beyond their class")
    public void contentFollowsTheRules() throws Exception {
        add("dITContentRules", "( 2.5.6.6 NAME 'people' AUX uidObject MUST telephoneNumber MAY mail NOT description )");
        refused(ResultCode.OBJECT_CLASS_VIOLATION, "content rule people requires",
                () -> admin.add("dn: cn=a," + SUFFIX, "objectClass: person", "cn: a", "sn: s"));
        admin.add("dn: cn=a," + SUFFIX, "objectClass: person", "objectClass: uidObject", "uid: a", "cn: a", "sn: s",
                "telephoneNumber: 1", "mail: a@b");
        refused(ResultCode.OBJECT_CLASS_VIOLATION, "forbids the attribute description",
                () -> admin.modify("cn=a," + SUFFIX, change(ModificationType.ADD, "description", "x")));
        refused(ResultCode.OBJECT_CLASS_VIOLATION, "auxiliary class simpleSecurityObject", () -> admin.modify("cn=a," + SUFFIX,
                change(ModificationType.ADD, "objectClass", "simpleSecurityObject"),
                change(ModificationType.ADD, "userPassword", "x")));
        refused(ResultCode.UNWILLING_TO_PERFORM, "\"cn=a," + SUFFIX + "\" depends on what is taken away: the attribute",
                () -> delete("dITContentRules", "( 2.5.6.6 )"));
        admin.modify("cn=a," + SUFFIX, change(ModificationType.DELETE, "mail"), change(ModificationType.DELETE, "uid"),
                change(ModificationType.DELETE, "objectClass", "uidObject"));
        for (String other : List.of("NOT telephoneNumber", "MUST seeAlso", "MUST ( telephoneNumber $ seeAlso )")) {
            refused(ResultCode.UNWILLING_TO_PERFORM, "\"cn=a," + SUFFIX + "\" depends on what is taken away: the content rule",
                    () -> contentRule("( 2.5.6.6 NAME 'people' " + other + " )"));
        }
        contentRule("( 2.5.6.6 NAME 'people' MAY ( mail $ telephoneNumber ) )");
        delete("dITContentRules", "( 2.5.6.6 )");
        admin.modify("cn=a," + SUFFIX, change(ModificationType.ADD, "description", "x"));
    }

    private void contentRule(String text) throws LDAPException {
        admin.modify("cn=schema", change(ModificationType.DELETE, "dITContentRules", "( 2.5.6.6 )"),
                change(ModificationType.ADD, "dITContentRules", text));
    }

    @Test
    @Requirement(rfc = 4512, section = "4.1.6", text = "A content rule that allows what an entry has stays")
    public void auxiliaryClassesThatEntriesHaveStayAllowed() throws Exception {
        add("dITContentRules", "( 2.5.6.6 NAME 'people' AUX uidObject )");
        admin.add("dn: cn=a," + SUFFIX, "objectClass: person", "objectClass: uidObject", "uid: a", "cn: a", "sn: s");
        refused(ResultCode.UNWILLING_TO_PERFORM, "does not allow the auxiliary class uidObject",
                () -> contentRule("( 2.5.6.6 NAME 'people' AUX simpleSecurityObject )"));
        admin.modify("cn=schema", change(ModificationType.ADD, "objectClasses",
                "( 1.2.3.30 NAME 'uidPlus' SUP uidObject AUXILIARY )"),
                change(ModificationType.DELETE, "dITContentRules", "( 2.5.6.6 )"),
                change(ModificationType.ADD, "dITContentRules", "( 2.5.6.6 NAME 'people' AUX uidPlus )"));
        delete("dITContentRules", "( 2.5.6.6 )");
    }

    @Test
    @Requirement(rfc = 4512, section = "4.1.7", text = "Moving a subtree keeps the structure rules for all of it")
    public void whatIsBelowFollowsTheRulesToo() throws Exception {
        structure("( 1 NAME 'units' FORM unitForm SUP ( 1 3 ) )", "( 2 NAME 'people' FORM personForm SUP 1 )",
                "( 3 NAME 'orgs' FORM orgForm )", "( 4 NAME 'places' FORM placeForm SUP 3 )",
                "( 5 NAME 'placePeople' FORM personForm SUP 6 )", "( 6 NAME 'placeUnits' FORM unitForm SUP 4 )");
        admin.add("dn: o=o," + SUFFIX, "objectClass: organization", "o: o");
        admin.add("dn: l=p,o=o," + SUFFIX, "objectClass: locality", "l: p");
        admin.add("dn: ou=a,o=o," + SUFFIX, "objectClass: organizationalUnit", "ou: a");
        admin.add("dn: ou=b,ou=a,o=o," + SUFFIX, "objectClass: organizationalUnit", "ou: b");
        admin.add("dn: cn=c,ou=b,ou=a,o=o," + SUFFIX, "objectClass: person", "cn: c", "sn: s");
        assertEquals("3 4 1 1 2", governing("o=o,", "l=p,o=o,", "ou=a,o=o,", "ou=b,ou=a,o=o,", "cn=c,ou=b,ou=a,o=o,"));
        assertNull(admin.getEntry(SUFFIX, "+").getAttribute("governingStructureRule"));
        assertEquals("person", admin.getEntry("cn=c,ou=b,ou=a,o=o," + SUFFIX, "+").getAttributeValue("structuralObjectClass"));
        assertEquals(2, admin.search(SUFFIX, SearchScope.SUB, "(governingStructureRule=1)").getEntryCount());
        refused(ResultCode.NAMING_VIOLATION, "\"ou=b,ou=a,o=o," + SUFFIX + "\"",
                () -> admin.modifyDN("ou=a,o=o," + SUFFIX, "ou=a", false, "l=p,o=o," + SUFFIX));
        assertEquals("1 1 2", governing("ou=a,o=o,", "ou=b,ou=a,o=o,", "cn=c,ou=b,ou=a,o=o,"));
        admin.modifyDN("ou=b,ou=a,o=o," + SUFFIX, "ou=b", false, "l=p,o=o," + SUFFIX);
        assertEquals("6 5", governing("ou=b,l=p,o=o,", "cn=c,ou=b,l=p,o=o,"));
        admin.modifyDN("ou=b,l=p,o=o," + SUFFIX, "ou=b", false, "ou=a,o=o," + SUFFIX);
        assertEquals("1 2", governing("ou=b,ou=a,o=o,", "cn=c,ou=b,ou=a,o=o,"));
    }

    private void structure(String... rules) throws LDAPException {
        add("nameForms", "( 1.2.3.20 NAME 'unitForm' OC organizationalUnit MUST ou )",
                "( 1.2.3.21 NAME 'personForm' OC person MUST cn MAY sn )", "( 1.2.3.22 NAME 'orgForm' OC organization MUST o )",
                "( 1.2.3.23 NAME 'placeForm' OC locality MUST l )");
        add("dITStructureRules", rules);
    }

    private String governing(String... names) throws LDAPException {
        List<String> numbers = new ArrayList<>();
        for (String name : names) {
            numbers.add(admin.getEntry(name + SUFFIX, "governingStructureRule").getAttributeValue("governingStructureRule"));
        }
        return String.join(" ", numbers);
    }

    @Test
    @Requirement(rfc = 4512, section = "4.1.7", text = "A name form or structure rule that an entry depends on stays")
    public void rulesThatEntriesDependOnStay() throws Exception {
        structure("( 1 NAME 'units' FORM unitForm )", "( 2 NAME 'people' FORM personForm SUP 1 )",
                "( 3 NAME 'orgs' FORM orgForm )");
        admin.add("dn: ou=u," + SUFFIX, "objectClass: organizationalUnit", "ou: u");
        admin.add("dn: cn=b,ou=u," + SUFFIX, "objectClass: person", "cn: b", "sn: s");
        refused(ResultCode.UNWILLING_TO_PERFORM,
                "\"cn=b,ou=u," + SUFFIX + "\" depends on what is taken away: the structure rules",
                () -> delete("dITStructureRules", "( 2 )"));
        refused(ResultCode.UNWILLING_TO_PERFORM, "\"cn=b,ou=u," + SUFFIX + "\" depends", () -> admin.modify("cn=schema",
                change(ModificationType.DELETE, "dITStructureRules", "( 2 )"),
                change(ModificationType.ADD, "dITStructureRules", "( 2 NAME 'people' FORM personForm SUP 3 )")));
        delete("dITStructureRules", "( 3 )");
        add("nameForms", "( 1.2.3.24 NAME 'personBySn' OC person MUST sn )");
        refused(ResultCode.UNWILLING_TO_PERFORM, "the name form personBySn of the object class person does not allow its name",
                () -> admin.modify("cn=schema", change(ModificationType.DELETE, "dITStructureRules"),
                        change(ModificationType.DELETE, "nameForms", "( 1.2.3.21 )")));
        delete("dITStructureRules");
        delete("nameForms");
        admin.add("dn: sn=b,ou=u," + SUFFIX, "objectClass: person", "cn: b", "sn: b");
    }

    /** Rules that came after an entry, and that it does not meet, are no reason to keep others, nor to keep it where it is. */
    @Test
    public void whatWasWrongBeforeIsNotInTheWay() throws Exception {
        admin.add("dn: ou=old," + SUFFIX, "objectClass: organizationalUnit", "ou: old");
        admin.add("dn: cn=d,ou=old," + SUFFIX, "objectClass: device", "cn: d");
        structure("( 1 NAME 'units' FORM unitForm )", "( 2 NAME 'orgs' FORM orgForm )",
                "( 3 NAME 'lowerUnits' FORM unitForm SUP 2 )");
        admin.add("dn: o=o," + SUFFIX, "objectClass: organization", "o: o");
        admin.modifyDN("ou=old," + SUFFIX, "ou=old", false, "o=o," + SUFFIX);
        delete("dITStructureRules");
    }

    /** Whatever the order, an entry of the class is there only as long as the class is. */
    @Test
    public void changesAreAtomicBesideAdds() throws Exception {
        AtomicBoolean stopped = new AtomicBoolean();
        CompletableFuture<Integer> added = CompletableFuture.supplyAsync(() -> addAndDelete(stopped), Await.THREADS);
        int changes = 0;
        int refusals = 0;
        while (changes < 5 || refusals == 0 && changes < MOST_CHANGES) {
            admin.modify("cn=schema", List.of(change(ModificationType.ADD, "attributeTypes", BOX_NAME),
                    change(ModificationType.ADD, "objectClasses", BOX)));
            boolean there = true;
            while (there) {
                try {
                    admin.modify("cn=schema", List.of(change(ModificationType.DELETE, "attributeTypes", BOX_NAME),
                            change(ModificationType.DELETE, "objectClasses", BOX)));
                    assertEquals(0, admin.search(SUFFIX, SearchScope.ONE, "(objectClass=*)").getEntryCount());
                    there = false;
                } catch (LDAPException e) {
                    assertEquals(e.getMessage(), ResultCode.UNWILLING_TO_PERFORM, e.getResultCode());
                    refusals++;
                }
            }
            changes++;
        }
        stopped.set(true);
        assertTrue("no add met the class", Await.result("the adds", added) > 0);
    }

    private int addAndDelete(AtomicBoolean stopped) {
        Updates updates = new Updates(partition);
        UpdateOrigin origin = new UpdateOrigin(ADMIN, Instant.EPOCH);
        List<Attribute> attributes = List.of(new Attribute("objectClass", List.of("box".getBytes(StandardCharsets.UTF_8))));
        int added = 0;
        while (!stopped.get()) {
            try {
                Dn dn = Dn.parse(schema, "boxName=One," + SUFFIX);
                updates.add(dn, attributes, origin).join();
                added++;
                updates.delete(dn, origin).join();
            } catch (DirectoryException | CompletionException e) {
                Thread.onSpinWait();
            }
        }
        return added;
    }

    @Test
    public void whatWasReadOfGroupsAndSubtreesBeforeIsReadAgain() throws LDAPException, LDIFException {
        String boxes = "cn=boxes," + SUFFIX;
        admin.add("dn: " + boxes, "objectClass: groupOfURLs", "memberURL: ldap:///" + SUFFIX + "??sub?(boxName=large)");
        assertFalse(admin.getEntry(boxes, "member").hasAttribute("member"));
        assertFalse(admin.getEntry(boxes, "memberOf").hasAttribute("memberOf"));
        add("attributeTypes", BOX_NAME);
        add("objectClasses", BOX);
        admin.add("dn: boxName=large," + SUFFIX, "objectClass: box");
        assertEquals("boxName=large," + SUFFIX, admin.getEntry(boxes).getAttributeValue("member"));
        assertEquals(boxes, admin.getEntry("boxName=large," + SUFFIX, "memberOf").getAttributeValue("memberOf"));
    }
}
