package org.alder.server.directory.local;

import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import org.alder.partition.Partition;
import org.alder.partition.error.Cause;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.error.StoreException;
import org.alder.partition.prepared.LockedException;
import org.alder.partition.prepared.TransactionId;
import org.alder.partition.update.UpdateBatch;
import org.alder.partition.update.Updates;
import org.alder.server.directory.UpdateTransaction;
import org.alder.server.directory.naming.NamingContexts;

/** A transaction of updates in one partition, or in several shards of one, whoever leads these. One thread until {@link #commit}. */
final class PartitionTransaction implements UpdateTransaction {
    /** What the entries that the updates return may take of the heap, as a part of it: they are kept until the end. */
    private static final int HELD_PART = 64;

    private NamingContexts.Context target;
    /** Added up by the writers of several shards. */
    private final AtomicLong heldBytes = new AtomicLong();
    private UpdateBatch batch;

    /** @throws DirectoryException affectsMultipleDSAs if there are updates of another partition in it */
    Updates of(NamingContexts.Context wanted) throws DirectoryException {
        if (target == null) {
            target = wanted;
            batch = new UpdateBatch();
        } else if (!goTogether(target.partition(), wanted.partition())) {
            throw apart(wanted.partition());
        }
        return wanted.updates().in(batch);
    }

    private DirectoryException apart(Partition other) {
        return new DirectoryException(ResultCode.AFFECTS_MULTIPLE_DSAS, "a transaction changes entries below \"" + target.partition().label() + "\" and below \""
                + other.label() + "\": " + (target.partition().shards() != null && target.partition().shards() == other.shards()
                        ? "in a cluster entries of other shards have to be named by their DNs" : "it has to stay in one partition"));
    }

    /** {@inheritDoc} @param part a {@link LedPart} */
    @Override
    public void add(Part part) throws DirectoryException {
        LedPart led = (LedPart) part;
        if (target == null || target.partition().shards() != led.partition().shards()) {
            throw target == null ? new DirectoryException(ResultCode.AFFECTS_MULTIPLE_DSAS, "a transaction of several shards begins with none") : apart(led.partition());
        }
        batch.add(led);
    }

    @Override
    public CompletableFuture<Void> prepare(String shard, UUID id, int coordinator) {
        if (target == null || !target.partition().label().equals(shard)) {
            return CompletableFuture.failedFuture(new StoreException(StoreException.Kind.NOT_LEADER, "the updates are not those of " + shard + "; nothing was done"));
        }
        return batch.prepare(target.partition(), new TransactionId(id, coordinator)).exceptionally(fault -> {
            Throwable cause = Cause.of(fault);
            throw new CompletionException(cause instanceof LockedException ? new DirectoryException(ResultCode.BUSY, cause.getMessage()) : cause);
        });
    }

    private static boolean goTogether(Partition one, Partition other) {
        return one == other || one.shards() != null && one.shards().isAlone() && one.shards() == other.shards();
    }

    /** Takes account of entries that are kept to be returned. On the store's writer thread. @param moreBytes below 0 for those of an attempt before */
    void hold(long moreBytes) throws DirectoryException {
        long held = heldBytes.addAndGet(moreBytes);
        if (held > Runtime.getRuntime().maxMemory() / HELD_PART) {
            throw new DirectoryException(ResultCode.ADMIN_LIMIT_EXCEEDED, "the entries that the updates of the transaction"
                    + " are to return have " + held + " bytes: read them by searches");
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
