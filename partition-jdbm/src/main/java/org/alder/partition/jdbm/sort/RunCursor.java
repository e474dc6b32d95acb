package org.alder.partition.jdbm.sort;

import java.io.IOException;
import java.nio.ByteBuffer;

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
        this.buffer = ByteBuffer.allocate((int) Math.min(bufferBytes, end - start)).limit(0);
    }

    /** Steps to the next key; false at the end. */
    boolean next() throws IOException {
        if (!buffer.hasRemaining() && position == end) {
            return false;
        }
        key = new byte[(int) number()];
        int filled = 0;
        while (filled < key.length) {
            fillIfEmpty();
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
        long value = 0;
        int shift = 0;
        byte b;
        do {
            fillIfEmpty();
            b = buffer.get();
            value |= (long) (b & 0x7F) << shift;
            shift += 7;
        } while (b < 0);
        return value;
    }

    private void fillIfEmpty() throws IOException {
        if (!buffer.hasRemaining()) {
            buffer.clear().limit((int) Math.min(buffer.capacity(), end - position));
            run.read(buffer, position);
            buffer.flip();
            position += buffer.remaining();
        }
    }
}
