package org.alder.server.protocol.search;

import java.util.List;
import org.alder.partition.error.DirectoryException;
import org.alder.server.control.RequestControls;
import org.alder.server.control.search.PageCookie;
import org.alder.server.control.search.PagedResults;
import org.alder.server.directory.SearchPosition;
import org.alder.server.protocol.LdapResult;
import org.alder.server.protocol.encode.EntryEncoder;

/** Searches in pages (RFC 2696). */
final class PagedSearches implements SearchKind {
    @Override
    public boolean isAskedFor(RequestControls accepted) {
        return accepted.has(PagedResults.CONTROL);
    }

    @Override
    public boolean isQuick() {
        return true;
    }

    @Override
    public void start(Search search) throws DirectoryException {
        PagedResults.Request wanted = search.accepted().get(PagedResults.CONTROL);
        byte[] fingerprint = search.fingerprint(List.of());
        SearchPosition after = wanted.cookie().length == 0 ? SearchPosition.START
                : PageCookie.decode(wanted.cookie(), fingerprint);
        if (wanted.size() == 0) {
            search.end(LdapResult.SUCCESS);
            return;
        }
        EntryEncoder encoder = search.encoder();
        Page page = new Page(wanted.size(), last -> PageCookie.encode(last.position(), fingerprint));
        search.run(search.open(search.request(search.parameters().sizeLimit(), true, after), null), encoder, page);
    }
}
