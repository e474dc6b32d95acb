package org.alder.partition.update;

import java.util.List;
import org.alder.partition.Partition;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.rule.EntryRules;
import org.alder.partition.rule.UniqueRule;
import org.alder.partition.rule.UniqueTrial;
import org.alder.partition.update.rules.UniqueScan;

/**
 * Has an open partition go by other rules, so that each update is judged by the old ones alone or by the new ones alone. Values that
 * are to be unique from then on are so already: those that are there are looked at while updates go on, and what updates make of
 * them meanwhile is looked at while these are held. One thread; {@link #take} or {@link #giveUp} ends it.
 *
 * <p>Other rules than those on unique values are about what is written from then on: what is there stays as it is.
 */
public final class RuleChange {
    private final Partition partition;
    private final EntryRules before;
    private final EntryRules after;
    private final UniqueScan scan;
    /** Null if no values are to be unique that need not be so now. */
    private final UniqueTrial trial;
    private boolean held;

    private RuleChange(Partition partition, EntryRules after, List<UniqueRule> added) {
        this.partition = partition;
        this.before = partition.rules();
        this.after = after;
        this.scan = new UniqueScan(partition, added);
        this.trial = added.isEmpty() ? null : new UniqueTrial(added);
    }

    /**
     * Looks whether another set of rules can hold, and changes nothing.
     *
     * @param added those of the unique values that the data have to be held against
     * @throws DirectoryException as {@link #begin} and {@link #look}
     */
    public static void check(Partition partition, EntryRules rules, List<UniqueRule> added) throws DirectoryException {
        requireIndexed(partition, rules);
        new UniqueScan(partition, added).requireUnique();
    }

    /**
     * Has updates tell from now on what the rules would refuse; {@link #look} comes next. Neither the schema nor the indexes change
     * meanwhile.
     *
     * @param added those of the unique values that the data have to be held against
     * @throws DirectoryException unwillingToPerform for an index that is not complete; busy while the schema is being changed; then nothing
     *     has changed
     */
    public static RuleChange begin(Partition partition, EntryRules rules, List<UniqueRule> added) throws DirectoryException {
        requireIndexed(partition, rules);
        RuleChange change = new RuleChange(partition, rules, added);
        if (change.trial != null) {
            boolean ready = false;
            try {
                change.startTrial();
                ready = true;
            } finally {
                if (!ready) {
                    change.giveUp();
                }
            }
        }
        return change;
    }

    /**
     * Looks at all entries, as long as that takes; updates go on, and the schema may change.
     *
     * @throws DirectoryException constraintViolation, naming two entries that have the same value
     * @throws org.alder.partition.error.StoreException where the store cannot be read
     */
    public void look() throws DirectoryException {
        if (trial != null) {
            scan.requireUnique();
        }
    }

    /** Values are looked up in other shards, too. */
    private static void requireIndexed(Partition partition, EntryRules rules) throws DirectoryException {
        partition.requireIndexed(rules);
        for (Partition other : partition.otherShards()) {
            other.requireIndexed(rules);
        }
    }

    private void startTrial() throws DirectoryException {
        // What was written before the trial is in the states that are looked at.
        hold(partition);
        try {
            partition.changeRules(before.withTrial(trial));
        } finally {
            partition.resumeUpdates();
        }
    }

    private static void hold(Partition partition) throws DirectoryException {
        try {
            partition.holdOwnUpdates();
        } catch (IllegalStateException e) {
            throw new DirectoryException(ResultCode.BUSY, "the schema or the indexes are being changed: try it again");
        }
    }

    /**
     * Holds updates, so that nothing can be in the way any more.
     *
     * @throws DirectoryException as {@link #look}; busy where updates are held by others; {@link #giveUp} has to follow
     */
    public void hold() throws DirectoryException {
        hold(partition);
        held = true;
        // An index that was complete may have been given up for another one since.
        partition.requireIndexed(after);
        if (trial != null) {
            scan.requireUnique(trial.entries());
        }
    }

    /** The new rules hold, and updates go on. */
    public void take() {
        end(after);
    }

    /** All is as before. */
    public void giveUp() {
        end(before);
    }

    private void end(EntryRules rules) {
        // Also while updates are made: a trial refuses none.
        try {
            partition.changeRules(rules);
        } finally {
            if (held) {
                held = false;
                partition.resumeUpdates();
            }
        }
    }
}
