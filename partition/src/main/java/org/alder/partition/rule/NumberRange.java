package org.alder.partition.rule;

import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.ObjectClass;

/**
 * Numbers that the server gives to new entries. Immutable, thread safe.
 *
 * @param type of INTEGER syntax, with an equality index
 * @param first the lowest number  @param last the highest
 * @param objectClass only entries of this class get one without asking; null: those that must have the attribute
 * @param magic the value by which a client asks for a number; never a number of the range
 */
public record NumberRange(AttributeType type, long first, long last, ObjectClass objectClass, String magic) {
    /** Whether an entry of this class that has no number gets one. */
    public boolean isFor(ObjectClass entrys) {
        return objectClass == null ? entrys.must().contains(type) : entrys.isSubclassOf(objectClass);
    }
}
