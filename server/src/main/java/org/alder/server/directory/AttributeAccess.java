package org.alder.server.directory;

import org.alder.partition.schema.AttributeType;

/** Which attributes of an entry a client may see. Pure and thread safe: the answer for a type does not change. */
@FunctionalInterface
public interface AttributeAccess {
    /** Everything; compared by identity where whole entries can be copied. */
    AttributeAccess ALL = type -> true;

    boolean mayRead(AttributeType type);
}
