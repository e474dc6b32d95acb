package org.alder.server.assembly;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.ClusterService;
import org.alder.partition.store.SharedSchema;
import org.alder.server.config.ConfigurationException;
import org.alder.server.config.ConfigurationText;
import org.alder.server.directory.own.ClusterSchema;
import org.alder.server.directory.own.OnlineSchema;
import org.alder.server.directory.own.SchemaFollower;

/** What a member of a cluster has in common with the others besides entries; nothing where a server stands alone. Thread safe. */
public final class SharedAssembly implements AutoCloseable {
    private final OnlineSchema onlineSchema;
    private final AtomicReference<OpenPartitions> served;
    /** Null where the server stands alone. */
    private final SchemaFollower follower;
    /** Null where the server stands alone. */
    private final ClusterConfiguration configuration;

    private SharedAssembly(OnlineSchema onlineSchema, AtomicReference<OpenPartitions> served, SchemaFollower follower,
            ClusterConfiguration configuration) {
        this.configuration = configuration;
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
            return new SharedAssembly(new OnlineSchema(data.onlineSchema(), data.files()), served, null, null);
        }
        ClusterSchema shared = new ClusterSchema(cluster.schema(), () -> served.get() == null ? Map.of() : served.get().named(),
                ClusterSchema.Others.of(cluster));
        OnlineSchema online = new OnlineSchema(data.onlineSchema(), data.files(), shared);
        return new SharedAssembly(online, served, SchemaFollower.start(schema, online, data.clusterSchema()),
                new ClusterConfiguration(cluster.configuration(), cluster.name(), cluster::level));
    }

    /**
     * Takes the definitions that the cluster has for a command that is no running member.
     *
     * @param schema becomes the cluster's
     * @return what the command adds becomes the cluster's, too
     */
    public static OnlineSchema take(SharedSchema shared, Schema schema, DataFolder data) throws IOException {
        OnlineSchema online = new OnlineSchema(data.onlineSchema(), data.files(), new ClusterSchema(shared, Map::of, ClusterSchema.Others.NONE));
        SchemaFollower.take(schema, online, data.clusterSchema());
        return online;
    }

    /**
     * What a server is to go by: what it was configured with, and for a member of a cluster what that has in common.
     *
     * @throws ConfigurationException where this member cannot go by what the cluster has
     * @throws IOException            where the cluster does not answer
     */
    public ConfigurationText configuration(ConfigurationText own) throws ConfigurationException, IOException {
        return configuration == null ? own : configuration.begin(own);
    }

    /** Keeps that in the folder, and goes by what other members change from now on. @param text what {@link #configuration} has returned */
    public void follow(LiveConfiguration live, ConfigurationText text, StoredConfiguration stored) throws ConfigurationException, IOException {
        if (configuration != null) {
            configuration.keep(text, stored);
            live.follow(configuration);
        }
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
        if (configuration != null) {
            configuration.close();
        }
        if (follower != null) {
            follower.close();
        }
    }
}
