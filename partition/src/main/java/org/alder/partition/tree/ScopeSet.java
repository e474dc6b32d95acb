package org.alder.partition.tree;

import org.alder.partition.id.IdSet;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.Snapshot;
import org.roaringbitmap.RoaringBitmap;

/** Puts the entries below a base together from the children sets of the entries that have children. */
public final class ScopeSet {
    private ScopeSet() {
    }

    /**
     * All entries below the base, and the base itself if asked.
     *
     * @param maxKeys how many children sets may be read
     * @param maxIds how many IDs they may hold
     * @return null if that is not enough
     */
    public static IdSet subtree(Snapshot snapshot, long base, boolean withBase, long maxKeys, long maxIds) {
        IdSet nonLeaf = snapshot.ids(HierarchyKeys.INDEX, HierarchyKeys.nonLeaf());
        RoaringBitmap all = new RoaringBitmap();
        RoaringBitmap open = IdSet.of(base).bitmap();
        long keys = 0;
        long ids = 0;
        while (!open.isEmpty()) {
            keys += open.getLongCardinality();
            RoaringBitmap level = keys > maxKeys ? null : children(snapshot, open, maxIds - ids);
            if (level == null) {
                return null;
            }
            ids += level.getLongCardinality();
            all.or(level);
            open = RoaringBitmap.and(level, nonLeaf.bitmap());
        }
        return withBase ? IdSet.wrap(all).or(IdSet.of(base)) : IdSet.wrap(all);
    }

    /** Whether there are entries more than so many levels below the base. It is itself at level 0. */
    public static boolean isDeeper(Snapshot snapshot, long base, int levels) {
        if (levels < 0 || snapshot.cardinality(HierarchyKeys.INDEX, HierarchyKeys.children(base)) == 0) {
            return levels < 0;
        }
        IdSet nonLeaf = snapshot.ids(HierarchyKeys.INDEX, HierarchyKeys.nonLeaf());
        if (nonLeaf.cardinality() <= levels) {
            return false; // Each level but the last has one of them: no need to walk down.
        }
        RoaringBitmap open = IdSet.of(base).bitmap();
        for (int level = 0; level < levels && !open.isEmpty(); level++) {
            open = RoaringBitmap.and(children(snapshot, open, Long.MAX_VALUE), nonLeaf.bitmap());
        }
        return !open.isEmpty();
    }

    private static RoaringBitmap children(Snapshot snapshot, RoaringBitmap parents, long maxIds) {
        RoaringBitmap children = new RoaringBitmap();
        long ids = 0;
        for (IdSet.IdIterator parent = IdSet.wrap(parents).iterator(); parent.hasNext();) {
            byte[] key = HierarchyKeys.children(parent.next());
            ids += snapshot.cardinality(HierarchyKeys.INDEX, key);
            if (ids > maxIds) {
                return null;
            }
            children.or(snapshot.ids(HierarchyKeys.INDEX, key).bitmap());
        }
        return children;
    }
}
