package org.alder.server.directory.feed;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.GivenUpException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.request.SearchScope;
import org.alder.partition.store.ChangeHistory;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.Snapshot;
import org.alder.server.directory.ChangeFeed;
import org.alder.server.directory.ContentRefresh;
import org.alder.server.directory.ContentState;
import org.alder.server.directory.SearchRequest;
import org.alder.server.directory.naming.NamingContexts;
import org.alder.server.directory.search.PartitionSearch;
import org.alder.server.directory.search.SearchExtents;

/**
 * Searches whose content is followed or copied, in one partition or all shards of a naming context, referral objects and aliases being
 * entries. Thread safe.
 */
public final class ContentSearches {
    private final NamingContexts contexts;
    private final PartitionSearch searches;

    public ContentSearches(NamingContexts contexts, PartitionSearch searches) {
        this.contexts = contexts;
        this.searches = searches;
    }

    /** @throws DirectoryException noSuchObject, referral, unwillingToPerform for a scope that is not in one naming context */
    public ChangeFeed follow(SearchRequest request, boolean wholeContent) throws DirectoryException {
        List<PartitionFeed> feeds = new ArrayList<>(1);
        boolean isOpen = false;
        try {
            for (SearchContent each : contents(request)) {
                feeds.add(PartitionFeed.of(each, wholeContent, contexts.all().size(), request.patience()));
            }
            isOpen = true;
            return feeds.size() == 1 ? feeds.get(0) : new ShardsFeed(feeds, wholeContent, request.patience());
        } finally {
            if (!isOpen) {
                feeds.forEach(PartitionFeed::close);
            }
        }
    }

    /** The same errors. */
    public ContentRefresh refresh(SearchRequest request, ContentState since) throws DirectoryException {
        List<SearchContent> contents = contents(request);
        List<Snapshot> snapshots = new ArrayList<>(contents.size());
        boolean opened = false;
        try {
            for (SearchContent each : contents) {
                snapshots.add(each.partition().snapshot());
            }
            ContentRefresh refresh = refresh(request, since, contents, snapshots);
            opened = refresh.entries() != null;
            return refresh;
        } finally {
            if (!opened) {
                snapshots.forEach(Snapshot::close);
            }
        }
    }

    /** Shards of which one does not know what was changed are told whole, as if none knew. */
    private ContentRefresh refresh(SearchRequest request, ContentState since, List<SearchContent> contents, List<Snapshot> snapshots)
            throws DirectoryException {
        if (since == null) {
            return all(request, contents, snapshots);
        } else if (since.commits().size() != contents.size()) {
            return ContentRefresh.foreign();
        }
        requireBase(contents.get(0), snapshots.get(0));
        List<StoreChanges> changes = new ArrayList<>(contents.size());
        int gone = 0;
        for (int i = 0; i < contents.size(); i++) {
            ChangeHistory history = contents.get(i).partition().store().feed().changes(since.commits().get(i), snapshots.get(i));
            if (history.answer() == ChangeHistory.Answer.FOREIGN) {
                return ContentRefresh.foreign();
            } else if (history.answer() == ChangeHistory.Answer.FORGOTTEN) {
                return all(request, contents, snapshots);
            }
            changes.add(new StoreChanges(contents.get(i), snapshots.get(i), history, request.patience()));
            gone += changes.get(i).gone().size();
            if (i > 0 && gone > ChangeHistory.MOST_DELETED) {
                return all(request, contents, snapshots);
            }
        }
        return changes(request, changes, snapshots);
    }

    private ContentRefresh all(SearchRequest request, List<SearchContent> contents, List<Snapshot> snapshots) throws DirectoryException {
        Map<NamingContexts.Context, Snapshot> opened = new HashMap<>();
        for (int i = 0; i < contents.size(); i++) {
            opened.put(contents.get(i).context(), snapshots.get(i));
        }
        SearchRequest resolved = request.withBase(contents.get(0).base());
        return new ContentRefresh(ContentRefresh.Kind.ALL, state(snapshots),
                searches.cursor(resolved, opened::get, new SearchExtents(null, false, resolved)), List.of());
    }

    private static ContentState state(List<Snapshot> snapshots) {
        return new ContentState(snapshots.stream().map(Snapshot::csn).toList());
    }

    private static ContentRefresh changes(SearchRequest request, List<StoreChanges> changes, List<Snapshot> snapshots) throws DirectoryException {
        List<byte[]> gone = new ArrayList<>();
        changes.forEach(each -> gone.addAll(each.gone()));
        Set<ByteBuffer> here = new HashSet<>();
        try {
            for (StoreChanges each : changes) {
                here.addAll(each.here(gone));
            }
        } catch (GivenUpException e) {
            throw e.result();
        }
        gone.removeIf(identity -> here.contains(ByteBuffer.wrap(identity)));
        return new ContentRefresh(ContentRefresh.Kind.CHANGES, state(snapshots),
                new ContentCursor(changes.stream().map(StoreChanges::part).toList(), request.patience()), gone);
    }

    private static void requireBase(SearchContent content, Snapshot snapshot) throws DirectoryException {
        if (content.partition().resolve(snapshot, content.base()) == HierarchyKeys.NO_PARENT || content.isBaseHidden(snapshot)) {
            throw DirectoryException.noSuchObject(content.base().text(), content.partition().matchedDn(snapshot, content.base()));
        }
    }

    /** What is told in each store: that of the base first, the other shards in their order. */
    private List<SearchContent> contents(SearchRequest request) throws DirectoryException {
        Dn base = searches.base(request);
        NamingContexts.Context home = contexts.of(base);
        List<NamingContexts.Context> others = home == null ? List.of() : contexts.below(base, request.scope());
        if (home == null || others.stream().anyMatch(each -> !each.partition().suffix().equals(home.partition().suffix()))) {
            throw new DirectoryException(ResultCode.UNWILLING_TO_PERFORM, "the changes of a search can be told in one naming"
                    + " context only: name one of "
                    + contexts.all().stream().map(each -> each.partition().suffix().text()).distinct().toList() + ", or an entry below");
        }
        List<SearchContent> contents = new ArrayList<>(1 + others.size());
        contents.add(content(request, base, home, request.scope()));
        // Their copies of the suffix entry are no entries.
        SearchScope scope = request.scope() == SearchScope.SUBTREE ? SearchScope.CHILDREN : request.scope();
        others.forEach(each -> contents.add(content(request, base, each, scope)));
        return contents;
    }

    private static SearchContent content(SearchRequest request, Dn base, NamingContexts.Context context, SearchScope scope) {
        return new SearchContent(context, base, scope, request.filter(), request.visibility(), request.access());
    }
}
