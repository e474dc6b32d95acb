package org.alder.server.migration;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.schema.Schema;

/**
 * Makes access rules of ACIs. Of these, one that denies goes before all that allow: so do the rules. What an ACI allows becomes a rule only
 * where a rule says exactly that; of what one denies, each part that a rule cannot say becomes one that has all of it in it. So nobody gets
 * more than he had. One thread.
 */
final class AciRules {
    private static final Set<String> OF_ATTRIBUTES = Set.of("read", "search", "compare", "write", "selfwrite");
    private static final Set<String> OF_ENTRIES = Set.of("add", "delete");

    private final Schema schema;
    private final boolean starMeansAll;
    private final List<Dn> suffixes;
    private final MigrationReport report;
    private final List<Line> denying = new ArrayList<>();
    private final List<Line> granting = new ArrayList<>();

    /** @param closed what is denied if the rule is refused; empty for one that grants */
    record Line(ForeignSetting aci, String rule, String closed) {
    }

    /** @param starMeansAll whether targetattr=* means operational attributes, too, as in 389 */
    AciRules(Schema schema, boolean starMeansAll, List<Dn> suffixes, MigrationReport report) {
        this.schema = schema;
        this.starMeansAll = starMeansAll;
        this.suffixes = suffixes;
        this.report = report;
    }

    /** All rules, those that deny first. */
    List<Line> lines() {
        List<Line> lines = new ArrayList<>(denying);
        lines.addAll(granting);
        return lines;
    }

    /** @param setting the DN of the entry that has it, and the ACI; a global one of OpenDJ means all entries, wherever it stands */
    void take(ForeignSetting setting) {
        if (setting.name().equals("aci")) {
            take(setting, setting.word(0), false);
        } else {
            suffixes.forEach(suffix -> take(setting, suffix.text(), true));
        }
    }

    private void take(ForeignSetting setting, String holder, boolean isGlobal) {
        Aci aci;
        if (!isServed(holder)) {
            report.unneeded(setting);
            return;
        }
        try {
            aci = AciReader.read(setting.word(1));
        } catch (AciException e) {
            unreadable(setting, holder, e.getMessage());
            return;
        }
        if (aci.targets().stream().anyMatch(target -> target.keyword().equals("extop") || target.keyword().equals("targetcontrol"))) {
            report.open(setting, "who may use a control or an extended operation is not said by rules: those who may do what it does");
            return;
        }
        AciTarget target = new AciTarget(schema, aci.targets(), holder, starMeansAll);
        if (isGlobal && isElsewhere(aci, holder)) {
            return;
        }
        for (Aci.Permission permission : aci.permissions()) {
            if (permission.isAllow()) {
                allow(setting, target, permission);
            } else {
                deny(setting, target, permission, holder);
            }
        }
        if (!target.unknown().isEmpty()) {
            report.open(setting, "no attribute here, so it is left out: " + String.join(", ", target.unknown()));
        }
    }

    /** Whether there is a partition for the entry; a name that is none here is in none. */
    private boolean isServed(String holder) {
        Dn dn = parsed(holder);
        return dn != null && suffixes.stream().anyMatch(dn::isDescendantOrSelf);
    }

    /** Null if it is none here. */
    private Dn parsed(String dn) {
        try {
            return Dn.parse(schema, dn);
        } catch (DirectoryException e) {
            return null;
        }
    }

    /** Whether a global one names a place that is in no suffix, or in another one. */
    private boolean isElsewhere(Aci aci, String suffix) {
        for (Aci.Target target : aci.targets()) {
            String url = target.value();
            if (target.keyword().equals("target") && !target.isNot() && url.toLowerCase(Locale.ROOT).startsWith("ldap:///") && !url.contains("*")) {
                try {
                    Dn place = parsed(AciSubject.decoded(url.substring(8)));
                    return place != null && !place.isDescendantOrSelf(parsed(suffix));
                } catch (AciException e) {
                    // Its rules say what is wrong.
                    return false;
                }
            }
        }
        return false;
    }

    /** It may be one that denies. */
    private void unreadable(ForeignSetting setting, String holder, String why) {
        if (setting.word(1).toLowerCase(Locale.ROOT).contains("deny")) {
            closeAll(setting, holder, why);
        } else {
            report.open(setting, why + ": it grants nothing");
        }
    }

    private void closeAll(ForeignSetting setting, String holder, String why) {
        denying.add(new Line(setting, closed(holder), closed(holder)));
        report.open(setting, why + ": it may deny something, so all is denied at and below \"" + holder + "\"");
    }

    /** Where a DN cannot be named in a rule, everything is meant. */
    private static String closed(String holder) {
        try {
            return "deny all in " + AciSubject.quoted(holder) + " to anyone";
        } catch (AciException e) {
            return "deny all to anyone";
        }
    }

