package org.alder.server.directory;

import org.alder.partition.error.DirectoryException;
import org.alder.partition.filter.CandidateEntry;

/**
 * What has to hold of the entry that an update is about, in the very state that the update is applied to. Asked inside the
 * update's transaction, on the store's writer thread: it must be short and must not keep the entry.
 */
@FunctionalInterface
public interface EntryCheck {
    /**
     * @param entry as it is before the update, or is to be added
     * @throws DirectoryException the operation's result; nothing is changed then
     */
    void check(CandidateEntry entry) throws DirectoryException;
}
