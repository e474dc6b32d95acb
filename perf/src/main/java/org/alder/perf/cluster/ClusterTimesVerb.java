package org.alder.perf.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.TimeUnit;
import org.alder.ldif.LdifGenerator;
import org.alder.partition.store.ClusterService;
import org.alder.perf.bench.BenchmarkVerb;
import org.alder.perf.bench.LoadedData;
import org.alder.perf.bench.Pair;
import org.alder.perf.bench.SampleSearches;
import org.alder.perf.bench.SampleUpdates;
import org.alder.perf.bench.SampleUsers;
import org.alder.perf.bench.Side;
import org.alder.perf.bench.Turns;
import org.alder.perf.bench.WarmUp;
import org.alder.perf.bench.WorkFolder;
import org.alder.perf.client.Load;
import org.alder.perf.client.SpreadLoad;
import org.alder.perf.process.Machine;
import org.alder.perf.process.OpenLdap;
import org.alder.perf.process.ProcessorShare;
import org.alder.perf.process.ServerProcess;
import org.alder.perf.report.Report;
import org.alder.perf.report.ReportRow;
import org.alder.perf.report.ReportTable;
import org.alder.server.cli.option.CommandException;
import org.alder.server.cli.option.WrongCallException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Three members of a cluster on this machine, beside one server alone with the same configuration and two of OpenLDAP's that copy each other: durable updates,
 * searches, how far replicas are behind, how long a member without entries takes to join, four shards beside one partition, and how long nobody takes updates
 * when the leader is killed or hands over. What is held against each other takes turns, once its rate rises no more.
 */
@Command(name = "cluster", mixinStandardHelpOptions = true, description = "Three members on this machine against one server alone and two"
        + " of OpenLDAP in mirror mode: durable updates, searches on replicas, their lag, a member that joins, shards, and the time without a leader after a kill and a planned move.")
public final class ClusterTimesVerb extends BenchmarkVerb {
    private static final List<String> SYNC = List.of("durability: sync");
    private static final List<String> PARTS = List.of("updates", "reads", "lag", "join", "failover", "shards");
    private static final int SEARCH_CONNECTIONS = 8;
    /** Users whom nothing else of this benchmark adds: of each kind of measurement so many. */
    private static final long MANY = 1L << 40;
    private static final long MOST_SHARD_ENTRIES = 20_000;
    private static final double WARM_UP_WINDOW_SECONDS = 2;
    /** More adds a second than a cluster takes. */
    private static final double WARM_UP_RATE = 10_000;
    private static final int MOST_IDLE_SECONDS = 5;
    private static final double LEAST_PROCESSORS = 0.1;
    private static final String UPDATES = "Updates, each on disk when it is acknowledged";
    private static final String UPDATES_TARGET = "ratio at least 0.5";

    @Option(names = "--entries", paramLabel = "N", description = "Users that are loaded before. Of shards there are at most 20,000. Default: ${DEFAULT-VALUE}.")
    private long entries = 20_000;

    @Option(names = "--connections", paramLabel = "N", split = ",", description = "For the updates. Default: ${DEFAULT-VALUE}.")
    private List<Integer> connections = List.of(1, 8, 32);

    @Option(names = "--seconds", paramLabel = "S", description = "Measured time of each line, in " + Turns.COUNT + " turns. Default: ${DEFAULT-VALUE}.")
    private double seconds = 10;

    @Option(names = "--warm-up-seconds", paramLabel = "S",
            description = "The most warm-up before the first turn: it ends when the rate rises no more. Default: ${DEFAULT-VALUE}.")
    private double warmUpSeconds = 120;

    @Option(names = "--rounds", paramLabel = "N", description = "Kills of the leader, and planned moves. Default: ${DEFAULT-VALUE}.")
    private int rounds = 7;

    @Option(names = "--lag-rate", paramLabel = "N", split = ",",
            description = "Adds a second while the lag of replicas is measured; how many there were is told. Default: ${DEFAULT-VALUE}.")
    private List<Double> lagRates = List.of(1000.0, 10_000.0);

    @Option(names = "--join-rate", paramLabel = "N", description = "Adds a second while a member joins. Default: ${DEFAULT-VALUE}.")
    private double joinRate = 1000;

    @Option(names = "--processors", paramLabel = "F", description = "So much of a processor does each server get while updates are measured, such as 0.5, as if each were on a"
            + " machine of its own; by control groups of Linux, as root. Default: all share all.")
    private double processors;

    @Option(names = "--slapd", paramLabel = "FILE", description = "The slapd to measure beside. Default: that of this machine, if it has one.")
    private Path slapd;

