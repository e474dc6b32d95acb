package org.alder.partition.schema;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * All name forms and structure rules of a schema (RFC 4512 4.1.7): which names entries may have, and below which others they may
 * stand. Immutable, thread safe.
 */
public final class NamingRules {
    private final Map<ObjectClass, List<NameForm>> forms;
    private final Map<Integer, StructureRule> rules;

    NamingRules(Map<ObjectClass, List<NameForm>> forms, Map<Integer, StructureRule> rules) {
        this.forms = Map.copyOf(forms);
        this.rules = Map.copyOf(rules);
    }

    /** Whether any name will do in any place. */
    public boolean isEmpty() {
        return forms.isEmpty();
    }

    /** Whether any place will do. */
    public boolean allowAllPlaces() {
        return rules.isEmpty();
    }

    /**
     * What is wrong with a name, for a message; null if nothing is.
     *
     * @param rdn the types it is made of
     */
    public String nameViolation(ObjectClass structural, Set<AttributeType> rdn) {
        String violation = null;
        for (NameForm form : forms.getOrDefault(structural, List.of())) {
            String found = form.violation(rdn);
            if (found == null) {
                return null;
            }
            violation = "the name form " + form.name() + " of the object class " + form.objectClass()
                    + " does not allow its name: " + found;
        }
        return violation;
    }

    /** The rules that can govern an entry of this class and name, wherever it is. */
    public Set<StructureRule> candidates(ObjectClass structural, Set<AttributeType> rdn) {
        Set<StructureRule> found = new LinkedHashSet<>();
        for (StructureRule rule : rules.values()) {
            if (rule.form().objectClass() == structural && rule.form().violation(rdn) == null) {
                found.add(rule);
            }
        }
        return found;
    }

    /**
     * What is wrong with a place, for a message; null if nothing is.
     *
     * @param above the numbers of the rules that govern the entry above
     */
    public static String placeViolation(Set<StructureRule> candidates, Set<Integer> above) {
        if (candidates.isEmpty() && above.isEmpty() || !governing(candidates, above).isEmpty()) {
            return null;
        }
        return "the structure rules do not allow it in its place: "
                + (candidates.isEmpty() ? "no rule is for such an entry" : "it has the rules " + candidates)
                + (above.isEmpty() ? ", and none governs the entry above" : ", and the entry above is governed by " + above);
    }

    /** The numbers of those rules that govern an entry below one that is governed by these. */
    public static Set<Integer> governing(Set<StructureRule> candidates, Set<Integer> above) {
        Set<Integer> numbers = new LinkedHashSet<>();
        for (StructureRule rule : candidates) {
            boolean governs = rule.superiors().isEmpty() ? above.isEmpty() : rule.superiors().stream().anyMatch(above::contains);
            if (governs) {
                numbers.add(rule.number());
            }
        }
        return numbers;
    }
}
