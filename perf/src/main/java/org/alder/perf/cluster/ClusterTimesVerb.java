package org.alder.perf.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.alder.ldif.LdifGenerator;
import org.alder.partition.store.ClusterService;
import org.alder.partition.text.Counted;
import org.alder.perf.bench.BenchmarkVerb;
import org.alder.perf.bench.LoadedData;
import org.alder.perf.bench.PerfOptions;
import org.alder.perf.bench.SampleSearches;
import org.alder.perf.bench.SampleUpdates;
import org.alder.perf.bench.SampleUsers;
import org.alder.perf.bench.WorkFolder;
import org.alder.perf.client.Latencies;
import org.alder.perf.client.LdapConnection;
import org.alder.perf.client.Load;
import org.alder.perf.client.PacedLoad;
import org.alder.perf.process.Machine;
import org.alder.perf.process.ServerProcess;
import org.alder.perf.report.Report;
import org.alder.perf.report.ReportRow;
import org.alder.perf.report.ReportTable;
import org.alder.server.cli.option.CommandException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Three members of a cluster on this machine, beside one server alone with the same configuration: durable updates, searches, how far replicas
 * are behind, and how long nobody takes updates when the leader is killed or hands over.
 */
@Command(name = "cluster", mixinStandardHelpOptions = true, description = "Three members on this machine against one server alone: durable updates, searches"
        + " on replicas, their lag, and the time without a leader after a kill and a planned move.")
public final class ClusterTimesVerb extends BenchmarkVerb {
    private static final int SEARCH_CONNECTIONS = 8;
    private static final int PACED_CONNECTIONS = 8;
    private static final int FILL_CONNECTIONS = 32;
    private static final long FILL_NANOS = 20_000;
    private static final int ALREADY_EXISTS = 68;
    private static final int TRIES = 10;

    @Option(names = "--entries", paramLabel = "N", description = "Users that are there before, added over LDAP. Default: ${DEFAULT-VALUE}.")
    private long entries = 20_000;

    @Option(names = "--connections", paramLabel = "N", split = ",", description = "For the updates. Default: ${DEFAULT-VALUE}.")
    private List<Integer> connections = List.of(1, 8, 32);

    @Option(names = "--seconds", paramLabel = "S", description = "Measured time of each line, after half as much warm-up. Default: ${DEFAULT-VALUE}.")
    private double seconds = 10;

    @Option(names = "--rounds", paramLabel = "N", description = "Kills of the leader, and planned moves. Default: ${DEFAULT-VALUE}.")
    private int rounds = 7;

    @Option(names = "--rate", paramLabel = "N", description = "Adds a second while the lag of replicas is measured. Default: ${DEFAULT-VALUE}.")
    private double rate = 1000;

    /** How often another member led that was not asked to. */
    private int changes;

    /** What adds and modifies brought over so many connections, and who was asked. */
    private record Updates(int connections, Load.Outcome adds, Load.Outcome modifies) {
    }

    private record Lag(Map<String, Latencies> replicas, double addsPerSecond) {
    }

    @Override
    public Report measure(Machine machine) throws IOException, InterruptedException, CommandException {
        ClusterService service = ServiceLoader.load(ClusterService.class).findFirst().orElseThrow(() -> new CommandException(
                "what a cluster needs is not on the class path: lib/cluster/*, which bin/alder adds for perf cluster"));
        LdifGenerator generator = new LdifGenerator(options().seed());
        try (WorkFolder work = options().workFolder()) {
            Path ldif = work.path().resolve("users.ldif");
            SampleSearches searches = new SampleSearches(SampleUsers.write(generator, entries, ldif));
            Files.delete(ldif);
            Path configuration = PerfOptions.configuration(work.path(), "sync.ldif", List.of("durability: sync"));
            List<ReportRow> reads = new ArrayList<>();
            List<Updates> alone = measureAlone(work.path().resolve("alone"), configuration, searches, reads);
            try (ClusterNodes nodes = new ClusterNodes(service, work.path(), configuration)) {
                return report(machine, alone, nodes, searches, reads);
            }
        }
    }

    private long nanos() {
        return (long) (seconds * 1e9);
    }

    private List<Updates> measureAlone(Path data, Path configuration, SampleSearches searches, List<ReportRow> reads) throws IOException,
            InterruptedException {
        LoadedData.writePassword(data);
        try (ServerProcess server = ServerProcess.start(data, configuration)) {
            List<Updates> updates = updates("one server alone", () -> server.port(), server::cpuSeconds);
            reads.add(reads("one server alone", List.of(server.port()), searches));
            return updates;
        }
    }

    /** Who takes updates now. */
    private interface Port {
        int now() throws IOException, InterruptedException;
    }

    /** What is measured at whoever takes updates. */
    private interface Measured<T> {
        T at(int port) throws IOException, InterruptedException;
    }

    /** On a busy machine another member may lead in the middle of it: then it is measured again. */
    private <T> T measured(Port port, Measured<T> what) throws IOException, InterruptedException {
        for (int tries = 1; ; tries++) {
            int asked = port.now();
            try {
                return what.at(asked);
            } catch (IOException e) {
                if (tries == TRIES || port.now() == asked) {
                    throw e;
                }
                System.err.println("another member leads by itself; measuring that again: " + e.getMessage());
                changes++;
            }
        }
    }

