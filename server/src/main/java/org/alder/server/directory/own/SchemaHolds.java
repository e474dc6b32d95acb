package org.alder.server.directory.own;

import java.io.IOException;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.alder.partition.Partition;
import org.alder.partition.ber.BerException;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.error.StoreException;
import org.alder.partition.store.SharedSchema;
import org.alder.partition.store.SharedSchema.Version;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds updates of partitions that this member leads while another one changes the schema, one at a time: a second one is busy at once. Updates go on when
 * that one says so, and by the version that it made if it made one.
 *
 * <p>That one may die, or its word be lost. So a hold has a limit, which it moves on as long as it needs the hold. Updates never go on by the schema of
 * before where a version was made that lies behind them, as these steps come one after the other: the {@linkplain SharedSchema#endTurn turn is ended}; the
 * newest version is read; updates go on. A version is made in one step of ZooKeeper with a look at its turn. So either it was made before the turn was
 * ended, and is read here, and this member goes by it first; or it is never made. Where ZooKeeper does not answer updates wait on, until it does or
 * this member does not lead in the epoch of the hold any more: then whoever leads next, here or elsewhere, has begun another epoch, in which no version can be made
 * behind the old one, and has looked for the newest version after that.
 *
 * <p>A version by which this member cannot go, for whatever reason, must not stop updates for ever: it gives up leading then. Thread safe.
 */
final class SchemaHolds implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SchemaHolds.class);
    private static final long PAUSE_MILLIS = 50;

    /** How this member goes by versions that others make. */
    interface Following {
        /** @throws DirectoryException saying why it could not go by a version with these definitions */
        void requirePossible(byte[] definitions) throws DirectoryException;

        /** Goes by the next version, where there is one and all that was written before it is here. */
        void look();
    }

    private final SharedSchema shared;
    private final Supplier<Map<String, Partition>> partitions;
    private final String member;
    private final long limitMillis;
    /** Of those who ask: what may take a while. */
    private final ScheduledThreadPoolExecutor thread;
    private volatile Following following;
    /** Null where nobody has asked; guarded by this object, as is the next one. */
    private Hold current;
    /** Whether this member changes the schema itself, and does not take other orders. */
    private boolean isOwn;

    /** What one member has asked for; guarded by the object around it, but that one thread alone has to do with the partitions. */
    private static final class Hold {
        private final SchemaQuestion asked;
        private final HeldPartitions held;
        private long untilNanos;
        private boolean isTaken;
        /** Whether it has come to its end, in one of the ways there are. */
        private boolean isEnding;

        Hold(SchemaQuestion asked, HeldPartitions held) {
            this.asked = asked;
            this.held = held;
        }
    }

    /**
     * @param partitions  those that are open, by the names of their logs
     * @param member      this one
     * @param limitMillis so long updates are held for one who says nothing more
     */
    SchemaHolds(SharedSchema shared, Supplier<Map<String, Partition>> partitions, String member, long limitMillis) {
        this.shared = shared;
        this.partitions = partitions;
        this.member = member;
        this.limitMillis = limitMillis;
        this.thread = new ScheduledThreadPoolExecutor(1, task -> {
            Thread made = new Thread(task, "alder-schema-holds");
            made.setDaemon(true);
            return made;
        });
    }

    /** The name of this one. */
    String member() {
        return member;
    }

    /** Before anybody can ask. */
    void goBy(Following how) {
        following = how;
    }

    /**
     * Begins a change of this member's own: others are busy.
     *
     * @throws DirectoryException busy where somebody else changes the schema
     */
    synchronized void enter() throws DirectoryException {
        if (current != null) {
            throw busy();
        }
        isOwn = true;
    }

    /** Ends it. */
    synchronized void leave() {
        isOwn = false;
    }

    private DirectoryException busy() {
        return new DirectoryException(ResultCode.BUSY, (current == null ? member : current.asked.member())
                + " is changing the schema, and has updates held on " + member + "; nothing was done: try again");
    }

    /** Begins to answer, and returns. */
    CompletableFuture<byte[]> answer(byte[] question) {
        try {
            SchemaQuestion asked = SchemaQuestion.decode(question);
            return asked.isRelease() ? release(asked) : hold(asked);
        } catch (BerException e) {
            return CompletableFuture.failedFuture(new StoreException(StoreException.Kind.OUTCOME_UNKNOWN, "what a change of the schema needs was asked in another way ("
                    + e.getMessage() + "), as by a member of another version; nothing was done"));
        } catch (DirectoryException e) {
            return CompletableFuture.completedFuture(SchemaQuestion.answer(e));
        } catch (RejectedExecutionException e) {
            return CompletableFuture.failedFuture(new StoreException(StoreException.Kind.NOT_LEADER, member + " is being stopped; nothing was done"));
        }
    }

    private CompletableFuture<byte[]> hold(SchemaQuestion asked) throws DirectoryException {
        Hold hold;
        synchronized (this) {
            if (current != null && current.asked.id().equals(asked.id())) {
                return CompletableFuture.completedFuture(renewed(current));
            } else if (current != null || isOwn) {
                throw busy();
            } else if (asked.isRenewal()) {
                throw new DirectoryException(ResultCode.BUSY, member + " has held updates for this change of the schema for as long as it does without being told to go on");
            }
            hold = new Hold(asked, new HeldPartitions(member));
            current = hold;
        }
        return CompletableFuture.supplyAsync(() -> take(hold), thread);
    }

    /** With the lock. */
    private byte[] renewed(Hold hold) throws DirectoryException {
        if (!hold.isTaken || hold.isEnding) {
            throw busy();
        }
        hold.untilNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(limitMillis);
        return SchemaQuestion.answer(hold.held.positions());
    }

    private byte[] take(Hold hold) {
        boolean isTaken = false;
        try {
            following.requirePossible(hold.asked.definitions());
            for (String each : new TreeSet<>(hold.asked.partitions())) {
                take(hold, each);
            }
            synchronized (this) {
                hold.isTaken = true;
                byte[] answer = renewed(hold);
                isTaken = true;
                thread.schedule(() -> expire(hold), limitMillis, TimeUnit.MILLISECONDS);
                return answer;
            }
        } catch (DirectoryException e) {
            return SchemaQuestion.answer(e);
        } finally {
            if (!isTaken) {
                end(hold);
            }
        }
    }

    private void take(Hold hold, String name) throws DirectoryException {
        Partition partition = partitions.get().get(name);
        if (partition == null) {
            throw new DirectoryException(ResultCode.BUSY, member + " has no partition " + name + " now: try again");
        }
        hold.held.hold(name, partition);
    }

    private CompletableFuture<byte[]> release(SchemaQuestion asked) {
        Hold hold;
        synchronized (this) {
            hold = current;
            if (hold == null || !hold.asked.id().equals(asked.id()) || hold.isEnding) {
                return CompletableFuture.completedFuture(SchemaQuestion.answer(Map.of()));
            }
            hold.isEnding = true;
            if (!hold.isTaken) {
                // Whoever is about to take it finds that.
                return CompletableFuture.completedFuture(SchemaQuestion.answer(Map.of()));
            }
        }
        return CompletableFuture.supplyAsync(() -> {
            if (asked.number() == 0 || goBy(hold, asked.number())) {
                end(hold);
            }
            return SchemaQuestion.answer(Map.of());
        }, thread);
    }

    private void expire(Hold hold) {
        long leftNanos;
        synchronized (this) {
            leftNanos = hold.untilNanos - System.nanoTime();
            if (current != hold || hold.isEnding) {
                return;
            } else if (leftNanos > 0) {
                thread.schedule(() -> expire(hold), leftNanos, TimeUnit.NANOSECONDS);
                return;
            }
            hold.isEnding = true;
        }
        LOG.warn("{} has had updates held here while it changes the schema, and says nothing more: {} looks what has become of it", hold.asked.member(), member);
        if (decide(hold)) {
            end(hold);
        }
    }

    /** See above. Whether updates may go on, which is not so where this member is being stopped. */
    private boolean decide(Hold hold) {
        while (hold.held.leadsAny()) {
            try {
                shared.endTurn(hold.asked.turn());
                Version newest = shared.newest();
                return newest == null || goBy(hold, newest.number());
            } catch (IOException e) {
                LOG.debug("{} does not know yet what has become of a change of the schema: {}", member, e.getMessage());
            }
            if (!pause()) {
                return false;
            }
        }
        return true;
    }

    /** Whether updates may go on: this member goes by the version, or leads no more. */
    private boolean goBy(Hold hold, long number) {
        long untilNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(limitMillis);
        boolean isTold = false;
        while (hold.held.leadsAny()) {
            following.look();
            if (shared.adopted() >= number) {
                return true;
            } else if (!isTold && System.nanoTime() - untilNanos > 0) {
                String why = member + " cannot go by version " + number + " of the cluster's schema, as its log file says, so that another member has to lead";
                LOG.error(why);
                hold.held.resign(new StoreException(StoreException.Kind.REFUSED, why));
                isTold = true;
            }
            if (!pause()) {
                return false;
            }
        }
        return true;
    }

    /** Whether it is to be gone on with. */
    private boolean pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
            return !thread.isShutdown();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void end(Hold hold) {
        hold.held.resume();
        synchronized (this) {
            current = null;
        }
    }

    /** What is held stays so: the partitions are closed next. */
    @Override
    public void close() {
        thread.shutdownNow();
    }
}
