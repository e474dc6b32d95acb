package org.alder.partition.update;

import java.util.List;
import org.alder.partition.entry.LargeAttribute;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.store.Snapshot;
import org.alder.partition.tree.EntryView;

/**
 * Sees the entry that is changed from inside the change's transaction, so that nothing can come between. Called on the store's
 * writer thread: it must be short and must not keep the snapshot. It may be called for a transaction that fails later.
 */
public interface UpdateWitness {
    /**
     * @param target the entry as it is before the change, or is to be added
     * @throws DirectoryException the operation's result; nothing is changed then
     */
    void check(Snapshot state, EntryView target) throws DirectoryException;

    /**
     * Before anything is said of the superior or of an entry that may have the name already.
     *
     * @param superior under which an add or a rename puts an entry; null for a suffix
     * @param placed the entry with its new name; an add's without the numbers that it is given, a rename's without what the new
     *     name changes of its attributes
     * @throws DirectoryException the operation's result; nothing is changed then
     */
    default void placing(Snapshot state, EntryView superior, EntryView placed) throws DirectoryException {
        // Most updates may put entries anywhere.
    }

    /**
     * @param ids of all entries that a delete takes out, that of the top among them
     * @throws DirectoryException the operation's result; nothing is changed then
     */
    default void removing(Snapshot state, EntryView top, List<Long> ids) throws DirectoryException {
        // Who may delete the target may mostly delete what is below it.
    }

    /**
     * Whether {@link #changing} is to be given the values of this large attribute in the entries' records, which costs as much as
     * there are. Otherwise the records only count them.
     */
    default boolean wantsValues(LargeAttribute attribute) {
        return false;
    }

    /**
     * When nothing speaks against the change any more and nothing is written yet.
     *
     * @param state before the change
     * @param before null for an add  @param after null for a delete
     */
    void changing(Snapshot state, EntryView before, EntryView after) throws DirectoryException;

    /** Whether {@link #changed} is to be called: the state that it is given costs about as much as a transaction of its own. */
    default boolean wantsOutcome() {
        return false;
    }

    /**
     * Not after a delete.
     *
     * @param state after the change: what is worked out of other entries is so by what became of all of them
     */
    default void changed(Snapshot state, EntryView after) throws DirectoryException {
        // Few updates return what they made.
    }
}
