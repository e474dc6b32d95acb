package org.alder.server.protocol;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.filter.Filter;
import org.alder.partition.filter.Filters;
import org.alder.partition.filter.ValuesFilter;
import org.alder.partition.query.OrderedList;
import org.alder.partition.query.SearchScope;
import org.alder.partition.query.SortOrder;
import org.alder.partition.schema.Schema;
import org.alder.server.control.Assertion;
import org.alder.server.control.ContentSync;
import org.alder.server.control.ControlHandler;
import org.alder.server.control.ControlRegistry;
import org.alder.server.control.DerefSpec;
import org.alder.server.control.Dereference;
import org.alder.server.control.ManageDsaIt;
import org.alder.server.control.MarkerControl;
import org.alder.server.control.MatchedValues;
import org.alder.server.control.OperationKind;
import org.alder.server.control.PageCookie;
import org.alder.server.control.PageRequest;
import org.alder.server.control.PagedResults;
import org.alder.server.control.PersistentSearch;
import org.alder.server.control.RequestControls;
import org.alder.server.control.ResponseControl;
import org.alder.server.control.ServerSideSort;
import org.alder.server.control.SortKey;
import org.alder.server.control.SortedPageCookie;
import org.alder.server.control.Subentries;
import org.alder.server.control.VirtualListView;
import org.alder.server.directory.Directory;
import org.alder.server.directory.EntryCursor;
import org.alder.server.directory.SearchPosition;
import org.alder.server.directory.SearchRequest;
import org.alder.server.directory.Visibility;
import org.apache.directory.api.ldap.model.message.ResultCodeEnum;

/**
 * Search (RFC 4511 4.5): decodes the request and starts a {@link SearchTask}, on a worker thread where already the planning may
 * read many index keys.
 */
final class SearchOperation implements Operation {
    private static final List<ResponseControl> SORTED =
            List.of(ServerSideSort.CONTROL.response(ResultCodeEnum.SUCCESS, null));

    private final Directory directory;
    private final Schema schema;
    private final ControlRegistry controls;
    private final ContentRequests contents;

    SearchOperation(Directory directory, Schema schema, ControlRegistry controls) {
        this.directory = directory;
        this.schema = schema;
        this.controls = controls;
        this.contents = new ContentRequests(directory);
    }

    @Override
    public OperationKind kind() {
        return OperationKind.SEARCH;
    }

    @Override
    public int responseTag() {
        return Responses.SEARCH_DONE;
    }

    @Override
    public void handle(Exchange exchange, BerReader request) throws BerException, DirectoryException {
        SearchParameters parameters = SearchParameters.decode(request);
        RequestControls accepted = exchange.controls(controls);
        PersistentSearch.Request following = accepted.get(PersistentSearch.CONTROL);
        if (following != null && following.changesOnly() && !accepted.has(ContentSync.CONTROL)) {
            // At once, so that what is changed after the connection's next answer is told.
            follow(exchange, parameters, accepted);
        } else if (following != null || accepted.has(ContentSync.CONTROL)) {
            exchange.leave(() -> follow(exchange, parameters, accepted));
        } else if (isQuick(parameters, accepted)) {
            search(exchange, parameters, accepted, false);
        } else {
            exchange.leave(() -> search(exchange, parameters, accepted, true));
        }
    }

    /** Whether planning and the first entries take a moment only, so that the I/O thread can do that. */
    private boolean isQuick(SearchParameters parameters, RequestControls accepted) {
        return !accepted.has(Dereference.CONTROL) && !accepted.has(ServerSideSort.CONTROL) && !accepted.has(Assertion.CONTROL)
                && Filters.isQuick(schema, parameters.filter(), parameters.scope() == SearchScope.BASE)
                && !AttributeSelection.mayBeVirtual(schema, parameters.attributes());
    }

    /** Referral objects are entries: clients want to know when they change. */
    private void follow(Exchange exchange, SearchParameters parameters, RequestControls accepted) {
        try {
            requireUnordered(accepted);
            SearchRequest request = new SearchRequest(Dn.parse(schema, parameters.base()), parameters.scope(),
                    parameters.filter(),
                    parameters.sizeLimit(), parameters.timeLimitSeconds(), 0, true, parameters.dereferencing(),
                    visibility(accepted), false, false, null, accepted.has(MarkerControl.REJECT_UNINDEXED),
                    SearchPosition.START);
            AttributeSelection selection = accepted.has(ContentSync.CONTROL)
                    ? AttributeSelection.ofStored(schema, parameters.attributes())
                    : new AttributeSelection(schema, parameters.attributes());
            ContentEncoder encoder = new ContentEncoder(entryControls ->
                    new EntryEncoder(schema, selection, parameters.typesOnly(), null, entryControls, AttributeOrigin.ANY));
            if (accepted.has(ContentSync.CONTROL)) {
                byte[] search = (new String(fingerprint(exchange, parameters, List.of()), StandardCharsets.ISO_8859_1)
                        + parameters.attributes() + parameters.typesOnly()).getBytes(StandardCharsets.UTF_8);
                contents.synchronize(exchange, request, encoder, accepted.get(ContentSync.CONTROL), search);
            } else {
                contents.follow(exchange, request, encoder, accepted.get(PersistentSearch.CONTROL));
            }
        } catch (DirectoryException | RuntimeException | Error e) {
            exchange.fail(e);
        }
    }

