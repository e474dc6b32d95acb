package org.alder.server.protocol;

import org.alder.partition.error.ControlResult;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.store.Csn;
import org.alder.server.control.ContentSync;
import org.alder.server.control.PersistentSearch;
import org.alder.server.control.SyncCookie;
import org.alder.server.directory.ChangeFeed;
import org.alder.server.directory.ContentRefresh;
import org.alder.server.directory.Directory;
import org.alder.server.directory.OperationContext;
import org.alder.server.directory.SearchRequest;
import org.apache.directory.api.ldap.model.message.ResultCodeEnum;

/** Starts searches that go on with changes. Immutable, thread safe. */
final class ContentRequests {
    private final Directory directory;

    ContentRequests(Directory directory) {
        this.directory = directory;
    }

    /** The same errors as a search; adminLimitExceeded. */
    void follow(Exchange exchange, SearchRequest search, ContentEncoder encoder, PersistentSearch.Request request)
            throws DirectoryException {
        exchange.persist();
        ChangeFeed feed = directory.follow(exchange.context(), search, false);
        ContentRefresh entries = null;
        boolean started = false;
        try {
            entries = request.changesOnly() ? null : directory.refresh(exchange.context(), search, null);
            started = true;
        } finally {
            if (!started) {
                feed.close();
            }
        }
        new FollowedSearch(exchange, new PersistentSearchSource(exchange.messageId(), request, encoder, feed, entries)).start();
    }

    /**
     * @param fingerprint what makes the content what it is
     * @throws DirectoryException as a search; protocolError for dereferencing in searching (RFC 4533 3.5.2);
     *     e-syncRefreshRequired for a cookie that is not of this content, if the client wants that
     */
    void synchronize(Exchange exchange, SearchRequest search, ContentEncoder encoder, ContentSync.Request request,
            byte[] fingerprint) throws DirectoryException {
        if (search.dereferencing().inSearching()) {
            throw new DirectoryException(ResultCodeEnum.PROTOCOL_ERROR,
                    "a content synchronization cannot dereference aliases in searching (RFC 4533 3.5.2)");
        }
        String content = SyncCookie.contentOf(fingerprint);
        SyncCookie cookie = SyncCookie.parse(request.cookie());
        if (request.persist()) {
            exchange.persist();
        }
        OperationContext context = exchange.context();
        SyncSource.Directory questions = new SyncSource.Directory() {
            @Override
            public ChangeFeed follow() throws DirectoryException {
                return request.persist() ? directory.follow(context, search, true) : null;
            }

            @Override
            public ContentRefresh refresh(Csn since) throws DirectoryException {
                return directory.refresh(context, search, since);
            }
        };
        ContentRefresh phase = firstPhase(questions, cookie, content, request.reload());
        SyncSource source = new SyncSource(exchange.messageId(), encoder, cookie.replica(), content, questions, phase);
        new FollowedSearch(exchange, source).start();
    }

    private static ContentRefresh firstPhase(SyncSource.Directory questions, SyncCookie cookie, String content, boolean reload)
            throws DirectoryException {
        ContentRefresh known = cookie.isOf(content) ? questions.refresh(cookie.csn()) : null;
        if (known != null && known.kind() != ContentRefresh.Kind.FOREIGN) {
            return known;
        }
        if (!cookie.initial() && !reload) {
            throw new DirectoryException(ControlResult.SYNC_REFRESH_REQUIRED,
                    "the cookie names no state of this content: ask again without it");
        }
        return questions.refresh(null);
    }
}
