package org.alder.server.directory.own;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.tree.EntryView;

/** The attributes of one entry of the monitor as they are collected. One thread. */
final class Figures {
    private final List<Attribute> attributes = new ArrayList<>();

    Figures(String objectClass, String name) {
        attributes.add(Subschema.text("objectClass", List.of("top", objectClass)));
        text("cn", name);
    }

    Figures text(String type, String value) {
        attributes.add(Subschema.text(type, List.of(value)));
        return this;
    }

    Figures all(Map<String, String> values) {
        values.forEach(this::text);
        return this;
    }

    Figures texts(String type, List<String> values) {
        if (!values.isEmpty()) {
            attributes.add(Subschema.text(type, values));
        }
        return this;
    }

    Figures textIfAny(String type, String value) {
        return value == null || value.isEmpty() ? this : text(type, value);
    }

    /** One more value of an attribute that may have several. */
    void value(String type, String value) {
        Attribute last = attributes.get(attributes.size() - 1);
        List<byte[]> values = new ArrayList<>();
        if (last.description().equals(type)) {
            attributes.remove(last);
            values.addAll(last.values());
        }
        values.add(value.getBytes(StandardCharsets.UTF_8));
        attributes.add(new Attribute(type, values));
    }

    Figures number(String type, long value) {
        return text(type, Long.toString(value));
    }

    /** @param parent its name with the comma before it */
    EntryView entry(long id, String rdn, String parent) {
        return new EntryView(id, EntryRecord.of(0, rdn.getBytes(StandardCharsets.UTF_8), attributes, List.of()), rdn + parent);
    }
}
