package org.alder.partition.index;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.alder.partition.dn.MentionedTypes;
import org.alder.partition.entry.AttributeCursor;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.entry.LargeAttribute;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.LargeValues;
import org.alder.partition.store.Snapshot;

/**
 * Looks in data for keys that depend on the equality rules of some types, beside those of these types' own indexes: entries are named by
 * such types, values are names that have them, and the value table has values of theirs. One thread.
 */
final class RuleUse {
    private final Schema schema;
    private final Set<AttributeType> types;
    private final MentionedTypes mentioned;

    /** What was found, less to more. */
    enum Found {
        NOTHING,
        /** In names that are values: the indexes of names have other keys. */
        IN_VALUES,
        /** In the names of entries, or in the value table: these have other keys, too. */
        IN_NAMES
    }

    RuleUse(Schema schema, Set<AttributeType> types) {
        this.schema = schema;
        this.types = types;
        this.mentioned = new MentionedTypes(schema, types);
    }

    Found in(Snapshot data) {
        Found found = Found.NOTHING;
        try (Snapshot.EntryCursor cursor = data.entries(1)) {
            while (found != Found.IN_NAMES && cursor.next()) {
                found = more(found, inEntry(data, cursor.id(), cursor.entry(), found));
            }
        }
        return found;
    }

    private static Found more(Found one, Found other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    private Found inEntry(Snapshot data, long id, EntryRecord record, Found before) {
        if (mentioned.mayShape(record.rdn().getBytes(StandardCharsets.UTF_8))) {
            return Found.IN_NAMES;
        }
        for (LargeAttribute attribute : record.largeAttributes()) {
            if (inLarge(data, id, attribute)) {
                return Found.IN_NAMES;
            }
        }
        return before == Found.NOTHING && inValues(record) ? Found.IN_VALUES : before;
    }

    private boolean inLarge(Snapshot data, long id, LargeAttribute attribute) {
        AttributeDescription description = schema.descriptionOrNull(attribute.description());
        if (description == null || types.contains(description.type())) {
            return true;
        }
        if (!description.type().holdsNames()) {
            return false;
        }
        try (LargeValues.Cursor values = new LargeValues(data, id).open(attribute)) {
            while (values.next()) {
                if (mentioned.mayShape(values.value())) {
                    return true;
                }
            }
            return false;
        }
    }

    private boolean inValues(EntryRecord record) {
        AttributeCursor cursor = record.cursor(true);
        while (cursor.next()) {
            AttributeDescription description = schema.descriptionOrNull(cursor.bytes(), cursor.nameOffset(), cursor.nameLength());
            if (description != null && description.type().holdsNames() && isIn(cursor.values())) {
                return true;
            }
        }
        return false;
    }

    private boolean isIn(List<byte[]> values) {
        for (byte[] value : values) {
            if (mentioned.mayShape(value)) {
                return true;
            }
        }
        return false;
    }
}
