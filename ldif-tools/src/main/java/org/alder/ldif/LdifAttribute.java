package org.alder.ldif;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.alder.partition.text.Utf8;

/**
 * One attribute line: a description (type and options, as spelled in the file) and one value. The array is not copied
 * and must not be changed. Equality is by description (exact spelling) and value bytes.
 *
 * @param line where it starts in its file, counted from 1 (to the largest int); 0 if it was not read from one
 */
public record LdifAttribute(String description, byte[] value, int line) {

    /** An attribute that was not read from a file. */
    public LdifAttribute(String description, byte[] value) {
        this(description, value, 0);
    }

    /** An attribute whose value is the UTF-8 form of {@code value}. */
    public static LdifAttribute of(String description, String value) {
        return new LdifAttribute(description, value.getBytes(StandardCharsets.UTF_8));
    }

    /** The value as text. @throws IllegalStateException if it is not UTF-8; the message names the line */
    public String text() {
        String text = Utf8.decodeOrNull(value);
        if (text == null) {
            throw new IllegalStateException("line " + line + ": the value of " + description + " is not UTF-8: "
                + Excerpt.of(value, 0, value.length));
        }
        return text;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LdifAttribute that && description.equals(that.description) && Arrays.equals(value, that.value);
    }

    @Override
    public int hashCode() {
        return 31 * description.hashCode() + Arrays.hashCode(value);
    }

    @Override
    public String toString() {
        return description + ": " + Excerpt.of(value, 0, value.length);
    }
}
