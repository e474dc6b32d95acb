package org.alder.partition.schema;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.alder.partition.error.StoreException;
import org.alder.partition.schema.definition.Definition;
import org.alder.partition.schema.definition.DefinitionKind;
import org.alder.partition.schema.definition.DefinitionOrigin;
import org.alder.partition.schema.value.MatchingRule;
import org.alder.partition.schema.value.Syntax;

/**
 * Links definitions to types and classes: superiors before what is below them, in whatever order and file they are written.
 * Every name that is referenced must be defined, so that the published schema is closed. Nothing that is in use is changed before
 * {@link #adopt}. One object, one state of a schema, one thread.
 */
final class SchemaBuilder {
    final Map<String, Syntax> syntaxes = new LinkedHashMap<>();
    final Map<String, MatchingRule> rules = new LinkedHashMap<>();
    final Map<String, TypeDraft> types = new LinkedHashMap<>();
    final Map<String, ClassDraft> classes = new LinkedHashMap<>();
    final Map<ObjectClass, ContentRule> contentRules = new LinkedHashMap<>();

    private final Map<ObjectClass, List<NameForm>> nameFormsOf = new LinkedHashMap<>();
    private final Map<Integer, StructureRule> structureRules = new LinkedHashMap<>();
    private final SchemaTables before;
    private final Map<DefinitionKind, Map<String, Definition>> defined = new LinkedHashMap<>();
    private final Set<Definition> inProgress = new LinkedHashSet<>();
    /** Definitions from files that stand for others which were there first. */
    private final Map<Definition, Definition> firstOnes = new LinkedHashMap<>();

    /** What becomes of an attribute type. */
    static final class TypeDraft {
        final AttributeType type;
        final List<TypeDraft> below = new ArrayList<>();
        private final Definition definition;
        private final TypeDraft superior;
        private final AttributeType.Rules rules;
        private final Syntax syntax;
        private AttributeType.Facts facts;

        private TypeDraft(AttributeType type, Definition definition, TypeDraft superior, AttributeType.Rules rules,
                Syntax syntax) {
            this.type = type;
            this.definition = definition;
            this.superior = superior;
            this.rules = rules;
            this.syntax = syntax;
            for (TypeDraft draft = this; draft != null; draft = draft.superior) {
                draft.below.add(this);
            }
        }

        AttributeType.Facts facts() {
            if (facts == null) {
                Set<AttributeType> withSubtypes = new LinkedHashSet<>();
                below.forEach(draft -> withSubtypes.add(draft.type));
                facts = AttributeType.Facts.of(definition, superior == null ? null : superior.type, rules, syntax,
                        Collections.unmodifiableSet(withSubtypes), below.stream().map(draft -> draft.definition));
            }
            return facts;
        }
    }

    /** What becomes of an object class. */
    static final class ClassDraft {
        final ObjectClass objectClass;
        final ObjectClass.Facts facts;

        private ClassDraft(ObjectClass objectClass, ObjectClass.Facts facts) {
            this.objectClass = objectClass;
            this.facts = facts;
        }
    }

    /** @param before the state whose types and classes stay the same objects; null if there is none */
    SchemaBuilder(Collection<MatchingRule> knownRules, Collection<Syntax> knownSyntaxes, SchemaTables before) {
        this.before = before;
        knownSyntaxes.forEach(syntax -> syntaxes.put(syntax.oid(), syntax));
        for (MatchingRule rule : knownRules) {
            rules.put(key(rule.oid()), rule);
            rules.put(key(rule.name()), rule);
        }
        for (DefinitionKind kind : DefinitionKind.values()) {
            defined.put(kind, new LinkedHashMap<>());
        }
    }

    /**
     * What means the same as a definition that is there is passed over; so is what a file says of something that is defined
     * before it, elsewhere. Object classes of several OIDs share a name in files that are in use.
     */
    void add(List<Definition> definitions) {
        definitions.forEach(this::add);
    }

