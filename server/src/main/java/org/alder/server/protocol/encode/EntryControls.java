package org.alder.server.protocol.encode;

import java.util.List;
import org.alder.partition.entry.Attribute;
import org.alder.partition.error.DirectoryException;
import org.alder.server.control.ResponseControl;
import org.alder.server.directory.EntryCursor;

/** What the controls of a search add to its entries: controls (RFC 4511 4.1.11) and attributes. One thread at a time. */
@FunctionalInterface
public interface EntryControls {
    /** No entry has any. */
    EntryControls NONE = entry -> List.of();

    /**
     * Those of one entry; may be none.
     *
     * @throws DirectoryException the search's result: it ends before this entry
     */
    List<ResponseControl> of(EntryCursor entry) throws DirectoryException;

    /**
     * Attributes that a control of the search adds to an entry, whichever the search selects; may be none.
     *
     * @throws DirectoryException the search's result: it ends before this entry
     */
    default List<Attribute> attributes(EntryCursor entry) throws DirectoryException {
        return List.of();
    }
}
