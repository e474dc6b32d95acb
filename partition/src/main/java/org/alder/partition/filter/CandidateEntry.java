package org.alder.partition.filter;

import java.util.List;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.entry.StoredName;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.store.LargeValues;

/** An entry that a filter is evaluated on, with what only its surroundings know. Used by one thread. */
public interface CandidateEntry {
    /** The attribute types that are worked out of other entries too, by their OIDs. */
    String HAS_SUBORDINATES = "2.5.18.9";
    String NUM_SUBORDINATES = "1.3.6.1.4.1.453.16.2.103";
    String COLLECTIVE_ATTRIBUTE_SUBENTRIES = "2.5.18.12";
    String MEMBER_OF = "1.2.840.113556.1.2.102";

    EntryRecord record();

    /** The same as far as the name goes, for less where the record has not been read. */
    default StoredName name() {
        return record();
    }

    /** The DN as it is spelt; put together only when asked. */
    String dn();

    /** What follows the entry's RDN in its DN, with the comma: its siblings' is equal. Null if only the whole DN is known. */
    default String dnTail() {
        return null;
    }

    /** The values of a virtual attribute of this entry; empty for all other attributes. */
    List<byte[]> virtualValues(AttributeType type);

    /**
     * Whether the entry has a value with this normal form in an attribute of this type that is neither in the record nor virtual:
     * the members of a dynamic group.
     */
    default boolean hasComputedValue(AttributeType type, byte[] form) {
        return false;
    }

    /** What whoever looks at it may know of it. */
    default AttributeAccess access() {
        return AttributeAccess.ALL;
    }

    /** Another entry of the same point in time that he may know of, or null if there is none with this DN. */
    CandidateEntry entryAt(Dn dn);

    /** The values of the record's large attributes. */
    LargeValues largeValues();
}
