package org.alder.partition.update;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.alder.partition.Partition;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.AttributeDelta;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.index.IndexKeys;
import org.alder.partition.request.Modification;
import org.alder.partition.rule.NumberRange;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.ObjectClass;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.KeyRange;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.WriteContext;
import org.alder.partition.text.Utf8;
import org.alder.partition.update.edit.ModificationStep;

/**
 * Gives numbers to entries, such as uidNumber: the next one that was never given and that no entry has. The next number of each
 * range stands in the suffix entry's operational attribute {@value #COUNTER}, as {@code ATTRIBUTE FIRST NEXT}, and is changed
 * in the transaction that uses the number: it is as durable as the entry, in every backup, and a number is not given again when
 * its entry is deleted. Immutable, thread safe.
 */
final class AutomaticNumbers {
    static final String COUNTER = "alderNextNumber";

    private final Partition partition;
    private final Schema schema;
    private final List<NumberRange> ranges;

    AutomaticNumbers(Partition partition, List<NumberRange> ranges) {
        this.partition = partition;
        this.schema = partition.schema();
        this.ranges = ranges;
    }

    /** The attributes of a new entry, with the magic value where a number is to come. */
    List<Attribute> requested(List<Attribute> attributes) {
        List<Attribute> completed = attributes;
        for (NumberRange range : ranges) {
            boolean missing = attributes.stream().noneMatch(attribute -> isOf(range, attribute.description()));
            if (missing && classes(attributes).stream().anyMatch(range::isFor)) {
                completed = new ArrayList<>(completed);
                completed.add(new Attribute(range.type().name(), List.of(utf8(range.magic()))));
            }
        }
        return completed;
    }

    private List<ObjectClass> classes(List<Attribute> attributes) {
        return attributes.stream().filter(attribute -> isObjectClass(attribute.description()))
                .flatMap(attribute -> attribute.values().stream()).map(schema::objectClass)
                .filter(objectClass -> objectClass != null).toList();
    }

    private boolean isObjectClass(String description) {
        AttributeDescription known = schema.descriptionOrNull(description);
        return known != null && known.type() == schema.attributeType("objectClass");
    }

    private boolean isOf(NumberRange range, String description) {
        AttributeDescription known = schema.descriptionOrNull(description);
        return known != null && known.type() == range.type();
    }

    /**
     * Puts numbers in the place of magic values.
     *
     * @throws DirectoryException unwillingToPerform if a range is used up
     */
    EntryRecord numbered(WriteContext context, EntryRecord record) throws DirectoryException {
        Map<NumberRange, Long> given = new LinkedHashMap<>();
        List<AttributeDelta> deltas = new ArrayList<>();
        for (Attribute attribute : record.userAttributes()) {
            for (NumberRange range : ranges) {
                byte[] magic = utf8(range.magic());
                if (isOf(range, attribute.description()) && attribute.values().stream().anyMatch(v -> Arrays.equals(v, magic))
                        && !given.containsKey(range)) {
                    long number = next(context.state(), range);
                    given.put(range, number);
                    deltas.add(new AttributeDelta(attribute.description(), false, List.of(magic),
                            List.of(utf8(Long.toString(number)))));
                }
            }
        }
        note(context, given);
        return deltas.isEmpty() ? record : record.apply(deltas);
    }

    /** The same for what a modify brings in. */
    List<ModificationStep> numbered(WriteContext context, List<ModificationStep> steps) throws DirectoryException {
        Map<NumberRange, Long> given = new LinkedHashMap<>();
        List<ModificationStep> numbered = new ArrayList<>(steps);
        for (int i = 0; i < numbered.size(); i++) {
            ModificationStep step = numbered.get(i);
            boolean brings = step.kind() == Modification.Kind.ADD || step.kind() == Modification.Kind.REPLACE;
            for (NumberRange range : ranges) {
                if (brings && step.description().type() == range.type() && step.values().size() == 1
                        && Arrays.equals(step.values().get(0), utf8(range.magic())) && !given.containsKey(range)) {
                    long number = next(context.state(), range);
                    given.put(range, number);
                    numbered.set(i, new ModificationStep(step.kind(), step.description(), List.of(utf8(Long.toString(number)))));
                }
            }
        }
        note(context, given);
        return numbered;
    }

    private long next(Snapshot state, NumberRange range) throws DirectoryException {
        long number = Math.max(range.first(), noted(state, range));
        int index = partition.indexer().index(range.type()).number();
        byte[] key = key(range.type(), number);
        try (Snapshot.KeyCursor keys = state.keys(index, KeyRange.from(key))) {
            while (number <= range.last() && keys.next() && Arrays.equals(keys.key(), key)) {
                key = key(range.type(), ++number);
            }
        }
        if (number > range.last()) {
            throw new DirectoryException(ResultCode.UNWILLING_TO_PERFORM, "all numbers from " + range.first() + " to "
                    + range.last() + " for attribute " + range.type().name() + " are used up");
        }
        return number;
    }

    private static byte[] key(AttributeType type, long number) throws DirectoryException {
        return IndexKeys.equality(type.equality().normalize(utf8(Long.toString(number))));
    }

    private long noted(Snapshot state, NumberRange range) {
        String prefix = prefix(range);
        for (String value : counters(state)) {
            if (value.startsWith(prefix)) {
                return Long.parseLong(value.substring(prefix.length()));
            }
        }
        return 0;
    }

    private static String prefix(NumberRange range) {
        return range.type().name() + ' ' + range.first() + ' ';
    }

    private List<String> counters(Snapshot state) {
        EntryRecord suffix = state.entry(partition.resolve(state, partition.suffix()));
        for (Attribute attribute : suffix == null ? List.<Attribute>of() : suffix.operationalAttributes()) {
            if (attribute.description().equals(COUNTER)) {
                return attribute.values().stream().map(Utf8::stored).toList();
            }
        }
        return List.of();
    }

    private void note(WriteContext context, Map<NumberRange, Long> given) {
        long suffix = given.isEmpty() ? 0 : partition.resolve(context.state(), partition.suffix());
        if (suffix == HierarchyKeys.NO_PARENT) {
            return;
        }
        List<byte[]> removed = new ArrayList<>();
        List<byte[]> added = new ArrayList<>();
        List<String> counters = counters(context.state());
        given.forEach((range, number) -> {
            counters.stream().filter(value -> value.startsWith(prefix(range))).forEach(value -> removed.add(utf8(value)));
            added.add(utf8(prefix(range) + (number + 1)));
        });
        context.modify(suffix, List.of(new AttributeDelta(COUNTER, true, removed, added)));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
