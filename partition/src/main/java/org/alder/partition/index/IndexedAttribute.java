package org.alder.partition.index;

import java.util.EnumSet;
import java.util.Set;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.value.MatchingRule;

/** An index with its number in the store: an object for each index of an {@link AttributeIndexer}. Immutable, thread safe. */
public final class IndexedAttribute {
    private static final String OBJECT_CLASS_OID = "2.5.4.0";

    private final int number;
    private final IndexDefinition definition;
    private final boolean building;
    private final AttributeType type;
    private final Set<IndexKind> kinds;

    IndexedAttribute(int number, IndexDefinition definition, boolean building) {
        this.number = number;
        this.definition = definition;
        this.building = building;
        this.type = definition.type();
        this.kinds = EnumSet.copyOf(definition.kinds());
    }

    /** Among {@link AttributeIndexer#indexes}. */
    public int number() {
        return number;
    }

    public IndexDefinition definition() {
        return definition;
    }

    /** Whether the data lack some of its keys, so that nobody may read it. */
    public boolean isBuilding() {
        return building;
    }

    public AttributeType type() {
        return type;
    }

    public boolean has(IndexKind kind) {
        return kinds.contains(kind);
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
