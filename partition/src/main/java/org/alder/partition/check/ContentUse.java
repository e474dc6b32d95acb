package org.alder.partition.check;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.alder.partition.entry.AttributeCursor;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.entry.LargeAttribute;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.ObjectClass;
import org.alder.partition.schema.Schema;
import org.alder.partition.schema.SchemaRevision;

/** Finds entries whose content the content rules allow now, and would not any more. One thread. */
final class ContentUse {
    private final Schema schema;
    private final SchemaRevision revision;
    private final AttributeType objectClass;

    ContentUse(Schema schema, SchemaRevision revision) {
        this.schema = schema;
        this.revision = revision;
        this.objectClass = schema.attributeType("objectClass");
    }

    /** What would be wrong with this entry; null if nothing. */
    String violation(EntryRecord record) {
        List<ObjectClass> classes = new ArrayList<>();
        Set<AttributeType> types = new HashSet<>();
        AttributeCursor cursor = record.cursor(true);
        while (cursor.next()) {
            AttributeDescription description =
                    schema.descriptionOrNull(cursor.bytes(), cursor.nameOffset(), cursor.nameLength());
            if (description != null) {
                types.add(description.type());
            }
            if (description != null && description.type() == objectClass) {
                cursor.values().forEach(value -> add(classes, schema.objectClass(value)));
            }
        }
        for (LargeAttribute attribute : record.largeAttributes()) {
            AttributeDescription description = schema.descriptionOrNull(attribute.description());
            if (description != null) {
                types.add(description.type());
            }
        }
        return revision.contentViolation(classes, types);
    }

    private static void add(List<ObjectClass> classes, ObjectClass objectClass) {
        if (objectClass != null) {
            classes.add(objectClass);
        }
    }
}
