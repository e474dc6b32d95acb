package org.alder.server.directory;

import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.alder.partition.error.DirectoryException;

/**
 * The updates of one transaction (RFC 5805) on their way through the directory that began it: operations whose context has it are
 * checked as always, and made when it is committed, all or none. One thread until {@link #commit}.
 */
public interface UpdateTransaction {
    /** What another shard does of it, whoever in a cluster leads that, of updates that do not pass through this directory. Thread safe. */
    interface Part {
        /** The value of the response to the end of a transaction with these updates alone (RFC 5805 2.5), when all is over; null for none. */
        byte[] value();

        /** Whether the transaction was not made because of these updates. */
        boolean isBlamed();
    }

    /**
     * Adds a part. Some update of another shard is in it already.
     *
     * @throws DirectoryException affectsMultipleDSAs where these are not shards of one naming context
     */
    void add(Part part) throws DirectoryException;

    /**
     * Has the shard that all updates are in check them, and keep what they are to do, for another shard to decide: see docs/replication-design.md, "Transactions of
     * several shards".
     *
     * @param shard       its label
     * @param id          of the whole transaction
     * @param coordinator the number of the shard that decides
     * @return completes as {@link #commit}, but nothing is made yet
     */
    CompletableFuture<Void> prepare(String shard, UUID id, int coordinator);

    /** How many updates are in it. */
    int size();

    /**
     * Makes the updates, in their order.
     *
     * @return completes after the futures of all updates; exceptionally if one cannot be made, and then none is
     */
    CompletableFuture<Void> commit();

    /** The position, from 0, of the update that cannot be made, after {@link #commit}; below 0 if none is to blame. */
    int failed();

    /** Ends all updates with a failure instead of making them. */
    void giveUp(Throwable cause);
}
