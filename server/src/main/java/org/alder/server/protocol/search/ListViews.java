package org.alder.server.protocol.search;

import java.util.List;
import java.util.function.Supplier;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.request.ListView;
import org.alder.partition.request.ListWindow;
import org.alder.partition.request.OrderedList;
import org.alder.partition.request.SortOrder;
import org.alder.server.control.RequestControls;
import org.alder.server.control.RequestLimits;
import org.alder.server.control.ResponseControl;
import org.alder.server.control.search.PagedResults;
import org.alder.server.control.search.ServerSideSort;
import org.alder.server.control.search.VirtualListView;
import org.alder.server.directory.EntryCursor;
import org.alder.server.directory.SearchPosition;
import org.alder.server.directory.SearchRequest;
import org.alder.server.protocol.LdapResult;
import org.alder.server.protocol.encode.EntryEncoder;

/** Searches with a virtual list view (draft-ietf-ldapext-ldapv3-vlv-09). */
final class ListViews implements SearchKind {
    private final Supplier<RequestLimits> limits;

    ListViews(Supplier<RequestLimits> limits) {
        this.limits = limits;
    }

    @Override
    public boolean isAskedFor(RequestControls accepted) {
        return accepted.has(VirtualListView.CONTROL);
    }

    @Override
    public void start(Search search) throws DirectoryException {
        List<ServerSideSort.SortKey> keys = search.accepted().get(ServerSideSort.CONTROL);
        SortOrder order = keys == null ? null : SortKeys.order(search.schema(), keys);
        OrderedList list;
        try {
            if (keys != null && order == null) {
                throw new DirectoryException(ResultCode.INAPPROPRIATE_MATCHING, "entries cannot be sorted in this order");
            }
            list = list(search.accepted().get(VirtualListView.CONTROL), order, search.accepted().has(PagedResults.CONTROL));
        } catch (DirectoryException e) {
            refuse(keys != null && order == null ? withRefusal(search, keys) : search, e);
            return;
        }
        SearchRequest request = search.request(search.parameters().sizeLimit(), false, SearchPosition.START);
        EntryEncoder encoder = search.encoder();
        EntryCursor cursor = search.open(request, list);
        if (cursor.isOrdered()) {
            search.withAnswer(ServerSideSort.CONTROL.response(ResultCode.SUCCESS, null)).run(cursor, encoder, new View(cursor));
        } else {
            cursor.close();
            refuse(search, new DirectoryException(ResultCode.UNWILLING_TO_PERFORM,
                    "there are no list views of what the server itself makes"));
        }
    }

    private static Search withRefusal(Search search, List<ServerSideSort.SortKey> keys) {
        SortKeys.Refusal sort = SortKeys.refusal(search.schema(), keys);
        return search.withAnswer(ServerSideSort.CONTROL.response(sort.code(), sort.attribute()));
    }

    /**
     * @param order null if there is no sort control
     * @throws DirectoryException what is wrong with the view
     */
    private OrderedList list(VirtualListView.Request wanted, SortOrder order, boolean paged) throws DirectoryException {
        if (order == null) {
            throw new DirectoryException(ResultCode.SORT_CONTROL_MISSING, "a list view needs a sort control");
        } else if (paged) {
            throw new DirectoryException(ResultCode.UNWILLING_TO_PERFORM, "a list view cannot be had in pages");
        } else if ((long) wanted.before() + wanted.after() >= limits.get().listViewEntries()) {
            throw RequestLimits.exceeded("a list view of more entries", limits.get().listViewEntries(), "maxListViewEntries");
        }
        ListWindow.Target target;
        if (wanted.value() != null) {
            target = new ListWindow.Target.Value(order.parts().get(0).rule().normalize(wanted.value()));
        } else if (wanted.offset() == 0 || wanted.contentCount() > 0 && wanted.offset() > wanted.contentCount()) {
            throw new DirectoryException(ResultCode.OFFSET_RANGE_ERROR, "the offset " + wanted.offset()
                    + " is not in a list of " + wanted.contentCount() + " entries");
        } else {
            target = new ListWindow.Target.Offset(wanted.offset(), wanted.contentCount());
        }
        return new OrderedList(order, new byte[0], 0, 0, new ListWindow(wanted.before(), wanted.after(), target));
    }

    /** Answers a search whose view is wrong. */
    private static void refuse(Search search, DirectoryException reason) {
        Search refused = search.withAnswer(VirtualListView.CONTROL.response(0, 0, reason.resultCode()));
        refused.exchange().answer(LdapResult.of(new DirectoryException(ResultCode.VIRTUAL_LIST_VIEW_ERROR,
                reason.getMessage())), refused.answer());
    }

    /** All entries that the cursor finds, and where the window is that they are. */
    private record View(EntryCursor cursor) implements Arrangement {
        @Override
        public Take take(EntryCursor entry, EntryEncoder encoder, int messageId) {
            return Take.SEND;
        }

        @Override
        public List<ResponseControl> controls() {
            ListView view = cursor.listView();
            return view == null ? List.of() : List.of(VirtualListView.CONTROL.response(view.targetPosition(),
                    view.contentCount(), ResultCode.SUCCESS));
        }
    }
}
