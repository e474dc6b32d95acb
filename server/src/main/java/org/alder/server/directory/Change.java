package org.alder.server.directory;


/**
 * What an update made of an entry, as far as the request asked to see it ({@link OperationOptions}). Immutable; the entries stay
 * valid.
 */
public final class Change {
    static final Change UNSEEN = new Change(null, null);

    private final CapturedEntry before;
    private final CapturedEntry after;

    Change(CapturedEntry before, CapturedEntry after) {
        this.before = before;
        this.after = after;
    }

    /** The entry as it was, or null. */
    public FoundEntry before() {
        return before;
    }

    /** The entry as it became, or null. */
    public FoundEntry after() {
        return after;
    }
}
