package org.alder.server.access;

import java.util.Locale;
import org.alder.partition.schema.AttributeType;

/** What of a client is limited, by {@link LimitRule} and by attributes of its entry, which are those of 389 Directory Server. */
public enum LimitKind {
    /** Entries of one answer or page. */
    SIZE("nsSizeLimit", "2.16.840.1.113730.3.1.571", true),
    /** Seconds of one answer or page. */
    TIME("nsTimeLimit", "2.16.840.1.113730.3.1.572", true),
    /** Entries that one search tests for want of an index. */
    EXAMINED("nsLookThroughLimit", "2.16.840.1.113730.3.1.570", false),
    /** Seconds that a connection may be without a request. */
    IDLE("nsIdleTimeout", "2.16.840.1.113730.3.1.573", false);

    private final String attribute;
    private final String oid;
    private final boolean requested;

    LimitKind(String attribute, String oid, boolean requested) {
        this.attribute = attribute;
        this.oid = oid;
        this.requested = requested;
    }

    /** The attribute of entries that says it for who binds as them. */
    public String attribute() {
        return attribute;
    }

    /** Whether an attribute of entries says what who binds as them may cost. */
    static boolean isSaidBy(AttributeType type) {
        for (LimitKind kind : values()) {
            if (type.oid().equals(kind.oid)) {
                return true;
            }
        }
        return false;
    }

    /** Whether requests say how much they want, so that there is a limit for those that do not. */
    boolean isRequested() {
        return requested;
    }

    /** As rules call it. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
