package org.alder.server.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.alder.partition.text.Utf8;
import org.alder.server.config.ConfigurationEntry.Line;
import org.alder.server.config.ConfigurationException.Kind;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Holds one entry of a configuration against the table of its keys. One thread. */
final class SettingsReader {
    /** What the entry has beside keys. */
    static final Set<String> NO_KEYS = Set.of("cn", "objectclass");

    private static final Logger LOG = LoggerFactory.getLogger(SettingsReader.class);

    private final Map<String, List<Line>> given = new LinkedHashMap<>();
    private final Map<Key<?>, Object> values = new LinkedHashMap<>();
    private final Map<Key<?>, Settings.Said> said = new LinkedHashMap<>();

    private SettingsReader() {
    }

    /**
     * @param folder where relative paths begin
     * @throws ConfigurationException naming file, line, key and value, and what was expected
     */
    static Settings read(Path folder, ConfigurationEntry entry, List<Key<?>> table) throws ConfigurationException {
        SettingsReader reader = new SettingsReader();
        for (Line line : entry.lines()) {
            String name = line.key().toLowerCase(Locale.ROOT);
            if (!NO_KEYS.contains(name)) {
                reader.given.computeIfAbsent(name, key -> new ArrayList<>()).add(line);
            }
        }
        for (Key<?> key : table) {
            reader.read(key);
        }
        reader.takeRetired(table);
        reader.refuseUnknown(table);
        return new Settings(folder, entry.place(), reader.values, reader.said);
    }

    private void read(Key<?> key) throws ConfigurationException {
        List<Line> found = given.remove(key.name().toLowerCase(Locale.ROOT));
        if (found != null && found.size() > 1 && !key.isSeveral()) {
            throw wrong(Kind.UNUSABLE, found.get(1), key.name() + " is given " + found.size() + " times, expected once");
        }
        List<String> texts = found == null ? key.defaults() : texts(found);
        if (found != null) {
            said.put(key, new Settings.Said(texts, found.stream().map(Line::place).toList()));
        }
        try {
            values.put(key, key.read(texts));
        } catch (ValueType.Refusal e) {
            throw wrong(key, found, texts, e);
        }
    }

    private static List<String> texts(List<Line> found) throws ConfigurationException {
        List<String> texts = new ArrayList<>();
        for (Line line : found) {
            String text = Utf8.decodeOrNull(line.value());
            if (text == null) {
                throw wrong(Kind.SYNTAX, line, "a value of " + line.key() + " that is not UTF-8: \"" + Utf8.shown(line.value()) + "\"");
            }
            texts.add(text.trim());
        }
        return List.copyOf(texts);
    }

    /** Of several values, the first one that cannot be read by itself. */
    private static ConfigurationException wrong(Key<?> key, List<Line> found, List<String> texts, ValueType.Refusal refusal) {
        for (int i = 0; i < texts.size(); i++) {
            try {
                key.read(List.of(texts.get(i)));
            } catch (ValueType.Refusal e) {
                String value = texts.get(i).isEmpty() ? "nothing" : key.isSecret() ? "what stands there"
                        : "\"" + texts.get(i) + "\"";
                return wrong(Kind.SYNTAX, found.get(i), key + ": " + value + " is not " + e.getMessage());
            }
        }
        return wrong(Kind.SYNTAX, found.get(0), key + ": expected " + refusal.getMessage() + ", and " + Key.NONE + " alone");
    }

    private static ConfigurationException wrong(Kind kind, Line line, String problem) {
        return new ConfigurationException(kind, line.place() + ", " + problem);
    }

    /** A file that an earlier build was content with is no reason not to start. */
    private void takeRetired(List<Key<?>> table) {
        if (table.contains(PartitionKeys.INDEX_CACHE_BYTES)) {
            PartitionKeys.RETIRED.forEach((name, why) -> {
                List<Line> found = given.remove(name);
                if (found != null) {
                    LOG.warn("{}: {} means nothing any more, as {}. Take it out", found.get(0).place(), found.get(0).key(), why);
                }
            });
        }
    }

    private void refuseUnknown(List<Key<?>> table) throws ConfigurationException {
        if (!given.isEmpty()) {
            Line unknown = given.values().iterator().next().get(0);
            throw wrong(Kind.UNKNOWN_KEY, unknown, UnknownKey.message(unknown.key(), table));
        }
    }
}
