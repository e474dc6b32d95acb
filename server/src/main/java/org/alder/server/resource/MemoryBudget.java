package org.alder.server.resource;

import java.util.concurrent.atomic.AtomicLong;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;

/**
 * So many bytes of the heap as all clients together may make the server hold. Whoever holds something opens a {@link Share}, says
 * how much it has, and closes it at the end, which gives back whatever it still has. Thread safe.
 */
public final class MemoryBudget {
    private final String key;
    private final long limitBytes;
    private final AtomicLong heldBytes = new AtomicLong();

    /** @param key of the configuration, which refusals name  @param limitBytes at least 0 */
    public MemoryBudget(String key, long limitBytes) {
        this.key = key;
        this.limitBytes = limitBytes;
    }

    public Share open() {
        return new Share();
    }

    /** Has its figures shown. */
    public void showIn(Counters counters) {
        counters.gauge("memory/" + key, "alderHeldBytes", this::heldBytes);
        counters.gauge("memory/" + key, "alderHeldBytesLimit", this::limitBytes);
    }

    /** What all shares have together; more than the limit where something had to be taken that could not be refused. */
    public long heldBytes() {
        return heldBytes.get();
    }

    public long limitBytes() {
        return limitBytes;
    }

    /** Whether more than half is gone: who can do with less should. */
    public boolean isScarce() {
        return heldBytes.get() > limitBytes / 2;
    }

    /** Why so many bytes more cannot be had. */
    public String refusal(long bytes) {
        return bytes + " bytes more cannot be held for a client: " + heldBytes.get() + " of the " + limitBytes
                + " bytes allowed for all clients together are in use (" + key + ")";
    }

    private boolean tryTake(long bytes) {
        for (;;) {
            long held = heldBytes.get();
            if (bytes > limitBytes - held) {
                return false;
            }
            if (heldBytes.compareAndSet(held, held + bytes)) {
                return true;
            }
        }
    }

    /** What one holder has of the budget. Thread safe. */
    public final class Share implements AutoCloseable {
        private long bytes;
        private boolean closed;

        private Share() {
        }

        /** Takes so many bytes more if the budget has them; a closed share needs none. */
        public synchronized boolean tryGrow(long more) {
            if (!closed && !tryTake(more)) {
                return false;
            }
            bytes += closed ? 0 : more;
            return true;
        }

        /**
         * Takes so many bytes more.
         *
         * @throws DirectoryException adminLimitExceeded if there can never be so many, busy if there are not now; nothing is taken
         */
        public void grow(long more) throws DirectoryException {
            if (!tryGrow(more)) {
                throw new DirectoryException(more > limitBytes ? ResultCode.ADMIN_LIMIT_EXCEEDED : ResultCode.BUSY,
                        refusal(more));
            }
        }

        /** Brings the share to so many bytes in all. @throws DirectoryException as {@link #grow} */
        public synchronized void growTo(long total) throws DirectoryException {
            if (total > bytes) {
                grow(total - bytes);
            }
        }

        /** Takes so many bytes more, also beyond the limit: for what is there already. */
        public synchronized void take(long more) {
            if (!closed) {
                heldBytes.addAndGet(more);
                bytes += more;
            }
        }

        /** Gives so many bytes back, at most what it has. */
        public synchronized void shrink(long less) {
            long given = Math.min(less, bytes);
            bytes -= given;
            heldBytes.addAndGet(-given);
        }

        /** Moves all that it has to a new share. */
        public synchronized Share moved() {
            Share other = new Share();
            other.bytes = bytes;
            bytes = 0;
            return other;
        }

        /** See {@link MemoryBudget#refusal}. */
        public String refusal(long more) {
            return MemoryBudget.this.refusal(more);
        }

        public synchronized long bytes() {
            return bytes;
        }

        /** Gives back all that it has. Idempotent. */
        @Override
        public synchronized void close() {
            closed = true;
            shrink(bytes);
        }
    }
}
