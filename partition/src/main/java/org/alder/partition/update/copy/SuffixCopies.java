package org.alder.partition.update.copy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.alder.partition.DaemonThreads;
import org.alder.partition.Partition;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.Csn;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.StoreException;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.Replica;
import org.alder.partition.store.Snapshot;

/**
 * Makes what the shards of a naming context have of its suffix entry the same as what shard 0 has: what is below it needs an entry above
 * it, and rules that go by that. In a cluster whoever leads a shard writes its copy ({@link LedCopies}), and who has changed the suffix entry
 * waits for that. Thread safe.
 */
public final class SuffixCopies {
    private static final long MOST_MILLIS = 10_000;
    private static final long PAUSE_MILLIS = 10;

    private final Partition first;
    private final List<Partition> others;
    private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);

    /** @param shards all of them, in their order */
    public SuffixCopies(List<Partition> shards) {
        first = shards.get(0);
        others = List.copyOf(shards.subList(1, shards.size()));
    }

    /**
     * Writes what differs, each time from the newest state, one after the other, or waits until those who lead the others have.
     *
     * @return completes when it is durable; exceptionally with a {@link StoreException}, which is of kind OUTCOME_UNKNOWN where a shard has nobody who leads
     *     it, or a {@link org.alder.partition.error.DirectoryException}, and then some copies may be old until the next time
     */
    public synchronized CompletableFuture<Void> renew() {
        last = last.handle((none, fault) -> null).thenCompose(none -> copy());
        return last;
    }

    private CompletableFuture<Void> copy() {
        CopiedChange.Put put = newest();
        if (put == null) {
            return CompletableFuture.completedFuture(null);
        }
        List<CompletableFuture<?>> all = new ArrayList<>();
        for (Partition other : others) {
            all.add(isLedElsewhere(other) ? new Awaited(other).begin()
                    : write(other, put).exceptionallyCompose(fault -> isLost(fault) ? new Awaited(other).begin() : CompletableFuture.failedFuture(fault)));
        }
        return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
    }

    /** Writes the copies that are old in those shards that this member of a cluster leads. @return completes as {@link #renew} does, but waits for nobody */
    CompletableFuture<Void> renewLed() {
        List<CompletableFuture<?>> all = new ArrayList<>();
        for (Partition other : others) {
            if (!isLedElsewhere(other) && !isCurrent(other)) {
                all.add(write(other, newest()));
            }
        }
        return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
    }

    private static CompletableFuture<Void> write(Partition other, CopiedChange.Put put) {
        return new CopiedShard(other, FollowTurn.none()).make(List.of(put), null, 0, null).thenAccept(done -> { });
    }

    private static boolean isLedElsewhere(Partition shard) {
        Replica replica = shard.store().replica();
        return replica != null && replica.role() != Replica.Role.LEADER;
    }

    /** Whether somebody else may lead by now, and has the copy to write. */
    private static boolean isLost(Throwable fault) {
        Throwable cause = fault instanceof CompletionException ? fault.getCause() : fault;
        return cause instanceof StoreException store && (store.kind() == StoreException.Kind.NOT_LEADER || store.kind() == StoreException.Kind.FENCED
                || store.kind() == StoreException.Kind.OUTCOME_UNKNOWN);
    }

    /** Whether a shard has the newest that is known here. */
    private boolean isCurrent(Partition other) {
        byte[] newest = csn(first);
        return newest == null || Arrays.equals(newest, csn(other));
    }

    /** Of the last change of the suffix entry; null where there is none. */
    private static byte[] csn(Partition shard) {
        try (Snapshot now = shard.snapshot()) {
            long id = shard.resolve(now, shard.suffix());
            return id == HierarchyKeys.NO_PARENT ? null : Csn.in(now.entry(id));
        }
    }

    /** Null while there is none. */
    private CopiedChange.Put newest() {
        Dn suffix = first.suffix();
        try (Snapshot now = first.snapshot()) {
            long id = first.resolve(now, suffix);
            if (id == HierarchyKeys.NO_PARENT) {
                return null;
            }
            EntryRecord record = now.entry(id);
            byte[] uuid = record.operationalValue(CopiedEntries.ENTRY_UUID);
            if (uuid == null) {
                throw new StoreException(StoreException.Kind.REFUSED, "the entry \"" + suffix.text() + "\" has no entryUUID, by which shards know it");
            }
            // The values of large attributes stay where they are: nothing below the suffix depends on them. Each shard has its own notes of what it is a copy of.
            List<Attribute> operational = record.operationalAttributes().stream().filter(each -> !CopyNotes.has(each.description())).toList();
            return new CopiedChange.Put(suffix, uuid, EntryRecord.of(HierarchyKeys.NO_PARENT, record.rdnBytes(), record.userAttributes(), operational));
        }
    }

    /** Until this member shows what another one has written. */
    private final class Awaited implements Runnable {
        private final Partition other;
        private final long beganNanos = System.nanoTime();
        private final CompletableFuture<Void> result = new CompletableFuture<>();

        Awaited(Partition other) {
            this.other = other;
        }

        CompletableFuture<Void> begin() {
            run();
            return result;
        }

        @Override
        public void run() {
            try {
                if (isCurrent(other)) {
                    result.complete(null);
                } else if (System.nanoTime() - beganNanos > TimeUnit.MILLISECONDS.toNanos(MOST_MILLIS)) {
                    result.completeExceptionally(new StoreException(StoreException.Kind.OUTCOME_UNKNOWN, "\"" + first.suffix().text()
                            + "\" is changed, but " + other.shard().text() + " does not have that yet, as nobody leads it: it gets it from the next leader"));
                } else {
                    CompletableFuture.delayedExecutor(PAUSE_MILLIS, TimeUnit.MILLISECONDS, DaemonThreads.MOMENTS).execute(this);
                }
            } catch (RuntimeException e) {
                result.completeExceptionally(e);
            }
        }
    }
}
