package org.alder.partition.filter;

import org.alder.partition.schema.AttributeType;

/**
 * Which attributes of an entry somebody may know of. Pure and thread safe: the answer for a type does not change. Rights that are
 * the same are one object, so that what was worked out for it is known again by identity.
 */
@FunctionalInterface
public interface AttributeAccess {
    /** Everything; compared by identity where whole entries can be copied. */
    AttributeAccess ALL = type -> true;
    /** Everything but passwords, keys and their like. */
    AttributeAccess ALL_BUT_SECRETS = type -> !type.isSecret();
    /** Nothing, not even that there is an entry; compared by identity. */
    AttributeAccess NONE = type -> false;

    /** Whether values may be returned. */
    boolean mayRead(AttributeType type);

    /** Whether filters, assertions and sort orders may use values. */
    default boolean maySearch(AttributeType type) {
        return mayRead(type);
    }

    /** Whether filters, assertions and sort orders may use all values. */
    default boolean maySearchAll(AttributeType type) {
        return maySearch(type) && searchable(type) == null;
    }

    /** Which values of an attribute that may be read are returned; null for all. */
    default ValueTest readable(AttributeType type) {
        return null;
    }

    /** Which values of an attribute that may be searched are used; null for all. */
    default ValueTest searchable(AttributeType type) {
        return null;
    }
}
