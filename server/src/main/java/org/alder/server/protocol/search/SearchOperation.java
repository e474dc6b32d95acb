package org.alder.server.protocol.search;

import java.util.List;
import java.util.function.Supplier;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.MustWaitException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.filter.Filter;
import org.alder.partition.filter.Filters;
import org.alder.partition.filter.QuickFilter;
import org.alder.partition.request.SearchScope;
import org.alder.partition.schema.Schema;
import org.alder.server.control.Assertion;
import org.alder.server.control.ControlRegistry;
import org.alder.server.control.OperationKind;
import org.alder.server.control.RequestControls;
import org.alder.server.control.RequestLimits;
import org.alder.server.control.search.AccountUsability;
import org.alder.server.control.search.Dereference;
import org.alder.server.control.search.Explain;
import org.alder.server.control.search.GetEffectiveRights;
import org.alder.server.control.search.MatchedValues;
import org.alder.server.directory.Directory;
import org.alder.server.policy.AccountLogins;
import org.alder.server.protocol.Exchange;
import org.alder.server.protocol.Faults;
import org.alder.server.protocol.LdapMessage;
import org.alder.server.protocol.Operation;
import org.alder.server.protocol.Responses;
import org.alder.server.protocol.encode.AttributeSelection;

/** Search (RFC 4511 4.5): decodes the request and has it answered in the way its controls ask for. */
public final class SearchOperation implements Operation {
    private static final SearchKind PLAIN = new PlainSearches();
    private static final SearchKind PAGED = new PagedSearches();

    /** About what an item of a filter takes, decoded, compiled and planned, and a name of an attribute to return. */
    private static final long NODE_BYTES = 512;
    private static final long NAME_BYTES = 128;

    private final Directory directory;
    private final Schema schema;
    private final BaseNames bases;
    private final ControlRegistry controls;
    private final Supplier<RequestLimits> limits;
    private final List<SearchKind> kinds;
    private final AccountLogins logins;

    public SearchOperation(Directory directory, Schema schema, ControlRegistry controls, Supplier<RequestLimits> limits, AccountLogins logins) {
        this.directory = directory;
        this.schema = schema;
        this.bases = new BaseNames(schema);
        this.controls = controls;
        this.limits = limits;
        this.kinds = List.of(new FollowedSearches(), new ListViews(limits), new SortedSearches(PAGED, PLAIN), PAGED, PLAIN);
        this.logins = logins;
    }

    @Override
    public OperationKind kind() {
        return OperationKind.SEARCH;
    }

    @Override
    public int requestTag() {
        return LdapMessage.SEARCH;
    }

    @Override
    public int responseTag() {
        return Responses.SEARCH_DONE;
    }

    @Override
    public void handle(Exchange exchange, BerReader request) throws BerException, DirectoryException {
        SearchParameters parameters = SearchParameters.decode(request, limits.get());
        exchange.about(parameters);
        RequestControls accepted = exchange.controls(controls);
        if (exchange.mayBeWide()) {
            holdFilters(exchange, parameters, accepted);
        }
        SearchKind kind = accepted.isEmpty() ? PLAIN : kind(exchange, accepted);
        boolean here = kind.isQuick() && isQuick(parameters, accepted) && !exchange.connection().turn().isOver()
                || FollowedSearches.isForChangesOnly(accepted);
        Search search = new Search(exchange, parameters, accepted, directory, schema, bases, logins, List.of(),
                here ? new Moment(exchange) : null);
        if (!here || !startHere(kind, search)) {
            exchange.leave(() -> startOnWorker(kind, search.onWorker()));
        }
    }

    /** Counts what the filters of a search become, in this thread and in those after it, before they are compiled and planned. */
    private static void holdFilters(Exchange exchange, SearchParameters parameters, RequestControls accepted) throws DirectoryException {
        long nodes = Filters.nodes(parameters.filter());
        List<Filter> items = accepted.get(MatchedValues.CONTROL);
        nodes += items == null ? 0 : items.size();
        Filter assertion = accepted.get(Assertion.CONTROL);
        nodes += assertion == null ? 0 : Filters.nodes(assertion);
        exchange.hold(nodes * NODE_BYTES + (long) parameters.attributes().size() * NAME_BYTES);
    }

    /** @throws DirectoryException insufficientAccessRights if it is to be explained to somebody who is no administrator */
    private SearchKind kind(Exchange exchange, RequestControls accepted) throws DirectoryException {
        if (accepted.has(Explain.CONTROL) && !exchange.context().identity().administrator()) {
            throw new DirectoryException(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, "only administrators are told how a search was planned");
        }
        return kinds.stream().filter(each -> each.isAskedFor(accepted)).findFirst().orElse(PLAIN);
    }

    /** Whether planning and the first entries take a moment only, so that the I/O thread can do that. */
    private boolean isQuick(SearchParameters parameters, RequestControls accepted) {
        return !accepted.has(Dereference.CONTROL) && !accepted.has(MatchedValues.CONTROL) && !accepted.has(AccountUsability.CONTROL)
                && !accepted.has(GetEffectiveRights.CONTROL) && !accepted.has(Assertion.CONTROL)
                && new QuickFilter(schema, parameters.scope() == SearchScope.BASE).isQuick(parameters.filter())
                && !AttributeSelection.mayBeVirtual(schema, parameters.attributes());
    }

    /** Returns false if the search takes longer than this thread may be kept, or has to wait for another machine, and nothing has come of it. */
    private static boolean startHere(SearchKind kind, Search search) {
        try {
            kind.start(search);
        } catch (DirectoryException | RuntimeException | Error e) {
            if (search.moment().isOver() || e instanceof MustWaitException) {
                return false;
            }
            fail(search, e);
        }
        return true;
    }

    /** Who has given up meanwhile, in masses perhaps, costs nothing more. */
    private static void startOnWorker(SearchKind kind, Search search) {
        if (search.exchange().isAbandoned()) {
            search.exchange().endStopped();
            return;
        }
        try {
            kind.start(search);
        } catch (DirectoryException | RuntimeException | Error e) {
            fail(search, e);
        }
    }

    private static void fail(Search search, Throwable failure) {
        if (search.exchange().isAbandoned()) {
            search.exchange().endStopped();
        } else {
            search.end(Faults.toResult(failure), search.exchange().policyControls(failure));
        }
    }
}
