package org.alder.partition.jdbm.layer;

import java.util.Arrays;
import java.util.PriorityQueue;
import org.alder.partition.store.KeyRange;

/** Merges the key cursors of adjacent layers; a key in several of them appears once, with its deltas folded. One thread. */
final class FoldingKeyCursor implements KeyDeltaCursor {
    private final KeyRange range;
    private final boolean whole;
    private final PriorityQueue<Source> waiting;
    /** The sources that stand on the current key, oldest first: the first {@code currentCount} elements. */
    private final Source[] current;
    private int currentCount;

    /** One layer's cursor, standing on a key. */
    private record Source(KeyDeltaCursor cursor, int age) implements Comparable<Source> {
        @Override
        public int compareTo(Source other) {
            int order = Arrays.compareUnsigned(cursor.key(), other.cursor.key());
            return order != 0 ? order : Integer.compare(age, other.age);
        }
    }

    /**
     * @param range which keys are wanted: sources that go on behind it are not followed there
     * @param whole whether keys without IDs are to be left out because nothing lies below
     */
    FoldingKeyCursor(KeyDeltaCursor[] oldestFirst, KeyRange range, boolean whole) {
        this.range = range;
        this.whole = whole;
        this.waiting = new PriorityQueue<>(Math.max(1, oldestFirst.length));
        this.current = new Source[oldestFirst.length];
        for (int i = 0; i < oldestFirst.length; i++) {
            enqueue(new Source(oldestFirst[i], i));
        }
    }

    private void enqueue(Source source) {
        if (goOn(source)) {
            waiting.add(source);
        }
    }

    private boolean goOn(Source source) {
        return source.cursor.next() && range.endsBehind(source.cursor.key());
    }

    @Override
    public boolean next() {
        while (step()) {
            // Exact deltas over nothing can only add up to the size of the set, so zero means that the set is empty.
            if (!whole || netCardinality() != 0) {
                return true;
            }
        }
        return false;
    }

    private boolean step() {
        if (currentCount == 1 && !waiting.isEmpty()) {
            return stepAlone(current[0]);
        }
        for (int i = 0; i < currentCount; i++) {
            enqueue(current[i]);
        }
        return gather();
    }

    /** A large layer has many keys in a row that others have none between: they need not wait for their turn. */
    private boolean stepAlone(Source source) {
        if (goOn(source)) {
            if (Arrays.compareUnsigned(source.cursor.key(), waiting.peek().cursor.key()) < 0) {
                return true;
            }
            waiting.add(source);
        }
        return gather();
    }

    private boolean gather() {
        currentCount = 0;
        if (waiting.isEmpty()) {
            return false;
        }
        do {
            current[currentCount++] = waiting.poll();
        } while (!waiting.isEmpty() && Arrays.equals(waiting.peek().cursor.key(), key()));
        return true;
    }

    @Override
    public byte[] key() {
        return current[0].cursor.key();
    }

    @Override
    public IdSetDelta delta() {
        IdSetDelta folded = IdSetDelta.EMPTY;
        for (int i = currentCount - 1; i >= 0; i--) {
            folded = IdSetDelta.fold(current[i].cursor.delta(), folded);
        }
        return folded;
    }

    @Override
    public byte[] stored() {
        return currentCount == 1 ? current[0].cursor.stored() : null;
    }

    @Override
    public long netCardinality() {
        long net = 0;
        for (int i = 0; i < currentCount; i++) {
            net += current[i].cursor.netCardinality();
        }
        return net;
    }
}
