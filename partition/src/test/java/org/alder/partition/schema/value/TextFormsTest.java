package org.alder.partition.schema.value;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.Assert.assertEquals;

import org.alder.partition.error.DirectoryException;
import org.junit.Test;

public class TextFormsTest {
    private static String spaced(String value) throws DirectoryException {
        return new String(TextForms.spaced(value.getBytes(UTF_8), true), UTF_8);
    }

    /** RFC 4518 2.6.1; values that need no squeezing take a shorter way to the same form. */
    @Test
    public void theSpacedFormIsTheSameHoweverTheSpacesStand() throws DirectoryException {
        assertEquals(" x ", spaced("X"));
        assertEquals(" foo  bar ", spaced("Foo Bar"));
        assertEquals(" a  b  c ", spaced("a b c"));
        for (String value : new String[] {" a b c", "a b c ", "a  b c", "  a b   c  "}) {
            assertEquals(value, " a  b  c ", spaced(value));
        }
        assertEquals("  ", spaced(""));
        assertEquals("  ", spaced("   "));
        assertEquals(" \u00e4  b ", spaced("\u00c4 b"));
    }
}
