package org.alder.server.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.filter.CompiledFilter;
import org.alder.partition.filter.FilterParser;
import org.alder.partition.index.IndexDefinition;
import org.alder.partition.index.IndexKind;
import org.alder.partition.rule.EntryRules;
import org.alder.partition.rule.NumberRange;
import org.alder.partition.rule.ReferenceRule;
import org.alder.partition.rule.UniqueRule;
import org.alder.partition.rule.ValueConstraint;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.ObjectClass;
import org.alder.partition.schema.Schema;
import org.alder.server.config.PartitionConfiguration;
import org.alder.server.config.RuleConfiguration;

/** Makes the rules of a partition of its configuration: looks names up and sees to it that there are the indexes. */
final class RuleSettings {
    private static final List<String> NAME_SYNTAXES = List.of("1.3.6.1.4.1.1466.115.121.1.12", "1.3.6.1.4.1.1466.115.121.1.34");
    private static final String INTEGER_SYNTAX = "1.3.6.1.4.1.1466.115.121.1.27";

    private final Schema schema;
    private final PartitionConfiguration configuration;
    private final List<IndexDefinition> indexes;

    RuleSettings(Schema schema, PartitionConfiguration configuration, List<IndexDefinition> indexes) {
        this.schema = schema;
        this.configuration = configuration;
        this.indexes = indexes;
    }

    /** @throws CommandException naming partition and line, if something is not known or has no index */
    EntryRules rules() throws CommandException {
        RuleConfiguration rules = configuration.rules();
        List<UniqueRule> unique = new ArrayList<>();
        for (RuleConfiguration.Unique line : rules.unique()) {
            unique.add(unique(line));
        }
        List<ValueConstraint> constraints = new ArrayList<>();
        for (RuleConfiguration.Constraint line : rules.constraints()) {
            constraints.add(new ValueConstraint(types("constraint", line.attributes()), test(line)));
        }
        List<NumberRange> numbers = new ArrayList<>();
        for (RuleConfiguration.AutoNumber line : rules.autoNumbers()) {
            numbers.add(number(line));
        }
        return new EntryRules(names("memberOf", configuration.memberOf()), references(rules), unique, constraints, numbers);
    }

    private ReferenceRule references(RuleConfiguration rules) throws CommandException {
        try {
            Dn.parse(schema, rules.referencePlaceholder());
        } catch (DirectoryException e) {
            throw wrong("referencePlaceholder", e.getMessage());
        }
        return new ReferenceRule(names("reference", rules.references()), rules.referencePlaceholder(),
                rules.referencesMustExist());
    }

    private List<AttributeType> names(String key, Collection<String> attributes) throws CommandException {
        List<AttributeType> types = indexed(key, attributes);
        for (AttributeType type : types) {
            if (!NAME_SYNTAXES.contains(type.syntaxOid())) {
                throw wrong(key, "the values of attribute " + type.name() + " are no DNs");
            }
        }
        return types;
    }

    private UniqueRule unique(RuleConfiguration.Unique line) throws CommandException {
        try {
            return new UniqueRule(indexed("unique", line.attributes()),
                    line.base() == null ? null : Dn.parse(schema, line.base()),
                    line.filter() == null ? null : CompiledFilter.compile(schema, FilterParser.parse(line.filter())));
        } catch (DirectoryException e) {
            throw wrong("unique", e.getMessage());
        }
    }

    private static ValueConstraint.Test test(RuleConfiguration.Constraint line) {
        return switch (line.kind()) {
            case REGEX -> new ValueConstraint.Matching(Pattern.compile(line.argument()), true);
            case NEGREGEX -> new ValueConstraint.Matching(Pattern.compile(line.argument()), false);
            case SIZE -> new ValueConstraint.Size(Integer.parseInt(line.argument()));
            case COUNT -> new ValueConstraint.Count(Integer.parseInt(line.argument()));
            case SET -> new ValueConstraint.OneOf(Arrays.asList(line.argument().split("\\s+")));
        };
    }

    private NumberRange number(RuleConfiguration.AutoNumber line) throws CommandException {
        AttributeType type = indexed("autoNumber", List.of(line.attribute())).get(0);
        ObjectClass objectClass = line.objectClass() == null ? null : schema.objectClass(line.objectClass());
        if (line.objectClass() != null && objectClass == null) {
            throw wrong("autoNumber", "the schema has no object class " + line.objectClass());
        }
        if (!type.syntaxOid().equals(INTEGER_SYNTAX)) {
            throw wrong("autoNumber", "the values of attribute " + type.name() + " are no numbers");
        }
        if (schema.attributeType("alderNextNumber") == null) {
            throw wrong("autoNumber", "the schema has no attribute alderNextNumber (conf/schema/autonumber.ldif)");
        }
        return new NumberRange(type, line.first(), line.last(), objectClass, line.magic());
    }

    private List<AttributeType> indexed(String key, Collection<String> attributes) throws CommandException {
        List<AttributeType> types = types(key, attributes);
        for (AttributeType type : types) {
            if (indexes.stream().noneMatch(index -> index.type() == type && index.has(IndexKind.EQUALITY))) {
                throw wrong(key, "attribute " + type.name() + " has no equality index, expected a line \"index: " + type.name()
                        + " eq\"");
            }
        }
        return types;
    }

    private List<AttributeType> types(String key, Collection<String> attributes) throws CommandException {
        List<AttributeType> types = new ArrayList<>();
        for (String name : attributes) {
            AttributeType type = schema.attributeType(name);
            if (type == null) {
                throw wrong(key, "the schema has no attribute " + name);
            }
            types.add(type);
        }
        return List.copyOf(types);
    }

    private CommandException wrong(String key, String what) {
        return new CommandException("partition " + configuration.name() + ", " + key + ": " + what);
    }
}
