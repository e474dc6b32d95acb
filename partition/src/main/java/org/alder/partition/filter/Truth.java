package org.alder.partition.filter;

/** The three values of RFC 4511 4.5.1. */
public enum Truth {
    TRUE, FALSE, UNDEFINED;

    public static Truth of(boolean value) {
        return value ? TRUE : FALSE;
    }

    public Truth not() {
        return this == UNDEFINED ? UNDEFINED : of(this == FALSE);
    }
}
