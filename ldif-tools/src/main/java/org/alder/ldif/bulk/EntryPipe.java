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
import java.util.concurrent.Semaphore;
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
    /** What is under way may have so much of the heap: preparing an entry takes several times its size. */
    private static final int HEAP_PART = 32;
    private static final int ROOM_SHIFT = 10;

    private final BatchPreparation preparation;
    /** A batch that is null is the end of the source. */
    private final BlockingQueue<Batch> queue;
    /** In KiB. An entry that needs more than there is goes alone. */
    private final Semaphore room;
    private final int roomKib;
    private final ExecutorService workers;
    private final Thread reader;
    private volatile boolean closed;
    /** What the batch that was handed over last takes. */
    private int heldKib;

    /** A batch and the room it takes until the next one is asked for. */
    private record Batch(Future<List<LoadEntry>> entries, int kib) {
    }

    EntryPipe(EntrySource source, BatchPreparation preparation) {
        this(source, preparation, Runtime.getRuntime().maxMemory() / HEAP_PART);
    }

    /** @param roomBytes of entries that are under way at once, in the form they are read in; one may be larger */
    EntryPipe(EntrySource source, BatchPreparation preparation, long roomBytes) {
        roomKib = (int) Math.min(Integer.MAX_VALUE, Math.max(1, roomBytes >> ROOM_SHIFT));
        room = new Semaphore(roomKib);
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
            queue.put(new Batch(end, 0));
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
                hand(batch, bytes);
                batch = new ArrayList<>(BATCH_ENTRIES);
                bytes = 0;
            }
        }
        hand(batch, bytes);
    }

    private static long bytes(LdifEntry entry) {
        long bytes = 0;
        for (LdifAttribute attribute : entry.attributes()) {
            bytes += attribute.value().length + VALUE_OVERHEAD_BYTES;
        }
        return bytes;
    }

    private void hand(List<LdifEntry> batch, long bytes) throws InterruptedException {
        int kib = (int) Math.min(roomKib, bytes >> ROOM_SHIFT);
        room.acquire(kib);
        queue.put(new Batch(workers.submit(() -> preparation.prepare(batch)), kib));
    }

    /** The next batch, or null at the end. The one before must be of no use any more. */
    List<LoadEntry> next() throws IOException {
        room.release(heldKib);
        heldKib = 0;
        try {
            Batch batch = queue.take();
            heldKib = batch.kib;
            return batch.entries.get();
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