    /** What is told as it comes has no order and no pages. */
    private static void requireUnordered(RequestControls accepted) throws DirectoryException {
        for (ControlHandler<?> other : List.of(PagedResults.CONTROL, ServerSideSort.CONTROL, MatchedValues.CONTROL,
                Dereference.CONTROL, VirtualListView.CONTROL, MarkerControl.REAL_ATTRIBUTES_ONLY,
                MarkerControl.VIRTUAL_ATTRIBUTES_ONLY)) {
            if (accepted.isCritical(other)) {
                throw new DirectoryException(ResultCodeEnum.UNAVAILABLE_CRITICAL_EXTENSION, "control " + other.oid()
                        + " cannot be combined with persistent search or content synchronization");
            }
        }
    }

    private void search(Exchange exchange, SearchParameters parameters, RequestControls accepted, boolean worker) {
        PageRequest wanted = accepted.get(PagedResults.CONTROL);
        List<SortKey> keys = accepted.get(ServerSideSort.CONTROL);
        try {
            SortOrder order = keys == null ? null : SortKeys.order(schema, keys);
            if (accepted.has(VirtualListView.CONTROL)) {
                view(exchange, parameters, accepted, order, worker);
            } else if (order != null) {
                sort(exchange, parameters, accepted, order, worker);
            } else if (keys != null && accepted.isCritical(ServerSideSort.CONTROL)) {
                refuseSort(exchange, wanted, SortKeys.refusal(schema, keys));
            } else if (wanted == null) {
                start(exchange, parameters, accepted, null, SearchPosition.START, worker);
            } else {
                page(exchange, parameters, accepted, wanted, worker);
            }
        } catch (DirectoryException | RuntimeException | Error e) {
            if (exchange.isAbandoned()) {
                exchange.endStopped();
            } else if (wanted == null) {
                exchange.fail(e);
            } else {
                respond(exchange, Faults.toResult(e));
            }
        }
    }

    private static void refuseSort(Exchange exchange, PageRequest page, SortKeys.Refusal refusal) {
        List<ResponseControl> answer = new ArrayList<>(2);
        answer.add(ServerSideSort.CONTROL.response(refusal.code(), refusal.attribute()));
        if (page != null) {
            answer.add(PagedResults.CONTROL.response(new byte[0]));
        }
        exchange.answer(LdapResult.of(ResultCodeEnum.UNAVAILABLE_CRITICAL_EXTENSION,
                "entries cannot be sorted by " + refusal.attribute() + ": " + refusal.code().getMessage()), answer);
    }

    private void view(Exchange exchange, SearchParameters parameters, RequestControls accepted, SortOrder order,
            boolean worker) throws DirectoryException {
        List<SortKey> keys = accepted.get(ServerSideSort.CONTROL);
        OrderedList list;
        try {
            if (keys != null && order == null) {
                throw new DirectoryException(ResultCodeEnum.INAPPROPRIATE_MATCHING, "entries cannot be sorted in this order");
            }
            list = ListViews.list(accepted.get(VirtualListView.CONTROL), order, accepted.has(PagedResults.CONTROL));
        } catch (DirectoryException e) {
            ListViews.refuse(exchange, e, keys != null && order == null ? SortKeys.refusal(schema, keys) : null);
            return;
        }
        SearchRequest request = request(exchange, parameters, accepted, parameters.sizeLimit(), false, SearchPosition.START);
        EntryEncoder encoder = encoder(exchange, parameters, accepted);
        EntryCursor cursor = directory.search(exchange.context(), request.withList(list));
        if (cursor.isOrdered()) {
            new SearchTask(exchange, cursor, encoder, null, null, SORTED).start(worker);
        } else {
            cursor.close();
            ListViews.refuse(exchange, new DirectoryException(ResultCodeEnum.UNWILLING_TO_PERFORM,
                    "there are no list views of what the server itself makes"), null);
        }
    }

    /**
     * Where an index has the order, the directory finds the entries in it. Else it finds all of them anew for each page, and the
     * first so many behind the last page's end are kept.
     */
    private void sort(Exchange exchange, SearchParameters parameters, RequestControls accepted, SortOrder order,
            boolean worker) throws DirectoryException {
        PageRequest page = accepted.get(PagedResults.CONTROL);
        byte[] search = page == null ? null : fingerprint(exchange, parameters, accepted.get(ServerSideSort.CONTROL));
        SortedPageCookie before = page == null || page.cookie().length == 0 ? SortedPageCookie.START
                : SortedPageCookie.decode(page.cookie(), search);
        if (page != null && page.size() == 0) {
            respond(exchange, LdapResult.SUCCESS);
            return;
        }
        Sorting sorting = new Sorting(order, accepted.isCritical(ServerSideSort.CONTROL), parameters.sizeLimit(),
                page == null ? 0 : page.size(), before, search, exchange.memory());
        SearchRequest request = request(exchange, parameters, accepted, 0, page != null, SearchPosition.START);
        boolean limited = parameters.sizeLimit() > 0;
        EntryEncoder encoder = encoder(exchange, parameters, accepted);
        EntryCursor cursor = directory.search(exchange.context(),
                limited ? request : request.withList(SortedEntries.behind(order, before.key())));
        if (cursor.isOrdered()) {
            Page part = page == null ? null : new Page(page.size(), last -> new SortedPageCookie(
                    before.returned() + page.size(), SortedEntries.place(order, last)).encode(search));
            new SearchTask(exchange, cursor, encoder, part, null, SORTED).start(worker);
            return;
        }
        new SearchTask(exchange, cursor, encoder, null, sorting, List.of()).start(worker);
    }

