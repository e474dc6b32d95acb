package org.alder.server.access;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/** The limits of some kinds. Immutable. */
public record LimitSet(Map<LimitKind, Limit> limits) {
    /** Says nothing of any kind. */
    public static final LimitSet EMPTY = new LimitSet(Map.of());

    public LimitSet {
        Map<LimitKind, Limit> copy = new EnumMap<>(LimitKind.class);
        copy.putAll(limits);
        limits = Collections.unmodifiableMap(copy);
    }

    /** @return null if nothing is said of it */
    public Limit get(LimitKind kind) {
        return limits.get(kind);
    }

    /** What others say where this one says nothing. */
    LimitSet or(LimitSet others) {
        if (this == EMPTY || others == EMPTY) {
            return this == EMPTY ? others : this;
        }
        Map<LimitKind, Limit> both = new EnumMap<>(others.limits);
        both.putAll(limits);
        return new LimitSet(both);
    }
}
