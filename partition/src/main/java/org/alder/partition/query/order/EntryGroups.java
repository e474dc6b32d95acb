package org.alder.partition.query.order;

import org.alder.partition.id.IdSet;
import org.alder.partition.query.SearchCursor.Step;
import org.alder.partition.request.SortOrder;

/** The entries of a set in groups of equal place, one group after the other. One thread at a time. */
public interface EntryGroups extends AutoCloseable {
    /**
     * Goes on to the next group.
     *
     * @param most how much may be looked at in this step
     * @return MATCH, PAUSED or END
     */
    Step next(int most);

    /** The group's place, as {@link SortOrder#keyOf} has it for orders by one attribute. */
    byte[] key();

    /** In ascending order of their IDs in any case. */
    IdSet ids();

    /** Of which partition the group is, where there are several. */
    default int part() {
        return 0;
    }

    /** Whether the groups come in the order opposite to the wanted one; within a group it is always that of the IDs. */
    boolean isReverse();

    /** About the memory that the walk itself keeps, in bytes. */
    default long heldBytes() {
        return 0;
    }

    /** A walk from the start. */
    EntryGroups again();

    @Override
    void close();
}
