package org.alder.partition.id;

import org.roaringbitmap.RoaringBitmap;

/** A set of IDs that grows. One thread. */
public final class IdMarks {
    private final RoaringBitmap bitmap = new RoaringBitmap();

    public void add(long id) {
        bitmap.add((int) id);
    }

    public boolean contains(long id) {
        return bitmap.contains((int) id);
    }

    public long cardinality() {
        return bitmap.getLongCardinality();
    }
}
