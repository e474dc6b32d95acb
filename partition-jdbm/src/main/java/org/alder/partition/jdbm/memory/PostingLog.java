package org.alder.partition.jdbm.memory;

import java.util.Arrays;
import org.alder.partition.id.IdSet;
import org.alder.partition.jdbm.layer.IdSetDelta;
import org.roaringbitmap.RoaringBitmap;

/**
 * What became of one key's ID set since the memory layer was begun: an append-only list of (sequence, ID, added or removed)
 * with the net count so far beside each. The one writer appends; readers fold it up to their sequence without locks. Keys that
 * change often keep their last fold, so that the next reader folds only what came after it.
 */
final class PostingLog {
    /** Heap bytes of a key with its first posting, without the key's own bytes: skip list node, objects, array. */
    static final int KEY_BYTES = 176;
    /** Heap bytes of each posting. */
    static final int POSTING_BYTES = 12;

    private static final int FIELDS = 3;
    /** Shorter lists are folded anew each time: quicker than keeping the result. */
    private static final int KEPT_FOLD_POSTINGS = 16;

    /** Per posting: sequence as a distance from the layer's base, ID, net count. Read only below {@link #count}, and after it. */
    private int[] postings = new int[FIELDS];
    private volatile int count;
    private volatile Fold lastFold = Fold.START;

    private record Fold(int count, IdSetDelta delta) {
        static final Fold START = new Fold(0, IdSetDelta.EMPTY);
    }

    /** Writer only. */
    void append(int distance, long id, boolean added) {
        int at = count * FIELDS;
        if (at == postings.length) {
            postings = Arrays.copyOf(postings, Math.max(4 * FIELDS, Math.addExact(at, at / 2 / FIELDS * FIELDS)));
        }
        int net = at == 0 ? 0 : postings[at - 1];
        postings[at] = distance;
        postings[at + 1] = (int) id;
        postings[at + 2] = net + (added ? 1 : -1);
        count = at / FIELDS + 1;
    }

    /** How many postings a reader at this distance sees. */
    int visible(long distance) {
        int high = count;
        int[] array = postings;
        if (high == 0 || array[(high - 1) * FIELDS] <= distance) {
            return high;
        }
        int low = 0;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (array[middle * FIELDS] <= distance) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    long netCardinality(long distance) {
        int visible = visible(distance);
        return visible == 0 ? 0 : postings[visible * FIELDS - 1];
    }

    IdSetDelta fold(long distance) {
        int visible = visible(distance);
        Fold known = lastFold;
        if (known.count == visible) {
            return known.delta;
        }
        IdSetDelta folded = foldFrom(known.count < visible ? known : Fold.START, visible);
        if (visible >= KEPT_FOLD_POSTINGS && visible > known.count) {
            lastFold = new Fold(visible, folded);
        }
        return folded;
    }

    private IdSetDelta foldFrom(Fold start, int visible) {
        int[] array = postings;
        RoaringBitmap added = start.delta.added().bitmap().clone();
        RoaringBitmap removed = start.delta.removed().bitmap().clone();
        int net = start.count == 0 ? 0 : array[start.count * FIELDS - 1];
        for (int at = start.count * FIELDS; at < visible * FIELDS; at += FIELDS) {
            int id = array[at + 1];
            if (array[at + 2] > net) {
                cancelOrAdd(removed, added, id);
            } else {
                cancelOrAdd(added, removed, id);
            }
            net = array[at + 2];
        }
        return added.isEmpty() && removed.isEmpty() ? IdSetDelta.EMPTY : new IdSetDelta(IdSet.wrap(added), IdSet.wrap(removed));
    }

    private static void cancelOrAdd(RoaringBitmap opposite, RoaringBitmap target, int id) {
        if (!opposite.checkedRemove(id)) {
            target.add(id);
        }
    }
}
