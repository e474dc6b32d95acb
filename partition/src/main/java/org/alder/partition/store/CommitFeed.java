package org.alder.partition.store;

import org.alder.partition.entry.Csn;

/** Tells what is committed to a store as it happens, and what was committed before. Thread safe. */
public interface CommitFeed {
    /**
     * Tells a follower all commits that a snapshot opened after this call does not show; it may be told a few that one shows, too. A commit may stand for
     * several that followed each other, where another member of a cluster tells them.
     *
     * @return ends it; the follower may be told one more commit meanwhile
     * @throws org.alder.partition.error.StoreException where nobody can tell now
     * @throws org.alder.partition.error.MustWaitException where another member would have to be waited for ({@link NeverWaits})
     */
    Following follow(CommitFollower follower);

    /** See {@link #follow}. Idempotent, thread safe. */
    @FunctionalInterface
    interface Following extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * What was changed after a state up to a snapshot. May read as much as the store keeps of its changes.
     *
     * @param since names the state
     * @throws org.alder.partition.error.StoreException on an I/O error, or where nobody can tell now
     * @throws org.alder.partition.error.MustWaitException as {@link #follow}
     */
    ChangeHistory changes(Csn since, Snapshot upTo);
}
