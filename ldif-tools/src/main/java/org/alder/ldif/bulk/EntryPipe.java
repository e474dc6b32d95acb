package org.alder.ldif.bulk;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.alder.ldif.LdifAttribute;
import org.alder.ldif.LdifEntry;

/**
 * Reads a source on a thread of its own, has batches of entries prepared by as many threads as there are processors, and hands
 * them over in the order of the source. What is under way is bounded in number and in bytes. {@link #next()} belongs to one
 * thread; {@link #close()} ends the other ones.
 */
final class EntryPipe implements AutoCloseable {
    private static final int BATCH_ENTRIES = 256;
    private static final int BATCH_BYTES = 1 << 19;
    /** Beside the bytes of a value: its array, its place in lists, its part of the index keys. */
    private static final int VALUE_OVERHEAD_BYTES = 64;

    private final BatchPreparation preparation;
    /** A batch that is null is the end of the source. */
    private final BlockingQueue<Future<List<LoadEntry>>> queue;
    private final ExecutorService workers;
    private final Thread reader;
    private volatile boolean closed;

    EntryPipe(EntrySource source, BatchPreparation preparation) {
        int threads = Runtime.getRuntime().availableProcessors();
        this.preparation = preparation;
        queue = new ArrayBlockingQueue<>(2 * threads);
        workers = Executors.newFixedThreadPool(threads, task -> daemon(task, "ldif-preparation"));
        reader = daemon(() -> readAll(source), "ldif-reader");
        reader.start();
    }

    private static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    private void readAll(EntrySource source) {
        try {
            Future<List<LoadEntry>> end;
            try {
                readBatches(source);
                end = CompletableFuture.completedFuture(null);
            } catch (IOException | RuntimeException e) {
                end = CompletableFuture.failedFuture(e);
            }
            queue.put(end);
        } catch (InterruptedException e) {
            // Only close() interrupts, and then nobody waits for more.
            Thread.currentThread().interrupt();
        }
    }

    private void readBatches(EntrySource source) throws IOException, InterruptedException {
        List<LdifEntry> batch = new ArrayList<>(BATCH_ENTRIES);
        long bytes = 0;
        for (LdifEntry entry = source.next(); entry != null && !closed; entry = source.next()) {
            batch.add(entry);
            bytes += bytes(entry);
            if (batch.size() == BATCH_ENTRIES || bytes >= BATCH_BYTES) {
                hand(batch);
                batch = new ArrayList<>(BATCH_ENTRIES);
                bytes = 0;
            }
        }
        hand(batch);
    }

    private static long bytes(LdifEntry entry) {
        long bytes = 0;
        for (LdifAttribute attribute : entry.attributes()) {
            bytes += attribute.value().length + VALUE_OVERHEAD_BYTES;
        }
        return bytes;
    }

    private void hand(List<LdifEntry> batch) throws InterruptedException {
        queue.put(workers.submit(() -> preparation.prepare(batch)));
    }

    /** The next batch, or null at the end. */
    List<LoadEntry> next() throws IOException {
        try {
            return queue.take().get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while reading", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException fault) {
                throw fault;
            }
            throw new IOException("reading failed: " + e.getCause(), e.getCause());
        }
    }

    @Override
    public void close() {
        closed = true;
        reader.interrupt();
        workers.shutdownNow();
    }
}
