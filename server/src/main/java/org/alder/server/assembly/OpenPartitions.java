package org.alder.server.assembly;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.alder.partition.Partition;
import org.alder.partition.commit.LocalShards;
import org.alder.partition.commit.Settling;
import org.alder.partition.commit.UnfinishedTransactions;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.ClusterService;
import org.alder.partition.update.copy.LedCopies;
import org.alder.partition.update.copy.SuffixCopies;
import org.alder.server.cluster.LeaderSpread;
import org.alder.server.cluster.LedShards;
import org.alder.server.config.ConfigurationException;
import org.alder.server.config.PartitionConfiguration;
import org.alder.server.config.ServerConfiguration;

/** The partitions of a server, which may change while it runs, and are closed together. Thread safe; one change at a time. */
public final class OpenPartitions implements AutoCloseable {
    private final ClusterService.Cluster cluster;
    /** By their names in the configuration; of a distributed one its shards. */
    private Map<String, List<Partition>> open = byName();
    private List<Partition> list = List.of();
    /** Of the distributed ones, by the same names. */
    private final Map<String, Beside> beside = byName();
    private boolean closed;

    /**
     * Others in their place, open but not served yet: {@link #take} or {@link #giveUp} comes next.
     *
     * @param wanted  what they are configured with
     * @param list    in the order of the configuration, and of their numbers those of a distributed one: the same list as before if none comes or goes, and groups stay as they are
     * @param added   those that were not open
     * @param removed those that are no longer wanted
     */
    record Change(OpenPartitions of, List<PartitionConfiguration> wanted, List<Partition> list, List<Partition> added, List<Partition> removed) {
        /** From now on these are the partitions: those that go on give the heap back that others get now. */
        void take() throws ConfigurationException {
            of.take(this);
        }

        /** Closes those that nobody is led to any more, which ends who still reads them. */
        void retireRemoved() {
            closeAll(removed.stream().<Runnable>map(partition -> partition::retire).toList());
        }

        /** Closes those that were opened. */
        void giveUp() {
            closeAll(added.stream().<Runnable>map(partition -> partition::close).toList());
        }
    }

    private OpenPartitions(ClusterService.Cluster cluster) {
        this.cluster = cluster;
    }

    /** Holds all of the folders, or none. */
    public static OpenPartitions open(List<PartitionFolder> folders) throws ConfigurationException {
        return open(folders, null);
    }

    /** @param cluster that holds the same partitions, of which the caller leaves it after them; null for a server that stands alone */
    public static OpenPartitions open(List<PartitionFolder> folders, ClusterService.Cluster cluster) throws ConfigurationException {
        OpenPartitions all = new OpenPartitions(cluster);
        List<Partition> opened = new ArrayList<>();
        boolean complete = false;
        try {
            for (PartitionFolder folder : folders) {
                Partition partition = folder.open(cluster);
                opened.add(partition);
                all.open.computeIfAbsent(folder.configuration().name(), name -> new ArrayList<>()).add(partition);
            }
            for (List<Partition> shards : all.open.values()) {
                all.join(shards);
            }
            complete = true;
        } finally {
            if (!complete) {
                closeAll(opened.stream().<Runnable>map(partition -> partition::close).toList());
            }
        }
        all.list = List.copyOf(opened);
        all.followShards();
        return all;
    }

    /** Has shards know of each other, and mends what a crash may have left old: {@link SuffixCopies}. In a cluster others write them, too, and nobody leads yet. */
    private void join(List<Partition> shards) {
        if (shards.size() == 1) {
            return;
        }
        UnfinishedTransactions.check(shards);
        Partition.join(shards, cluster == null ? null : new LedShards(cluster, shards));
        if (cluster == null && shards.stream().allMatch(each -> each.store().maintenance().status().readOnlyReason() == null)) {
            new SuffixCopies(shards).renew().join();
        }
    }

    /** Of the partitions that are open now, and no others. */
    private void followShards() {
        beside.entrySet().removeIf(each -> {
            boolean isGone = !open.containsKey(each.getKey());
            if (isGone) {
                each.getValue().close();
            }
            return isGone;
        });
        open.forEach((name, shards) -> {
            if (shards.size() > 1) {
                beside.computeIfAbsent(name, none -> begin(name, shards));
            }
        });
    }