    @Option(names = "--only", paramLabel = "PART", split = ",", description = "Measure these alone: updates, reads, lag, join, failover, shards. Default: all.")
    private List<String> only = PARTS;

    private final List<ReportTable> tables = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final SteadyLeader steady = new SteadyLeader();
    private OpenLdap installed;

    @Override
    public Report measure(Machine machine) throws IOException, InterruptedException, CommandException {
        tables.clear();
        notes.clear();
        for (String part : only) {
            if (!PARTS.contains(part)) {
                throw new WrongCallException("--only " + part + ": expected some of " + String.join(", ", PARTS));
            }
        }
        if (processors < 0 || processors > 0 && processors < LEAST_PROCESSORS) {
            throw new WrongCallException("--processors " + processors + ": expected at least " + LEAST_PROCESSORS);
        }
        ClusterService service = ServiceLoader.load(ClusterService.class).findFirst().orElseThrow(() -> new CommandException(
                "what a cluster needs is not on the class path: lib/cluster/*, which bin/alder adds for perf cluster"));
        installed = slapd == null ? OpenLdap.installed().orElse(null) : OpenLdap.at(slapd);
        try (WorkFolder work = options().workFolder()) {
            if (only.stream().anyMatch(part -> !part.equals("shards"))) {
                measureTogether(service, work.path());
            }
            if (only.contains("shards")) {
                measureShards(service, Files.createDirectory(work.path().resolve("shards")));
            }
        }
        return report(machine);
    }

    /** All parts but that of shards are of one cluster. */
    private void measureTogether(ClusterService service, Path work) throws IOException, InterruptedException {
        Path ldif = work.resolve("users.ldif");
        SampleUsers users = SampleUsers.write(generator(), entries, ldif);
        LoadedData alone = LoadedData.load(work, users, ldif, "alone", SYNC);
        Path members = Files.createDirectory(work.resolve("members"));
        LoadedData first = LoadedData.load(members, users, ldif, ClusterNodes.name(0), SYNC);
        boolean isBeside = only.contains("updates") && installed != null;
        try (ServerProcess server = only.contains("updates") || only.contains("reads") ? alone.serve() : null;
                MirroredSlapd mirrored = isBeside ? new MirroredSlapd(installed, work.resolve("openldap"), ldif, entries) : null;
                ClusterNodes nodes = new ClusterNodes(service, members, first.configuration())) {
            Files.delete(ldif);
            if (only.contains("updates")) {
                measureUpdates(new LoneServer(server), nodes, mirrored);
            }
            if (only.contains("reads")) {
                tables.add(reads(server, nodes, new SampleSearches(users)));
            }
            if (!only.contains("updates") && (only.contains("lag") || only.contains("join"))) {
                warmUpAdds(nodes);
            }
            if (only.contains("lag")) {
                tables.add(lag(nodes));
            }
            if (only.contains("join")) {
                tables.add(join(nodes));
            }
            if (only.contains("failover")) {
                tables.add(failover(nodes));
            }
        }
    }

    private LdifGenerator generator() {
        return new LdifGenerator(options().seed());
    }

    /** @param mirrored null where there is no OpenLDAP */
    private void measureUpdates(LoneServer alone, ClusterNodes nodes, MirroredSlapd mirrored) throws IOException, InterruptedException {
        List<UpdateTurns.Users> users = new ArrayList<>();
        for (Deployment each : mirrored == null ? List.of(alone, nodes) : List.of(alone, nodes, mirrored)) {
            users.add(new UpdateTurns.Users(each, new SampleUpdates(generator()), entries, entries + 1));
        }
        UpdateTurns turns = new UpdateTurns(users, seconds, options().seed(), "update-", steady);
        turns.warmUp(connections.stream().max(Integer::compare).orElseThrow(), warmUpSeconds);
        tables.add(idle(users.stream().map(UpdateTurns.Users::deployment).toList()));
        tables.add(processors > 0 ? limited(turns, users) : turns.table(UPDATES, connections, UPDATES_TARGET));
        turns.check(generator());
        notes.addAll(turns.warmUps());
        if (mirrored == null) {
            notes.add("OpenLDAP is not installed here: there is nothing of its mirror mode.");
        }
    }

