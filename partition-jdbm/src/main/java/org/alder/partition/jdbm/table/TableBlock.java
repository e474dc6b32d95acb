package org.alder.partition.jdbm.table;

/** One decoded block of pairs. Immutable, thread safe; opaque to users of the package, who may only keep it in a cache. */
public final class TableBlock {

    /** The heap this block takes, about. */
    public int weightBytes() {
        return 0;
    }
}
