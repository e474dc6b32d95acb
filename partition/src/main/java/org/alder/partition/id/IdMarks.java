package org.alder.partition.id;

import org.roaringbitmap.longlong.Roaring64Bitmap;

/** A set of numbers that grows: of IDs, or of whatever is more than one store's. One thread. */
public final class IdMarks {
    private final Roaring64Bitmap bitmap = new Roaring64Bitmap();

    public void add(long id) {
        bitmap.addLong(id);
    }

    public boolean contains(long id) {
        return bitmap.contains(id);
    }
}
