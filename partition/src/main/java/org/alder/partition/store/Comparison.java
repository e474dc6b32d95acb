package org.alder.partition.store;

import java.util.List;

/**
 * What was found when the members of a cluster were compared that hold a partition. Immutable.
 *
 * @param pass        counts the comparisons
 * @param sequence    the last transaction as of which they were compared
 * @param endedMillis when it ended, since 1970 by the leader's clock
 * @param tookMillis  how long it took
 * @param members     those that were compared, by name
 * @param tables      how many tables: the entries, and the keys of each index
 * @param skipped     the indexes that not all of them have alike, so that they were not compared
 * @param differences what differs, the first of it where there is much
 */
public record Comparison(long pass, long sequence, long endedMillis, long tookMillis, List<Member> members, int tables, List<String> skipped,
        List<Difference> differences) {
    /**
     * One that was compared.
     *
     * @param digest  of all that was compared
     * @param differs whether it is known to hold other than it should: most of the others hold the same, and it does not, or it says itself
     *                that what it holds is damaged
     */
    public record Member(String name, String digest, boolean differs) {
    }

    /**
     * Something that differs.
     *
     * @param table   "entries", or the name of an index; null where a member could not read what it holds
     * @param item    the DN of an entry, the key of an index, or what was damaged; null where it could not be found
     * @param members those that do not hold what most of them do; all of them where nobody knows which are right
     */
    public record Difference(String table, String item, List<String> members) {
        /** For people. */
        public String text() {
            String what = table == null ? "damage: " + item : table.equals("entries") ? "entry " + (item == null ? "of an unknown name" : item)
                    : "index " + table + ", key " + (item == null ? "unknown" : item);
            return what + " (" + String.join(", ", members) + ')';
        }
    }

    /** Whether they hold the same. */
    public boolean isEqual() {
        return differences.isEmpty();
    }

    /** Whether that is known of a member that it differs. */
    public boolean differs(String member) {
        return members.stream().anyMatch(each -> each.name().equals(member) && each.differs());
    }
}
