package org.alder.partition.update.rules;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.AttributeCursor;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.filter.CandidateEntry;
import org.alder.partition.filter.Truth;
import org.alder.partition.rule.UniqueRule;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.LargeValues;
import org.alder.partition.update.edit.Quoted;

/**
 * What a bulk load tells the values by that only one entry may have. It has no index to ask yet, as {@link UniqueValues} has: two
 * entries are in each other's way if one holds a key that the other has. Thread safe.
 */
public final class UniqueKeys {
    private static final String ENTRY_DN = "1.3.6.1.1.20";

    private final Schema schema;
    private final List<UniqueRule> rules;
    /** No two entries have the same (RFC 4530 2). */
    private final UniqueRule entryUuid;

    public UniqueKeys(Schema schema, List<UniqueRule> rules) {
        this.schema = schema;
        this.rules = List.copyOf(rules);
        this.entryUuid = UniqueRule.of(schema.attributeType("entryUUID"));
    }

    /**
     * A value in the form of one of the rule's attributes.
     *
     * @param bytes different for different rules, attributes and values
     * @param isHeld whether the entry has the value in that attribute, so that no other entry may have the key; else it has it in
     *     another attribute of the rule
     */
    public record Key(byte[] bytes, boolean isHeld, AttributeDescription description, byte[] value) {
        /** Why an entry is refused that has a key that another entry holds. */
        public String refusal() {
            return "attribute " + description + ": the value " + Quoted.value(description.type(), value) + " must be unique";
        }
    }

    /**
     * The keys of an entry; none if there are no rules and the server made its entryUUID.
     *
     * @param record with all values in it
     * @param bringsUuid whether its entryUUID was in the file
     * @throws DirectoryException invalidAttributeSyntax if a value cannot be one of another attribute that it shares a rule with
     */
    public List<Key> of(Dn dn, EntryRecord record, boolean bringsUuid) throws DirectoryException {
        List<Key> keys = new ArrayList<>(1);
        for (int number = 0; number < rules.size(); number++) {
            if (counts(rules.get(number), dn, record)) {
                add(keys, number, rules.get(number), record);
            }
        }
        if (bringsUuid) {
            add(keys, rules.size(), entryUuid, record);
        }
        return keys;
    }

    private static boolean counts(UniqueRule rule, Dn dn, EntryRecord record) {
        return (rule.base() == null || dn.isDescendantOrSelf(rule.base()))
                && (rule.filter() == null || rule.filter().evaluate(new Loaded(record, dn.text())) == Truth.TRUE);
    }

    private void add(List<Key> keys, int number, UniqueRule rule, EntryRecord record) throws DirectoryException {
        AttributeCursor cursor = record.cursor(true);
        while (cursor.next()) {
            AttributeDescription description =
                    schema.descriptionOrNull(cursor.bytes(), cursor.nameOffset(), cursor.nameLength());
            if (description == null || !rule.covers(description.type())) {
                continue;
            }
            for (byte[] value : cursor.values()) {
                for (int each = 0; each < rule.attributes().size(); each++) {
                    AttributeType type = rule.attributes().get(each);
                    keys.add(new Key(bytes(number, each, type.equality().normalize(value)),
                            description.type().isSubtypeOf(type), description, value));
                }
            }
        }
    }

    private static byte[] bytes(int rule, int type, byte[] form) {
        return ByteBuffer.allocate(8 + form.length).putInt(rule).putInt(type).put(form).array();
    }

    /** As far as its own file tells: nobody knows yet what will be below it, or name it. */
    private record Loaded(EntryRecord record, String dn) implements CandidateEntry {
        @Override
        public List<byte[]> virtualValues(AttributeType type) {
            return type.oid().equals(ENTRY_DN) ? List.of(dn.getBytes(StandardCharsets.UTF_8)) : List.of();
        }

        @Override
        public CandidateEntry entryAt(Dn other) {
            return null;
        }

        @Override
        public LargeValues largeValues() {
            throw new IllegalStateException("the entry \"" + dn + "\" has its values in its record");
        }
    }
}
