package org.alder.server.config;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import org.alder.ldif.LdifAttribute;
import org.alder.ldif.LdifEntry;
import org.alder.partition.text.Utf8;

/**
 * The keys of one configuration entry, taken out one by one with their types; what is left at the end is unknown and refused.
 * One thread.
 */
final class Keys {
    private final String where;
    private final Map<String, List<String>> values = new LinkedHashMap<>();
    private final TreeSet<String> known = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);

    Keys(String file, LdifEntry entry) throws ConfigurationException {
        where = file + ", entry " + entry.dn() + " (line " + entry.line() + ")";
        for (LdifAttribute attribute : entry.attributes()) {
            String value = Utf8.decodeOrNull(attribute.value());
            if (value == null) {
                throw new ConfigurationException(where + ": a value of " + attribute.description() + " that is not UTF-8: \""
                        + Utf8.shown(attribute.value()) + "\"");
            }
            values.computeIfAbsent(attribute.description().toLowerCase(Locale.ROOT), key -> new ArrayList<>()).add(value.trim());
        }
        values.remove("cn");
        values.remove("objectclass");
    }

    List<String> all(String key) {
        known.add(key);
        List<String> found = values.remove(key.toLowerCase(Locale.ROOT));
        return found == null ? List.of() : found;
    }

    String text(String key, String fallback) throws ConfigurationException {
        List<String> found = all(key);
        if (found.size() > 1) {
            throw new ConfigurationException(where + ": " + key + " is given " + found.size() + " times, expected once");
        }
        return found.isEmpty() ? fallback : found.get(0);
    }

    int number(String key, int fallback, int least, int most) throws ConfigurationException {
        String text = text(key, null);
        if (text == null) {
            return fallback;
        }
        try {
            int value = Integer.parseInt(text);
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw new ConfigurationException(wrong(key, text, "a whole number from " + least + " to " + most), e);
        }
        throw new ConfigurationException(wrong(key, text, "a whole number from " + least + " to " + most));
    }

    <E extends Enum<E>> E choice(String key, E fallback, Class<E> type) throws ConfigurationException {
        String text = text(key, null);
        if (text == null) {
            return fallback;
        }
        for (E constant : type.getEnumConstants()) {
            if (constant.name().replace("_", "").equalsIgnoreCase(text)) {
                return constant;
            }
        }
        throw new ConfigurationException(wrong(key, text, "one of "
                + Arrays.toString(type.getEnumConstants()).toLowerCase(Locale.ROOT)));
    }

    /** Bytes: a number, perhaps with k, m or g, or a percentage of the Java heap. */
    long bytes(String key, String fallback) throws ConfigurationException {
        String text = text(key, fallback).toLowerCase(Locale.ROOT);
        String digits = text.isEmpty() ? text : text.substring(0, text.length() - 1);
        try {
            long scaled = switch (text.isEmpty() ? ' ' : text.charAt(text.length() - 1)) {
                case '%' -> Math.round(Runtime.getRuntime().maxMemory() / 100.0 * Integer.parseInt(digits));
                case 'k' -> Math.multiplyExact(Long.parseLong(digits), 1L << 10);
                case 'm' -> Math.multiplyExact(Long.parseLong(digits), 1L << 20);
                case 'g' -> Math.multiplyExact(Long.parseLong(digits), 1L << 30);
                default -> Long.parseLong(text);
            };
            if (scaled >= 0) {
                return scaled;
            }
        } catch (ArithmeticException | NumberFormatException e) {
            throw new ConfigurationException(wrong(key, text, "bytes such as 1048576, 64m or 25%"), e);
        }
        throw new ConfigurationException(wrong(key, text, "bytes such as 1048576, 64m or 25%"));
    }

    boolean flag(String key, boolean fallback) throws ConfigurationException {
        String text = text(key, Boolean.toString(fallback)).toLowerCase(Locale.ROOT);
        if (text.equals("true") || text.equals("false")) {
            return text.equals("true");
        }
        throw new ConfigurationException(wrong(key, text, "true or false"));
    }

    /** Refuses keys that nothing asked for. */
    void finish() throws ConfigurationException {
        if (!values.isEmpty()) {
            throw new ConfigurationException(where + ": unknown key " + values.keySet().iterator().next() + ", expected one of "
                    + known);
        }
    }

    String wrong(String key, String value, String expected) {
        return where + ": " + key + ": " + value + " is not " + expected;
    }
}
