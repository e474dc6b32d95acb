package org.alder.server.migration;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Reads the configuration of ApacheDS, config.ldif or the tree of files that it becomes at the first start, and says it in the words of
 * slapd.conf, as {@link NetscapeConfiguration} does. One thread.
 */
final class ApacheConfiguration {
    private static final String ROOT_FILE = "ou=config.ldif";
    private static final int MOST_FILES = 10_000;
    private static final int MILLIS = 1000;
    /** Attributes of password policies, and keys; where a switch is named, it has to be on. */
    private static final List<List<String>> POLICY = List.of(List.of("ads-pwdMaxAge", "passwordPolicyMaxAgeSeconds", ""),
            List.of("ads-pwdMinAge", "passwordPolicyMinAgeSeconds", ""), List.of("ads-pwdInHistory", "passwordPolicyHistory", ""),
            List.of("ads-pwdExpireWarning", "passwordPolicyWarningSeconds", ""), List.of("ads-pwdGraceAuthNLimit", "passwordPolicyGraceLogins", ""),
            List.of("ads-pwdMinLength", "passwordPolicyMinLength", "ads-pwdCheckQuality"),
            List.of("ads-pwdMaxFailure", "passwordPolicyMaxFailures", "ads-pwdLockout"),
            List.of("ads-pwdLockoutDuration", "passwordPolicyLockoutSeconds", "ads-pwdLockout"),
            List.of("ads-pwdFailureCountInterval", "passwordPolicyFailureSeconds", "ads-pwdLockout"),
            List.of("ads-pwdMustChange", "passwordPolicyMustChange", "ads-pwdMustChange"));

    private final List<ForeignEntry> entries;
    private final List<ForeignSetting> settings = new ArrayList<>();

    private ApacheConfiguration(List<ForeignEntry> entries) {
        this.entries = entries;
    }

    static boolean isOne(List<ForeignEntry> entries) {
        return entries.stream().anyMatch(entry -> entry.isA("ads-directoryService") || entry.isA("ads-partition"));
    }

    /** The folder conf of an instance that has been started. */
    static boolean isFolder(Path folder) {
        return Files.isRegularFile(folder.resolve(ROOT_FILE));
    }

    static List<ForeignEntry> read(Path folder) throws MigrationException {
        List<ForeignEntry> entries = new ArrayList<>(ForeignEntry.read(folder.resolve(ROOT_FILE)));
        Path below = folder.resolve("ou=config");
        if (!Files.isDirectory(below)) {
            return entries;
        }
        try (Stream<Path> files = Files.walk(below)) {
            List<Path> some = files.filter(file -> file.toString().endsWith(".ldif")).limit(MOST_FILES).sorted().toList();
            for (Path file : some) {
                entries.addAll(ForeignEntry.read(file));
            }
        } catch (IOException e) {
            throw new MigrationException(folder + ": cannot be read: " + e, e);
        }
        return entries;
    }

    /** Whether it asks who may do what; out of the box it does not. */
    static boolean hasAccessControl(List<ForeignEntry> entries) {
        return entries.stream().anyMatch(entry -> entry.isA("ads-directoryService") && entry.isOn("ads-dsAccessControlEnabled"));
    }

    static List<ForeignSetting> settings(List<ForeignEntry> entries) {
        ApacheConfiguration configuration = new ApacheConfiguration(entries);
        configuration.server();
        entries.stream().filter(entry -> entry.isA("ads-partition") && !entry.value("ads-enabled").equalsIgnoreCase("false"))
                .forEach(configuration::partition);
        return configuration.settings;
    }

    private void add(ForeignEntry entry, String attribute, String name, String... words) {
        settings.add(entry.setting(attribute, name, words));
    }

    private void server() {
        for (ForeignEntry entry : entries) {
            boolean isEnabled = !entry.value("ads-enabled").equalsIgnoreCase("false");
            if (entry.isA("ads-ldapServer")) {
                limits(entry);
            } else if (entry.isA("ads-transport") && isEnabled && entry.dn().contains("ads-serverid=ldapserver,")) {
                add(entry, "ads-systemPort", "listen", entry.value("ads-systemPort"));
            } else if (entry.isA("ads-passwordPolicy") && isEnabled && entry.rdnValue().equalsIgnoreCase("default")) {
                policy(entry);
            } else if (entry.isA("ads-replConsumer") && isEnabled) {
                add(entry, "objectClass", "syncrepl", entry.rdnValue());
            }
        }
    }

    private void limits(ForeignEntry entry) {
        String size = entry.value("ads-maxSizeLimit");
        String millis = entry.value("ads-maxTimeLimit");
        if (size.matches("\\d{1,9}")) {
            add(entry, "ads-maxSizeLimit", "sizelimit", size.equals("0") ? "unlimited" : size);
        }
        if (millis.matches("\\d{1,9}")) {
            long seconds = (Long.parseLong(millis) + MILLIS - 1) / MILLIS;
            add(entry, "ads-maxTimeLimit", "timelimit", seconds == 0 ? "unlimited" : Long.toString(seconds));
        }
    }

    private void policy(ForeignEntry entry) {
        for (List<String> key : POLICY) {
            String value = entry.value(key.get(0));
            boolean isOn = key.get(2).isEmpty() ? !value.equals("0") : !List.of("false", "0", "").contains(entry.value(key.get(2)).toLowerCase(Locale.ROOT));
            if (isOn && (value.matches("\\d{1,9}") || value.equalsIgnoreCase("true"))) {
                add(entry, key.get(0), "set", key.get(1), value.toLowerCase(Locale.ROOT));
            }
        }
        if (entry.value("ads-pwdLockout").equalsIgnoreCase("false")) {
            add(entry, "ads-pwdLockout", "set", "passwordPolicyMaxFailures", "0");
        }
    }

    private void partition(ForeignEntry partition) {
        String suffix = partition.value("ads-partitionSuffix");
        if (suffix.equalsIgnoreCase("ou=system")) {
            // The server's own: the administrator, and examples of its configuration.
            add(partition, "ads-partitionSuffix", "directory", suffix);
            return;
        }
        add(partition, "ads-partitionSuffix", "database", "mdb");
        add(partition, "ads-partitionSuffix", "suffix", suffix);
        add(partition, "ads-partitionSuffix", "rootdn", "uid=admin,ou=system");
        add(partition, "ads-partitionSuffix", "rootpw");
        for (ForeignEntry entry : entries) {
            String attribute = entry.value("ads-indexAttributeId");
            boolean isOwn = attribute.toLowerCase(Locale.ROOT).startsWith("apache") || attribute.startsWith("1.3.6.1.4.1.18060.");
            if (entry.isA("ads-index") && entry.dn().endsWith(",ou=indexes," + partition.dn()) && !isOwn && !attribute.isEmpty()
                    && !entry.value("ads-enabled").equalsIgnoreCase("false")) {
                add(entry, "ads-indexAttributeId", "index", attribute, "eq");
            }
        }
    }
}
