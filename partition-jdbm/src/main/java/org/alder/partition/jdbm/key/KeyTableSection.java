package org.alder.partition.jdbm.key;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.alder.partition.jdbm.disk.DiskFile;

/** Writes the starts and the entries of a key table, some buckets at a time from the first to the last. One thread. */
final class KeyTableSection {
    private final DiskFile target;
    private final KeyTableFormat format;
    private int doneBuckets;
    private int doneKeys;

    KeyTableSection(DiskFile target, KeyTableFormat format) {
        this.target = target;
        this.format = format;
    }

    /** @param places all that belong into the next so many buckets, in any order */
    void write(KeyPlaces places, int buckets) throws IOException {
        int[] next = new int[buckets + 1];
        for (int i = 0; i < places.count(); i++) {
            next[bucket(places, i) + 1]++;
        }
        ByteBuffer starts = ByteBuffer.allocate(buckets * Integer.BYTES);
        for (int bucket = 0; bucket < buckets; bucket++) {
            starts.putInt(doneKeys + next[bucket]);
            next[bucket + 1] += next[bucket];
        }
        target.write(starts.flip(), format.startsOffset() + (long) doneBuckets * Integer.BYTES);
        ByteBuffer entries = entries(places, next);
        target.write(entries, format.entriesOffset() + (long) doneKeys * format.entryBytes());
        doneBuckets += buckets;
        doneKeys += places.count();
    }

    private int bucket(KeyPlaces places, int i) {
        return format.bucket(places.hash(i)) - doneBuckets;
    }

    /** @param next the first free entry of each bucket, moved on */
    private ByteBuffer entries(KeyPlaces places, int[] next) {
        ByteBuffer entries = ByteBuffer.allocate(places.count() * format.entryBytes());
        for (int i = 0; i < places.count(); i++) {
            int at = next[bucket(places, i)]++ * format.entryBytes();
            entries.putShort(at, (short) KeyTableFormat.fingerprint(places.hash(i)));
            long address = places.place(i) >>> Integer.SIZE << format.pairBits() | (int) places.place(i);
            for (int end = at + format.entryBytes() - 1; end > at + 1; end--) {
                entries.put(end, (byte) address);
                address >>>= 8;
            }
        }
        return entries;
    }

    /** Writes what stands behind the last bucket's start and the last entry. */
    void finish() throws IOException {
        target.write(ByteBuffer.allocate(Integer.BYTES).putInt(doneKeys).flip(), format.entriesOffset() - Integer.BYTES);
        int padding = (int) (format.fileBytes() - format.entriesOffset() - (long) doneKeys * format.entryBytes());
        target.write(ByteBuffer.allocate(padding), format.fileBytes() - padding);
    }
}
