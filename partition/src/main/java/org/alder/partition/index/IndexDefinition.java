package org.alder.partition.index;

import java.util.Locale;
import java.util.Set;
import org.alder.partition.schema.AttributeType;

/**
 * The index of one attribute type. Values of its subtypes, and values with options, are in it too. Immutable, thread safe.
 *
 * @param kinds at least one; a kind for which the type has no matching rule is refused
 * @param duplicateThreshold up to how many IDs of one key the engine keeps in the key's own tuple; beyond, in a nested tree
 */
public record IndexDefinition(AttributeType type, Set<IndexKind> kinds, int duplicateThreshold) {
    public static final int DEFAULT_DUPLICATE_THRESHOLD = 1000;

    /** @throws IllegalArgumentException if there is no kind, or one that needs a matching rule the type has not */
    public IndexDefinition {
        kinds = Set.copyOf(kinds);
        if (kinds.isEmpty()) {
            throw new IllegalArgumentException("the index of attribute " + type.name() + " has no kind, expected at least one");
        }
        if (kinds.contains(IndexKind.EQUALITY) && type.equality() == null) {
            throw new IllegalArgumentException("attribute " + type.name()
                    + " has no equality rule: no equality index is possible");
        }
        if (kinds.contains(IndexKind.SUBSTRING) && type.substring() == null) {
            throw new IllegalArgumentException("attribute " + type.name()
                    + " has no substrings rule: no substring index is possible");
        }
        if (duplicateThreshold < 0) {
            throw new IllegalArgumentException("the index of attribute " + type.name() + " has the duplicate threshold "
                    + duplicateThreshold + ", expected 0 or more");
        }
    }

    /** The index's name, also its file's: the type's name in lower case. */
    public String name() {
        return type.name().toLowerCase(Locale.ROOT);
    }

    public boolean has(IndexKind kind) {
        return kinds.contains(kind);
    }
}
