package org.alder.partition.bookkeeper.log;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.alder.partition.bookkeeper.log.LedgerList.Ledger;
import org.alder.partition.bookkeeper.log.LedgerReader.Position;
import org.alder.partition.bookkeeper.zookeeper.Deadline;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.log.GroupLog;
import org.alder.partition.jdbm.log.LogGroup;
import org.alder.partition.jdbm.log.LogSource;
import org.apache.bookkeeper.client.api.BKException;
import org.apache.bookkeeper.client.api.ReadHandle;
import org.apache.bookkeeper.client.api.WriteHandle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A partition's log on three bookies, as its leader writes it. A group that has ended {@link GroupLog.Outcome#DONE} is synced on two of
 * them and is in every later leader's log. Where the outcome of an append is in doubt, the log fences its own ledger, as another leader
 * would, and finds out; it goes on in a new ledger. What cannot be found out in {@link ClusterSettings#resolveMillis}, as while two bookies
 * are away, ends {@link GroupLog.Outcome#UNKNOWN}, and the next leader finds out.
 *
 * <p>Whoever opens the log last writes it: another one's appends end {@link GroupLog.Outcome#FENCED} from then on, always, and so do those
 * of one whose lease is lost. Which of two that contend for it is last is decided by the epoch in the log's znode, never by a clock.
 *
 * <p>Used by the writer's thread alone, but for {@link #trim}, {@link #raise}, {@link #syncs} and {@link #source}.
 */
public final class BookKeeperLog implements GroupLog {
    private static final Logger LOG = LoggerFactory.getLogger(BookKeeperLog.class);
    /** Of a large group, so much is on its way at once. */
    private static final int MOST_PIECES_UNDER_WAY = 8;

    private final LogCluster cluster;
    private final LedgerListNode node;
    private final UUID storeId;
    private final UUID claim;
    private final Lease lease;
    private long epoch;
    /** Null where no ledger can be written to. */
    private volatile WriteHandle handle;
    private Ledger ledger;
    /** Whether that ledger may still be one that entries can be added to. */
    private boolean unended;
    /** Ledgers of this log that were made and perhaps not entered in the list; nothing is in them. */
    private final List<Long> unused = new ArrayList<>();
    /** The last transaction in the log, or in the data before it. */
    private long lastSequence;
    /** When that was committed. */
    private long lastMillis;
    private boolean open;
    private StoreException fenced;
    private volatile long syncs;

    private BookKeeperLog(LogCluster cluster, LedgerListNode node, UUID storeId, Lease lease) {
        this.cluster = cluster;
        this.node = node;
        this.storeId = storeId;
        this.lease = lease;
        this.claim = UUID.randomUUID();
    }

    /**
     * Takes the log over. From then on no other writer's group gets into it; what the one before acknowledged is in it. Its groups are to
     * be read from {@link #source} before the first part begins.
     *
     * @param leader the name of this machine, for people: printable ASCII without spaces
     * @throws IOException    where ZooKeeper or too many bookies do not answer in {@link ClusterSettings#openMillis}
     * @throws StoreException of kind REFUSED where it is another store's log, FENCED where somebody else takes it over meanwhile, or the lease
     *     is lost; CORRUPT where its end cannot be read
     */
    public static BookKeeperLog open(LogCluster cluster, String path, UUID storeId, String leader, Lease lease) throws IOException {
        BookKeeperLog log = new BookKeeperLog(cluster, cluster.node(path), storeId, lease);
        Deadline deadline = Deadline.in(cluster.settings().openMillis());
        LedgerList list = log.node.change(deadline, found -> log.claim(found, leader));
        log.epoch = list.epoch();
        log.endLast(list, deadline);
        return log;
    }

    private LedgerList claim(LedgerList found, String leader) {
        LedgerListNode.checkStore(found, storeId, node.path());
        if (lease.isLost()) {
            throw new StoreException(StoreException.Kind.FENCED, "the lease was lost before the log was taken over");
        }
        return found.claim().equals(claim) ? found : found.claimed(claim, leader);
    }

    /** Ends the ledger of the leader before. Bookies may still be starting, so this is tried again. */
    private void endLast(LedgerList list, Deadline deadline) throws IOException {
        Ledger last = list.last();
        if (last == null) {
            lastSequence = list.data().sequence();
            return;
        }
        lastSequence = last.isOpen() ? recover(last, deadline).sequence() - 1 : last.lastSequence();
        if (last.isOpen()) {
            node.change(deadline, found -> mine(found).closed(last.id(), lastSequence));
        }
    }

    /** Fences and ends a ledger, and says what is behind its last group. */
    private Position recover(Ledger ended, Deadline deadline) throws IOException {
        while (true) {
            try {
                ReadHandle recovered = cluster.open(ended.id(), true, deadline);
                try {
                    return new LedgerReader(recovered, ended, deadline.leftMillis(), null).end(recovered.getLastAddConfirmed());
                } finally {
                    recovered.closeAsync();
                }
            } catch (BKException | IOException e) {
                if (deadline.isOver() || Thread.currentThread().isInterrupted()) {
                    throw new IOException("cannot recover ledger " + ended.id() + " of the log at znode " + node.path() + ": " + e.getMessage(), e);
                }
                LOG.info("Cannot recover ledger {} of {} yet: {}", ended.id(), node.path(), e.getMessage());
            }
            deadline.pause();
        }
    }

    /** The list, where this is still the writer. */
    private LedgerList mine(LedgerList list) {
        if (!list.claim().equals(claim)) {
            throw fence(list.leader() + " has taken the log at znode " + node.path() + " over, under epoch " + list.epoch() + "; this was "
                    + epoch, null);
        }
        return list;
    }

    /** From here on nothing is appended any more. */
    private synchronized StoreException fence(String why, Throwable cause) {
        open = false;
        if (fenced == null) {
            fenced = new StoreException(StoreException.Kind.FENCED, why, cause);
            LOG.warn("No longer the writer: {}", why);
        }
        return fenced;
    }

    private synchronized StoreException fenced() {
        return fenced == null && lease.isLost() ? fence("the lease of epoch " + epoch + " of the log at znode " + node.path() + " is lost", null)
                : fenced;
    }

    /** The number of this leader in the log's history, from 1. */
    public long epoch() {
        return epoch;
    }

    /** The last transaction that the log held when it was opened, or has got since; of the data before it where it has none. */
    public long lastSequence() {
        return lastSequence;
    }

    /**
     * {@inheritDoc} It is written to the same ledger as the one before, where that is not full.
     *
     * @throws StoreException of kind FENCED where another writer has taken over, REFUSED where the sequence does not follow the log's end
     */
    @Override
    public StoreException begin(long firstSequence, long timeBefore) throws IOException {
        StoreException over = fenced();
        if (over != null) {
            throw over;
        }
        if (firstSequence != lastSequence + 1) {
            throw new StoreException(StoreException.Kind.REFUSED, "the log at znode " + node.path() + " ends with transaction " + lastSequence
                    + ", the store would go on with " + firstSequence);
        }
        try {
            if (handle == null || isFull()) {
                startLedger(firstSequence, timeBefore);
            }
            lastSequence = firstSequence - 1;
            lastMillis = timeBefore;
            open = true;
            return null;
        } catch (BKException | IOException e) {
            open = handle != null;
            return open ? null : LogCluster.notNow("no ledger can be made for the log at znode " + node.path() + ": " + e.getMessage(), e);
        }
    }

    private boolean isFull() {
        return handle.getLength() >= cluster.settings().rollBytes();
    }

    /** Puts a new ledger behind the last one. Where that fails before the last one was ended, that one goes on. */
    private void startLedger(long firstSequence, long timeBefore) throws IOException, BKException {
        Deadline deadline = Deadline.in(cluster.settings().resolveMillis());
        WriteHandle fresh = cluster.create(node.path(), epoch, deadline);
        Ledger next = new Ledger(fresh.getId(), epoch, firstSequence, timeBefore, Ledger.OPEN);
        unused.add(next.id());
        endLedger(deadline);
        LedgerList list = node.change(deadline, found -> listWith(mine(found), next));
        ledger = next;
        unended = true;
        handle = fresh;
        unused.remove(next.id());
        deleteUnused(list, deadline);
    }

    /** What is left over where that fails is an empty ledger. */
    private void deleteUnused(LedgerList list, Deadline deadline) {
        try {
            for (long id : unused) {
                cluster.delete(id, deadline);
            }
            deleteGivenUp(list, deadline);
        } catch (BKException | IOException e) {
            LOG.info("Cannot delete one of the empty ledgers {}: {}", unused, e.getMessage());
        }
        unused.clear();
    }

    private LedgerList listWith(LedgerList list, Ledger next) {
        if (list.last() != null && list.last().id() == next.id()) {
            return list;
        }
        LedgerList ended = list.last() != null && unused.contains(list.last().id()) ? list.without(list.last().id()) : list;
        return (ended.last() == null ? ended : ended.closed(ended.last().id(), next.firstSequence() - 1)).with(next);
    }

    /** Ends the ledger that was written; where that is in doubt as another leader would. */
    private void endLedger(Deadline deadline) throws IOException {
        WriteHandle ended = handle;
        handle = null;
        if (unended && !isClosed(ended, deadline)) {
            long last = recover(ledger, deadline).sequence() - 1;
            if (last != lastSequence) {
                throw new StoreException(StoreException.Kind.CORRUPT, "ledger " + ledger.id() + " ends with transaction " + last + ", expected "
                        + lastSequence);
            }
        }
        unended = false;
    }

    private boolean isClosed(WriteHandle ended, Deadline deadline) {
        if (ended == null) {
            return false;
        }
        try {
            LogCluster.await(ended.closeAsync(), deadline, "ending ledger " + ended.getId());
            return true;
        } catch (BKException | IOException e) {
            LOG.info("Cannot end ledger {} of {}, so it is recovered: {}", ended.getId(), node.path(), e.getMessage());
            return false;
        }
    }

    @Override
    public StoreException lost() {
        return fenced();
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    /** @param durable all groups are, before this returns */
    @Override
    public Ending append(LogGroup group, boolean durable) {
        StoreException over = fenced();
        if (over != null) {
            return Ending.fenced(over.getMessage(), over);
        }
        if (!open || group.firstSequence() != lastSequence + 1 || group.firstSequence() < ledger.firstSequence()) {
            throw new IllegalStateException("transaction " + group.firstSequence() + " behind " + lastSequence
                    + (open ? "" : " in a log that is not open"));
        }
        List<byte[]> entries = EntryFormat.encode(epoch, cluster.schema().adopted(), group);
        try {
            write(entries);
            lastSequence = group.lastSequence();
            lastMillis = group.timeMillis();
            syncs++;
            return Ending.DONE;
        } catch (BKException e) {
            StoreException other = e.getCode() == BKException.Code.LedgerFencedException ? fencedBy(e) : null;
            return other == null ? resolveFenced(group, e) : Ending.fenced(other.getMessage(), other);
        } catch (IOException e) {
            return resolve(group, e);
        }
    }

    /** Where it was fenced for copies and the group is not in it, the group goes to the next one. */
    private Ending resolveFenced(LogGroup group, BKException e) {
        Ending ending = resolve(group, e);
        if (e.getCode() != BKException.Code.LedgerFencedException || ending.outcome() != Outcome.REFUSED) {
            return ending;
        }
        try {
            return begin(group.firstSequence(), lastMillis) == null ? append(group, true) : ending;
        } catch (StoreException lost) {
            return Ending.fenced(lost.getMessage(), lost);
        } catch (IOException later) {
            return ending;
        }
    }

    /** Who has fenced the ledger; null where it was no writer, but a bookie that makes copies for one that is gone. */
    private StoreException fencedBy(BKException cause) {
        try {
            mine(node.readNewest(Deadline.in(cluster.settings().appendMillis())));
            return null;
        } catch (StoreException e) {
            return fence(e.getMessage(), e);
        } catch (IOException e) {
            cause.addSuppressed(e);
            return fence("ledger " + ledger.id() + " of the log at znode " + node.path() + " was fenced, and ZooKeeper does not say by whom",
                    cause);
        }
    }

    private void write(List<byte[]> entries) throws IOException, BKException {
        Deadline deadline = Deadline.in(2L * cluster.settings().appendMillis());
        String what = "appending to ledger " + ledger.id();
        CompletableFuture<Long> written = null;
        for (int i = 0; i < entries.size(); i++) {
            written = handle.appendAsync(entries.get(i));
            if (i % MOST_PIECES_UNDER_WAY == MOST_PIECES_UNDER_WAY - 1) {
                LogCluster.await(written, deadline, what);
            }
        }
        LogCluster.await(written, deadline, what);
    }

    /** Finds out whether a group is in the log, by ending its ledger. */
    private Ending resolve(LogGroup group, Exception doubt) {
        open = false;
        handle = null;
        String what = "an append to ledger " + ledger.id() + " of the log at znode " + node.path() + " was in doubt: " + doubt.getMessage();
        LOG.warn("{}; the ledger is recovered", what);
        try {
            long last = recover(ledger, Deadline.in(cluster.settings().resolveMillis())).sequence() - 1;
            boolean done = last == group.lastSequence();
            if (!done && last != group.firstSequence() - 1) {
                throw new StoreException(StoreException.Kind.CORRUPT, "ledger " + ledger.id() + " ends with transaction " + last + ", appended was "
                        + group.firstSequence() + " to " + group.lastSequence());
            }
            unended = false;
            lastSequence = last;
            syncs += done ? 1 : 0;
            if (last < ledger.firstSequence()) {
                // While bookies are away each try makes one: they would soon be as many as a log may have.
                unused.add(ledger.id());
            }
            LOG.info("Ledger {} of {} ends with transaction {}: the append was {}", ledger.id(), node.path(), last, done ? "made" : "not made");
            return done ? Ending.DONE : Ending.refusedForNow(LogCluster.notNow(what, doubt));
        } catch (IOException | StoreException e) {
            e.addSuppressed(doubt);
            return Ending.unknown(what + "; and " + e.getMessage(), e);
        }
    }

    /** What is in the ledger that is being written; 0 where none is. Any thread. */
    public long writtenBytes() {
        WriteHandle now = handle;
        return now == null ? 0 : now.getLength();
    }

    @Override
    public LogSource source() {
        return new BookKeeperSource(cluster, node, storeId, id -> {
            WriteHandle mine = handle;
            return mine != null && mine.getId() == id ? mine : null;
        }, cluster.schema());
    }

    @Override
    public boolean isSynced() {
        return true;
    }

    @Override
    public void sync() {
        // What was appended is.
    }

    @Override
    public long syncs() {
        return syncs;
    }

    /** The ledger goes on with the next part, where it is not full. */
    @Override
    public void end() {
        open = false;
    }

    /**
     * Gives up the ledgers all of whose transactions are below a sequence number: no machine needs them any more. Any thread.
     *
     * @throws StoreException of kind FENCED where another writer has taken over
     */
    public void trim(long below) throws IOException {
        Deadline deadline = Deadline.in(cluster.settings().resolveMillis());
        deleteGivenUp(node.change(deadline, found -> mine(found).trimmed(below)), deadline);
    }

    /**
     * What is written from now on may be of a later level. Any thread.
     *
     * @param level see {@link LedgerList#level}
     * @throws StoreException of kind FENCED where another writer has taken over
     */
    public void raise(int level) throws IOException {
        node.change(Deadline.in(cluster.settings().resolveMillis()), found -> mine(found).raised(level));
    }

    /**
     * Puts other data in the place of all there were: the log begins anew behind them. Not while a part is open.
     *
     * @throws StoreException of kind FENCED where another writer has taken over
     */
    public void replace(LedgerList.Data data) throws IOException {
        Deadline deadline = Deadline.in(cluster.settings().resolveMillis());
        LedgerList list = node.change(deadline, found -> mine(found).replaced(data));
        lastSequence = data.sequence();
        try {
            deleteGivenUp(list, deadline);
        } catch (IOException e) {
            LOG.info("Ledgers that were given up are deleted later: {}", e.getMessage());
        }
    }

    private void deleteGivenUp(LedgerList list, Deadline deadline) throws IOException {
        List<Long> gone = list.deleting();
        for (long id : gone) {
            try {
                cluster.delete(id, deadline);
            } catch (BKException e) {
                throw LogCluster.failed("cannot delete ledger " + id + ", which the log at znode " + node.path() + " has given up", e);
            }
        }
        if (!gone.isEmpty()) {
            node.change(deadline, found -> mine(found).deleted(gone));
        }
    }

    /** Ends the ledger, so that the next leader need not recover it. Where that fails it does. */
    @Override
    public void close() {
        open = false;
        WriteHandle ended = handle;
        handle = null;
        Deadline deadline = Deadline.in(cluster.settings().appendMillis());
        if (ended == null || !isClosed(ended, deadline) || fenced() != null) {
            return;
        }
        try {
            node.change(deadline, list -> mine(list).closed(ended.getId(), lastSequence));
        } catch (IOException | StoreException e) {
            LOG.info("Cannot enter the end of ledger {} of {}, the next leader will: {}", ended.getId(), node.path(), e.getMessage());
        }
    }
}
