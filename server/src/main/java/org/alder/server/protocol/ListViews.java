package org.alder.server.protocol;

import java.util.ArrayList;
import java.util.List;
import org.alder.partition.error.ControlResult;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.query.ListView;
import org.alder.partition.query.ListWindow;
import org.alder.partition.query.OrderedList;
import org.alder.partition.query.SortOrder;
import org.alder.server.control.ListViewRequest;
import org.alder.server.control.ResponseControl;
import org.alder.server.control.ServerSideSort;
import org.alder.server.control.VirtualListView;
import org.apache.directory.api.ldap.model.message.ResultCodeEnum;

/** What searches with a virtual list view (draft-ietf-ldapext-ldapv3-vlv-09) ask for and are answered with. */
final class ListViews {
    private static final long MOST_ENTRIES = 100_000;

    private ListViews() {
    }

    /**
     * @param order null if there is no sort control
     * @throws DirectoryException what is wrong with the view
     */
    static OrderedList list(ListViewRequest wanted, SortOrder order, boolean paged) throws DirectoryException {
        if (order == null) {
            throw new DirectoryException(ControlResult.SORT_CONTROL_MISSING, "a list view needs a sort control");
        } else if (paged) {
            throw new DirectoryException(ResultCodeEnum.UNWILLING_TO_PERFORM, "a list view cannot be had in pages");
        } else if ((long) wanted.before() + wanted.after() >= MOST_ENTRIES) {
            throw new DirectoryException(ResultCodeEnum.ADMIN_LIMIT_EXCEEDED, "a list view has at most " + MOST_ENTRIES
                    + " entries");
        }
        ListWindow.Target target;
        if (wanted.value() != null) {
            target = new ListWindow.Target.Value(order.parts().get(0).rule().normalize(wanted.value()));
        } else if (wanted.offset() == 0 || wanted.contentCount() > 0 && wanted.offset() > wanted.contentCount()) {
            throw new DirectoryException(ControlResult.OFFSET_RANGE_ERROR, "the offset " + wanted.offset()
                    + " is not in a list of " + wanted.contentCount() + " entries");
        } else {
            target = new ListWindow.Target.Offset(wanted.offset(), wanted.contentCount());
        }
        return new OrderedList(order, new byte[0], 0, new ListWindow(wanted.before(), wanted.after(), target));
    }

    /** Answers a search whose view is wrong. @param sort what is wrong with the order, or null */
    static void refuse(Exchange exchange, DirectoryException reason, SortKeys.Refusal sort) {
        List<ResponseControl> controls = new ArrayList<>(2);
        if (sort != null) {
            controls.add(ServerSideSort.CONTROL.response(sort.code(), sort.attribute()));
        }
        controls.add(VirtualListView.CONTROL.response(0, 0, reason.code()));
        DirectoryException result = new DirectoryException(ControlResult.VIRTUAL_LIST_VIEW_ERROR, reason.getMessage());
        exchange.answer(LdapResult.of(result), controls);
    }

    static ResponseControl response(ListView view) {
        return VirtualListView.CONTROL.response(view.targetPosition(), view.contentCount(),
                ResultCodeEnum.SUCCESS.getResultCode());
    }
}
