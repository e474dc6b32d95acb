package org.alder.server.directory;

import org.alder.partition.entry.LargeAttribute;
import org.alder.partition.error.ControlResult;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.filter.CompiledFilter;
import org.alder.partition.filter.Filters;
import org.alder.partition.filter.Truth;
import org.alder.partition.query.EntryView;
import org.alder.partition.store.Snapshot;
import org.alder.partition.update.UpdateOptions;
import org.alder.partition.update.UpdateWitness;

/**
 * One update whose request asserts something about the entry, or wants to see it: both are done inside the update's transaction.
 * Written on the store's writer thread and read when the update's future has completed.
 */
final class ObservedUpdate implements UpdateWitness {
    private final PartitionUpdates target;
    private final OperationOptions options;
    private final CompiledFilter assertion;
    private final UpdateTransaction transaction;
    private Change change = Change.UNSEEN;

    /**
     * @param transaction what the update is a part of, or null
     * @throws DirectoryException unwillingToPerform if the assertion is too large a filter
     */
    ObservedUpdate(PartitionUpdates target, OperationOptions options, UpdateTransaction transaction) throws DirectoryException {
        this.transaction = transaction;
        this.target = target;
        this.options = options;
        this.assertion = options.assertion() == null ? null
                : CompiledFilter.compile(target.partition().schema(), options.assertion());
    }

    UpdateOptions updateOptions() {
        return new UpdateOptions(options.permissive(), options.subtree(), options.relaxed(), options.dryRun(), this);
    }

    Change change() {
        return change;
    }

    @Override
    public void check(Snapshot state, EntryView entry) throws DirectoryException {
        if (assertion != null && assertion.evaluate(target.partition().candidate(state, entry)) != Truth.TRUE) {
            throw failed(options, entry.dn());
        }
    }

    static DirectoryException failed(OperationOptions options, String dn) {
        return new DirectoryException(ControlResult.ASSERTION_FAILED,
                "the assertion " + Filters.format(options.assertion()) + " is not true of \"" + dn + '"');
    }

    @Override
    public boolean wantsValues(LargeAttribute attribute) {
        return options.shows() && options.shows(target.partition().schema(), attribute.description());
    }

    @Override
    public void changed(Snapshot state, EntryView before, EntryView after) throws DirectoryException {
        if (options.shows()) {
            if (transaction != null) {
                transaction.hold(options.showBefore() ? before : null);
                transaction.hold(options.showAfter() ? after : null);
            }
            change = new Change(options.showBefore() ? capture(state, before) : null,
                    options.showAfter() ? capture(state, after) : null);
        }
    }

    private CapturedEntry capture(Snapshot state, EntryView entry) {
        return entry == null ? null : new CapturedEntry(target.partition().schema(), entry,
                target.partition().virtualAttributes().of(state, entry, type -> true), AttributeAccess.ALL);
    }
}
