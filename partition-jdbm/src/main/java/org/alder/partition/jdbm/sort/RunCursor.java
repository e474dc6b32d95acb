package org.alder.partition.jdbm.sort;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.alder.partition.entry.Varints;

/** Walks the keys of one index in one run; after each {@link #next()} the IDs must be read to their end. One thread. */
final class RunCursor {
    private final SortedRun run;
    private final long end;
    private final ByteBuffer buffer;
    private long position;
    private byte[] key;

    RunCursor(SortedRun run, long start, long end, int bufferBytes) {
        this.run = run;
        this.position = start;
        this.end = end;
        this.buffer = ByteBuffer.allocate(Math.max(Varints.MAX_BYTES, (int) Math.min(bufferBytes, end - start))).limit(0);
    }

    /** Steps to the next key; false at the end. */
    boolean next() throws IOException {
        if (!buffer.hasRemaining() && position == end) {
            return false;
        }
        key = new byte[(int) number()];
        int filled = 0;
        while (filled < key.length) {
            if (!buffer.hasRemaining()) {
                fill();
            }
            int part = Math.min(buffer.remaining(), key.length - filled);
            buffer.get(key, filled, part);
            filled += part;
        }
        return true;
    }

    byte[] key() {
        return key;
    }

    /** Adds the current key's IDs, which ascend. */
    void readIds(IdCollector ids) throws IOException {
        long id = 0;
        for (long distance = number(); distance != 0; distance = number()) {
            id += distance;
            ids.add((int) id);
        }
    }

    private long number() throws IOException {
        if (buffer.remaining() < Varints.MAX_BYTES) {
            fill();
        }
        return Varints.get(buffer);
    }

    /** Reads on behind what is left in the buffer, if there is more. */
    private void fill() throws IOException {
        buffer.compact().limit((int) Math.min(buffer.capacity(), buffer.position() + end - position));
        int left = buffer.position();
        if (position < end || left == 0) {
            run.read(buffer, position);
            position += buffer.position() - left;
        }
        buffer.flip();
    }
}
