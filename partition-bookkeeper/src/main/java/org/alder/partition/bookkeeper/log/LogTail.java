package org.alder.partition.bookkeeper.log;

import java.io.Closeable;
import java.io.IOException;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.alder.partition.bookkeeper.log.LedgerList.Ledger;
import org.alder.partition.bookkeeper.log.LedgerReader.Position;
import org.alder.partition.bookkeeper.zookeeper.Deadline;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.log.LogGroup;
import org.apache.bookkeeper.client.api.BKException;
import org.apache.bookkeeper.client.api.ReadHandle;

/**
 * A replica's view of a log that somebody else writes: each group once and in order, soon after it was acknowledged. It keeps the ledger open
 * that is being written. What a leader that failed left unconfirmed shows when the next one has taken over. After an exception it can be
 * asked again, from where it was. One thread.
 */
public final class LogTail implements Closeable {
    private static final long MOST_AWAIT_MILLIS = 1000;
    private static final long LEAST_PAUSE_MILLIS = 25;
    private static final long MOST_PAUSE_MILLIS = 500;

    private final LogCluster cluster;
    private final LedgerListNode node;
    private final UUID storeId;
    /** The ledger that is read; null where it has to be looked for. */
    private Ledger ledger;
    private ReadHandle handle;
    private Position at;
    /** What is waited for; null where nothing is. */
    private volatile CompletableFuture<Void> awaited;
    private volatile boolean isWoken;
    /** How often bookies knew nothing of the ledger, one time after the other. */
    private int unknown;
    /** The list by which there is none behind the ledger that is read, which has ended, and was opened since; null where that is not so. */
    private LedgerList endsIn;

    LogTail(LogCluster cluster, LedgerListNode node, UUID storeId, long after) {
        this.cluster = cluster;
        this.node = node;
        this.storeId = storeId;
        this.at = new Position(0, after + 1, 0);
    }

    /** The last transaction that was read. */
    public long lastSequence() {
        return at.sequence() - 1;
    }

    /**
     * Reads what has been confirmed since the last time.
     *
     * @param waitMillis how long to wait for something, where there is nothing, and nobody {@link #wake}s this; about
     * @return how many transactions were read; 0 where there was nothing
     * @throws StoreException of kind OUTDATED where the log begins later than behind the last one; CORRUPT where something is damaged
     */
    public long read(long waitMillis, Consumer<LogGroup> groups) throws IOException {
        long before = at.sequence();
        isWoken = false;
        try {
            Deadline deadline = Deadline.in(waitMillis);
            do {
                try {
                    advance(deadline, groups);
                } catch (BKException e) {
                    endOrAwait(e, deadline);
                }
            } while (at.sequence() == before && !isWoken && !deadline.isOver());
        } catch (BKException e) {
            shut();
            throw LogCluster.failed("cannot follow the log at znode " + node.path() + " behind transaction " + lastSequence(), e);
        } catch (IOException | RuntimeException e) {
            shut();
            throw e;
        }
        return at.sequence() - before;
    }

    /**
     * Bookies know nothing of a ledger before its first entry comes, and after it was given up, which may be before its end shows. While one of
     * them is away BookKeeper's client says instead that it is the entry that is not there.
     */
    private void endOrAwait(BKException e, Deadline deadline) throws IOException, BKException {
        boolean isUnknown = BookKeeperSource.isUnknown(e) || at.entry() == 0 && e.getCode() == BKException.Code.NoSuchEntryException;
        if (handle == null || !isUnknown) {
            throw e;
        }
        Ledger now = node.watched(limit()).ledgers().stream().filter(each -> each.id() == ledger.id()).findFirst().orElse(null);
        if (now == null || !now.isOpen()) {
            shut();
        } else if (at.entry() == 0) {
            // What nobody writes to for long, as at night, is asked about less.
            deadline.pause(Math.min(MOST_PAUSE_MILLIS, ++unknown * LEAST_PAUSE_MILLIS));
        } else {
            throw e;
        }
    }

    private Deadline limit() {
        return Deadline.in(cluster.settings().resolveMillis());
    }

