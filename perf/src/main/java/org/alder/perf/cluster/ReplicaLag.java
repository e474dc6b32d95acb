package org.alder.perf.cluster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.alder.ldif.LdifGenerator;
import org.alder.perf.bench.SampleUpdates;
import org.alder.perf.client.Latencies;
import org.alder.perf.client.LdapConnection;
import org.alder.perf.client.PacedLoad;
import org.alder.perf.client.SearchFilter;
import org.alder.perf.report.ReportRow;

/**
 * How long after the leader has acknowledged an entry replicas show it, while entries are added at a fixed rate (an open loop). Of these one in some milliseconds
 * is looked for on each replica, in their order, and counts from its acknowledgement: one that is looked for late, as the one before was late, counts whole. One
 * thread.
 */
final class ReplicaLag {
    static final List<String> LABELS = List.of("replica", "adds/s asked for");
    static final List<String> FIGURES = List.of("adds/s reached", "looked for", "p50 ms", "p99 ms", "longest ms", "add p50 ms", "add p99 ms");
    private static final int CONNECTIONS = 64;
    private static final long BETWEEN_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final Acknowledged LAST = new Acknowledged(0, 0);

    private final ClusterNodes nodes;
    private final SampleUpdates samples;
    private final AtomicLong next;
    private final AtomicLong noted = new AtomicLong(System.nanoTime());

    /** A user, and when its add was acknowledged. */
    private record Acknowledged(long user, long nanos) {
    }

    /** @param first of the users that are added, whom nobody else adds */
    ReplicaLag(ClusterNodes nodes, long seed, long first) {
        this.nodes = nodes;
        this.samples = new SampleUpdates(new LdifGenerator(seed));
        this.next = new AtomicLong(first);
    }

    /** @return a row for each replica */
    List<ReportRow> measure(int leader, double addsPerSecond, double seconds, long seed) throws IOException, InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(ClusterNodes.NODES);
        List<LdapConnection> opened = new ArrayList<>();
        List<String> names = new ArrayList<>();
        List<BlockingQueue<Acknowledged>> looking = new ArrayList<>();
        try {
            List<Future<Latencies>> lags = new ArrayList<>();
            for (int i = 0; i < ClusterNodes.NODES; i++) {
                if (i != leader) {
                    BlockingQueue<Acknowledged> queue = new LinkedBlockingQueue<>();
                    looking.add(queue);
                    LdapConnection reading = nodes.connect(i);
                    opened.add(reading);
                    names.add(ClusterNodes.name(i));
                    lags.add(pool.submit(() -> look(reading, queue)));
                }
            }
            Latencies adds = new Latencies();
            double reached = add(leader, addsPerSecond, seconds, seed, adds, looking);
            looking.forEach(queue -> queue.add(LAST));
            List<ReportRow> rows = new ArrayList<>();
            for (int i = 0; i < lags.size(); i++) {
                rows.add(row(names.get(i), addsPerSecond, reached, lags.get(i).get(), adds));
            }
            return rows;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException fault ? fault : new IOException("a thread of the benchmark failed: " + e.getCause(), e.getCause());
        } finally {
            pool.shutdownNow();
            for (LdapConnection each : opened) {
                each.close();
            }
        }
    }

    /** Adds alone, for what is to be warm. @return how many a second there were */
    double reached(int leader, double addsPerSecond, double seconds, long seed) throws IOException, InterruptedException {
        return add(leader, addsPerSecond, seconds, seed, new Latencies(), List.of());
    }

    private static ReportRow row(String replica, double asked, double reached, Latencies lags, Latencies adds) {
        return new ReportRow(List.of(replica, Long.toString(Math.round(asked))), ReportRow.boxed(reached, lags.count(),
                lags.percentileMillis(0.5), lags.percentileMillis(0.99), lags.percentileMillis(1), adds.percentileMillis(0.5), adds.percentileMillis(0.99)), "");
    }

    /** @return how many a second there were */
    private double add(int leader, double perSecond, double seconds, long seed, Latencies adds, List<BlockingQueue<Acknowledged>> looking)
            throws IOException, InterruptedException {
        List<LdapConnection> writing = new ArrayList<>();
        try {
            for (int i = 0; i < CONNECTIONS; i++) {
                writing.add(nodes.connect(leader));
            }
            long begin = System.nanoTime();
            PacedLoad load = PacedLoad.start(writing, perSecond, seed, (client, random) -> {
                long user = next.getAndIncrement();
                LdapConnection.Result result = samples.add(client, user).expect(0);
                note(user, looking);
                return result;
            });
            TimeUnit.NANOSECONDS.sleep((long) (seconds * TimeUnit.SECONDS.toNanos(1)));
            load.stop().forEach(sample -> adds.add(sample.nanos()));
            return adds.count() * (double) TimeUnit.SECONDS.toNanos(1) / (System.nanoTime() - begin);
        } finally {
            for (LdapConnection each : writing) {
                each.close();
            }
        }
    }

    /** Called by many threads: one of them has the first of some milliseconds. */
    private void note(long user, List<BlockingQueue<Acknowledged>> looking) {
        long now = System.nanoTime();
        long before = noted.get();
        if (now - before >= BETWEEN_NANOS && noted.compareAndSet(before, now)) {
            looking.forEach(queue -> queue.add(new Acknowledged(user, now)));
        }
    }

    private static Latencies look(LdapConnection reading, BlockingQueue<Acknowledged> queue) throws IOException, InterruptedException {
        Latencies lags = new Latencies();
        for (Acknowledged each = queue.take(); each != LAST; each = queue.take()) {
            TimeLimit limit = new TimeLimit("the user " + each.user + " on a replica");
            while (reading.search(LdifGenerator.SUFFIX, SearchFilter.equal("uid", "user." + each.user), 0, "1.1").expect(0).entries() == 0) {
                limit.pause();
            }
            lags.add(System.nanoTime() - each.nanos);
        }
        return lags;
    }
}
