package org.alder.partition.rule;

import java.util.List;
import org.alder.partition.schema.AttributeType;

/**
 * Which values follow the entries they name. Immutable, thread safe.
 *
 * @param attributes types of DN or Name And Optional UID syntax that have an equality index; empty for none
 * @param placeholder the DN that takes the place of the last value of an attribute that the entry must have
 * @param mustExist whether a value may be given to these attributes only if it names an entry or a name outside of the partition
 */
public record ReferenceRule(List<AttributeType> attributes, String placeholder, boolean mustExist) {
    public static final ReferenceRule NONE = new ReferenceRule(List.of(), "", false);

    public ReferenceRule {
        attributes = List.copyOf(attributes);
    }
}
