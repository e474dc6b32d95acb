package org.alder.server.migration;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Reads dse.ldif of 389 Directory Server and says it in the words of slapd.conf, with {@code set} and {@code setpartition} for keys of
 * Alder's that have none there. One thread.
 */
final class NetscapeConfiguration {
    private static final String BACKENDS = ",cn=ldbm database,cn=plugins,cn=config";
    /** Indexes of the server's own. */
    private static final Set<String> OWN = Set.of("aci", "entryrdn", "ancestorid", "parentid", "numsubordinates", "nsuniqueid", "nstombstonecsn",
            "nscpentrydn", "targetuniqueid", "nsds5replconflict", "entryusn", "entrydn", "memberof", "nsrole", "changenumber");
    /** Attributes of cn=config whose values are seconds or numbers, and keys; where a switch is named, it has to be on. */
    private static final List<List<String>> POLICY = List.of(List.of("passwordMaxAge", "passwordPolicyMaxAgeSeconds", "passwordExp"),
            List.of("passwordWarning", "passwordPolicyWarningSeconds", "passwordExp"),
            List.of("passwordGraceLimit", "passwordPolicyGraceLogins", "passwordExp"),
            List.of("passwordMinAge", "passwordPolicyMinAgeSeconds", ""), List.of("passwordInHistory", "passwordPolicyHistory", "passwordHistory"),
            List.of("passwordMinLength", "passwordPolicyMinLength", "passwordCheckSyntax"),
            List.of("passwordMaxFailure", "passwordPolicyMaxFailures", "passwordLockout"),
            List.of("passwordResetFailureCount", "passwordPolicyFailureSeconds", "passwordLockout"),
            List.of("passwordLockoutDuration", "passwordPolicyLockoutSeconds", "passwordLockout"));

    private final List<ForeignEntry> entries;
    private final List<ForeignSetting> settings = new ArrayList<>();

    private NetscapeConfiguration(List<ForeignEntry> entries) {
        this.entries = entries;
    }

    static boolean isOne(List<ForeignEntry> entries) {
        return entries.stream().anyMatch(entry -> entry.isA("nsslapdConfig") || entry.isA("nsBackendInstance"));
    }

    static List<ForeignSetting> settings(List<ForeignEntry> entries) {
        NetscapeConfiguration configuration = new NetscapeConfiguration(entries);
        configuration.server();
        entries.stream().filter(entry -> entry.isA("nsBackendInstance") && !entry.value("nsslapd-suffix").isEmpty())
                .forEach(configuration::backend);
        return configuration.settings;
    }

    private void add(ForeignEntry entry, String attribute, String name, String... words) {
        settings.add(entry.setting(attribute, name, words));
    }

    private void server() {
        for (ForeignEntry entry : entries) {
            entry.addEach("aci", "aci", settings);
            if (entry.dn().equals("cn=config")) {
                config(entry);
            } else if (entry.dn().equals("cn=config" + BACKENDS) && entry.value("nsslapd-lookthroughlimit").matches("\\d{1,9}")) {
                add(entry, "nsslapd-lookthroughlimit", "set", "examinedLimit", entry.value("nsslapd-lookthroughlimit"));
            } else if (entry.isA("nsDS5Replica") || entry.isA("nsDS5ReplicationAgreement")) {
                add(entry, "objectClass", "syncrepl", entry.rdnValue());
            } else if (entry.dn().contains(",cn=auto membership plugin,") || entry.dn().contains(",cn=managed entries,cn=plugins,")) {
                add(entry, "objectClass", "overlay", entry.rdnValue());
            }
        }
    }

    private void config(ForeignEntry entry) {
        // The server's own, where nothing is said.
        add(entry, "nsslapd-sizelimit", "sizelimit", entry.value("nsslapd-sizelimit").isEmpty() ? "2000" : entry.value("nsslapd-sizelimit"));
        add(entry, "nsslapd-timelimit", "timelimit", entry.value("nsslapd-timelimit").isEmpty() ? "3600" : entry.value("nsslapd-timelimit"));
        if (!entry.value("nsslapd-idletimeout").isEmpty()) {
            add(entry, "nsslapd-idletimeout", "idletimeout", entry.value("nsslapd-idletimeout"));
        }
        if (entry.value("nsslapd-allow-anonymous-access").equalsIgnoreCase("off")) {
            add(entry, "nsslapd-allow-anonymous-access", "require", "authc");
        }
        if (entry.value("nsslapd-minssf").matches("[1-9]\\d{0,2}")) {
            add(entry, "nsslapd-minssf", "security", "ssf=" + entry.value("nsslapd-minssf"));
        }
        if (entry.isOn("nsslapd-require-secure-binds")) {
            add(entry, "nsslapd-require-secure-binds", "security", "simple_bind=1");
        }
        for (String attribute : List.of("nsslapd-port", "nsslapd-securePort")) {
            if (!entry.value(attribute).isEmpty() && !entry.value(attribute).equals("0")) {
                add(entry, attribute, "listen", entry.value(attribute));
            }
        }
        for (List<String> key : POLICY) {
            boolean isOn = key.get(2).isEmpty() ? !entry.value(key.get(0)).equals("0") : entry.isOn(key.get(2));
            if (isOn && entry.value(key.get(0)).matches("\\d{1,9}")) {
                add(entry, key.get(0), "set", key.get(1), entry.value(key.get(0)));
            }
        }
        if (entry.value("passwordLockout").equalsIgnoreCase("off")) {
            add(entry, "passwordLockout", "set", "passwordPolicyMaxFailures", "0");
        } else if (entry.value("passwordUnlock").equalsIgnoreCase("off")) {
            settings.removeIf(setting -> setting.word(0).equals("passwordPolicyLockoutSeconds"));
            add(entry, "passwordUnlock", "set", "passwordPolicyLockoutSeconds", "0");
        }
        if (entry.isOn("passwordMustChange")) {
            add(entry, "passwordMustChange", "set", "passwordPolicyMustChange", "true");
        }
        if (entry.value("passwordChange").equalsIgnoreCase("off")) {
            add(entry, "passwordChange", "set", "passwordPolicyAllowUserChange", "false");
        }
    }

