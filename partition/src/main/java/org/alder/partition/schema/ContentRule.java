package org.alder.partition.schema;

import java.util.Set;
import org.alder.partition.schema.definition.Definition;

/**
 * What entries of a structural class may hold beyond its definition, and what they may not (RFC 4512 4.1.6). Immutable, thread
 * safe.
 *
 * @param auxiliaries the only auxiliary classes that entries may be of
 * @param not optional attributes of the classes that entries may not have all the same
 */
record ContentRule(Definition definition, ObjectClass objectClass, Set<ObjectClass> auxiliaries, Set<AttributeType> must,
        Set<AttributeType> may, Set<AttributeType> not) {
    @Override
    public String toString() {
        return definition.primaryName();
    }
}
