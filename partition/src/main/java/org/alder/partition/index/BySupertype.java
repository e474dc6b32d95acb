package org.alder.partition.index;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.alder.partition.schema.AttributeType;

/**
 * What goes for an attribute type, or for its nearest supertype for which something goes: types may be added below others while
 * the server runs. Filled by one thread, then read by many. What was found for a type is kept, so that one look-up is enough the
 * next time, for most types to learn that there is nothing.
 */
final class BySupertype<T> {
    private final Map<AttributeType, T> values = new HashMap<>();
    private final Map<AttributeType, Optional<T>> found = new ConcurrentHashMap<>();

    /** @return null if there is nothing */
    T get(AttributeType type) {
        Optional<T> known = found.get(type);
        if (known == null) {
            known = Optional.ofNullable(search(type));
            found.put(type, known);
        }
        return known.orElse(null);
    }

    private T search(AttributeType type) {
        T found = null;
        for (AttributeType each = type; found == null && each != null; each = each.superior()) {
            found = values.get(each);
        }
        return found;
    }

    T getOrDefault(AttributeType type, T other) {
        T found = get(type);
        return found == null ? other : found;
    }

    /** Of exactly this type. */
    T computeIfAbsent(AttributeType type, Function<AttributeType, T> made) {
        found.clear();
        return values.computeIfAbsent(type, made);
    }

    void forEach(BiConsumer<AttributeType, T> visitor) {
        values.forEach(visitor);
    }
}
