package org.alder.partition.update.copy;

import org.alder.partition.id.IdMarks;

/** Which entries a followed server has named since a refresh began, and which of them it has told whole: where the copies are. One thread at a time. */
public final class NamedEntries {
    private final IdMarks named = new IdMarks();
    private final IdMarks told = new IdMarks();

    /** Where the copies of some more are. */
    void add(long[] moreTold, long[] moreKept) {
        for (long place : moreKept) {
            named.add(place);
        }
        for (long place : moreTold) {
            addTold(place);
        }
    }

    private void addTold(long place) {
        named.add(place);
        told.add(place);
    }

    /** A copy is at another place now. */
    void follow(long from, long to) {
        if (isTold(from)) {
            addTold(to);
        } else if (contains(from)) {
            named.add(to);
        }
    }

    boolean contains(long place) {
        return named.contains(place);
    }

    boolean isTold(long place) {
        return told.contains(place);
    }
}
