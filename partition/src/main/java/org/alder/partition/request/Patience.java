package org.alder.partition.request;

import org.alder.partition.error.DirectoryException;

/**
 * How long somebody waits for a search to be planned; between its steps a search can end anyway. Asked from time to time on the
 * thread that plans, so it must be quick.
 */
@FunctionalInterface
public interface Patience {
    /** Waits for ever. */
    Patience ENDLESS = () -> { };

    /** @throws DirectoryException what the search ends with if nobody waits any longer */
    void check() throws DirectoryException;

    /** As long as both wait. */
    default Patience and(Patience other) {
        return this == ENDLESS ? other : () -> {
            check();
            other.check();
        };
    }
}
