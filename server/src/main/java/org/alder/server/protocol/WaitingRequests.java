package org.alder.server.protocol;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.alder.partition.error.DirectoryException;
import org.alder.server.resource.MemoryBudget;
import org.alder.server.resource.OpenSessions;

/** The requests of a connection that cannot begin yet, in the order in which they came. Not thread safe, but for {@link #grow}. */
final class WaitingRequests {
    private final Deque<Waiting> queue = new ArrayDeque<>();
    private final MemoryBudget.Share memory;

    /**
     * One of them: of a thousand the one that is abandoned is found without decoding them.
     *
     * @param refusal what it is answered when its turn comes; null for one that begins then
     */
    record Waiting(int id, int tag, byte[] bytes, long arrivedNanos, DirectoryException refusal) {
        LdapMessage message() {
            return LdapMessage.kept(bytes);
        }

        /** As administrators are shown it, of somebody; null if it is no request. */
        OpenSessions.Running facts(LdapService service, String authorizationId) {
            Operation operation = service.operation(tag);
            long nanos = System.nanoTime() - arrivedNanos;
            return operation == null ? null : new OpenSessions.Running(id, operation.kind().words(), true, null, authorizationId,
                    Instant.now().minusNanos(nanos), TimeUnit.NANOSECONDS.toMicros(nanos), null);
        }
    }

    /** @param memory that they have of the server's */
    WaitingRequests(MemoryBudget.Share memory) {
        this.memory = memory;
    }

    /** Counts one that is added next. @throws DirectoryException where there is no memory for it */
    void grow(int bytes) throws DirectoryException {
        memory.grow(bytes);
    }

    /** Adds one that was counted. */
    void add(LdapMessage message) {
        queue.add(new Waiting(message.id(), message.tag(), message.copy(), System.nanoTime(), null));
    }

    /** Adds a bind that is refused when those before it are done; of what it says nothing is kept. */
    void addRefused(LdapMessage bind, DirectoryException refusal) {
        byte[] empty = bind.empty();
        memory.take(empty.length);
        queue.add(new Waiting(bind.id(), bind.tag(), empty, System.nanoTime(), refusal));
    }

    boolean isEmpty() {
        return queue.isEmpty();
    }

    /** The first one; null where there is none. */
    Waiting peek() {
        return queue.peek();
    }

    /** Takes the first one. */
    void poll() {
        memory.shrink(queue.poll().bytes.length);
    }

    void forEach(Consumer<Waiting> action) {
        queue.forEach(action);
    }

    /** Takes the one with an ID; null if there is none. */
    Waiting take(int id) {
        for (Iterator<Waiting> waiting = queue.iterator(); waiting.hasNext();) {
            Waiting each = waiting.next();
            // Binds cannot be abandoned (RFC 4511 4.11).
            if (each.id == id && each.tag != LdapMessage.BIND) {
                waiting.remove();
                memory.shrink(each.bytes.length);
                return each;
            }
        }
        return null;
    }

    MemoryBudget.Share memory() {
        return memory;
    }

    /** There are none any more. */
    void close() {
        queue.clear();
        memory.close();
    }
}