    private void advance(Deadline deadline, Consumer<LogGroup> groups) throws IOException, BKException {
        if (handle == null && !find(node.read(limit()))) {
            deadline.pause();
            return;
        }
        long confirmed = BookKeeperSource.confirmed(handle, ledger, limit());
        if (at.entry() <= confirmed) {
            LedgerReader reader = new LedgerReader(handle, ledger, cluster.settings().resolveMillis(), cluster.schema());
            at = reader.read(at, confirmed, group -> {
                groups.accept(group);
                return true;
            });
        } else if (handle.isClosed()) {
            goOn(deadline);
        } else {
            await(deadline);
        }
    }

    /** Behind a ledger that was ended. Where somebody else did that, for copies, its leader does not know of it before it has something to write, perhaps for long. */
    private void goOn(Deadline deadline) throws IOException, BKException {
        LedgerList now = node.watched(limit());
        if (!now.equals(endsIn)) {
            long ended = ledger.id();
            shut();
            boolean isFound = find(now);
            endsIn = isFound && ledger.id() == ended ? now : null;
            if (isFound) {
                return;
            }
        }
        deadline.pause();
    }

    /** Waits until bookies have confirmed another entry, or the ledger was ended. */
    private void await(Deadline deadline) throws IOException, BKException {
        long millis = Math.min(deadline.leftMillis(), MOST_AWAIT_MILLIS);
        CompletableFuture<Void> shown = new CompletableFuture<>();
        awaited = shown;
        handle.readLastAddConfirmedAndEntryAsync(at.entry(), millis, false).whenComplete((entry, failure) -> {
            if (failure != null) {
                shown.completeExceptionally(failure);
                return;
            }
            // Whether anybody waits any more or not, it has memory of its own.
            entry.close();
            shown.complete(null);
        });
        try {
            LogCluster.await(shown, limit(), "waiting for ledger " + ledger.id());
            unknown = 0;
        } finally {
            awaited = null;
        }
    }

    /** Whoever waits in {@link #read} does so no longer. Any thread. */
    public void wake() {
        isWoken = true;
        CompletableFuture<Void> now = awaited;
        if (now != null) {
            now.complete(null);
        }
    }

    /** Opens the ledger that goes on with the next transaction; false where there is none yet. */
    private boolean find(LedgerList list) throws IOException, BKException {
        LedgerListNode.checkStore(list, storeId, node.path());
        node.checkReachesBack(list, at.sequence());
        for (Ledger next : list.ledgers()) {
            if (next.isOpen() ? next.firstSequence() <= at.sequence() : next.lastSequence() >= at.sequence()) {
                return open(next);
            }
        }
        return false;
    }

    /**
     * False where less of the ledger is confirmed now than what was read of it before, by somebody else who asked other bookies: which entry is next shows
     * when those are here too, or another one comes, or it is ended.
     */
    private boolean open(Ledger next) throws IOException, BKException {
        handle = cluster.open(next.id(), false, limit());
        ledger = next;
        long confirmed = BookKeeperSource.confirmed(handle, ledger, limit());
        LedgerReader reader = new LedgerReader(handle, ledger, cluster.settings().resolveMillis(), cluster.schema());
        long entry = next.firstSequence() == at.sequence() ? 0 : reader.find(at.sequence(), confirmed);
        if (entry > confirmed) {
            at = new Position(entry, at.sequence(), at.timeMillis());
            boolean isNext = reader.endsBefore(at);
            if (!isNext) {
                shut();
            }
            return isNext;
        }
        Position found = reader.at(entry);
        if (found.sequence() > at.sequence()) {
            throw EntryFormat.corrupt("ledger " + next.id() + ", entry " + entry, "a group that begins with transaction " + found.sequence()
                    + ", and none that holds " + at.sequence());
        }
        at = found;
        return true;
    }

    /** Has the next reading look for its ledger anew: what is known of the one that was read may be old. */
    public void shut() {
        if (handle != null) {
            handle.closeAsync();
            handle = null;
        }
    }

    @Override
    public void close() {
        shut();
    }
}
