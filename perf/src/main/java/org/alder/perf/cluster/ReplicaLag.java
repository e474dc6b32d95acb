package org.alder.perf.cluster;

import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.alder.perf.client.Latencies;
import org.alder.perf.client.LdapConnection;

/**
 * How long after the leader has acknowledged an entry a replica shows it: adds entries of its own, one after the other, and asks the replica for
 * each until it is there. Used once, by one thread.
 */
final class ReplicaLag implements Callable<Latencies> {
    private static final long BETWEEN_MILLIS = 10;

    private final ClusterNodes nodes;
    private final int leader;
    private final int replica;
    private final String prefix;
    private final long nanos;

    /** @param prefix of the entries' names, which nobody else uses */
    ReplicaLag(ClusterNodes nodes, int leader, int replica, String prefix, long nanos) {
        this.prefix = prefix;
        this.nodes = nodes;
        this.leader = leader;
        this.replica = replica;
        this.nanos = nanos;
    }

    @Override
    public Latencies call() throws IOException, InterruptedException {
        Latencies lags = new Latencies();
        long begin = System.nanoTime();
        try (LdapConnection writing = nodes.connect(leader); LdapConnection reading = nodes.connect(replica)) {
            for (int i = 0; i == 0 || System.nanoTime() - begin < nanos; i++) {
                String name = "lag-" + prefix + replica + "-" + i;
                ClusterNodes.add(writing, name).expect(0);
                long acknowledged = System.nanoTime();
                awaitShown(reading, name);
                lags.add(System.nanoTime() - acknowledged);
                TimeUnit.MILLISECONDS.sleep(BETWEEN_MILLIS);
            }
        }
        return lags;
    }

    private static void awaitShown(LdapConnection reading, String name) throws IOException, InterruptedException {
        TimeLimit limit = new TimeLimit("the entry " + name + " on a replica");
        while (!ClusterNodes.has(reading, name)) {
            limit.pause();
        }
    }
}