    /** Adds what is to be there, and measures. */
    private List<Updates> updates(String what, Port port, Load.CpuClock cpu) throws IOException, InterruptedException {
        SampleUpdates samples = new SampleUpdates(new LdifGenerator(options().seed()));
        AtomicLong next = new AtomicLong(1);
        System.err.println("adding " + entries + " users to " + what);
        measured(port, now -> {
            try (LdapConnection client = LoadedData.ADMINISTRATOR.connect(now)) {
                SampleUpdates.addBase(client, 0, ALREADY_EXISTS);
            }
            fill(now, samples, next);
            return now;
        });
        List<Updates> measured = new ArrayList<>();
        for (int count : connections) {
            System.err.println("measuring updates of " + what + " over " + Counted.of(count, "connection"));
            measured.add(measured(port, now -> {
                Load load = new Load(now, count, nanos() / 2, nanos(), options().seed(), LoadedData.ADMINISTRATOR);
                return new Updates(count, load.run(samples.adds(next), cpu), load.run(samples.modifies(entries), cpu));
            }));
        }
        return measured;
    }

    /** So many connections that it does not take long. Where an answer was lost the entry may be there already. */
    private void fill(int port, SampleUpdates samples, AtomicLong next) throws IOException, InterruptedException {
        next.set(1);
        Load.Request add = samples.adds(next, 0, ALREADY_EXISTS);
        while (next.get() <= entries) {
            new Load(port, FILL_CONNECTIONS, 0, Math.max(1, (entries - next.get()) * FILL_NANOS), options().seed(), LoadedData.ADMINISTRATOR).run(add, () -> 0);
        }
    }

    private ReportRow reads(String what, List<Integer> ports, SampleSearches searches) throws IOException, InterruptedException {
        System.err.println("measuring searches of " + what);
        ExecutorService pool = Executors.newFixedThreadPool(ports.size());
        try {
            List<Future<Load.Outcome>> running = new ArrayList<>();
            for (int port : ports) {
                Load load = new Load(port, SEARCH_CONNECTIONS, nanos() / 2, nanos(), options().seed(), LoadedData.ADMINISTRATOR);
                running.add(pool.submit(() -> load.run(searches::byUid, () -> 0)));
            }
            double perSecond = 0;
            Latencies latencies = new Latencies();
            for (Future<Load.Outcome> each : running) {
                Load.Outcome outcome = each.get();
                perSecond += outcome.operationsPerSecond();
                latencies.add(outcome.latencies());
            }
            return ReportRow.of(what, "", perSecond, latencies.percentileMillis(0.5), latencies.percentileMillis(0.99));
        } catch (ExecutionException e) {
            throw failed(e);
        } finally {
            pool.shutdownNow();
        }
    }

    private static IOException failed(ExecutionException e) {
        return e.getCause() instanceof IOException fault ? fault : new IOException("a thread of the benchmark failed: " + e.getCause(), e.getCause());
    }

    private Lag lag(ClusterNodes nodes, int leader, int tries) throws IOException, InterruptedException {
        System.err.println("measuring the lag of replicas under " + rate + " adds a second");
        ExecutorService pool = Executors.newFixedThreadPool(ClusterNodes.NODES);
        List<LdapConnection> paced = new ArrayList<>();
        try {
            for (int i = 0; i < PACED_CONNECTIONS; i++) {
                paced.add(nodes.connect(leader));
            }
            // Users behind all that were added before.
            SampleUpdates samples = new SampleUpdates(new LdifGenerator(options().seed() + 1));
            long begin = System.nanoTime();
            PacedLoad load = PacedLoad.start(paced, rate, options().seed(), samples.adds(new AtomicLong((1L << 40) * (tries + 1))));
            Map<String, Future<Latencies>> probes = new LinkedHashMap<>();
            for (int i = 0; i < ClusterNodes.NODES; i++) {
                if (i != leader) {
                    probes.put(ClusterNodes.name(i), pool.submit(new ReplicaLag(nodes, leader, i, tries + "-", nanos())));
                }
            }
            Map<String, Latencies> lags = new LinkedHashMap<>();
            for (Map.Entry<String, Future<Latencies>> each : probes.entrySet()) {
                lags.put(each.getKey(), each.getValue().get());
            }
            double perSecond = load.stop().size() * 1e9 / (System.nanoTime() - begin);
            return new Lag(lags, perSecond);
        } catch (ExecutionException e) {
            throw failed(e);
        } finally {
            pool.shutdownNow();
            for (LdapConnection each : paced) {
                each.close();
            }
        }
    }

