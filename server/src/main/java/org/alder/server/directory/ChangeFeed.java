package org.alder.server.directory;

import org.alder.partition.error.DirectoryException;
import org.alder.server.resource.Lag;

/**
 * The changes of a search's content, in the order of their commits, those of each shard in its own, as a client takes them. Holds no
 * thread; any thread may take the next change, one at a time. What waits is bounded. Close it.
 *
 * <p>Methods may throw {@link org.alder.partition.error.StoreException}.
 */
public interface ChangeFeed extends AutoCloseable {
    /** Leaves out all changes up to this state, which the client knows already. Before the first is taken. */
    void skipTo(ContentState state);

    /**
     * Goes on to the next change, of which the one before is no longer of use.
     *
     * @return null if there is none now
     * @throws DirectoryException adminLimitExceeded if too many changes waited to be taken, which were then dropped; noSuchObject
     *     if the search's base is gone
     */
    ContentChange next() throws DirectoryException;

    /** Up to where all changes were taken, when the last one of a commit was. */
    ContentState position();

    /** What waits to be taken. Any thread may ask at any time. */
    Lag lag();

    /** Runs the continuation once, at once if there may be a change now. It must not block. */
    void whenReady(Runnable continuation);

    @Override
    void close();
}
