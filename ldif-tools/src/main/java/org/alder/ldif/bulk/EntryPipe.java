package org.alder.ldif.bulk;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.alder.ldif.LdifEntry;

/**
 * Reads a source on a thread of its own and hands the entries over in batches, so that parsing and building use two processors.
 * The queue is bounded. {@link #next()} belongs to one thread; {@link #close()} ends the reader.
 */
final class EntryPipe implements EntrySource, AutoCloseable {
    private static final int BATCH_ENTRIES = 256;
    private static final int QUEUED_BATCHES = 16;

    /** At the end of a file the entries are null; a fault follows where there was one. */
    private record Batch(List<LdifEntry> entries, IOException fault) {
    }

    private final BlockingQueue<Batch> queue = new ArrayBlockingQueue<>(QUEUED_BATCHES);
    private final Thread reader;
    private volatile boolean closed;
    private Batch current = new Batch(List.of(), null);
    private int position;

    EntryPipe(EntrySource source) {
        reader = new Thread(() -> readAll(source), "ldif-reader");
        reader.setDaemon(true);
        reader.start();
    }

    private void readAll(EntrySource source) {
        IOException fault = null;
        try {
            List<LdifEntry> batch = new ArrayList<>(BATCH_ENTRIES);
            for (LdifEntry entry = source.next(); entry != null && !closed; entry = source.next()) {
                batch.add(entry);
                if (batch.size() == BATCH_ENTRIES) {
                    hand(new Batch(batch, null));
                    batch = new ArrayList<>(BATCH_ENTRIES);
                }
            }
            hand(new Batch(batch, null));
        } catch (IOException e) {
            fault = e;
        } catch (RuntimeException e) {
            fault = new IOException("reading failed: " + e, e);
        }
        hand(new Batch(null, fault));
    }

    private void hand(Batch batch) {
        try {
            while (!closed && !queue.offer(batch, 1, TimeUnit.SECONDS)) {
                Thread.onSpinWait();
            }
        } catch (InterruptedException e) {
            closed = true;
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public LdifEntry next() throws IOException {
        while (current.entries != null && position == current.entries.size()) {
            try {
                current = queue.take();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while reading", e);
            }
            position = 0;
        }
        if (current.entries == null) {
            if (current.fault != null) {
                throw current.fault;
            }
            return null;
        }
        return current.entries.get(position++);
    }

    @Override
    public void close() {
        closed = true;
        queue.clear();
        reader.interrupt();
    }
}