    /**
     * What goes on beside the updates of a distributed partition.
     *
     * @param copies null for a server that stands alone
     * @param spread null where leaders are not spread by themselves
     */
    private record Beside(LedCopies copies, LeaderSpread spread, Settling settling) {
        void close() {
            if (spread != null) {
                spread.close();
            }
            settling.close();
            if (copies != null) {
                copies.close();
            }
        }
    }

    private Beside begin(String name, List<Partition> shards) {
        if (cluster == null) {
            return new Beside(null, null, Settling.start(shards, new LocalShards(shards)));
        }
        LedCopies copies = LedCopies.start(shards);
        LeaderSpread spread = cluster.spreadMinutes() == 0 ? null : LeaderSpread.start(named(name, shards), shards.get(0), cluster);
        return new Beside(copies, spread, Settling.start(shards, shards.get(0).shards().writers()));
    }

    private static Map<String, Partition> named(String name, List<Partition> shards) {
        Map<String, Partition> named = byName();
        shards.forEach(each -> named.put(DataFolder.storeName(name, each.shard()), each));
        return named;
    }

    /** Capitals do not matter. */
    private static <T> Map<String, T> byName() {
        return new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    }

    /** That holds the same partitions; null for a server that stands alone. */
    ClusterService.Cluster cluster() {
        return cluster;
    }

    /** In the order of the folders: the same list until another one is taken. */
    public synchronized List<Partition> list() {
        return list;
    }

    /**
     * Opens those of a configuration that are not open; all of them, or none.
     *
     * @param otherGroups whether others may be members of groups, so that what was found out by the list of before is to be forgotten
     */
    synchronized Change change(ServerConfiguration configuration, Schema schema, DataFolder data, boolean otherGroups)
            throws ConfigurationException {
        List<Partition> next = new ArrayList<>();
        List<Partition> added = new ArrayList<>();
        boolean complete = false;
        try {
            for (PartitionConfiguration each : configuration.partitions()) {
                List<Partition> known = named(each.name());
                if (known.isEmpty()) {
                    known = new ArrayList<>();
                    for (PartitionFolder folder : PartitionFolder.all(schema, each, data)) {
                        known.add(folder.open(cluster));
                        added.add(known.get(known.size() - 1));
                    }
                    join(known);
                }
                next.addAll(known);
            }
            complete = true;
        } finally {
            if (!complete) {
                closeAll(added.stream().<Runnable>map(partition -> partition::close).toList());
            }
        }
        Set<Partition> stay = Set.copyOf(next);
        List<Partition> removed = list.stream().filter(each -> !stay.contains(each)).toList();
        return new Change(this, configuration.partitions(), next.equals(list) && !otherGroups ? list : List.copyOf(next), added, removed);
    }

    /** Those of a configuration that are open. */
    synchronized List<Partition> known(ServerConfiguration configuration) {
        return configuration.partitions().stream().flatMap(each -> named(each.name()).stream()).toList();
    }

    /** By the names of their stores, which are those in the configuration, and of a distributed one those of its shards. */
    public synchronized Map<String, Partition> named() {
        Map<String, Partition> named = byName();
        open.forEach((name, shards) -> named.putAll(named(name, shards)));
        return named;
    }

    boolean isOpen(String name) {
        return !named(name).isEmpty();
    }

    /** The one of this name, or its shards; empty if it is not open. */
    synchronized List<Partition> named(String name) {
        return open.getOrDefault(name, List.of());
    }

    private synchronized void take(Change change) throws ConfigurationException {
        Map<String, List<Partition>> next = byName();
        int from = 0;
        for (PartitionConfiguration configuration : change.wanted) {
            List<Partition> shards = change.list.subList(from, from + configuration.shards());
            from += configuration.shards();
            for (Partition partition : shards) {
                if (!change.added.contains(partition)) {
                    Engines.of(configuration).retune(partition.store());
                }
            }
            next.put(configuration.name(), shards);
        }
        open = next;
        list = change.list;
        if (closed) {
            change.giveUp();
        } else {
            followShards();
        }
    }

    /** Also those that a change opens meanwhile. */
    @Override
    public synchronized void close() {
        closed = true;
        beside.values().forEach(Beside::close);
        closeAll(list.stream().<Runnable>map(partition -> partition::close).toList());
    }

    /** Closes the others also when one fails, and throws the first failure. */
    static void closeAll(List<Runnable> closings) {
        RuntimeException failure = null;
        for (Runnable closing : closings) {
            try {
                closing.run();
            } catch (RuntimeException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
