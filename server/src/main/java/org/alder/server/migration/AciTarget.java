package org.alder.server.migration;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;

/**
 * What an ACI is about, in the words of access rules. What cannot be said exactly is said as something that has all of it in it, and is
 * among {@link #widened}: a rule that denies may use that, one that grants may not. Immutable once it is made. One thread.
 */
final class AciTarget {
    private final Schema schema;
    private final String holder;
    private final boolean starMeansAll;
    private final List<String> widened = new ArrayList<>();
    private final Set<String> unknown = new LinkedHashSet<>();
    private String base;
    private String scope = "";
    private String filter = "";
    private boolean hasAttributes;
    private boolean coversPasswords;
    private boolean namesPasswords;
    private String attributes = "";
    /** What is excepted has subtypes, which a rule excepts, too, and an ACI does not. */
    private boolean hasSubtypes;

    /**
     * @param holder       the entry that has the ACI, which it and all below is about
     * @param starMeansAll whether * means operational attributes, too
     */
    AciTarget(Schema schema, List<Aci.Target> targets, String holder, boolean starMeansAll) {
        this.schema = schema;
        this.holder = holder;
        this.starMeansAll = starMeansAll;
        this.base = holder;
        for (Aci.Target target : targets) {
            switch (target.keyword()) {
                case "target" -> place(target);
                case "targetscope" -> scope(target);
                case "targetfilter" -> filter(target);
                case "targetattr" -> attributes(target);
                default -> widened.add(target.keyword() + " has no counterpart");
            }
        }
    }

    /** What is said as more than it is, and why. */
    List<String> widened() {
        return widened;
    }

    /** Attributes that no schema here defines, so that no entry has them. */
    Set<String> unknown() {
        return unknown;
    }

    /** Whether attributes are targeted at all: without, only rights to entries mean something. */
    boolean hasAttributes() {
        return hasAttributes && !attributes.isEmpty();
    }

    /** Whether userPassword is among them, but not by its name. */
    boolean coversPasswordsUnnamed() {
        return coversPasswords && !namesPasswords;
    }

    /** Behind rights to attributes. */
    String ofAttributes() throws AciException {
        return " of " + attributes + ofEntries();
    }

    /** The same, with all that the ACI means in it. */
    String ofAttributesAtLeast() throws AciException {
        return hasSubtypes ? " of *, +" + ofEntries() : ofAttributes();
    }

    /** Behind rights to entries. */
    String ofEntries() throws AciException {
        return " in " + scope + AciSubject.quoted(base) + filter;
    }

    private void place(Aci.Target target) {
        String url = target.value();
        try {
            if (target.isNot() || !url.regionMatches(true, 0, "ldap:///", 0, 8)) {
                throw new AciException(target + " has no counterpart");
            }
            AciSubject.requirePlain(url);
            String dn = AciSubject.decoded(url.substring(8));
            int star = dn.lastIndexOf('*');
            if (star >= 0) {
                String rest = dn.substring(star + 1);
                narrow(rest.startsWith(",") ? rest.substring(1).strip() : "");
                throw new AciException(target + ": there are no patterns of DNs");
            } else if (!narrow(dn)) {
                throw new AciException(target + ": not the entry of the ACI, and not below it");
            }
        } catch (AciException e) {
            widened.add(e.getMessage());
        }
    }

    /** Takes a place below the entry of the ACI. */
    private boolean narrow(String dn) {
        try {
            boolean isBelow = !dn.isEmpty() && Dn.parse(schema, dn).isDescendantOrSelf(Dn.parse(schema, holder));
            base = isBelow ? dn : base;
            return isBelow;
        } catch (DirectoryException e) {
            return false;
        }
    }

    private void scope(Aci.Target target) {
        switch (target.isNot() ? "" : target.value().toLowerCase(Locale.ROOT)) {
            case "base" -> scope = "base ";
            case "one", "onelevel" -> scope = "one ";
            case "sub", "subtree" -> scope = "";
            case "subordinate" -> scope = "children ";
            default -> widened.add(target + " has no counterpart");
        }
    }

    private void filter(Aci.Target target) {
        String value = target.value().strip();
        String text = value.startsWith("(") ? value : "(" + value + ")";
        try {
            AciSubject.requirePlain(value);
            if (target.isNot()) {
                throw new AciException(target + ": what is neither true nor false is something else here");
            }
            filter = " where " + text;
        } catch (AciException e) {
            widened.add(e.getMessage());
        }
    }

    private void attributes(Aci.Target target) {
        hasAttributes = true;
        Set<String> names = new LinkedHashSet<>();
        Set<AttributeType> types = new LinkedHashSet<>();
        boolean isPattern = false;
        for (String each : target.value().split("\\|\\||,", -1)) {
            String name = each.strip().replaceFirst("(?i);binary$", "");
            AttributeType type = schema.attributeType(name);
            if (name.equals("*")) {
                names.addAll(starMeansAll ? List.of("*", "+") : List.of("*"));
            } else if (name.equals("+")) {
                names.add("+");
            } else if (name.contains("*") || name.contains(";") || name.contains("$") || name.isEmpty()) {
                isPattern = true;
                widened.add("targetattr: " + (name.isEmpty() ? "an empty name" : name + " has no counterpart"));
            } else if (type == null) {
                unknown.add(name);
            } else {
                names.add(name);
                types.add(type);
            }
        }
        if (isPattern) {
            attributes = "*, +";
        } else if (target.isNot()) {
            allBut(names, types);
        } else {
            only(names, types);
        }
    }

    private void only(Set<String> names, Set<AttributeType> types) {
        AttributeType password = schema.attributeType("userPassword");
        namesPasswords = types.contains(password);
        coversPasswords = names.contains("*");
        // An ACI means the attribute alone, and a rule its subtypes, too.
        Set<String> subtypes = new LinkedHashSet<>();
        types.forEach(type -> type.withSubtypes().stream().filter(each -> !types.contains(each)).map(AttributeType::name).forEach(subtypes::add));
        attributes = String.join(", ", names) + (subtypes.isEmpty() || coversPasswords ? "" : " except " + String.join(", ", subtypes));
    }

    private void allBut(Set<String> names, Set<AttributeType> types) {
        coversPasswords = !types.contains(schema.attributeType("userPassword"));
        if (names.contains("*") || names.contains("+")) {
            widened.add("targetattr != * has no counterpart");
            attributes = "*, +";
        } else {
            String all = starMeansAll ? "*, +" : "*";
            attributes = names.isEmpty() ? all : all + " except " + String.join(", ", names);
            hasSubtypes = types.stream().anyMatch(type -> type.withSubtypes().size() > 1);
        }
    }
}
