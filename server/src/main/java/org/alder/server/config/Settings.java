package org.alder.server.config;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The values of all keys of one entry of the configuration, checked each by itself, and where they were said. Immutable.
 */
public final class Settings {
    private final Path folder;
    private final String place;
    private final Map<Key<?>, Object> values;
    private final Map<Key<?>, Said> said;
    /** Of keys whose default depends on others. */
    private final Map<Key<?>, List<String>> derived;

    /** What was said of a key, value by value. */
    record Said(List<String> texts, List<String> places) {
    }

    /**
     * @param folder where relative paths begin
     * @param place  of the entry
     * @param values of all keys, in their order
     * @param said   of the keys that were given
     */
    Settings(Path folder, String place, Map<Key<?>, Object> values, Map<Key<?>, Said> said) {
        this(folder, place, values, said, Map.of());
    }

    private Settings(Path folder, String place, Map<Key<?>, Object> values, Map<Key<?>, Said> said, Map<Key<?>, List<String>> derived) {
        this.folder = folder;
        this.place = place;
        this.values = values;
        this.said = said;
        this.derived = derived;
    }

    /** The value that was said, or the default. */
    @SuppressWarnings("unchecked")
    public <T> T get(Key<T> key) {
        return (T) values.get(key);
    }

    /** A path that a value names, found from the folder of the configuration. */
    public Path path(String text) {
        return folder.resolve(text).normalize();
    }

    /** Whether somebody said it. */
    boolean isGiven(Key<?> key) {
        return said.containsKey(key);
    }

    /** What was said, by the names of the keys in their order, as it was written. */
    public Map<String, List<String>> said() {
        return texts(true);
    }

    /** Of the keys of which something was said those, in small letters, of which that is what holds by default. */
    Set<String> saidByDefault() {
        return said.keySet().stream().filter(key -> Objects.equals(values.get(key), key.byDefault()))
                .map(key -> key.name().toLowerCase(Locale.ROOT)).collect(Collectors.toSet());
    }

    /** What holds of the keys of which nothing was said, as it would be written. */
    public Map<String, List<String>> defaults() {
        return texts(false);
    }

    private Map<String, List<String>> texts(boolean given) {
        Map<String, List<String>> texts = new LinkedHashMap<>();
        for (Key<?> key : values.keySet()) {
            List<String> byDefault = derived.getOrDefault(key, key.defaults());
            if (isGiven(key) && given) {
                texts.put(key.name(), said.get(key).texts());
            } else if (!isGiven(key) && !given && !byDefault.isEmpty()) {
                texts.put(key.name(), byDefault);
            }
        }
        return texts;
    }

    /** The same with another default, which depends on other keys; what was said stays. */
    Settings withDefault(Key<List<String>> key, List<String> value) {
        Map<Key<?>, Object> changed = new LinkedHashMap<>(values);
        changed.put(key, value);
        Map<Key<?>, List<String>> texts = new LinkedHashMap<>(derived);
        texts.put(key, value);
        return new Settings(folder, place, changed, said, texts);
    }

    /**
     * The same with what another says of the keys that a running server goes by. What holds by default and depends on other keys, in
     * both, is the same: it may have become something that cannot hold yet, such as what needs an index that is not built.
     */
    Settings live(Settings newer) {
        Map<Key<?>, Object> mixedValues = new LinkedHashMap<>();
        Map<Key<?>, Said> mixedSaid = new LinkedHashMap<>();
        Map<Key<?>, List<String>> mixedDerived = new LinkedHashMap<>();
        boolean sameTls = get(ServerKeys.TLS) == newer.get(ServerKeys.TLS);
        for (Key<?> key : values.keySet()) {
            boolean follows = isGiven(key) || newer.isGiven(key) || !derived.containsKey(key);
            Settings from = key.effect().isLive(sameTls) && follows ? newer : this;
            mixedValues.put(key, from.values.get(key));
            if (from.isGiven(key)) {
                mixedSaid.put(key, from.said.get(key));
            }
            if (from.derived.containsKey(key)) {
                mixedDerived.put(key, from.derived.get(key));
            }
        }
        return new Settings(folder, place, mixedValues, mixedSaid, mixedDerived);
    }

    /** The keys that have other values in the other one. */
    List<String> differences(Settings other) {
        return values.keySet().stream().filter(key -> !Objects.equals(values.get(key), other.values.get(key))).map(Key::name).toList();
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
        Said where = said.get(key);
        return where == null ? place + ", " + key + " (default)"
                : where.places().get(Math.min(index, where.places().size() - 1)) + ", " + key;
    }

    /** What is wrong with the entry as a whole. */
    ConfigurationException fault(String problem) {
        return new ConfigurationException(place + ": " + problem);
    }
}
