package org.alder.partition.schema;

import java.util.List;

/** An attribute type with options (RFC 4512 2.5), such as {@code cn;lang-de}. Immutable, thread safe; equal if type and options are. */
public final class AttributeDescription {
    private AttributeDescription() {
    }

    public AttributeType type() {
        throw new UnsupportedOperationException();
    }

    /** Lower-case, sorted, without repetitions. */
    public List<String> options() {
        throw new UnsupportedOperationException();
    }

    /** As it was spelt. */
    public String text() {
        throw new UnsupportedOperationException();
    }

    /** RFC 4512 2.5.2: the type is the other's or below it, and the options include the other's. Reflexive. */
    public boolean isSubtypeOf(AttributeDescription other) {
        throw new UnsupportedOperationException();
    }
}
