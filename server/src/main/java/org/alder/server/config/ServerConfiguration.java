package org.alder.server.config;

import java.util.List;

/**
 * A whole configuration, checked as far as it can be without a schema. Immutable.
 *
 * @param settings   the values of {@link ServerKeys}
 * @param partitions at least one
 */
public record ServerConfiguration(Settings settings, List<PartitionConfiguration> partitions) {
    public ServerConfiguration {
        partitions = List.copyOf(partitions);
    }

    public <T> T get(Key<T> key) {
        return settings.get(key);
    }

    /** The same with another address, and without other listeners; null keeps what is there. */
    public ServerConfiguration withListener(String host, Integer port) {
        if (host == null && port == null) {
            return this;
        }
        Settings other = settings.with(ServerKeys.LISTENER, List.of());
        other = host == null ? other : other.with(ServerKeys.LISTEN_HOST, host);
        return new ServerConfiguration(port == null ? other : other.with(ServerKeys.LISTEN_PORT, port), partitions);
    }
}
