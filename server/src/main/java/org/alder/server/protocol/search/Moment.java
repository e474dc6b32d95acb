package org.alder.server.protocol.search;

import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.request.Patience;

/**
 * As long as a search may keep an I/O thread with its planning. What its request does not show, such as many aliases in scope,
 * can make that longer than thought: then it is planned once more on a worker thread. Thread safe.
 */
final class Moment implements Patience {
    private static final long NANOS = 2_000_000;

    private final long started = System.nanoTime();
    private final Patience client;
    private volatile boolean planned;
    private volatile boolean over;

    /** @param client waits also when the planning is done */
    Moment(Patience client) {
        this.client = client;
    }

    @Override
    public void check() throws DirectoryException {
        client.check();
        if (!planned && System.nanoTime() - started > NANOS) {
            over = true;
            throw new DirectoryException(ResultCode.BUSY, "the search has to be planned on a worker thread");
        }
    }

    @Override
    public void hold(long bytes) throws DirectoryException {
        client.hold(bytes);
    }

    @Override
    public void giveBack(long bytes) {
        client.giveBack(bytes);
    }

    /** The search is planned: what is planned later, in its course, is not held to this. */
    void planned() {
        planned = true;
    }

    /** Whether the planning was ended by this. */
    boolean isOver() {
        return over;
    }
}
