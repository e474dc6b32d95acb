package org.alder.server.protocol;

import java.util.concurrent.TimeUnit;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.server.control.ReadPoint;
import org.alder.server.control.RequestControl;
import org.alder.server.control.RequestLimits;

/**
 * What the client of a connection has had another member write, which this one shows a moment later: reads wait for it, and for the state that
 * they name ({@link ReadPoint}). Thread safe; what asks
 * whether a request may begin is called with the session's lock.
 */
final class OwnWrites {
    /** So long does a read wait. */
    static final long MOST_MILLIS = TimeUnit.SECONDS.toMillis(2);

    private final OtherMembers members;
    private final Runnable whenItMayBegin;
    /** Null where all is shown. */
    private ReadPoint missing;
    private boolean waits;
    /** Whether the read that waited has done so for long enough. */
    private boolean isLate;

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
        if (isLate || waits || !isRead(message)) {
            return !waits || !isRead(message);
        }
        if (missing != null && members.isShown(missing)) {
            missing = null;
        }
        ReadPoint wanted = wanted(message);
        if (wanted == ReadPoint.ANY || members.isShown(wanted)) {
            return true;
        }
        waits = true;
        members.await(wanted, MOST_MILLIS).whenComplete((shown, failure) -> end(failure == null && shown));
        return false;
    }

    private static boolean isRead(LdapMessage message) {
        return message.tag() == LdapMessage.SEARCH || message.tag() == LdapMessage.COMPARE || message.tag() == LdapMessage.BIND;
    }

    /** By what the connection has written, and by what the request says; what is no state there is refused when the request begins. */
    private ReadPoint wanted(LdapMessage message) {
        ReadPoint wanted = missing == null ? ReadPoint.ANY : missing;
        for (RequestControl each : message.controls()) {
            if (each.oid().equals(ReadPoint.CONTROL.oid()) && each.value() != null) {
                try {
                    wanted = wanted.and(ReadPoint.CONTROL.decode(each.value(), RequestLimits.STANDARD));
                } catch (DirectoryException e) {
                    return wanted;
                }
            }
        }
        return wanted;
    }

    private void end(boolean shown) {
        synchronized (this) {
            waits = false;
            isLate = !shown;
        }
        whenItMayBegin.run();
    }

    /**
     * When a read begins.
     *
     * @throws DirectoryException busy where it would not show what it is to show
     */
    synchronized void requireShown(LdapMessage message) throws DirectoryException {
        if (isLate && isRead(message)) {
            isLate = false;
            if (!members.isShown(wanted(message))) {
                throw new DirectoryException(ResultCode.BUSY, "this member does not show yet what this connection has written, or the state that the"
                        + " request names, and a read waits " + MOST_MILLIS + " ms for it at most: try again, or on another member");
            }
        }
    }
}
