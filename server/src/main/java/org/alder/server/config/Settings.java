package org.alder.server.config;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The values of all keys of one entry of the configuration, checked each by itself, and where they were said. Immutable.
 */
public final class Settings {
    private final String file;
    private final long line;
    private final String dn;
    private final Map<Key<?>, Object> values;
    private final Map<Key<?>, List<Integer>> lines;

    /** @param lines of the keys that the file gives, one for each value */
    Settings(String file, long line, String dn, Map<Key<?>, Object> values, Map<Key<?>, List<Integer>> lines) {
        this.file = file;
        this.line = line;
        this.dn = dn;
        this.values = values;
        this.lines = lines;
    }

    /** The value of the file, or the default. */
    @SuppressWarnings("unchecked")
    public <T> T get(Key<T> key) {
        return (T) values.get(key);
    }

    /** A path that a value names, found from the folder of the configuration. */
    public Path path(String text) {
        return Path.of(file).toAbsolutePath().resolveSibling(text).normalize();
    }

    /** Whether the file says it. */
    boolean isGiven(Key<?> key) {
        return lines.containsKey(key);
    }

    /** The same with another value. */
    <T> Settings with(Key<T> key, T value) {
        Map<Key<?>, Object> changed = new HashMap<>(values);
        changed.put(key, value);
        return new Settings(file, line, dn, changed, lines);
    }

    /** A value that cannot be used; the message names file, line and key. */
    public ConfigurationException fault(Key<?> key, String problem) {
        return fault(key, 0, problem);
    }

    /** @param index which of a key's values it is, counted from 0 */
    public ConfigurationException fault(Key<?> key, int index, String problem) {
        return new ConfigurationException(place(key, index) + ": " + problem);
    }

    /** Where a value stands: file, line and key. @param index which of a key's values it is, counted from 0 */
    public String place(Key<?> key, int index) {
        List<Integer> where = lines.get(key);
        return where == null ? entry() + ", " + key + " (default)"
                : file + ", line " + where.get(Math.min(index, where.size() - 1)) + ", " + key;
    }

    /** What is wrong with the entry as a whole. */
    ConfigurationException fault(String problem) {
        return new ConfigurationException(entry() + ": " + problem);
    }

    private String entry() {
        return line == 0 ? file + ", entry " + dn + " (default)" : file + ", line " + line + ", entry " + dn;
    }
}
