package org.alder.partition.jdbm.log;

import java.io.IOException;
import java.util.UUID;
import java.util.function.Consumer;
import org.alder.partition.error.StoreException;
import org.alder.partition.store.ClusterService;
import org.alder.partition.store.FeatureLevel;

/**
 * A log that several stores share, each of them a replica of the same data: all read it, and one at a time writes it. A store that is
 * opened with it has no log files of its own. Whoever opens the store closes the log, after the store. Thread safe.
 *
 * <p>The log has the last word: what is in it was made, whatever a writer was told, and what is not in it was never made. Its
 * transactions are numbered without gaps. Each writer has an epoch, greater than those of all writers before.
 */
public interface SharedLog extends AutoCloseable {
    /** The ID that all stores have whose log it is. */
    UUID storeId();

    /**
     * Grows when data are put in the place of all there were, as by a bulk load: a store of another generation has other data, and needs
     * a copy.
     */
    long generation();

    /** The newest epoch that is known here; 0 where nobody has written yet. */
    long epoch();

    /** Of the {@link FeatureLevel}s: all who share it read what is written by this one, into the log or into segments, and perhaps nothing newer. It only grows. */
    default int level() {
        return FeatureLevel.NEWEST;
    }

    /**
     * The last transaction that writers up to an epoch made, when a later one has settled what became of theirs: what is behind it is not
     * theirs. -1 while that is not known here.
     */
    long endOf(long writerEpoch);

    /** What those are told who want to change anything in a store that does not lead. */
    default StoreException notLeader() {
        return ReplicaLog.notLeader();
    }

    /** The last transaction that the leader has told to have; -1 where that is not known. */
    default long leaderSequence() {
        return -1;
    }

    /** So long ago, at most, the leader had no more than up to a transaction, in milliseconds; -1 where that is not known. */
    default long behindMillis(long sequence) {
        return -1;
    }

    /** What is known here of all that share it, as of some seconds ago; null where nothing is. */
    default ClusterService.Status cluster() {
        return null;
    }

    /** The first transaction that it holds, or will hold: those before are given up, and are in the segments of stores. */
    long firstSequence() throws IOException;

    /**
     * What it holds, read back: what is certain to stay, so perhaps not yet the last group that a writer had acknowledged. Nothing is cut,
     * whatever is asked for.
     */
    LogSource source();

    /**
     * Gives the groups behind a sequence number, in their order, as far as they are certain to stay; where there is none yet, waits for
     * one.
     *
     * @param sequence   the last transaction that the caller has; the first group given may hold some up to there, too
     * @param waitMillis how long at most; 0 does not wait
     * @param groups     may take its time; what it throws is thrown
     * @return the last transaction that was given, {@code sequence} if none was
     * @throws IOException    where the log cannot be read now; it can be tried again
     * @throws StoreException of kind OUTDATED where it does not reach back so far, CORRUPT where it is damaged
     */
    long readBehind(long sequence, long waitMillis, Consumer<LogGroup> groups) throws IOException, InterruptedException;

    /** Whoever waits in {@link #readBehind} now waits no longer; most often, so a wait has its end without it, too. */
    void wake();

    /**
     * Becomes the writer, under a new epoch: the one before can add nothing from now on, and what became of its last group is settled.
     * When this returns, {@link #readBehind} gives, without waiting, everything that was ever made up to then.
     *
     * @return to write with; {@link GroupLog#append} is always durable. Each ending but {@link GroupLog.Outcome#DONE} that is over
     *         ({@link GroupLog.Ending#isOver}) ends the writer; it may be taken over again
     * @throws IOException    where it cannot be taken over now
     * @throws StoreException of kind FENCED where somebody else took it over meanwhile
     */
    GroupLog takeOver() throws IOException;

    /**
     * Asked when all there was is applied and before the first group is written.
     *
     * @throws IOException where this machine lacks something else that the next group needs; it can be tried again
     */
    default void requireReady() throws IOException {
        // A log that needs nothing else.
    }

    /**
     * Puts data of a new generation in the place of everything: no group there was is given any more, and the next one is behind a
     * sequence number. Called by the writer alone.
     *
     * @param sequence   of those data, beyond all that was in the log
     * @param timeMillis when they were committed, since 1970
     */
    void replace(long newGeneration, long sequence, long timeMillis) throws IOException;

    /** Told which transactions the store has in its segments: up to there it will not read the log again. Does not block, throws nothing. */
    void flushed(long sequence);

    /** Gives everything back. Reads that wait end. */
    @Override
    void close();
}
