package org.alder.partition.update;

import java.util.List;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.request.Modification;
import org.alder.partition.store.Snapshot;
import org.alder.partition.tree.EntryView;

/**
 * What the server itself notes in an entry, such as when its password was changed: worked out inside the transaction from the entry
 * as it is there, so that nothing can come between. Called on the store's writer thread, perhaps more than once: it must be short
 * and must not keep the snapshot.
 */
@FunctionalInterface
public interface EntryNotes {
    /**
     * @param state before the change
     * @param before the entry before the change; for an add, as it is to be added
     * @return changes of any attributes that are stored, also of those that no client may change; what is to be added may be there,
     *     and what is to be deleted may be missing
     * @throws DirectoryException the operation's result; nothing is changed then
     */
    List<Modification> of(Snapshot state, EntryView before) throws DirectoryException;
}
