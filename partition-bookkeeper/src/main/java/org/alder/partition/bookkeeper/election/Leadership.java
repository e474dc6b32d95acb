package org.alder.partition.bookkeeper.election;

import org.alder.partition.bookkeeper.log.Lease;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.log.ReplicaLog;

/** What a store that shares a log asks about who leads. Any thread. */
@FunctionalInterface
public interface Leadership {
    /** Asked for when the log is taken over: what this member leads by. */
    Lease lease();

    /** What those are told who want to change anything here while another one leads. */
    default StoreException notLeader() {
        return ReplicaLog.notLeader();
    }

    /** The last transaction that the leader has told to have; -1 where that is not known. */
    default long leaderSequence() {
        return -1;
    }

    /** So long ago, at most, the leader had no more than up to a transaction, in milliseconds; -1 where that is not known. */
    default long behindMillis(long sequence) {
        return -1;
    }
}
