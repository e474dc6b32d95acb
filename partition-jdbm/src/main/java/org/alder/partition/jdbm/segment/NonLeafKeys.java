package org.alder.partition.jdbm.segment;

import org.alder.partition.error.StoreException;
import org.alder.partition.id.IdSet;
import org.alder.partition.jdbm.layer.IdSetDelta;
import org.alder.partition.jdbm.layer.KeyDeltaCursor;
import org.alder.partition.store.HierarchyKeys;
import org.roaringbitmap.RoaringBitmap;

/**
 * The hierarchy's keys with {@link HierarchyKeys#nonLeaf()} put in where it belongs: right behind the children keys, whose
 * parents are its IDs. For a load into an empty store, where every parent has been loaded too. One thread.
 */
final class NonLeafKeys implements KeyDeltaCursor {
    private final KeyDeltaCursor keys;
    private final RoaringBitmap parents = new RoaringBitmap();
    /** What {@link #next()} must step to after the set of parents. */
    private boolean keyAhead;
    private IdSetDelta nonLeaf;
    private boolean onNonLeaf;

    NonLeafKeys(KeyDeltaCursor keys) {
        this.keys = keys;
    }

    @Override
    public boolean next() {
        if (onNonLeaf) {
            onNonLeaf = false;
            return keyAhead;
        }
        boolean found = keys.next();
        if (found && HierarchyKeys.isChildren(keys.key())) {
            addParent(HierarchyKeys.parentOf(keys.key()));
        } else if (nonLeaf == null) {
            nonLeaf = IdSetDelta.adding(IdSet.wrap(parents));
            keyAhead = found;
            onNonLeaf = true;
            return !nonLeaf.isEmpty() || next();
        }
        if (found) {
            requireOneName();
        }
        return found;
    }

    /** Entries whose names were different may have the same one by another rule. */
    private void requireOneName() {
        if (HierarchyKeys.isRdn(keys.key()) && keys.netCardinality() > 1) {
            throw new StoreException(StoreException.Kind.REFUSED, "the entries with the IDs " + keys.delta().added()
                    + ", all below the entry with the ID " + HierarchyKeys.parentOf(keys.key())
                    + ", have the same name by the schema there is now: take back the change of the schema, and rename all but"
                    + " one of them");
        }
    }

    private void addParent(long parentId) {
        if (nonLeaf != null) {
            throw new StoreException(StoreException.Kind.CORRUPT, "the children key of entry " + parentId
                    + " came behind other keys");
        }
        if (parentId != HierarchyKeys.NO_PARENT) {
            parents.add((int) parentId);
        }
    }

    @Override
    public byte[] key() {
        return onNonLeaf ? HierarchyKeys.nonLeaf() : keys.key();
    }

    @Override
    public IdSetDelta delta() {
        return onNonLeaf ? nonLeaf : keys.delta();
    }

    @Override
    public long netCardinality() {
        return onNonLeaf ? nonLeaf.netCardinality() : keys.netCardinality();
    }
}
