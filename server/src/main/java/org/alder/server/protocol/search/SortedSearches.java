package org.alder.server.protocol.search;

import java.util.List;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.request.OrderedList;
import org.alder.partition.request.SortOrder;
import org.alder.server.control.RequestControls;
import org.alder.server.control.search.PagedResults;
import org.alder.server.control.search.ServerSideSort;
import org.alder.server.control.search.SortedPageCookie;
import org.alder.server.directory.EntryCursor;
import org.alder.server.directory.SearchPosition;
import org.alder.server.directory.SearchRequest;
import org.alder.server.protocol.LdapResult;
import org.alder.server.protocol.encode.EntryEncoder;

/**
 * Sorted searches (RFC 2891). Where an index has the order, the directory finds the entries in it. Else it finds all of them, anew
 * for each page, and the first so many behind the last page's end are kept.
 */
final class SortedSearches implements SearchKind {
    private final SearchKind paged;
    private final SearchKind plain;

    /** @param paged for what cannot be sorted and need not be  @param plain the same */
    SortedSearches(SearchKind paged, SearchKind plain) {
        this.paged = paged;
        this.plain = plain;
    }

    @Override
    public boolean isAskedFor(RequestControls accepted) {
        return accepted.has(ServerSideSort.CONTROL);
    }

    @Override
    public void start(Search search) throws DirectoryException {
        List<ServerSideSort.SortKey> keys = search.accepted().get(ServerSideSort.CONTROL);
        SortOrder order = SortKeys.order(search.schema(), keys);
        if (order != null) {
            sort(search, order, keys);
            return;
        }
        SortKeys.Refusal refusal = SortKeys.refusal(search.schema(), keys);
        Search refused = search.withAnswer(ServerSideSort.CONTROL.response(refusal.code(), refusal.attribute()));
        if (search.accepted().isCritical(ServerSideSort.CONTROL)) {
            refused.end(LdapResult.of(ResultCode.UNAVAILABLE_CRITICAL_EXTENSION,
                    "entries cannot be sorted by " + refusal.attribute() + ": " + refusal.code().text()));
        } else {
            (paged.isAskedFor(search.accepted()) ? paged : plain).start(refused);
        }
    }

    private static void sort(Search search, SortOrder order, List<ServerSideSort.SortKey> keys) throws DirectoryException {
        PagedResults.Request page = search.accepted().get(PagedResults.CONTROL);
        byte[] fingerprint = page == null ? null : search.fingerprint(keys);
        SortedPageCookie before = page == null || page.cookie().length == 0 ? SortedPageCookie.START
                : SortedPageCookie.decode(page.cookie(), fingerprint);
        if (page != null && page.size() == 0) {
            search.end(LdapResult.SUCCESS);
            return;
        }
        int sizeLimit = search.parameters().sizeLimit();
        Sorting sorting = new Sorting(order, search.accepted().isCritical(ServerSideSort.CONTROL), sizeLimit,
                page == null ? 0 : page.size(), before, fingerprint, search.exchange().memory());
        EntryEncoder encoder = search.encoder();
        SearchRequest request = search.request(0, page != null, SearchPosition.START);
        OrderedList list = sizeLimit > 0 ? null : SortedEntries.behind(order, before.key());
        EntryCursor cursor = search.open(request, list);
        if (!cursor.isOrdered()) {
            search.run(cursor, encoder, sorting);
            return;
        }
        Arrangement part = page == null ? null : new Page(page.size(), last -> new SortedPageCookie(
                before.returned() + page.size(), SortedEntries.place(order, last)).encode(fingerprint));
        search.withAnswer(ServerSideSort.CONTROL.response(ResultCode.SUCCESS, null)).run(cursor, encoder, part);
    }
}
