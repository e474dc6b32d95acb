package org.alder.server.directory.local;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiPredicate;
import java.util.function.Supplier;
import org.alder.partition.Partition;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.error.StoreException;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.Snapshot;
import org.alder.server.directory.Groups;

/**
 * The groups of partitions. The way goes up, from the member to the groups that name it, which is one look into an index for each
 * group and attribute, however many members a group has. What was found is kept as long as no partition has another state.
 */
public final class PartitionGroups implements Groups {
    /** Of one member. */
    static final int MOST_GROUPS = 10_000;
    /** Of all members together that are kept: a 64th of the heap, at about 256 bytes each. */
    private static final long MOST_KEPT = Math.min(200_000, Runtime.getRuntime().maxMemory() / 64 / 256);

    private final Schema schema;
    private final Partitions all;
    /** Those that can have groups. */
    private final Partitions withGroups;
    private final ConcurrentMap<Dn, Known> known = new ConcurrentHashMap<>();
    /** One object for each group, which all its members share. */
    private final ConcurrentMap<Dn, Dn> names = new ConcurrentHashMap<>();
    private final AtomicLong kept = new AtomicLong();

    /** @param sequences of the partitions' states, in their order */
    private record Known(List<Partition> partitions, long[] sequences, long schemaVersion, Set<Dn> groups) {
    }

    public PartitionGroups(Schema schema, Supplier<List<Partition>> partitions) {
        this.schema = schema;
        this.all = new Partitions(partitions);
        this.withGroups = new Partitions(partitions, each -> each.memberships().isPossible());
    }

    @Override
    public Set<Dn> of(Dn member) throws DirectoryException {
        Known last = known.get(member);
        if (last != null && last.schemaVersion == schema.version() && withGroups.areAt(last.partitions, last.sequences)) {
            return last.groups;
        }
        return withGroups.read(partitions -> walk(partitions, member));
    }

    private Set<Dn> walk(List<Partition> partitions, Dn member) throws DirectoryException {
        long version = schema.version();
        Snapshot[] snapshots = new Snapshot[partitions.size()];
        try {
            long[] sequences = new long[snapshots.length];
            for (int i = 0; i < snapshots.length; i++) {
                snapshots[i] = partitions.get(i).snapshot();
                sequences[i] = snapshots[i].sequence();
            }
            Set<Dn> groups = walk(partitions, snapshots, member);
            keep(member, new Known(partitions, sequences, version, groups));
            return groups;
        } finally {
            Arrays.stream(snapshots).filter(each -> each != null).forEach(Snapshot::close);
        }
    }

    private Set<Dn> walk(List<Partition> partitions, Snapshot[] snapshots, Dn member) throws DirectoryException {
        Set<Dn> groups = new HashSet<>();
        Deque<Dn> open = new ArrayDeque<>(List.of(member));
        while (!open.isEmpty()) {
            Dn next = open.poll();
            for (int i = 0; i < snapshots.length; i++) {
                for (Dn group : partitions.get(i).memberships().groupsWith(snapshots[i], next)) {
                    if (groups.add(shared(group))) {
                        open.add(group);
                    }
                    if (groups.size() > MOST_GROUPS) {
                        throw new DirectoryException(ResultCode.ADMIN_LIMIT_EXCEEDED, "\"" + member.text() + "\" is in more than "
                                + MOST_GROUPS + " groups, too many to decide what it may do");
                    }
                }
            }
        }
        return groups.isEmpty() ? Set.of() : Set.copyOf(groups);
    }

    private Dn shared(Dn group) {
        if (names.size() > MOST_KEPT) {
            names.clear();
        }
        Dn same = names.putIfAbsent(group, group);
        return same == null ? group : same;
    }

    /** Bounded in a simple way: when there is too much, all is forgotten. */
    private void keep(Dn member, Known found) {
        Known last = known.put(member, found);
        if (kept.addAndGet(found.groups.size() - (last == null ? -1 : last.groups.size())) > MOST_KEPT) {
            known.clear();
            kept.set(0);
        }
    }

    @Override
    public boolean isNamed(Dn group, Dn member) {
        return isTrueOf(group, (partition, snapshot) -> partition.memberships().isNamed(snapshot, group, member));
    }

    @Override
    public boolean namesBelow(Dn group, Dn top) {
        return isTrueOf(group, (partition, snapshot) -> partition.memberships().namesBelow(snapshot, group, top));
    }

    private boolean isTrueOf(Dn group, BiPredicate<Partition, Snapshot> question) {
        return all.read(partitions -> {
            Partition home = Partitions.of(partitions, group);
            if (home == null) {
                return false;
            }
            requireHere(home, group);
            try (Snapshot snapshot = home.snapshot()) {
                return question.test(home, snapshot);
            }
        });
    }

    /** Who administers the server is asked with each request, and must not depend on another machine. */
    private static void requireHere(Partition home, Dn group) {
        if (home.isElsewhere()) {
            throw new StoreException(StoreException.Kind.CLOSED, "the group \"" + group.text() + "\", by which the server knows its administrators, is in "
                    + home.label() + ", which this member of the cluster does not hold: expected it where all members hold the entries");
        }
    }

    @Override
    public long state(Dn group) {
        Partition home = all.of(group);
        return home == null ? 0 : home.store().sequence();
    }
}
