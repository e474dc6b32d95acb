package org.alder.partition.jdbm.sort;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.layer.IdSetDelta;
import org.alder.partition.jdbm.layer.KeyDeltaCursor;

/** Merges one index of all runs; the IDs of a later run are above those of an earlier one. One thread. */
final class RunMergeCursor implements KeyDeltaCursor {
    private final PriorityQueue<Source> waiting;
    private final IdCollector ids = new IdCollector();
    private byte[] key;
    private IdSetDelta delta;

    /** One run's cursor, standing on a key. */
    private record Source(RunCursor cursor, int number) implements Comparable<Source> {
        @Override
        public int compareTo(Source other) {
            int order = Arrays.compareUnsigned(cursor.key(), other.cursor.key());
            return order != 0 ? order : Integer.compare(number, other.number);
        }
    }

    RunMergeCursor(List<SortedRun> runs, int index, int bufferBytes) {
        waiting = new PriorityQueue<>(Math.max(1, runs.size()));
        try {
            for (int number = 0; number < runs.size(); number++) {
                enqueue(new Source(runs.get(number).cursor(index, bufferBytes), number));
            }
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    private void enqueue(Source source) throws IOException {
        if (source.cursor.next()) {
            waiting.add(source);
        }
    }

    @Override
    public boolean next() {
        if (waiting.isEmpty()) {
            return false;
        }
        key = waiting.peek().cursor.key();
        try {
            do {
                Source source = waiting.poll();
                source.cursor.readIds(ids);
                enqueue(source);
            } while (!waiting.isEmpty() && Arrays.equals(waiting.peek().cursor.key(), key));
        } catch (IOException e) {
            throw unreadable(e);
        }
        delta = IdSetDelta.adding(ids.take());
        return true;
    }

    private static StoreException unreadable(IOException e) {
        return new StoreException(StoreException.Kind.IO, "cannot read a sorted run of a bulk load: " + e, e);
    }

    @Override
    public byte[] key() {
        return key;
    }

    @Override
    public IdSetDelta delta() {
        return delta;
    }

    @Override
    public long netCardinality() {
        return delta.netCardinality();
    }
}
