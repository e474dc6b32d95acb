package org.alder.server.directory.local;

import java.util.Comparator;
import java.util.List;
import org.alder.partition.Partition;
import org.alder.partition.dn.Dn;

/** Partitions as they are looked up by names of entries, and the states they are in. Thread safe. */
final class Partitions {
    /** The longest suffix first. */
    private final List<Partition> all;

    Partitions(List<Partition> partitions) {
        this.all = partitions.stream()
                .sorted(Comparator.comparingInt((Partition each) -> each.suffix().size()).reversed()).toList();
    }

    /** The longest suffix first. */
    List<Partition> all() {
        return all;
    }

    /** The one in which an entry of this name is, or would be; null if there is none. */
    Partition of(Dn dn) {
        for (Partition partition : all) {
            if (dn.isDescendantOrSelf(partition.suffix())) {
                return partition;
            }
        }
        return null;
    }

    /** Whether nothing was committed since the states with these numbers. @param sequences in the order of {@link #all} */
    boolean areAt(long[] sequences) {
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).store().sequence() != sequences[i]) {
                return false;
            }
        }
        return true;
    }
}
