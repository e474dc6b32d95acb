package org.alder.server.migration;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads config.ldif of OpenDJ and says it in the words of slapd.conf, as {@link NetscapeConfiguration} does. One thread. */
final class OpenDjConfiguration {
    private static final Set<String> STORES = Set.of("ds-cfg-pluggable-backend", "ds-cfg-je-backend", "ds-cfg-pdb-backend", "ds-cfg-cas-backend",
            "ds-cfg-jdbc-backend", "ds-cfg-local-db-backend");
    private static final Set<String> OWN = Set.of("aci", "ds-sync-hist", "ds-sync-conflict");
    private static final Pattern DURATION = Pattern.compile("(\\d{1,9})\\s*(s|second|seconds|m|minute|minutes|h|hour|hours|d|day|days|w|week|weeks)?");
    /** Attributes of password policies, and keys. */
    private static final List<List<String>> POLICY = List.of(List.of("ds-cfg-max-password-age", "passwordPolicyMaxAgeSeconds"),
            List.of("ds-cfg-min-password-age", "passwordPolicyMinAgeSeconds"),
            List.of("ds-cfg-password-history-count", "passwordPolicyHistory"), List.of("ds-cfg-lockout-failure-count", "passwordPolicyMaxFailures"),
            List.of("ds-cfg-lockout-duration", "passwordPolicyLockoutSeconds"),
            List.of("ds-cfg-lockout-failure-expiration-interval", "passwordPolicyFailureSeconds"),
            List.of("ds-cfg-idle-lockout-interval", "passwordPolicyMaxIdleSeconds"), List.of("ds-cfg-grace-login-count", "passwordPolicyGraceLogins"),
            List.of("ds-cfg-force-change-on-reset", "passwordPolicyMustChange"),
            List.of("ds-cfg-allow-user-password-changes", "passwordPolicyAllowUserChange"));

    private final List<ForeignEntry> entries;
    private final List<ForeignSetting> settings = new ArrayList<>();

    private OpenDjConfiguration(List<ForeignEntry> entries) {
        this.entries = entries;
    }

    static boolean isOne(List<ForeignEntry> entries) {
        return entries.stream().anyMatch(entry -> entry.isA("ds-cfg-root-config") || entry.dn().startsWith("ds-cfg-backend-id="));
    }

    static List<ForeignSetting> settings(List<ForeignEntry> entries) {
        OpenDjConfiguration configuration = new OpenDjConfiguration(entries);
        configuration.server();
        entries.stream().filter(entry -> STORES.stream().anyMatch(entry::isA) && !entry.value("ds-cfg-enabled").equalsIgnoreCase("false"))
                .forEach(configuration::backend);
        return configuration.settings;
    }

    private void add(ForeignEntry entry, String attribute, String name, String... words) {
        settings.add(entry.setting(attribute, name, words));
    }

    private void server() {
        for (ForeignEntry entry : entries) {
            OpenDjPrivileges.add(entry, settings);
            if (entry.isA("ds-cfg-root-config")) {
                add(entry, "ds-cfg-size-limit", "sizelimit", limit(entry, "ds-cfg-size-limit", "1000"));
                add(entry, "ds-cfg-time-limit", "timelimit", limit(entry, "ds-cfg-time-limit", "60"));
                if (!limit(entry, "ds-cfg-idle-time-limit", "none").equals("none")) {
                    add(entry, "ds-cfg-idle-time-limit", "idletimeout", limit(entry, "ds-cfg-idle-time-limit", "0"));
                }
                String examined = seconds(entry.value("ds-cfg-lookthrough-limit"));
                if (examined != null) {
                    add(entry, "ds-cfg-lookthrough-limit", "set", "examinedLimit", examined);
                }
                if (entry.isOn("ds-cfg-reject-unauthenticated-requests")) {
                    add(entry, "ds-cfg-reject-unauthenticated-requests", "require", "authc");
                }
                policy(entry.value("ds-cfg-default-password-policy"));
            } else if (!entry.values("ds-cfg-listen-port").isEmpty() && entry.isOn("ds-cfg-enabled")) {
                add(entry, "ds-cfg-listen-port", "listen", entry.value("ds-cfg-listen-port"));
            } else {
                entry.addEach("ds-cfg-global-aci", "globalaci", settings);
            }
        }
    }

