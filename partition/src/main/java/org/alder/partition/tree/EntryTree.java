package org.alder.partition.tree;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.alder.partition.dn.Dn;
import org.alder.partition.dn.Rdn;
import org.alder.partition.entry.StoredName;
import org.alder.partition.error.StoreException;
import org.alder.partition.id.IdSet;
import org.alder.partition.schema.NameParser;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.Snapshot;
import org.roaringbitmap.RoaringBitmap;

/** Finds entries by DN and DNs by entry, in the hierarchy index of a snapshot. Immutable, thread safe. */
public final class EntryTree {
    /** No entry is as deep as that (maxEntryDepth): a longer way up is a loop. */
    private static final int MAX_DEPTH = 2 * NameParser.MAX_RDNS;
    /** So many levels below the suffix the way down costs more than to remember where it led. */
    private static final int MIN_LEVELS_TO_REMEMBER = 2;

    private final Dn suffix;
    private final Shard shard;

    /** All entries of a naming context. @param suffix not the root */
    public EntryTree(Dn suffix) {
        this(suffix, Shard.WHOLE);
    }

    /** Those of a shard. @param suffix not the root */
    public EntryTree(Dn suffix, Shard shard) {
        if (suffix.isRoot()) {
            throw new IllegalArgumentException("the suffix of a partition is the root DN, expected at least one RDN");
        }
        this.suffix = suffix;
        this.shard = shard;
    }

    public Dn suffix() {
        return suffix;
    }

    /** Which of the names below the suffix these are. */
    public Shard shard() {
        return shard;
    }

    /** @return 0 if there is no such entry */
    public long resolve(Snapshot snapshot, Dn dn) {
        if (dn.size() - suffix.size() < MIN_LEVELS_TO_REMEMBER || !dn.isDescendantOrSelf(suffix)) {
            return whole(dn, path(snapshot, dn));
        }
        byte[] parentDn = dn.normalizedParent();
        long parent = snapshot.dnMemo().id(parentDn);
        long known = parent == HierarchyKeys.NO_PARENT ? HierarchyKeys.NO_PARENT : child(snapshot, parent, dn.rdn());
        return known == HierarchyKeys.NO_PARENT ? resolveAll(snapshot, dn, parentDn) : known;
    }

    private long resolveAll(Snapshot snapshot, Dn dn, byte[] parentDn) {
        List<Long> path = path(snapshot, dn);
        long id = whole(dn, path);
        if (id != HierarchyKeys.NO_PARENT) {
            snapshot.dnMemo().putId(parentDn, path.get(path.size() - 2));
        }
        return id;
    }

    private long whole(Dn dn, List<Long> path) {
        boolean isWhole = !path.isEmpty() && path.size() == dn.size() - suffix.size() + 1;
        return isWhole ? path.get(path.size() - 1) : HierarchyKeys.NO_PARENT;
    }

    /** @return the deepest existing entry at or above the DN, or 0 */
    public long deepestExisting(Snapshot snapshot, Dn dn) {
        List<Long> path = path(snapshot, dn);
        return path.isEmpty() ? HierarchyKeys.NO_PARENT : path.get(path.size() - 1);
    }

    /** The IDs from the suffix entry down to the DN's, as far as there are entries; empty for a DN outside of the suffix. */
    public List<Long> path(Snapshot snapshot, Dn dn) {
        List<Long> path = new ArrayList<>();
        if (!dn.isDescendantOrSelf(suffix)) {
            return path;
        }
        long parent = HierarchyKeys.NO_PARENT;
        for (int fromLeaf = dn.size() - suffix.size(); fromLeaf >= 0; fromLeaf--) {
            parent = child(snapshot, parent, dn.rdn(fromLeaf));
            if (parent == HierarchyKeys.NO_PARENT) {
                return path;
            }
            path.add(parent);
        }
        return path;
    }

    /** Those of the entries that are below one of the bases, or are one. All are there. */
    public IdSet within(Snapshot snapshot, IdSet ids, Collection<Long> bases) {
        SubtreeTest test = new SubtreeTest(snapshot, bases);
        Snapshot.EntryLookup names = snapshot.lookup(ids);
        RoaringBitmap within = new RoaringBitmap();
        for (IdSet.IdIterator iterator = ids.iterator(); iterator.hasNext();) {
            long id = iterator.next();
            if (bases.contains(id) || test.isBelow(required(names.name(id), id, id).parentId())) {
                within.add((int) id);
            }
        }
        return IdSet.wrap(within);
    }

    /** The entries below the bases, and the bases themselves. Bases that are not there are left out. */
    public IdSet subtrees(Snapshot snapshot, Collection<Long> bases) {
        RoaringBitmap all = new RoaringBitmap();
        for (long base : bases) {
            if (!all.contains((int) base) && snapshot.name(base) != null) {
                all.or(ScopeSet.subtree(snapshot, base, true, Long.MAX_VALUE, Long.MAX_VALUE).bitmap());
            }
        }
        return IdSet.wrap(all);
    }

    private static long child(Snapshot snapshot, long parent, Rdn rdn) {
        IdSet found = snapshot.ids(HierarchyKeys.INDEX, HierarchyKeys.rdn(parent, rdn.normalized()));
        return found.isEmpty() ? HierarchyKeys.NO_PARENT : found.iterator().next();
    }

    /**
     * The entry's DN as it is spelt. Remembers those of parents, not the entry's.
     *
     * @throws StoreException CORRUPT if an entry is missing
     */
    public String dnOf(Snapshot snapshot, long id) {
        return dnOf(snapshot, required(snapshot.name(id), id, id));
    }

    public String dnOf(Snapshot snapshot, StoredName name) {
        return name.rdn() + tail(snapshot, name.parentId());
    }

    /** What follows the RDN of the parent's children: a comma and the parent's DN. */
    public String tail(Snapshot snapshot, long parentId) {
        if (parentId == HierarchyKeys.NO_PARENT) {
            return suffix.size() == 1 ? "" : "," + suffix.parent().text();
        }
        String known = snapshot.dnMemo().get(parentId);
        return "," + (known == null ? remember(snapshot, parentId) : known);
    }

    /** Goes up to the first DN that is known and comes down again. */
    private String remember(Snapshot snapshot, long id) {
        List<Long> ids = new ArrayList<>();
        List<String> rdns = new ArrayList<>();
        long up = id;
        String dn = null;
        while (up != HierarchyKeys.NO_PARENT && dn == null) {
            StoredName name = required(snapshot.name(up), up, id);
            ids.add(up);
            rdns.add(name.rdn());
            up = name.parentId();
            dn = up == HierarchyKeys.NO_PARENT ? null : snapshot.dnMemo().get(up);
            if (ids.size() > MAX_DEPTH) {
                throw new StoreException(StoreException.Kind.CORRUPT, "the parents of entry " + id + " are a loop");
            }
        }
        String tail = dn == null ? tail(snapshot, HierarchyKeys.NO_PARENT) : "," + dn;
        for (int i = ids.size() - 1; i >= 0; i--) {
            dn = rdns.get(i) + tail;
            snapshot.dnMemo().put(ids.get(i), dn);
            tail = "," + dn;
        }
        return dn;
    }

    private static StoredName required(StoredName name, long id, long leaf) {
        if (name == null) {
            throw new StoreException(StoreException.Kind.CORRUPT, "there is no entry " + id + (id == leaf ? ""
                    : ", which is above entry " + leaf));
        }
        return name;
    }
}
