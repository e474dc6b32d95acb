package org.alder.partition.jdbm.log;

import java.io.IOException;
import org.alder.partition.error.StoreException;

/** The log of a store that reads it and does not write it: takes no groups. Immutable. */
public final class ReplicaLog implements GroupLog {
    private final LogSource source;

    public ReplicaLog(LogSource source) {
        this.source = source;
    }

    @Override
    public StoreException begin(long firstSequence, long timeBefore) {
        return notLeader();
    }

    /** What is told to those who want to change anything. */
    public static StoreException notLeader() {
        return new StoreException(StoreException.Kind.NOT_LEADER, "this replica takes no updates now, only the leader does; nothing was done");
    }

    @Override
    public boolean isOpen() {
        return false;
    }

    @Override
    public Ending append(LogGroup group, boolean durable) {
        throw new IllegalStateException("a group for a log that is not written here");
    }

    @Override
    public LogSource source() {
        return source;
    }

    @Override
    public boolean isSynced() {
        return true;
    }

    @Override
    public void sync() {
        // Nothing was appended.
    }

    @Override
    public long syncs() {
        return 0;
    }

    @Override
    public void end() {
        // Nothing was begun.
    }

    @Override
    public void close() throws IOException {
        // What it reads belongs to whoever opened the store.
    }
}
