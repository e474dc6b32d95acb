package org.alder.partition.schema;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.alder.partition.schema.definition.Definition;
import org.alder.partition.schema.value.MatchingRule;
import org.alder.partition.schema.value.Syntax;

/** All that a schema is at one time. Immutable, thread safe. */
final class SchemaTables {
    final long version;
    final List<Definition> definitions;
    final List<AttributeType> attributeTypes;
    final List<ObjectClass> objectClasses;
    final List<MatchingRule> matchingRules;
    final List<Syntax> syntaxes;
    final Map<ObjectClass, ContentRule> contentRules;
    final NamingRules namingRules;
    final NameTable<AttributeType> typesByName;
    final NameTable<ObjectClass> classesByName;
    final NameTable<MatchingRule> rulesByName;
    final NameTable<byte[]> oidsByName;
    final DescriptionCache descriptions;

    SchemaTables(Schema schema, long version, SchemaBuilder builder) {
        this.version = version;
        definitions = builder.definitions();
        attributeTypes = List.copyOf(new LinkedHashSet<>(builder.types.values().stream().map(draft -> draft.type).toList()));
        objectClasses = List.copyOf(
                new LinkedHashSet<>(builder.classes.values().stream().map(draft -> draft.objectClass).toList()));
        matchingRules = List.copyOf(new LinkedHashSet<>(builder.rules.values()));
        syntaxes = List.copyOf(builder.syntaxes.values());
        contentRules = Map.copyOf(builder.contentRules);
        namingRules = builder.namingRules();
        Map<String, AttributeType> types = new LinkedHashMap<>();
        builder.types.forEach((name, draft) -> types.put(name, draft.type));
        Map<String, ObjectClass> classes = new LinkedHashMap<>();
        builder.classes.forEach((name, draft) -> classes.put(name, draft.objectClass));
        Map<String, byte[]> oids = new HashMap<>();
        oids(builder).forEach((name, oid) -> oids.put(name, oid.getBytes(StandardCharsets.US_ASCII)));
        typesByName = new NameTable<>(types);
        classesByName = new NameTable<>(classes);
        rulesByName = new NameTable<>(builder.rules);
        oidsByName = new NameTable<>(oids);
        descriptions = new DescriptionCache(schema);
    }

    /** By name in lower case. Where a class and a type share a name, objectIdentifierMatch means the class. */
    static Map<String, String> oids(SchemaBuilder builder) {
        Map<String, String> oids = new HashMap<>();
        builder.rules.forEach((name, rule) -> oids.put(name, rule.oid()));
        builder.types.forEach((name, draft) -> oids.put(name, draft.type.oid()));
        builder.classes.forEach((name, draft) -> oids.put(name, draft.objectClass.oid()));
        return oids;
    }
}
