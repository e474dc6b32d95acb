package org.alder.server.config;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.alder.ldif.LdifAttribute;
import org.alder.ldif.LdifEntry;
import org.alder.partition.text.Utf8;

/** Holds one entry of a configuration file against the table of its keys. One thread. */
final class SettingsReader {
    /** What the entry has beside keys. */
    private static final Set<String> NO_KEYS = Set.of("cn", "objectclass");

    private final String file;
    private final LdifEntry entry;
    private final Map<String, List<LdifAttribute>> given = new LinkedHashMap<>();
    private final Map<Key<?>, Object> values = new HashMap<>();
    private final Map<Key<?>, List<Integer>> lines = new HashMap<>();

    private SettingsReader(String file, LdifEntry entry) {
        this.file = file;
        this.entry = entry;
    }

    /** @throws ConfigurationException naming file, line, key and value, and what was expected */
    static Settings read(String file, LdifEntry entry, List<Key<?>> table) throws ConfigurationException {
        SettingsReader reader = new SettingsReader(file, entry);
        for (LdifAttribute attribute : entry.attributes()) {
            String name = attribute.description().toLowerCase(Locale.ROOT);
            if (!NO_KEYS.contains(name)) {
                reader.given.computeIfAbsent(name, key -> new ArrayList<>()).add(attribute);
            }
        }
        for (Key<?> key : table) {
            reader.read(key);
        }
        reader.refuseUnknown(table);
        return new Settings(file, entry.line(), entry.dn(), reader.values, reader.lines);
    }

    private void read(Key<?> key) throws ConfigurationException {
        List<LdifAttribute> found = given.remove(key.name().toLowerCase(Locale.ROOT));
        if (found != null) {
            lines.put(key, found.stream().map(LdifAttribute::line).toList());
        }
        if (found != null && found.size() > 1 && !key.isSeveral()) {
            throw wrong(found.get(1), key.name() + " is given " + found.size() + " times, expected once");
        }
        List<String> texts = found == null ? key.defaults() : texts(found);
        try {
            values.put(key, key.read(texts));
        } catch (ValueType.Refusal e) {
            throw wrong(key, found, texts, e);
        }
    }

    private List<String> texts(List<LdifAttribute> found) throws ConfigurationException {
        List<String> texts = new ArrayList<>();
        for (LdifAttribute attribute : found) {
            String text = Utf8.decodeOrNull(attribute.value());
            if (text == null) {
                throw wrong(attribute, "a value of " + attribute.description() + " that is not UTF-8: \""
                        + Utf8.shown(attribute.value()) + "\"");
            }
            texts.add(text.trim());
        }
        return texts;
    }

    /** Of several values, the first one that cannot be read by itself. */
    private ConfigurationException wrong(Key<?> key, List<LdifAttribute> found, List<String> texts, ValueType.Refusal refusal) {
        for (int i = 0; i < texts.size(); i++) {
            try {
                key.read(List.of(texts.get(i)));
            } catch (ValueType.Refusal e) {
                String value = texts.get(i).isEmpty() ? "nothing" : key.isSecret() ? "what stands there"
                        : "\"" + texts.get(i) + "\"";
                return wrong(found.get(i), key + ": " + value + " is not " + e.getMessage());
            }
        }
        return wrong(found.get(0), key + ": expected " + refusal.getMessage() + ", and " + Key.NONE + " alone");
    }

    private ConfigurationException wrong(LdifAttribute attribute, String problem) {
        return new ConfigurationException(file + ", line " + attribute.line() + ", " + problem);
    }

    private void refuseUnknown(List<Key<?>> table) throws ConfigurationException {
        if (!given.isEmpty()) {
            LdifAttribute unknown = given.values().iterator().next().get(0);
            throw wrong(unknown, "unknown key " + unknown.description() + ", expected one of "
                    + table.stream().map(Key::name).collect(Collectors.toCollection(TreeSet::new)));
        }
    }
}
