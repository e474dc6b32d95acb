package org.alder.partition.schema;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Which attributes the RDNs of entries of a structural class may and must be made of (RFC 4512 4.1.7.2). Immutable, thread safe.
 *
 * @param must all of them are in the RDN
 * @param may besides, only these are
 */
public record NameForm(String oid, String name, ObjectClass objectClass, Set<AttributeType> must, Set<AttributeType> may) {
    /** What is wrong with an RDN of these types, in a few words; null if nothing is. */
    public String violation(Set<AttributeType> rdn) {
        for (AttributeType type : must) {
            if (!rdn.contains(type)) {
                return "the RDN has no " + type;
            }
        }
        Set<AttributeType> others = new LinkedHashSet<>(rdn);
        others.removeAll(must);
        others.removeAll(may);
        return others.isEmpty() ? null : others.iterator().next() + " may not be in the RDN";
    }
}
