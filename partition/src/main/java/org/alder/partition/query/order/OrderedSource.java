package org.alder.partition.query.order;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.alder.partition.derived.Candidate;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.entry.StoredName;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.StoreException;
import org.alder.partition.id.IdSet;
import org.alder.partition.query.CandidateSource;
import org.alder.partition.query.SearchCursor;
import org.alder.partition.query.SearchCursor.Step;
import org.alder.partition.request.ListView;
import org.alder.partition.request.OrderedList;

/**
 * The entries of an ordered list in one or several partitions. First it is gathered in each of them which entries match; then an index's values are walked
 * in their order, or, where few match or an index lacks the order, the entries' places are read; and the groups of all partitions are merged.
 * Works in small portions. One thread at a time.
 */
public final class OrderedSource implements CandidateSource {
    /** Of fewer entries the places are read from the entries themselves. */
    private static final long WALKED_ENTRIES = 10_000;
    /** What the places that are read may take. */
    private static final long MOST_PLACE_BYTES = 32L << 20;
    private static final int PORTION = 64;

    private final OrderedList list;
    private final List<OrderedPart> parts;
    private final boolean indexed;
    private final Deque<WindowSearch.Chunk> ready = new ArrayDeque<>();
    /** How many parts are gathered, and of how many the places are read. */
    private int gathered;
    private int read;
    private long placeBytes;
    private long length;
    private EntryGroups groups;
    private IdSet.IdIterator group;
    private WindowSearch window;
    private boolean found;
    private int nextReady;
    private int part;
    private long id;

    private OrderedSource(OrderedList list, List<OrderedPart> parts, boolean indexed) {
        this.list = list;
        this.parts = parts;
        this.indexed = indexed;
        parts.forEach(each -> each.matches().preferNames());
    }

    /**
     * Opens the search for a list. A window always comes in order, all else where that takes no more memory than a walk.
     *
     * @param parts at least one, to be closed after the cursor
     * @return null if the entries are not to be had in their order: then each part's own matches are what there is
     */
    public static SearchCursor search(OrderedList list, List<OrderedPart> parts) {
        boolean indexed = isMany(parts) && parts.stream().allMatch(OrderedPart::isIndexed);
        if (list.window() == null && (!indexed || list.order().parts().get(0).reverse())) {
            return null;
        }
        return SearchCursor.ordered(parts.stream().map(OrderedPart::matches).toList(), new OrderedSource(list, parts, indexed),
                parts.stream().map(OrderedPart::candidate).toList());
    }

    /** Whether walking all values of the indexes may take less than reading the entries. */
    private static boolean isMany(List<OrderedPart> parts) {
        long candidates = 0;
        for (OrderedPart each : parts) {
            IdSet its = each.matches().plan().candidates();
            if (its == null) {
                return true;
            }
            candidates += its.cardinality();
        }
        return candidates >= WALKED_ENTRIES;
    }

    @Override
    public boolean next() throws DirectoryException {
        found = false;
        if (!ready.isEmpty()) {
            takeReady();
        } else if (groups == null) {
            prepare();
        } else {
            return list.window() != null ? view() : walk();
        }
        return true;
    }

    @Override
    public boolean isWorking() {
        return !found;
    }

    private void takeReady() {
        WindowSearch.Chunk first = ready.peek();
        part = first.part();
        id = first.ids()[nextReady++];
        found = true;
        if (nextReady == first.ids().length) {
            ready.poll();
            nextReady = 0;
        }
    }

    private void prepare() throws DirectoryException {
        if (gathered < parts.size()) {
            OrderedPart next = parts.get(gathered);
            if (!next.gather()) {
                gathered++;
                length += next.count();
            }
        } else if (isRead() && read < parts.size()) {
            OrderedPart next = parts.get(read);
            if (!next.read(MOST_PLACE_BYTES - placeBytes)) {
                read++;
                placeBytes += next.placeBytes();
            }
        } else {
            groups = MergedGroups.of(parts.stream().map(OrderedPart::groups).toList());
        }
    }

    private boolean isRead() {
        return !indexed || list.window() != null && length < WALKED_ENTRIES;
    }

    /** Returns whether there is more to come. */
    private boolean view() {
        if (window == null) {
            window = new WindowSearch(list, groups, length);
        }
        if (window.step(PORTION)) {
            return true;
        }
        ready.addAll(window.found());
        window.found().clear();
        return !ready.isEmpty();
    }

    private boolean walk() {
        if (group != null && group.hasNext()) {
            part = groups.part();
            id = group.next();
            found = list.isBehind(groups.key(), parts.get(part).position(), id);
            return true;
        }
        Step step = groups.next(PORTION);
        group = step == Step.MATCH ? groups.ids().iterator() : null;
        return step != Step.END;
    }

    @Override
    public ListView listView() {
        return window == null ? null : window.view();
    }

    @Override
    public long heldBytes() {
        long walkBytes = window != null ? window.heldBytes() : groups != null ? groups.heldBytes() : 0;
        return parts.stream().mapToLong(OrderedPart::heldBytes).sum() + walkBytes;
    }

    @Override
    public int part() {
        return part;
    }

    @Override
    public long id() {
        return id;
    }

    @Override
    public EntryRecord record() {
        return required(parts.get(part).snapshot().entry(id));
    }

    @Override
    public void moveByName(Candidate candidate) {
        OrderedPart of = parts.get(part);
        candidate.moveTo(id, required(of.snapshot().name(id)), of.snapshot()::entry);
    }

    private <T extends StoredName> T required(T entry) {
        if (entry == null) {
            throw new StoreException(StoreException.Kind.CORRUPT, "an index names entry " + id + ", which is not there");
        }
        return entry;
    }

    @Override
    public void close() {
        if (window != null) {
            window.close();
        } else if (groups != null) {
            groups.close();
        }
    }
}
