package org.alder.partition.schema;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.alder.partition.schema.definition.Definition;
import org.alder.partition.schema.value.MatchingRule;

/**
 * Tells whether a definition can stand in for another one of the same kind: then every value and entry that is right by the other
 * is right by it, and every search that the other answers it answers too. One schema, once it is linked.
 */
final class StandIn {
    private final SchemaBuilder linked;

    StandIn(SchemaBuilder linked) {
        this.linked = linked;
    }

    /** The keywords in which it says something else than the other, or less; empty if it can stand in. */
    List<String> differences(Definition one, Definition other) {
        List<String> found = new ArrayList<>();
        if (!other.names().stream().allMatch(name -> one.names().stream().anyMatch(name::equalsIgnoreCase))) {
            found.add("NAME");
        }
        switch (one.kind()) {
            case SYNTAX -> { }
            case ATTRIBUTE_TYPE -> compareTypes(linked.types.get(SchemaBuilder.key(one.oid())), other, found);
            case OBJECT_CLASS -> compareClasses(linked.classes.get(SchemaBuilder.key(one.oid())), other, found);
            default -> one.kind().keywords().stream()
                    .filter(keyword -> !keyword.equals("NAME") && !keyword.equals("DESC") && !one.meansIn(keyword, other))
                    .forEach(found::add);
        }
        return found;
    }

    private void compareTypes(SchemaBuilder.TypeDraft draft, Definition other, List<String> found) {
        AttributeType.Facts one = draft.facts();
        SchemaBuilder.TypeDraft superior = other.has("SUP") ? linked.types.get(SchemaBuilder.key(other.single("SUP"))) : null;
        if (other.has("SUP") && (superior == null || one.superior() != superior.type)) {
            found.add("SUP");
        }
        AttributeType.Facts inherited = superior == null ? null : superior.facts();
        AttributeType.Rules rules = inherited == null ? new AttributeType.Rules(null, null, null) : inherited.rules();
        compareRules(other, "EQUALITY", one.rules().equality(), rules.equality(), found);
        compareRules(other, "ORDERING", one.rules().ordering(), rules.ordering(), found);
        compareRules(other, "SUBSTR", one.rules().substring(), rules.substring(), found);
        String syntax = other.has("SYNTAX") ? SchemaBuilder.syntaxOid(other)
                : inherited == null ? null : inherited.syntax().oid();
        if (!one.syntax().oid().equals(syntax)) {
            found.add("SYNTAX");
        }
        requireNoMore("SINGLE-VALUE", one.definition(), other, found);
        requireNoMore("NO-USER-MODIFICATION", one.definition(), other, found);
        if (one.definition().has("COLLECTIVE") != other.has("COLLECTIVE")) {
            found.add("COLLECTIVE");
        }
        if (one.isOperational() != AttributeType.isOperational(other)) {
            found.add("USAGE");
        }
    }

    private void compareRules(Definition other, String keyword, MatchingRule one, MatchingRule inherited, List<String> found) {
        MatchingRule asked = other.has(keyword) ? linked.rules.get(SchemaBuilder.key(other.single(keyword))) : inherited;
        if ((asked != null || other.has(keyword)) && asked != one) {
            found.add(keyword);
        }
    }

    private static void requireNoMore(String restriction, Definition one, Definition other, List<String> found) {
        if (one.has(restriction) && !other.has(restriction)) {
            found.add(restriction);
        }
    }

    private void compareClasses(SchemaBuilder.ClassDraft draft, Definition other, List<String> found) {
        ObjectClass.Facts one = draft.facts;
        ObjectClass.Kind kind = ObjectClass.kind(other);
        boolean standsAlone = kind == ObjectClass.Kind.STRUCTURAL && one.standsAlone();
        if (one.kind() != kind && !standsAlone) {
            found.add(kind.toString());
        }
        Set<AttributeType> required = new LinkedHashSet<>();
        Set<AttributeType> allowed = new LinkedHashSet<>();
        boolean isKnown = add(other, "MUST", required) && add(other, "MAY", allowed);
        for (String name : other.list("SUP")) {
            SchemaBuilder.ClassDraft superior = linked.classes.get(SchemaBuilder.key(name));
            if (superior == null || !one.allSuperiors().contains(superior.objectClass)) {
                found.add("SUP");
            } else {
                required.addAll(superior.facts.must());
                allowed.addAll(superior.facts.may());
            }
        }
        allowed.addAll(required);
        if (!required.containsAll(one.must())) {
            found.add("MUST");
        }
        if (!isKnown || !allowed.stream().allMatch(type -> one.must().contains(type) || one.may().contains(type))) {
            found.add("MAY");
        }
    }

    /** Whether all types that the keyword names are known. */
    private boolean add(Definition definition, String keyword, Set<AttributeType> types) {
        boolean known = true;
        for (String name : definition.list(keyword)) {
            SchemaBuilder.TypeDraft draft = linked.types.get(SchemaBuilder.key(name));
            known &= draft != null;
            if (draft != null) {
                types.add(draft.type);
            }
        }
        return known;
    }
}
