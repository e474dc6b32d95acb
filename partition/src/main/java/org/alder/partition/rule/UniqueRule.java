package org.alder.partition.rule;

import java.util.List;
import org.alder.partition.dn.Dn;
import org.alder.partition.filter.CompiledFilter;
import org.alder.partition.schema.AttributeType;

/**
 * Values that only one entry may have, whichever of the attributes it has them in. Immutable, thread safe.
 *
 * @param attributes types that have an equality index
 * @param base only entries at and below it count; null for all
 * @param filter only entries that match it count; null for all
 */
public record UniqueRule(List<AttributeType> attributes, Dn base, CompiledFilter filter) {
    public UniqueRule {
        attributes = List.copyOf(attributes);
    }

    /** Whether values of this type are among those that are told apart. */
    public boolean covers(AttributeType type) {
        return attributes.stream().anyMatch(type::isSubtypeOf);
    }
}
