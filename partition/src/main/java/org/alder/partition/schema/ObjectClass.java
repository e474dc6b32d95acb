package org.alder.partition.schema;

import java.util.List;
import java.util.Set;

/** An object class (RFC 4512 4.1.1). Immutable, thread safe, one object per class of a schema, so identity is equality. */
public final class ObjectClass {
    /** RFC 4512 2.4. */
    public enum Kind {
        ABSTRACT, STRUCTURAL, AUXILIARY
    }

    private ObjectClass() {
    }

    public String oid() {
        throw new UnsupportedOperationException();
    }

    /** The primary spelling: the first name, or the OID if there is none. */
    public String name() {
        throw new UnsupportedOperationException();
    }

    public List<String> names() {
        throw new UnsupportedOperationException();
    }

    public Kind kind() {
        throw new UnsupportedOperationException();
    }

    /** The direct superclasses. */
    public List<ObjectClass> superiors() {
        throw new UnsupportedOperationException();
    }

    /** All superclasses, without this class. */
    public Set<ObjectClass> allSuperiors() {
        throw new UnsupportedOperationException();
    }

    /** Required attributes, inherited ones included. */
    public Set<AttributeType> must() {
        throw new UnsupportedOperationException();
    }

    /** Allowed attributes that are not required, inherited ones included. */
    public Set<AttributeType> may() {
        throw new UnsupportedOperationException();
    }

    /** Reflexive. */
    public boolean isSubclassOf(ObjectClass other) {
        throw new UnsupportedOperationException();
    }
}
