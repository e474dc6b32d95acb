package org.alder.partition.query.order;

import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.id.IdSet;
import org.alder.partition.query.SearchCursor.Step;
import org.roaringbitmap.RoaringBitmap;

/** Entries in the order of their values, which were read from them. What is kept is their places, in bounded memory. */
final class RecordGroups implements EntryGroups {
    private static final long MOST_BYTES = 32L << 20;
    private static final int GROUP_BYTES = 250;
    private static final int ENTRY_BYTES = 8;

    private final TreeMap<byte[], RoaringBitmap> groups;
    private Iterator<Map.Entry<byte[], RoaringBitmap>> iterator;
    private Map.Entry<byte[], RoaringBitmap> current;
    private long bytes;

    RecordGroups() {
        this(new TreeMap<>(Arrays::compareUnsigned));
    }

    private RecordGroups(TreeMap<byte[], RoaringBitmap> groups) {
        this.groups = groups;
    }

    /** Before the first step only. @throws DirectoryException adminLimitExceeded if the memory is used up */
    void add(byte[] key, long id) throws DirectoryException {
        RoaringBitmap ids = groups.get(key);
        if (ids == null) {
            ids = new RoaringBitmap();
            groups.put(key, ids);
            bytes += GROUP_BYTES + key.length;
        }
        ids.add((int) id);
        bytes += ENTRY_BYTES;
        if (bytes > MOST_BYTES) {
            throw new DirectoryException(ResultCode.ADMIN_LIMIT_EXCEEDED,
                    "the entries found are too many to be sorted in memory, and no index has them in this order");
        }
    }

    long bytes() {
        return bytes;
    }

    @Override
    public Step next(int most) {
        iterator = iterator == null ? groups.entrySet().iterator() : iterator;
        current = iterator.hasNext() ? iterator.next() : null;
        return current == null ? Step.END : Step.MATCH;
    }

    @Override
    public byte[] key() {
        return current.getKey();
    }

    @Override
    public IdSet ids() {
        return IdSet.wrap(current.getValue());
    }

    @Override
    public boolean isReverse() {
        return false;
    }

    @Override
    public boolean isMissing() {
        return false;
    }

    @Override
    public EntryGroups again() {
        return new RecordGroups(groups);
    }

    @Override
    public void close() {
        current = null;
    }
}
