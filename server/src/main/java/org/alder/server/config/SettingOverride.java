package org.alder.server.config;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * What is said of a key elsewhere than in the configuration, and goes before it. Immutable.
 *
 * @param partition whose key it is; null for the server's, or that of the only partition
 * @param values    none is as if the configuration did not name the key
 * @param place     who says it, for messages, such as the name of an option
 */
public record SettingOverride(String partition, String key, List<String> values, String place) {
    private static final String VARIABLE = "ALDER_SET_";
    private static final String OPTION = "--set";

    public SettingOverride {
        values = List.copyOf(values);
    }

    /** Another address to listen on, without other listeners; null keeps what is there. */
    public static List<SettingOverride> ofListener(String host, Integer port) {
        List<SettingOverride> overrides = new ArrayList<>();
        if (host != null) {
            overrides.add(new SettingOverride(null, ServerKeys.LISTEN_HOST.name(), List.of(host), "--host"));
        }
        if (port != null) {
            overrides.add(new SettingOverride(null, ServerKeys.LISTEN_PORT.name(), List.of(port.toString()), "--port"));
        }
        if (!overrides.isEmpty()) {
            overrides.add(new SettingOverride(null, ServerKeys.LISTENER.name(), List.of(), "--host or --port"));
        }
        return overrides;
    }

    /** The variables ALDER_SET_KEY and ALDER_SET_PARTITION__KEY; several values stand on lines of their own. */
    public static List<SettingOverride> ofEnvironment(Map<String, String> environment) {
        List<SettingOverride> overrides = new ArrayList<>();
        new TreeMap<>(environment).forEach((name, value) -> {
            if (name.startsWith(VARIABLE)) {
                String[] parts = name.substring(VARIABLE.length()).split("__", 2);
                overrides.add(new SettingOverride(parts.length == 1 ? null : parts[0], parts[parts.length - 1],
                        value.lines().toList(), name));
            }
        });
        return overrides;
    }

    /**
     * Of KEY=VALUE and PARTITION/KEY=VALUE, of which each key may come several times.
     *
     * @throws ConfigurationException if one is not of the form
     */
    public static List<SettingOverride> ofOptions(List<String> options) throws ConfigurationException {
        Map<String, SettingOverride> overrides = new TreeMap<>();
        for (String option : options) {
            int equals = option.indexOf('=');
            if (equals < 1) {
                throw new ConfigurationException(OPTION + " " + option + ": expected KEY=VALUE or PARTITION/KEY=VALUE");
            }
            String name = option.substring(0, equals).trim();
            int slash = name.indexOf('/');
            SettingOverride said = new SettingOverride(slash < 0 ? null : name.substring(0, slash), name.substring(slash + 1),
                    List.of(option.substring(equals + 1)), OPTION);
            overrides.merge(name.toLowerCase(Locale.ROOT), said, SettingOverride::and);
        }
        return List.copyOf(overrides.values());
    }

    private SettingOverride and(SettingOverride other) {
        List<String> all = new ArrayList<>(values);
        all.addAll(other.values);
        return new SettingOverride(partition, key, all, place);
    }

    ConfigurationEntry applied(ConfigurationEntry entry) {
        return entry.with(key, values.stream().map(value -> value.getBytes(StandardCharsets.UTF_8)).toList(), place);
    }
}
