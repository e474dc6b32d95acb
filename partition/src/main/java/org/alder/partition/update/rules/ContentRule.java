package org.alder.partition.update.rules;

import java.util.List;
import org.alder.partition.dn.Dn;
import org.alder.partition.dn.Rdn;
import org.alder.partition.entry.AttributeDelta;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.store.Snapshot;
import org.alder.partition.tree.EntryView;
import org.alder.partition.update.edit.ModificationStep;

/**
 * What the configuration wants of the content of entries, beyond what the schema says. A partition asks only those that are
 * configured. What needs no state is asked on the client's thread, because it may take long; the rest inside the transaction. All
 * methods throw constraintViolation with a message that names attribute, value and what was expected. Thread safe.
 */
public interface ContentRule {
    /** What a change makes of an entry. @param dn before it  @param newDn after it  @param steps none for a rename */
    record Changed(Dn dn, Dn newDn, EntryView before, EntryView after, List<ModificationStep> steps,
            List<AttributeDelta> deltas) {
    }

    /** Whether a new entry may be, wherever it is put. */
    default void check(EntryRecord added) throws DirectoryException {
    }

    /** Whether what a modify brings in may be in an entry. */
    default void check(List<ModificationStep> steps) throws DirectoryException {
    }

    /** Whether what a rename brings in may be in an entry. */
    default void check(Rdn newRdn) throws DirectoryException {
    }

    void added(Snapshot state, Dn dn, EntryView entry) throws DirectoryException;

    void modified(Snapshot state, Changed change) throws DirectoryException;

    void renamed(Snapshot state, Changed change) throws DirectoryException;

    /**
     * An entry comes from another shard, where it is until the transaction of both is made.
     *
     * @param change what it was there and is to be here, under the ID that it gets here
     */
    default void arrived(Snapshot state, Changed change) throws DirectoryException {
        renamed(state, change);
    }
}
