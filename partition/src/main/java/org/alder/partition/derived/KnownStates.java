package org.alder.partition.derived;

import org.alder.partition.schema.Schema;
import org.alder.partition.store.Snapshot;
import org.alder.partition.tree.SpecialEntries;

/**
 * The facts of the states that are read: of the newest one that readers have, which changes with every commit, and of the one that
 * the transaction which is running sees. Thread safe.
 */
public final class KnownStates {
    private final Schema schema;
    private volatile StateFacts committed = new StateFacts(this, -1);
    /** Apart from the other, so that readers need not read theirs again for each transaction that comes between. */
    private volatile StateFacts changing = committed;

    public KnownStates(Schema schema) {
        this.schema = schema;
    }

    /** Those of the snapshot's state. */
    public StateFacts of(Snapshot snapshot) {
        Object identity = snapshot.identity();
        long version = schema.version();
        boolean isCommitted = identity.equals(snapshot.sequence());
        StateFacts known = isCommitted ? committed : changing;
        if (known.isOf(identity, version)) {
            return known;
        }
        StateFacts made = new StateFacts(identity, version);
        if (isCommitted) {
            committed = made;
        } else {
            changing = made;
        }
        return made;
    }

    /** The aliases, referral objects and subentries of the snapshot's state. */
    public SpecialEntries special(Snapshot snapshot) {
        return of(snapshot).special(snapshot);
    }
}
