package org.alder.partition.index;

/** Which questions an attribute's index answers. Ordering needs no kind of its own: it walks a range of the equality keys. */
public enum IndexKind {
    EQUALITY, SUBSTRING, PRESENCE
}
