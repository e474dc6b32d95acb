package org.alder.partition.update;

import java.util.ArrayList;
import java.util.List;
import org.alder.partition.Partition;
import org.alder.partition.rule.EntryLimits;
import org.alder.partition.rule.EntryRules;
import org.alder.partition.schema.SchemaChecker;
import org.alder.partition.update.rules.ContentRule;
import org.alder.partition.update.rules.Distribution;
import org.alder.partition.update.rules.ReferenceTargets;
import org.alder.partition.update.rules.TriedUniqueValues;
import org.alder.partition.update.rules.UniqueValues;
import org.alder.partition.update.rules.ValueConstraints;

/**
 * What the rules of a partition make of its updates, as long as these rules hold. Immutable, thread safe.
 *
 * @param of      the rules
 * @param content those that are configured
 * @param numbers null if none are configured
 */
record Judges(EntryRules of, EntryLimits limits, EntryPreparation preparation, ReferenceIntegrity references, List<ContentRule> content,
        AutomaticNumbers numbers) {
    static Judges of(Partition partition, EntryRules rules, SchemaChecker checker, OperationalAttributes operationalAttributes) {
        return new Judges(rules, rules.limits(), new EntryPreparation(partition.schema(), rules.limits(), checker, operationalAttributes),
                new ReferenceIntegrity(partition, rules.references(), operationalAttributes), content(partition, rules),
                rules.numbers().isEmpty() ? null : new AutomaticNumbers(partition, rules.numbers()));
    }

    private static List<ContentRule> content(Partition partition, EntryRules rules) {
        List<ContentRule> content = new ArrayList<>();
        if (!rules.constraints().isEmpty()) {
            content.add(new ValueConstraints(partition.schema(), rules.constraints()));
        }
        if (!rules.unique().isEmpty()) {
            content.add(new UniqueValues(partition, rules.unique()));
        }
        if (rules.references().mustExist()) {
            content.add(new ReferenceTargets(partition, rules.references()));
        }
        if (rules.trial() != null) {
            content.add(new TriedUniqueValues(partition, rules.trial()));
        }
        if (partition.shard().isPart()) {
            content.add(new Distribution(partition.schema(), partition.suffix()));
        }
        return List.copyOf(content);
    }
}
