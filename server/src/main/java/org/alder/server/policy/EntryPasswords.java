package org.alder.server.policy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.entry.LargeAttribute;
import org.alder.partition.request.Modification;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.LargeValues;
import org.alder.partition.store.Snapshot;
import org.alder.partition.tree.EntryView;

/**
 * The passwords that an entry has, by the attributes that they are in, and those that it had. Immutable; the arrays are not copied.
 *
 * @param history values of pwdHistory, and of what other servers have for it
 */
record EntryPasswords(Map<AttributeDescription, List<byte[]>> current, List<byte[]> history) {
    static final EntryPasswords NONE = new EntryPasswords(Map.of(), List.of());

    static EntryPasswords of(Schema schema, Snapshot state, EntryView entry) {
        return of(schema, entry.record(), new LargeValues(state, entry.id()));
    }

    static EntryPasswords of(Schema schema, EntryRecord stored, LargeValues largeValues) {
        AttributeType userPassword = schema.attributeType("userPassword");
        Set<AttributeType> histories = Set.of(schema.attributeType(PasswordHistory.ATTRIBUTE), schema.attributeType(PasswordHistory.INHERITED));
        Map<AttributeDescription, List<byte[]>> current = new LinkedHashMap<>();
        List<byte[]> history = new ArrayList<>();
        EntryRecord record = whole(schema, userPassword, histories, stored, largeValues);
        for (List<Attribute> attributes : List.of(record.userAttributes(), record.operationalAttributes())) {
            for (Attribute attribute : attributes) {
                AttributeDescription description = schema.descriptionOrNull(attribute.description());
                if (description != null && description.type().isSubtypeOf(userPassword)) {
                    current.put(description, attribute.values());
                } else if (description != null && histories.contains(description.type())) {
                    history.addAll(attribute.values());
                }
            }
        }
        return new EntryPasswords(current, history);
    }

    private static EntryRecord whole(Schema schema, AttributeType userPassword, Set<AttributeType> histories, EntryRecord record,
            LargeValues largeValues) {
        List<LargeAttribute> large = record.largeAttributes().stream().filter(attribute -> {
            AttributeDescription description = schema.descriptionOrNull(attribute.description());
            return description != null && (description.type().isSubtypeOf(userPassword) || histories.contains(description.type()));
        }).toList();
        return large.isEmpty() ? record : largeValues.whole(record, large);
    }

    List<byte[]> all() {
        return current.values().stream().flatMap(List::stream).toList();
    }

    /** Those in an attribute, or in one that is a kind of it. */
    List<byte[]> of(AttributeDescription asked) {
        return current.entrySet().stream().filter(each -> each.getKey().isSubtypeOf(asked))
                .flatMap(each -> each.getValue().stream()).toList();
    }

    boolean isEmpty() {
        return current.isEmpty();
    }

    /** Those that go with modifications that can be made. @param modifications with what is stored for passwords */
    List<byte[]> gone(Schema schema, List<Modification> modifications) {
        Map<AttributeDescription, List<byte[]>> left = new LinkedHashMap<>();
        current.forEach((description, values) -> left.put(description, new ArrayList<>(values)));
        for (Modification each : modifications) {
            List<byte[]> values = left.get(schema.descriptionOrNull(each.description()));
            if (values == null) {
                continue;
            }
            if (each.kind() == Modification.Kind.REPLACE || each.values().isEmpty()) {
                values.clear();
            }
            if (each.kind() == Modification.Kind.DELETE) {
                values.removeIf(value -> contains(each.values(), value));
            } else {
                values.addAll(each.values());
            }
        }
        List<byte[]> rest = left.values().stream().flatMap(List::stream).toList();
        return all().stream().filter(value -> !contains(rest, value)).toList();
    }

    static boolean contains(List<byte[]> values, byte[] value) {
        return values.stream().anyMatch(each -> Arrays.equals(each, value));
    }
}
