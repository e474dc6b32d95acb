package org.alder.partition.jdbm.write;

import java.util.concurrent.LinkedBlockingQueue;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.task.Tasks;

/** What waits for the writer's thread, in its order. Thread safe; the writer alone takes. */
final class WriterQueue {
    /** The last one. */
    static final Queued STOP = cause -> { };

    /** A transaction, a layer to be frozen, or the end. */
    interface Queued {
        /** It will not be done. */
        void fail(Throwable cause);
    }

    private final Tasks tasks;
    private final LinkedBlockingQueue<Queued> queue = new LinkedBlockingQueue<>();
    /** Taken already, and not wanted yet; null for none. */
    private Queued first;
    private boolean closed;

    WriterQueue(Tasks tasks) {
        this.tasks = tasks;
    }

    /** Fails it where nothing is taken any more. */
    synchronized void add(Queued work) {
        if (closed) {
            work.fail(closed());
        } else {
            queue.add(work);
        }
    }

    private static StoreException closed() {
        return new StoreException(StoreException.Kind.CLOSED, "the store is closed");
    }

    /** Nothing comes behind what is there. */
    synchronized void end() {
        if (!closed) {
            closed = true;
            queue.add(STOP);
        }
    }

    /** Nothing is left waiting for a thread that is gone. */
    synchronized void failAll() {
        closed = true;
        for (Queued work = queue.poll(); work != null; work = queue.poll()) {
            work.fail(closed());
        }
    }

    /** How many wait. */
    int size() {
        return queue.size();
    }

    Queued take() throws InterruptedException {
        Queued work = first == null ? tasks.take(queue) : first;
        first = null;
        return work;
    }

    /** Null where none is there in that time. */
    Queued poll(long nanos) throws InterruptedException {
        Queued work = first == null ? tasks.poll(queue, nanos) : first;
        first = null;
        return work;
    }

    /** Whether what comes next is no transaction, or one that may take long: known when one was asked for. */
    boolean hasOther() {
        return first != null;
    }

    /**
     * The next one where that is a transaction that does not take long. Anything else stays until its own turn.
     *
     * @param nanos how long to wait for it; 0 for not at all
     */
    PendingTransaction<?> pollTransaction(long nanos) throws InterruptedException {
        if (first == null) {
            first = nanos > 0 ? tasks.poll(queue, nanos) : queue.poll();
        }
        if (first instanceof PendingTransaction<?> next && !next.isLong()) {
            first = null;
            return next;
        }
        return null;
    }
}
