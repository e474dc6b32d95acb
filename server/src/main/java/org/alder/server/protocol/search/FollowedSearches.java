package org.alder.server.protocol.search;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.server.control.Assertion;
import org.alder.server.control.ControlHandler;
import org.alder.server.control.MarkerControl;
import org.alder.server.control.RequestControls;
import org.alder.server.control.search.ContentSync;
import org.alder.server.control.search.Dereference;
import org.alder.server.control.search.MatchedValues;
import org.alder.server.control.search.PagedResults;
import org.alder.server.control.search.PersistentSearch;
import org.alder.server.control.search.ServerSideSort;
import org.alder.server.control.search.SyncCookie;
import org.alder.server.control.search.VirtualListView;
import org.alder.server.directory.ChangeFeed;
import org.alder.server.directory.ContentRefresh;
import org.alder.server.directory.ContentState;
import org.alder.server.directory.Directory;
import org.alder.server.directory.OperationContext;
import org.alder.server.directory.OperationOptions;
import org.alder.server.directory.SearchPosition;
import org.alder.server.directory.SearchRequest;
import org.alder.server.protocol.Exchange;
import org.alder.server.protocol.encode.AttributeOrigin;
import org.alder.server.protocol.encode.AttributeSelection;
import org.alder.server.protocol.encode.ContentEncoder;
import org.alder.server.protocol.encode.EntryEncoder;

/**
 * Searches that go on with changes: content synchronization (RFC 4533) and persistent search. Referral objects are entries:
 * clients want to know when they change.
 */
final class FollowedSearches implements SearchKind {
    /** About what a search costs that waits for changes, with its request and the first changes that wait for it. */
    private static final long FOLLOWED_BYTES = 24 << 10;
    /** What is told as it comes has no order and no pages. */
    private static final List<ControlHandler<?>> NOT_WITH_THESE = List.of(PagedResults.CONTROL, ServerSideSort.CONTROL,
            MatchedValues.CONTROL, Dereference.CONTROL, VirtualListView.CONTROL, MarkerControl.REAL_ATTRIBUTES_ONLY,
            MarkerControl.VIRTUAL_ATTRIBUTES_ONLY);

    @Override
    public boolean isAskedFor(RequestControls accepted) {
        return accepted.has(ContentSync.CONTROL) || accepted.has(PersistentSearch.CONTROL);
    }

    /**
     * Who wants changes only is followed at once, so that what is changed after the connection's next answer is told; but where another member of a
     * cluster tells the changes, which has to be waited for.
     */
    static boolean isForChangesOnly(RequestControls accepted) {
        PersistentSearch.Request following = accepted.get(PersistentSearch.CONTROL);
        return following != null && following.changesOnly() && !accepted.has(ContentSync.CONTROL)
                && !accepted.has(Assertion.CONTROL);
    }

    @Override
    public void start(Search search) throws DirectoryException {
        for (ControlHandler<?> other : NOT_WITH_THESE) {
            if (search.accepted().isCritical(other)) {
                throw new DirectoryException(ResultCode.UNAVAILABLE_CRITICAL_EXTENSION, "control " + other.oid()
                        + " cannot be combined with persistent search or content synchronization");
            }
        }
        SearchParameters parameters = search.parameters();
        SearchRequest request = new SearchRequest(search.base(), parameters.scope(), parameters.filter(), parameters.sizeLimit(),
                parameters.timeLimitSeconds(), 0, true, parameters.dereferencing(), search.visibility(), false, false, null,
                search.accepted().has(MarkerControl.REJECT_UNINDEXED), SearchPosition.START)
                .withPatience(search.exchange());
        boolean copied = search.accepted().has(ContentSync.CONTROL);
        AttributeSelection selection = copied ? AttributeSelection.ofStored(search.schema(), parameters.attributes())
                : new AttributeSelection(search.schema(), parameters.attributes());
        ContentEncoder encoder = new ContentEncoder(entryControls ->
                new EntryEncoder(search.schema(), selection, parameters.typesOnly(), null, entryControls, AttributeOrigin.ANY));
        if (copied) {
            synchronize(search, request, encoder);
        } else {
            follow(search, request, encoder);
        }
    }

