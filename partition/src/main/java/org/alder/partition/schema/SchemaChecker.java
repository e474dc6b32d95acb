package org.alder.partition.schema;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.AttributeCursor;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.entry.LargeAttribute;
import org.alder.partition.entry.Octets;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.schema.value.StringPreparation;
import org.alder.partition.schema.value.ValueText;

/**
 * Tells whether an entry's user attributes obey the schema (RFC 4512 2.4, 2.5). Thread safe; what a combination of object
 * classes means is worked out once.
 */
public final class SchemaChecker {
    private static final int MAX_CLASS_SETS = 1000;

    private final Schema schema;
    private final AttributeType objectClassType;
    private volatile ClassSets classSets = new ClassSets(0, new ConcurrentHashMap<>());

    /** What combinations of classes mean in one version of the schema. */
    private record ClassSets(long version, Map<List<ObjectClass>, ClassSet> byClasses) {
    }

    public SchemaChecker(Schema schema) {
        this.schema = schema;
        this.objectClassType = schema.attributeType("objectClass");
    }

    /**
     * Checks a whole entry as it is stored, with all of its values. Superclasses need not be listed.
     *
     * @param entry its operational attributes are allowed in any class; a class may require one (RFC 3296 requires ref). Of large
     *              attributes no values are looked at
     * @return the structural object class
     * @throws DirectoryException objectClassViolation (classes, required or forbidden attribute), undefinedAttributeType,
     *     invalidAttributeSyntax, constraintViolation (single value) or attributeOrValueExists; the message names
     *     attribute, class and value
     */
    public ObjectClass check(EntryRecord entry) throws DirectoryException {
        return check(entry, all -> true);
    }

    /**
     * The same of an entry that was changed.
     *
     * @param isChanged whether an attribute, by its spelling, is to be looked at value by value; those of the others were checked before
     */
    public ObjectClass check(EntryRecord entry, Predicate<String> isChanged) throws DirectoryException {
        Set<AttributeDescription> seen = new HashSet<>();
        Content content = new Content();
        AttributeCursor cursor = entry.cursor(true);
        while (cursor.next()) {
            AttributeDescription known = schema.descriptionOrNull(cursor.bytes(), cursor.nameOffset(), cursor.nameLength());
            if (!cursor.isOperational()) {
                AttributeDescription description = known == null ? schema.description(cursor.description()) : known;
                requireFirst(seen, description);
                boolean isOfClasses = description.type() == objectClassType;
                boolean isLookedAt = isChanged.test(description.text());
                Attribute attribute = isOfClasses || isLookedAt ? new Attribute(description.text(), cursor.values()) : null;
                if (isOfClasses) {
                    addClasses(attribute, content.classes);
                }
                content.add(description, isLookedAt ? attribute : null);
            } else if (known != null) {
                content.others.add(known);
            }
        }
        for (LargeAttribute large : entry.largeAttributes()) {
            AttributeDescription description = schema.description(large.description());
            requireFirst(seen, description);
            content.others.add(description);
        }
        return check(content);
    }

    /** What is to be checked of an entry. One thread. */
    private static final class Content {
        private final List<ObjectClass> classes = new ArrayList<>(4);
        private final List<AttributeDescription> user = new ArrayList<>();
        /** One for each of the user attributes; null where the values need no look. */
        private final List<Attribute> values = new ArrayList<>();
        private final List<AttributeDescription> others = new ArrayList<>();

        void add(AttributeDescription description, Attribute lookedAt) {
            user.add(description);
            values.add(lookedAt);
        }
    }

    private static void requireFirst(Set<AttributeDescription> seen, AttributeDescription description) throws DirectoryException {
        if (!seen.add(description)) {
            throw givenTwice(description.text());
        }
    }

    private static DirectoryException givenTwice(String description) {
        return new DirectoryException(ResultCode.ATTRIBUTE_OR_VALUE_EXISTS,
                "the attribute " + description + " is given twice");
    }

    /**
     * As {@link #check(EntryRecord)}, for an entry that is being put together.
     *
     * @param user the user attributes by their descriptions, each with at least one value
     * @param others the descriptions of what else the entry has, of which no values are checked: operational attributes and large
     *     ones
     */
    public ObjectClass check(Map<AttributeDescription, Attribute> user, Collection<AttributeDescription> others)
            throws DirectoryException {
        Content content = new Content();
        for (Map.Entry<AttributeDescription, Attribute> each : user.entrySet()) {
            if (each.getKey().type() == objectClassType) {
                addClasses(each.getValue(), content.classes);
            }
            content.add(each.getKey(), each.getValue());
        }
        content.others.addAll(others);
        return check(content);
    }