    private void add(Definition definition) {
        Map<String, Definition> known = defined.get(definition.kind());
        Definition same = known.get(key(definition.oid()));
        if (same != null && same.means(definition)) {
            return;
        }
        Definition before = same != null || definition.kind() != DefinitionKind.OBJECT_CLASS ? same : named(known, definition);
        if (before != null && isFirst(before, definition)) {
            firstOnes.put(definition, before);
            return;
        }
        List<String> keys = new ArrayList<>(definition.names());
        keys.add(definition.oid());
        for (String key : keys) {
            Definition first = known.putIfAbsent(key(key), definition);
            if (first != null && first != definition) {
                throw refused(definition, key + " is already defined by " + first.origin());
            }
        }
    }

    private static Definition named(Map<String, Definition> known, Definition definition) {
        return definition.names().stream().map(name -> known.get(key(name))).filter(Objects::nonNull).findFirst().orElse(null);
    }

    /** Within one file it is a mistake to define something twice, as it is to give one OID to different names. */
    private static boolean isFirst(Definition before, Definition definition) {
        return definition.origin().layer() == DefinitionOrigin.Layer.FILE
                && !before.origin().file().equals(definition.origin().file())
                && (definition.names().isEmpty() && before.names().isEmpty() || definition.names().stream()
                        .anyMatch(name -> before.names().stream().anyMatch(name::equalsIgnoreCase)));
    }

    /**
     * What files say that does not hold, since other definitions were there first that say something else: a line for each file.
     *
     * @throws StoreException REFUSED if a class has another OID, and what has its name cannot stand in for it
     */
    List<String> notices() {
        StandIn standIn = new StandIn(this);
        Map<String, List<String>> byFile = new LinkedHashMap<>();
        firstOnes.forEach((definition, first) -> {
            List<String> differences = standIn.differences(first, definition);
            boolean sameOid = first.oid().equals(definition.oid());
            if (!sameOid && !differences.isEmpty()) {
                throw refused(definition, definition.primaryName() + " is already defined by " + first.origin()
                        + " with the OID " + first.oid());
            } else if (!sameOid || !differences.isEmpty()) {
                byFile.computeIfAbsent(definition.origin().file(), none -> new ArrayList<>()).add(definition.primaryName() + " ("
                        + (sameOid ? String.join(", ", differences) : "OID") + "; line " + definition.origin().line()
                        + ", first in " + first.origin() + ")");
            }
        });
        return byFile.entrySet().stream().map(each -> each.getKey() + " defines differently what is defined already, which holds: "
                + String.join(", ", each.getValue())).toList();
    }

    /** All, in the order they were added, each once. */
    List<Definition> definitions() {
        Set<Definition> all = new LinkedHashSet<>();
        defined.values().forEach(kind -> all.addAll(kind.values()));
        return List.copyOf(all);
    }

    NamingRules namingRules() {
        return new NamingRules(nameFormsOf, structureRules);
    }

    private Collection<Definition> all(DefinitionKind kind) {
        return new LinkedHashSet<>(defined.get(kind).values());
    }

    /** @throws StoreException REFUSED if a definition refers to something that is not defined, or contradicts it */
    SchemaBuilder link() {
        all(DefinitionKind.SYNTAX).forEach(this::syntax);
        all(DefinitionKind.ATTRIBUTE_TYPE).forEach(this::type);
        all(DefinitionKind.OBJECT_CLASS).forEach(this::objectClass);
        all(DefinitionKind.CONTENT_RULE).forEach(this::contentRule);
        Map<String, NameForm> forms = new LinkedHashMap<>();
        all(DefinitionKind.NAME_FORM).forEach(definition -> nameForm(definition, forms));
        all(DefinitionKind.STRUCTURE_RULE).forEach(definition -> structureRule(definition, forms));
        return this;
    }

    /** Gives all types and classes what they are from now on. */
    void adopt() {
        types.values().forEach(draft -> draft.type.become(draft.facts()));
        classes.values().forEach(draft -> draft.objectClass.become(draft.facts));
    }

    private void syntax(Definition definition) {
        boolean readable = !definition.list("X-NOT-HUMAN-READABLE").contains("TRUE");
        Predicate<byte[]> check = value -> true;
        if (definition.has("X-SUBST")) {
            Syntax substitute = syntaxes.get(definition.single("X-SUBST"));
            if (substitute == null) {
                throw refused(definition, "the syntax " + definition.single("X-SUBST") + " is not known");
            }
            check = substitute.check();
        }
        String description = definition.has("DESC") ? definition.single("DESC").replace("\\", "\\5C").replace("'", "\\27")
                : definition.oid();
        syntaxes.putIfAbsent(definition.oid(), new Syntax(definition.oid(), description, readable, check));
    }

