package org.alder.partition.check;

import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import org.alder.partition.id.IdSet;
import org.alder.partition.store.KeyRange;
import org.alder.partition.store.Snapshot;

/**
 * Sums of what a snapshot shows, to compare stores that are to hold the same as of the same transaction ({@link StateAt}). Equal content has
 * equal sums, however it is stored; of different content hardly any has. Entries are summed up in blocks of IDs, so that
 * each may be compared at another time, and a difference is found within a block; the keys of an index in buckets. Each call reads
 * what it sums, and nothing else, in memory that does not grow. Stateless.
 *
 * <p>Values outside of records are in index 1, the value table, so entries alone do not show their differences. Replicas whose configuration
 * makes other attributes large differ.
 */
public final class StoreDigest {
    /** How many IDs a block has. */
    public static final int BLOCK_IDS = 4096;
    /** How many buckets the keys of an index are in. */
    public static final int BUCKETS = 256;

    private static final int BUCKET_SHIFT = 64 - 8;

    private StoreDigest() {
    }

    /** What was summed up: how much, and two independent sums. */
    public record Sum(long count, long first, long second) {
        public static final Sum NOTHING = new Sum(0, 0, 0);

        Sum plus(long hash, long id) {
            return new Sum(count + 1, first + PostingSums.first(hash, id), second + PostingSums.second(hash, id));
        }
    }

    /** The block that an entry is in. */
    public static long blockOf(long id) {
        return id / BLOCK_IDS;
    }

    /**
     * The sums of the blocks that have entries, by block.
     *
     * @param firstBlock where to begin
     * @param blocks     how many blocks to look at
     * @param read       told the bytes of each entry read; may wait, so that others can work
     */
    public static SortedMap<Long, Sum> entries(Snapshot snapshot, long firstBlock, long blocks, LongConsumer read) {
        SortedMap<Long, Sum> sums = new TreeMap<>();
        long end = (firstBlock + blocks) * BLOCK_IDS;
        try (Snapshot.EntryCursor cursor = snapshot.entries(firstBlock * BLOCK_IDS)) {
            while (cursor.next() && cursor.id() < end) {
                byte[] bytes = cursor.entry().bytes();
                long id = cursor.id();
                sums.merge(blockOf(id), Sum.NOTHING.plus(PostingSums.hash(0, bytes), id), StoreDigest::join);
                read.accept(bytes.length);
            }
        }
        return sums;
    }

    private static Sum join(Sum left, Sum right) {
        return new Sum(left.count + right.count, left.first + right.first, left.second + right.second);
    }

    /** A hash of each entry of a block, by ID. */
    public static SortedMap<Long, Long> block(Snapshot snapshot, long block) {
        SortedMap<Long, Long> hashes = new TreeMap<>();
        try (Snapshot.EntryCursor cursor = snapshot.entries(block * BLOCK_IDS)) {
            while (cursor.next() && blockOf(cursor.id()) == block) {
                hashes.put(cursor.id(), PostingSums.hash(0, cursor.entry().bytes()));
            }
        }
        return hashes;
    }

    /**
     * The sums of an index, by bucket: which key is of which entry.
     *
     * @param read told the bytes of each key and its IDs, about; may wait, so that others can work
     */
    public static SortedMap<Long, Sum> index(Snapshot snapshot, int index, LongConsumer read) {
        SortedMap<Long, Sum> sums = new TreeMap<>();
        try (Snapshot.KeyCursor cursor = snapshot.keys(index, KeyRange.ALL)) {
            while (cursor.next()) {
                long hash = PostingSums.hash(0, cursor.key());
                Sum sum = Sum.NOTHING;
                for (IdSet.IdIterator ids = cursor.ids().iterator(); ids.hasNext();) {
                    sum = sum.plus(hash, ids.next());
                }
                sums.merge(hash >>> BUCKET_SHIFT, sum, StoreDigest::join);
                read.accept(cursor.key().length + sum.count * Integer.BYTES);
            }
        }
        return sums;
    }

    /** What is not the same in both, or is in one alone: blocks, entries or buckets. */
    public static <T> SortedSet<Long> unequal(Map<Long, T> left, Map<Long, T> right) {
        SortedSet<Long> unequal = new TreeSet<>(left.keySet());
        unequal.addAll(right.keySet());
        unequal.removeIf(each -> left.containsKey(each) && left.get(each).equals(right.get(each)));
        return unequal;
    }
}
