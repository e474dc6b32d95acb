package org.alder.server.protocol;

/**
 * What the open transactions of one connection may hold. Immutable.
 *
 * @param updates most updates, of all transactions of the connection together, at least 1
 * @param bytes most bytes of their requests, together; 0 is none
 * @param seconds the longest time a transaction stays open, at least 1
 */
public record TransactionLimits(int updates, long bytes, int seconds) {
    /** 1000 updates, 16 MiB, one minute. */
    public static final TransactionLimits STANDARD = new TransactionLimits(1000, 16L << 20, 60);

    public TransactionLimits {
        if (updates < 1 || bytes < 0 || seconds < 1) {
            throw new IllegalArgumentException("limits of transactions " + updates + ", " + bytes + ", " + seconds
                    + ", expected at least 1 update, 0 bytes and 1 s");
        }
    }
}
