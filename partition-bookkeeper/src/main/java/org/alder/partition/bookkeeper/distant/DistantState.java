package org.alder.partition.bookkeeper.distant;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.alder.partition.id.IdSet;
import org.alder.partition.jdbm.state.BoundedDnMemo;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.Snapshot;

/** A state of a store that another member keeps open for this one, as long as anybody here reads it. Thread safe. */
final class DistantState {
    /** What is asked about each state before anything is read in it: the sets under these keys of the tree come with it. */
    static final List<byte[]> WITH_EACH_STATE = List.of(HierarchyKeys.aliases(), HierarchyKeys.referrals(), HierarchyKeys.subentries(), HierarchyKeys.accessRules());
    /** Of what was looked up, so that who looks it up in each search does not wait each time: small sets alone. */
    private static final int MOST_KEPT = 4096;
    private static final int MOST_KEPT_IDS = 1024;
    private static final long NAMES_BYTES = 1 << 20;

    private final String holder;
    private final long number;
    private final long sequence;
    private final long timeMillis;
    private final long entries;
    private final IndexList indexes;
    /** With those that the holder lacks. */
    private final EntryIndexer own;
    private final EntryIndexer indexer;
    private final int[] numbers;
    /** Of this state alone: nobody tells here when an entry is renamed. */
    private final BoundedDnMemo names = new BoundedDnMemo(NAMES_BYTES);
    private final Map<ByteBuffer, IdSet> kept = new ConcurrentHashMap<>();
    private int users = 1;

    /**
     * @param number  under which the holder knows it
     * @param entries how many it has, about
     * @param indexes those that the holder has complete
     * @param indexer by which keys are looked up here
     * @param before  null for none
     */
    DistantState(String holder, long number, long sequence, long timeMillis, long entries, IndexList indexes, EntryIndexer indexer, DistantState before) {
        this.holder = holder;
        this.number = number;
        this.sequence = sequence;
        this.timeMillis = timeMillis;
        this.entries = entries;
        this.indexes = indexes;
        this.own = indexer;
        if (before != null && before.own == indexer && before.indexer == indexer && before.indexes.equals(indexes)) {
            // The holder has all that are here: a change of the schema makes no other ones of them. Where one is missing it may be there by now.
            this.numbers = before.numbers;
            this.indexer = indexer;
        } else {
            this.numbers = indexes.numbersOf(indexer);
            this.indexer = IndexList.missing(numbers, indexer).isEmpty() ? indexer : indexer.without(IndexList.missing(numbers, indexer));
        }
    }

    /** The same for who looks keys up by another indexer. */
    DistantState by(EntryIndexer other) {
        DistantState same = new DistantState(holder, number, sequence, timeMillis, entries, indexes, other, null);
        for (byte[] key : WITH_EACH_STATE) {
            IdSet ids = kept(HierarchyKeys.INDEX, key);
            if (ids != null) {
                same.keep(HierarchyKeys.INDEX, key, ids);
            }
        }
        return same;
    }

    String holder() {
        return holder;
    }

    long number() {
        return number;
    }

    long sequence() {
        return sequence;
    }

    long timeMillis() {
        return timeMillis;
    }

    long entries() {
        return entries;
    }

    IndexList indexes() {
        return indexes;
    }

    /** Has no index that the holder has not complete. */
    EntryIndexer indexer() {
        return indexer;
    }

    /** The number that an index of {@link #indexer} has at the holder. */
    int there(int index) {
        return numbers[index];
    }

    Snapshot.DnMemo names() {
        return names;
    }

    /** Null where it was not kept. */
    IdSet kept(int index, byte[] key) {
        return kept.get(place(index, key));
    }

    IdSet keep(int index, byte[] key, IdSet ids) {
        if (ids.cardinality() <= MOST_KEPT_IDS && kept.size() < MOST_KEPT) {
            kept.put(place(index, key), ids);
        }
        return ids;
    }

    private static ByteBuffer place(int index, byte[] key) {
        return ByteBuffer.allocate(Integer.BYTES + key.length).putInt(index).put(key).flip();
    }

    /** One user more, which {@link #leave}s it. @return false where it has none any more: then it is of no use */
    synchronized boolean enter() {
        if (users == 0) {
            return false;
        }
        users++;
        return true;
    }

    /** @return whether it was the last one */
    synchronized boolean leave() {
        return --users == 0;
    }
}
