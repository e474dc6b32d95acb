package org.alder.partition.store;

import java.util.List;

/**
 * One committed transaction, as a {@link CommitFollower} gets it: what it changed, and the states before and after it. It keeps
 * these states alive, with the memory and the files they take: close it soon. Thread safe.
 */
public interface Commit extends AutoCloseable {
    /** What became of an entry. */
    enum Kind { ADDED, MODIFIED, RENAMED, DELETED }

    /** One changed entry, which appears once. */
    record Change(long id, Kind kind) {
    }

    long sequence();

    /** In the order of the transaction's first change to each entry; one that was added and deleted again is left out. */
    List<Change> changes();

    /** What its changes take in memory until nobody has it open, about. */
    long heapBytes();

    /** The state before it. Of use until the commit is closed; needs no closing of its own. */
    Snapshot before();

    /** The state it made. Of use until the commit is closed; needs no closing of its own. */
    Snapshot after();

    @Override
    void close();
}
