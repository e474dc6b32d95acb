package org.alder.partition.entry;

import java.util.List;
import org.alder.partition.ber.BerWriter;

/**
 * The attributes of an entry as they are returned to clients: near wire format, so that they are copied and not built. How an
 * entry is stored beside them is {@link EntryRecord}'s affair. Immutable, thread safe; damaged bytes give a
 * {@link org.alder.partition.error.StoreException} of kind CORRUPT.
 */
public sealed interface EntryAttributes permits EntryRecord {
    /** Those of an entry that is nowhere stored. Attributes without values are left out. */
    static EntryAttributes of(List<Attribute> user) {
        return EntryRecord.of(0, new byte[0], user, List.of());
    }

    /** About how many bytes all of them are, without the values of large ones. */
    int length();

    /** Writes the user attributes but the large ones, each a PartialAttribute (RFC 4511 4.1.7). */
    void writeUserAttributes(BerWriter out);

    /** Walks the attributes but the large ones without building objects: the user attributes, then, if asked, the operational. */
    AttributeCursor cursor(boolean withOperational);

    /** The user attributes but the large ones. */
    List<Attribute> userAttributes();

    /** Whether there are attributes whose values are elsewhere. */
    boolean hasLarge();

    /** The attributes whose values are elsewhere; none of them is among the others. */
    List<LargeAttribute> largeAttributes();

    /** The first value of the operational attribute spelt so, in capitals or not and without options; null if there is none. */
    byte[] operationalValue(String name);
}
