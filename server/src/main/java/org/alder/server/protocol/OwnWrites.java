package org.alder.server.protocol;

import java.util.concurrent.TimeUnit;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;

/**
 * What the client of a connection has had another member write, which this one shows a moment later: reads wait for it. Thread safe; what asks
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
        boolean reads = message.tag() == LdapMessage.SEARCH || message.tag() == LdapMessage.COMPARE || message.tag() == LdapMessage.BIND;
        if (missing == null || !reads || isLate) {
            return true;
        } else if (waits) {
            return false;
        } else if (members.isShown(missing)) {
            missing = null;
            return true;
        }
        waits = true;
        ReadPoint awaited = missing;
        members.await(awaited, MOST_MILLIS).whenComplete((shown, failure) -> end(failure == null && shown));
        return false;
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
     * @throws DirectoryException busy where it would not show what was written
     */
    synchronized void requireShown(int tag) throws DirectoryException {
        boolean reads = tag == LdapMessage.SEARCH || tag == LdapMessage.COMPARE || tag == LdapMessage.BIND;
        if (reads && isLate) {
            isLate = false;
            if (!members.isShown(missing)) {
                throw new DirectoryException(ResultCode.BUSY, "this member does not show yet what this connection has written, and a read waits "
                        + MOST_MILLIS + " ms for it at most: try again, or on another connection read what is there");
            }
        }
    }
}
