package org.alder.server.policy;

import org.alder.partition.dn.Dn;

/** A login that changes what is known of an account. Immutable. */
public record LoginEvent(Dn dn, Kind kind) {
    /** What came of it. The order is that of the numbers by which members of a cluster tell each other: more come at the end. */
    public enum Kind {
        /** The password was right. */
        RIGHT,
        /** It was wrong. */
        WRONG,
        /** Somebody else has proven who the client is. */
        PROVEN
    }
}
