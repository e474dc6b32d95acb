package org.alder.partition.jdbm.entry;

/** How entries are written. Files of both kinds are read beside each other. */
public enum EntryCodec {
    /** As their records are: read most quickly, and two to three times as large. */
    NONE,
    /** By shapes, and by what a file's entries have in common; what stays long is compressed with LZ4. */
    CODED
}
