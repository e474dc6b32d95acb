package org.alder.partition.derived;

import java.util.List;
import java.util.Set;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.filter.CandidateEntry;
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

    public Surroundings(Schema schema, EntryTree tree, Memberships memberships, CollectiveAttributes collective) {
        this.schema = schema;
        this.tree = tree;
        this.memberships = memberships;
        this.collective = collective;
    }

    /** The same with groups whose members are worked out. @param groups null for none */
    public Surroundings with(ComputedGroups groups) {
        return groups == null ? this : new Surroundings(schema, tree, memberships.with(groups), collective);
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

    /** The numbers of the structure rules that govern an entry. */
    Set<Integer> governing(Snapshot snapshot, EntryRecord record) {
        NamingRules rules = schema.namingRules();
        return rules.allowAllPlaces() ? Set.of() : new GoverningRules(schema, rules, snapshot).of(record);
    }

    /** An entry, also one that is not in the snapshot yet, as filters see it. */
    public CandidateEntry candidate(Snapshot snapshot, EntryView entry) {
        List<CollectiveAttributes.Area> areas = collective.areas(snapshot);
        Candidate candidate = new Candidate(snapshot, this, areas);
        candidate.moveTo(entry.id(), entry.record());
        return candidate;
    }
}