    private void backend(ForeignEntry backend) {
        String suffix = backend.value("nsslapd-suffix");
        add(backend, "nsslapd-suffix", "database", "mdb");
        add(backend, "nsslapd-suffix", "suffix", suffix);
        for (ForeignEntry entry : entries) {
            if (entry.dn().equals("cn=config") && !entry.value("nsslapd-rootdn").isEmpty()) {
                add(entry, "nsslapd-rootdn", "rootdn", entry.value("nsslapd-rootdn"));
                add(entry, "nsslapd-rootpw", "rootpw");
            } else if (entry.isA("nsIndex") && entry.dn().endsWith(",cn=index," + backend.dn()) && !OWN.contains(entry.rdnValue().toLowerCase(Locale.ROOT))) {
                add(entry, "nsIndexType", "index", entry.rdnValue(), String.join(",", entry.values("nsIndexType")));
            }
        }
        entries.stream().filter(entry -> entry.dn().equals("cn=config") && entry.value("nsslapd-allow-anonymous-access").equalsIgnoreCase("rootdse"))
                .forEach(entry -> add(entry, "nsslapd-allow-anonymous-access", "require", "authc"));
        if (backend.isOn("nsslapd-readonly")) {
            add(backend, "nsslapd-readonly", "readonly", "on");
        }
        entries.stream().filter(entry -> entry.isA("nsSlapdPlugin") && entry.isOn("nsslapd-pluginEnabled")).forEach(entry -> plugin(entry, suffix));
        entries.stream().filter(entry -> entry.isA("dnaPluginConfig")).forEach(entry -> numbers(entry, suffix));
    }

    private void plugin(ForeignEntry entry, String suffix) {
        switch (entry.value("nsslapd-pluginInitfunc").toLowerCase(Locale.ROOT)) {
            case "memberof_postop_init" -> {
                add(entry, "nsslapd-pluginEnabled", "overlay", "memberof");
                entry.values("memberofgroupattr").forEach(attribute -> add(entry, "memberofgroupattr", "memberof-member-ad", attribute));
            }
            case "referint_postop_init" -> {
                List<String> names = new ArrayList<>(entry.values("referint-membership-attr"));
                // Arguments of old: a delay, a log file, a flag, then names.
                for (int n = 3; names.isEmpty() && n < 100 && !entry.value("nsslapd-pluginarg" + n).isEmpty(); n++) {
                    names.add(entry.value("nsslapd-pluginarg" + n));
                }
                add(entry, "nsslapd-pluginEnabled", "overlay", "refint");
                names.forEach(name -> add(entry, "referint-membership-attr", "refint_attributes", name));
            }
            case "nsuniqueattr_init" -> unique(entry, suffix);
            case "acct_policy_init", "pam_passthruauth_init", "passthruauth_init" -> add(entry, "nsslapd-pluginEnabled", "overlay", entry.rdnValue());
            default -> {
                // The server's own, which are always on, or do something for others.
            }
        }
    }

    private void unique(ForeignEntry entry, String suffix) {
        List<String> names = entry.values("uniqueness-attribute-name");
        List<String> bases = entry.values("uniqueness-subtrees");
        if (names.isEmpty()) {
            names = entry.value("nsslapd-pluginarg0").isEmpty() ? List.of() : List.of(entry.value("nsslapd-pluginarg0"));
            bases = entry.value("nsslapd-pluginarg1").isEmpty() ? List.of() : List.of(entry.value("nsslapd-pluginarg1"));
        }
        String plainSuffix = suffix.toLowerCase(Locale.ROOT).replaceAll("\\s*,\\s*", ",");
        for (String base : bases) {
            String plain = base.toLowerCase(Locale.ROOT).replaceAll("\\s*,\\s*", ",");
            if (!names.isEmpty() && (plain.equals(plainSuffix) || plain.endsWith("," + plainSuffix))) {
                add(entry, "uniqueness-attribute-name", "setpartition", "unique", String.join(",", names)
                        + (plain.equals(plainSuffix) ? "" : " base=" + base));
                names.forEach(name -> add(entry, "uniqueness-attribute-name", "index", name, "eq"));
            }
        }
    }

    private void numbers(ForeignEntry entry, String suffix) {
        String first = entry.value("dnaNextValue");
        String last = entry.value("dnaMaxValue");
        String scope = entry.value("dnaScope").toLowerCase(Locale.ROOT).replaceAll("\\s*,\\s*", ",");
        if (scope.endsWith(suffix.toLowerCase(Locale.ROOT)) && first.matches("\\d{1,18}")) {
            String objectClass = entry.value("dnaFilter").replaceFirst("(?i)^\\(objectclass=([A-Za-z0-9-]+)\\)$", "$1");
            for (String type : entry.values("dnaType")) {
                add(entry, "dnaType", "index", type, "eq");
                add(entry, "dnaType", "setpartition", "autoNumber", type + " " + first + "-" + (last.matches("\\d{1,18}") ? last : "2147483647")
                        + (objectClass.matches("[A-Za-z0-9-]+") ? " class=" + objectClass : "")
                        + (entry.value("dnaMagicRegen").matches("-?\\d{1,18}") ? " magic=" + entry.value("dnaMagicRegen") : ""));
            }
        }
    }
}