    /** The same while each server has a share of the processors alone. */
    private ReportTable limited(UpdateTurns turns, List<UpdateTurns.Users> users) throws IOException, InterruptedException {
        List<ProcessorShare> shares = new ArrayList<>();
        try {
            for (UpdateTurns.Users each : users) {
                for (long process : each.deployment().processes()) {
                    shares.add(ProcessorShare.of(process, processors));
                }
            }
            return turns.table(UPDATES + "; each server has " + processors + " of a processor", connections, UPDATES_TARGET);
        } finally {
            shares.forEach(ProcessorShare::close);
        }
    }

    /** What servers that wait for others' turns use meanwhile. */
    private ReportTable idle(List<Deployment> deployments) throws InterruptedException {
        double[] before = deployments.stream().mapToDouble(Deployment::cpuSeconds).toArray();
        long begin = System.nanoTime();
        TimeUnit.NANOSECONDS.sleep(Side.nanos(Math.min(seconds, MOST_IDLE_SECONDS)));
        double time = (System.nanoTime() - begin) / 1e9;
        List<ReportRow> rows = new ArrayList<>();
        for (int i = 0; i < before.length; i++) {
            rows.add(ReportRow.of(deployments.get(i).label(), "", 1000 * (deployments.get(i).cpuSeconds() - before[i]) / time));
        }
        return new ReportTable("Without clients", List.of("by"), List.of("CPU ms/s"), rows);
    }

    private void measureShards(ClusterService service, Path work) throws IOException, InterruptedException {
        System.err.println("starting a cluster with shards");
        try (ShardTimes shards = new ShardTimes(service, work, generator(), Math.min(entries, MOST_SHARD_ENTRIES))) {
            UpdateTurns turns = new UpdateTurns(shards.users(), seconds, options().seed(), "", steady);
            turns.warmUp(connections.stream().max(Integer::compare).orElseThrow(), warmUpSeconds);
            tables.add(turns.table(ShardTimes.SHARDS + " shards against one partition, connections to all members", connections, ""));
            notes.addAll(turns.warmUps());
            tables.add(elsewhere(shards, work.resolve("users.ldif")));
            notes.add("Shards and the one partition are in the same three processes, which hold " + Math.min(entries, MOST_SHARD_ENTRIES)
                    + " users of each; their CPU is that of all three. The first connection is to the leader of the one partition, the others to all members"
                    + " in turns, which hand on what another one leads. Here CPU does not wait for replicas.");
        }
    }

    /** What it costs a member that it does not hold the entries which it is asked for. */
    private ReportTable elsewhere(ShardTimes shards, Path ldif) throws IOException, InterruptedException {
        SampleUsers users = SampleUsers.write(generator(), Math.min(entries, MOST_SHARD_ENTRIES), ldif);
        List<Integer> ports = shards.holdByTwo();
        return reads("Members of which two hold the one partition", List.of(new Asked("a replica that holds it", ports.subList(0, 1)),
                new Asked("a member that reads it from others", ports.subList(1, 2))), new SampleSearches(users));
    }

    /** Who is asked. */
    private record Asked(String label, List<Integer> ports) {
    }

    private ReportTable reads(ServerProcess server, ClusterNodes nodes, SampleSearches searches) throws IOException, InterruptedException {
        int leader = nodes.awaitLeader();
        List<Integer> ports = nodes.portsFrom(leader);
        return reads("Replicas", List.of(new Asked("one server alone", List.of(server.port())), new Asked("the leader", ports.subList(0, 1)),
                new Asked("a replica", ports.subList(1, 2)), new Asked("all three at once", ports)), searches);
    }

    private ReportTable reads(String what, List<Asked> asked, SampleSearches searches) throws IOException, InterruptedException {
        for (Asked each : asked) {
            System.err.println("warming up searches of " + each.label);
            WarmUp.of(seconds / Turns.COUNT, warmUpSeconds, window -> search(each, window, searches, options().seed()).operationsPerSecond());
        }
        System.err.println("measuring searches");
        List<List<Load.Outcome>> turns = Turns.of(asked, seconds, seconds / Turns.COUNT, options().seed(), (each, warmUp, time, seed) -> {
            search(each, warmUp, searches, seed - 1);
            return search(each, time, searches, seed);
        });
        double[] base = rates(turns.get(0));
        List<ReportRow> rows = new ArrayList<>();
        for (int i = 0; i < asked.size(); i++) {
            Pair rate = i == 0 ? Pair.spread(base) : Pair.of(rates(turns.get(i)), base);
            rows.add(ReportRow.of(asked.get(i).label, "", rate.own(), rate.own() / rate.peer(), rate.lowest(), rate.highest(),
                    Turns.median(turns.get(i), each -> each.latencies().percentileMillis(0.5)),
                    Turns.median(turns.get(i), each -> each.latencies().percentileMillis(0.99))));
        }
        return new ReportTable(what + ": (uid=user.i) over " + SEARCH_CONNECTIONS + " connections to each", List.of("who is asked"),
                List.of("searches/s", "ratio", "lowest", "highest", "p50 ms", "p99 ms"), rows);
    }

