package org.alder.partition.update;

import java.util.ArrayList;
import java.util.List;
import org.alder.partition.Partition;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.entry.LargeAttribute;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.id.IdSet;
import org.alder.partition.prepared.PreparedTransaction;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.LargeValues;
import org.alder.partition.store.Snapshot;
import org.alder.partition.tree.EntryView;

/**
 * An entry with all below it as they are in one shard, on their way to another one. Immutable.
 *
 * @param entries each behind the one above it, the top first
 */
record MovedEntries(List<Moved> entries) {
    /** More are not moved from shard to shard. */
    static final int MOST_ENTRIES = 1000;
    /** Nor more bytes, with room for what is said beside them. */
    static final int MOST_BYTES = PreparedTransaction.MOST_BYTES / 16 * 15;

    /**
     * One of them.
     *
     * @param above  the position of the one above it among all; below 0 for the top
     * @param dn     before it is moved
     * @param stored as it is in its store
     * @param whole  with all values in it
     */
    record Moved(long id, int above, String dn, EntryRecord stored, EntryRecord whole) {
    }

    /** @throws DirectoryException affectsMultipleDSAs for too many of them, or too large ones */
    static MovedEntries of(Partition partition, Snapshot state, EntryView top) throws DirectoryException {
        List<Moved> entries = new ArrayList<>();
        List<Long> ids = new ArrayList<>(List.of(top.id()));
        List<Integer> above = new ArrayList<>(List.of(-1));
        long bytes = 0;
        for (int next = 0; next < ids.size(); next++) {
            long id = ids.get(next);
            EntryRecord stored = state.entry(id);
            bytes += stored.length() + stored.largeAttributes().stream().mapToLong(LargeAttribute::valueBytes).sum();
            byte[] children = HierarchyKeys.children(id);
            if (bytes > MOST_BYTES || ids.size() + state.cardinality(HierarchyKeys.INDEX, children) > MOST_ENTRIES) {
                throw new DirectoryException(ResultCode.AFFECTS_MULTIPLE_DSAS, "\"" + top.dn() + "\" would go to another shard, and with all below it it is more than the "
                        + MOST_ENTRIES + " entries or the " + MOST_BYTES + " bytes that may be moved there at once: add it anew, and delete the old one");
            }
            for (IdSet.IdIterator each = state.ids(HierarchyKeys.INDEX, children).iterator(); each.hasNext();) {
                ids.add(each.next());
                above.add(next);
            }
            entries.add(new Moved(id, above.get(next), next == 0 ? top.dn() : partition.dnOf(state, id), stored, new LargeValues(state, id).whole(stored)));
        }
        return new MovedEntries(List.copyOf(entries));
    }

    Moved top() {
        return entries.get(0);
    }

    /** How many levels there are below the top. */
    int depth() {
        int[] depths = new int[entries.size()];
        int most = 0;
        for (int i = 1; i < depths.length; i++) {
            depths[i] = depths[entries.get(i).above] + 1;
            most = Math.max(most, depths[i]);
        }
        return most;
    }

    /** Whether both are the same, byte for byte. */
    boolean isSame(MovedEntries other) {
        if (entries.size() != other.entries.size()) {
            return false;
        }
        for (int i = 0; i < entries.size(); i++) {
            Moved one = entries.get(i);
            if (one.id != other.entries.get(i).id || !one.stored.equals(other.entries.get(i).stored)) {
                return false;
            }
        }
        return true;
    }
}
