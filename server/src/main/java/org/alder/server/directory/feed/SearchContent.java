package org.alder.server.directory.feed;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.alder.partition.Partition;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.EntryUuid;
import org.alder.partition.entry.StoredName;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.filter.AttributeAccess;
import org.alder.partition.filter.EntryAccess;
import org.alder.partition.filter.Filter;
import org.alder.partition.id.IdSet;
import org.alder.partition.index.IndexKeys;
import org.alder.partition.index.IndexKind;
import org.alder.partition.index.IndexedAttribute;
import org.alder.partition.query.SearchCursor;
import org.alder.partition.query.SearchCursor.Step;
import org.alder.partition.query.SearchQuery;
import org.alder.partition.request.Patience;
import org.alder.partition.request.SearchScope;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.Snapshot;
import org.alder.partition.tree.EntryView;
import org.alder.server.directory.Visibility;
import org.alder.server.directory.naming.NamingContexts;
import org.roaringbitmap.RoaringBitmap;

/**
 * What a search finds among some entries, at any point in time: a look at these entries, whatever else there is. Aliases and
 * referral objects are the entries they are. Immutable, thread safe.
 */
record SearchContent(NamingContexts.Context context, Dn base, SearchScope scope, Filter filter, Visibility visibility,
                     EntryAccess access) {
    Partition partition() {
        return context.partition();
    }

    /** Those of the entries that the search finds; IDs of entries that are not there are left out. */
    IdSet of(Snapshot snapshot, IdSet ids) throws DirectoryException {
        IdSet candidates = inScope(snapshot, ids);
        if (candidates.isEmpty()) {
            return IdSet.EMPTY;
        }
        RoaringBitmap found = new RoaringBitmap();
        try (SearchCursor cursor = open(snapshot, candidates)) {
            while (cursor.step(Integer.MAX_VALUE) == Step.MATCH) {
                found.add((int) cursor.id());
            }
        }
        return visible(snapshot, IdSet.wrap(found));
    }

    /** The entry with this entryUUID, whether the search finds it or not; none where there is no index to look it up. */
    IdSet having(Snapshot snapshot, byte[] uuid) throws DirectoryException {
        AttributeType type = partition().schema().attributeType("entryUUID");
        IndexedAttribute index = partition().indexer().index(type);
        return index == null || !index.has(IndexKind.EQUALITY) ? IdSet.EMPTY
                : snapshot.ids(index.number(), IndexKeys.equality(type.equality().normalize(EntryUuid.text(uuid))));
    }

    private IdSet visible(Snapshot snapshot, IdSet found) {
        if (found.isEmpty() || visibility == Visibility.BY_SCOPE && scope == SearchScope.BASE) {
            return found;
        }
        IdSet subentries = snapshot.ids(HierarchyKeys.INDEX, HierarchyKeys.subentries());
        return visibility == Visibility.SUBENTRIES ? found.and(subentries) : found.andNot(subentries);
    }

    /** Stands on the entry with this entryUUID as it is now, if the search finds it; else null. @param patience grants the memory for it */
    ContentCursor find(byte[] uuid, Patience patience) throws DirectoryException {
        ContentCursor cursor = null;
        Snapshot now = partition().snapshot();
        try {
            IdSet found = of(now, having(now, uuid));
            if (!found.isEmpty()) {
                ContentCursor onIt = new ContentCursor(this, now, found, patience);
                onIt.step(Integer.MAX_VALUE);
                cursor = onIt;
            }
            return cursor;
        } finally {
            if (cursor == null) {
                now.close();
            }
        }
    }

    /** The entries and all below them. */
    IdSet subtrees(Snapshot snapshot, IdSet tops) {
        List<Long> ids = new ArrayList<>();
        for (IdSet.IdIterator iterator = tops.iterator(); iterator.hasNext();) {
            ids.add(iterator.next());
        }
        return partition().tree().subtrees(snapshot, ids);
    }

    /** Whether who asks may not know of the base. */
    boolean isBaseHidden(Snapshot snapshot) {
        return partition().isHidden(snapshot, base, access);
    }

    /** Whether who asks might know of the entry, as it was, so that he may be told its name. */
    boolean wasKnown(Snapshot before, long id) {
        if (access.everywhere() != null) {
            return true;
        }
        EntryView entry = new EntryView(id, before.entry(id), partition().dnOf(before, id));
        return access.of(partition().candidate(before, entry)) != AttributeAccess.NONE;
    }

    /** @param ids in scope, at least one */
    SearchCursor open(Snapshot snapshot, IdSet ids) throws DirectoryException {
        return partition().search(snapshot, new SearchQuery(base, scope, filter, 0, 0, access).within(ids, IdSet.EMPTY));
    }

    private IdSet inScope(Snapshot snapshot, IdSet ids) {
        long baseId = partition().resolve(snapshot, base);
        if (baseId == HierarchyKeys.NO_PARENT) {
            return IdSet.EMPTY;
        }
        RoaringBitmap kept = new RoaringBitmap();
        Snapshot.EntryLookup names = snapshot.lookup(ids);
        for (IdSet.IdIterator iterator = ids.iterator(); iterator.hasNext();) {
            long id = iterator.next();
            StoredName name = names.name(id);
            boolean possible = name != null && switch (scope) {
                case BASE -> id == baseId;
                case ONE_LEVEL -> name.parentId() == baseId;
                case SUBTREE -> true;
                case CHILDREN -> id != baseId;
            };
            if (possible) {
                kept.add((int) id);
            }
        }
        boolean deep = scope == SearchScope.SUBTREE || scope == SearchScope.CHILDREN;
        return deep ? partition().tree().within(snapshot, IdSet.wrap(kept), Set.of(baseId)) : IdSet.wrap(kept);
    }
}