    /** In OpenDJ, 0 is no limit. */
    private static String limit(ForeignEntry entry, String attribute, String byDefault) {
        String value = seconds(entry.value(attribute));
        return value == null ? byDefault : value.equals("0") ? "none" : value;
    }

    /** A number, or a time in seconds; null if it is none. */
    private static String seconds(String text) {
        Matcher matcher = DURATION.matcher(text.toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            return null;
        }
        long factor = switch (matcher.group(2) == null ? 's' : matcher.group(2).charAt(0)) {
            case 'm' -> 60;
            case 'h' -> 3600;
            case 'd' -> 86_400;
            case 'w' -> 604_800;
            default -> 1;
        };
        return Long.toString(Math.min(Integer.MAX_VALUE, factor * Long.parseLong(matcher.group(1))));
    }

    private void policy(String name) {
        String wanted = name.toLowerCase(Locale.ROOT).replaceAll("\\s*,\\s*", ",");
        for (ForeignEntry entry : entries) {
            if (!wanted.isEmpty() && entry.dn().equals(wanted)) {
                for (List<String> key : POLICY) {
                    String value = entry.value(key.get(0));
                    String number = seconds(value);
                    if (number != null || value.equalsIgnoreCase("true") || value.equalsIgnoreCase("false")) {
                        add(entry, key.get(0), "set", key.get(1), number == null ? value.toLowerCase(Locale.ROOT) : number);
                    }
                }
            }
        }
    }

    private void backend(ForeignEntry backend) {
        for (String suffix : backend.values("ds-cfg-base-dn")) {
            add(backend, "ds-cfg-base-dn", "database", "mdb");
            add(backend, "ds-cfg-base-dn", "suffix", suffix);
            for (ForeignEntry entry : entries) {
                if (entry.isA("ds-cfg-root-dn-user")) {
                    entry.values("ds-cfg-alternate-bind-dn").stream().findFirst()
                            .ifPresent(dn -> add(entry, "ds-cfg-alternate-bind-dn", "rootdn", dn));
                    add(entry, "userPassword", "rootpw");
                } else if (entry.dn().endsWith(",cn=index," + backend.dn()) && !entry.values("ds-cfg-index-type").isEmpty()
                        && !OWN.contains(entry.value("ds-cfg-attribute").toLowerCase(Locale.ROOT))) {
                    add(entry, "ds-cfg-index-type", "index", entry.value("ds-cfg-attribute"), kinds(entry.values("ds-cfg-index-type")));
                } else if (entry.isA("ds-cfg-referential-integrity-plugin") && entry.isOn("ds-cfg-enabled")) {
                    add(entry, "ds-cfg-enabled", "overlay", "refint");
                    entry.values("ds-cfg-attribute-type").forEach(name -> add(entry, "ds-cfg-attribute-type", "refint_attributes", name));
                } else if (entry.isA("ds-cfg-unique-attribute-plugin") && entry.isOn("ds-cfg-enabled")) {
                    unique(entry, suffix);
                }
            }
        }
    }

    private static String kinds(List<String> types) {
        List<String> kinds = new ArrayList<>();
        for (String type : types) {
            String lower = type.toLowerCase(Locale.ROOT);
            // Equality answers what is greater, too.
            kinds.add(lower.startsWith("eq") || lower.equals("ordering") ? "eq" : lower.startsWith("pres") ? "pres" : lower.startsWith("sub") ? "sub"
                    : lower.startsWith("approx") ? "approx" : lower);
        }
        return String.join(",", kinds);
    }

    private void unique(ForeignEntry entry, String suffix) {
        String types = String.join(",", entry.values("ds-cfg-type"));
        List<String> bases = entry.values("ds-cfg-base-dn");
        entry.values("ds-cfg-type").forEach(name -> add(entry, "ds-cfg-type", "index", name, "eq"));
        if (bases.isEmpty()) {
            add(entry, "ds-cfg-type", "setpartition", "unique", types);
        }
        String plain = suffix.toLowerCase(Locale.ROOT);
        for (String base : bases) {
            if (base.toLowerCase(Locale.ROOT).endsWith(plain)) {
                add(entry, "ds-cfg-type", "setpartition", "unique", types + (base.equalsIgnoreCase(suffix) ? "" : " base=" + base));
            }
        }
    }
}
