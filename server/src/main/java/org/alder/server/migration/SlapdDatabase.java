package org.alder.server.migration;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One database of slapd, and its overlays, as they become a partition. One thread. */
final class SlapdDatabase {
    private static final List<String> KINDS = List.of("eq", "pres", "sub");
    private static final Pattern LDAP_URL = Pattern.compile("ldaps?:///([^?]*)(?:\\?([^?]*))?(?:\\?([^?]*))?(?:\\?(.*))?", Pattern.CASE_INSENSITIVE);

    private final MigratedConfiguration.Part part;
    private final MigrationReport report;
    /** Kinds by attributes, and where they stand. */
    private final Map<String, Set<String>> indexes = new LinkedHashMap<>();
    private final Map<String, String> spellings = new LinkedHashMap<>();
    private final Map<String, ForeignSetting> indexPlaces = new LinkedHashMap<>();
    private Set<String> defaultKinds = Set.of("pres", "eq");
    private final Set<String> references = new LinkedHashSet<>();
    private final Set<String> memberAttributes = new LinkedHashSet<>();
    private ForeignSetting refint;
    private ForeignSetting memberOf;
    private ForeignSetting placeholder;
    private boolean memberOfRefint;
    private final List<ForeignSetting> unique = new ArrayList<>();
    private String uniqueBase;
    /** Keys of the partition as they are. */
    private final List<ForeignSetting> keys = new ArrayList<>();
    private final List<ForeignSetting> constraints = new ArrayList<>();

    SlapdDatabase(MigratedConfiguration.Part part, MigrationReport report) {
        this.part = part;
        this.report = report;
    }

    void index(ForeignSetting setting) {
        Set<String> kinds = setting.words().size() < 2 ? defaultKinds : kinds(setting);
        if (setting.word(0).equalsIgnoreCase("default")) {
            defaultKinds = kinds;
            return;
        }
        for (String attribute : setting.word(0).split(",")) {
            indexes.computeIfAbsent(attribute.toLowerCase(Locale.ROOT), none -> new LinkedHashSet<>()).addAll(kinds);
            spellings.putIfAbsent(attribute.toLowerCase(Locale.ROOT), attribute);
            indexPlaces.putIfAbsent(attribute.toLowerCase(Locale.ROOT), setting);
        }
    }

    private Set<String> kinds(ForeignSetting setting) {
        Set<String> kinds = new TreeSet<>();
        for (String kind : setting.word(1).toLowerCase(Locale.ROOT).split(",")) {
            if (kind.startsWith("sub")) {
                kinds.add("sub");
            } else if (KINDS.contains(kind)) {
                kinds.add(kind);
            } else if (kind.equals("approx")) {
                kinds.add("eq");
                report.open(setting, "approx: (attribute~=value) finds what is equal here; there is no index of sounds");
            } else if (!kind.isEmpty() && !kind.equals("none") && !kind.equals("nolang") && !kind.equals("nosubtypes")) {
                report.open(setting, kind + ": no such kind of index");
            }
        }
        return kinds;
    }

    /** A directive of an overlay. False if it is not known. */
    boolean overlay(String overlay, ForeignSetting setting) {
        switch (setting.name()) {
            case "memberof-group-oc", "memberof-memberof-ad", "memberof-dangling", "memberof-dn", "refint_modifiersname", "unique_strict",
                    "ppolicy_hash_cleartext", "ppolicy_forward_updates" -> report.unneeded(setting);
            case "memberof-member-ad" -> memberAttributes.add(setting.word(0));
            case "memberof-refint" -> memberOfRefint = setting.isOn();
            case "refint_attributes" -> {
                references.addAll(setting.words());
                refint = setting;
            }
            case "refint_nothing" -> placeholder = setting;
            case "unique_uri", "unique_attributes" -> unique.add(setting);
            case "unique_base" -> uniqueBase = setting.word(0);
            case "constraint_attribute" -> constraints.add(setting);
            case "dynlist-attrset" -> dynamicGroups(setting);
            default -> {
                return false;
            }
        }
        return true;
    }

    /** A key and its value, to be added when the indexes are there. */
    void key(ForeignSetting setting) {
        keys.add(setting);
    }

    void memberOf(ForeignSetting setting) {
        memberOf = setting;
    }

    private void dynamicGroups(ForeignSetting setting) {
        if (setting.word(0).equalsIgnoreCase("groupOfURLs") && setting.word(1).equalsIgnoreCase("memberURL")) {
            report.mapped(setting, "members of groupOfURLs are always worked out from memberURL (docs/groups.md)");
        } else {
            report.open(setting, "dynamic groups are those of groupOfURLs with memberURL (docs/groups.md)");
        }
    }

