package org.alder.server.protocol.search;

import org.alder.partition.error.DirectoryException;
import org.alder.server.control.RequestControls;

/**
 * A way to answer searches that a control asks for. Of those that are asked for, the first in {@link SearchOperation}'s list
 * answers. Implementations have no state.
 */
interface SearchKind {
    boolean isAskedFor(RequestControls accepted);

    /** Whether the search can be begun on an I/O thread, if its filter and what it returns are quick too. */
    default boolean isQuick() {
        return false;
    }

    /**
     * Sees to it that the search is answered, now or later.
     *
     * @throws DirectoryException the search's result
     */
    void start(Search search) throws DirectoryException;
}
