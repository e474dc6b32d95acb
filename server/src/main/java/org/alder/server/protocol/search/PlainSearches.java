package org.alder.server.protocol.search;

import org.alder.partition.error.DirectoryException;
import org.alder.server.control.RequestControls;
import org.alder.server.directory.SearchPosition;
import org.alder.server.protocol.encode.EntryEncoder;

/** Searches that return all they find as they find it (RFC 4511 4.5). */
final class PlainSearches implements SearchKind {
    @Override
    public boolean isAskedFor(RequestControls accepted) {
        return true;
    }

    @Override
    public boolean isQuick() {
        return true;
    }

    @Override
    public void start(Search search) throws DirectoryException {
        EntryEncoder encoder = search.encoder();
        search.run(search.open(search.request(search.parameters().sizeLimit(), false, SearchPosition.START), null), encoder, null);
    }
}
