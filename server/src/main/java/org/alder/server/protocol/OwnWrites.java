package org.alder.server.protocol;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.alder.partition.error.Cause;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.server.control.AgeBound;
import org.alder.server.control.ControlHandler;
import org.alder.server.control.ReadPoint;
import org.alder.server.control.RequestControl;
import org.alder.server.control.RequestLimits;

/**
 * What the client of a connection has had another member write, which this one shows a moment later: reads wait for it, for the state that
 * they name ({@link ReadPoint}), and until what they show is as new as they want ({@link AgeBound}). Thread safe; what asks
 * whether a request may begin is called with the session's lock.
 */
final class OwnWrites {
    /** So long does a read wait. */
    static final long MOST_MILLIS = TimeUnit.SECONDS.toMillis(2);

    private final OtherMembers members;
    private final Runnable whenItMayBegin;
    /** Null where all is shown. */
    private ReadPoint missing;
    /** The read that waits, or has done so and begins next; null where none does. */
    private Read waiting;

    /** One that is not known yet to show what it is to show. Guarded by the connection's object. */
    private static final class Read {
        /** Which no other request has before this one is answered (RFC 4511 4.1.1.1). */
        private final int id;
        private boolean isOver;
        /** Null where all is shown. */
        private DirectoryException refusal;

        Read(int id) {
            this.id = id;
        }
    }

    /** @param whenItMayBegin run when a read that waits may begin; must not block */
    OwnWrites(OtherMembers members, Runnable whenItMayBegin) {
        this.members = members;
        this.whenItMayBegin = whenItMayBegin;
    }

    synchronized void add(ReadPoint written) {
        missing = missing == null ? written : missing.and(written);
    }

    /** Whether a read may begin; if not, it is told when it may. */
    synchronized boolean mayBegin(LdapMessage message) {
        if (!isRead(message)) {
            return true;
        } else if (waiting != null && (!waiting.isOver || waiting.id == message.id())) {
            return waiting.isOver;
        }
        // One that has waited was abandoned.
        waiting = null;
        if (missing != null && members.isShown(missing)) {
            missing = null;
        }
        ReadPoint wanted = wanted(message);
        Long mostAgeMillis = value(message, AgeBound.CONTROL);
        long sinceNanos = mostAgeMillis == null ? 0 : System.nanoTime() - TimeUnit.MILLISECONDS.toNanos(mostAgeMillis);
        boolean isNew = mostAgeMillis == null || members.isShownSince(sinceNanos);
        if (isNew && (wanted == ReadPoint.ANY || members.isShown(wanted))) {
            return true;
        }
        Read read = new Read(message.id());
        waiting = read;
        CompletableFuture<Boolean> shown = wanted == ReadPoint.ANY ? CompletableFuture.completedFuture(true) : members.await(wanted, MOST_MILLIS);
        CompletableFuture<Boolean> all = isNew ? shown : shown.thenCombine(members.awaitSince(sinceNanos, MOST_MILLIS), Boolean::logicalAnd);
        // Never with the session's lock, which the caller has.
        all.whenCompleteAsync((isShown, failure) -> end(read, isShown, failure));
        return false;
    }

    private static boolean isRead(LdapMessage message) {
        return message.tag() == LdapMessage.SEARCH || message.tag() == LdapMessage.COMPARE || message.tag() == LdapMessage.BIND;
    }

    /** By what the connection has written, and by what the request says. */
    private ReadPoint wanted(LdapMessage message) {
        ReadPoint wanted = missing == null ? ReadPoint.ANY : missing;
        ReadPoint named = value(message, ReadPoint.CONTROL);
        return named == null || named == ReadPoint.ANY ? wanted : wanted.and(named);
    }

    /** Null where a control is not there, or has a value that is refused when the request begins. */
    private static <T> T value(LdapMessage message, ControlHandler<T> control) {
        for (RequestControl each : message.controls()) {
            if (each.oid().equals(control.oid()) && each.value() != null) {
                try {
                    return control.decode(each.value(), RequestLimits.STANDARD);
                } catch (DirectoryException e) {
                    return null;
                }
            }
        }
        return null;
    }

    private void end(Read read, Boolean isShown, Throwable failure) {
        Throwable cause = Cause.of(failure);
        synchronized (this) {
            read.isOver = true;
            if (cause instanceof DirectoryException refusal) {
                read.refusal = refusal;
            } else if (cause != null || !isShown) {
                read.refusal = new DirectoryException(ResultCode.BUSY, "this member does not show yet what this connection has written, or the state or"
                        + " age that the request names, and a read waits " + MOST_MILLIS + " ms for it at most: try again, or on another member");
            }
        }
        whenItMayBegin.run();
    }

    /**
     * When a read begins.
     *
     * @throws DirectoryException busy where it would not show what it is to show
     */
    synchronized void requireShown(LdapMessage message) throws DirectoryException {
        if (waiting != null && waiting.isOver && isRead(message)) {
            DirectoryException refusal = waiting.refusal;
            waiting = null;
            if (refusal != null) {
                throw refusal;
            }
        }
    }
}
