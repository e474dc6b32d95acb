package org.alder.partition.query.order;

import java.util.ArrayDeque;
import java.util.Deque;
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
import org.alder.partition.store.Snapshot;
import org.roaringbitmap.RoaringBitmap;

/**
 * The entries of an ordered list. First it gathers which entries match, as a set of IDs, which takes no look at entries where the
 * indexes answer the whole filter; then it walks an index's values in their order, or, where few match or no index has the order,
 * reads the entries' places. Works in small portions. One thread at a time.
 */
public final class OrderedSource implements CandidateSource {
    private static final int PORTION = 64;

    private final Snapshot snapshot;
    private final OrderedList list;
    private final SearchCursor matches;
    private final RoaringBitmap gathered = new RoaringBitmap();
    private final Deque<long[]> ready = new ArrayDeque<>();
    private final IndexChoice index;
    private final PlaceReader places;
    private IdSet among;
    private IdSet.IdIterator unread;
    private Snapshot.EntryLookup lookup;
    private RecordGroups records;
    private EntryGroups groups;
    private IdSet.IdIterator group;
    private WindowSearch window;
    private long gatheredBytes;
    private boolean found;
    private int nextReady;
    private long id;

    /** Opens the walk over an index if it is worth it for a set of entries; gives null if there is none, or it is not. */
    @FunctionalInterface
    public interface IndexChoice {
        EntryGroups walk(IdSet among);
    }

    /**
     * @param matches what is to be ordered
     * @param known all that match, or null if each candidate has to be looked at
     */
    public OrderedSource(Snapshot snapshot, OrderedList list, SearchCursor matches, IdSet known, IndexChoice index,
            PlaceReader places) {
        this.places = places;
        this.snapshot = snapshot;
        this.list = list;
        this.matches = matches;
        this.index = index;
        this.among = known;
        this.gatheredBytes = known == null ? 0 : known.sizeBytes();
        matches.preferNames();
    }

    @Override
    public boolean next() throws DirectoryException {
        found = false;
        if (!ready.isEmpty()) {
            takeReady();
            return true;
        }
        if (among == null) {
            gather();
        } else if (groups == null && records == null) {
            start();
        } else if (unread != null) {
            read();
        } else if (list.window() != null) {
            return view();
        } else {
            return walk();
        }
        return true;
    }

    @Override
    public boolean isWorking() {
        return !found;
    }

    private void takeReady() {
        id = ready.peek()[nextReady++];
        found = true;
        if (nextReady == ready.peek().length) {
            ready.poll();
            nextReady = 0;
        }
    }

    private void gather() throws DirectoryException {
        Step step = matches.step(PORTION);
        if (step == Step.MATCH) {
            gathered.add((int) matches.id());
        } else if (step == Step.END) {
            among = IdSet.wrap(gathered);
        }
    }

    private void start() {
        groups = index.walk(among);
        if (groups == null) {
            records = new RecordGroups();
            lookup = snapshot.lookup(among);
            unread = among.iterator();
        }
    }

    private void read() throws DirectoryException {
        for (int i = 0; i < PORTION && unread.hasNext(); i++) {
            long entry = unread.next();
            records.add(places.place(entry, lookup.entry(entry)), entry);
        }
        if (!unread.hasNext()) {
            unread = null;
            groups = records;
        }
    }

    /** Returns whether there is more to come. */
    private boolean view() {
        if (window == null) {
            window = new WindowSearch(list, groups, among.cardinality());
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
            id = group.next();
            found = list.isBehind(groups.key(), id);
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
        // While they are gathered; later the set does not change.
        gatheredBytes = among == null ? gathered.getLongSizeInBytes() : gatheredBytes;
        long walkBytes = window != null ? window.heldBytes() : groups != null ? groups.heldBytes() : 0;
        return gatheredBytes + (records == null ? 0 : records.bytes()) + walkBytes;
    }

    @Override
    public long id() {
        return id;
    }

    @Override
    public EntryRecord record() {
        return required(snapshot.entry(id));
    }

    @Override
    public void moveByName(Candidate candidate) {
        candidate.moveTo(id, required(snapshot.name(id)), snapshot::entry);
    }

    private <T extends StoredName> T required(T found) {
        if (found == null) {
            throw new StoreException(StoreException.Kind.CORRUPT, "an index names entry " + id + ", which is not there");
        }
        return found;
    }

    @Override
    public void close() {
        matches.close();
        if (window != null) {
            window.close();
        } else if (groups != null) {
            groups.close();
        }
    }
}
