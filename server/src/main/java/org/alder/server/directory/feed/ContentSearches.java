package org.alder.server.directory.feed;

import java.util.ArrayList;
import java.util.List;
import org.alder.partition.Partition;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.Csn;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.id.IdSet;
import org.alder.partition.request.SearchScope;
import org.alder.partition.store.ChangeHistory;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.Snapshot;
import org.alder.server.directory.ChangeFeed;
import org.alder.server.directory.ContentRefresh;
import org.alder.server.directory.SearchRequest;
import org.alder.server.directory.naming.NamingContexts;
import org.alder.server.directory.search.PartitionSearch;
import org.alder.server.directory.search.SearchExtents;

/** Searches whose content is followed or copied: in one partition, or followed alone in shards, referral objects and aliases being entries. Thread safe. */
public final class ContentSearches {
    /** An entryUUID and its place in a list. */
    private static final long IDENTITY_BYTES = 40;

    private final NamingContexts contexts;
    private final PartitionSearch searches;

    public ContentSearches(NamingContexts contexts, PartitionSearch searches) {
        this.contexts = contexts;
        this.searches = searches;
    }

    /** @throws DirectoryException noSuchObject, referral, unwillingToPerform for a scope that is not in one partition, or for whole content not in one shard */
    public ChangeFeed follow(SearchRequest request, boolean wholeContent) throws DirectoryException {
        Dn base = searches.base(request);
        NamingContexts.Context home = contexts.of(base);
        List<NamingContexts.Context> below = home == null ? List.of() : contexts.below(base, request.scope());
        boolean isOfShards = !below.isEmpty() && below.stream().allMatch(each -> each.partition().suffix().equals(home.partition().suffix()));
        return !wholeContent && isOfShards ? followShards(request, base, home, below)
                : PartitionFeed.of(content(request), wholeContent, contexts.all().size(), request.patience());
    }

    private ChangeFeed followShards(SearchRequest request, Dn base, NamingContexts.Context home, List<NamingContexts.Context> others) throws DirectoryException {
        List<PartitionFeed> feeds = new ArrayList<>();
        boolean isOpen = false;
        try {
            feeds.add(feed(content(request, base, home, request.scope()), request));
            // Their copies of the suffix entry are no entries.
            SearchScope scope = request.scope() == SearchScope.SUBTREE ? SearchScope.CHILDREN : request.scope();
            for (NamingContexts.Context each : others) {
                feeds.add(feed(content(request, base, each, scope), request));
            }
            isOpen = true;
            return new ShardsFeed(feeds);
        } finally {
            if (!isOpen) {
                feeds.forEach(PartitionFeed::close);
            }
        }
    }

    private PartitionFeed feed(SearchContent content, SearchRequest request) throws DirectoryException {
        return PartitionFeed.of(content, false, contexts.all().size(), request.patience());
    }

    /** The same errors. */
    public ContentRefresh refresh(SearchRequest request, Csn since) throws DirectoryException {
        SearchContent content = content(request);
        Snapshot snapshot = content.partition().snapshot();
        boolean opened = false;
        try {
            ChangeHistory history = since == null ? ChangeHistory.without(ChangeHistory.Answer.FORGOTTEN)
                    : content.partition().store().feed().changes(since, snapshot);
            ContentRefresh refresh = switch (history.answer()) {
                case FOREIGN -> ContentRefresh.foreign();
                case FORGOTTEN -> all(request, content, snapshot);
                case KNOWN -> changes(request, content, snapshot, history);
            };
            opened = refresh.entries() != null;
            return refresh;
        } finally {
            if (!opened) {
                snapshot.close();
            }
        }
    }

    private ContentRefresh all(SearchRequest request, SearchContent content, Snapshot snapshot) throws DirectoryException {
        SearchRequest resolved = request.withBase(content.base());
        return new ContentRefresh(ContentRefresh.Kind.ALL, snapshot.csn(),
                searches.cursor(resolved, snapshot, new SearchExtents(null, false, resolved)), List.of());
    }

    private static ContentRefresh changes(SearchRequest request, SearchContent content, Snapshot snapshot, ChangeHistory history)
            throws DirectoryException {
        request.patience().hold(history.deleted().size() * IDENTITY_BYTES + history.changed().sizeBytes());
        if (content.partition().resolve(snapshot, content.base()) == HierarchyKeys.NO_PARENT || content.isBaseHidden(snapshot)) {
            throw DirectoryException.noSuchObject(content.base().text(), content.partition().matchedDn(snapshot, content.base()));
        }
        IdSet changed = history.changed().or(subtrees(content.partition(), snapshot, history.renamed()));
        IdSet found = content.of(snapshot, changed);
        List<byte[]> gone = new ArrayList<>(history.deleted());
        IdSet lost = changed.andNot(found);
        request.patience().hold(lost.cardinality() * IDENTITY_BYTES + found.sizeBytes());
        for (IdSet.IdIterator iterator = lost.iterator(); iterator.hasNext();) {
            EntryRecord record = snapshot.entry(iterator.next());
            if (record != null) {
                gone.add(content.partition().indexer().identity(record));
            }
        }
        gone.removeIf(identity -> identity.length == 0);
        return new ContentRefresh(ContentRefresh.Kind.CHANGES, snapshot.csn(), new ContentCursor(content, snapshot, found, request.patience()),
                gone);
    }

    /** The entries and all below them. */
    static IdSet subtrees(Partition partition, Snapshot snapshot, IdSet tops) {
        List<Long> ids = new ArrayList<>();
        for (IdSet.IdIterator iterator = tops.iterator(); iterator.hasNext();) {
            ids.add(iterator.next());
        }
        return partition.tree().subtrees(snapshot, ids);
    }

    private SearchContent content(SearchRequest request) throws DirectoryException {
        Dn base = searches.base(request);
        NamingContexts.Context home = contexts.of(base);
        if (home == null || contexts.all().stream().anyMatch(each ->
                each != home && contexts.isBelow(each.partition(), base, request.scope()))) {
            throw new DirectoryException(ResultCode.UNWILLING_TO_PERFORM, "the changes of a search can be told in one naming"
                    + " context only: name one of "
                    + contexts.all().stream().map(each -> each.partition().suffix().text()).distinct().toList() + ", or an entry below;"
                    + " of one that is distributed over shards, an entry below");
        }
        return content(request, base, home, request.scope());
    }

    private static SearchContent content(SearchRequest request, Dn base, NamingContexts.Context context, SearchScope scope) {
        return new SearchContent(context, base, scope, request.filter(), request.visibility(), request.access());
    }
}
