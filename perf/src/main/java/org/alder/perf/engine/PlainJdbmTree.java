package org.alder.perf.engine;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import jdbm.btree.BTree;
import jdbm.helper.MRU;
import jdbm.recman.BaseRecordManager;
import jdbm.recman.CacheRecordManager;
import org.alder.partition.jdbm.table.ByteKeyComparator;
import org.alder.partition.jdbm.table.ByteKeySerializer;

/**
 * JDBM2's own B+Tree on JDBM2's own record manager and cache, one tuple for each key: what the benchmark of key look-ups holds the
 * store's tables against. One thread. Owns its file handle until it is closed.
 */
final class PlainJdbmTree implements Closeable {
    private static final String TREE = "tree";
    private static final int PAGE_TUPLES = 16;
    private static final int COMMIT_TUPLES = 1000;

    private final BaseRecordManager base;
    private final BTree<byte[], byte[]> tree;

    private PlainJdbmTree(BaseRecordManager base, BTree<byte[], byte[]> tree) {
        this.base = base;
        this.tree = tree;
    }

    /**
     * Builds a file, not synced: for measurements only.
     *
     * @param file without suffix; JDBM2 adds one
     * @param ascendingKeys each gets its position in the list, 8 bytes big endian, as its value
     */
    static void build(Path file, List<byte[]> ascendingKeys) throws IOException {
        BaseRecordManager records = new BaseRecordManager(file.toString());
        records.disableTransactions();
        CacheRecordManager cached = cached(records, COMMIT_TUPLES);
        BTree<byte[], byte[]> tree = new BTree<>(cached, ByteKeyComparator.INSTANCE, ByteKeySerializer.INSTANCE,
            ByteKeySerializer.INSTANCE, PAGE_TUPLES);
        cached.setNamedObject(TREE, tree.getRecordId());
        long position = 0;
        for (byte[] key : ascendingKeys) {
            tree.insert(key, ByteBuffer.allocate(Long.BYTES).putLong(position++).array(), true);
            if (position % COMMIT_TUPLES == 0) {
                cached.commit();
            }
        }
        cached.commit();
        cached.close();
    }

    /** @param cachedObjects how many pages JDBM2 may keep decoded; its own default is 1000 */
    static PlainJdbmTree open(Path file, int cachedObjects) throws IOException {
        BaseRecordManager records = new BaseRecordManager(file.toString());
        CacheRecordManager cached = cached(records, cachedObjects);
        BTree<byte[], byte[]> tree = new BTree<byte[], byte[]>().load(cached, cached.getNamedObject(TREE));
        return new PlainJdbmTree(records, tree);
    }

    private static CacheRecordManager cached(BaseRecordManager records, int cachedObjects) {
        return new CacheRecordManager(records, new MRU<>(cachedObjects));
    }

    /** Returns the key's position in the list the tree was built from, or -1 where it is not one of them. */
    long find(byte[] key) throws IOException {
        byte[] value = tree.find(key);
        return value == null ? -1 : ByteBuffer.wrap(value).getLong();
    }

    @Override
    public void close() throws IOException {
        base.close();
    }
}
