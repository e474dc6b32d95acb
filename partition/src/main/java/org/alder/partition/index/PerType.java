package org.alder.partition.index;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;

/**
 * What follows from an attribute type's place in the schema. It is worked out when it is first asked for, kept, and worked out
 * anew when the schema of the running server has changed: a type may then be below another one. Thread safe.
 */
final class PerType<T> {
    private record Known<T>(long schemaVersion, Map<AttributeType, T> values) {
    }

    private final Schema schema;
    private final Function<AttributeType, T> derivation;
    private volatile Known<T> known;

    /** @param derivation gives no null */
    PerType(Schema schema, Function<AttributeType, T> derivation) {
        this.schema = schema;
        this.derivation = derivation;
        this.known = new Known<>(schema.version(), new ConcurrentHashMap<>());
    }

    /** What is said of the type itself and of its supertypes, all together. */
    static <E> PerType<List<E>> inherited(Schema schema, Map<AttributeType, List<E>> said) {
        return new PerType<>(schema, type -> {
            List<E> all = new ArrayList<>(1);
            for (AttributeType each = type; each != null; each = each.superior()) {
                all.addAll(said.getOrDefault(each, List.of()));
            }
            return List.copyOf(all);
        });
    }

    T get(AttributeType type) {
        Known<T> now = known;
        long version = schema.version();
        if (now.schemaVersion != version) {
            now = new Known<>(version, new ConcurrentHashMap<>());
            known = now;
        }
        T value = now.values.get(type);
        if (value == null) {
            value = derivation.apply(type);
            now.values.put(type, value);
        }
        return value;
    }
}
