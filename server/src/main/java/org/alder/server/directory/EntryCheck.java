package org.alder.server.directory;

import org.alder.partition.error.DirectoryException;
import org.alder.partition.filter.CandidateEntry;

/**
 * What has to hold of the entries that an update is about, in the very state that the update is applied to. Asked inside the
 * update's transaction, on the store's writer thread: it must be short and must not keep the entries.
 */
@FunctionalInterface
public interface EntryCheck {
    /**
     * @param entry as it is before the update, or is to be added
     * @throws DirectoryException the operation's result; nothing is changed then
     */
    void check(CandidateEntry entry) throws DirectoryException;

    /**
     * Of an add or a rename, before anything is said of what may have the name already.
     *
     * @param superior the entry that another is put under; null for a suffix
     * @param placed the one that is put there, with its new name
     * @throws DirectoryException the operation's result; nothing is changed then
     */
    default void checkPlace(CandidateEntry superior, CandidateEntry placed) throws DirectoryException {
        // Who may change the entry may mostly put it anywhere.
    }

    /**
     * Of a delete that takes more than one entry.
     *
     * @param entry one of those below the entry that is deleted
     * @throws DirectoryException the operation's result; nothing is changed then
     */
    default void checkBelow(CandidateEntry entry) throws DirectoryException {
        check(entry);
    }
}
