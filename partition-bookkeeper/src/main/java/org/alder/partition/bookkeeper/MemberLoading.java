package org.alder.partition.bookkeeper;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.alder.partition.bookkeeper.roster.PlacementNode;
import org.alder.partition.bookkeeper.zookeeper.Deadline;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.store.JdbmEngine;
import org.alder.partition.jdbm.store.JdbmStore;
import org.alder.partition.store.BulkLoad;
import org.alder.partition.store.ClusterLoading;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.KeyedRecord;
import org.alder.partition.store.SharedSchema;
import org.alder.partition.store.StoreEngine;

/** {@link ClusterLoading} on ZooKeeper and BookKeeper. One thread; others for no longer than a call. */
final class MemberLoading implements ClusterLoading {
    /** Each waits for somebody who hands over. */
    private static final int MOST_AT_ONCE = 16;

    private final CommandConnection connection;
    private final List<Load> loads = new ArrayList<>();

    MemberLoading(CommandConnection connection) {
        this.connection = connection;
    }

    @Override
    public SharedSchema schema() {
        return connection.cluster().schema().of(BookKeeperCluster.LOGS, connection.file().name());
    }

    @Override
    public BulkLoad replace(String partition, Path folder, StoreEngine engine, EntryIndexer indexer, long memoryBytes) throws IOException {
        if (!(engine instanceof JdbmEngine jdbm)) {
            throw new StoreException(StoreException.Kind.REFUSED, "the partition " + partition + " has another engine than jdbm, which alone can "
                    + "be shared by the members of a cluster");
        }
        String path = BookKeeperCluster.LOGS + partition;
        LoadersLog log = LoadersLog.open(connection.cluster(), path, connection.file().own());
        BulkLoad load = null;
        try {
            load = JdbmStore.bulkLoad(folder, jdbm.settings(), indexer, memoryBytes, log.log());
            Load begun = new Load(path, load, log);
            loads.add(begun);
            return begun;
        } finally {
            if (load == null) {
                log.close();
            }
        }
    }

    @Override
    public void takeOver() throws IOException {
        ExecutorService threads = Executors.newFixedThreadPool(Math.min(MOST_AT_ONCE, loads.size()));
        try {
            CompletableFuture.allOf(loads.stream().map(each -> CompletableFuture.runAsync(each.log.turn()::lease, threads)).toArray(CompletableFuture[]::new)).join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof StoreException refused ? refused : e;
        } finally {
            threads.shutdown();
        }
        for (Load each : loads) {
            hold(each.path);
        }
    }

    /** What is loaded is here alone: this member must not give it up, as it does with what others are to hold. */
    private void hold(String path) throws IOException {
        PlacementNode placement = new PlacementNode(connection.cluster().session(), path);
        Deadline deadline = Deadline.in(connection.cluster().settings().resolveMillis());
        List<String> members = placement.members(deadline);
        if (members != null && !members.contains(connection.file().name())) {
            List<String> more = new ArrayList<>(members);
            more.add(connection.file().name());
            placement.put(more, deadline);
        }
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }

    /** Closes with the load what it writes by. @param path of the log's znode */
    private record Load(String path, BulkLoad load, LoadersLog log) implements BulkLoad {
        @Override
        public KeyedRecord prepare(EntryRecord record) {
            return load.prepare(record);
        }

        @Override
        public void add(long id, KeyedRecord entry) {
            load.add(id, entry);
        }

        @Override
        public Path workFolder() {
            return load.workFolder();
        }

        @Override
        public void build(BuildProgress progress) {
            load.build(progress);
        }

        @Override
        public void publish(BuildProgress progress) {
            load.publish(progress);
        }

        @Override
        public void close() {
            load.close();
            log.close();
        }
    }
}
