package org.alder.partition.index;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.alder.partition.schema.AttributeType;

/**
 * The index of one attribute type. Values of its subtypes, and values with options, are in it too. Immutable, thread safe.
 *
 * @param kinds at least one; a kind for which the type has no matching rule is refused
 * @param duplicateThreshold up to how many IDs of one key the engine keeps in the key's own tuple; beyond, in a nested tree
 * @param inline attributes whose values are kept beside those of this one, so that an AND of both is one key; in the order of
 *     their names, whatever order they are given in
 * @param primaryKey whether the engine is to find single keys of it faster, for some bytes of memory a key
 */
public record IndexDefinition(AttributeType type, Set<IndexKind> kinds, int duplicateThreshold, List<AttributeType> inline,
        boolean primaryKey) {
    public static final int DEFAULT_DUPLICATE_THRESHOLD = 1000;
    /** objectIdentifierMatch and its kin: the form of a name depends on whether anything in the schema has it. */
    private static final List<String> RULES_OF_NAMES = List.of("2.5.13.0", "2.5.13.30");

    /**
     * @throws IllegalArgumentException if there is no kind, one that needs a matching rule the type has not, or an inline
     *     attribute that cannot be one
     */
    public IndexDefinition {
        kinds = Set.copyOf(kinds);
        inline = inline.stream().sorted(Comparator.comparing(IndexDefinition::name)).toList();
        if (type.isVirtual()) {
            throw new IllegalArgumentException("attribute " + type.name() + " is virtual: no index is possible");
        }
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
        checkInline(type, kinds, inline);
    }

    /**
     * The attributes whose keys in this index depend on which names the schema knows: those whose equality rule is
     * objectIdentifierMatch or its kin. objectClass is none of them, as every class of an entry is known.
     */
    public List<AttributeType> typesReadByNames() {
        return Stream.concat(Stream.of(type), inline.stream())
                .filter(each -> each.equality() != null && RULES_OF_NAMES.contains(each.equality().oid())
                        && !each.oid().equals(AttributeIndexer.OBJECT_CLASS_OID)).toList();
    }

    /** Whether there are keys in it that are normal forms of names, which depend on the equality rules of the types in them. */
    boolean hasKeysOfNames() {
        return has(IndexKind.EQUALITY) && Stream.concat(Stream.of(type), inline.stream()).anyMatch(AttributeType::holdsNames);
    }

    /** One that is no primary key. */
    public IndexDefinition(AttributeType type, Set<IndexKind> kinds, int duplicateThreshold, List<AttributeType> inline) {
        this(type, kinds, duplicateThreshold, inline, false);
    }

    /** Without inline attributes, and no primary key. */
    public IndexDefinition(AttributeType type, Set<IndexKind> kinds, int duplicateThreshold) {
        this(type, kinds, duplicateThreshold, List.of());
    }

    private static void checkInline(AttributeType type, Set<IndexKind> kinds, List<AttributeType> inline) {
        String where = "the index of attribute " + type.name();
        if (!inline.isEmpty() && !kinds.contains(IndexKind.EQUALITY)) {
            throw new IllegalArgumentException(where + " has inline attributes, but is no equality index");
        }
        if (inline.size() > IndexKeys.MAX_INLINE_ATTRIBUTES) {
            throw new IllegalArgumentException(where + " has " + inline.size() + " inline attributes, expected at most "
                    + IndexKeys.MAX_INLINE_ATTRIBUTES);
        }
        Set<AttributeType> seen = new HashSet<>(Set.of(type));
        for (AttributeType one : inline) {
            if (!seen.add(one)) {
                throw new IllegalArgumentException(where + " has the inline attribute " + one.name()
                        + (one == type ? ", which is itself" : " twice"));
            }
            if (one.equality() == null || one.isVirtual()) {
                throw new IllegalArgumentException("attribute " + one.name() + (one.isVirtual() ? " is virtual"
                        : " has no equality rule") + ": it cannot be inline in the index of " + type.name());
            }
        }
    }

    /** Whether all entries have the same keys in both. */
    boolean hasKeysOf(IndexDefinition other) {
        return type == other.type && kinds.equals(other.kinds) && inline.equals(other.inline);
    }

    /** The index's name, also its file's: the type's name in lower case. */
    public String name() {
        return name(type);
    }

    private static String name(AttributeType type) {
        return type.name().toLowerCase(Locale.ROOT);
    }

    /** The names of the inline attributes, with commas between them. */
    public String inlineNames() {
        return String.join(",", inline.stream().map(AttributeType::name).toList());
    }

    /** The kinds as they are configured, with commas between them. */
    public String kindNames() {
        return String.join(",", kinds.stream().sorted().map(kind -> switch (kind) {
            case EQUALITY -> "eq";
            case SUBSTRING -> "sub";
            case PRESENCE -> "pres";
        }).toList());
    }

    public boolean has(IndexKind kind) {
        return kinds.contains(kind);
    }
}