    private void allow(ForeignSetting setting, AciTarget target, Aci.Permission permission) {
        List<String> open = new ArrayList<>(target.widened());
        String subject = null;
        try {
            subject = AciSubject.of(permission.bindRule());
        } catch (AciException e) {
            open.add(e.getMessage());
        }
        if (!open.isEmpty()) {
            report.open(setting, "allow (" + String.join(", ", permission.rights()) + ") is not taken over: " + String.join("; ", open));
            return;
        }
        try {
            allow(setting, target, rights(setting, permission.rights()), subject);
        } catch (AciException e) {
            report.open(setting, "allow is not taken over: " + e.getMessage());
        }
    }

    /** Those that have a counterpart, with {@code all} taken apart; the others are reported. */
    private Set<String> rights(ForeignSetting setting, List<String> named) {
        Set<String> rights = new LinkedHashSet<>();
        for (String right : named) {
            if (right.equals("all")) {
                rights.addAll(List.of("read", "search", "compare", "write", "selfwrite", "add", "delete"));
            } else if (OF_ATTRIBUTES.contains(right) || OF_ENTRIES.contains(right)) {
                rights.add(right);
            } else if (right.equals("proxy")) {
                report.open(setting, "proxy is asked of the entries there, and here of whose name is used: write grant proxy in \"DN\" to ...");
            } else {
                report.open(setting, right + ": write a rule with renameOut, and one with renameIn");
            }
        }
        return rights;
    }

    private void allow(ForeignSetting setting, AciTarget target, Set<String> rights, String subject) throws AciException {
        // Else who adds an entry that names him would let himself do it.
        boolean mayMake = !subject.contains("namedBy ");
        boolean renames = rights.contains("write") && rights.containsAll(OF_ENTRIES);
        if (target.hasAttributes()) {
            String words = words(rights);
            if (!words.isEmpty()) {
                grant(setting, words + target.ofAttributes(), subject);
            }
            if (target.coversPasswordsUnnamed() && rights.contains("write")) {
                grant(setting, "write of userPassword" + target.ofEntries(), subject);
            }
        }
        List<String> ofEntries = new ArrayList<>();
        if (rights.contains("add") && mayMake) {
            ofEntries.add("add");
            grant(setting, "add of userPassword" + target.ofEntries(), subject);
        }
        if (rights.contains("delete")) {
            ofEntries.add("delete");
        }
        if (renames && mayMake) {
            ofEntries.add("rename");
        }
        if (!ofEntries.isEmpty()) {
            grant(setting, String.join(", ", ofEntries) + target.ofEntries(), subject);
        }
        if (rights.contains("add") && !mayMake) {
            report.open(setting, "add: for whom an attribute names may add no entries");
        }
    }

    private void grant(ForeignSetting setting, String what, String subject) {
        granting.add(new Line(setting, "grant " + what + " to " + subject, ""));
    }

    private static String words(Set<String> rights) {
        List<String> words = new ArrayList<>();
        if (rights.containsAll(List.of("read", "search", "compare"))) {
            words.add("view");
        } else {
            List.of("search", "compare", "read").stream().filter(rights::contains).forEach(words::add);
        }
        if (rights.contains("write")) {
            words.add("write");
        } else if (rights.contains("selfwrite")) {
            words.add("selfWrite");
        }
        return String.join(", ", words);
    }

    private void deny(ForeignSetting setting, AciTarget target, Aci.Permission permission, String holder) {
        List<String> wider = new ArrayList<>(target.widened());
        String subject = "anyone";
        try {
            subject = AciSubject.of(permission.bindRule());
        } catch (AciException e) {
            wider.add(e.getMessage());
        }
        try {
            deny(setting, target, permission.rights(), subject, closed(holder));
        } catch (AciException e) {
            closeAll(setting, holder, e.getMessage());
            return;
        }
        if (!wider.isEmpty()) {
            report.open(setting, "deny denies more here, so that nobody gets more than he had: " + String.join("; ", wider));
        }
    }

    private void deny(ForeignSetting setting, AciTarget target, List<String> named, String subject, String closed) throws AciException {
        Set<String> ofAttributes = new LinkedHashSet<>();
        Set<String> ofEntries = new LinkedHashSet<>();
        for (String right : named) {
            switch (right) {
                case "read", "search", "compare" -> ofAttributes.add(right);
                case "write", "selfwrite" -> {
                    ofAttributes.addAll(List.of("write", "selfWrite"));
                    ofEntries.add("rename");
                }
                case "add", "delete" -> ofEntries.add(right);
                case "moddn", "import", "export" -> ofEntries.add("rename");
                case "proxy" -> {
                    // No rule that is made here grants it.
                }
                case "all" -> {
                    ofAttributes.addAll(List.of("view", "write", "selfWrite"));
                    ofEntries.addAll(List.of("add", "delete", "rename"));
                }
                default -> throw new AciException(right + ": not a right");
            }
        }
        if (!ofEntries.isEmpty()) {
            denying.add(new Line(setting, "deny " + String.join(", ", ofEntries) + target.ofEntries() + " to " + subject, closed));
        }
        if (!ofAttributes.isEmpty() && target.hasAttributes()) {
            denying.add(new Line(setting, "deny " + String.join(", ", ofAttributes) + target.ofAttributesAtLeast() + " to " + subject, closed));
        }
    }
}
