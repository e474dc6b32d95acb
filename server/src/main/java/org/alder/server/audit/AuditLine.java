package org.alder.server.audit;

import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.function.Predicate;
import org.alder.partition.text.JsonText;
import org.alder.partition.text.Utf8;

/**
 * One line as it is written: an object of JSON. What clients send is shown without secrets, and cut where it is long, so that a line is
 * never much longer than {@value #MOST_CHARS} characters. Both the audit log and the access log are made of these. One thread.
 */
public final class AuditLine {
    private static final int MOST_CHARS = 16_384;
    private static final int MOST_TEXT_CHARS = 2048;
    private static final int MOST_VALUES = 32;
    private static final int MOST_VALUE_BYTES = 256;

    private final StringBuilder json = new StringBuilder(512);
    private static final byte[] HIDDEN = {'.', '.', '.'};

    private final Predicate<String> isSecret;
    private final ShownValues values;

    /** @param isSecret of an attribute description, also of one that no schema has: then its values are not shown */
    AuditLine(Predicate<String> isSecret, ShownValues values) {
        this.isSecret = isSecret;
        this.values = values;
    }

    /** What may be shown instead of a value. @param description null if it may be one of any attribute */
    public byte[] shown(String description, byte[] value) {
        boolean hidden = values == ShownValues.NONE || description != null && isSecret.test(description);
        return hidden ? HIDDEN.clone() : cut(value);
    }

    /** Between two characters, if it is text. */
    private byte[] cut(byte[] value) {
        if (values != ShownValues.CUT || value.length <= ShownValues.CUT_BYTES) {
            return value;
        }
        int length = ShownValues.CUT_BYTES;
        while (length > 0 && (value[length] & 0xC0) == 0x80) {
            length--;
        }
        byte[] start = Arrays.copyOf(value, length + HIDDEN.length);
        System.arraycopy(HIDDEN, 0, start, length, HIDDEN.length);
        return start;
    }

    private void name(String name) {
        char last = json.length() == 0 ? '{' : json.charAt(json.length() - 1);
        if (json.length() == 0) {
            json.append('{');
        } else if (last != '{' && last != '[') {
            json.append(',');
        }
        JsonText.append(json, name);
        json.append(':');
    }

    /** @param text null for none: then there is no such member */
    public AuditLine text(String name, String text) {
        if (text != null) {
            name(name);
            JsonText.append(json, cut(text));
        }
        return this;
    }

    private static String cut(String text) {
        return text.length() <= MOST_TEXT_CHARS ? text : text.substring(0, MOST_TEXT_CHARS) + "... (" + text.length() + " characters)";
    }

    public AuditLine number(String name, long value) {
        name(name);
        json.append(value);
        return this;
    }

    public AuditLine flag(String name, boolean value) {
        name(name);
        json.append(value);
        return this;
    }

    /** Begins a list of objects. */
    public AuditLine list(String name) {
        name(name);
        json.append('[');
        return this;
    }

    public void endList() {
        json.append(']');
    }

    /**
     * Adds what becomes of one attribute to the list that was begun: its values, but for secret ones, as far as there is room.
     *
     * @param change in one word; null for none
     */
    public void change(String change, String description, List<byte[]> values) {
        if (json.length() > MOST_CHARS) {
            return;
        }
        json.append(json.charAt(json.length() - 1) == '[' ? "{" : ",{");
        text("change", change).text("attribute", description).number("count", values.size());
        if (this.values != ShownValues.NONE && !isSecret.test(description) && !values.isEmpty()) {
            name("values");
            json.append('[');
            for (int i = 0; i < Math.min(values.size(), MOST_VALUES) && json.length() < MOST_CHARS; i++) {
                json.append(i == 0 ? "" : ",");
                value(cut(values.get(i)));
            }
            json.append(']');
        }
        json.append('}');
    }

    private void value(byte[] value) {
        String text = value.length > MOST_VALUE_BYTES ? null : Utf8.decodeOrNull(value);
        if (text != null) {
            JsonText.append(json, text);
        } else if (value.length > MOST_VALUE_BYTES) {
            JsonText.append(json, "(" + value.length + " bytes)");
        } else {
            JsonText.append(json, "base64:" + Base64.getEncoder().encodeToString(value));
        }
    }

    /** The whole line, without its end. */
    String end() {
        return json.append('}').toString();
    }
}
