package org.alder.partition.update.edit;

import org.alder.partition.schema.AttributeType;
import org.alder.partition.text.Utf8;

/**
 * Shows attribute values in messages: text in quotes and cut at a readable length, octet strings (passwords among them) and
 * binary values as their length.
 */
public final class Quoted {
    private static final int MAX_CHARS = 100;
    private static final String OCTET_STRING_SYNTAX = "1.3.6.1.4.1.1466.115.121.1.40";

    private Quoted() {
    }

    public static String value(AttributeType type, byte[] value) {
        if (!type.isHumanReadable() || OCTET_STRING_SYNTAX.equals(type.syntaxOid())) {
            return "of " + value.length + " bytes";
        }
        String text = Utf8.shown(value);
        return text.length() <= MAX_CHARS ? '"' + text + '"' : '"' + text.substring(0, MAX_CHARS) + "...\"";
    }
}
