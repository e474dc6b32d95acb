package org.alder.partition.derived;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.alder.partition.entry.Csn;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.Snapshot;

/**
 * The other shards of a naming context, of which its suffix entry tells, too: each as it is when it is asked for. None for a partition
 * that holds all names of its naming context. Thread safe.
 */
public final class OtherShards {
    private volatile List<Other> others = List.of();

    /** @param snapshots opens one of the newest state  @param around what gives entries of such a state what is worked out */
    public record Other(Supplier<Snapshot> snapshots, Function<Snapshot, Surroundings> around) {
    }

    /** From now on these are known: all but the one whose these are. */
    public void know(List<Other> all) {
        others = List.copyOf(all);
    }

    boolean areKnown() {
        return !others.isEmpty();
    }

    /** Shows each of them. The snapshots are of use while they are shown. */
    void read(BiConsumer<Snapshot, Surroundings> reader) {
        for (Other each : others) {
            try (Snapshot now = each.snapshots.get()) {
                reader.accept(now, each.around.apply(now));
            }
        }
    }

    /** The newest commits of all shards as one. @param own of the shard whose these are */
    Csn csn(Csn own) {
        List<Csn> all = new ArrayList<>(List.of(own));
        read((now, around) -> all.add(now.csn()));
        return Csn.together(all);
    }

    /** How many entries are directly below the suffix in these. */
    long children() {
        long[] children = {0};
        read((now, around) -> children[0] += now.cardinality(HierarchyKeys.INDEX, HierarchyKeys.children(suffix(now, around))));
        return children[0];
    }

    /** Their copy of the suffix entry; no entry has the ID if there is none. */
    static long suffix(Snapshot now, Surroundings around) {
        return around.tree().resolve(now, around.tree().suffix());
    }
}