    private TypeDraft type(Definition definition) {
        TypeDraft known = types.get(key(definition.oid()));
        if (known != null) {
            return known;
        }
        enter(definition);
        TypeDraft superior = definition.has("SUP") ? type(definition, definition.single("SUP")) : null;
        AttributeType.Rules inherited = superior == null ? new AttributeType.Rules(null, null, null) : superior.rules;
        AttributeType.Rules own = new AttributeType.Rules(rule(definition, "EQUALITY", inherited.equality()),
                rule(definition, "ORDERING", inherited.ordering()), rule(definition, "SUBSTR", inherited.substring()));
        if (definition.has("COLLECTIVE") && (AttributeType.isOperational(definition) || definition.has("SINGLE-VALUE"))) {
            throw refused(definition, "a COLLECTIVE attribute can be neither operational nor SINGLE-VALUE");
        }
        AttributeType existing = before == null ? null : before.typesByName.get(definition.oid());
        TypeDraft draft = new TypeDraft(existing == null ? new AttributeType(definition.oid()) : existing, definition, superior,
                own, syntax(definition, superior));
        register(types, definition, draft);
        inProgress.remove(definition);
        return draft;
    }

    private TypeDraft type(Definition user, String name) {
        Definition definition = defined.get(DefinitionKind.ATTRIBUTE_TYPE).get(key(name));
        if (definition == null) {
            throw refused(user, "the attribute type " + name + " is not defined");
        }
        return type(definition);
    }

    private MatchingRule rule(Definition user, String keyword, MatchingRule inherited) {
        if (!user.has(keyword)) {
            return inherited;
        }
        MatchingRule rule = rules.get(key(user.single(keyword)));
        if (rule == null) {
            throw refused(user, "the matching rule " + user.single(keyword) + " is not known");
        }
        if (rule.supportsSubstring() != keyword.equals("SUBSTR") || !rule.comparesForms()) {
            throw refused(user, rule.name() + " is no rule for " + keyword);
        }
        return rule;
    }

    private Syntax syntax(Definition user, TypeDraft superior) {
        if (!user.has("SYNTAX")) {
            if (superior == null) {
                throw refused(user, "SYNTAX or SUP is missing");
            }
            return superior.syntax;
        }
        String oid = syntaxOid(user);
        Syntax syntax = syntaxes.get(oid);
        if (syntax == null) {
            throw refused(user, "the syntax " + oid + " is not known");
        }
        return syntax;
    }

    /** Without the length that may follow it in braces. */
    static String syntaxOid(Definition definition) {
        String written = definition.single("SYNTAX");
        int brace = written.indexOf('{');
        return brace < 0 ? written : written.substring(0, brace);
    }

    private ClassDraft objectClass(Definition definition) {
        ClassDraft known = classes.get(key(definition.oid()));
        if (known != null) {
            return known;
        }
        enter(definition);
        List<ObjectClass> superiors = new ArrayList<>();
        List<ObjectClass.Facts> superiorFacts = new ArrayList<>();
        for (String name : definition.list("SUP")) {
            ClassDraft superior = objectClass(definition, name);
            superiors.add(superior.objectClass);
            superiorFacts.add(superior.facts);
        }
        ObjectClass.Facts facts = ObjectClass.Facts.of(definition, superiors, superiorFacts, types(definition, "MUST"),
                types(definition, "MAY"));
        for (ObjectClass.Facts superior : superiorFacts) {
            if (superior.kind() != ObjectClass.Kind.ABSTRACT && superior.kind() != facts.kind()) {
                throw refused(definition, "a class that is " + facts.kind() + " cannot be below "
                        + superior.definition().primaryName() + ", which is " + superior.kind());
            }
        }
        ObjectClass existing = before == null ? null : before.classesByName.get(definition.oid());
        ClassDraft draft = new ClassDraft(existing == null ? new ObjectClass(definition.oid()) : existing, facts);
        register(classes, definition, draft);
        inProgress.remove(definition);
        return draft;
    }

