package org.alder.partition.bookkeeper;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.alder.partition.bookkeeper.election.Leadership;
import org.alder.partition.bookkeeper.log.BookKeeperLog;
import org.alder.partition.bookkeeper.log.ClusterSettings;
import org.alder.partition.bookkeeper.log.FlushedNodes.Flushed;
import org.alder.partition.bookkeeper.log.FlushedNodes;
import org.alder.partition.bookkeeper.log.LedgerList;
import org.alder.partition.bookkeeper.log.LedgerListNode;
import org.alder.partition.bookkeeper.log.LogCluster;
import org.alder.partition.bookkeeper.log.LogTail;
import org.alder.partition.bookkeeper.zookeeper.Deadline;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.log.GroupLog;
import org.alder.partition.jdbm.log.LogGroup;
import org.alder.partition.jdbm.log.LogSource;
import org.alder.partition.jdbm.log.SharedLog;
import org.alder.partition.store.ClusterService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log of a partition on bookies, as one of the stores has it that share it. A thread looks twice a second whether another one leads,
 * tells the others what this one has in its segments, and gives up, where this one leads, what all have. One that is so far behind that
 * the log would get more than {@link ClusterSettings#mostLedgers} is not waited for: it is marked in ZooKeeper as dropped, and finds
 * itself OUTDATED. Thread safe; whoever opens it closes it, after the store and before the cluster.
 */
public final class BookKeeperSharedLog implements SharedLog {
    private static final Logger LOG = LoggerFactory.getLogger(BookKeeperSharedLog.class);
    private static final long LOOK_MILLIS = 500;
    /** For what the log is known to have. */
    private static final long SETTLED_MILLIS = 1000;

    private final LogCluster cluster;
    private final LedgerListNode node;
    private final FlushedNodes flushedNodes;
    private final String name;
    private final Leadership leadership;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread looking;
    /** One that nobody reads with, to go on from where it is. */
    private final AtomicReference<LogTail> idleTail = new AtomicReference<>();
    /** Of whoever reads and may wait now; null where nobody does. */
    private volatile LogTail readTail;
    private volatile LedgerList known;
    /** Up to there a reader waits for what bookies do not show yet. */
    private volatile long settledSequence;
    private volatile long flushedSequence = -1;
    /** What the store has flushed does not count while a copy comes that takes its place. */
    private volatile boolean isCopying;
    /** Held by who tells what this store has flushed. */
    private final Object telling = new Object();
    /** Null where this store is not the one that writes. */
    private volatile BookKeeperLog writer;
    private final LogSight sight;
    private volatile Flushed told;

    private BookKeeperSharedLog(LogCluster cluster, String path, String name, Leadership leadership) throws IOException {
        this.cluster = cluster;
        this.node = cluster.node(path);
        this.flushedNodes = cluster.flushedNodes(path);
        this.name = name;
        this.leadership = leadership;
        this.sight = new LogSight(cluster, path);
        this.known = node.readNewest(limit());
        register();
        this.looking = new Thread(this::look, "log-" + name);
        looking.setDaemon(true);
        looking.start();
    }

    /**
     * Opens the log at a znode, which is made with an empty log of a new store where it is not there.
     *
     * @param name       of this store among those that share the log: letters, digits, dots and hyphens
     * @param leadership who leads
     * @throws IOException where ZooKeeper does not answer
     */
    public static BookKeeperSharedLog open(LogCluster cluster, String path, String name, Leadership leadership) throws IOException {
        if (!name.matches("[A-Za-z0-9.-]{1,64}")) {
            throw new IllegalArgumentException("a name of other than 1 to 64 letters, digits, dots and hyphens: " + name);
        }
        cluster.createLog(path, UUID.randomUUID());
        return new BookKeeperSharedLog(cluster, path, name, leadership);
    }

    /** What the store needs it tells later; until then that is all there is. */
    private void register() throws IOException {
        told = flushedNodes.of(name, limit());
        if (told == null || told.isDropped() || told.generation() != known.data().generation()) {
            tell(new Flushed(known.data().generation(), known.firstSequence() - 1, false));
        }
    }

    private Deadline limit() {
        return Deadline.in(cluster.settings().resolveMillis());
    }

    @Override
    public UUID storeId() {
        return known.storeId();
    }

    @Override
    public long generation() {
        return known.data().generation();
    }

    @Override
    public long epoch() {
        return known.epoch();
    }

    @Override
    public int level() {
        return known.level();
    }

    @Override
    public long endOf(long writerEpoch) {
        return known.endOf(writerEpoch);
    }

    @Override
    public StoreException notLeader() {
        return leadership.notLeader();
    }

    @Override
    public long leaderSequence() {
        return leadership.leaderSequence();
    }

    @Override
    public long behindMillis(long sequence) {
        return leadership.behindMillis(sequence);
    }

    @Override
    public ClusterService.Status cluster() {
        return sight.status();
    }

    /**
     * Whether nobody may ever have written to it, and no data were taken into it, as ZooKeeper says now. What whoever was elected first has
     * written, the bookies alone know.
     */
    boolean mayBeEmpty() throws IOException {
        learn(node.readNewest(limit()));
        return known.data().generation() == 1 && known.data().sequence() == 0 && (known.last() == null || known.last().firstSequence() == 1);
    }

    /** The name of whoever took the log over last, as far as is known here; "-" where nobody ever did. */
    public String leader() {
        return known.leader();
    }

    @Override
    public long firstSequence() throws IOException {
        learn(node.read(limit()));
        return known.firstSequence();
    }

    /** A server of ZooKeeper may answer with what was before. */
    private synchronized void learn(LedgerList list) {
        LedgerListNode.checkStore(list, known.storeId(), node.path());
        if (list.epoch() >= known.epoch() && list.data().generation() >= known.data().generation()) {
            known = list;
        }
    }

    @Override
    public LogSource source() {
        return cluster.source(node.path(), known.storeId());
    }

    @Override
    public long readBehind(long sequence, long waitMillis, Consumer<LogGroup> groups) throws IOException, InterruptedException {
        cluster.schema().requireUnhindered();
        LogTail tail = tailAt(sequence);
        boolean done = false;
        try {
            readTail = tail;
            tail.read(waitMillis, groups);
            readSettled(tail, groups);
            done = true;
            return Math.max(sequence, tail.lastSequence());
        } catch (InterruptedIOException e) {
            Thread.interrupted();
            throw (InterruptedException) new InterruptedException(e.getMessage()).initCause(e);
        } finally {
            readTail = null;
            LogTail other = done ? idleTail.getAndSet(tail) : tail;
            if (other != null) {
                other.close();
            }
        }
    }

    @Override
    public void wake() {
        LogTail tail = readTail;
        if (tail != null) {
            tail.wake();
        }
    }

    /** What the writer before was found to have written is there, whatever a bookie or a server of ZooKeeper tells for a moment. */
    private void readSettled(LogTail tail, Consumer<LogGroup> groups) throws IOException {
        Deadline deadline = limit();
        while (tail.lastSequence() < settledSequence) {
            if (deadline.isOver()) {
                throw new IOException("the log at znode " + node.path() + " ends with transaction " + settledSequence + ", but shows no more than "
                        + tail.lastSequence());
            }
            tail.shut();
            deadline = tail.read(SETTLED_MILLIS, groups) > 0 ? limit() : deadline;
        }
    }

    private LogTail tailAt(long sequence) {
        LogTail idle = idleTail.getAndSet(null);
        if (idle != null && idle.lastSequence() == sequence) {
            return idle;
        }
        if (idle != null) {
            idle.close();
        }
        return cluster.tail(node.path(), known.storeId(), sequence);
    }

    @Override
    public GroupLog takeOver() throws IOException {
        BookKeeperLog log = BookKeeperLog.open(cluster, node.path(), known.storeId(), name, leadership.lease());
        learn(node.readNewest(limit()));
        settledSequence = log.lastSequence();
        LogTail idle = idleTail.getAndSet(null);
        if (idle != null) {
            idle.close();
        }
        writer = log;
        return log;
    }

    @Override
    public void requireReady() throws IOException {
        cluster.schema().requireNewest();
    }

    @Override
    public void replace(long newGeneration, long sequence, long timeMillis) throws IOException {
        BookKeeperLog log = writer;
        if (log == null) {
            throw new IllegalStateException("data are put in the place of others by the log's writer alone");
        }
        log.replace(new LedgerList.Data(newGeneration, sequence, timeMillis));
        learn(node.readNewest(limit()));
    }

    @Override
    public void flushed(long sequence) {
        flushedSequence = sequence;
    }

    /**
     * Whether the log has many ledgers, and holds what this store has not flushed: it would get too many of them where each leader adds little, so that
     * memory does not fill up. Each new leader begins one, and each bookie that goes away may end one.
     */
    boolean awaitsFlush() {
        LedgerList list = known;
        return list.ledgers().size() > cluster.settings().mostLedgers() / 2 && flushedSequence + 1 < list.last().firstSequence();
    }

    /** From now on the log is kept by {@link #keepBehind} alone, whatever a store flushes that is still open. */
    void beginCopy() {
        synchronized (telling) {
            isCopying = true;
        }
    }

    /** Nobody is being copied any more: the store that is opened next tells what it has flushed. */
    void endCopy() {
        synchronized (telling) {
            isCopying = false;
            flushedSequence = -1;
        }
    }

    /** Has the log kept behind a transaction, for a store that is being copied. */
    void keepBehind(long sequence) throws IOException {
        synchronized (telling) {
            tell(new Flushed(known.data().generation(), sequence, false));
        }
        // What is copied may have been flushed by somebody who knows more than this one does.
        learn(node.readNewest(limit()));
    }

    private void look() {
        try {
            while (!closing.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                lookOnce();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void lookOnce() {
        try {
            learn(node.watched(limit()));
            tellFlushed();
            trim();
            raise();
            BookKeeperLog log = writer;
            sight.look(known, log == null ? 0 : log.writtenBytes());
        } catch (IOException | StoreException e) {
            LOG.debug("The log at znode {} is looked at again later: {}", node.path(), e.getMessage());
        }
    }

    private void tellFlushed() throws IOException {
        synchronized (telling) {
            Flushed now = new Flushed(known.data().generation(), flushedSequence, false);
            boolean isKept = now.sequence() + 1 >= known.firstSequence();
            if (!isCopying && now.sequence() >= 0 && !now.equals(told) && isKept) {
                tell(now);
            }
        }
    }

    private void tell(Flushed now) throws IOException {
        flushedNodes.put(name, now, limit());
        told = now;
    }

    private void trim() throws IOException {
        BookKeeperLog log = writer;
        LedgerList list = known;
        if (log == null) {
            return;
        }
        if (log.epoch() < list.epoch()) {
            writer = null;
            return;
        }
        int surplus = list.ledgers().size() - cluster.settings().mostLedgers();
        long first = surplus > 0 ? list.ledgers().get(surplus).firstSequence() : 0;
        Map<String, Flushed> all = flushedNodes.all(limit());
        Flushed own = all.get(name);
        // What this store, whose log it is to write, has not in its segments would be on no disk if the log gave it up.
        long flushedHere = counts(own, list) ? own.sequence() : list.data().sequence();
        long least = least(list, all, Math.min(first, flushedHere + 1));
        if (list.ledgers().size() > 1 && list.ledgers().get(0).lastSequence() <= least) {
            log.trim(least + 1);
            LOG.info("The log at znode {} has given up what is before {}: all replicas have it in their segments", node.path(), least + 1);
        }
    }

    /** Who leads has the log follow the level of the cluster. */
    private void raise() throws IOException {
        cluster.level().look(limit());
        BookKeeperLog log = writer;
        if (log != null && known.level() < cluster.level().known()) {
            log.raise(cluster.level().known());
            learn(node.read(limit()));
        }
    }

    /** Whether the log is kept for a replica. @param flushed null where it has not told yet */
    private static boolean counts(Flushed flushed, LedgerList list) {
        return flushed != null && !flushed.isDropped() && flushed.generation() == list.data().generation();
    }

    /**
     * What all replicas have flushed that are waited for; the last transaction of the data before the log where this one has not told yet.
     *
     * @param first what is before that is kept for nobody
     */
    private long least(LedgerList list, Map<String, Flushed> all, long first) throws IOException {
        boolean isKnown = false;
        long least = list.settledSequence();
        for (Map.Entry<String, Flushed> each : all.entrySet()) {
            Flushed flushed = each.getValue();
            boolean counts = counts(flushed, list);
            if (each.getKey().equals(name)) {
                told = flushed;
                isKnown = counts;
            }
            if (counts && flushed.sequence() + 1 < first) {
                drop(each.getKey(), flushed, first);
            } else if (counts) {
                least = Math.min(least, flushed.sequence());
            }
        }
        return isKnown ? least : list.data().sequence();
    }

    private void drop(String replica, Flushed flushed, long first) throws IOException {
        flushedNodes.put(replica, new Flushed(flushed.generation(), flushed.sequence(), true), limit());
        LOG.warn("The log at znode {} waits no more for the replica {}: it has transactions up to {} in its segments, and the log would have "
                + "more than {} ledgers. What is before {} is given up; the replica needs a copy of another one if it does not have that",
                node.path(), replica, flushed.sequence(), cluster.settings().mostLedgers(), first);
    }

    @Override
    public void close() {
        closing.countDown();
        wake();
        looking.interrupt();
        LogTail idle = idleTail.getAndSet(null);
        if (idle != null) {
            idle.close();
        }
    }
}
