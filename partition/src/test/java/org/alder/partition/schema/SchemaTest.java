package org.alder.partition.schema;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.error.StoreException;
import org.alder.partition.schema.definition.DefinitionKind;
import org.alder.partition.schema.value.MatchingRule;
import org.alder.partition.testing.Requirement;
import org.apache.directory.api.ldap.model.schema.SchemaObject;
import org.apache.directory.api.ldap.model.schema.parsers.AbstractSchemaParser;
import org.apache.directory.api.ldap.model.schema.parsers.AttributeTypeDescriptionSchemaParser;
import org.apache.directory.api.ldap.model.schema.parsers.LdapSyntaxDescriptionSchemaParser;
import org.apache.directory.api.ldap.model.schema.parsers.MatchingRuleDescriptionSchemaParser;
import org.apache.directory.api.ldap.model.schema.parsers.MatchingRuleUseDescriptionSchemaParser;
import org.apache.directory.api.ldap.model.schema.parsers.ObjectClassDescriptionSchemaParser;
import org.junit.BeforeClass;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class SchemaTest {
    private static Schema schema;

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    @BeforeClass
    public static void load() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("../conf/schema"))) {
            schema = Schema.load(files.sorted().toList());
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private StoreException refused(String... lines) throws IOException {
        Path file = folder.newFile().toPath();
        Files.write(file, List.of(lines));
        StoreException e = assertThrows(StoreException.class, () -> Schema.load(List.of(file)));
        assertEquals(StoreException.Kind.REFUSED, e.kind());
        assertTrue(e.getMessage(), e.getMessage().contains(file.toString()));
        return e;
    }

    private Schema loaded(String... lines) throws IOException {
        Path file = folder.newFile().toPath();
        Files.write(file, List.of(lines));
        return Schema.load(List.of(file));
    }

    @Test
    @Requirement(rfc = 4519, section = "2, 3", text = "Every attribute type and object class is there, by each of its names")
    public void everythingOfTheUserSchemaIsThere() {
        areThere(List.of("businessCategory", "c", "countryName", "cn", "commonName", "dc", "domainComponent", "description",
                "destinationIndicator", "distinguishedName", "dnQualifier", "enhancedSearchGuide", "facsimileTelephoneNumber",
                "generationQualifier", "givenName", "houseIdentifier", "initials", "internationalISDNNumber", "l", "localityName",
                "member", "name", "o", "organizationName", "ou", "organizationalUnitName", "owner", "physicalDeliveryOfficeName",
                "postalAddress", "postalCode", "postOfficeBox", "preferredDeliveryMethod", "registeredAddress", "roleOccupant",
                "searchGuide", "seeAlso", "serialNumber", "sn", "surname", "st", "street", "telephoneNumber",
                "teletexTerminalIdentifier", "telexNumber", "title", "uid", "userId", "uniqueMember", "userPassword",
                "x121Address", "x500UniqueIdentifier"),
                List.of("applicationProcess", "country", "dcObject", "device", "groupOfNames", "groupOfUniqueNames", "locality",
                        "organization", "organizationalPerson", "organizationalRole", "organizationalUnit", "person",
                        "residentialPerson", "uidObject"));
    }

    @Test
    @Requirement(rfc = 4524, section = "2, 3", text = "Every attribute type and object class is there, by each of its names")
    public void everythingOfTheCosineSchemaIsThere() {
        areThere(List.of("associatedDomain", "associatedName", "buildingName", "co", "friendlyCountryName", "documentAuthor",
                "documentIdentifier", "documentLocation", "documentPublisher", "documentTitle", "documentVersion", "drink",
                "favouriteDrink", "homePhone", "homeTelephoneNumber", "homePostalAddress", "host", "info", "mail",
                "RFC822Mailbox", "manager", "mobile", "mobileTelephoneNumber", "organizationalStatus", "pager",
                "pagerTelephoneNumber", "personalTitle", "roomNumber", "secretary", "uniqueIdentifier", "userClass"),
                List.of("account", "document", "documentSeries", "domain", "domainRelatedObject", "friendlyCountry",
                        "RFC822LocalPart", "room", "simpleSecurityObject"));
    }

    private void areThere(List<String> attributeTypes, List<String> objectClasses) {
        attributeTypes.forEach(name -> assertNotNull(name, schema.attributeType(name)));
        objectClasses.forEach(name -> assertNotNull(name, schema.objectClass(name)));
    }

    @Test
    public void whatClientsNeedIsThere() {
        for (String type : List.of("cn", "uid", "mail", "member", "uniqueMember", "memberOf", "memberUid", "uidNumber",
                "sudoUser", "sshPublicKey", "memberURL", "automountKey", "sambaSID", "pwdAccountLockedTime", "entryUUID",
                "entryDN", "numSubordinates", "hasSubordinates", "structuralObjectClass", "subschemaSubentry", "ldapSyntaxes",
                "matchingRuleUse", "jpegPhoto")) {
            assertNotNull(type, schema.attributeType(type));
        }
        for (String objectClass : List.of("inetOrgPerson", "groupOfNames", "posixAccount", "posixGroup", "sudoRole",
                "ldapPublicKey", "groupOfURLs", "automountMap", "sambaSamAccount", "pwdPolicy", "subschema", "extensibleObject",
                "alias", "referral")) {
            assertNotNull(objectClass, schema.objectClass(objectClass));
        }
        assertNull(schema.attributeType("nonsense"));
        assertNull(schema.objectClass("nonsense"));
        assertNull(schema.matchingRule("nopeMatch"));
    }

    @Test
    @Requirement(rfc = 4512, section = "2.5.1", text = "Attribute types inherit syntax and rules")
    public void typesInherit() {
        AttributeType cn = schema.attributeType("CommonName");
        assertSame(cn, schema.attributeType("2.5.4.3"));
        assertEquals("cn", cn.name());
        assertEquals(List.of("cn", "commonName"), cn.names());
        assertSame(schema.attributeType("name"), cn.superior());
        assertTrue(cn.isSubtypeOf(cn) && cn.isSubtypeOf(cn.superior()));
        assertFalse(cn.superior().isSubtypeOf(cn));
        assertTrue(cn.superior().withSubtypes().containsAll(Set.of(cn, cn.superior(), schema.attributeType("sn"))));
        assertFalse(cn.withSubtypes().contains(cn.superior()));
        AttributeType inheriting = schema.attributeType("dgIdentity");
        assertEquals("distinguishedNameMatch", inheriting.equality().name());
        assertEquals("1.3.6.1.4.1.1466.115.121.1.12", inheriting.syntaxOid());
        assertNull(schema.attributeType("jpegPhoto").equality());
        assertFalse(schema.attributeType("jpegPhoto").isHumanReadable());
        assertTrue(schema.attributeType("entryUUID").isOperational() && schema.attributeType("entryUUID").isNoUserModification());
        assertFalse(cn.isOperational() || cn.isSingleValue() || cn.isCollective());
        assertTrue(schema.attributeType("c-ou").isCollective());
    }

    @Test
    @Requirement(rfc = 4512, section = "2.4", text = "Object classes inherit what they require and allow")
    public void classesInherit() {
        ObjectClass person = schema.objectClass("inetorgperson");
        assertEquals(ObjectClass.Kind.STRUCTURAL, person.kind());
        assertTrue(person.must().containsAll(Set.of(schema.attributeType("sn"), schema.attributeType("objectClass"))));
        assertTrue(person.may().contains(schema.attributeType("telephoneNumber")));
        assertFalse(person.may().contains(schema.attributeType("sn")));
        assertTrue(person.isSubclassOf(schema.objectClass("top")) && person.isSubclassOf(person));
        assertEquals(ObjectClass.Kind.AUXILIARY, schema.objectClass("posixGroup").kind());
    }

    @Test
    public void descriptions() throws DirectoryException {
        AttributeDescription description = schema.description("CN;Lang-DE;x-a;lang-de");
        assertEquals(List.of("lang-de", "x-a"), description.options());
        assertEquals("CN;Lang-DE;x-a;lang-de", description.text());
        assertEquals(schema.description("2.5.4.3;X-A;LANG-de"), description);
        assertTrue(description.isSubtypeOf(schema.description("name;x-a")));
        assertFalse(schema.description("cn").isSubtypeOf(description));
        byte[] inside = bytes("..sn;x-none..");
        assertEquals("sn;x-none", schema.descriptionOrNull(inside, 2, 9).text());
        assertSame(schema.descriptionOrNull(inside, 2, 9), schema.descriptionOrNull("sn;x-none"));
        for (String bad : List.of("", "cn;", "cn;;a", "cn;a b", "c n", "nonsense", "cn;\u00e9", ";a")) {
            assertNull(bad, schema.descriptionOrNull(bad));
            assertEquals(ResultCode.UNDEFINED_ATTRIBUTE_TYPE,
                    assertThrows(bad, DirectoryException.class, () -> schema.description(bad)).resultCode());
        }
    }

    @Test
    @Requirement(rfc = 4517, section = "3", text = "Syntaxes are checked")
    public void syntaxes() {
        assertSyntax("cn", List.of("a", "\u00e9"), List.of(""));
        assertSyntax("mail", List.of("", "a@b"), List.of("\u00e9"));
        assertSyntax("c", List.of("DE"), List.of("D", "DEU", "D\u00e9"));
        assertSyntax("uidNumber", List.of("0", "-1"), List.of("", "01", "-0", "+1", "1 "));
        assertSyntax("pwdLockout", List.of("TRUE", "FALSE"), List.of("true", "1"));
        assertSyntax("member", List.of("cn=a", ""), List.of("a", "nope=a"));
        assertSyntax("uniqueMember", List.of("cn=a#'01'B", "cn=a"), List.of("cn=a,#'01'B"));
        assertSyntax("createTimestamp", List.of("20260101000000Z"), List.of("20260101", "20261301000000Z"));
        assertSyntax("objectClass", List.of("top", "2.5.6.0", "future"), List.of("", "2", "2.05", "to p"));
        assertSyntax("telephoneNumber", List.of("+1 408 555"), List.of("", "a@b"));
        assertSyntax("x500UniqueIdentifier", List.of("''B", "'01'B"), List.of("01", "'2'B", "'"));
        assertSyntax("entryUUID", List.of("597ae2f6-16a6-1027-98f4-d28b5365dc14"), List.of("597ae2f6"));
        assertSyntax("facsimileTelephoneNumber", List.of("+1 408 555"), List.of(""));
        assertFalse(schema.attributeType("cn").checkSyntax(new byte[] {(byte) 0xC3, 0x28}));
        assertFalse(schema.attributeType("jpegPhoto").checkSyntax(bytes("GIF89a")));
    }

    private static void assertSyntax(String type, List<String> good, List<String> bad) {
        good.forEach(value -> assertTrue(type + ": " + value, schema.attributeType(type).checkSyntax(bytes(value))));
        bad.forEach(value -> assertFalse(type + ": " + value, schema.attributeType(type).checkSyntax(bytes(value))));
    }

    @Test
    @Requirement(rfc = 4512, section = "4.1", text = "The published definitions have the grammar of the RFC")
    public void thePublishedSchemaParsesAgainAndIsClosed() throws Exception {
        Set<String> syntaxes = parse(new LdapSyntaxDescriptionSchemaParser(), schema.definitions(DefinitionKind.SYNTAX));
        Set<String> rules = parse(new MatchingRuleDescriptionSchemaParser(), schema.definitions(DefinitionKind.MATCHING_RULE));
        Set<String> types = parse(new AttributeTypeDescriptionSchemaParser(), schema.definitions(DefinitionKind.ATTRIBUTE_TYPE));
        Set<String> classes = parse(new ObjectClassDescriptionSchemaParser(), schema.definitions(DefinitionKind.OBJECT_CLASS));
        Set<String> used = parse(new MatchingRuleUseDescriptionSchemaParser(), schema.definitions(DefinitionKind.MATCHING_RULE_USE));
        assertTrue(rules.containsAll(used));
        for (MatchingRule rule : schema.matchingRules()) {
            assertTrue(rule.name(), syntaxes.contains(rule.syntaxOid()));
        }
        for (AttributeType type : schema.attributeTypes()) {
            assertPublished(type, "SUP", types);
            assertPublished(type, "EQUALITY", rules);
            assertPublished(type, "ORDERING", rules);
            assertPublished(type, "SUBSTR", rules);
            assertTrue(type.name(), syntaxes.contains(type.syntaxOid()));
        }
        for (ObjectClass objectClass : schema.objectClasses()) {
            assertTrue(objectClass.name(), classes.containsAll(lower(objectClass.definition().list("SUP"))));
            assertTrue(objectClass.name(), types.containsAll(lower(objectClass.definition().list("MUST"))));
            assertTrue(objectClass.name(), types.containsAll(lower(objectClass.definition().list("MAY"))));
        }
    }

    /** The OIDs and lower-case names of definitions that the LDAP API parses in its strict mode. */
    private static Set<String> parse(AbstractSchemaParser<? extends SchemaObject> parser, List<String> definitions)
            throws ParseException {
        parser.setQuirksMode(false);
        Set<String> names = new HashSet<>();
        for (String definition : definitions) {
            SchemaObject object = parser.parse(definition);
            names.add(object.getOid());
            names.addAll(lower(object.getNames()));
        }
        return names;
    }

    private static void assertPublished(AttributeType type, String keyword, Set<String> names) {
        assertTrue(type.name() + " " + keyword, names.containsAll(lower(type.definition().list(keyword))));
    }

    private static Set<String> lower(List<String> names) {
        return names.stream().map(name -> name.toLowerCase(Locale.ROOT)).collect(Collectors.toSet());
    }

    @Test
    public void filesMayBeWrittenAsOthersWriteThem() throws IOException {
        Schema own = loaded("dn: cn=mine,cn=schema,cn=config", "objectClass: olcSchemaConfig",
                "olcObjectClasses: {0}( 1.2.3.2 NAME 'box' SUP top STRUCTURAL", "  MUST boxName X-ORIGIN 'it\\27s mine' )",
                "# a comment", "attributeTypes:: " + java.util.Base64.getEncoder().encodeToString(
                        bytes("( 1.2.3.1 NAME 'boxName' SUP name SYNTAX '1.2.3.9{64}' )")),
                "ldapSyntaxes: ( 1.2.3.9 DESC 'Box' )");
        assertEquals("1.2.3.9", own.attributeType("boxname").syntaxOid());
        assertTrue(own.objectClass("box").must().contains(own.attributeType("boxName")));
    }

    /** Clients read what is published, and find other words in it, or none at all. */
    @Test
    public void refusesWhatIsNoNameOfADefinition() throws IOException {
        assertTrue(refused("objectClasses: ( 1.2.3 NAME 'a' MUST ( cn $ 'DESC two words' ) )").getMessage().contains("MUST \"DESC two"));
        assertTrue(refused("attributeTypes: ( 1.2.3 NAME 'a' SUP 1..2 )").getMessage().contains("SUP \"1..2\""));
        assertTrue(refused("attributeTypes: ( 1.2.3 NAME 'a' SYNTAX 1.3.6.1.4.1.1466.115.121.1.15{6+} )").getMessage().contains("{6+}"));
        assertTrue(refused("attributeTypes: ( 1.2.3 NAME 'a' SYNTAX 1.3.6.1.4.1.1466.115.121.1.15{64 )").getMessage().contains("{64"));
        assertTrue(refused("dITStructureRules: ( 2 FORM a SUP b )").getMessage().contains("SUP \"b\""));
    }

    @Test
    public void badFilesAreNamed() throws IOException {
        assertTrue(refused("attributeTypes: ( 1.2.3 NAME 'a' SYNTAX 1.9.9 )").getMessage().contains("1.9.9"));
        assertTrue(refused("attributeTypes: ( 1.2.3 NAME 'a' SUP nope )").getMessage().contains("nope"));
        assertTrue(refused("attributeTypes: ( 1.2.3 NAME 'a' EQUALITY nopeMatch )").getMessage().contains("nopeMatch"));
        assertTrue(refused("attributeTypes: ( 1.2.3 NAME 'a' SUP name SUBSTR caseIgnoreMatch )").getMessage().contains("SUBSTR"));
        assertTrue(refused("attributeTypes: ( 1.2.3 NAME 'a' )").getMessage().contains("SYNTAX or SUP"));
        assertTrue(refused("", "attributeTypes: ( 1.2.3 NAME 'cn' SUP name )").getMessage().contains("line 2"));
        assertTrue(refused("attributeTypes: ( 1.2.3 NAME 'a' SUP b )", "attributeTypes: ( 1.2.4 NAME 'b' SUP a )").getMessage()
                .contains("leads back"));
        assertTrue(refused("objectClasses: ( 1.2.3 NAME 'a' SUP nope )").getMessage().contains("nope"));
        assertTrue(refused("objectClasses: ( 1.2.3 NAME 'a' MUST nope )").getMessage().contains("nope"));
        for (String bad : List.of("1.2.3", "( )", "( x NAME 'a' )", "( 1.2.3 NAME 'a )", "( 1.2.3 NAME 'a'", "( 1.2.3 WHAT 'a' )",
                "( 1.2.3 NAME ) )", "( 1.2.3 NAME 'a' NAME 'b' )", "( 1.2.3 ) x", "")) {
            refused("attributeTypes: " + bad);
        }
        refused("attributeTypes:: ???");
        assertEquals(StoreException.Kind.IO,
                assertThrows(StoreException.class, () -> Schema.load(List.of(Path.of("no/such/file")))).kind());
    }
}
