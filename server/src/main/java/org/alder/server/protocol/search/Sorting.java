package org.alder.server.protocol.search;

import java.util.ArrayList;
import java.util.List;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.request.SortOrder;
import org.alder.server.control.ResponseControl;
import org.alder.server.control.search.PagedResults;
import org.alder.server.control.search.ServerSideSort;
import org.alder.server.control.search.SortedPageCookie;
import org.alder.server.directory.EntryCursor;
import org.alder.server.protocol.LdapResult;
import org.alder.server.protocol.encode.EntryEncoder;
import org.alder.server.resource.MemoryBudget;

/**
 * The sorted answer to a search, or one page of it. The client's size limit holds for the sorted entries of all pages. One thread
 * at a time.
 */
final class Sorting implements Arrangement {
    private final boolean critical;
    private final SortedPageCookie before;
    private final byte[] search;
    private final boolean paged;
    private final boolean lastBySize;
    private final SortedEntries entries;
    private ResultCode code = ResultCode.SUCCESS;

    /**
     * @param critical whether the client does without an answer rather than without the order
     * @param pageSize 0 if the search is not paged
     * @param search what must be the same on all pages
     * @param memory counts what is kept
     */
    Sorting(SortOrder order, boolean critical, int sizeLimit, int pageSize, SortedPageCookie before, byte[] search,
            MemoryBudget.Share memory) {
        long allowed = sizeLimit == 0 ? Long.MAX_VALUE : Math.max(0, sizeLimit - before.returned());
        this.critical = critical;
        this.before = before;
        this.search = search;
        this.paged = pageSize > 0;
        this.lastBySize = !paged || allowed <= pageSize;
        this.entries = new SortedEntries(order, before.key(), paged ? Math.min(pageSize, allowed) : allowed, memory);
    }

    /** If the entries are too many, those that are kept are returned as they are, and the rest unsorted. */
    @Override
    public Take take(EntryCursor entry, EntryEncoder encoder, int messageId) throws DirectoryException {
        if (code != ResultCode.SUCCESS) {
            return Take.SEND;
        } else if (entries.add(entry, encoder, messageId)) {
            return Take.KEPT;
        }
        code = ResultCode.ADMIN_LIMIT_EXCEEDED;
        if (critical || paged || lastBySize && !entries.isUnlimited()) {
            throw new DirectoryException(ResultCode.UNAVAILABLE_CRITICAL_EXTENSION,
                    "the entries found are too many to be sorted in memory: ask for pages");
        }
        return Take.AFTER_KEPT;
    }

    @Override
    public byte[] poll() {
        return entries.poll();
    }

    /** The search's result, which also is that more than the client's limit were found. */
    @Override
    public LdapResult result(LdapResult found) {
        boolean success = found.code() == ResultCode.SUCCESS;
        return success && entries.hasMore() && lastBySize
                ? LdapResult.of(ResultCode.SIZE_LIMIT_EXCEEDED, "the request's size limit is reached") : found;
    }

    @Override
    public List<ResponseControl> controls() {
        List<ResponseControl> controls = new ArrayList<>(2);
        controls.add(ServerSideSort.CONTROL.response(code, null));
        if (paged) {
            boolean more = entries.hasMore() && !lastBySize;
            controls.add(PagedResults.CONTROL.response(!more ? new byte[0]
                    : new SortedPageCookie(before.returned() + entries.count(), entries.lastKey()).encode(search)));
        }
        return controls;
    }
}
