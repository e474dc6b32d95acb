package org.alder.partition.jdbm.table;

/** Walks the tuples of a {@link StoredTree} in ascending order. One thread at a time. */
final class TreeCursor {

    private final StoredTree tree;
    private TreePage leaf;
    /** The page above the leaf last sought, so that the way to one nearby is short; null in trees of one level. */
    private TreePage parent;
    private int slot;

    TreeCursor(StoredTree tree) {
        this.tree = tree;
    }

    /** Stands on the first tuple at or above the key; false where there is none. */
    boolean seek(byte[] key) {
        if (leaf == null || !leaf.spans(key)) {
            parent = parent != null && parent.spans(key) ? parent : tree.leafParentFor(key);
            leaf = parent == null ? tree.leafFor(key) : tree.leafBelow(parent, key);
        }
        if (leaf == null) {
            return false;
        }
        slot = tree.slotFor(leaf, key);
        return standsOnTuple();
    }

    /** Steps to the next tuple; false at the end. Only while the cursor stands on a tuple. */
    boolean next() {
        slot++;
        if (slot == leaf.size()) {
            leaf = tree.nextLeaf(leaf);
            slot = 0;
        }
        return leaf != null && standsOnTuple();
    }

    private boolean standsOnTuple() {
        if (!leaf.hasKey(slot)) {
            leaf = null;
            return false;
        }
        return true;
    }

    byte[] key() {
        return leaf.key(slot);
    }

    byte[] value() {
        return leaf.value(slot);
    }
}
