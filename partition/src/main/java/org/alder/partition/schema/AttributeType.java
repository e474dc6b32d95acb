package org.alder.partition.schema;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/** An attribute type (RFC 4512 4.1.2). Immutable, thread safe, one object per type of a schema, so identity is equality. */
public final class AttributeType {
    private static final Set<String> VIRTUAL = Set.of("entrydn", "hassubordinates", "memberof", "numsubordinates",
            "subschemasubentry");

    /** The three kinds of rule a type may name. */
    record Rules(MatchingRule equality, MatchingRule ordering, MatchingRule substring) {
    }

    private final Definition definition;
    private final AttributeType superior;
    private final Rules rules;
    private final Syntax syntax;
    private final byte[] namePrefix;
    private final boolean isSingleValue;
    private final boolean isOperational;
    private final boolean isVirtual;
    private final Set<AttributeType> withSubtypes = new LinkedHashSet<>();
    private final Set<AttributeType> subtypesView = Collections.unmodifiableSet(withSubtypes);
    /** Made when first asked for, because subtypes come later; more than once if several threads are first. */
    private volatile byte[][] spellings;

    /** Made in superior-first order while a schema is built; each type enters itself into its superiors' subtypes. */
    AttributeType(Definition definition, AttributeType superior, Rules rules, Syntax syntax) {
        this.definition = definition;
        this.superior = superior;
        this.rules = rules;
        this.syntax = syntax;
        this.namePrefix = (name().toLowerCase(Locale.ROOT) + '=').getBytes(StandardCharsets.UTF_8);
        this.isSingleValue = definition.has("SINGLE-VALUE");
        String usage = definition.single("USAGE");
        this.isOperational = usage != null && !usage.equalsIgnoreCase("userApplications");
        this.isVirtual = VIRTUAL.contains(name().toLowerCase(Locale.ROOT));
        for (AttributeType type = this; type != null; type = type.superior) {
            type.withSubtypes.add(this);
        }
    }

    Definition definition() {
        return definition;
    }

    Rules rules() {
        return rules;
    }

    Syntax syntax() {
        return syntax;
    }

    /** How an AVA of this type starts in an RDN's normal form. Shared. */
    byte[] namePrefix() {
        return namePrefix;
    }

    public String oid() {
        return definition.oid();
    }

    /** The primary spelling: the first name, or the OID if there is none. */
    public String name() {
        return definition.primaryName();
    }

    public List<String> names() {
        return definition.names();
    }

    /** @return null if there is none */
    public AttributeType superior() {
        return superior;
    }

    /** Own or inherited. @return null if there is none */
    public MatchingRule equality() {
        return rules.equality;
    }

    /** Own or inherited. @return null if there is none */
    public MatchingRule ordering() {
        return rules.ordering;
    }

    /** Own or inherited. @return null if there is none */
    public MatchingRule substring() {
        return rules.substring;
    }

    public String syntaxOid() {
        return syntax.oid();
    }

    public boolean isSingleValue() {
        return isSingleValue;
    }

    /** Whether the usage is another than userApplications. */
    public boolean isOperational() {
        return isOperational;
    }

    /** Whether values are worked out when they are asked for, and never stored. */
    public boolean isVirtual() {
        return isVirtual;
    }

    public boolean isNoUserModification() {
        return definition.has("NO-USER-MODIFICATION");
    }

    public boolean isCollective() {
        return definition.has("COLLECTIVE");
    }

    /** Whether values are text that a person may be shown. */
    public boolean isHumanReadable() {
        return syntax.isHumanReadable();
    }

    /** Reflexive. */
    public boolean isSubtypeOf(AttributeType other) {
        AttributeType type = this;
        while (type != null && type != other) {
            type = type.superior;
        }
        return type != null;
    }

    /** This type and all types below it. */
    public Set<AttributeType> withSubtypes() {
        return subtypesView;
    }

    /** Under what its and its subtypes' attributes may be stored, in lower case: all names and OIDs. Shared, not to be changed. */
    public byte[][] spellings() {
        byte[][] known = spellings;
        if (known == null) {
            known = withSubtypes.stream().flatMap(type -> Stream.concat(type.names().stream(), Stream.of(type.oid()))).distinct()
                    .map(name -> name.toLowerCase(Locale.ROOT).getBytes(StandardCharsets.US_ASCII)).toArray(byte[][]::new);
            spellings = known;
        }
        return known;
    }

    /** Whether a value has the type's syntax. */
    public boolean checkSyntax(byte[] value) {
        return syntax.check().test(value);
    }

    @Override
    public String toString() {
        return name();
    }
}
