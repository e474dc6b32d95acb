package org.alder.partition.check;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.alder.partition.dn.MentionedTypes;
import org.alder.partition.entry.AttributeCursor;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.entry.LargeAttribute;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.ObjectClass;
import org.alder.partition.schema.Schema;
import org.alder.partition.schema.SchemaRevision;
import org.alder.partition.store.LargeValues;
import org.alder.partition.store.Snapshot;
import org.alder.partition.text.Utf8;

/**
 * Looks for an entry that depends on what a revision of the schema takes away or changes: one that has an attribute of the
 * type, a value that is a name with such an attribute in it or that is the type's or class's own identifier, that is of the
 * class, or that the rules for content, names and places allow now and then not any more; or one that an index has under a name
 * which the revision gives to something, or takes from it. Every entry is looked at, so that what is not found is not there. One
 * thread.
 */
public final class DefinitionUse {
    private static final String OBJECT_IDENTIFIER_MATCH = "2.5.13.0";

    private final Schema schema;
    private final Map<AttributeType, String> types;
    private final Map<ObjectClass, String> classes;
    private final MentionedTypes mentioned;
    private final SchemaRevision revision;
    private final Set<AttributeType> keyedByNames;
    private final ContentUse content;
    /** Of the snapshot that is looked at; null if no name or place can be concerned. */
    private NamingUse naming;

    /**
     * An entry that is in the way.
     *
     * @param definition which definition, and what was to become of it
     * @param where the attribute of the entry; null if it is the whole entry
     */
    public record Found(long entryId, String definition, String where) {
    }

    /**
     * @param schema the one the revision is of, as it is now
     * @param keyedByNames the types that have keys in an index which depend on what names the schema knows
     */
    public DefinitionUse(Schema schema, SchemaRevision revision, Set<AttributeType> keyedByNames) {
        this.schema = schema;
        this.revision = revision;
        this.keyedByNames = keyedByNames;
        this.content = revision.changesContentRules() ? new ContentUse(schema, revision) : null;
        this.types = revision.unusedTypes();
        this.classes = revision.unusedClasses();
        this.mentioned = new MentionedTypes(schema, types.keySet());
    }

    /** The first entry that is in the way; null if there is none. */
    public Found first(Snapshot snapshot) {
        naming = revision.changesNaming() ? new NamingUse(schema, revision, snapshot) : null;
        try (Snapshot.EntryCursor cursor = snapshot.entries(1)) {
            while (cursor.next()) {
                Found found = inEntry(snapshot, cursor.id(), cursor.entry());
                found = found == null ? ofRules(cursor.id(), cursor.entry()) : found;
                if (found != null) {
                    return found;
                }
            }
            return null;
        }
    }

    private Found ofRules(long id, EntryRecord record) {
        String violation = content == null ? null : content.violation(record);
        if (violation == null && naming != null) {
            violation = naming.violation(record);
        }
        return violation == null ? null : new Found(id, violation, null);
    }

    private Found inEntry(Snapshot snapshot, long id, EntryRecord record) {
        AttributeCursor cursor = record.cursor(true);
        while (cursor.next()) {
            AttributeDescription description =
                    schema.descriptionOrNull(cursor.bytes(), cursor.nameOffset(), cursor.nameLength());
            String definition = description == null ? null : ofAttribute(description.type());
            if (definition == null && description != null && holdsNames(description.type())) {
                definition = ofValues(description.type(), cursor.values());
            }
            if (definition != null) {
                return new Found(id, definition, cursor.description());
            }
        }
        for (LargeAttribute attribute : record.largeAttributes()) {
            String definition = ofLarge(snapshot, id, attribute);
            if (definition != null) {
                return new Found(id, definition, attribute.description());
            }
        }
        return null;
    }

    private String ofLarge(Snapshot snapshot, long id, LargeAttribute attribute) {
        AttributeDescription description = schema.descriptionOrNull(attribute.description());
        String definition = description == null ? null : ofAttribute(description.type());
        if (definition != null || description == null || !holdsNames(description.type())) {
            return definition;
        }
        try (LargeValues.Cursor values = new LargeValues(snapshot, id).open(attribute)) {
            while (definition == null && values.next()) {
                definition = ofValue(description.type(), values.value());
            }
        }
        return definition;
    }

    private String ofAttribute(AttributeType type) {
        return types.containsKey(type) ? text(type) : null;
    }

    private String text(AttributeType type) {
        return "the attribute type " + type + " cannot be " + types.get(type);
    }

    private static boolean isIdentifier(AttributeType type) {
        return type.equality() != null && type.equality().oid().equals(OBJECT_IDENTIFIER_MATCH);
    }

    private boolean holdsNames(AttributeType type) {
        return isIdentifier(type) || type.holdsNames() || !keyedByNames.isEmpty() && keyedLike(type) != null;
    }

    /** The type in whose form an index has the values of this one; null if there is none. */
    private AttributeType keyedLike(AttributeType type) {
        for (AttributeType keyed : keyedByNames) {
            if (type.isSubtypeOf(keyed)) {
                return keyed;
            }
        }
        return null;
    }

    private String ofValues(AttributeType type, List<byte[]> values) {
        for (byte[] value : values) {
            String definition = ofValue(type, value);
            if (definition != null) {
                return definition;
            }
        }
        return null;
    }

    private String ofValue(AttributeType type, byte[] value) {
        String definition = isIdentifier(type) ? ofIdentifier(value)
                : type.holdsNames() ? ofName(value) : null;
        AttributeType keyed = definition == null ? keyedLike(type) : null;
        return keyed == null ? definition : ofKey(keyed, value);
    }

    private String ofKey(AttributeType keyed, byte[] value) {
        try {
            String form = new String(keyed.equality().normalize(value), StandardCharsets.US_ASCII);
            String name = revision.otherwiseRead().get(form);
            return name == null ? null : "the name " + name + " cannot be given to anything or taken from it while the server runs,"
                    + " because the index of " + keyed + " has the value \"" + Utf8.shown(value) + "\" (take the value out first, or"
                    + " change the definition in conf/schema and restart, which builds the index anew)";
        } catch (DirectoryException e) {
            return null;
        }
    }

    private String ofIdentifier(byte[] value) {
        ObjectClass objectClass = schema.objectClass(value);
        if (objectClass != null && classes.containsKey(objectClass)) {
            return "the object class " + objectClass + " cannot be " + classes.get(objectClass);
        }
        String text = Utf8.decodeOrNull(value);
        AttributeType named = text == null ? null : schema.attributeType(text);
        return named == null ? null : ofAttribute(named);
    }

    private String ofName(byte[] value) {
        AttributeType found = mentioned.in(value);
        return found == null ? null : text(found);
    }
}
