package org.alder.partition.jdbm.table;

/** The keys a cursor will be asked for, in ascending order; nothing is lost where some are left out or too many. One thread. */
public interface ComingKeys {
    /** Goes on from the first key at or above this one. */
    void skipTo(byte[] key);

    /** The next key, an array of the caller's own, or null at the end. */
    byte[] next();
}
