package org.alder.partition.schema;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.StoreException;
import org.alder.partition.schema.definition.DefinitionKind;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The forms schema files come in, and what is said about those that are wrong. */
public class SchemaFileTest {
    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private Path file(String name, String... lines) throws IOException {
        return Files.write(folder.getRoot().toPath().resolve(name), List.of(lines));
    }

    private String refused(String name, String... lines) throws IOException {
        Path file = file(name, lines);
        StoreException e = assertThrows(StoreException.class, () -> Schema.load(List.of(file)));
        assertEquals(StoreException.Kind.REFUSED, e.kind());
        assertTrue(e.getMessage(), e.getMessage().startsWith(file.toString()));
        return e.getMessage().substring(file.toString().length());
    }

    private static void assertHolds(String text, String... parts) {
        for (String part : parts) {
            assertTrue("expected " + part + " in: " + text, text.contains(part));
        }
    }

    @Test
    public void openLdapDirectives() throws IOException {
        Schema schema = Schema.load(List.of(file("acme.schema",
                "# Acme's own", "objectIdentifier acme 1.2.3.4", "objectidentifier acmeType\tacme:1", "",
                "attributetype ( acmeType:1", "\tNAME ( 'acmeBox' 'acmeCase' )", "    DESC 'it\\27s a box'", "\tSUP name )",
                "AttributeType ( acmeType:2 NAME 'acmeSize'", " EQUALITY integerMatch", " SYNTAX OMsInteger{8} SINGLE-VALUE )",
                "objectclass ( acme:2.1 NAME 'acmeThing' SUP top AUXILIARY", "\tMAY ( acmeBox $ acmeSize ) )",
                "ditcontentrule ( 2.5.6.9 NAME 'acmeGroups' AUX acmeThing )",
                "ldapsyntax ( acme:9 DESC 'a size' X-SUBST '1.3.6.1.4.1.1466.115.121.1.27' )",
                "attributetype ( acmeType:3 NAME 'acmeCount' EQUALITY integerMatch SYNTAX 1.2.3.4.9 )")));
        assertEquals("1.2.3.4.1.1", schema.attributeType("acmeCase").oid());
        assertEquals("( 1.2.3.4.1.1 NAME ( 'acmeBox' 'acmeCase' ) DESC 'it\\27s a box' SUP name )",
                schema.attributeType("acmeBox").definition().text());
        assertEquals("( 1.2.3.4.1.2 NAME 'acmeSize' EQUALITY integerMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.27{8} SINGLE-VALUE )",
                schema.attributeType("acmeSize").definition().text());
        assertTrue(schema.objectClass("acmeThing").may().contains(schema.attributeType("acmeSize")));
        assertEquals(List.of("( 2.5.6.9 NAME 'acmeGroups' AUX acmeThing )"), schema.definitions(DefinitionKind.CONTENT_RULE));
        assertTrue(schema.attributeType("acmeCount").checkSyntax("12".getBytes(StandardCharsets.UTF_8)));
        assertTrue(!schema.attributeType("acmeCount").checkSyntax("a dozen".getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    public void macrosHoldInFilesReadLater() throws IOException {
        Schema schema = Schema.load(List.of(file("a.schema", "objectidentifier acme 1.2.3"),
                file("b.schema", "attributetype ( acme:5 NAME 'acmeName' SUP name )")));
        assertEquals("1.2.3.5", schema.attributeType("acmeName").oid());
    }

    @Test
    public void openLdapConfiguration() throws IOException {
        Schema schema = Schema.load(List.of(file("acme.ldif", "dn: cn={5}acme,cn=schema,cn=config",
                "objectClass: olcSchemaConfig",
                "cn: {5}acme", "olcObjectIdentifier: {0}acme 1.2.3", "olcObjectIdentifier: {1} acmeType acme:1",
                "olcAttributeTypes: {0}( acmeType:1 NAME 'acmeName' SUP n", " ame )", "olcAttributeTypes: {10} ( acmeType:2 NAME",
                "  'acmeOther' SUP acmeName )", "olcObjectClasses: {0}( acme:2 NAME 'acmeThing' AUXILIARY MAY acmeOther )",
                "olcDitContentRules: {0}( 2.5.6.9 NAME 'acmeGroups' AUX acmeThing )",
                        "entryCSN: 20260101000000.000000Z#000000#000#0",
                "# a comment", " that goes on ( 1.2.3")));
        assertSame(schema.attributeType("acmeName"), schema.attributeType("1.2.3.1.2").superior());
        assertNotNull(schema.objectClass("acmeThing"));
    }

    @Test
    public void modifyRecordsAndWholeSubschemaEntries() throws IOException {
        Schema schema = Schema.load(List.of(file("acme.ldif", "dn: cn=schema", "changetype: modify", "add: attributeTypes",
                "attributeTypes: ( 1.2.3.1 NAME 'acmeName' SUP name )", "-", "add: objectClasses",
                "objectClasses: ( 1.2.3.2 NAME 'acmeThing' SUP top STRUCTURAL MUST acmeName )", "-", "add: nameForms",
                "nameForms: ( 1.2.3.3 NAME 'acmeForm' OC acmeThing MUST acmeName )", "dITStructureRules: ( 1 FORM acmeForm )",
                "dITStructureRules: ( 2 NAME 'below' FORM acmeForm SUP ( 1 2 ) )",
                "matchingRules: ( 2.5.13.2 NAME 'caseIgnoreMatch' SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 )")));
        Set<AttributeType> name = Set.of(schema.attributeType("acmeName"));
        assertEquals(2, schema.namingRules().candidates(schema.objectClass("acmeThing"), name).size());
        assertEquals(List.of("( 1 FORM acmeForm )", "( 2 NAME 'below' FORM acmeForm SUP ( 1 2 ) )"),
                schema.definitions(DefinitionKind.STRUCTURE_RULE));
        String violation = schema.namingRules().nameViolation(schema.objectClass("acmeThing"), Set.of());
        assertTrue(violation, violation.startsWith("the name form acmeForm"));
    }

    @Test
    public void theSameDefinitionMayBeInSeveralFiles() throws IOException {
        Schema schema = Schema.load(List.of(file("a.ldif", "attributeTypes: ( 1.2.3 NAME 'acmeName' SUP name )"),
                file("b.schema", "attributetype ( 1.2.3", " NAME 'ACMEname' DESC 'said again' SUP NAME X-ORIGIN 'b' )")));
        assertEquals("acmeName", schema.attributeType("1.2.3").name());
    }

    @Test
    public void messagesNameTheLineOfTheFault() throws IOException {
        assertHolds(refused("a.schema", "", "attributetype ( 1.2.3", "  NAME 'a'", "  EQUALS caseIgnoreMatch", "  SUP name )"),
                "line 4:", "\"EQUALS\"", "EQUALITY");
        assertHolds(refused("b.ldif", "dn: cn=schema", "attributeTypes: ( 1.2.3 NAME 'a'", "  SUP name SUP name", "  )"),
                "line 3:",
                "SUP is given twice");
        assertHolds(refused("c.schema", "attributetype ( acme:1 NAME 'a' SUP name )"), "line 1:", "acme:1",
                "numeric OID expected");
        assertHolds(refused("d.schema", "objectidentifier acme other:1"), "line 1:", "NAME OID expected");
        assertHolds(refused("e.schema", "objectidentifier acme 1.2", "objectidentifier ACME 1.3"), "line 2:", "another OID");
        assertHolds(refused("f.schema", "# ok", "include /etc/ldap/schema/core.schema"), "line 2:", "include", "attributetype");
        assertHolds(refused("g.schema", "(1.2.3)"), "line 1:", "a directive expected");
        assertHolds(refused("h.ldif", "attributeType: ( 1.2.3 NAME 'a' SUP name )"), "line 1:", "\"attributeType\"",
                "attributeTypes");
        assertHolds(refused("i.ldif", "attributetype ( 1.2.3 NAME 'a' SUP name )"), "line 1:", "\"attribute: value\" expected");
        assertHolds(refused("j.ldif", "attributeTypes: ( 1.2.3 NAME 'a_b' SUP name )"), "a_b", "letters, digits and hyphens");
        assertHolds(refused("k.ldif", "attributeTypes: ( 1.2.3 NAME 'a' SUP ( cn $ sn ) )"), "SUP has 2 values");
        assertHolds(refused("l.ldif", "attributeTypes: ( 1.2.3 NAME 'a' SUP name USAGE userApplication )"), "userApplications");
        assertHolds(refused("m.ldif", "attributeTypes: ( 1.2.3 NAME 'a' SUP name MUST cn )"), "\"MUST\"");
        assertHolds(refused("n.ldif", "objectClasses: ( 1.2.3 NAME 'a' SUP person AUXILIARY )"), "person", "STRUCTURAL");
        assertHolds(refused("o.ldif", "dITStructureRules: ( 1 FORM nope )"), "nope");
        assertHolds(refused("p.ldif", "nameForms: ( 1.2.3 NAME 'a' OC posixAccount MUST uid )"), "posixAccount");
        assertHolds(refused("q.ldif", "dITContentRules: ( 2.5.6.6 NOT sn )"), "sn", "requires");
        assertHolds(refused("r.ldif", "dITContentRules: ( 2.5.6.6 AUX top )"), "top", "auxiliary");
        assertHolds(refused("s.ldif", "ldapSyntaxes: ( 1.2.3 X-SUBST '1.2.4' )"), "1.2.4");
        assertHolds(refused("t.ldif", "attributeTypes: ( 1.2.3 NAME 'a' SUP name COLLECTIVE SINGLE-VALUE )"), "COLLECTIVE");
        assertHolds(refused("u.ldif", "dITStructureRules: ( one FORM a )"), "number");
        assertHolds(refused("v.ldif", "objectClasses: ( 1.2.3 NAME 'a' SUP top AUXILIARY MAY cn STRUCTURAL )"),
                "STRUCTURAL and AUXILIARY");
    }

    @Test
    public void whatIsDefinedFirstHolds() throws IOException {
        Path first = file("a.ldif", "attributeTypes: ( 1.2.3 NAME 'acmeText' EQUALITY caseIgnoreMatch SYNTAX "
                + "1.3.6.1.4.1.1466.115.121.1.15 )", "objectClasses: ( 1.2.5 NAME 'acmeThing' SUP top MUST cn MAY ( acmeText $ sn ) )");
        Schema schema = Schema.load(List.of(first, file("b.schema",
                "attributetype ( 1.2.3 NAME 'acmeText' EQUALITY caseExactMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.26{9} )",
                "attributetype ( 2.5.4.2 NAME 'knowledgeInformation' SYNTAX 1.3.6.1.4.1.1466.115.121.1.15{32768} )",
                "objectclass ( 1.2.6 NAME 'acmeThing' SUP top MUST commonName MAY surname )",
                "ldapsyntax ( 1.2.7 NAME 'acmeSyntax' DESC 'x' X-SUBST '1.3.6.1.4.1.1466.115.121.1.15' )",
                "attributeype ( 1.2.8 NAME 'misspelt' SUP name )")));
        assertEquals("caseIgnoreMatch", schema.attributeType("acmeText").equality().name());
        assertEquals("1.2.5", schema.objectClass("acmeThing").oid());
        assertNull(schema.attributeType("misspelt"));
        for (String other : List.of("objectClasses: ( 1.2.6 NAME 'acmeThing' SUP top MAY cn MUST sn STRUCTURAL )",
                "objectClasses: ( 1.2.6 NAME 'acmeThing' SUP top AUXILIARY )", "attributeTypes: ( 1.2.9 NAME 'acmeText' SUP name )",
                "attributeTypes: ( 1.2.3 NAME 'acmeOther' SUP name )")) {
            StoreException e = assertThrows(other, StoreException.class, () -> Schema.load(List.of(first, file("c.ldif", other))));
            assertHolds(e.getMessage(), "c.ldif, line 1: ", "is already defined by " + first);
        }
        assertHolds(refused("d.ldif", "attributeTypes: ( 1.2.9 NAME 'a' SUP name )", "attributeTypes: ( 1.2.9 NAME 'a' SUP sn )"),
                "line 2: ", "is already defined by");
    }

    /** RFC 2307's group is structural, that of its successors is auxiliary. */
    @Test
    public void groupsOfBothKindsAreRight() throws Exception {
        Path bis = Path.of("../conf/schema/rfc2307bis.ldif");
        Path nis = file("nis.schema", "objectclass ( 1.3.6.1.1.1.2.2 NAME 'posixGroup' SUP top STRUCTURAL",
                "  MUST ( cn $ gidNumber ) MAY ( userPassword $ memberUid $ description ) )");
        for (Schema schema : List.of(Schema.load(List.of(bis)), Schema.load(List.of(bis, nis)))) {
            SchemaChecker checker = new SchemaChecker(schema);
            Attribute name = attribute("cn", "staff");
            Attribute number = attribute("gidNumber", "100");
            Attribute uid = attribute("memberUid", "ann");
            assertEquals("posixGroup",
                    checker.check(entry(attribute("objectClass", "posixGroup"), name, number, uid)).name());
            assertEquals("posixGroup", checker.check(entry(attribute("objectClass", "top", "posixGroup"), name, number)).name());
            assertEquals("groupOfNames", checker.check(entry(attribute("objectClass", "groupOfNames", "posixGroup"), name, number,
                    attribute("member", "cn=ann"))).name());
            DirectoryException e = assertThrows(DirectoryException.class, () -> checker.check(
                    entry(attribute("objectClass", "posixAccount", "shadowAccount"), name)));
            assertHolds(e.getMessage(), "no structural object class");
        }
    }

    private static EntryRecord entry(Attribute... user) {
        return EntryRecord.of(1, "cn=staff".getBytes(StandardCharsets.UTF_8), List.of(user), List.of());
    }

    private static Attribute attribute(String description, String... values) {
        return new Attribute(description, Stream.of(values).map(value -> value.getBytes(StandardCharsets.UTF_8)).toList());
    }

    /** Every schema file that slapd comes with loads, each and all together, beside the definitions that are there. */
    @Test
    public void filesOfOpenLdap() throws IOException {
        Path installed = Path.of(System.getProperty("alder.test.slapdSchema", "/etc/ldap/schema"));
        assumeTrue("slapd's schema files are not installed", Files.isDirectory(installed));
        List<Path> ours = list(Path.of("../conf/schema"), ".ldif");
        for (String form : List.of(".schema", ".ldif")) {
            List<Path> theirs = list(installed, form);
            for (Path file : theirs) {
                assertNotNull(Schema.load(and(ours, List.of(file))));
            }
            assertNotNull(Schema.load(and(ours, theirs)));
        }
    }

    private static List<Path> list(Path folder, String end) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(end)).sorted().toList();
        }
    }

    private static List<Path> and(List<Path> first, List<Path> then) {
        return Stream.concat(first.stream(), then.stream()).toList();
    }
}
