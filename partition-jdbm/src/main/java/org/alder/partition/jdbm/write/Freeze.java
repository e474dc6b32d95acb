package org.alder.partition.jdbm.write;

import java.util.concurrent.CompletableFuture;
import org.alder.partition.jdbm.segment.IndexTables;
import org.alder.partition.jdbm.state.StoreState;

/**
 * The layer that takes transactions is to be frozen.
 *
 * @param tables the indexes of the next layer; null for those there are
 * @param done   with the state there was then, whose layers are held for whoever asked, where the indexes are others
 */
record Freeze(IndexTables tables, CompletableFuture<StoreState> done) implements WriterQueue.Queued {
    @Override
    public void fail(Throwable cause) {
        done.completeExceptionally(cause);
    }
}
