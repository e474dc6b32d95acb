package org.alder.partition.jdbm.log;

import java.io.IOException;
import org.alder.partition.error.StoreException;

/**
 * Where a store's writer makes its groups durable: files of the store's folder, or a log that several machines hold. What has ended
 * {@link Outcome#DONE} and synced is never lost, and only that may be acknowledged. Used by the writer's thread alone.
 */
public interface GroupLog {
    /** What became of a group that was appended. */
    enum Outcome {
        /** It is in the log, and durable where that was asked for. */
        DONE,
        /** It is not in the log, and never will be. */
        REFUSED,
        /** It may be in the log or not: only who reads the log back, at the next start, knows. */
        UNKNOWN,
        /** Another writer has taken the log over. Whether the group is in it, that one has found out. */
        FENCED
    }

    /**
     * How an append ended.
     *
     * @param reason what those are told whose group it was; null where it is {@link Outcome#DONE}
     * @param isOver whether the log takes no group any more before the store is opened anew
     */
    record Ending(Outcome outcome, StoreException reason, boolean isOver) {
        public static final Ending DONE = new Ending(Outcome.DONE, null, false);

        /** What refused it may pass: {@link GroupLog#begin} may succeed later. */
        public static Ending refusedForNow(StoreException reason) {
            return new Ending(Outcome.REFUSED, reason, false);
        }

        public static Ending refused(StoreException reason) {
            return new Ending(Outcome.REFUSED, reason, true);
        }

        public static Ending unknown(String what, Throwable cause) {
            return new Ending(Outcome.UNKNOWN, new StoreException(StoreException.Kind.OUTCOME_UNKNOWN, what
                    + "; whether the update was made is known only after a restart", cause), true);
        }

        public static Ending fenced(String what, Throwable cause) {
            return new Ending(Outcome.FENCED, new StoreException(StoreException.Kind.FENCED, what, cause), true);
        }
    }

    /**
     * Begins a part of the log, for the groups from a sequence number on: parts are what is given up when all of their groups are in
     * segments. The one before was ended.
     *
     * @param timeBefore when the transaction before was committed, in milliseconds since 1970
     * @return null, or why not for now: the log {@linkplain #isOpen is not open} then
     * @throws IOException    where it will not do later either
     * @throws StoreException of kind FENCED where another writer has taken the log over
     */
    StoreException begin(long firstSequence, long timeBefore) throws IOException;

    /** Whether groups are taken; else a part has to {@link #begin}. */
    boolean isOpen();

    /**
     * Writes a group behind the last one, and tells what became of it; throws nothing but what is a fault of the program. Where it is
     * not {@link Outcome#DONE} the log is not open any more.
     *
     * @param durable whether it has to be on the disk, or with as many machines as it takes, when this returns
     */
    Ending append(LogGroup group, boolean durable);

    /**
     * Why nothing may be answered any more from what is in it, as another writer may have begun; null where this one is the writer, as far as
     * is known here. It asks nobody. Any thread.
     */
    default StoreException lost() {
        return null;
    }

    /** What it holds, read back. */
    LogSource source();

    /** Whether all that was appended is durable. */
    boolean isSynced();

    /** Makes all that was appended durable. After an exception it takes no groups any more. */
    void sync() throws IOException;

    /** How often anything was made durable; any thread. */
    long syncs();

    /** Makes all durable and ends the part. The log is not open any more. */
    void end() throws IOException;

    /** Gives everything back; what was appended and not synced may be lost. */
    void close() throws IOException;
}