    private static Load.Outcome search(Asked asked, double time, SampleSearches searches, long seed) throws IOException, InterruptedException {
        return SpreadLoad.over(asked.ports, SEARCH_CONNECTIONS * asked.ports.size(), 0, Side.nanos(time), seed, LoadedData.ADMINISTRATOR).run(searches::byUid);
    }

    private static double[] rates(List<Load.Outcome> turns) {
        return turns.stream().mapToDouble(Load.Outcome::operationsPerSecond).toArray();
    }

    private void warmUpAdds(ClusterNodes nodes) throws IOException, InterruptedException {
        System.err.println("warming up adds");
        ReplicaLag adds = new ReplicaLag(nodes, options().seed(), MANY / 2);
        WarmUp warmUp = WarmUp.of(WARM_UP_WINDOW_SECONDS, warmUpSeconds, window -> adds.reached(nodes.awaitLeader(), WARM_UP_RATE, window, options().seed()));
        notes.add(warmUp.told("the cluster", "adds/s"));
    }

    private ReportTable lag(ClusterNodes nodes) throws IOException, InterruptedException {
        List<ReportRow> rows = new ArrayList<>();
        for (double rate : lagRates) {
            System.err.println("measuring the lag of replicas under " + rate + " adds a second");
            long first = MANY + rows.size() * (MANY >> 8);
            ReplicaLag lag = new ReplicaLag(nodes, options().seed(), first);
            rows.addAll(steady.measure(nodes, ports -> lag.measure(nodes.at(ports.get(0)), rate, seconds, options().seed())));
        }
        notes.add("The lag counts from the answer to an add to when a search on the replica finds the entry; searches are repeated every 2 ms."
                + " Adds count from when they were due: where fewer were reached than asked for, the cluster took no more.");
        return new ReportTable("Lag of replicas while entries are added", ReplicaLag.LABELS, ReplicaLag.FIGURES, rows);
    }

    private ReportTable join(ClusterNodes nodes) throws IOException, InterruptedException {
        System.err.println("measuring how a member joins under " + joinRate + " adds a second");
        MemberJoin join = new MemberJoin(nodes, options().seed(), 2 * MANY);
        return steady.measure(nodes, ports -> join.measure(nodes.at(ports.get(0)), joinRate, options().seed()));
    }

    private ReportTable failover(ClusterNodes nodes) throws IOException, InterruptedException {
        Failover failover = new Failover(nodes);
        List<Failover.Times> kills = new ArrayList<>();
        List<Failover.Times> moves = new ArrayList<>();
        for (int i = 0; i < rounds; i++) {
            System.err.println("killing the leader, and moving it: " + (i + 1) + " of " + rounds);
            kills.add(failover.kill());
            moves.add(failover.move());
        }
        return failoverTable(kills, moves);
    }

    private Report report(Machine machine) throws IOException {
        List<String> all = new ArrayList<>(notes);
        all.add(steady.changes() == 0 ? "No other member led by itself while something was measured." : "Another member led by itself " + steady.changes()
                + " times while something was measured, which was measured again, as leaders do that get no processor for 2 s: the machine was busy.");
        all.add("All on this machine: three members, their bookies and ZooKeeper, and the clients share its processors and its disk, where three"
                + " machines have one of each for themselves. Each update of the cluster is synced on two of three journals before it is acknowledged; one of OpenLDAP's mirror mode on one disk.");
        all.add("What is held against each other took " + Turns.COUNT + " turns after its warm-up, all of it running all the time. Figures are"
                + " medians of the turns; lowest and highest are the ratio in one turn, of the first line its own spread. CPU is that of all members together, until all of them show what was acknowledged.");
        return new Report("cluster", "A cluster of three", machine, parameters(), tables, Map.of(), all);
    }

    private Map<String, String> parameters() throws IOException {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("entries", Long.toString(entries));
        parameters.put("durability", "sync");
        parameters.put("seconds", seconds + " in " + Turns.COUNT + " turns");
        parameters.put("rounds", Integer.toString(rounds));
        if (processors > 0) {
            parameters.put("processors of each server", Double.toString(processors));
        }
        parameters.put("seed", Long.toString(options().seed()));
        parameters.put("OpenLDAP", installed == null ? "not installed" : installed.version());
        return parameters;
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
