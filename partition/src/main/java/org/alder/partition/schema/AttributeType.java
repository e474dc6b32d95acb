package org.alder.partition.schema;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.alder.partition.schema.definition.Definition;
import org.alder.partition.schema.definition.DefinitionOrigin;
import org.alder.partition.schema.value.MatchingRule;
import org.alder.partition.schema.value.Syntax;

/**
 * An attribute type (RFC 4512 4.1.2). Thread safe. One object per type of a schema, so identity is equality; when a change of the
 * schema gives the type another definition, it is still this object.
 */
public final class AttributeType {
    private static final Set<String> VIRTUAL = Set.of(
            "2.5.18.12", // collectiveAttributeSubentries
            "1.3.6.1.4.1.4203.666.1.25", // contextCSN
            "1.3.6.1.1.20", // entryDN
            "2.16.840.1.113730.3.1.606", // entryUSN
            "2.5.21.10", // governingStructureRule
            "2.5.18.9", // hasSubordinates
            "1.2.840.113556.1.2.102", // memberOf
            "1.3.6.1.4.1.453.16.2.103", // numSubordinates
            "2.5.18.10"); // subschemaSubentry

    /** The three kinds of rule a type may name. */
    record Rules(MatchingRule equality, MatchingRule ordering, MatchingRule substring) {
    }

    /**
     * What a definition and those it refers to make of a type. Immutable.
     *
     * @param withSubtypes the type itself and all below it
     * @param spellings under what their attributes may be stored, in lower case
     */
    record Facts(Definition definition, AttributeType superior, Rules rules, Syntax syntax, boolean isOperational,
            boolean isVirtual, boolean isSecret, boolean isSingleValue, boolean isCollective, byte[] namePrefix,
            Set<AttributeType> withSubtypes, byte[][] spellings) {
        static Facts of(Definition definition, AttributeType superior, Rules rules, Syntax syntax,
                Set<AttributeType> withSubtypes, Stream<Definition> below) {
            String name = definition.primaryName().toLowerCase(Locale.ROOT);
            byte[][] spellings = below.flatMap(each -> Stream.concat(each.names().stream(), Stream.of(each.oid()))).distinct()
                    .map(each -> each.toLowerCase(Locale.ROOT).getBytes(StandardCharsets.US_ASCII)).toArray(byte[][]::new);
            return new Facts(definition, superior, rules, syntax,
                    AttributeType.isOperational(definition), VIRTUAL.contains(definition.oid()),
                    superior != null && superior.isSecret() || SecretTypes.has(definition),
                    definition.has("SINGLE-VALUE"), definition.has("COLLECTIVE"), (name + '=').getBytes(StandardCharsets.UTF_8),
                    withSubtypes, spellings);
        }
    }

    private final String oid;
    /** Set before the schema that has the type is seen by anybody, and with each change of the schema. */
    private volatile Facts facts;

    AttributeType(String oid) {
        this.oid = oid;
    }

    static boolean isOperational(Definition definition) {
        return definition.has("USAGE") && !definition.single("USAGE").equalsIgnoreCase("userApplications");
    }

    void become(Facts other) {
        facts = other;
    }

    Facts facts() {
        return facts;
    }

    Definition definition() {
        return facts.definition;
    }

    Syntax syntax() {
        return facts.syntax;
    }

    /** How an AVA of this type starts in an RDN's normal form. Shared. */
    byte[] namePrefix() {
        return facts.namePrefix;
    }

    public String oid() {
        return oid;
    }

    /** The primary spelling: the first name, or the OID if there is none. */
    public String name() {
        return facts.definition.primaryName();
    }

    public List<String> names() {
        return facts.definition.names();
    }

    /** @return null if there is none */
    public AttributeType superior() {
        return facts.superior;
    }

    /** Own or inherited. @return null if there is none */
    public MatchingRule equality() {
        return facts.rules.equality;
    }

    /** Own or inherited. @return null if there is none */
    public MatchingRule ordering() {
        return facts.rules.ordering;
    }

    /** Own or inherited. @return null if there is none */
    public MatchingRule substring() {
        return facts.rules.substring;
    }

    public String syntaxOid() {
        return facts.syntax.oid();
    }

    /** What messages call it, such as {@code Directory String}. */
    public String syntaxName() {
        return facts.syntax.description();
    }

    public boolean isSingleValue() {
        return facts.isSingleValue;
    }

    /** Whether the usage is another than userApplications. */
    public boolean isOperational() {
        return facts.isOperational;
    }

    /** Whether values are worked out when they are asked for, and never stored. */
    public boolean isVirtual() {
        return facts.isVirtual;
    }

    /**
     * Whether values are passwords, keys or what proves an identity instead of them, so that nobody but an administrator may see
     * them or find entries by them. So is each subtype of a secret type.
     */
    public boolean isSecret() {
        return facts.isSecret;
    }

    public boolean isNoUserModification() {
        return facts.definition.has("NO-USER-MODIFICATION");
    }

    public boolean isCollective() {
        return facts.isCollective;
    }

    /** Whether the definition is part of the server, so that only another release can change it. */
    public boolean isBuiltIn() {
        return facts.definition.origin().layer() == DefinitionOrigin.Layer.BUILT_IN;
    }

    /** Whether values are text that a person may be shown. */
    public boolean isHumanReadable() {
        return facts.syntax.isHumanReadable();
    }

    /** Whether values name entries: the syntax is DN or Name And Optional UID. */
    public boolean holdsNames() {
        return facts.syntax.holdsNames();
    }

    /** Reflexive. */
    public boolean isSubtypeOf(AttributeType other) {
        AttributeType type = this;
        while (type != null && type != other) {
            type = type.facts.superior;
        }
        return type != null;
    }

    /** This type and all types below it. */
    public Set<AttributeType> withSubtypes() {
        return facts.withSubtypes;
    }

    /** Under what its and its subtypes' attributes may be stored, in lower case: all names and OIDs. Shared, not changed. */
    public byte[][] spellings() {
        return facts.spellings;
    }

    /** Whether a value has the type's syntax. */
    public boolean checkSyntax(byte[] value) {
        return facts.syntax.check().test(value);
    }

    @Override
    public String toString() {
        return name();
    }
}
