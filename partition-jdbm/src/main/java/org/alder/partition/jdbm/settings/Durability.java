package org.alder.partition.jdbm.settings;

/** What an acknowledgement promises. */
public enum Durability {
    /** The transaction is on the disk; it survives a power failure. */
    SYNC,
    /** The transaction survives the end of the process; a power failure may take those of the last {@code intervalMillis}. */
    INTERVAL,
    /** The transaction survives the end of the process; a power failure may take any that is not in a segment yet. */
    NONE
}