    private void page(Exchange exchange, SearchParameters parameters, RequestControls accepted, PageRequest wanted,
            boolean worker) throws DirectoryException {
        byte[] search = fingerprint(exchange, parameters, List.of());
        boolean first = wanted.cookie().length == 0;
        SearchPosition after = first ? SearchPosition.START : PageCookie.decode(wanted.cookie(), search);
        if (wanted.size() == 0) {
            respond(exchange, LdapResult.SUCCESS);
        } else {
            Page page = new Page(wanted.size(), last -> PageCookie.encode(last.position(), search));
            start(exchange, parameters, accepted, page, after, worker);
        }
    }

    private void start(Exchange exchange, SearchParameters parameters, RequestControls accepted, Page page, SearchPosition after,
            boolean worker) throws DirectoryException {
        SearchRequest request = request(exchange, parameters, accepted, parameters.sizeLimit(), page != null, after);
        EntryEncoder encoder = encoder(exchange, parameters, accepted);
        List<ResponseControl> answer = new ArrayList<>(1);
        if (accepted.has(ServerSideSort.CONTROL)) {
            SortKeys.Refusal refusal = SortKeys.refusal(schema, accepted.get(ServerSideSort.CONTROL));
            answer.add(ServerSideSort.CONTROL.response(refusal.code(), refusal.attribute()));
        }
        EntryCursor cursor = directory.search(exchange.context(), request);
        new SearchTask(exchange, cursor, encoder, page, null, answer).start(worker);
    }

    private SearchRequest request(Exchange exchange, SearchParameters parameters, RequestControls accepted, int sizeLimit, boolean paged,
            SearchPosition after) throws DirectoryException {
        return new SearchRequest(Dn.parse(schema, parameters.base()), parameters.scope(), parameters.filter(), sizeLimit,
                parameters.timeLimitSeconds(), 0, accepted.has(ManageDsaIt.CONTROL), parameters.dereferencing(),
                visibility(accepted), !accepted.has(MarkerControl.DOMAIN_SCOPE), paged, null,
                accepted.has(MarkerControl.REJECT_UNINDEXED), after).withPatience(exchange::requireWaiting);
    }

    private static Visibility visibility(RequestControls accepted) {
        Boolean subentries = accepted.get(Subentries.CONTROL);
        return subentries == null ? Visibility.BY_SCOPE : subentries ? Visibility.SUBENTRIES : Visibility.ENTRIES;
    }

    private EntryEncoder encoder(Exchange exchange, SearchParameters parameters, RequestControls accepted)
            throws DirectoryException {
        AttributeSelection selection = new AttributeSelection(schema, parameters.attributes());
        List<Filter> items = accepted.get(MatchedValues.CONTROL);
        List<DerefSpec> specs = accepted.get(Dereference.CONTROL);
        EntryControls entryControls = specs == null ? EntryControls.NONE
                : DereferencedEntries.of(directory, schema, exchange.context(), exchange.memory(), specs,
                accepted.isCritical(Dereference.CONTROL));
        return new EntryEncoder(schema, selection, parameters.typesOnly(), items == null ? null : ValuesFilter.of(schema, items),
                entryControls, AttributeOrigin.of(accepted));
    }

    /** Answers a paged search that finds nothing, with the control all the same: clients wait for it. */
    private static void respond(Exchange exchange, LdapResult result) {
        exchange.answer(result, List.of(PagedResults.CONTROL.response(new byte[0])));
    }

    /** What must be the same on all pages (docs/format/page-cookie.md). */
    private byte[] fingerprint(Exchange exchange, SearchParameters parameters, List<SortKey> keys)
            throws DirectoryException {
        BerWriter out = new BerWriter(256);
        append(out, exchange.context().identity().dn().normalized());
        append(out, Dn.parse(schema, parameters.base()).normalized());
        append(out, new byte[] {(byte) parameters.scope().ordinal(), (byte) parameters.dereferencing().ordinal()});
        append(out, Filters.format(parameters.filter()).getBytes(StandardCharsets.UTF_8));
        for (SortKey key : keys) {
            append(out, key.toString().getBytes(StandardCharsets.UTF_8));
        }
        return out.toByteArray();
    }

    private static void append(BerWriter out, byte[] field) {
        out.octets(BerWriter.OCTET_STRING, field);
    }
}
