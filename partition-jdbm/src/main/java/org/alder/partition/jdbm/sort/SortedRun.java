package org.alder.partition.jdbm.sort;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.alder.partition.jdbm.disk.Disk;
import org.alder.partition.jdbm.disk.DiskFile;

/**
 * One sorted arena in a file, which lives as long as the sort does and is never synced. Reading is thread safe.
 *
 * <p>For each index, one after the other, for each key: varint length and bytes of the key, the first ID as a varint, the
 * distances of the following IDs to the one before as varints, and a zero byte. Where each index starts is only in memory.
 */
final class SortedRun implements Closeable {
    private final DiskFile file;
    private final long[] starts;

    private SortedRun(DiskFile file, long[] starts) {
        this.file = file;
        this.starts = starts;
    }

    /** Writes an arena that the sorter has just sorted. The file goes when the run is closed. */
    static SortedRun write(Disk disk, Path path, KeyArena arena, ArenaSorter sorted, int indexCount) throws IOException {
        DiskFile file = disk.createScratch(path);
        try {
            long[] starts = new long[indexCount + 1];
            RunOutput out = new RunOutput(file);
            for (int index = 0; index < indexCount; index++) {
                starts[index] = out.position();
                writeIndex(out, arena, sorted, index);
            }
            starts[indexCount] = out.position();
            out.flush();
            return new SortedRun(file, starts);
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    private static void writeIndex(RunOutput out, KeyArena arena, ArenaSorter sorted, int index) throws IOException {
        int[] order = sorted.order();
        int end = sorted.start(index + 1);
        int at = sorted.start(index);
        while (at < end) {
            int first = ArenaSorter.triple(order[at]);
            out.key(arena.keys(), arena.keyOffset(first), arena.keyEnd(first));
            long previous = 0;
            do {
                long id = Integer.toUnsignedLong(arena.id(ArenaSorter.triple(order[at])));
                if (id != previous) {
                    out.number(id - previous);
                    previous = id;
                }
                at++;
            } while (at < end && !ArenaSorter.startsKey(order[at]));
            out.number(0);
        }
    }

    /** Walks the keys of one index. */
    RunCursor cursor(int index, int bufferBytes) {
        return new RunCursor(this, starts[index], starts[index + 1], bufferBytes);
    }

    /** Fills the buffer from the position on as far as the limit allows, at least with one byte. */
    void read(ByteBuffer buffer, long position) throws IOException {
        if (file.read(buffer, position) <= 0) {
            throw new IOException("a sorted run ends at " + file.size() + " where more was written");
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
