package org.alder.server.protocol.encode;

import org.alder.partition.ber.BerWriter;
import org.alder.partition.error.StoreException;
import org.alder.server.wire.Connection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The long entry that a search is sending, or none. Once a client has a part of one it has to get all of it, whatever becomes of
 * the search. One thread at a time.
 */
public final class LongEntrySending {
    private static final Logger LOG = LoggerFactory.getLogger(LongEntrySending.class);

    private final Connection connection;
    /** Null if there is none. */
    private LongEntry entry;

    public LongEntrySending(Connection connection) {
        this.connection = connection;
    }

    /** Takes the next one; null is none. */
    public void set(LongEntry next) {
        entry = next;
    }

    public boolean isEmpty() {
        return entry == null;
    }

    /**
     * Goes on with it.
     *
     * @param out empty before and after
     * @param stopped whether one that is not begun is left alone
     * @return whether there is none any more
     */
    public boolean send(BerWriter out, boolean stopped) {
        if (entry != null && !(stopped && !isInside()) && entry.send(connection, out, connection.chunkBytes())) {
            entry = null;
        }
        return entry == null;
    }

    /** Whether the client has a part of it: an abandoned search stops only behind it. */
    public boolean isInside() {
        return entry != null && entry.isBegun() && !connection.isClosed();
    }

    /** Runs the continuation once, when it is worth another try. There is one. */
    public void whenReady(Runnable continuation) {
        entry.whenReady(connection, continuation);
    }

    /** Gives it up, and the connection too if the client has a part of it. Returns whether that is so. */
    public boolean giveUp(Throwable cause) {
        boolean inside = isInside();
        if (inside && cause instanceof StoreException store && store.kind() == StoreException.Kind.SNAPSHOT_EXPIRED) {
            LOG.warn("{} is closed: an entry cannot be sent to its end: {}", connection, store.getMessage());
        } else if (inside) {
            LOG.error("{} is closed: an entry cannot be sent to its end", connection, cause);
        }
        if (entry != null) {
            entry.giveUp();
            entry = null;
        }
        return inside;
    }
}
