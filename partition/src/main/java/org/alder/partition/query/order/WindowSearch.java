package org.alder.partition.query.order;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.alder.partition.id.IdSet;
import org.alder.partition.query.SearchCursor.Step;
import org.alder.partition.request.ListView;
import org.alder.partition.request.ListWindow;
import org.alder.partition.request.OrderedList;

/**
 * Finds a window of an ordered list in two walks: one that counts up to the target, if its place is not known without, and one
 * that takes the entries around it. One thread at a time.
 */
final class WindowSearch implements AutoCloseable {
    private static final int CHUNK_BYTES = 24;

    private final ListWindow window;
    private final long length;
    /** The target's place in the list begins so; null if it is wanted by its offset. */
    private final byte[] targetKey;
    private final Deque<Chunk> found = new ArrayDeque<>();
    private EntryGroups groups;
    private boolean counting;
    private long walked;
    /** Entries that come before the target. */
    private long earlier;
    private long target;
    private long foundBytes;

    /** Entries that follow each other, of one partition. */
    record Chunk(int part, long[] ids) {
    }

    /** @param length of the list */
    WindowSearch(OrderedList list, EntryGroups groups, long length) {
        this.window = list.window();
        this.groups = groups;
        this.length = length;
        this.targetKey = window.target() instanceof ListWindow.Target.Value value ? list.order().keyOf(value.form()) : null;
        this.counting = targetKey != null;
        if (!counting) {
            locate();
        }
    }

    /** @return whether there is more to do */
    boolean step(int most) {
        Step step = groups.next(most);
        if (step == Step.MATCH) {
            boolean more = counting ? count() : take();
            if (more) {
                return true;
            }
        } else if (step == Step.PAUSED) {
            return true;
        }
        if (!counting) {
            return false;
        }
        counting = false;
        locate();
        EntryGroups next = groups.again();
        groups.close();
        groups = next;
        walked = 0;
        return true;
    }

    private boolean count() {
        long size = groups.ids().cardinality();
        boolean before = Arrays.compareUnsigned(groups.key(), targetKey) < 0;
        if (before) {
            earlier += size;
        }
        return groups.isReverse() || before;
    }

    private void locate() {
        target = window.target() instanceof ListWindow.Target.Offset offset ? offset.in(length) : earlier + 1;
    }

    /** Takes what is in the window of the group. Returns whether later groups can have some of it. */
    private boolean take() {
        IdSet ids = groups.ids();
        long size = ids.cardinality();
        long first = groups.isReverse() ? length - walked - size : walked;
        walked += size;
        long from = Math.max(first, target - 1 - window.before());
        long to = Math.min(first + size, target + window.after());
        if (from < to) {
            long[] chunk = new long[(int) (to - from)];
            foundBytes += CHUNK_BYTES + (long) Long.BYTES * chunk.length;
            IdSet.IdIterator iterator = ids.iterator();
            for (long i = first; i < to; i++) {
                long id = iterator.next();
                if (i >= from) {
                    chunk[(int) (i - from)] = id;
                }
            }
            if (groups.isReverse()) {
                found.addFirst(new Chunk(groups.part(), chunk));
            } else {
                found.addLast(new Chunk(groups.part(), chunk));
            }
        }
        return groups.isReverse() || first + size < target + window.after();
    }

    /** The window's entries in their order, when there is nothing more to do. */
    Deque<Chunk> found() {
        return found;
    }

    /** About the memory that the window's entries take, in bytes. */
    long heldBytes() {
        return foundBytes + groups.heldBytes();
    }

    ListView view() {
        return new ListView(target, length);
    }

    @Override
    public void close() {
        groups.close();
    }
}
