package org.alder.partition.jdbm.table;

import java.util.Arrays;
import org.alder.partition.jdbm.block.BlockCache;
import org.alder.partition.jdbm.block.TableCorruptException;

/**
 * Reads one JDBM2 B+Tree, page by page through a cache, without JDBM2's lock. Immutable, thread safe.
 */
final class StoredTree {

    private final MappedRecordManager records;
    private final long tableId;
    private final BlockCache<TreePage> cache;
    private final long headerId;
    private final TreeHeader header;

    StoredTree(MappedRecordManager records, long tableId, BlockCache<TreePage> cache, long headerId) {
        this.records = records;
        this.tableId = tableId;
        this.cache = cache;
        this.headerId = headerId;
        this.header = TreeHeader.read(records, headerId);
    }

    TreeHeader header() {
        return header;
    }

    MappedRecordManager records() {
        return records;
    }

    TableCorruptException corrupt(String foundAndExpected) {
        return records.corrupt(headerId, "B+Tree: " + foundAndExpected);
    }

    /** Returns the leaf that holds the first key at or above the given one, or would; null in an empty tree. */
    TreePage leafFor(byte[] key) {
        records.requireOpen();
        if (header.height() == 0) {
            return null;
        }
        TreePage parent = leafParentFor(key);
        return parent == null ? page(header.rootId(), true) : leafBelow(parent, key);
    }

    /** Returns the page above the leaf for the key; null where the tree has less than two levels. */
    TreePage leafParentFor(byte[] key) {
        if (header.height() < 2) {
            return null;
        }
        TreePage page = page(header.rootId(), false);
        for (int level = header.height() - 1; level > 1; level--) {
            page = page(page.child(slotFor(page, key)), false);
        }
        return page;
    }

    TreePage leafBelow(TreePage parent, byte[] key) {
        return page(parent.child(slotFor(parent, key)), true);
    }

    /** Returns the first slot at or above the key; there is one, because the page above said so or "above all keys" is there. */
    int slotFor(TreePage page, byte[] key) {
        int slot = page.slotAtOrAbove(key);
        if (slot == page.size()) {
            throw records.corrupt(page.recordId(), "B+Tree page: all keys are below one that the page above leads to it");
        }
        return slot;
    }

    /** Returns the page after this leaf; null where it is the last. */
    TreePage nextLeaf(TreePage leaf) {
        if (leaf.next() == 0) {
            return null;
        }
        TreePage next = page(leaf.next(), true);
        byte[] last = leaf.lastKey();
        if (last == null || next.hasKey(0) && Arrays.compareUnsigned(last, next.key(0)) >= 0) {
            throw records.corrupt(next.recordId(), "B+Tree page: its keys are not above those of the leaf before it");
        }
        return next;
    }

    TreePage page(long recordId, boolean leaf) {
        TreePage page = cache.get(tableId, recordId);
        if (page == null) {
            page = TreePage.read(records, recordId, header.pageSize());
            cache.put(tableId, recordId, page);
        }
        if (page.isLeaf() != leaf) {
            throw records.corrupt(recordId, "B+Tree page: found " + (leaf ? "an inner page, expected a leaf"
                : "a leaf, expected an inner page"));
        }
        return page;
    }

    /**
     * For walks over all pages: one that led back to a page above it would have more ways down than there is time for, so each has to
     * be the one that its key says.
     *
     * @param largestKey what the page above has for it, null for "above all keys"
     */
    TreePage page(long recordId, boolean leaf, byte[] largestKey) {
        TreePage page = page(recordId, leaf);
        if (!Arrays.equals(page.lastKey(), largestKey)) {
            throw records.corrupt(recordId, "B+Tree page: its largest key is not the one that the page above has for it");
        }
        return page;
    }

    /** Reads the pages above the leaves into the cache. */
    void loadInnerPages() {
        if (header.height() > 1) {
            loadInnerPages(header.rootId(), header.height(), null);
        }
    }

    private void loadInnerPages(long recordId, int height, byte[] largestKey) {
        TreePage page = page(recordId, false, largestKey);
        for (int slot = 0; height > 2 && slot < page.size(); slot++) {
            loadInnerPages(page.child(slot), height - 1, page.key(slot));
        }
    }
}
