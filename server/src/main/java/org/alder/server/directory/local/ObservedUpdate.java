package org.alder.server.directory.local;

import java.util.List;
import org.alder.partition.Partition;
import org.alder.partition.entry.LargeAttribute;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.filter.AttributeAccess;
import org.alder.partition.filter.CandidateEntry;
import org.alder.partition.filter.CompiledFilter;
import org.alder.partition.filter.EntryAccess;
import org.alder.partition.filter.Truth;
import org.alder.partition.store.Snapshot;
import org.alder.partition.tree.EntryView;
import org.alder.partition.update.EntryNotes;
import org.alder.partition.update.UpdateOptions;
import org.alder.partition.update.UpdateWitness;
import org.alder.server.directory.CapturedEntry;
import org.alder.server.directory.Change;
import org.alder.server.directory.EntryCheck;
import org.alder.server.directory.OperationContext;
import org.alder.server.directory.OperationOptions;
import org.alder.server.directory.naming.NamingContexts;

/**
 * One update whose request asserts something about the entry, or wants to see it: both are done inside the update's transaction.
 * Written on the store's writer thread and read when the update's future has completed.
 */
final class ObservedUpdate implements UpdateWitness {
    private final NamingContexts.Context target;
    private final OperationOptions options;
    private final EntryAccess access;
    /** Null if nothing is asserted, or if what it means depends on the entry. */
    private final CompiledFilter assertion;
    private final EntryCheck check;
    private final EntryNotes notes;
    private final PartitionTransaction transaction;
    /** For the transaction, by the last attempt to make it. */
    private long heldBytes;
    private Change change = Change.UNSEEN;

    /**
     * @param transaction what the update is a part of, or null
     * @throws DirectoryException adminLimitExceeded if the assertion is too large a filter
     */
    ObservedUpdate(NamingContexts.Context target, OperationContext context, PartitionTransaction transaction)
            throws DirectoryException {
        this.target = target;
        this.options = context.options();
        this.access = context.access();
        this.check = context.check();
        this.notes = context.notes();
        this.transaction = transaction;
        this.assertion = options.assertion() == null || access.everywhere() == null ? null : compiled(access.everywhere());
    }

    private CompiledFilter compiled(AttributeAccess rights) throws DirectoryException {
        return CompiledFilter.compile(target.partition().schema(), options.assertion(), rights);
    }

    UpdateOptions updateOptions() {
        return new UpdateOptions(options.permissive(), options.subtree(), options.relaxed(), options.dryRun(), this,
                notes);
    }

    Change change() {
        return change;
    }

    @Override
    public void check(Snapshot state, EntryView entry) throws DirectoryException {
        if (options.assertion() == null && check == null) {
            return;
        }
        CandidateEntry candidate = target.partition().candidate(state, entry);
        if (check != null) {
            check.check(candidate);
        }
        if (options.assertion() == null) {
            return;
        }
        CompiledFilter seen = assertion == null ? compiled(access.of(candidate)) : assertion;
        if (seen.evaluate(target.partition().candidate(state, entry, access)) != Truth.TRUE) {
            throw failed(entry.dn());
        }
    }

    @Override
    public void placing(Snapshot state, EntryView superior, EntryView placed) throws DirectoryException {
        if (check != null) {
            Partition partition = target.partition();
            check.checkPlace(superior == null ? null : partition.candidate(state, superior), partition.candidate(state, placed));
        }
    }

    @Override
    public void removing(Snapshot state, EntryView top, List<Long> ids) throws DirectoryException {
        if (check == null) {
            return;
        }
        for (long id : ids) {
            if (id != top.id()) {
                EntryView entry = new EntryView(id, state.entry(id), target.partition().dnOf(state, id));
                check.checkBelow(target.partition().candidate(state, entry));
            }
        }
    }

    /** Who asserted it knows what, and the log must not: there may be a secret in it. */
    static DirectoryException failed(String dn) {
        return new DirectoryException(ResultCode.ASSERTION_FAILED, "the assertion is not true of \"" + dn + '"');
    }

    @Override
    public boolean wantsValues(LargeAttribute attribute) {
        return options.shows() && options.shows(target.partition().schema(), attribute.description());
    }

    @Override
    public void changing(Snapshot state, EntryView before, EntryView after) throws DirectoryException {
        if (options.shows()) {
            if (transaction != null) {
                long bytes = (options.showBefore() ? bytes(before) : 0) + (options.showAfter() ? bytes(after) : 0);
                transaction.hold(bytes - heldBytes);
                heldBytes = bytes;
            }
            change = new Change(options.showBefore() ? capture(state, before) : null, null);
        }
    }

    private static long bytes(EntryView entry) {
        return entry == null ? 0 : entry.record().length();
    }

    @Override
    public boolean wantsOutcome() {
        return options.showAfter();
    }

    @Override
    public void changed(Snapshot state, EntryView after) {
        change = new Change(change.before(), capture(state, after));
    }

    private CapturedEntry capture(Snapshot state, EntryView entry) {
        return entry == null ? null : new CapturedEntry(target.partition().schema(), entry,
                target.partition().virtualAttributes(state).of(state, entry, type -> true, access, bytes -> { }),
                access.of(target.partition().candidate(state, entry)));
    }
}
