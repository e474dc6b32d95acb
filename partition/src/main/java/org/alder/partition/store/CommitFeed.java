package org.alder.partition.store;

import org.alder.partition.entry.Csn;

/** Tells what is committed to a store as it happens, and what was committed before. Thread safe. */
public interface CommitFeed {
    /**
     * Tells a follower all commits that no snapshot opened before this call shows; it may be told a few that one shows, too.
     *
     * @return ends it; the follower may be told one more commit meanwhile
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
     * @throws org.alder.partition.error.StoreException on an I/O error
     */
    ChangeHistory changes(Csn since, Snapshot upTo);
}
