package org.alder.partition.error;

/**
 * A store that cannot do what was asked: an I/O error, damaged data, or a state in which it refuses. The message names the file
 * (and the offset where there is one), what was found and what was expected. Nothing already acknowledged is lost by it.
 *
 * <p>The protocol layer answers {@code unavailable} for {@link Kind#READ_ONLY}, {@link Kind#CLOSED}, {@link
 * Kind#OUTCOME_UNKNOWN}, {@link Kind#FENCED} and {@link Kind#NOT_LEADER}, {@code unwillingToPerform} for {@link Kind#DISK_FULL}, {@code adminLimitExceeded} for {@link Kind#TOO_LARGE} and {@link
 * Kind#SNAPSHOT_EXPIRED}, {@code other} for the rest, and logs it.
 */
public class StoreException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What the caller can do about it. */
    public enum Kind {
        /** A file does not hold what it should: restore or rebuild it. */
        CORRUPT,
        /** The operating system refused a read or a write. */
        IO,
        /** Writes are refused until the cause named in the message is mended; reads still work. */
        READ_ONLY,
        /**
         * There is no room on the disk, or no file can be opened: writes are refused until there is or it can, then they go on by
         * themselves; reads still work.
         */
        DISK_FULL,
        /** The data folder belongs to another process, version or configuration. */
        REFUSED,
        /** Whether the transaction was made is not known, and the message says who can find out: read what it was to change, and try again. */
        OUTCOME_UNKNOWN,
        /** Another writer has taken the store's log over, and knows whether the transaction was made. */
        FENCED,
        /** The store is a replica that takes no transactions; nothing was done. Only the leader takes them, which another one may be. */
        NOT_LEADER,
        /** A replica has less than the log that it shares begins with: it needs a copy of another replica. */
        OUTDATED,
        /** One transaction is more than the store takes at once, as the message says; nothing of it was done. */
        TOO_LARGE,
        /** The store, snapshot or cursor was closed before. */
        CLOSED,
        /** A snapshot outlived its time limit and was taken back. */
        SNAPSHOT_EXPIRED
    }

    private final Kind kind;

    public StoreException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    public StoreException(Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