    private ObjectClass check(Content content) throws DirectoryException {
        AttributeType[] types = new AttributeType[content.user.size() + content.others.size()];
        ClassSet classes = classSet(content.classes);
        int count = 0;
        for (AttributeDescription description : content.user) {
            Attribute lookedAt = content.values.get(count);
            requireNoRange(description);
            classes.checkAllowed(description.type(), lookedAt == null ? description.text() : lookedAt.description());
            if (lookedAt != null) {
                checkValues(description.type(), lookedAt);
            }
            types[count++] = description.type();
        }
        for (AttributeDescription other : content.others) {
            requireNoRange(other);
            if (!other.type().isOperational()) {
                classes.checkAllowed(other.type(), other.text());
            }
            types[count++] = other.type();
        }
        classes.checkRequired(types);
        return classes.structural();
    }

    private static void requireNoRange(AttributeDescription description) throws DirectoryException {
        if (description.isLanguageRange()) {
            throw new DirectoryException(ResultCode.UNDEFINED_ATTRIBUTE_TYPE,
                    "the attribute " + description + " is a range of languages, which no entry can have");
        }
    }

    private void addClasses(Attribute attribute, List<ObjectClass> listed) throws DirectoryException {
        if (attribute.values().size() > schema.objectClasses().size()) {
            throw new DirectoryException(ResultCode.ATTRIBUTE_OR_VALUE_EXISTS, "the attribute " + attribute.description()
                    + " has " + attribute.values().size() + " values, more than there are classes: some are there twice");
        }
        for (byte[] value : attribute.values()) {
            ObjectClass objectClass = schema.objectClass(value);
            if (objectClass == null) {
                throw ClassSet.violation("unknown object class " + ValueText.of(value));
            }
            listed.add(objectClass);
        }
    }

    private ClassSet classSet(List<ObjectClass> listed) throws DirectoryException {
        if (listed.isEmpty()) {
            throw ClassSet.violation("the attribute objectClass is missing");
        }
        long version = schema.version();
        ClassSets sets = classSets;
        if (sets.version != version) {
            sets = new ClassSets(version, new ConcurrentHashMap<>());
            classSets = sets;
        }
        ClassSet known = sets.byClasses.get(listed);
        if (known != null) {
            return known;
        }
        ClassSet made = new ClassSet(listed, schema::contentRule);
        if (sets.byClasses.size() < MAX_CLASS_SETS) {
            sets.byClasses.put(List.copyOf(listed), made);
        }
        return made;
    }

    /** Single value, syntax of each value, no two equal ones. */
    private static void checkValues(AttributeType type, Attribute attribute) throws DirectoryException {
        List<byte[]> values = attribute.values();
        if (type.isSingleValue() && values.size() > 1) {
            throw new DirectoryException(ResultCode.CONSTRAINT_VIOLATION,
                    "the attribute " + attribute.description() + " takes one value, not " + values.size());
        }
        for (byte[] value : values) {
            if (!type.checkSyntax(value)) {
                throw syntax(attribute, "the value " + ValueText.of(value) + " is not of syntax " + type.syntax().description());
            }
        }
        if (values.size() > 1) {
            checkDistinct(type, attribute);
        } else if (!StringPreparation.isPlain(values.get(0))) {
            normalize(type, attribute, values.get(0));
        }
    }

    private static void checkDistinct(AttributeType type, Attribute attribute) throws DirectoryException {
        Set<Octets> forms = new HashSet<>();
        for (byte[] value : attribute.values()) {
            if (!forms.add(new Octets(normalize(type, attribute, value)))) {
                throw new DirectoryException(ResultCode.ATTRIBUTE_OR_VALUE_EXISTS,
                        "the attribute " + attribute.description() + " has the value " + ValueText.of(value) + " twice");
            }
        }
    }

    private static byte[] normalize(AttributeType type, Attribute attribute, byte[] value) throws DirectoryException {
        if (type.equality() == null) {
            return value;
        }
        try {
            return type.equality().normalize(value);
        } catch (DirectoryException e) {
            throw syntax(attribute, e.getMessage());
        }
    }

    private static DirectoryException syntax(Attribute attribute, String what) {
        return new DirectoryException(ResultCode.INVALID_ATTRIBUTE_SYNTAX,
                "the attribute " + attribute.description() + ": " + what);
    }
}
