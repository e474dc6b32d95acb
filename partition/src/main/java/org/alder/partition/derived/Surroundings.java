package org.alder.partition.derived;

import java.util.Set;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.schema.NamingRules;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.Snapshot;
import org.alder.partition.tree.EntryTree;
import org.alder.partition.tree.EntryView;
import org.alder.partition.tree.GoverningRules;

/**
 * What gives entries the attributes that are worked out and not stored: the tree they stand in, the groups they are members of,
 * and the subtrees whose attributes they share. Immutable, thread safe.
 */
public final class Surroundings {
    private final Schema schema;
    private final EntryTree tree;
    private final Memberships memberships;
    private final CollectiveAttributes collective;
    private final StateFacts.Known states;
    private final OtherShards otherShards;

    public Surroundings(Schema schema, EntryTree tree, Memberships memberships, CollectiveAttributes collective,
            StateFacts.Known states, OtherShards otherShards) {
        this.schema = schema;
        this.tree = tree;
        this.memberships = memberships;
        this.collective = collective;
        this.states = states;
        this.otherShards = otherShards;
    }

    /** The same with groups whose members are worked out. @param groups null for none */
    public Surroundings with(ComputedGroups groups) {
        return groups == null ? this : new Surroundings(schema, tree, memberships.with(groups), collective, states, otherShards);
    }

    Schema schema() {
        return schema;
    }

    public EntryTree tree() {
        return tree;
    }

    public Memberships memberships() {
        return memberships;
    }

    public CollectiveAttributes collective() {
        return collective;
    }

    OtherShards otherShards() {
        return otherShards;
    }

    /** What is known of the snapshot's state. */
    public StateFacts facts(Snapshot snapshot) {
        return states.of(snapshot);
    }

    /** The numbers of the structure rules that govern an entry. */
    Set<Integer> governing(Snapshot snapshot, EntryRecord record) {
        NamingRules rules = schema.namingRules();
        return rules.allowAllPlaces() ? Set.of() : new GoverningRules(schema, rules, snapshot).of(record);
    }

    /** An entry, also one that is not in the snapshot yet, as filters see it. */
    public Candidate candidate(Snapshot snapshot, EntryView entry) {
        return candidate(snapshot, entry.id(), entry.record());
    }

    Candidate candidate(Snapshot snapshot, long id, EntryRecord record) {
        Candidate candidate = new Candidate(snapshot, this, states.of(snapshot).areas(snapshot));
        candidate.moveTo(id, record);
        return candidate;
    }
}
