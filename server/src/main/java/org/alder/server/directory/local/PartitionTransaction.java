package org.alder.server.directory.local;

import java.util.concurrent.CompletableFuture;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.tree.EntryView;
import org.alder.partition.update.UpdateBatch;
import org.alder.partition.update.Updates;
import org.alder.server.directory.UpdateTransaction;
import org.alder.server.directory.naming.NamingContexts;

/** A transaction of updates in one partition. One thread until {@link #commit}. */
final class PartitionTransaction implements UpdateTransaction {
    /** What the entries that the updates return may take of the heap, as a part of it: they are kept until the end. */
    private static final int HELD_PART = 64;

    private NamingContexts.Context target;
    private long heldBytes;
    private UpdateBatch batch;

    /** @throws DirectoryException affectsMultipleDSAs if there are updates of another partition in it */
    Updates of(NamingContexts.Context wanted) throws DirectoryException {
        if (target == null) {
            target = wanted;
            batch = new UpdateBatch(wanted.partition());
        } else if (target.partition() != wanted.partition()) {
            throw new DirectoryException(ResultCode.AFFECTS_MULTIPLE_DSAS, "a transaction changes entries below \""
                    + target.partition().label() + "\" and below \"" + wanted.partition().label()
                    + "\": it has to stay in one partition, and in one of its shards");
        }
        return wanted.updates().in(batch);
    }

    /** Takes account of an entry that is kept to be returned; null is none. On the store's writer thread. */
    void hold(EntryView entry) throws DirectoryException {
        heldBytes += entry == null ? 0 : entry.record().length();
        if (heldBytes > Runtime.getRuntime().maxMemory() / HELD_PART) {
            throw new DirectoryException(ResultCode.ADMIN_LIMIT_EXCEEDED, "the entries that the updates of the transaction"
                    + " are to return have " + heldBytes + " bytes: read them by searches");
        }
    }

    @Override
    public int size() {
        return batch == null ? 0 : batch.size();
    }

    @Override
    public CompletableFuture<Void> commit() {
        return batch == null ? CompletableFuture.completedFuture(null) : batch.commit();
    }

    @Override
    public int failed() {
        return batch == null ? -1 : batch.failed();
    }

    @Override
    public void giveUp(Throwable cause) {
        if (batch != null) {
            batch.giveUp(cause);
        }
    }
}
