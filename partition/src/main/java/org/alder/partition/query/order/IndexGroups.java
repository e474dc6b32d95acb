package org.alder.partition.query.order;

import org.alder.partition.id.IdSet;
import org.alder.partition.index.IndexKeys;
import org.alder.partition.index.IndexedAttribute;
import org.alder.partition.query.SearchCursor.Step;
import org.alder.partition.request.SortOrder;
import org.alder.partition.store.Snapshot;
import org.roaringbitmap.RoaringBitmap;

/**
 * Entries in the order in which an index has their values: an entry is met first under its least value. No entry is looked at;
 * what is kept is which were met.
 */
public final class IndexGroups implements EntryGroups {
    private final Snapshot snapshot;
    private final IndexedAttribute index;
    private final SortOrder order;
    private final IdSet among;
    private final Snapshot.KeyCursor keys;
    private final RoaringBitmap met = new RoaringBitmap();
    private byte[] key;
    private IdSet ids = IdSet.EMPTY;
    private boolean missing;

    public IndexGroups(Snapshot snapshot, IndexedAttribute index, SortOrder order, IdSet among) {
        this.snapshot = snapshot;
        this.index = index;
        this.order = order;
        this.among = among;
        this.keys = snapshot.keys(index.number(), IndexKeys.equalityRange(null, null));
    }

    /** Whether the index knows this order: the attribute's, by a rule whose normal forms it has, and no form that is too long. */
    public static boolean serves(Snapshot snapshot, IndexedAttribute index, SortOrder.Part part) {
        if (index == null || !index.isOrderedBy(part.rule())) {
            return false;
        }
        try (Snapshot.KeyCursor keys = snapshot.keys(index.number(), IndexKeys.longEqualityRange(null, null))) {
            return !keys.next();
        }
    }

    @Override
    public Step next(int most) {
        for (int i = 0; i < most && !missing; i++) {
            if (!keys.next()) {
                return missing();
            }
            if (meet()) {
                key = order.keyOf(IndexKeys.form(keys.key()));
                return Step.MATCH;
            }
        }
        return missing ? Step.END : Step.PAUSED;
    }

    /** Takes those entries of the key that were not met before. Returns whether there are any. */
    private boolean meet() {
        IdSet all = keys.ids();
        if (all.cardinality() == 1) {
            long id = all.iterator().next();
            ids = all;
            return among.contains(id) && met.checkedAdd((int) id);
        }
        RoaringBitmap fresh = RoaringBitmap.and(all.bitmap(), among.bitmap());
        fresh.andNot(met);
        met.or(fresh);
        ids = IdSet.wrap(fresh);
        return !ids.isEmpty();
    }

    private Step missing() {
        missing = true;
        ids = among.andNot(IdSet.wrap(met));
        key = order.keyOf(null);
        return ids.isEmpty() ? Step.END : Step.MATCH;
    }

    @Override
    public byte[] key() {
        return key;
    }

    @Override
    public IdSet ids() {
        return ids;
    }

    @Override
    public boolean isReverse() {
        return order.parts().get(0).reverse();
    }

    @Override
    public long heldBytes() {
        return met.getLongSizeInBytes();
    }

    @Override
    public EntryGroups again() {
        return new IndexGroups(snapshot, index, order, among);
    }

    @Override
    public void close() {
        keys.close();
    }
}
