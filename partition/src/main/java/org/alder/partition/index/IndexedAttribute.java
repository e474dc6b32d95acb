package org.alder.partition.index;

import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.value.MatchingRule;

/**
 * An index with its number in the store. Immutable, thread safe.
 *
 * @param number among {@link AttributeIndexer#indexes}
 */
public record IndexedAttribute(int number, IndexDefinition definition) {
    private static final String OBJECT_CLASS_OID = "2.5.4.0";

    public AttributeType type() {
        return definition.type();
    }

    public boolean has(IndexKind kind) {
        return definition.has(kind);
    }

    /** Whether a range of the equality keys answers &gt;= and &lt;=. */
    public boolean isOrdered() {
        return has(IndexKind.EQUALITY) && isOrdered(type());
    }

    /** Whether the equality keys stand in the order of the rule's normal forms. Those of classes have superclasses among them. */
    public boolean isOrderedBy(MatchingRule rule) {
        MatchingRule equality = type().equality();
        return has(IndexKind.EQUALITY) && !type().oid().equals(OBJECT_CLASS_OID)
                && (rule == equality || rule.orderOf() == equality);
    }

    /** Whether the equality keys of this type, which has an equality rule, stand in the order of its values. */
    public static boolean isOrdered(AttributeType type) {
        MatchingRule ordering = type.ordering();
        return ordering != null && ordering.orderOf() == type.equality();
    }

    /** Where the type is among the inline attributes; below 0 if it is none. */
    public int inlinePosition(AttributeType type) {
        return definition.inline().indexOf(type);
    }
}
