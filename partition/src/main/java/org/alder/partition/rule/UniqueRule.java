package org.alder.partition.rule;

import java.util.List;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.filter.CompiledFilter;
import org.alder.partition.filter.FilterParser;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;

/**
 * Values that only one entry may have, whichever of the attributes it has them in. Immutable, thread safe.
 *
 * @param attributes types that have an equality index
 * @param base only entries at and below it count; null for all
 * @param filter only entries that match it count; null for all
 * @param filterText the same as RFC 4515 writes it; null for all
 */
public record UniqueRule(List<AttributeType> attributes, Dn base, CompiledFilter filter, String filterText) {
    public UniqueRule {
        attributes = List.copyOf(attributes);
    }

    /** Of all entries. */
    public static UniqueRule of(AttributeType... attributes) {
        return new UniqueRule(List.of(attributes), null, null, null);
    }

    /**
     * Of those that count.
     *
     * @param base   null for all
     * @param filter null for all
     * @throws DirectoryException where the filter is none
     */
    public static UniqueRule of(Schema schema, List<AttributeType> attributes, Dn base, String filter) throws DirectoryException {
        return new UniqueRule(attributes, base, filter == null ? null : CompiledFilter.compile(schema, FilterParser.parse(filter)), filter);
    }

    /** Whether values of this type are among those that are told apart. */
    public boolean covers(AttributeType type) {
        return attributes.stream().anyMatch(type::isSubtypeOf);
    }
}
