package org.alder.server.migration.x501;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.alder.partition.schema.AttributeType;

/**
 * Attributes that a decision is about. Immutable.
 *
 * @param types those that are named; empty for others
 */
record Attributes(Kind kind, Set<AttributeType> types) {
    static final Attributes NONE = new Attributes(Kind.NAMED, Set.of());
    static final Attributes USER = new Attributes(Kind.USER, Set.of());
    static final Attributes ALL = new Attributes(Kind.ALL, Set.of());

    enum Kind {
        NAMED, USER, ALL
    }

    static Attributes named(Set<AttributeType> types) {
        return new Attributes(Kind.NAMED, types);
    }

    boolean isEmpty() {
        return kind == Kind.NAMED && types.isEmpty();
    }

    Attributes and(Attributes other) {
        if (other.kind == Kind.ALL || equals(other)) {
            return this;
        } else if (kind == Kind.ALL) {
            return other;
        } else if (kind == Kind.USER) {
            return named(other.types.stream().filter(type -> !type.isOperational()).collect(Collectors.toCollection(LinkedHashSet::new)));
        } else if (other.kind == Kind.USER) {
            return other.and(this);
        }
        return named(types.stream().filter(other.types::contains).collect(Collectors.toCollection(LinkedHashSet::new)));
    }

    boolean covers(Attributes other) {
        return other.and(this).equals(other);
    }

    /** In the words of access rules; a grant means the types alone, as there, and a denial their subtypes, too. */
    String words(boolean isGrant) {
        if (kind != Kind.NAMED) {
            return kind == Kind.ALL ? "*, +" : "*";
        }
        String named = types.stream().map(AttributeType::name).collect(Collectors.joining(", "));
        String subtypes = types.stream().flatMap(type -> type.withSubtypes().stream()).filter(type -> !types.contains(type)).map(AttributeType::name)
                .distinct().collect(Collectors.joining(", "));
        return isGrant && !subtypes.isEmpty() ? named + " except " + subtypes : named;
    }

    /** Whether passwords are among them without being named: a rule means them only if it names them. */
    boolean coversPasswords() {
        return kind != Kind.NAMED;
    }
}
