package org.alder.partition.jdbm.table;

/** One decoded page of a B+Tree. Immutable. */
final class TreePage {

    int weightBytes() {
        return 0;
    }
}
