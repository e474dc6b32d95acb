package org.alder.server.config;

import java.util.List;

/**
 * The whole configuration, checked. conf/config.ldif says what each key means; the components have the same names. Sizes are in
 * bytes, and 0 means "no limit" where that page says so. Immutable.
 */
public record ServerConfiguration(
        String listenHost,
        int listenPort,
        String administratorDn,
        AnonymousAccess anonymousAccess,
        int sizeLimit,
        int timeLimitSeconds,
        int examinedLimit,
        int maxRequestBytes,
        int maxRequestBytesBeforeBind,
        int writeHighWaterBytes,
        int transactionUpdates,
        int transactionBytes,
        int transactionSeconds,
        List<String> superiorReferral,
        int workerThreads,
        int maxConnections,
        int maxConnectionsPerAddress,
        int firstMessageTimeoutSeconds,
        int messageTimeoutSeconds,
        int idleTimeoutSecondsBeforeBind,
        int idleTimeoutSeconds,
        long unfinishedBytes,
        long operationBytes,
        List<PartitionConfiguration> partitions) {

    /** The same with another address; null and negative values keep what is there. */
    public ServerConfiguration withListener(String host, int port) {
        return new ServerConfiguration(host == null ? listenHost : host, port < 0 ? listenPort : port, administratorDn,
                anonymousAccess,
                sizeLimit, timeLimitSeconds, examinedLimit, maxRequestBytes, maxRequestBytesBeforeBind, writeHighWaterBytes,
                transactionUpdates, transactionBytes, transactionSeconds, superiorReferral, workerThreads, maxConnections,
                maxConnectionsPerAddress, firstMessageTimeoutSeconds, messageTimeoutSeconds, idleTimeoutSecondsBeforeBind,
                idleTimeoutSeconds, unfinishedBytes, operationBytes, partitions);
    }
}
