package org.alder.partition.update;

import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.WriteContext;
import org.alder.partition.tree.EntryView;

/**
 * How a change departs from the plain operation of RFC 4511. Immutable.
 *
 * @param permissive a modify passes over values to add that are there and values to delete that are not
 * @param subtree a delete takes with it what is below the entry
 * @param relaxed an add may bring, and a modify may change, attributes that only the server maintains, such as entryUUID and createTimestamp
 * @param dryRun the change is checked to its end and then refused with {@link ResultCode#NO_OPERATION}
 * @param witness is shown the entry inside the transaction; null if nobody asks
 * @param notes what the server itself changes with an add or a modify; null for nothing
 */
public record UpdateOptions(boolean permissive, boolean subtree, boolean relaxed, boolean dryRun, UpdateWitness witness,
                            EntryNotes notes) {
    public static final UpdateOptions NONE = new UpdateOptions(false, false, false, false, null, null);

    public UpdateOptions withNotes(EntryNotes other) {
        return other == notes ? this : new UpdateOptions(permissive, subtree, relaxed, dryRun, witness, other);
    }

    /** Before anything else is looked at; an entry to be added is checked when it is complete. */
    void check(Snapshot state, EntryView entry) throws DirectoryException {
        if (witness != null) {
            witness.check(state, entry);
        }
    }

    /**
     * When nothing speaks against the change any more and nothing is written yet.
     *
     * @param before null for an add  @param after null for a delete
     */
    void finish(Snapshot state, EntryView before, EntryView after) throws DirectoryException {
        if (before == null && witness != null) {
            witness.check(state, after);
        }
        if (dryRun) {
            throw new DirectoryException(ResultCode.NO_OPERATION, "nothing was changed, as asked; the change is a valid one");
        }
        if (witness != null) {
            witness.changing(state, before, after);
        }
    }

    /** When the change is written. */
    void written(WriteContext context, EntryView after) throws DirectoryException {
        if (witness != null && witness.wantsOutcome()) {
            context.show(after.id(), after.record(), (state, id, entry) -> witness.changed(state, new EntryView(id, entry, after.dn())));
        }
    }
}
