package org.alder.server.directory;

import java.util.concurrent.CompletableFuture;

/**
 * The updates of one transaction (RFC 5805) on their way through the directory that began it: operations whose context has it are
 * checked as always, and made when it is committed, all or none. One thread until {@link #commit}.
 */
public interface UpdateTransaction {
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
