package org.alder.partition.jdbm.block;

/** What is stored in groups of so many in a row of their entry IDs, of which each group is known by its first one. Thread safe as its implementation is. */
public interface IdGroups {
    int groups();

    /** @param group one of {@link #groups} */
    long firstId(int group);

    /**
     * The only group that can have this ID; -1 for none.
     *
     * @param from     a group that is not behind it
     * @param groupIds how many IDs each group has, but for the last one
     */
    default int groupOf(long id, int from, int groupIds) {
        if (groups() == 0 || firstId(from) > id) {
            return -1;
        }
        int low = from;
        // It is not behind this one; without gaps between the IDs it is this one.
        int high = (int) Math.min(groups() - 1, from + (id - firstId(from)) / groupIds);
        int middle = high;
        while (low < high) {
            if (firstId(middle) <= id) {
                low = middle;
            } else {
                high = middle - 1;
            }
            middle = (low + high + 1) >>> 1;
        }
        return low;
    }
}