    /** Adds all lines, when everything is known. */
    void finish() throws MigrationException {
        Set<String> names = new LinkedHashSet<>(references);
        if (memberOf != null && memberAttributes.isEmpty()) {
            memberAttributes.add("member");
        }
        if (memberOfRefint) {
            names.addAll(memberAttributes);
        }
        need("objectClass", "eq", "pres");
        need("entryUUID", "eq");
        names.forEach(name -> need(name, "eq"));
        memberAttributes.forEach(name -> need(name, "eq", "pres"));
        for (ForeignSetting setting : unique) {
            attributesOf(setting).forEach(name -> need(name, "eq"));
        }
        for (Map.Entry<String, Set<String>> index : indexes.entrySet()) {
            addIndex(spellings.get(index.getKey()), index.getValue());
        }
        if (memberOf != null) {
            for (String attribute : memberAttributes) {
                add(memberOf, "memberOf", attribute);
            }
        }
        references(names);
        for (ForeignSetting setting : unique) {
            addUnique(setting);
        }
        for (ForeignSetting setting : constraints) {
            addConstraint(setting);
        }
        for (ForeignSetting setting : keys) {
            add(setting, setting.word(0), setting.word(1));
        }
    }

    private void need(String attribute, String... kinds) {
        spellings.putIfAbsent(attribute.toLowerCase(Locale.ROOT), attribute);
        indexes.computeIfAbsent(attribute.toLowerCase(Locale.ROOT), none -> new LinkedHashSet<>()).addAll(List.of(kinds));
    }

    private void addIndex(String attribute, Set<String> kinds) throws MigrationException {
        ForeignSetting setting = indexPlaces.get(attribute.toLowerCase(Locale.ROOT));
        if (kinds.isEmpty()) {
            return;
        }
        String comment = setting == null ? "needed by settings below, or by clients that synchronize" : setting.toString();
        String first = null;
        // What an attribute has no rule for is left out, kind by kind.
        for (List<String> some : List.of(List.copyOf(new TreeSet<>(kinds)), kinds.stream().filter(kind -> !kind.equals("sub")).sorted().toList(),
                kinds.stream().filter(kind -> kind.equals("pres")).toList())) {
            if (some.isEmpty()) {
                continue;
            }
            String problem = part.add("index", attribute + " " + String.join(",", some), comment);
            if (problem == null) {
                if (setting != null && some.size() < kinds.size()) {
                    report.open(setting, attribute + " has the index " + String.join(",", some) + " alone: " + first);
                } else if (setting != null) {
                    report.mapped(setting, "index: " + attribute + " " + String.join(",", some));
                }
                return;
            }
            first = first == null ? problem : first;
        }
        if (setting != null) {
            report.open(setting, "no index of " + attribute + ": " + first);
        }
    }

    private void references(Set<String> names) throws MigrationException {
        if (names.isEmpty()) {
            part.add("reference", "none", "nothing saw to references: values that name entries stay when these go; without this line they go, too");
        }
        for (String name : names) {
            add(refint == null ? memberOf : refint, "reference", name);
        }
        if (placeholder != null) {
            add(placeholder, "referencePlaceholder", placeholder.word(0));
        }
    }

    private void add(ForeignSetting setting, String key, String value) throws MigrationException {
        String problem = part.add(key, value, setting.toString());
        if (problem == null) {
            report.mapped(setting, key + ": " + value);
        } else {
            report.open(setting, problem);
        }
    }

    private static Set<String> attributesOf(ForeignSetting setting) {
        Set<String> names = new LinkedHashSet<>();
        if (setting.name().equals("unique_attributes")) {
            names.addAll(setting.words());
        } else {
            Matcher url = LDAP_URL.matcher(lastWord(setting));
            if (url.matches() && url.group(2) != null && !url.group(2).isEmpty()) {
                names.addAll(List.of(url.group(2).split(",")));
            }
        }
        return names;
    }

    private static String lastWord(ForeignSetting setting) {
        return setting.word(Math.max(0, setting.words().size() - 1));
    }

    private void addUnique(ForeignSetting setting) throws MigrationException {
        Set<String> names = attributesOf(setting);
        if (names.isEmpty() || setting.name().equals("unique_uri") && setting.words().size() > 1) {
            report.open(setting, "unique: expected one URL with attributes, and no word before it: write one line unique for each");
            return;
        }
        String base = uniqueBase == null ? "" : uniqueBase;
        String filter = "";
        if (setting.name().equals("unique_uri")) {
            Matcher url = LDAP_URL.matcher(setting.word(0));
            if (!url.matches() || url.group(3) != null && !url.group(3).isEmpty() && !url.group(3).equalsIgnoreCase("sub")) {
                report.open(setting, "unique: only the scope sub has a counterpart");
                return;
            }
            base = url.group(1).isEmpty() ? base : decoded(url.group(1));
            filter = url.group(4) == null ? "" : decoded(url.group(4));
        }
        add(setting, "unique", String.join(",", names) + (base.isEmpty() ? "" : " base=" + base) + (filter.isEmpty() ? "" : " filter=" + filter));
    }

    /** Of a URL: + stands for itself. */
    private static String decoded(String part) {
        try {
            return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return part;
        }
    }

    private void addConstraint(ForeignSetting setting) throws MigrationException {
        String kind = setting.word(1).toLowerCase(Locale.ROOT);
        if (setting.words().size() != 3 || !List.of("regex", "negregex", "size", "count").contains(kind)) {
            report.open(setting, "a constraint is regex, negregex, size, count or a set of words, and holds everywhere (docs/integrity.md)");
            return;
        }
        add(setting, "constraint", setting.word(0) + " " + kind + " " + setting.word(2));
    }
}
