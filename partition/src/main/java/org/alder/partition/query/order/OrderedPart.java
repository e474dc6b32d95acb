package org.alder.partition.query.order;

import org.alder.partition.derived.Candidate;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.id.IdSet;
import org.alder.partition.index.IndexedAttribute;
import org.alder.partition.query.SearchCursor;
import org.alder.partition.query.SearchCursor.Step;
import org.alder.partition.request.SortOrder;
import org.alder.partition.store.Snapshot;
import org.roaringbitmap.RoaringBitmap;

/**
 * What of an ordered list is in one partition. First it gathers which entries match, as a set of IDs, which takes no look at entries where the
 * indexes answer the whole filter; then it has them in groups, by an index or by the places that it reads from them. Works in small portions. One
 * thread at a time; reads the snapshot and does not own it, nor the {@link #matches}, which whoever has it closes.
 */
public final class OrderedPart {
    private static final int PORTION = 64;

    private final int position;
    private final Snapshot snapshot;
    private final SearchCursor matches;
    private final SortOrder order;
    private final IndexedAttribute index;
    private final PlaceReader places;
    private final Candidate candidate;
    private final RoaringBitmap gathered = new RoaringBitmap();
    private IdSet among;
    private long amongBytes;
    private IdSet.IdIterator unread;
    private Snapshot.EntryLookup lookup;
    private RecordGroups records;

    /**
     * @param position which of all partitions this is: of entries in the same place, those of the first one come first
     * @param matches what is to be ordered
     * @param known all that match, or null if each candidate has to be looked at
     * @param order as whoever asks may see it
     * @param index that may have the order; null for none
     * @param candidate moved to one entry of the list after the other
     */
    public OrderedPart(int position, Snapshot snapshot, SearchCursor matches, IdSet known, SortOrder order, IndexedAttribute index,
            PlaceReader places, Candidate candidate) {
        this.position = position;
        this.snapshot = snapshot;
        this.matches = matches;
        this.order = order;
        this.index = index;
        this.places = places;
        this.candidate = candidate;
        this.among = known;
        this.amongBytes = known == null ? 0 : known.sizeBytes();
    }

    int position() {
        return position;
    }

    Snapshot snapshot() {
        return snapshot;
    }

    /** The same entries in no order: what is searched if they do not come in one. */
    public SearchCursor matches() {
        return matches;
    }

    Candidate candidate() {
        return candidate;
    }

    /** Whether an index has the order for whoever asks. */
    boolean isIndexed() {
        return index != null && IndexGroups.serves(snapshot, index, order.only());
    }

    /** Returns whether there is more to gather. */
    boolean gather() throws DirectoryException {
        if (among == null) {
            Step step = matches.step(PORTION);
            if (step == Step.MATCH) {
                gathered.add((int) matches.id());
            } else if (step == Step.END) {
                among = IdSet.wrap(gathered);
            }
        }
        return among == null;
    }

    /** How many match, when they are gathered. */
    long count() {
        return among.cardinality();
    }

    /**
     * Reads the places of some.
     *
     * @param mostBytes what all of them may take
     * @return whether there are more to be read
     * @throws DirectoryException adminLimitExceeded if they take more
     */
    boolean read(long mostBytes) throws DirectoryException {
        if (records == null) {
            records = new RecordGroups();
            lookup = snapshot.lookup(among);
            unread = among.iterator();
        }
        for (int i = 0; i < PORTION && unread.hasNext(); i++) {
            long entry = unread.next();
            records.add(places.place(entry, lookup.entry(entry)), entry);
            if (records.bytes() > mostBytes) {
                throw new DirectoryException(ResultCode.ADMIN_LIMIT_EXCEEDED,
                        "the entries found are too many to be sorted in memory, and no index has them in this order");
            }
        }
        return unread.hasNext();
    }

    /** What all places that were read take, in bytes. */
    long placeBytes() {
        return records == null ? 0 : records.bytes();
    }

    /** By the places if they were read, else by the index. */
    EntryGroups groups() {
        return records != null ? records : new IndexGroups(snapshot, index, order, among);
    }

    /** About the memory that is gathered, in bytes. */
    long heldBytes() {
        // While they are gathered; later the set does not change.
        amongBytes = among == null ? gathered.getLongSizeInBytes() : amongBytes;
        return matches.heldBytes() + amongBytes + placeBytes();
    }
}
