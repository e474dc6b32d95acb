package org.alder.partition.jdbm.key;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.alder.partition.jdbm.disk.DiskFile;

/**
 * A scratch file of {@link KeyPlaces} in {@value #SHARES} equal shares of the hashes, so that each share can be read alone. One
 * thread. Closing it removes the file, whose format nobody else reads.
 */
final class SpilledPlaces implements Closeable {
    /** The step in which buckets come: a share is whole buckets. */
    static final int SHARES = KeyTableFormat.BUCKET_STEP;
    private static final int SHARE_SHIFT = Long.SIZE - Integer.numberOfTrailingZeros(SHARES);
    private static final int PLACE_BYTES = 2 * Long.BYTES;

    private final DiskFile file;
    /** For each run written, where its shares start in the file, and where the last one ends. */
    private final List<long[]> runs = new ArrayList<>();
    private long written;

    SpilledPlaces(DiskFile file) {
        this.file = file;
    }

    private static int share(long hash) {
        return (int) (hash >>> SHARE_SHIFT);
    }

    void write(KeyPlaces places) throws IOException {
        int[] next = new int[SHARES + 1];
        for (int i = 0; i < places.count(); i++) {
            next[share(places.hash(i)) + 1]++;
        }
        long[] starts = new long[SHARES + 1];
        starts[0] = written;
        for (int share = 1; share <= SHARES; share++) {
            next[share] += next[share - 1];
            starts[share] = written + (long) next[share] * PLACE_BYTES;
        }
        ByteBuffer bytes = ByteBuffer.allocate(places.count() * PLACE_BYTES);
        for (int i = 0; i < places.count(); i++) {
            int at = next[share(places.hash(i))]++ * PLACE_BYTES;
            bytes.putLong(at, places.hash(i)).putLong(at + Long.BYTES, places.place(i));
        }
        file.write(bytes, written);
        written = starts[SHARES];
        runs.add(starts);
    }

    /** Puts all places of the share into the target, in place of what it holds. */
    void read(int share, KeyPlaces target) throws IOException {
        target.clear();
        for (long[] starts : runs) {
            ByteBuffer bytes = ByteBuffer.allocate((int) (starts[share + 1] - starts[share]));
            if (file.read(bytes, starts[share]) < bytes.capacity()) {
                throw new EOFException("the scratch file of a key table became shorter while it was read");
            }
            bytes.flip();
            while (bytes.hasRemaining()) {
                target.add(bytes.getLong(), bytes.getLong());
            }
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
