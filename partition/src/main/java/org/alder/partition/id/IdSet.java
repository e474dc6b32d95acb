package org.alder.partition.id;

import org.roaringbitmap.PeekableIntIterator;
import org.roaringbitmap.RoaringBitmap;

/**
 * An exact, immutable set of entry IDs: the currency of the query engine.
 *
 * <p>An entry ID is a positive number below 2^32, given out in ascending order and never used again; 0 stands for "no entry"
 * (the parent of the suffix entry). Sets are compressed bitmaps (RoaringBitmap). Immutable and therefore thread safe; the
 * algebra returns new sets and never changes its operands.
 */
public final class IdSet {
    /** The greatest ID a store may give out. */
    public static final long MAX_ID = 0xFFFF_FFFFL;
    public static final IdSet EMPTY = new IdSet(new RoaringBitmap());

    private final RoaringBitmap bitmap;
    private final long cardinality;

    private IdSet(RoaringBitmap bitmap) {
        this.bitmap = bitmap;
        this.cardinality = bitmap.getLongCardinality();
    }

    /** Takes over the bitmap: the caller must not change it afterwards. */
    public static IdSet wrap(RoaringBitmap bitmap) {
        return bitmap.isEmpty() ? EMPTY : new IdSet(bitmap);
    }

    public static IdSet of(long... ids) {
        RoaringBitmap bitmap = new RoaringBitmap();
        for (long id : ids) {
            bitmap.add(checked(id));
        }
        return wrap(bitmap);
    }

    private static int checked(long id) {
        if (id <= 0 || id > MAX_ID) {
            throw new IllegalArgumentException("entry ID " + id + " is outside 1.." + MAX_ID);
        }
        return (int) id;
    }

    /** The bitmap itself, for engines that serialise it. The caller must not change it. */
    public RoaringBitmap bitmap() {
        return bitmap;
    }

    public long cardinality() {
        return cardinality;
    }

    public boolean isEmpty() {
        return cardinality == 0;
    }

    public boolean contains(long id) {
        return id > 0 && id <= MAX_ID && bitmap.contains((int) id);
    }

    public IdSet and(IdSet other) {
        return isEmpty() || other.isEmpty() ? EMPTY : wrap(RoaringBitmap.and(bitmap, other.bitmap));
    }

    public IdSet or(IdSet other) {
        if (isEmpty()) {
            return other;
        }
        return other.isEmpty() ? this : wrap(RoaringBitmap.or(bitmap, other.bitmap));
    }

    public IdSet andNot(IdSet other) {
        return isEmpty() || other.isEmpty() ? this : wrap(RoaringBitmap.andNot(bitmap, other.bitmap));
    }

    /** How many blocks of 65,536 IDs lie up to the greatest one: as many as a set among these IDs can have there. */
    public int blocks() {
        return isEmpty() ? 0 : (bitmap.last() >>> 16) + 1;
    }

    /** Heap bytes this set holds, for caches that are bounded in bytes. */
    public long sizeBytes() {
        return 48 + bitmap.getLongSizeInBytes();
    }

    /** Ascending. One thread; positioned before the first ID. */
    public IdIterator iterator() {
        return new IdIterator(bitmap.getIntIterator());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof IdSet set && bitmap.equals(set.bitmap);
    }

    @Override
    public int hashCode() {
        return bitmap.hashCode();
    }

    @Override
    public String toString() {
        return "IdSet" + bitmap;
    }

    /** Walks a set in ascending order of the IDs as unsigned numbers. */
    public static final class IdIterator {
        private final PeekableIntIterator ids;

        private IdIterator(PeekableIntIterator ids) {
            this.ids = ids;
        }

        public boolean hasNext() {
            return ids.hasNext();
        }

        public long next() {
            return Integer.toUnsignedLong(ids.next());
        }

        /** Skips to the first ID not below the given one. */
        public void advanceTo(long id) {
            ids.advanceIfNeeded((int) id);
        }
    }
}
