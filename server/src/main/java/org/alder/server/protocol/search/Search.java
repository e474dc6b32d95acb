package org.alder.server.protocol.search;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.filter.EntryAccess;
import org.alder.partition.filter.Filter;
import org.alder.partition.filter.Filters;
import org.alder.partition.filter.ValuesFilter;
import org.alder.partition.request.OrderedList;
import org.alder.partition.schema.Schema;
import org.alder.server.control.ManageDsaIt;
import org.alder.server.control.MarkerControl;
import org.alder.server.control.RequestControls;
import org.alder.server.control.ResponseControl;
import org.alder.server.control.search.AccountUsability;
import org.alder.server.control.search.Dereference;
import org.alder.server.control.search.Explain;
import org.alder.server.control.search.GetEffectiveRights;
import org.alder.server.control.search.MatchedValues;
import org.alder.server.control.search.PagedResults;
import org.alder.server.control.search.ServerSideSort;
import org.alder.server.control.search.Subentries;
import org.alder.server.directory.Directory;
import org.alder.server.directory.EntryCursor;
import org.alder.server.directory.SearchPosition;
import org.alder.server.directory.SearchRequest;
import org.alder.server.directory.Visibility;
import org.alder.server.policy.AccountLogins;
import org.alder.server.protocol.Exchange;
import org.alder.server.protocol.LdapResult;
import org.alder.server.protocol.encode.AttributeOrigin;
import org.alder.server.protocol.encode.AttributeSelection;
import org.alder.server.protocol.encode.EntryControls;
import org.alder.server.protocol.encode.EntryEncoder;

/**
 * A search that is to be answered: what was asked, and the directory that is asked. Immutable.
 *
 * @param logins knows the states of accounts
 * @param answer controls to answer with, whatever comes
 * @param moment as long as it may keep an I/O thread; null if it is on a worker thread, and holds up no other connection
 */
record Search(Exchange exchange, SearchParameters parameters, RequestControls accepted, Directory directory, Schema schema,
              BaseNames bases, AccountLogins logins, List<ResponseControl> answer, Moment moment) {
    Search onWorker() {
        return new Search(exchange, parameters, accepted, directory, schema, bases, logins, answer, null);
    }

    Search withAnswer(ResponseControl control) {
        List<ResponseControl> more = new ArrayList<>(answer);
        more.add(control);
        return new Search(exchange, parameters, accepted, directory, schema, bases, logins, more, moment);
    }

    /**
     * What the directory is asked for.
     *
     * @param sizeLimit 0 if entries beyond the client's limit are wanted too
     * @param paged whether this is one page of a longer answer
     * @param after where the page before ended
     */
    SearchRequest request(int sizeLimit, boolean paged, SearchPosition after) throws DirectoryException {
        return new SearchRequest(base(), parameters.scope(), parameters.filter(), sizeLimit, parameters.timeLimitSeconds(), 0,
                accepted.has(ManageDsaIt.CONTROL), parameters.dereferencing(), visibility(),
                !accepted.has(MarkerControl.DOMAIN_SCOPE), paged, null, accepted.has(MarkerControl.REJECT_UNINDEXED), after,
                EntryAccess.ALL, moment == null ? exchange : moment);
    }

    Dn base() throws DirectoryException {
        return bases.parse(parameters.base());
    }

    Visibility visibility() {
        Boolean subentries = accepted.get(Subentries.CONTROL);
        return subentries == null ? Visibility.BY_SCOPE : subentries ? Visibility.SUBENTRIES : Visibility.ENTRIES;
    }

    EntryEncoder encoder() throws DirectoryException {
        AttributeSelection selection = new AttributeSelection(schema, parameters.attributes());
        if (accepted.isEmpty()) {
            return new EntryEncoder(schema, selection, parameters.typesOnly());
        }
        List<Filter> items = accepted.get(MatchedValues.CONTROL);
        List<Dereference.Spec> specs = accepted.get(Dereference.CONTROL);
        EntryControls entryControls = specs == null ? EntryControls.NONE
                : DereferencedEntries.of(directory, schema, exchange.context(), exchange.memory(),
                exchange, specs, accepted.isCritical(Dereference.CONTROL));
        if (accepted.has(AccountUsability.CONTROL)) {
            entryControls = new AccountUsabilities(schema, logins, entryControls);
        }
        GetEffectiveRights.Asked rights = accepted.get(GetEffectiveRights.CONTROL);
        if (rights != null) {
            entryControls = RightsOfEntries.of(directory, schema, exchange.context(), rights, parameters.attributes(), entryControls);
        }
        return new EntryEncoder(schema, selection, parameters.typesOnly(), items == null ? null : ValuesFilter.of(schema, items),
                entryControls, AttributeOrigin.of(accepted));
    }

    /** Opens the search. @param list null for no order */
    EntryCursor open(SearchRequest request, OrderedList list) throws DirectoryException {
        EntryCursor cursor = directory.search(exchange.context(), list == null ? request : request.withList(list));
        if (moment != null) {
            moment.planned();
        }
        return cursor;
    }

    /** Returns what the cursor finds, and closes it at the end. @param arrangement null for all as they are found */
    void run(EntryCursor cursor, EntryEncoder encoder, Arrangement arrangement) {
        if (encoder.isOfNames()) {
            cursor.preferNames();
        }
        List<String> plan = accepted.has(Explain.CONTROL) ? cursor.plan() : null;
        new SearchTask(exchange, cursor, encoder, arrangement, answer, plan).start(moment == null);
    }

    void end(LdapResult result) {
        end(result, List.of());
    }

    /** Answers a search that does not even begin, with the controls that its client waits for. @param more controls */
    void end(LdapResult result, List<ResponseControl> more) {
        List<ResponseControl> controls = new ArrayList<>(answer);
        controls.addAll(more);
        if (accepted.has(PagedResults.CONTROL)) {
            controls.add(PagedResults.CONTROL.response(new byte[0]));
        }
        exchange.answer(result, controls);
    }

    /** What must be the same on all pages (docs/format/page-cookie.md). */
    byte[] fingerprint(List<ServerSideSort.SortKey> keys) throws DirectoryException {
        BerWriter out = new BerWriter(256);
        append(out, exchange.context().identity().dn().normalized());
        append(out, base().normalized());
        append(out, new byte[] {(byte) parameters.scope().ordinal(), (byte) parameters.dereferencing().ordinal()});
        append(out, Filters.format(parameters.filter()).getBytes(StandardCharsets.UTF_8));
        for (ServerSideSort.SortKey key : keys) {
            append(out, key.toString().getBytes(StandardCharsets.UTF_8));
        }
        return out.toByteArray();
    }

    private static void append(BerWriter out, byte[] field) {
        out.octets(BerWriter.OCTET_STRING, field);
    }
}
