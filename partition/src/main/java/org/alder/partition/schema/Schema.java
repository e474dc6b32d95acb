package org.alder.partition.schema;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.StoreException;
import org.alder.partition.schema.definition.Definition;
import org.alder.partition.schema.definition.DefinitionKind;
import org.alder.partition.schema.definition.DefinitionOrigin;
import org.alder.partition.schema.definition.OidMacros;
import org.alder.partition.schema.definition.OnlineSchemaFile;
import org.alder.partition.schema.definition.SchemaFile;
import org.alder.partition.schema.value.MatchingRule;
import org.alder.partition.schema.value.MatchingRules;
import org.alder.partition.schema.value.Syntax;
import org.alder.partition.schema.value.Syntaxes;
import org.slf4j.LoggerFactory;

/**
 * The attribute types, object classes, matching rules and syntaxes the server knows. Thread safe. Built once per start; from then
 * on {@link #edit} changes it, under whoever has it: types and classes stay the objects they are, and get other definitions.
 *
 * <p>The standard definitions lie beside {@link SchemaFile} in RFC 4512's form; their content is the Apache Directory LDAP API's.
 * They are not loaded through its DefaultSchemaManager, which takes 0.7 s at each start of a command and needs ApacheDS' own
 * schemas.
 */
public final class Schema {
    /** The DN of the subschema subentry, and the value of subschemaSubentry in every entry (RFC 4512 4.2). */
    public static final String SUBSCHEMA_DN = "cn=schema";

    private static final List<String> BUILT_IN = List.of("system.ldif", "core.ldif", "cosine.ldif", "inetorgperson.ldif",
            "collective.ldif", "java.ldif", "corba.ldif", "krb5kdc.ldif", "pwdpolicy.ldif");

    private final List<MatchingRule> rules;
    private final List<Syntax> knownSyntaxes;
    private volatile SchemaTables tables;

    private Schema(List<Definition> definitions) {
        List<MatchingRule> names = NameRule.all(this);
        rules = MatchingRules.of(this::oidBytes, names);
        knownSyntaxes = Syntaxes.of(names.get(0), names.get(1), value -> SubtreeForm.isOne(this, value));
        SchemaBuilder builder = new SchemaBuilder(rules, knownSyntaxes, null);
        builder.add(definitions);
        builder.link().adopt();
        // Not in a field: to make the first logger takes half a second of a command's time, and there is rarely a notice.
        builder.notices().forEach(notice -> LoggerFactory.getLogger(Schema.class).warn(notice));
        tables = new SchemaTables(this, 1, builder);
    }

    /**
     * Loads the standard schemas and then the definitions of files, which may refer to each other in any order. A definition that
     * is there already is passed over; a warning says so if it means something else, since the first one holds.
     *
     * @param files LDIF with {@code attributeTypes:}, {@code objectClasses:} and other values of a subschema subentry (RFC 4512
     *     4.2) or of OpenLDAP's configuration; or, where the name ends in .schema, OpenLDAP's directives
     * @throws StoreException IO if a file cannot be read, REFUSED if a definition is malformed, refers to something undefined, or
     *     gives a name another OID or an OID other names; the message names file, line and definition
     */
    public static Schema load(List<Path> files) {
        return load(files, null);
    }

    /**
     * As {@link #load(List)}, with the definitions that were added online.
     *
     * @param online the file of those, as {@link SchemaRevision#onlineFile} makes it; null or a file that is not there for none
     * @throws StoreException also CORRUPT if that file is not as it was written
     */
    public static Schema load(List<Path> files, Path online) {
        List<Definition> definitions = new ArrayList<>();
        BUILT_IN.forEach(resource -> definitions.addAll(SchemaFile.builtIn(resource)));
        OidMacros macros = new OidMacros();
        files.forEach(path -> definitions.addAll(SchemaFile.read(DefinitionOrigin.Layer.FILE, path, macros)));
        if (online != null && Files.exists(online)) {
            definitions.addAll(OnlineSchemaFile.read(online));
        }
        return new Schema(definitions);
    }

    /**
     * Takes what was added online or taken away since this was loaded, for who reads the data beside their server. Nobody may go by this schema meanwhile.
     *
     * @param online the file, as there
     * @return whether there was anything
     * @throws StoreException naming the file, if it cannot be read, or does not fit what else there is
     */
    public boolean readAgain(Path online) {
        SchemaEdit edit = edit();
        try {
            edit.replaceOnline(Files.exists(online) ? OnlineSchemaFile.read(online) : List.of());
            SchemaRevision revision = edit.revise();
            boolean isNew = !Arrays.equals(revision.onlineFile(), revision.onlineFileBefore());
            if (isNew) {
                revision.adopt();
            }
            return isNew;
        } catch (DirectoryException e) {
            throw new StoreException(StoreException.Kind.REFUSED, online + ": " + e.getMessage(), e);
        }
    }

