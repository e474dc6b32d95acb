package org.alder.server.audit;

/** How much of values that clients send a log shows; of secret attributes it shows none, whatever this says. */
public enum ShownValues {
    /** None; names of entries are shown. */
    NONE,
    /** The first {@value #CUT_BYTES} bytes of each. */
    CUT,
    /** All of them, as far as a line has room. */
    ALL;

    static final int CUT_BYTES = 32;
}
