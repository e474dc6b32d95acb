package org.alder.server.resource;

import java.util.concurrent.atomic.AtomicLong;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;

/**
 * So many bytes of the heap as all clients together may make the server hold. Whoever holds something opens a {@link Share}, says
 * how much it has, and closes it at the end, which gives back whatever it still has. {@link ClientMemory} gives each client a part.
 * Thread safe.
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

    /** Of nobody's part. */
    public Share open(Holding what) {
        return new Share(null, what);
    }

    /** A part of it, which bounds what its shares have together. @param mostBytes at most the limit counts */
    Part part(long mostBytes) {
        return new Part(Math.min(mostBytes, limitBytes));
    }

    /** What one client has of the budget. Thread safe; needs no end. */
    public final class Part {
        private final long mostBytes;
        private final AtomicLong partBytes = new AtomicLong();

        private Part(long mostBytes) {
            this.mostBytes = mostBytes;
        }

        public Share open(Holding what) {
            return new Share(this, what);
        }

        private String refusal(Holding what, long bytes) {
            return bytes + " bytes more cannot be held for " + what.text() + ": " + partBytes.get() + " of the " + mostBytes
                    + " bytes allowed for one client are in use (" + key + ")";
        }
    }

    /** Has its figures shown. */
    public void showIn(Counters counters) {
        counters.gauge("memory/" + key, "alderHeldBytes", this::heldBytes);
        counters.gauge("memory/" + key, "alderHeldBytesLimit", this::limitBytes);
        counters.overload().mark("bytes of heap held for clients", key, this::heldBytes, () -> limitBytes / 10 * 9 + 1);
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

    private String refusal(Holding what, long bytes) {
        return bytes + " bytes more cannot be held for " + what.text() + ": " + heldBytes.get() + " of the " + limitBytes
                + " bytes allowed for all clients together are in use (" + key + ")";
    }

    private static boolean tryTake(AtomicLong counter, long most, long bytes) {
        for (;;) {
            long held = counter.get();
            if (bytes > most - held) {
                return false;
            }
            if (counter.compareAndSet(held, held + bytes)) {
                return true;
            }
        }
    }

    /** What one holder has of the budget. Thread safe. */
    public final class Share implements AutoCloseable {
        private final Part part;
        private final Holding what;
        private long bytes;
        private boolean closed;

        /** @param part null for none */
        private Share(Part part, Holding what) {
            this.part = part;
            this.what = what;
        }

        /** For what it has memory. */
        public Holding what() {
            return what;
        }

        /** Takes so many bytes more if the budget, and the part, have them; a closed share needs none. */
        public synchronized boolean tryGrow(long more) {
            if (closed) {
                return true;
            }
            if (part != null && !tryTake(part.partBytes, part.mostBytes, more)) {
                return false;
            }
            if (!tryTake(heldBytes, limitBytes, more)) {
                addToPart(-more);
                return false;
            }
            bytes += more;
            return true;
        }

        private void addToPart(long more) {
            if (part != null) {
                part.partBytes.addAndGet(more);
            }
        }

        /**
         * Takes so many bytes more.
         *
         * @throws DirectoryException adminLimitExceeded if there can never be so many, busy if there are not now; nothing is taken
         */
        public void grow(long more) throws DirectoryException {
            if (!tryGrow(more)) {
                throw new DirectoryException(more > most() ? ResultCode.ADMIN_LIMIT_EXCEEDED : ResultCode.BUSY, refusal(more));
            }
        }

        private long most() {
            return part == null ? limitBytes : part.mostBytes;
        }

        /** Takes so many bytes more, also beyond the limit: for what is there already. */
        public synchronized void take(long more) {
            if (!closed) {
                heldBytes.addAndGet(more);
                addToPart(more);
                bytes += more;
            }
        }

        /** Gives so many bytes back, at most what it has. */
        public synchronized void shrink(long less) {
            long given = Math.min(less, bytes);
            bytes -= given;
            heldBytes.addAndGet(-given);
            addToPart(-given);
        }

        /** Moves all that it has to a new share, for something else. */
        public synchronized Share moved(Holding to) {
            Share other = new Share(part, to);
            other.bytes = bytes;
            bytes = 0;
            return other;
        }

        /** Why so many bytes more cannot be had. */
        public String refusal(long more) {
            boolean partIsShort = part != null && more > part.mostBytes - part.partBytes.get();
            return partIsShort && more <= limitBytes ? part.refusal(what, more) : MemoryBudget.this.refusal(what, more);
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
