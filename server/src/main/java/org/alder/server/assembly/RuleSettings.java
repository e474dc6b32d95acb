package org.alder.server.assembly;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.index.IndexDefinition;
import org.alder.partition.index.IndexKind;
import org.alder.partition.rule.EntryLimits;
import org.alder.partition.rule.EntryRules;
import org.alder.partition.rule.NumberRange;
import org.alder.partition.rule.ReferenceRule;
import org.alder.partition.rule.UniqueRule;
import org.alder.partition.rule.ValueConstraint;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.ObjectClass;
import org.alder.partition.schema.Schema;
import org.alder.server.config.ConfigurationException;
import org.alder.server.config.Key;
import org.alder.server.config.PartitionConfiguration;
import org.alder.server.config.PartitionKeys;
import org.alder.server.config.RuleLines;

/** Makes the rules of a partition of its configuration: looks names up and sees to it that there are the indexes. */
final class RuleSettings {
    private static final String INTEGER_SYNTAX = "1.3.6.1.4.1.1466.115.121.1.27";

    private final Schema schema;
    private final PartitionConfiguration configuration;
    private final List<IndexDefinition> indexes;

    RuleSettings(Schema schema, PartitionConfiguration configuration, List<IndexDefinition> indexes) {
        this.schema = schema;
        this.configuration = configuration;
        this.indexes = indexes;
    }

    /** @throws ConfigurationException naming file, line and key, if something is not known or has no index */
    EntryRules rules() throws ConfigurationException {
        return new EntryRules(names(PartitionKeys.MEMBER_OF), references(), each(PartitionKeys.UNIQUE, this::unique),
                each(PartitionKeys.CONSTRAINT, this::constraint), each(PartitionKeys.AUTO_NUMBER, this::number), limits());
    }

    private EntryLimits limits() {
        int values = configuration.get(PartitionKeys.MAX_ATTRIBUTE_VALUES);
        return new EntryLimits(Math.toIntExact(configuration.get(PartitionKeys.MAX_ENTRY_BYTES)),
                configuration.get(PartitionKeys.MAX_ENTRY_ATTRIBUTES), values == 0 ? Integer.MAX_VALUE : values, configuration.get(PartitionKeys.MAX_ENTRY_DEPTH));
    }

    /** What is wrong with one value of a key, before it is known where that stands. */
    private static final class Fault extends Exception {
        private static final long serialVersionUID = 1L;

        Fault(String message) {
            super(message);
        }
    }

    @FunctionalInterface
    private interface Reading<V, R> {
        R read(V value) throws Fault, DirectoryException;
    }

    private <V, R> List<R> each(Key<List<V>> key, Reading<V, R> reading) throws ConfigurationException {
        List<R> results = new ArrayList<>();
        for (V value : configuration.get(key)) {
            try {
                results.add(reading.read(value));
            } catch (Fault | DirectoryException e) {
                throw configuration.settings().fault(key, results.size(), e.getMessage());
            }
        }
        return List.copyOf(results);
    }

    private ReferenceRule references() throws ConfigurationException {
        String placeholder = configuration.get(PartitionKeys.REFERENCE_PLACEHOLDER);
        try {
            Dn.parse(schema, placeholder == null ? "" : placeholder);
        } catch (DirectoryException e) {
            throw configuration.settings().fault(PartitionKeys.REFERENCE_PLACEHOLDER, e.getMessage());
        }
        return new ReferenceRule(names(PartitionKeys.REFERENCE), placeholder == null ? "" : placeholder,
                configuration.get(PartitionKeys.REFERENCES_MUST_EXIST));
    }

    private List<AttributeType> names(Key<List<String>> key) throws ConfigurationException {
        return each(key, name -> {
            AttributeType type = indexed(name);
            if (!type.holdsNames()) {
                throw new Fault("the values of attribute " + type.name() + " are no DNs");
            }
            return type;
        });
    }

    private UniqueRule unique(RuleLines.Unique line) throws Fault, DirectoryException {
        List<AttributeType> types = new ArrayList<>();
        for (String name : line.attributes()) {
            types.add(indexed(name));
        }
        return UniqueRule.of(schema, types, line.base() == null ? null : Dn.parse(schema, line.base()), line.filter());
    }

    private ValueConstraint constraint(RuleLines.Constraint line) throws Fault {
        List<AttributeType> types = new ArrayList<>();
        for (String name : line.attributes()) {
            types.add(type(name));
        }
        return new ValueConstraint(types, test(line));
    }

    private static ValueConstraint.Test test(RuleLines.Constraint line) {
        return switch (line.kind()) {
            case REGEX -> new ValueConstraint.Matching(Pattern.compile(line.argument()), true);
            case NEGREGEX -> new ValueConstraint.Matching(Pattern.compile(line.argument()), false);
            case SIZE -> new ValueConstraint.Size(Integer.parseInt(line.argument()));
            case COUNT -> new ValueConstraint.Count(Integer.parseInt(line.argument()));
            case SET -> new ValueConstraint.OneOf(Arrays.asList(line.argument().split("\\s+")));
        };
    }

    private NumberRange number(RuleLines.AutoNumber line) throws Fault {
        AttributeType type = indexed(line.attribute());
        ObjectClass objectClass = line.objectClass() == null ? null : schema.objectClass(line.objectClass());
        if (line.objectClass() != null && objectClass == null) {
            throw new Fault("the schema has no object class " + line.objectClass());
        }
        if (!type.syntaxOid().equals(INTEGER_SYNTAX)) {
            throw new Fault("the values of attribute " + type.name() + " are no numbers");
        }
        if (schema.attributeType("alderNextNumber") == null) {
            throw new Fault("the schema has no attribute alderNextNumber (conf/schema/autonumber.ldif)");
        }
        return new NumberRange(type, line.first(), line.last(), objectClass, line.magic());
    }

    private AttributeType indexed(String name) throws Fault {
        AttributeType type = type(name);
        if (indexes.stream().noneMatch(index -> index.type() == type && index.has(IndexKind.EQUALITY))) {
            throw new Fault("attribute " + type.name() + " has no equality index, expected a line \"index: " + type.name()
                    + " eq\"");
        }
        return type;
    }

    private AttributeType type(String name) throws Fault {
        AttributeType type = schema.attributeType(name);
        if (type == null) {
            throw new Fault("the schema has no attribute " + name);
        }
        return type;
    }
}
