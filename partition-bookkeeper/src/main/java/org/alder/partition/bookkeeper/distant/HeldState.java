package org.alder.partition.bookkeeper.distant;

import org.alder.partition.store.Snapshot;

/** A snapshot that somebody elsewhere reads: closed when it is dropped, and nobody is just reading it. Thread safe. */
final class HeldState {
    private final Snapshot snapshot;
    private int readers;
    private boolean isDropped;

    HeldState(Snapshot snapshot) {
        this.snapshot = snapshot;
    }

    /** To be {@link #release}d; null where it was dropped. */
    synchronized Snapshot acquire() {
        if (isDropped) {
            return null;
        }
        readers++;
        return snapshot;
    }

    synchronized void release() {
        readers--;
        closeIfLeft();
    }

    /** Once. */
    synchronized void drop() {
        isDropped = true;
        closeIfLeft();
    }

    private void closeIfLeft() {
        if (isDropped && readers == 0) {
            snapshot.close();
        }
    }
}
