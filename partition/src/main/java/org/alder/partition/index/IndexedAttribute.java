package org.alder.partition.index;

import java.util.Map;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.MatchingRule;

/**
 * An index with its number in the store. Immutable, thread safe.
 *
 * @param number among {@link AttributeIndexer#indexes}
 */
public record IndexedAttribute(int number, IndexDefinition definition) {
    /** Ordering rules by OID, with the equality rules whose normal form is the same: those whose keys stand in their order. */
    private static final Map<String, String> EQUALITY_OF_ORDERING = Map.of(
            "2.5.13.3", "2.5.13.2", // caseIgnoreOrderingMatch
            "2.5.13.6", "2.5.13.5", // caseExactOrderingMatch
            "2.5.13.9", "2.5.13.8", // numericStringOrderingMatch
            "2.5.13.15", "2.5.13.14", // integerOrderingMatch
            "2.5.13.18", "2.5.13.17", // octetStringOrderingMatch
            "2.5.13.28", "2.5.13.27", // generalizedTimeOrderingMatch
            "1.3.6.1.1.16.3", "1.3.6.1.1.16.2"); // UUIDOrderingMatch

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
                && (rule.oid().equals(equality.oid()) || equality.oid().equals(EQUALITY_OF_ORDERING.get(rule.oid())));
    }

    /** Whether the equality keys of this type, which has an equality rule, stand in the order of its values. */
    public static boolean isOrdered(AttributeType type) {
        MatchingRule ordering = type.ordering();
        return ordering != null && type.equality().oid().equals(EQUALITY_OF_ORDERING.get(ordering.oid()));
    }

    /** Where the type is among the inline attributes; below 0 if it is none. */
    public int inlinePosition(AttributeType type) {
        return definition.inline().indexOf(type);
    }
}
