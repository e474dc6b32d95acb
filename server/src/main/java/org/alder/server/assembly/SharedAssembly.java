package org.alder.server.assembly;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.ClusterService;
import org.alder.server.directory.own.ClusterSchema;
import org.alder.server.directory.own.OnlineSchema;
import org.alder.server.directory.own.SchemaFollower;

/** What a member of a cluster has in common with the others besides entries; nothing where a server stands alone. Thread safe. */
public final class SharedAssembly implements AutoCloseable {
    private final OnlineSchema onlineSchema;
    private final AtomicReference<OpenPartitions> served;
    /** Null where the server stands alone. */
    private final SchemaFollower follower;

    private SharedAssembly(OnlineSchema onlineSchema, AtomicReference<OpenPartitions> served, SchemaFollower follower) {
        this.onlineSchema = onlineSchema;
        this.served = served;
        this.follower = follower;
    }

    /**
     * Takes what the cluster has before anything is opened by it.
     *
     * @param cluster null for a server that stands alone
     * @param schema  becomes the cluster's
     * @throws IOException where the cluster does not answer
     * @throws org.alder.partition.error.StoreException of kind REFUSED where this member cannot go by what the cluster has
     */
    public static SharedAssembly begin(ClusterService.Cluster cluster, Schema schema, DataFolder data) throws IOException {
        AtomicReference<OpenPartitions> served = new AtomicReference<>();
        if (cluster == null) {
            return new SharedAssembly(new OnlineSchema(data.onlineSchema(), data.files()), served, null);
        }
        ClusterSchema shared = new ClusterSchema(cluster.schema(), () -> served.get() == null ? Map.of() : served.get().named());
        OnlineSchema online = new OnlineSchema(data.onlineSchema(), data.files(), shared);
        return new SharedAssembly(online, served, SchemaFollower.start(schema, online, data.clusterSchema()));
    }

    /** These are there from now on. @return this, to be closed before them */
    public SharedAssembly serve(OpenPartitions partitions) {
        served.set(partitions);
        return this;
    }

    public OnlineSchema onlineSchema() {
        return onlineSchema;
    }

    /** May be closed twice. */
    @Override
    public void close() {
        if (follower != null) {
            follower.close();
        }
    }
}
