package org.alder.partition.schema;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** An object class (RFC 4512 4.1.1). Immutable, thread safe, one object per class of a schema, so identity is equality. */
public final class ObjectClass {
    /** RFC 4512 2.4. */
    public enum Kind {
        ABSTRACT, STRUCTURAL, AUXILIARY
    }

    private final Definition definition;
    private final List<ObjectClass> superiors;
    private final Set<ObjectClass> allSuperiors = new LinkedHashSet<>();
    private final Set<AttributeType> must;
    private final Set<AttributeType> may;

    ObjectClass(Definition definition, List<ObjectClass> superiors, Set<AttributeType> ownMust, Set<AttributeType> ownMay) {
        this.definition = definition;
        this.superiors = List.copyOf(superiors);
        Set<AttributeType> required = new LinkedHashSet<>(ownMust);
        Set<AttributeType> allowed = new LinkedHashSet<>(ownMay);
        for (ObjectClass superior : superiors) {
            allSuperiors.add(superior);
            allSuperiors.addAll(superior.allSuperiors);
            required.addAll(superior.must);
            allowed.addAll(superior.may);
        }
        allowed.removeAll(required);
        must = Collections.unmodifiableSet(required);
        may = Collections.unmodifiableSet(allowed);
    }

    Definition definition() {
        return definition;
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

    /** STRUCTURAL if the definition does not say. */
    public Kind kind() {
        return definition.has("ABSTRACT") ? Kind.ABSTRACT : definition.has("AUXILIARY") ? Kind.AUXILIARY : Kind.STRUCTURAL;
    }

    /** The direct superclasses. */
    public List<ObjectClass> superiors() {
        return superiors;
    }

    /** All superclasses, without this class. */
    public Set<ObjectClass> allSuperiors() {
        return Collections.unmodifiableSet(allSuperiors);
    }

    /** Required attributes, inherited ones included. */
    public Set<AttributeType> must() {
        return must;
    }

    /** Allowed attributes that are not required, inherited ones included. */
    public Set<AttributeType> may() {
        return may;
    }

    /** Reflexive. */
    public boolean isSubclassOf(ObjectClass other) {
        return this == other || allSuperiors.contains(other);
    }

    @Override
    public String toString() {
        return name();
    }
}
