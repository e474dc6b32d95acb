package org.alder.partition.schema;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.alder.partition.schema.definition.Definition;

/**
 * An object class (RFC 4512 4.1.1). Thread safe. One object per class of a schema, so identity is equality; when a change of the
 * schema gives the class another definition, it is still this object.
 */
public final class ObjectClass {
    /** RFC 4512 2.4. */
    public enum Kind {
        ABSTRACT, STRUCTURAL, AUXILIARY
    }

    /**
     * What a definition and those it refers to make of a class. Immutable.
     *
     * @param superiors the direct ones
     * @param must inherited ones included
     * @param may inherited ones included, without those that are required
     */
    record Facts(Definition definition, List<ObjectClass> superiors, Set<ObjectClass> allSuperiors, Set<AttributeType> must,
            Set<AttributeType> may) {
        /** @param superiors with what they will be once the schema is that which the definition is from */
        static Facts of(Definition definition, List<ObjectClass> superiors, List<Facts> superiorFacts,
                Set<AttributeType> ownMust, Set<AttributeType> ownMay) {
            Set<ObjectClass> all = new LinkedHashSet<>();
            Set<AttributeType> required = new LinkedHashSet<>(ownMust);
            Set<AttributeType> allowed = new LinkedHashSet<>(ownMay);
            for (int i = 0; i < superiors.size(); i++) {
                all.add(superiors.get(i));
                all.addAll(superiorFacts.get(i).allSuperiors);
                required.addAll(superiorFacts.get(i).must);
                allowed.addAll(superiorFacts.get(i).may);
            }
            allowed.removeAll(required);
            return new Facts(definition, List.copyOf(superiors), Collections.unmodifiableSet(all),
                    Collections.unmodifiableSet(required), Collections.unmodifiableSet(allowed));
        }

        Kind kind() {
            return ObjectClass.kind(definition);
        }

        boolean standsAlone() {
            return definition.list(STANDS_ALONE).contains("TRUE");
        }
    }

    private static final String EXTENSIBLE_OBJECT = "1.3.6.1.4.1.1466.101.120.111";
    private static final String STANDS_ALONE = "X-STANDS-ALONE";

    private final String oid;
    /** Set before the schema that has the class is seen by anybody, and with each change of the schema. */
    private volatile Facts facts;

    ObjectClass(String oid) {
        this.oid = oid;
    }

    static Kind kind(Definition definition) {
        return definition.has("ABSTRACT") ? Kind.ABSTRACT : definition.has("AUXILIARY") ? Kind.AUXILIARY : Kind.STRUCTURAL;
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

    /** STRUCTURAL if the definition does not say. */
    public Kind kind() {
        return facts.kind();
    }

    /** Whether entries of it may have every user attribute: extensibleObject (RFC 4512 4.3) or a class below it. */
    public boolean allowsAllUserAttributes() {
        return oid.equals(EXTENSIBLE_OBJECT)
                || facts.allSuperiors.stream().anyMatch(superior -> superior.oid.equals(EXTENSIBLE_OBJECT));
    }

    /**
     * Whether this auxiliary class is the structural one of an entry that has no other: {@code X-STANDS-ALONE 'TRUE'} in its
     * definition. RFC 2307's posixGroup is structural and that of its successors is auxiliary, and entries of both are in use.
     */
    public boolean standsAlone() {
        return facts.standsAlone();
    }

    /** The direct superclasses. */
    public List<ObjectClass> superiors() {
        return facts.superiors;
    }

    /** All superclasses, without this class. */
    public Set<ObjectClass> allSuperiors() {
        return facts.allSuperiors;
    }

    /** Required attributes, inherited ones included. */
    public Set<AttributeType> must() {
        return facts.must;
    }

    /** Allowed attributes that are not required, inherited ones included. */
    public Set<AttributeType> may() {
        return facts.may;
    }

    /** Reflexive. */
    public boolean isSubclassOf(ObjectClass other) {
        return this == other || facts.allSuperiors.contains(other);
    }

    @Override
    public String toString() {
        return name();
    }
}
