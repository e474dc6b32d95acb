package org.alder.server.console;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.alder.partition.text.Utf8;
import org.alder.server.client.LdapAnswer;

/** What the console's page is told of entries: values as text where they are, cut where they are long, and no secrets. Thread safe. */
final class ShownEntries {
    private static final int MOST_VALUES = 500;
    private static final int MOST_TEXT_CHARS = 8192;
    private static final int MOST_OCTETS = 512;

    private final Predicate<String> isSecret;

    /** @param isSecret whether values of an attribute are to stay where they are, whoever may read them */
    ShownEntries(Predicate<String> isSecret) {
        this.isSecret = isSecret;
    }

    List<Map<String, Object>> of(List<LdapAnswer.Entry> entries) {
        return entries.stream().map(this::of).toList();
    }

    private Map<String, Object> of(LdapAnswer.Entry entry) {
        List<Map<String, Object>> attributes = new ArrayList<>();
        entry.attributes().forEach(each -> {
            boolean secret = isSecret.test(each.description());
            Map<String, Object> attribute = new LinkedHashMap<>();
            attribute.put("name", each.description());
            attribute.put("count", each.values().size());
            attribute.put("values", each.values().stream().limit(MOST_VALUES).map(value -> secret ? hidden(value) : shown(value)).toList());
            attributes.add(attribute);
        });
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("dn", entry.dn());
        shown.put("attributes", attributes);
        return shown;
    }

    private static Map<String, Object> hidden(byte[] value) {
        return Map.of("hidden", value.length);
    }

    private static Map<String, Object> shown(byte[] value) {
        String text = Utf8.decodeOrNull(value);
        if (text != null && text.length() <= MOST_TEXT_CHARS) {
            return Map.of("text", text);
        } else if (text != null) {
            int end = Character.isHighSurrogate(text.charAt(MOST_TEXT_CHARS - 1)) ? MOST_TEXT_CHARS - 1 : MOST_TEXT_CHARS;
            return Map.of("text", text.substring(0, end), "bytes", value.length);
        }
        return Map.of("base64", Base64.getEncoder().encodeToString(Arrays.copyOf(value, Math.min(value.length, MOST_OCTETS))), "bytes", value.length);
    }
}
