package org.alder.partition.bookkeeper;

import java.io.IOException;
import java.nio.file.Path;
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

/** {@link ClusterLoading} on ZooKeeper and BookKeeper. */
record MemberLoading(CommandConnection connection) implements ClusterLoading {
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
            return new Load(load, log);
        } finally {
            if (load == null) {
                log.close();
            }
        }
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }

    /** Closes with the load what it writes by. */
    private record Load(BulkLoad load, LoadersLog log) implements BulkLoad {
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
