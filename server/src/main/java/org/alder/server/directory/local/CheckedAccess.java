package org.alder.server.directory.local;

import org.alder.partition.error.DirectoryException;
import org.alder.partition.filter.AttributeAccess;
import org.alder.partition.filter.CandidateEntry;
import org.alder.partition.filter.EntryAccess;
import org.alder.server.directory.EntryCheck;

/** Everything of an entry that passes a check, and nothing of one that does not. For one operation on one entry, one thread. */
final class CheckedAccess implements EntryAccess {
    private final EntryCheck check;
    private DirectoryException failure;

    CheckedAccess(EntryCheck check) {
        this.check = check;
    }

    @Override
    public AttributeAccess everywhere() {
        return null;
    }

    @Override
    public AttributeAccess of(CandidateEntry entry) {
        try {
            check.check(entry);
            return AttributeAccess.ALL;
        } catch (DirectoryException e) {
            failure = e;
            return AttributeAccess.NONE;
        }
    }

    /** @throws DirectoryException what the check said of the entry, if it did not pass */
    void requirePassed() throws DirectoryException {
        if (failure != null) {
            throw failure;
        }
    }
}
