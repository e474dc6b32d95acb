package org.alder.partition.jdbm.sort;

import java.util.Arrays;
import org.alder.partition.id.IdSet;
import org.roaringbitmap.RoaringBitmap;
import org.roaringbitmap.RoaringBitmapWriter;

/** Makes an ID set of IDs that come in ascending order. Small sets, which are most, take no bitmap writer. One thread. */
final class IdCollector {
    private static final int BUFFERED_IDS = 4096;

    private final int[] buffer = new int[BUFFERED_IDS];
    private int buffered;
    private RoaringBitmapWriter<RoaringBitmap> writer;

    /** @param id an unsigned number, not below any before */
    void add(int id) {
        if (buffered == BUFFERED_IDS) {
            flush();
        }
        buffer[buffered++] = id;
    }

    private void flush() {
        if (writer == null) {
            writer = RoaringBitmapWriter.writer().constantMemory().get();
        }
        writer.addMany(Arrays.copyOf(buffer, buffered));
        buffered = 0;
    }

    /** The set of what was added since the last time; starts a new one. */
    IdSet take() {
        RoaringBitmap bitmap;
        if (writer == null) {
            bitmap = RoaringBitmap.bitmapOf(Arrays.copyOf(buffer, buffered));
            buffered = 0;
        } else {
            flush();
            bitmap = writer.get();
            writer = null;
        }
        return IdSet.wrap(bitmap);
    }
}
