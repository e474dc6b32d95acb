package org.alder.server.follow;

/** Why a followed server cannot be followed now; the message says it to whoever administers the copy. */
final class FollowException extends Exception {
    private static final long serialVersionUID = 1L;

    /** What comes next. */
    enum Next {
        /** After a while the same again. */
        RETRY,
        /** At once by the server's log of changes: the copy is up to date. */
        LOG,
        /** What changed by the entries themselves: the server's log of changes does not say it. */
        ENTRIES,
        /** Everything anew, without the cookie. */
        REFRESH,
        /** Nothing, until somebody decides. */
        HALT
    }

    private final Next next;

    FollowException(Next next, String message) {
        super(message);
        this.next = next;
    }

    FollowException(Next next, String message, Throwable cause) {
        super(message, cause);
        this.next = next;
    }

    Next next() {
        return next;
    }
}
