package org.alder.server.protocol.search;

import java.util.List;
import org.alder.partition.error.DirectoryException;
import org.alder.server.control.ResponseControl;
import org.alder.server.directory.EntryCursor;
import org.alder.server.protocol.LdapResult;
import org.alder.server.protocol.encode.EntryEncoder;

/** In which order the entries of a search are returned, and up to where, if not all as they are found. One thread at a time. */
interface Arrangement {
    /** What becomes of an entry. */
    enum Take {
        /** It is returned now. */
        SEND,
        /** It is kept, or passed over: {@link #poll} returns what is kept. */
        KEPT,
        /** What is kept is returned first, and then this one is asked about again. */
        AFTER_KEPT,
        /** It is not returned, and the search has succeeded. */
        END
    }

    /**
     * Decides about the entry that the cursor stands on.
     *
     * @throws DirectoryException the search's result
     */
    Take take(EntryCursor entry, EntryEncoder encoder, int messageId) throws DirectoryException;

    /** Takes out the first of the entries kept, encoded; null if there are no more. */
    default byte[] poll() {
        return null;
    }

    /** The search's result, when it would be another without the arrangement. */
    default LdapResult result(LdapResult found) {
        return found;
    }

    /** What goes with the result; asked once, before what is kept is taken out. */
    default List<ResponseControl> controls() {
        return List.of();
    }
}
