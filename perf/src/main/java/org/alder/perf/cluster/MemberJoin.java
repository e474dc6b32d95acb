package org.alder.perf.cluster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.alder.ldif.LdifGenerator;
import org.alder.partition.store.ClusterService;
import org.alder.perf.bench.SampleUpdates;
import org.alder.perf.bench.WorkFolder;
import org.alder.perf.client.Latencies;
import org.alder.perf.client.LdapConnection;
import org.alder.perf.client.PacedLoad;
import org.alder.perf.client.SearchFilter;
import org.alder.perf.report.ReportRow;
import org.alder.perf.report.ReportTable;

/**
 * A member without entries joins a loaded cluster while entries are added at a fixed rate: a replica is stopped, its partitions are removed, and it is started
 * again, so that it copies those of another member. One thread.
 */
final class MemberJoin {
    private static final int CONNECTIONS = 8;
    private static final double MIB = 1 << 20;
    private static final long LOOK_MILLIS = 200;
    private static final long MOST_SECONDS = 3600;
    /** One that shows an entry so soon is in step. */
    private static final long IN_STEP_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final ClusterNodes nodes;
    private final SampleUpdates samples;
    private final AtomicLong next;
    private int marks;

    /** What was seen of the copy while the member was not there yet. */
    private static final class Sight {
        private volatile boolean isOver;
        private long totalBytes = -1;
        private long bytesPerSecond = -1;
    }

    /** @param first of the users that are added, whom nobody else adds */
    MemberJoin(ClusterNodes nodes, long seed, long first) {
        this.nodes = nodes;
        this.samples = new SampleUpdates(new LdifGenerator(seed));
        this.next = new AtomicLong(first);
    }

    ReportTable measure(int leader, double addsPerSecond, long seed) throws IOException, InterruptedException {
        int member = (leader + 1) % ClusterNodes.NODES;
        nodes.stop(member);
        new WorkFolder(nodes.partitions(member)).close();
        List<LdapConnection> writing = new ArrayList<>();
        Sight sight = new Sight();
        try {
            for (int i = 0; i < CONNECTIONS; i++) {
                writing.add(nodes.connect(leader));
            }
            PacedLoad load = PacedLoad.start(writing, addsPerSecond, seed, samples.adds(next));
            long begin = System.nanoTime();
            FutureTask<Void> looking = new FutureTask<>(() -> look(member, sight), null);
            new Thread(looking, "copy").start();
            double listening;
            double inStep;
            Latencies adds = new Latencies();
            try {
                nodes.restart(member);
                listening = secondsSince(begin);
                awaitInStep(leader, member);
                inStep = secondsSince(begin);
            } finally {
                sight.isOver = true;
                load.end();
            }
            load.stop().forEach(sample -> adds.add(sample.nanos()));
            double reached = adds.count() / secondsSince(begin);
            looking.get();
            requireSame(leader, member);
            double mib = WorkFolder.sizeBytes(nodes.partitions(member)) / MIB;
            return table(addsPerSecond, reached, adds, listening, inStep, mib, sight);
        } catch (ExecutionException e) {
            throw new IOException("a thread of the benchmark failed: " + e.getCause(), e.getCause());
        } finally {
            for (LdapConnection each : writing) {
                each.close();
            }
        }
    }

    private static ReportTable table(double asked, double reached, Latencies adds, double listening, double inStep, double mib, Sight sight) {
        ReportRow row = new ReportRow(List.of(Long.toString(Math.round(asked))), ReportRow.boxed(reached, adds.percentileMillis(0.99), mib, listening,
                inStep, mib / inStep, mib(sight.totalBytes), mib(sight.bytesPerSecond)), "");
        return new ReportTable("A member without entries joins while others are added", List.of("adds/s asked for"), List.of("adds/s reached",
                "add p99 ms", "MiB it holds", "s until it answers", "s until in step", "MiB/s", "MiB copied", "copy MiB/s"), List.of(row));
    }

    /** @param bytes below 0 where none were seen */
    private static double mib(long bytes) {
        return bytes < 0 ? Double.NaN : bytes / MIB;
    }

    private static double secondsSince(long begin) {
        return (System.nanoTime() - begin) / 1e9;
    }

    /** What the status of the cluster tells of the copy, now and then. */
    private void look(int member, Sight sight) {
        while (!sight.isOver) {
            try {
                ClusterService.Copying copying = nodes.copying(member);
                if (copying != null) {
                    sight.totalBytes = copying.totalBytes();
                    sight.bytesPerSecond = Math.max(sight.bytesPerSecond, copying.bytesPerSecond());
                }
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            } catch (IOException e) {
                System.err.println("the status of the cluster cannot be had just now: " + e.getMessage());
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    /** The name of a new entry, by which the member is seen to be in step. */
    private String newMark() {
        return "join-" + marks++;
    }

    private void awaitInStep(int leader, int member) throws IOException, InterruptedException {
        TimeLimit limit = new TimeLimit("a member that joins to be in step", MOST_SECONDS);
        try (LdapConnection writing = nodes.connect(leader); LdapConnection reading = nodes.connect(member)) {
            long lag = Long.MAX_VALUE;
            while (lag > IN_STEP_NANOS) {
                String name = newMark();
                ClusterNodes.add(writing, name).expect(0);
                long acknowledged = System.nanoTime();
                while (!ClusterNodes.has(reading, name)) {
                    limit.pause();
                }
                lag = System.nanoTime() - acknowledged;
            }
        }
    }

    /** When nobody adds any more. @throws IOException where it has not as many users as the leader */
    private void requireSame(int leader, int member) throws IOException, InterruptedException {
        try (LdapConnection there = nodes.connect(leader); LdapConnection here = nodes.connect(member)) {
            String name = newMark();
            ClusterNodes.add(there, name).expect(0);
            TimeLimit limit = new TimeLimit("the last entry on the member that has joined");
            while (!ClusterNodes.has(here, name)) {
                limit.pause();
            }
            long expected = users(there);
            long found = users(here);
            if (found != expected) {
                throw new IOException("the member that has joined has " + found + " users, the leader " + expected);
            }
        }
    }

    private static long users(LdapConnection client) throws IOException {
        return client.search(LdifGenerator.SUFFIX, SearchFilter.equal("objectClass", "inetOrgPerson"), 0, "1.1").expect(0).entries();
    }
}
