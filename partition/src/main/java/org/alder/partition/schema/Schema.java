package org.alder.partition.schema;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.StoreException;

/**
 * The attribute types, object classes, matching rules and syntaxes the server knows. Immutable, thread safe, built once per
 * start.
 *
 * <p>The standard definitions lie beside this class in RFC 4512's form; their content is the Apache Directory LDAP API's. They
 * are not loaded through its DefaultSchemaManager, which takes 0.7 s at each start of a command and needs ApacheDS' own schemas.
 */
public final class Schema {
    /** The DN of the subschema subentry, and the value of subschemaSubentry in every entry (RFC 4512 4.2). */
    public static final String SUBSCHEMA_DN = "cn=schema";

    private static final List<String> BUILT_IN = List.of("system.ldif", "core.ldif", "cosine.ldif", "inetorgperson.ldif",
            "collective.ldif", "java.ldif", "corba.ldif", "krb5kdc.ldif", "pwdpolicy.ldif");

    private final List<AttributeType> attributeTypes;
    private final List<ObjectClass> objectClasses;
    private final List<MatchingRule> matchingRules;
    private final List<Syntax> syntaxes;
    private final NameTable<AttributeType> typesByName;
    private final NameTable<ObjectClass> classesByName;
    private final NameTable<MatchingRule> rulesByName;
    private final NameTable<byte[]> oidsByName;
    private final DescriptionCache descriptions = new DescriptionCache(this);

    private Schema(List<Path> ldifFiles) {
        SchemaBuilder builder = new SchemaBuilder(this);
        BUILT_IN.forEach(resource -> builder.add(SchemaFile.builtIn(resource)));
        ldifFiles.forEach(path -> builder.add(SchemaFile.read(path)));
        builder.link();
        attributeTypes = List.copyOf(builder.typeList);
        objectClasses = List.copyOf(builder.classList);
        matchingRules = List.copyOf(new LinkedHashSet<>(builder.rules.values()));
        syntaxes = List.copyOf(builder.syntaxes.values());
        typesByName = new NameTable<>(builder.types);
        classesByName = new NameTable<>(builder.classes);
        rulesByName = new NameTable<>(builder.rules);
        oidsByName = new NameTable<>(oids(builder));
    }

    /** Where a class and a type share a name, objectIdentifierMatch means the class. */
    private static Map<String, byte[]> oids(SchemaBuilder builder) {
        Map<String, String> oids = new HashMap<>();
        builder.rules.forEach((name, rule) -> oids.put(name, rule.oid()));
        builder.types.forEach((name, type) -> oids.put(name, type.oid()));
        builder.classes.forEach((name, objectClass) -> oids.put(name, objectClass.oid()));
        Map<String, byte[]> bytes = new HashMap<>();
        oids.forEach((name, oid) -> bytes.put(name, oid.getBytes(StandardCharsets.US_ASCII)));
        return bytes;
    }

    /**
     * Loads the standard schemas and then the definitions of LDIF files, which may refer to each other in any order.
     *
     * @param ldifFiles files with {@code attributeTypes:}, {@code objectClasses:} and {@code ldapSyntaxes:} values (RFC 4512 4.1)
     * @throws StoreException IO if a file cannot be read, REFUSED if a definition is malformed, refers to something undefined, or
     *     defines a name or OID again; the message names file, line and definition
     */
    public static Schema load(List<Path> ldifFiles) {
        return new Schema(ldifFiles);
    }

    /** @return null if unknown */
    public AttributeType attributeType(String nameOrOid) {
        return typesByName.get(nameOrOid);
    }

    AttributeType attributeType(String text, int from, int to) {
        return typesByName.get(text, from, to);
    }

    /** The OID of a type, class or matching rule; shared. @return null if unknown */
    byte[] oidBytes(byte[] name) {
        return oidsByName.get(name, 0, name.length);
    }

    /** @throws DirectoryException undefinedAttributeType if the type is unknown or the text is no attribute description */
    public AttributeDescription description(String text) throws DirectoryException {
        AttributeDescription known = descriptionOrNull(text);
        return known == null ? AttributeDescription.parse(this, text) : known;
    }

    /** @return null if the type is unknown or the text is no attribute description */
    public AttributeDescription descriptionOrNull(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        return descriptions.get(utf8, 0, utf8.length);
    }

    /** As {@link #descriptionOrNull(String)}, for the hot paths: a spelling seen before costs one look-up and no garbage. */
    public AttributeDescription descriptionOrNull(byte[] utf8, int offset, int length) {
        return descriptions.get(utf8, offset, length);
    }

    /** @return null if unknown */
    public ObjectClass objectClass(String nameOrOid) {
        return classesByName.get(nameOrOid);
    }

    /** @return null if unknown */
    public ObjectClass objectClass(byte[] nameOrOid) {
        return classesByName.get(nameOrOid, 0, nameOrOid.length);
    }

    /** @return null if unknown or not implemented */
    public MatchingRule matchingRule(String nameOrOid) {
        return rulesByName.get(nameOrOid);
    }

    public Collection<AttributeType> attributeTypes() {
        return attributeTypes;
    }

    public Collection<ObjectClass> objectClasses() {
        return objectClasses;
    }

    public Collection<MatchingRule> matchingRules() {
        return matchingRules;
    }

    /** Values of {@code attributeTypes} (RFC 4512 4.2.2). */
    public List<String> attributeTypeDefinitions() {
        return attributeTypes.stream().map(type -> type.definition().text()).toList();
    }

    /** Values of {@code objectClasses} (RFC 4512 4.2.1). */
    public List<String> objectClassDefinitions() {
        return objectClasses.stream().map(objectClass -> objectClass.definition().text()).toList();
    }

    /** Values of {@code matchingRules} (RFC 4512 4.2.3). */
    public List<String> matchingRuleDefinitions() {
        return matchingRules.stream()
                .map(rule -> "( " + rule.oid() + " NAME '" + rule.name() + "' SYNTAX " + rule.syntaxOid() + " )")
                .toList();
    }

    /** Values of {@code matchingRuleUse} (RFC 4512 4.2.4): the rules that attribute types name, with those types. */
    public List<String> matchingRuleUseDefinitions() {
        Map<MatchingRule, Set<String>> uses = new LinkedHashMap<>();
        matchingRules.forEach(rule -> uses.put(rule, new TreeSet<>()));
        for (AttributeType type : attributeTypes) {
            Stream.of(type.equality(), type.ordering(), type.substring()).filter(Objects::nonNull)
                    .forEach(rule -> uses.get(rule).add(type.name()));
        }
        return uses.entrySet().stream().filter(use -> !use.getValue().isEmpty()).map(use -> "( " + use.getKey().oid() + " NAME '"
                + use.getKey().name() + "' APPLIES ( " + String.join(" $ ", use.getValue()) + " ) )").toList();
    }

    /** Values of {@code ldapSyntaxes} (RFC 4512 4.2.5). */
    public List<String> syntaxDefinitions() {
        return syntaxes.stream().map(Syntax::definition).toList();
    }
}
