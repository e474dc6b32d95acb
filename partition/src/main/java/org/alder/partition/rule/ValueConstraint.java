package org.alder.partition.rule;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.text.Utf8;

/**
 * What the values of some attributes may be, beyond their syntax. Immutable, thread safe.
 *
 * @param attributes what holds for a type holds for its subtypes and with every option
 */
public record ValueConstraint(List<AttributeType> attributes, Test test) {
    /** One of the kinds of constraints. */
    public sealed interface Test {
        /** @return what was expected, for a message; null if the value is a good one */
        default String expectation(AttributeType type, byte[] value) throws DirectoryException {
            return null;
        }

        /** The most values an attribute may have. */
        default int mostValues() {
            return Integer.MAX_VALUE;
        }
    }

    /** @param found whether the pattern has to be found in the value, else it must not be there */
    public record Matching(Pattern pattern, boolean found) implements Test {
        @Override
        public String expectation(AttributeType type, byte[] value) {
            String text = Utf8.decodeOrNull(value);
            if (text == null) {
                return "one that is UTF-8, as it has to be compared with the pattern " + pattern;
            }
            Boolean matches = MeteredText.find(pattern, text);
            if (matches == null) {
                return "one that the pattern " + pattern + " can be held against in reasonable time";
            }
            return matches == found ? null : "one that " + (found ? "matches" : "does not match") + " the pattern " + pattern;
        }
    }

    public record Size(int mostBytes) implements Test {
        @Override
        public String expectation(AttributeType type, byte[] value) {
            return value.length <= mostBytes ? null : "one of at most " + mostBytes + " bytes";
        }
    }

    public record Count(int mostValues) implements Test {
    }

    public record OneOf(List<String> values) implements Test {
        @Override
        public String expectation(AttributeType type, byte[] value) throws DirectoryException {
            for (String allowed : values) {
                if (Arrays.equals(form(type, allowed.getBytes(StandardCharsets.UTF_8)), form(type, value))) {
                    return null;
                }
            }
            return "one of " + String.join(", ", values);
        }

        private static byte[] form(AttributeType type, byte[] value) throws DirectoryException {
            return type.equality() == null ? value : type.equality().normalize(value);
        }
    }

    public ValueConstraint {
        attributes = List.copyOf(attributes);
    }

    public boolean covers(AttributeType type) {
        return attributes.stream().anyMatch(type::isSubtypeOf);
    }
}