    private Report report(Machine machine, List<Updates> alone, ClusterNodes nodes, SampleSearches searches, List<ReportRow> reads) throws IOException,
            InterruptedException {
        Port leading = () -> nodes.port(nodes.awaitLeader());
        List<Updates> together = updates("three members", leading, nodes::cpuSeconds);
        int leader = nodes.awaitLeader();
        int replica = (leader + 1) % ClusterNodes.NODES;
        reads.add(reads("the leader", List.of(nodes.port(leader)), searches));
        reads.add(reads("a replica", List.of(nodes.port(replica)), searches));
        reads.add(reads("all three at once", List.of(nodes.port(0), nodes.port(1), nodes.port(2)), searches));
        Lag lag = measured(leading, port -> lag(nodes, nodes.at(port), changes));
        Failover failover = new Failover(nodes);
        List<Failover.Times> kills = new ArrayList<>();
        List<Failover.Times> moves = new ArrayList<>();
        for (int i = 0; i < rounds; i++) {
            System.err.println("killing the leader, and moving it: " + (i + 1) + " of " + rounds);
            kills.add(failover.kill());
            moves.add(failover.move());
        }
        List<ReportTable> tables = List.of(updateTable(alone, together),
                new ReportTable("(uid=user.i) over " + SEARCH_CONNECTIONS + " connections to each", List.of("who is asked"),
                        List.of("searches/s", "p50 ms", "p99 ms"), reads),
                lagTable(lag), failoverTable(kills, moves));
        return new Report("cluster", "A cluster of three", machine, parameters(), tables, Map.of(), List.of(
                "All on this machine: three members, their bookies and ZooKeeper, and the clients share its processors and its disk, where three machines"
                        + " have one of each for themselves. Each update of the cluster is synced on two of three journals before it is acknowledged.",
                changes == 0 ? "No other member led by itself while this was measured." : "Another member led by itself " + changes + " times while this was"
                        + " measured, as leaders do that get no processor for 2 s: the machine was busy.",
                "CPU is that of all members together. The lag counts from the answer to an add to when a search on the replica finds the entry; searches"
                        + " are repeated every 2 ms."));
    }

    private Map<String, String> parameters() {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("entries", Long.toString(entries));
        parameters.put("durability", "sync");
        parameters.put("seconds", seconds + " after half as much warm-up");
        parameters.put("rounds", Integer.toString(rounds));
        parameters.put("seed", Long.toString(options().seed()));
        return parameters;
    }

    private static ReportTable updateTable(List<Updates> alone, List<Updates> together) {
        List<ReportRow> rows = new ArrayList<>();
        for (int i = 0; i < alone.size(); i++) {
            rows.add(row("adds", alone.get(i).connections, alone.get(i).adds, together.get(i).adds));
        }
        for (int i = 0; i < alone.size(); i++) {
            rows.add(row("modifies", alone.get(i).connections, alone.get(i).modifies, together.get(i).modifies));
        }
        return new ReportTable("Updates, each on disk when it is acknowledged", List.of("what", "connections"), List.of("alone/s", "cluster/s", "ratio",
                "alone p99 ms", "cluster p50 ms", "cluster p99 ms", "alone CPU us", "cluster CPU us"), "target", rows);
    }

    private static ReportRow row(String what, int connections, Load.Outcome alone, Load.Outcome together) {
        double ratio = together.operationsPerSecond() / alone.operationsPerSecond();
        return new ReportRow(List.of(what, Integer.toString(connections)), ReportRow.boxed(alone.operationsPerSecond(), together.operationsPerSecond(),
                ratio, alone.latencies().percentileMillis(0.99), together.latencies().percentileMillis(0.5), together.latencies().percentileMillis(0.99),
                alone.serverMicrosPerOperation(), together.serverMicrosPerOperation()), connections == 32 ? "ratio at least 0.5" : "");
    }

    private ReportTable lagTable(Lag lag) {
        List<ReportRow> rows = new ArrayList<>();
        lag.replicas.forEach((name, times) -> rows.add(ReportRow.of(name, "", times.count(), times.percentileMillis(0.5), times.percentileMillis(0.99),
                times.percentileMillis(1))));
        return new ReportTable(String.format(Locale.ROOT, "Lag of replicas under %.0f adds/s (asked for: %.0f)", lag.addsPerSecond, rate), List.of("replica"),
                List.of("entries", "p50 ms", "p99 ms", "longest ms"), rows);
    }

    private static ReportTable failoverTable(List<Failover.Times> kills, List<Failover.Times> moves) {
        return new ReportTable("Until another one acknowledges an add, in seconds", List.of("what"), List.of("p50", "longest", "p50 without any",
                "longest without any"), "target", List.of(row("the leader is killed", "p50 below 4", kills), row("it hands over", "p50 without any below 1", moves)));
    }

    private static ReportRow row(String what, String target, List<Failover.Times> times) {
        double[] asked = times.stream().mapToDouble(Failover.Times::sinceAsked).sorted().toArray();
        double[] gaps = times.stream().mapToDouble(Failover.Times::gap).sorted().toArray();
        int last = asked.length - 1;
        return ReportRow.of(what, target, last < 0 ? Double.NaN : asked[asked.length / 2], last < 0 ? Double.NaN : asked[last],
                last < 0 ? Double.NaN : gaps[gaps.length / 2], last < 0 ? Double.NaN : gaps[last]);
    }
}
