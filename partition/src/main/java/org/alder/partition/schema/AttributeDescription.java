package org.alder.partition.schema;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.schema.value.ValueText;
import org.alder.partition.text.Oids;

/**
 * An attribute type with options (RFC 4512 2.5), such as {@code cn;lang-de}. Immutable, thread safe; equal if type and options
 * are.
 */
public final class AttributeDescription implements Comparable<AttributeDescription> {
    /** Options are compared one by one, and spellings are kept in memory: nobody needs more. */
    private static final int MAX_CHARS = 1_000;
    private static final String BINARY = "binary";
    private static final String LANGUAGE = "lang-";

    private final AttributeType type;
    private final List<String> options;
    private final String text;
    private final String storedText;
    private final boolean isLanguageRange;
    private final int hash;

    private AttributeDescription(AttributeType type, List<String> options, String text) {
        this.type = type;
        this.options = options;
        this.text = text;
        this.storedText = storedText(type, options, text);
        this.isLanguageRange = options.stream().anyMatch(AttributeDescription::isRange);
        this.hash = type.hashCode() * 31 + options.hashCode();
    }

    static AttributeDescription parse(Schema schema, String text) throws DirectoryException {
        if (text.length() > MAX_CHARS) {
            throw undefined(text, "an attribute description of more than " + MAX_CHARS + " characters:");
        }
        int semicolon = text.indexOf(';');
        int typeEnd = semicolon < 0 ? text.length() : semicolon;
        AttributeType type = schema.attributeType(text, 0, typeEnd);
        if (type == null) {
            throw undefined(text.substring(0, typeEnd), "unknown attribute type");
        }
        List<String> options = semicolon < 0 ? List.of() : options(text, semicolon + 1);
        if (type.syntax().isTransferredAsBinary()) {
            return new AttributeDescription(type, withBinary(options), text);
        } else if (options.contains(BINARY) && type.isHumanReadable()) {
            throw undefined(text, "the attribute type has no binary transfer (RFC 4522):");
        }
        return new AttributeDescription(type, options, text);
    }

    private static List<String> withBinary(List<String> options) {
        return options.contains(BINARY) ? options : Stream.concat(options.stream(), Stream.of(BINARY)).sorted().toList();
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
        return new DirectoryException(ResultCode.UNDEFINED_ATTRIBUTE_TYPE, what + ' ' + ValueText.of(text));
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

    /**
     * As it is spelt in an entry: certificates and the like have {@code ;binary} even if it was left out (RFC 4523 2), and what
     * the server itself looks for has its type's name, whatever name it came under.
     */
    public String storedText() {
        return storedText;
    }

    private static String storedText(AttributeType type, List<String> options, String text) {
        if (type.isOperational() && options.isEmpty()) {
            return type.name();
        }
        return options.contains(BINARY) && !text.toLowerCase(Locale.ROOT).contains(";" + BINARY) ? text + ";" + BINARY : text;
    }

    /** Whether it stands for languages (RFC 3866 2.2) and so for no attribute that an entry can have. */
    public boolean isLanguageRange() {
        return isLanguageRange;
    }

    private static boolean isRange(String option) {
        return option.startsWith(LANGUAGE) && option.endsWith("-");
    }

    /**
     * Whether an attribute that has these options has all of this description: a language range is met by each language in it.
     *
     * @param had in lower case
     */
    public boolean isMetBy(List<String> had) {
        for (String option : options) {
            boolean met = had.contains(option)
                    || isRange(option) && had.stream().anyMatch(each -> (each + '-').startsWith(option));
            if (!met) {
                return false;
            }
        }
        return true;
    }

    /** RFC 4512 2.5.2: the type is the other's or below it, and the options include the other's. Reflexive. */
    public boolean isSubtypeOf(AttributeDescription other) {
        return type.isSubtypeOf(other.type) && other.isMetBy(options);
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

    /** An order that makes maps with chosen keys no slower than trees. */
    @Override
    public int compareTo(AttributeDescription other) {
        int types = type.oid().compareTo(other.type.oid());
        return types != 0 ? types : String.join(";", options).compareTo(String.join(";", other.options));
    }

    @Override
    public String toString() {
        return text;
    }
}
