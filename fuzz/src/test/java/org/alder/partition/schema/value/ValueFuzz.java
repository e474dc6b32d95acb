package org.alder.partition.schema.value;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;

import org.alder.fuzz.Named;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;
import org.alder.partition.testing.TestDirectory;

/** Values of all syntaxes under all matching rules. */
public final class ValueFuzz {
    private static final Schema SCHEMA = TestDirectory.SCHEMA;

    private ValueFuzz() {
    }

    /** A line with the name of an attribute or of a matching rule, then a value. */
    public static void value(byte[] input) throws DirectoryException {
        Named value = Named.of(input);
        if (value.rest() == null) {
            return;
        }
        MatchingRule rule = SCHEMA.matchingRule(value.name());
        if (rule != null) {
            rule(rule, value.rest());
        }
        AttributeType type = SCHEMA.attributeType(value.name());
        if (type != null) {
            type(type, value.rest());
        }
    }

    private static void rule(MatchingRule rule, byte[] value) throws DirectoryException {
        byte[] form = form(rule, value);
        if (form != null) {
            assertArrayEquals(rule.name(), form, rule.normalize(value));
            rule.matches(value, form);
        }
        try {
            rule.normalizeAssertion(value);
            if (rule.supportsSubstring()) {
                for (SubstringPosition position : SubstringPosition.values()) {
                    rule.normalizeSubstring(value, position);
                }
            }
        } catch (DirectoryException e) {
            assertEquals(rule.name() + ": " + e.getMessage(), ResultCode.INVALID_ATTRIBUTE_SYNTAX, e.resultCode());
        }
    }

    private static byte[] form(MatchingRule rule, byte[] value) {
        byte[] before = value.clone();
        try {
            return rule.normalize(value);
        } catch (DirectoryException e) {
            assertEquals(rule.name() + ": " + e.getMessage(), ResultCode.INVALID_ATTRIBUTE_SYNTAX, e.resultCode());
            return null;
        } finally {
            assertArrayEquals(rule.name() + " changed its argument", before, value);
        }
    }

    private static void type(AttributeType type, byte[] value) throws DirectoryException {
        boolean valid = type.checkSyntax(value);
        assertEquals(type.name(), valid, type.checkSyntax(value));
        for (MatchingRule rule : new MatchingRule[] {type.equality(), type.ordering(), type.substring()}) {
            if (rule != null) {
                rule(rule, value);
            }
        }
    }
}
