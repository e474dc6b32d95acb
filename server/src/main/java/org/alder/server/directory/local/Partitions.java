package org.alder.server.directory.local;

import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.alder.partition.Partition;
import org.alder.partition.dn.Dn;
import org.alder.server.directory.own.ServedPartitions;

/** The partitions that there are as they are looked up by names of entries, and the states they are in. Thread safe. */
final class Partitions {
    private final Supplier<List<Partition>> source;
    private final Predicate<Partition> wanted;
    private volatile Sorted last;

    /** @param all the longest suffix first */
    private record Sorted(List<Partition> from, List<Partition> all) {
    }

    /** @param source the same list as long as they are the same */
    Partitions(Supplier<List<Partition>> source) {
        this(source, partition -> true);
    }

    /** Those of them that are wanted. */
    Partitions(Supplier<List<Partition>> source, Predicate<Partition> wanted) {
        this.source = source;
        this.wanted = wanted;
        this.last = sorted(source.get());
    }

    private Sorted sorted(List<Partition> from) {
        return new Sorted(from, from.stream().filter(wanted)
                .sorted(Comparator.comparingInt((Partition each) -> each.suffix().size()).reversed()).toList());
    }

    /** Those there are now, the longest suffix first: the same list as long as they are the same. */
    List<Partition> all() {
        List<Partition> now = source.get();
        Sorted known = last;
        if (known.from != now) {
            known = sorted(now);
            last = known;
        }
        return known.all;
    }

    /** {@link ServedPartitions#read}, the longest suffix first. */
    <T, E extends Exception> T read(ServedPartitions.Reading<T, E> reading) throws E {
        return ServedPartitions.read(this::all, reading);
    }

    /** The one in which an entry of this name is, or would be; null if there is none. */
    Partition of(Dn dn) {
        return of(all(), dn);
    }

    /** The same of these, the longest suffix first. */
    static Partition of(List<Partition> all, Dn dn) {
        for (Partition partition : all) {
            if (partition.holds(dn)) {
                return partition;
            }
        }
        return null;
    }

    /** Whether nothing was committed since the states with these numbers, and there are the same partitions. @param sequences in their order */
    boolean areAt(List<Partition> partitions, long[] sequences) {
        if (partitions != all()) {
            return false;
        }
        for (int i = 0; i < sequences.length; i++) {
            if (partitions.get(i).store().sequence() != sequences[i]) {
                return false;
            }
        }
        return true;
    }
}
