package org.alder.partition.schema.value;

/** Where a piece of a substrings assertion must stand in the value (RFC 4511 4.5.1.7.2). */
public enum SubstringPosition {
    INITIAL, ANY, FINAL
}
