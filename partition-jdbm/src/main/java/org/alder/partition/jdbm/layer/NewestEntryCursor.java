package org.alder.partition.jdbm.layer;

import java.util.PriorityQueue;
import org.alder.partition.entry.EntryProbe;

/** Merges the entry cursors of adjacent layers; of an entry in several of them the newest version appears. One thread. */
final class NewestEntryCursor implements EntryVersionCursor {
    private final boolean whole;
    private final PriorityQueue<Source> waiting;
    private Source current;

    /** One layer's cursor, standing on an entry. */
    private record Source(EntryVersionCursor cursor, int age) implements Comparable<Source> {
        @Override
        public int compareTo(Source other) {
            int order = Long.compare(cursor.id(), other.cursor.id());
            return order != 0 ? order : Integer.compare(other.age, age);
        }
    }

    /** @param whole whether deleted entries are to be left out because nothing lies below */
    NewestEntryCursor(EntryVersionCursor[] oldestFirst, boolean whole) {
        this.whole = whole;
        this.waiting = new PriorityQueue<>(Math.max(1, oldestFirst.length));
        for (int i = 0; i < oldestFirst.length; i++) {
            enqueue(new Source(oldestFirst[i], i));
        }
    }

    private void enqueue(Source source) {
        if (source.cursor.next()) {
            waiting.add(source);
        }
    }

    @Override
    public boolean next() {
        while (step()) {
            if (!whole || !isDeleted()) {
                return true;
            }
        }
        return false;
    }

    private boolean step() {
        if (current != null && waiting.isEmpty()) {
            current = current.cursor.next() ? current : null;
            return current != null;
        }
        if (current != null) {
            long done = current.cursor.id();
            enqueue(current);
            while (!waiting.isEmpty() && waiting.peek().cursor.id() == done) {
                enqueue(waiting.poll());
            }
        }
        current = waiting.poll();
        return current != null;
    }

    @Override
    public long id() {
        return current.cursor.id();
    }

    @Override
    public EntryVersion version() {
        return current.cursor.version();
    }

    @Override
    public boolean isDeleted() {
        return current.cursor.isDeleted();
    }

    @Override
    public boolean mayMatch(EntryProbe probe) {
        return current.cursor.mayMatch(probe);
    }
}
