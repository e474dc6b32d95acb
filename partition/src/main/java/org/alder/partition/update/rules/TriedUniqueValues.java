package org.alder.partition.update.rules;

import org.alder.partition.Partition;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.rule.UniqueTrial;
import org.alder.partition.store.Snapshot;
import org.alder.partition.tree.EntryView;

/** Refuses nothing, but tells which entries rules on unique values would refuse that are to hold soon. Immutable, thread safe. */
public final class TriedUniqueValues implements ContentRule {
    private final UniqueValues rules;
    private final UniqueTrial trial;

    public TriedUniqueValues(Partition partition, UniqueTrial trial) {
        this.rules = new UniqueValues(partition, trial.rules());
        this.trial = trial;
    }

    /** One of the checks. */
    @FunctionalInterface
    private interface Check {
        void run() throws DirectoryException;
    }

    private void note(EntryView entry, Check check) {
        try {
            check.run();
        } catch (DirectoryException e) {
            trial.refuses(entry.id());
        }
    }

    @Override
    public void added(Snapshot state, Dn dn, EntryView entry) {
        note(entry, () -> rules.added(state, dn, entry));
    }

    @Override
    public void modified(Snapshot state, Changed change) {
        note(change.after(), () -> rules.modified(state, change));
    }

    @Override
    public void renamed(Snapshot state, Changed change) {
        note(change.after(), () -> rules.renamed(state, change));
    }

    @Override
    public void arrived(Snapshot state, Changed change) {
        note(change.after(), () -> rules.arrived(state, change));
    }
}
