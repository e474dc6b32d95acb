package org.alder.partition;

import java.util.Set;
import org.alder.partition.derived.CollectiveAttributes;
import org.alder.partition.derived.Memberships;
import org.alder.partition.derived.OtherShards;
import org.alder.partition.derived.StateFacts;
import org.alder.partition.derived.Surroundings;
import org.alder.partition.derived.VirtualAttributes;
import org.alder.partition.index.AttributeIndexer;
import org.alder.partition.query.plan.DynamicGroups;
import org.alder.partition.query.plan.QueryPlanner;
import org.alder.partition.rule.EntryRules;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;
import org.alder.partition.tree.EntryTree;

/**
 * What reads a partition by its indexes, for the states that have these indexes complete. Immutable, thread safe.
 *
 * @param rules of which it goes by those about groups
 * @param dynamicGroups null if there can be none
 */
record IndexView(AttributeIndexer indexer, EntryRules rules, Surroundings around, DynamicGroups dynamicGroups, VirtualAttributes virtualAttributes,
        QueryPlanner planner) {
    static IndexView of(Schema schema, AttributeIndexer indexer, EntryTree tree, EntryRules rules, Set<AttributeType> ignoredIndexes,
            OtherShards otherShards) {
        CollectiveAttributes collective = new CollectiveAttributes(schema, tree);
        Surroundings named = new Surroundings(schema, tree, Memberships.of(schema, indexer, rules.memberOf(), tree), collective,
                new StateFacts.Known(schema, collective, DynamicGroups.index(schema, indexer)), otherShards);
        DynamicGroups dynamicGroups = DynamicGroups.of(schema, indexer, named, ignoredIndexes);
        Surroundings around = named.with(dynamicGroups);
        return new IndexView(indexer, rules, around, dynamicGroups, new VirtualAttributes(schema, around),
                new QueryPlanner(schema, indexer, around, ignoredIndexes));
    }
}
