package org.alder.server.audit;

import java.util.Base64;
import java.util.List;
import java.util.function.Predicate;
import org.alder.partition.text.JsonText;
import org.alder.partition.text.Utf8;

/**
 * One line as it is written: an object of JSON. What clients send is shown without secrets, and cut where it is long, so that a line is
 * never much longer than {@value #MOST_CHARS} characters. One thread.
 */
public final class AuditLine {
    private static final int MOST_CHARS = 16_384;
    private static final int MOST_TEXT_CHARS = 2048;
    private static final int MOST_VALUES = 32;
    private static final int MOST_VALUE_BYTES = 256;

    private final StringBuilder json = new StringBuilder(512);
    private final Predicate<String> isSecret;

    /** @param isSecret of an attribute description, also of one that no schema has: then its values are not shown */
    AuditLine(Predicate<String> isSecret) {
        this.isSecret = isSecret;
    }

    /** Whether the values of an attribute must not be shown. */
    public boolean isSecret(String description) {
        return isSecret.test(description);
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
        if (!isSecret(description) && !values.isEmpty()) {
            name("values");
            json.append('[');
            for (int i = 0; i < Math.min(values.size(), MOST_VALUES) && json.length() < MOST_CHARS; i++) {
                json.append(i == 0 ? "" : ",");
                value(values.get(i));
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