    /** It stays, so it is counted, before anything is made of it; once, where it is begun anew on another thread. */
    private static void persist(Exchange exchange) throws DirectoryException {
        if (!exchange.isFollowed()) {
            exchange.persist();
            exchange.hold(FOLLOWED_BYTES);
        }
    }

    private static void follow(Search search, SearchRequest request, ContentEncoder encoder) throws DirectoryException {
        Exchange exchange = search.exchange();
        PersistentSearch.Request wanted = search.accepted().get(PersistentSearch.CONTROL);
        persist(exchange);
        ChangeFeed feed = search.directory().follow(exchange.context(), request, false);
        ContentRefresh entries = null;
        boolean started = false;
        try {
            entries = wanted.changesOnly() ? null : search.directory().refresh(asserted(exchange), request, null);
            started = true;
        } finally {
            if (!started) {
                feed.close();
            }
        }
        new FollowedSearch(exchange, new PersistentSearchSource(exchange.messageId(), wanted, encoder, feed, entries)).start();
    }

    /**
     * @throws DirectoryException as a search; protocolError for dereferencing in searching (RFC 4533 3.5.2);
     *     e-syncRefreshRequired for a cookie that is not of this content, if the client wants that
     */
    private static void synchronize(Search search, SearchRequest request, ContentEncoder encoder) throws DirectoryException {
        if (request.dereferencing().inSearching()) {
            throw new DirectoryException(ResultCode.PROTOCOL_ERROR,
                    "a content synchronization cannot dereference aliases in searching (RFC 4533 3.5.2)");
        }
        ContentSync.Request wanted = search.accepted().get(ContentSync.CONTROL);
        String rules = search.directory().rules(search.exchange().context());
        String content = SyncCookie.contentOf(fingerprint(search, rules));
        SyncCookie cookie = SyncCookie.parse(wanted.cookie());
        if (wanted.persist()) {
            persist(search.exchange());
        }
        Questions questions = new Questions(search.directory(), asserted(search.exchange()), request, wanted.persist(), rules);
        ContentRefresh phase = firstPhase(new Questions(search.directory(), search.exchange().context(), request, false, rules),
                cookie, content, wanted.reload());
        SyncSource source = new SyncSource(search.exchange().messageId(), encoder, cookie, content, questions, phase);
        new FollowedSearch(search.exchange(), source).start();
    }

    /** For what comes after the request's assertion was found to be true: that is asked once (RFC 4528 4). */
    private static OperationContext asserted(Exchange exchange) {
        return exchange.context().withOptions(OperationOptions.NONE);
    }

    /** What makes the content what it is: also by which rules the client may know of it, as a copy may have what he may not any more. */
    private static byte[] fingerprint(Search search, String rules) throws DirectoryException {
        return (new String(search.fingerprint(List.of()), StandardCharsets.ISO_8859_1) + search.parameters().attributes()
                + search.parameters().typesOnly() + rules).getBytes(StandardCharsets.UTF_8);
    }

    /** @param rules by which the refresh was begun: by others the client might not have got all that is in his copy */
    private record Questions(Directory directory, OperationContext context, SearchRequest search, boolean persist, String rules)
            implements SyncSource.Directory {
        @Override
        public ChangeFeed follow() throws DirectoryException {
            return persist ? followed() : null;
        }

        private ChangeFeed followed() throws DirectoryException {
            ChangeFeed feed = directory.follow(context, search, true);
            if (!directory.rules(context).equals(rules)) {
                feed.close();
                throw new DirectoryException(ResultCode.SYNC_REFRESH_REQUIRED,
                        "the access rights have changed during the refresh: ask again");
            }
            return feed;
        }

        @Override
        public ContentRefresh refresh(ContentState since) throws DirectoryException {
            return directory.refresh(context, search, since);
        }
    }

    private static ContentRefresh firstPhase(Questions questions, SyncCookie cookie, String content, boolean reload)
            throws DirectoryException {
        ContentRefresh known = cookie.isOf(content) ? questions.refresh(cookie.state()) : null;
        if (known != null && known.kind() != ContentRefresh.Kind.FOREIGN) {
            return known;
        }
        if (!cookie.initial() && !reload) {
            throw new DirectoryException(ResultCode.SYNC_REFRESH_REQUIRED,
                    "the cookie names no state of this content: ask again without it");
        }
        return questions.refresh(null);
    }
}
