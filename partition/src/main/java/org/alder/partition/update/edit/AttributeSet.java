package org.alder.partition.update.edit;

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
public final class AttributeSet {
    private final Map<AttributeDescription, Attribute> attributes;
    /** The values of attributes that came in more than one part, until somebody asks: there may be a million parts. */
    private final Map<AttributeDescription, List<byte[]>> joined = new LinkedHashMap<>(0);

    public AttributeSet(int expectedSize) {
        attributes = new LinkedHashMap<>(expectedSize * 2);
    }

    public boolean contains(AttributeDescription description) {
        return attributes.containsKey(description);
    }

    /** The values, empty if the attribute is not there. */
    public List<byte[]> values(AttributeDescription description) {
        settle();
        Attribute attribute = attributes.get(description);
        return attribute == null ? List.of() : attribute.values();
    }

    public void put(AttributeDescription description, Attribute attribute) {
        joined.remove(description);
        attributes.put(description, attribute);
    }

    public void join(AttributeDescription description, Attribute attribute) {
        Attribute first = attributes.putIfAbsent(description, attribute);
        if (first != null) {
            joined.computeIfAbsent(description, none -> new ArrayList<>(first.values())).addAll(attribute.values());
        }
    }

    private void settle() {
        if (!joined.isEmpty()) {
            joined.forEach((description, values) ->
                    attributes.computeIfPresent(description, (same, first) -> new Attribute(first.description(), values)));
            joined.clear();
        }
    }

    /** Each attribute by its description; a view. */
    public Map<AttributeDescription, Attribute> byDescription() {
        settle();
        return Collections.unmodifiableMap(attributes);
    }

    public List<Attribute> toList() {
        settle();
        return new ArrayList<>(attributes.values());
    }
}
