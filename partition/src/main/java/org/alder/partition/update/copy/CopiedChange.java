package org.alder.partition.update.copy;

import java.util.List;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.update.edit.ModificationStep;

/** What another server says of one of its entries, which {@link CopiedEntries} has a copy of. Not to be changed. */
public sealed interface CopiedChange {
    /** What is said of an entry by its entryUUID. */
    sealed interface OfEntry extends CopiedChange {
        /** As text. */
        byte[] uuid();
    }

    /**
     * The entry is so.
     *
     * @param uuid   its entryUUID as text
     * @param record made by {@link CopiedEntries#prepare}
     */
    record Put(Dn dn, byte[] uuid, EntryRecord record) implements OfEntry {
    }

    /**
     * The entry was changed so. It is made only of an entry that is older, and not at all of one for which it does not hold.
     *
     * @param uuid  its entryUUID as text
     * @param csn   its entryCSN afterwards
     * @param steps made by {@link CopiedEntries#prepare(byte[], byte[], List)}
     */
    record Modify(byte[] uuid, byte[] csn, List<ModificationStep> steps) implements OfEntry {
    }

    /** The entry is there, as it was. @param uuid its entryUUID as text */
    record Keep(byte[] uuid) implements OfEntry {
    }

    /** There is no such entry any more. @param uuid its entryUUID as text */
    record Remove(byte[] uuid) implements OfEntry {
    }

    /** The entry was not among those that the other server has. @param place where the copy is: {@link CopiedEntries#place} */
    record Drop(long place) implements CopiedChange {
    }
}
