package org.alder.server.protocol;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A transaction that takes updates. Guarded by the {@link Transactions} it is in. */
public final class OpenTransaction {
    private final String id;
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private final List<QueuedUpdate> updates = new ArrayList<>();
    private long bytes;
    private long heldBytes;

    OpenTransaction(String id) {
        this.id = id;
    }

    String id() {
        return id;
    }

    /** Completes when no more updates are taken. */
    CompletableFuture<Void> end() {
        return end;
    }

    /** Gives back the memory of its updates, once they are made or forgotten. */
    public void release() {
        updates.forEach(update -> update.memory().close());
    }

    void add(QueuedUpdate update) {
        updates.add(update);
        bytes += update.bytes();
        heldBytes += update.memory().bytes();
    }

    /** In the order of their requests. */
    public List<QueuedUpdate> updates() {
        return updates;
    }

    /** Of all requests, as they were sent. */
    long bytes() {
        return bytes;
    }

    /** What all have of the server's memory. */
    long heldBytes() {
        return heldBytes;
    }
}
