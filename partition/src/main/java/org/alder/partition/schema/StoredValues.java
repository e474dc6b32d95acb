package org.alder.partition.schema;

import java.util.ArrayList;
import java.util.List;
import org.alder.partition.entry.AttributeCursor;
import org.alder.partition.entry.EntryRecord;

/** Finds attributes in records by their types: a record may have them under any of their names, or their OIDs. Pure. */
public final class StoredValues {
    private StoredValues() {
    }

    /** The values of the attribute of this type without options that is in the record; empty if there is none. */
    public static List<byte[]> of(Schema schema, EntryRecord record, AttributeType type) {
        AttributeCursor cursor = record.cursor(true);
        while (cursor.next()) {
            AttributeDescription known = schema.descriptionOrNull(cursor.bytes(), cursor.nameOffset(), cursor.nameLength());
            if (known != null && known.type() == type && known.options().isEmpty()) {
                return cursor.values();
            }
        }
        return List.of();
    }

    /** The object classes of the record that the schema knows. */
    public static List<ObjectClass> classes(Schema schema, EntryRecord record) {
        List<byte[]> values = of(schema, record, schema.attributeType("objectClass"));
        List<ObjectClass> classes = new ArrayList<>(values.size());
        for (byte[] value : values) {
            ObjectClass known = schema.objectClass(value);
            if (known != null) {
                classes.add(known);
            }
        }
        return classes;
    }
}
