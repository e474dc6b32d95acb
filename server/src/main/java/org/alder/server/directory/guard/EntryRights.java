package org.alder.server.directory.guard;

import java.util.function.Predicate;
import org.alder.partition.filter.AttributeAccess;
import org.alder.partition.schema.AttributeType;

/**
 * What one identity may do with one entry. Immutable. A policy makes few of these and gives the same object for the same rights, so
 * that what follows from them is worked out once.
 *
 * @param reading what may be known of it; {@link AttributeAccess#NONE} if it is as if there were no such entry
 * @param comparing which attributes may be asked about by compare
 * @param writing which attributes may be changed by modify
 * @param placing whether the entry may be added, deleted, renamed and moved
 */
public record EntryRights(AttributeAccess reading, Predicate<AttributeType> comparing, Predicate<AttributeType> writing,
                          boolean placing) {
    /** Everything, what the server itself maintains included. */
    public static final EntryRights ALL = new EntryRights(AttributeAccess.ALL, type -> true, type -> true, true);
    public static final EntryRights NONE = new EntryRights(AttributeAccess.NONE, type -> false, type -> false, false);
    /** Reading and comparing all but secrets. */
    public static final EntryRights READING = new EntryRights(AttributeAccess.ALL_BUT_SECRETS,
            AttributeAccess.ALL_BUT_SECRETS::mayRead, type -> false, false);

    /** Whether there is such an entry, as far as the identity may know. */
    boolean mayFind() {
        return reading != AttributeAccess.NONE;
    }
}
