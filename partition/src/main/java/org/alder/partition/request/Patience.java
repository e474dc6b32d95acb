package org.alder.partition.request;

import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.GivenUpException;

/**
 * What somebody who asks grants to a search: how long he waits, and how much memory it may take. Asked from time to time on the thread
 * that plans it, or works out or tests an entry, so it must be quick. Thread safe.
 */
@FunctionalInterface
public interface Patience {
    /** Waits for ever, and has memory without end. */
    Patience ENDLESS = () -> { };

    /** @throws DirectoryException what the search ends with if nobody waits any longer */
    void check() throws DirectoryException;

    /** As {@link #check}, where no checked exception may be thrown. @throws GivenUpException with what the search ends with */
    default void checkOrGiveUp() {
        try {
            check();
        } catch (DirectoryException e) {
            throw new GivenUpException(e);
        }
    }

    /**
     * Asks for so many bytes, before they are taken, which the search has until it gives them back or ends.
     *
     * @throws DirectoryException busy if there are not so many now, adminLimitExceeded if there never are
     */
    default void hold(long bytes) throws DirectoryException {
    }

    /** As {@link #hold}, where no checked exception may be thrown. @throws GivenUpException with what the search ends with */
    default void holdOrGiveUp(long bytes) {
        try {
            hold(bytes);
        } catch (DirectoryException e) {
            throw new GivenUpException(e);
        }
    }

    /** Gives back so many of these. */
    default void giveBack(long bytes) {
    }

    /** As long as both wait, and with the memory of this one. */
    default Patience and(Patience other) {
        return this == ENDLESS ? other : new Both(this, other);
    }

    /** Two together. */
    record Both(Patience first, Patience second) implements Patience {
        @Override
        public void check() throws DirectoryException {
            first.check();
            second.check();
        }

        @Override
        public void hold(long bytes) throws DirectoryException {
            first.hold(bytes);
        }

        @Override
        public void giveBack(long bytes) {
            first.giveBack(bytes);
        }
    }
}
