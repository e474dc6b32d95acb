package org.alder.server.protocol;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.function.Consumer;
import org.alder.partition.error.DirectoryException;
import org.alder.server.resource.MemoryBudget;

/** The requests of a connection that cannot begin yet, in the order in which they came. Not thread safe, but for {@link #grow}. */
final class WaitingRequests {
    private final Deque<Waiting> queue = new ArrayDeque<>();
    private final MemoryBudget.Share memory;

    /** One of them: of a thousand the one that is abandoned is found without decoding them. */
    record Waiting(int id, int tag, byte[] bytes, long arrivedNanos) {
    }

    /** @param memory that they have of the server's */
    WaitingRequests(MemoryBudget.Share memory) {
        this.memory = memory;
    }

    /** Counts one that is added next. @throws DirectoryException where there is no memory for it */
    void grow(int bytes) throws DirectoryException {
        memory.grow(bytes);
    }

    void add(Waiting request) {
        queue.add(request);
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
