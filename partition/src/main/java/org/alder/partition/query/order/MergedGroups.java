package org.alder.partition.query.order;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import org.alder.partition.id.IdSet;
import org.alder.partition.query.SearchCursor.Step;

/**
 * The groups of several partitions in one order. Those of equal place come one after the other, in the order of their partitions, or where
 * all is in the opposite order, in the opposite of that too. One thread at a time.
 */
final class MergedGroups implements EntryGroups {
    private static final Comparator<Source> FORWARD = Comparator.<Source, byte[]>comparing(each -> each.groups.key(), Arrays::compareUnsigned)
            .thenComparing(each -> each.part);

    private final List<EntryGroups> parts;
    /** Those that stand on a group. */
    private final PriorityQueue<Source> standing;
    /** Those that have to go on before it is known whose group is next. */
    private final Deque<Source> behind = new ArrayDeque<>();
    private Source current;

    private record Source(int part, EntryGroups groups) {
    }

    private MergedGroups(List<EntryGroups> parts) {
        this.parts = parts;
        this.standing = new PriorityQueue<>(parts.get(0).isReverse() ? FORWARD.reversed() : FORWARD);
        for (int i = 0; i < parts.size(); i++) {
            behind.add(new Source(i, parts.get(i)));
        }
    }

    /** @param parts at least one, all forwards or all in reverse */
    static EntryGroups of(List<EntryGroups> parts) {
        return parts.size() == 1 ? parts.get(0) : new MergedGroups(parts);
    }

    @Override
    public Step next(int most) {
        if (current != null) {
            behind.add(current);
            current = null;
        }
        while (!behind.isEmpty()) {
            Step step = behind.peek().groups.next(most);
            if (step == Step.PAUSED) {
                return step;
            }
            Source source = behind.poll();
            if (step == Step.MATCH) {
                standing.add(source);
            }
        }
        current = standing.poll();
        return current == null ? Step.END : Step.MATCH;
    }

    @Override
    public byte[] key() {
        return current.groups.key();
    }

    @Override
    public int part() {
        return current.part;
    }

    @Override
    public IdSet ids() {
        return current.groups.ids();
    }

    @Override
    public boolean isReverse() {
        return parts.get(0).isReverse();
    }

    @Override
    public long heldBytes() {
        return parts.stream().mapToLong(EntryGroups::heldBytes).sum();
    }

    @Override
    public EntryGroups again() {
        return new MergedGroups(parts.stream().map(EntryGroups::again).toList());
    }

    @Override
    public void close() {
        parts.forEach(EntryGroups::close);
    }
}