    /** Grows with each change: what was checked under another version is to be checked again. */
    public long version() {
        return tables.version;
    }

    /** A change of the definitions, which starts from what they are now. One change at a time. */
    public SchemaEdit edit() {
        return new SchemaEdit(this, tables);
    }

    SchemaBuilder builder(SchemaTables before) {
        return new SchemaBuilder(rules, knownSyntaxes, before);
    }

    void adopt(SchemaTables before, SchemaBuilder builder) {
        if (tables != before) {
            throw new IllegalStateException("the schema has been changed since");
        }
        builder.adopt();
        tables = new SchemaTables(this, before.version + 1, builder);
    }

    /** @return null if unknown */
    public AttributeType attributeType(String nameOrOid) {
        return tables.typesByName.get(nameOrOid);
    }

    AttributeType attributeType(String text, int from, int to) {
        return tables.typesByName.get(text, from, to);
    }

    /** The OID of a type, class or matching rule; shared. @return null if unknown */
    byte[] oidBytes(byte[] name) {
        return tables.oidsByName.get(name, 0, name.length);
    }

    /** @throws DirectoryException undefinedAttributeType if the type is unknown or the text is no attribute description */
    public AttributeDescription description(String text) throws DirectoryException {
        AttributeDescription known = descriptionOrNull(text);
        return known == null ? AttributeDescription.parse(this, text) : known;
    }

    /** @return null if the type is unknown or the text is no attribute description */
    public AttributeDescription descriptionOrNull(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        return tables.descriptions.get(utf8, 0, utf8.length);
    }

    /** As {@link #descriptionOrNull(String)}, for the hot paths: a spelling seen before costs one look-up and no garbage. */
    public AttributeDescription descriptionOrNull(byte[] utf8, int offset, int length) {
        return tables.descriptions.get(utf8, offset, length);
    }

    /** @return null if unknown */
    public ObjectClass objectClass(String nameOrOid) {
        return tables.classesByName.get(nameOrOid);
    }

    /** @return null if unknown */
    public ObjectClass objectClass(byte[] nameOrOid) {
        return tables.classesByName.get(nameOrOid, 0, nameOrOid.length);
    }

    /** @return null if unknown or not implemented */
    public MatchingRule matchingRule(String nameOrOid) {
        return tables.rulesByName.get(nameOrOid);
    }

    public Collection<AttributeType> attributeTypes() {
        return tables.attributeTypes;
    }

    public Collection<ObjectClass> objectClasses() {
        return tables.objectClasses;
    }

    public Collection<MatchingRule> matchingRules() {
        return tables.matchingRules;
    }

    /** Values of the attribute of the subschema subentry that holds this kind (RFC 4512 4.2). */
    public List<String> definitions(DefinitionKind kind) {
        return switch (kind) {
            case SYNTAX -> tables.syntaxes.stream().map(Syntax::definition).toList();
            case MATCHING_RULE -> matchingRuleDefinitions();
            case MATCHING_RULE_USE -> matchingRuleUseDefinitions();
            default -> tables.definitions.stream().filter(definition -> definition.kind() == kind).map(Definition::text).toList();
        };
    }

    /** Those that were added online, in the order of their file. */
    public List<Definition> onlineDefinitions() {
        return tables.definitions.stream().filter(definition -> definition.origin().layer() == DefinitionOrigin.Layer.ONLINE).toList();
    }

    /** What an entry of this structural class may hold; null if no rule says anything. */
    ContentRule contentRule(ObjectClass structural) {
        return tables.contentRules.get(structural);
    }

    /** The name forms and structure rules. */
    public NamingRules namingRules() {
        return tables.namingRules;
    }

    private List<String> matchingRuleDefinitions() {
        return tables.matchingRules.stream()
                .map(rule -> "( " + rule.oid() + " NAME '" + rule.name() + "' SYNTAX " + rule.syntaxOid() + " )")
                .toList();
    }

    /** RFC 4512 4.2.4: the rules that attribute types name, with those types. */
    private List<String> matchingRuleUseDefinitions() {
        Map<MatchingRule, Set<String>> uses = new LinkedHashMap<>();
        tables.matchingRules.forEach(rule -> uses.put(rule, new TreeSet<>()));
        for (AttributeType type : tables.attributeTypes) {
            Stream.of(type.equality(), type.ordering(), type.substring()).filter(Objects::nonNull)
                    .forEach(rule -> uses.get(rule).add(type.name()));
        }
        return uses.entrySet().stream().filter(use -> !use.getValue().isEmpty()).map(use -> "( " + use.getKey().oid() + " NAME '"
                + use.getKey().name() + "' APPLIES ( " + String.join(" $ ", use.getValue()) + " ) )").toList();
    }
}
