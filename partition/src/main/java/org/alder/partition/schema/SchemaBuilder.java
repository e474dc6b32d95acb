package org.alder.partition.schema;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.alder.partition.error.StoreException;

/**
 * Links definitions to types and classes: superiors before what is below them, in whatever order and file they are written.
 * Every name that is referenced must be defined, so that the published schema is closed. One object, one schema, one thread.
 */
final class SchemaBuilder {
    final Map<String, Syntax> syntaxes = new LinkedHashMap<>();
    final Map<String, MatchingRule> rules = new LinkedHashMap<>();
    final Map<String, AttributeType> types = new LinkedHashMap<>();
    final Map<String, ObjectClass> classes = new LinkedHashMap<>();
    final List<AttributeType> typeList = new ArrayList<>();
    final List<ObjectClass> classList = new ArrayList<>();

    private final Map<String, Definition> typeDefinitions = new LinkedHashMap<>();
    private final Map<String, Definition> classDefinitions = new LinkedHashMap<>();
    private final Set<Definition> inProgress = new LinkedHashSet<>();

    SchemaBuilder(Schema schema) {
        Syntaxes.of(schema).forEach(syntax -> syntaxes.put(syntax.oid(), syntax));
        for (MatchingRule rule : MatchingRules.of(schema)) {
            rules.put(key(rule.oid()), rule);
            rules.put(key(rule.name()), rule);
        }
    }

    void add(SchemaFile file) {
        for (Definition definition : file.syntaxes) {
            boolean readable = !definition.list("X-NOT-HUMAN-READABLE").contains("TRUE");
            Syntax syntax = new Syntax(definition.oid(), description(definition), readable, value -> true);
            syntaxes.putIfAbsent(syntax.oid(), syntax);
        }
        file.attributeTypes.forEach(definition -> define(typeDefinitions, definition));
        file.objectClasses.forEach(definition -> define(classDefinitions, definition));
    }

    private static String description(Definition definition) {
        return definition.has("DESC") ? definition.single("DESC").replace("\\", "\\5C").replace("'", "\\27") : definition.oid();
    }

    private static void define(Map<String, Definition> definitions, Definition definition) {
        List<String> keys = new ArrayList<>(definition.names());
        keys.add(definition.oid());
        for (String key : keys) {
            Definition before = definitions.putIfAbsent(key(key), definition);
            if (before != null && before != definition) {
                throw refused(definition, key + " is already defined by " + before.origin());
            }
        }
    }

    void link() {
        typeDefinitions.values().forEach(this::type);
        classDefinitions.values().forEach(this::objectClass);
    }

    private AttributeType type(Definition definition) {
        AttributeType known = types.get(key(definition.oid()));
        if (known != null) {
            return known;
        }
        enter(definition);
        AttributeType superior = definition.has("SUP") ? type(definition, definition.single("SUP")) : null;
        AttributeType.Rules inherited = superior == null ? new AttributeType.Rules(null, null, null) : superior.rules();
        AttributeType.Rules own = new AttributeType.Rules(rule(definition, "EQUALITY", inherited.equality()),
                rule(definition, "ORDERING", inherited.ordering()), rule(definition, "SUBSTR", inherited.substring()));
        AttributeType type = new AttributeType(definition, superior, own, syntax(definition, superior));
        register(types, definition, type);
        typeList.add(type);
        inProgress.remove(definition);
        return type;
    }

    private AttributeType type(Definition user, String name) {
        Definition definition = typeDefinitions.get(key(name));
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
        if (rule.supportsSubstring() != keyword.equals("SUBSTR")) {
            throw refused(user, rule.name() + " is no rule for " + keyword);
        }
        return rule;
    }

    private Syntax syntax(Definition user, AttributeType superior) {
        if (!user.has("SYNTAX")) {
            if (superior == null) {
                throw refused(user, "SYNTAX or SUP is missing");
            }
            return superior.syntax();
        }
        String oid = user.single("SYNTAX").replaceFirst("\\{\\d+}$", "");
        Syntax syntax = syntaxes.get(oid);
        if (syntax == null) {
            throw refused(user, "the syntax " + oid + " is not known");
        }
        return syntax;
    }

    private ObjectClass objectClass(Definition definition) {
        ObjectClass known = classes.get(key(definition.oid()));
        if (known != null) {
            return known;
        }
        enter(definition);
        List<ObjectClass> superiors = new ArrayList<>();
        for (String name : definition.list("SUP")) {
            Definition superior = classDefinitions.get(key(name));
            if (superior == null) {
                throw refused(definition, "the object class " + name + " is not defined");
            }
            superiors.add(objectClass(superior));
        }
        ObjectClass objectClass = new ObjectClass(definition, superiors, types(definition, "MUST"), types(definition, "MAY"));
        register(classes, definition, objectClass);
        classList.add(objectClass);
        inProgress.remove(definition);
        return objectClass;
    }

    private Set<AttributeType> types(Definition user, String keyword) {
        Set<AttributeType> found = new LinkedHashSet<>();
        user.list(keyword).forEach(name -> found.add(type(user, name)));
        return found;
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

    private static String key(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    private static StoreException refused(Definition definition, String what) {
        return new StoreException(StoreException.Kind.REFUSED, definition.origin() + ": " + what + ", in " + definition.text());
    }
}
