package org.alder.partition.bookkeeper;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.alder.partition.bookkeeper.distant.DistantStore;
import org.alder.partition.bookkeeper.election.Election;
import org.alder.partition.bookkeeper.zookeeper.Deadline;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.disk.SystemDisk;
import org.alder.partition.jdbm.store.JdbmEngine;
import org.alder.partition.jdbm.store.JdbmStore;
import org.alder.partition.jdbm.task.Threads;
import org.alder.partition.store.BulkLoad;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.RepairReport;
import org.alder.partition.store.Store;
import org.alder.partition.store.StoreEngine;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The engine of a member of a cluster: stores that share a log, and stand for election when they are open. Immutable, thread safe.
 *
 * @param alone what its stores are but for the log
 * @param seats opens the log for a store
 */
record SharedEngine(JdbmEngine alone, Seats seats) implements StoreEngine {
    private static final Logger LOG = LoggerFactory.getLogger(SharedEngine.class);
    /** So long is waited for bookies to come whose entries a store needs. */
    private static final int OPEN_MILLIS = 120_000;
    private static final int LOG_MILLIS = 10_000;

    /** Where a store gets its place among those that share a log. */
    interface Seats {
        /** The log for data that are there before this member stands for election. The caller closes it. */
        LoadersLog openToLoad() throws IOException;

        /** Whoever opens the seat closes it, after the store. */
        Seat open() throws IOException;

        /**
         * Puts a copy of another member's store in the place of one that is outdated, or not there.
         *
         * @param whenFetched called before what is there is moved, perhaps more than once: from then on nobody may hold it
         * @throws StoreException of kind OUTDATED where no member gives one
         */
        void copy(Path folder, BookKeeperSharedLog log, Runnable whenFetched) throws IOException;

        /** From now on other members can copy the store in a folder, which is open, and it is compared with theirs, until another one is. */
        void opened(Path folder, Store store);

        /** Whether this member is to hold the store, as the cluster says now. */
        boolean isHeld() throws IOException;

        /** Whether all members that are to hold the store are here, apply the log, and have told that they show a transaction. */
        boolean isHeldBehind(long sequence) throws IOException;

        /** The store as others hold it. @throws StoreException of kind REFUSED where this member can ask nobody */
        DistantStore elsewhere(EntryIndexer indexer);

        /** From now on others can read what is open here. @param store that a {@link Held} has */
        void held(Store store);

        /** Ends what {@link #open} has opened, and what was told of the store that is in it. */
        void close(Seat seat) throws IOException;

        /** Nothing is here any more, and the log is kept for this member no more: what is in the folder, of which nothing is open, is deleted. */
        void left(Path folder) throws IOException;
    }

    /** A store that this member holds. @param store closed before the seat */
    record Held(MendingStore store, Seat seat) {
    }

    /** @param election not started yet; stands for the store at this URL from when it is */
    record Seat(BookKeeperSharedLog log, Election election, String url) {
    }

    @Override
    public Store open(Path folder, EntryIndexer indexer) {
        try {
            return PlacedStore.open(this, folder, indexer);
        } catch (IOException e) {
            throw new StoreException(StoreException.Kind.IO, "cannot open the shared log of " + folder + ": " + e.getMessage(), e);
        }
    }

    /** Opens what this member holds, and has it stand for election. @param engine with the settings of now */
    Held hold(Path folder, EntryIndexer indexer, JdbmEngine engine) throws IOException {
        takeIn(folder, indexer);
        Seat seat = seats.open();
        boolean done = false;
        try {
            mend(folder, seat.log);
            JdbmStore first = open(folder, engine, indexer, seat);
            seats.opened(folder, first);
            MendingStore store = MendingStore.start(this, seat, folder, first);
            seats.held(store);
            seat.election.start(store, seat.url);
            done = true;
            return new Held(store, seat);
        } finally {
            if (!done) {
                seats.close(seat);
            }
        }
    }

    /** A store that was alone before is what the log begins with, where nobody has written that yet. */
    private void takeIn(Path folder, EntryIndexer indexer) throws IOException {
        if (!alone.hasStore(folder)) {
            return;
        }
        boolean isShared = JdbmStore.isShared(folder);
        try (LoadersLog loader = seats.openToLoad()) {
            // Also one that was ended half way.
            boolean isTaken = loader.log().mayBeEmpty() && JdbmStore.share(folder, alone.settings(), indexer, loader.log());
            if (isTaken && !isShared) {
                LOG.info("the store in {} has become the first replica of the cluster", folder);
            } else if (!isShared) {
                throw new StoreException(StoreException.Kind.REFUSED, folder + " holds a store that has served alone, and the cluster has data already:"
                        + " start this member with an empty data folder. Where it is the data in this folder that the cluster is to have, begin"
                        + " a new one with this member, before anybody adds entries");
            }
        }
    }

    /** Of a store that is not open, where it was found to hold what it should not. */
    void mend(Path folder, BookKeeperSharedLog log) throws IOException {
        String why = Differing.why(folder);
        if (why != null) {
            LOG.warn("The store in {} was found to differ from those of the other members, and gets a copy of another one: {}", folder, why);
            copy(folder, log, () -> { });
        }
    }

    /** See {@link Seats#copy}. */
    void copy(Path folder, BookKeeperSharedLog log, Runnable whenFetched) throws IOException {
        seats.copy(folder, log, whenFetched);
        Differing.mended(folder);
    }

    /** See {@link Seats#opened}. */
    void opened(Path folder, JdbmStore store) {
        seats.opened(folder, store);
    }

    /** Takes a copy where what is there is outdated. @param engine with the settings of now */
    JdbmStore open(Path folder, JdbmEngine engine, EntryIndexer indexer, Seat seat) throws IOException {
        Deadline deadline = Deadline.in(OPEN_MILLIS);
        Deadline silence = Deadline.in(0);
        while (true) {
            try {
                return JdbmStore.open(folder, engine.settings(), indexer, SystemDisk.INSTANCE, Threads.INSTANCE, seat.log);
            } catch (StoreException e) {
                if (e.kind() == StoreException.Kind.OUTDATED) {
                    LOG.warn("{}", e.getMessage());
                    copy(folder, seat.log, () -> { });
                    deadline = Deadline.in(OPEN_MILLIS);
                    continue;
                }
                if (e.kind() != StoreException.Kind.IO || deadline.isOver() || Thread.currentThread().isInterrupted()) {
                    throw e;
                }
                if (silence.isOver()) {
                    LOG.info("waiting for bookies that have what {} lacks: {}", folder, e.getMessage());
                    silence = Deadline.in(LOG_MILLIS);
                }
            }
            deadline.pause();
        }
    }

    @Override
    public boolean hasStore(Path folder) {
        return alone.hasStore(folder);
    }

    @Override
    public Set<String> unfinishedIndexes(Path folder, EntryIndexer indexer) {
        return alone.unfinishedIndexes(folder, indexer);
    }

    @Override
    public void retune(Store store) {
        alone.retune(store);
    }

    /** A replica's folder alone does not tell what it holds: refused. */
    @Override
    public Store openReadOnly(Path folder, EntryIndexer indexer) {
        return alone.openReadOnly(folder, indexer);
    }

    @Override
    public BulkLoad bulkLoad(Path folder, EntryIndexer indexer, long memoryBytes) {
        return alone.bulkLoad(folder, indexer, memoryBytes);
    }

    @Override
    public List<String> check(Path folder) {
        return alone.check(folder);
    }

    @Override
    public RepairReport repair(Path folder, EntryIndexer indexer) {
        return alone.repair(folder, indexer);
    }
}
