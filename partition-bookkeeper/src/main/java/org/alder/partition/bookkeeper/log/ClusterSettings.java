package org.alder.partition.bookkeeper.log;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.alder.partition.bookkeeper.member.MemberKeys;
import org.alder.partition.store.ClusterService.Build;

/**
 * Where ZooKeeper is, and how long what is asked of it and of bookies may take. Immutable.
 *
 * @param zooKeeper      addresses, {@code host:port}, separated by commas
 * @param sessionMillis  how long ZooKeeper waits for a sign of life before it takes a leader for gone
 * @param appendMillis   how long a bookie may take for an entry before it counts as failed; whole seconds, one at least
 * @param resolveMillis  how long the outcome of an append in doubt is looked for before it is given up as unknown
 * @param openMillis     how long a new leader tries to recover the ledger of the one before, as when bookies are starting
 * @param rollBytes      a ledger of so many bytes is followed by another one
 * @param mostLedgers    so many may a log have; what is before is kept for no replica, however far behind it is
 * @param lacMillis      after how long those who follow the log may see an entry that no other one came behind
 * @param password       of the ledgers; not to be changed
 * @param keys           what bookies are shown, and have to show; null where they speak without TLS
 * @param build          as which this machine's is known to the others
 */
public record ClusterSettings(String zooKeeper, int sessionMillis, int appendMillis, int resolveMillis, int openMillis, long rollBytes,
        int mostLedgers, int lacMillis, byte[] password, MemberKeys keys, Build build) {
    /** Of ledgers where members speak without TLS: whoever reaches a bookie's port can read without it. */
    public static final String OPEN_PASSWORD = "alder";
    private static final int SESSION_MILLIS = 2_000;
    private static final int APPEND_MILLIS = 5_000;
    private static final int RESOLVE_MILLIS = 20_000;
    private static final int OPEN_MILLIS = 60_000;
    private static final long ROLL_BYTES = 64L << 20;
    private static final int MOST_LEDGERS = 128;
    private static final int LAC_MILLIS = 20;

    public ClusterSettings {
        if (sessionMillis < 1 || appendMillis < 1000 || resolveMillis < 1 || openMillis < 1 || rollBytes < 1 || lacMillis < 1 || mostLedgers < 1
                || mostLedgers > LedgerList.MOST_LEDGERS / 2) {
            throw new IllegalArgumentException("times and sizes must be greater than 0, appendMillis at least 1000, mostLedgers at most "
                    + LedgerList.MOST_LEDGERS / 2 + ": " + sessionMillis + ", "
                    + appendMillis + ", " + resolveMillis + ", " + openMillis + ", " + rollBytes + ", " + mostLedgers + ", " + lacMillis);
        }
        password = password.clone();
    }

    /** With what suits three machines in one place. @param keys null without TLS */
    public static ClusterSettings of(String zooKeeper, MemberKeys keys, Build build) {
        return new ClusterSettings(zooKeeper, SESSION_MILLIS, APPEND_MILLIS, RESOLVE_MILLIS, OPEN_MILLIS, ROLL_BYTES, MOST_LEDGERS, LAC_MILLIS,
                keys == null ? OPEN_PASSWORD.getBytes(StandardCharsets.US_ASCII) : keys.ledgerPassword(), keys, build);
    }

    @Override
    public byte[] password() {
        return password.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ClusterSettings that && toString().equals(that.toString()) && Arrays.equals(password, that.password) && keys == that.keys;
    }

    @Override
    public int hashCode() {
        return toString().hashCode();
    }

    /** Without the password. */
    @Override
    public String toString() {
        return "zooKeeper=" + zooKeeper + " sessionMillis=" + sessionMillis + " appendMillis=" + appendMillis + " resolveMillis="
                + resolveMillis + " openMillis=" + openMillis + " rollBytes=" + rollBytes + " mostLedgers=" + mostLedgers + " lacMillis=" + lacMillis;
    }
}
