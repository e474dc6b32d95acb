package org.alder.server.protocol;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Executor;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.filter.Filter;
import org.alder.partition.filter.Filters;
import org.alder.partition.filter.ValuesFilter;
import org.alder.partition.schema.Schema;
import org.alder.server.control.ControlRegistry;
import org.alder.server.control.ManageDsaIt;
import org.alder.server.control.MatchedValues;
import org.alder.server.control.OperationKind;
import org.alder.server.control.PageCookie;
import org.alder.server.control.PageRequest;
import org.alder.server.control.PagedResults;
import org.alder.server.control.RequestControls;
import org.alder.server.directory.Directory;
import org.alder.server.directory.EntryCursor;
import org.alder.server.directory.SearchPosition;
import org.alder.server.directory.SearchRequest;

/**
 * Search (RFC 4511 4.5): decodes the request and starts a {@link SearchTask}, on a worker thread where already the planning may
 * read many index keys.
 */
final class SearchOperation implements Operation {
    private final Directory directory;
    private final Schema schema;
    private final ControlRegistry controls;
    private final Executor workers;

    SearchOperation(Directory directory, Schema schema, ControlRegistry controls, Executor workers) {
        this.directory = directory;
        this.schema = schema;
        this.controls = controls;
        this.workers = workers;
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
        if (parameters.isPlannedQuickly()) {
            search(exchange, parameters, accepted);
        } else {
            workers.execute(() -> search(exchange, parameters, accepted));
        }
    }

    private void search(Exchange exchange, SearchParameters parameters, RequestControls accepted) {
        PageRequest wanted = accepted.get(PagedResults.CONTROL);
        try {
            if (wanted == null) {
                start(exchange, parameters, accepted, null, SearchPosition.START);
            } else {
                page(exchange, parameters, accepted, wanted);
            }
        } catch (DirectoryException | RuntimeException | Error e) {
            if (wanted == null) {
                exchange.fail(e);
            } else {
                respond(exchange, Faults.toResult(e));
            }
        }
    }

    private void page(Exchange exchange, SearchParameters parameters, RequestControls accepted, PageRequest wanted)
            throws DirectoryException {
        byte[] search = fingerprint(exchange, parameters);
        boolean first = wanted.cookie().length == 0;
        SearchPosition after = first ? SearchPosition.START : PageCookie.decode(wanted.cookie(), search);
        if (wanted.size() == 0) {
            respond(exchange, LdapResult.SUCCESS);
        } else {
            start(exchange, parameters, accepted, new Page(wanted.size(), search), after);
        }
    }

    private void start(Exchange exchange, SearchParameters parameters, RequestControls accepted, Page page, SearchPosition after)
            throws DirectoryException {
        Dn base = Dn.parse(schema, parameters.base());
        SearchRequest request = new SearchRequest(base, parameters.scope(), parameters.filter(), parameters.sizeLimit(),
                parameters.timeLimitSeconds(), 0, accepted.has(ManageDsaIt.CONTROL), page != null, after);
        AttributeSelection selection = new AttributeSelection(schema, parameters.attributes());
        List<Filter> items = accepted.get(MatchedValues.CONTROL);
        EntryEncoder encoder = new EntryEncoder(schema, selection, parameters.typesOnly(),
                items == null ? null : ValuesFilter.of(schema, items));
        EntryCursor cursor = directory.search(exchange.context(), request);
        new SearchTask(exchange, cursor, encoder, page, workers).start();
    }

    /** Answers a paged search that finds nothing, with the control all the same: clients wait for it. */
    private static void respond(Exchange exchange, LdapResult result) {
        exchange.answer(result, List.of(PagedResults.CONTROL.response(new byte[0])));
    }

    /** What must be the same on all pages (docs/format/page-cookie.md). */
    private byte[] fingerprint(Exchange exchange, SearchParameters parameters) throws DirectoryException {
        BerWriter out = new BerWriter(256);
        append(out, exchange.context().identity().dn().normalized());
        append(out, Dn.parse(schema, parameters.base()).normalized());
        append(out, new byte[] {(byte) parameters.scope().ordinal()});
        append(out, Filters.format(parameters.filter()).getBytes(StandardCharsets.UTF_8));
        return out.toByteArray();
    }

    private static void append(BerWriter out, byte[] field) {
        out.octets(BerWriter.OCTET_STRING, field);
    }
}
