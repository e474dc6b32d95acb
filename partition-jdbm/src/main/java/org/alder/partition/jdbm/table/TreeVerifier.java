package org.alder.partition.jdbm.table;

import org.alder.partition.jdbm.block.TableCorruptException;

/**
 * Walks one B+Tree from its root and proves that it is well-formed: depth, order, the keys above each page, the chain of
 * leaves, the number of tuples. One thread, used once.
 */
final class TreeVerifier {

    private final StoredTree tree;
    private TreePage lastLeaf;
    private long tupleCount;

    private TreeVerifier(StoredTree tree) {
        this.tree = tree;
    }

    static void verify(StoredTree tree) {
        TreeHeader header = tree.header();
        TreeVerifier verifier = new TreeVerifier(tree);
        if (header.height() > 0) {
            verifier.walk(header.rootId(), header.height(), null);
            verifier.requireEndOfChain();
        }
        if (verifier.tupleCount != header.tupleCount()) {
            throw tree.corrupt("found " + verifier.tupleCount + " tuples, the tree's header counts " + header.tupleCount());
        }
    }

    private void walk(long recordId, int level, byte[] largestKey) {
        TreePage page = tree.page(recordId, level == 1, largestKey);
        if (level == 1) {
            visitLeaf(page);
            return;
        }
        for (int slot = 0; slot < page.size(); slot++) {
            walk(page.child(slot), level - 1, page.key(slot));
        }
    }

    private void visitLeaf(TreePage leaf) {
        long expectedPrevious = lastLeaf == null ? 0 : lastLeaf.recordId();
        if (leaf.previous() != expectedPrevious) {
            throw corrupt(leaf, "the leaf before it is " + leaf.previous() + ", in tree order it is " + expectedPrevious);
        }
        if (lastLeaf != null) {
            requireAfter(lastLeaf, leaf);
        }
        tupleCount += leaf.lastKey() == null ? leaf.size() - 1 : leaf.size();
        lastLeaf = leaf;
    }

    private void requireAfter(TreePage before, TreePage leaf) {
        if (before.next() != leaf.recordId()) {
            throw corrupt(before, "the leaf after it is " + before.next() + ", in tree order it is " + leaf.recordId());
        }
        tree.nextLeaf(before);
    }

    private void requireEndOfChain() {
        if (lastLeaf.next() != 0) {
            throw corrupt(lastLeaf, "it is the last leaf in tree order, but leads on to " + lastLeaf.next());
        }
    }

    private TableCorruptException corrupt(TreePage page, String foundAndExpected) {
        return tree.records().corrupt(page.recordId(), "B+Tree page: " + foundAndExpected);
    }
}
