package org.alder.partition.update;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.alder.partition.entry.Attribute;
import org.alder.partition.schema.AttributeDescription;

/**
 * The attributes of an entry that is being put together, each description once, in the order they came. Attributes given in two
 * parts, also under two names of one type, are joined under the spelling that came first. One thread.
 */
final class AttributeSet {
    private final Map<AttributeDescription, Attribute> attributes;

    AttributeSet(int expectedSize) {
        attributes = new LinkedHashMap<>(expectedSize * 2);
    }

    boolean contains(AttributeDescription description) {
        return attributes.containsKey(description);
    }

    /** The values, empty if the attribute is not there. */
    List<byte[]> values(AttributeDescription description) {
        Attribute attribute = attributes.get(description);
        return attribute == null ? List.of() : attribute.values();
    }

    void put(AttributeDescription description, Attribute attribute) {
        attributes.put(description, attribute);
    }

    void join(AttributeDescription description, Attribute attribute) {
        attributes.merge(description, attribute, AttributeSet::joined);
    }

    private static Attribute joined(Attribute first, Attribute second) {
        List<byte[]> values = new ArrayList<>(first.values());
        values.addAll(second.values());
        return new Attribute(first.description(), values);
    }

    /** Each attribute by its description; a view. */
    Map<AttributeDescription, Attribute> byDescription() {
        return Collections.unmodifiableMap(attributes);
    }

    List<Attribute> toList() {
        return new ArrayList<>(attributes.values());
    }
}
