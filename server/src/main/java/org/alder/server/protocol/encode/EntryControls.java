package org.alder.server.protocol.encode;

import java.util.List;
import org.alder.partition.error.DirectoryException;
import org.alder.server.control.ResponseControl;
import org.alder.server.directory.EntryCursor;

/** The controls that go with search result entries (RFC 4511 4.1.11). One thread at a time. */
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
}