    private ClassDraft objectClass(Definition user, String name) {
        Definition definition = defined.get(DefinitionKind.OBJECT_CLASS).get(key(name));
        if (definition == null) {
            throw refused(user, "the object class " + name + " is not defined");
        }
        return objectClass(definition);
    }

    private Set<AttributeType> types(Definition user, String keyword) {
        Set<AttributeType> found = new LinkedHashSet<>();
        user.list(keyword).forEach(name -> found.add(type(user, name).type));
        return found;
    }

    /** The class of a rule or form, which must be structural. */
    private ClassDraft structural(Definition user, String name) {
        ClassDraft draft = objectClass(user, name);
        if (draft.facts.kind() != ObjectClass.Kind.STRUCTURAL) {
            throw refused(user, "the object class " + name + " is " + draft.facts.kind() + ", expected a structural one");
        }
        return draft;
    }

    private void contentRule(Definition definition) {
        ClassDraft structural = structural(definition, definition.oid());
        Set<ObjectClass> auxiliaries = new LinkedHashSet<>();
        for (String name : definition.list("AUX")) {
            ClassDraft auxiliary = objectClass(definition, name);
            if (auxiliary.facts.kind() != ObjectClass.Kind.AUXILIARY) {
                throw refused(definition, "the object class " + name + " is " + auxiliary.facts.kind()
                        + ", expected an auxiliary one");
            }
            auxiliaries.add(auxiliary.objectClass);
        }
        for (String name : definition.list("NOT")) {
            if (structural.facts.must().contains(type(definition, name).type)) {
                throw refused(definition, "NOT names " + name + ", which the class requires");
            }
        }
        if (definition.has("OBSOLETE")) {
            return;
        }
        contentRules.put(structural.objectClass, new ContentRule(definition, structural.objectClass, Set.copyOf(auxiliaries),
                types(definition, "MUST"), types(definition, "MAY"), types(definition, "NOT")));
    }

    private void nameForm(Definition definition, Map<String, NameForm> forms) {
        if (!definition.has("OC") || !definition.has("MUST")) {
            throw refused(definition, "OC and MUST expected");
        }
        ClassDraft structural = structural(definition, definition.single("OC"));
        NameForm form = new NameForm(definition.oid(), definition.primaryName(), structural.objectClass,
                types(definition, "MUST"), types(definition, "MAY"));
        register(forms, definition, form);
        if (definition.has("OBSOLETE")) {
            return;
        }
        nameFormsOf.computeIfAbsent(structural.objectClass, none -> new ArrayList<>()).add(form);
    }

    private void structureRule(Definition definition, Map<String, NameForm> forms) {
        NameForm form = definition.has("FORM") ? forms.get(key(definition.single("FORM"))) : null;
        if (form == null) {
            throw refused(definition, definition.has("FORM") ? "the name form " + definition.single("FORM") + " is not defined"
                    : "FORM is missing");
        }
        Set<Integer> superiors = new LinkedHashSet<>();
        for (String superior : definition.list("SUP")) {
            if (!defined.get(DefinitionKind.STRUCTURE_RULE).containsKey(superior)) {
                throw refused(definition, "the structure rule " + superior + " is not defined");
            }
            superiors.add(number(definition, superior));
        }
        int number = number(definition, definition.oid());
        String name = definition.names().isEmpty() ? null : definition.primaryName();
        if (definition.has("OBSOLETE")) {
            return;
        }
        structureRules.put(number, new StructureRule(number, name, form, Set.copyOf(superiors)));
    }

    private static int number(Definition user, String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw refused(user, "the number " + text + " is too large");
        }
    }

    private void enter(Definition definition) {
        if (!inProgress.add(definition)) {
            throw refused(definition, "SUP leads back to the definition itself");
        }
    }

    private static <T> void register(Map<String, T> map, Definition definition, T value) {
        map.put(key(definition.oid()), value);
        definition.names().forEach(name -> map.put(key(name), value));
    }

    static String key(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    static StoreException refused(Definition definition, String what) {
        return new StoreException(StoreException.Kind.REFUSED, definition.origin() + ": " + what + ", in " + definition.text());
    }
}
