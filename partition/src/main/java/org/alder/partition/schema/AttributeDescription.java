package org.alder.partition.schema;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import org.alder.partition.error.DirectoryException;
import org.apache.directory.api.ldap.model.message.ResultCodeEnum;

/**
 * An attribute type with options (RFC 4512 2.5), such as {@code cn;lang-de}. Immutable, thread safe; equal if type and options
 * are.
 */
public final class AttributeDescription {
    private final AttributeType type;
    private final List<String> options;
    private final String text;
    private final int hash;

    private AttributeDescription(AttributeType type, List<String> options, String text) {
        this.type = type;
        this.options = options;
        this.text = text;
        this.hash = type.hashCode() * 31 + options.hashCode();
    }

    static AttributeDescription parse(Schema schema, String text) throws DirectoryException {
        int semicolon = text.indexOf(';');
        int typeEnd = semicolon < 0 ? text.length() : semicolon;
        AttributeType type = schema.attributeType(text, 0, typeEnd);
        if (type == null) {
            throw undefined(text.substring(0, typeEnd), "unknown attribute type");
        }
        return new AttributeDescription(type, semicolon < 0 ? List.of() : options(text, semicolon + 1), text);
    }

    private static List<String> options(String text, int from) throws DirectoryException {
        String[] options = text.substring(from).toLowerCase(Locale.ROOT).split(";", -1);
        for (String option : options) {
            if (option.isEmpty() || !option.chars().allMatch(Oids::isKeyChar)) {
                throw undefined(text, "malformed option in the attribute description");
            }
        }
        return Arrays.stream(options).distinct().sorted().toList();
    }

    private static DirectoryException undefined(String text, String what) {
        return new DirectoryException(ResultCodeEnum.UNDEFINED_ATTRIBUTE_TYPE, what + ' ' + ValueText.of(text));
    }

    public AttributeType type() {
        return type;
    }

    /** Lower-case, sorted, without repetitions. */
    public List<String> options() {
        return options;
    }

    /** As it was spelt. */
    public String text() {
        return text;
    }

    /** RFC 4512 2.5.2: the type is the other's or below it, and the options include the other's. Reflexive. */
    public boolean isSubtypeOf(AttributeDescription other) {
        return type.isSubtypeOf(other.type) && (other.options.isEmpty() || new HashSet<>(options).containsAll(other.options));
    }

    @Override
    public boolean equals(Object object) {
        return object == this || object instanceof AttributeDescription && ((AttributeDescription) object).type == type
                && ((AttributeDescription) object).options.equals(options);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return text;
    }
}
