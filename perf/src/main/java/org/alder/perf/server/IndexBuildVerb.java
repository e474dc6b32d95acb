package org.alder.perf.server;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.alder.ldif.LdifGenerator;
import org.alder.perf.bench.BenchmarkVerb;
import org.alder.perf.bench.LoadedData;
import org.alder.perf.bench.SampleSearches;
import org.alder.perf.bench.SampleUpdates;
import org.alder.perf.bench.Side;
import org.alder.perf.bench.WorkFolder;
import org.alder.perf.client.Latencies;
import org.alder.perf.client.LdapConnection;
import org.alder.perf.client.PacedLoad;
import org.alder.perf.process.Machine;
import org.alder.perf.process.ServerProcess;
import org.alder.perf.report.Report;
import org.alder.perf.report.ReportRow;
import org.alder.perf.report.ReportTable;
import org.alder.perf.report.TargetFigure;
import org.alder.perf.report.TargetSummary;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * An index that a running server builds: in each round searches and modifies at fixed rates while nothing is built, the same while the index
 * is, and the build while nobody asks for anything.
 */
@Command(name = "index", mixinStandardHelpOptions = true,
        description = "The p99 of searches and modifies while an index is built, against idle; the build's time, CPU and bytes, also while nobody asks.")
public final class IndexBuildVerb extends BenchmarkVerb {
    private static final int SEARCHERS = 8;
    private static final double MIB = 1 << 20;
    /** The server still counts as asked for a second. */
    private static final long QUIET_MILLIS = 1500;

    @Option(names = "--entries", paramLabel = "N", description = "Number of users. Default: ${DEFAULT-VALUE}.")
    private long entries = 200_000;

    @Option(names = "--index", paramLabel = "ATTRIBUTE", description = "What is indexed: an attribute of the users. Default: ${DEFAULT-VALUE}.")
    private String attribute = "description";

    @Option(names = "--kinds", paramLabel = "KINDS", description = "eq, sub and pres with commas between them. Default: ${DEFAULT-VALUE}.")
    private String kinds = "eq";

    @Option(names = "--rate", paramLabel = "R", description = "Searches per second. Default: ${DEFAULT-VALUE}.")
    private double searchesPerSecond = 1000;

    @Option(names = "--modifies", paramLabel = "R", description = "Modifies per second, of the attribute description. Default: ${DEFAULT-VALUE}.")
    private double modifiesPerSecond = 50;

    @Option(names = "--rounds", paramLabel = "N", description = "How often it is built beside requests, and alone. Default: ${DEFAULT-VALUE}.")
    private int rounds = 2;

    @Option(names = "--seconds", paramLabel = "S", description = "Measured time of each round without a build. Default: ${DEFAULT-VALUE}.")
    private double seconds = 10;

    private final List<Beside> idle = new ArrayList<>();
    private final List<Beside> building = new ArrayList<>();
    private final List<Build> alone = new ArrayList<>();

    /** @param cpuSeconds of the server, for all that it did */
    private record Build(double seconds, double cpuSeconds, long bytes) {
    }

    /** How long requests took, and what went on meanwhile. */
    private record Beside(Latencies searches, Latencies modifies, Build build) {
    }

    /** What requests are measured beside. */
    @FunctionalInterface
    private interface Work {
        void run() throws IOException, InterruptedException;
    }

    @Override
    public Report measure(Machine machine) throws IOException, InterruptedException {
        List.of(idle, building, alone).forEach(List::clear);
        LdifGenerator generator = new LdifGenerator(options().seed());
        try (WorkFolder work = options().workFolder()) {
            LoadedData data = LoadedData.load(work.path(), generator, entries, List.of("durability: sync"));
            try (ServerProcess server = data.serve(); LiveIndex index = new LiveIndex(server.port(), attribute, kinds)) {
                System.err.println("warming up");
                beside(server, data, () -> Thread.sleep(Side.nanos(seconds) / 1_000_000));
                for (int round = 1; round <= rounds; round++) {
                    System.err.println("round " + round + " of " + rounds);
                    measureRound(server, data, index);
                }
            }
        }
        return report(machine);
    }

    private void measureRound(ServerProcess server, LoadedData data, LiveIndex index) throws IOException, InterruptedException {
        idle.add(beside(server, data, () -> Thread.sleep(Side.nanos(seconds) / 1_000_000)));
        Beside measured = beside(server, data, index::build);
        building.add(new Beside(measured.searches, measured.modifies, withBytes(measured.build, index)));
        index.requireRight(data.users(), unchanged());
        index.remove();
        Thread.sleep(QUIET_MILLIS);
        alone.add(withBytes(timed(server, index::build), index));
        index.requireRight(data.users(), unchanged());
        index.remove();
    }

    /** The first of the users that no modify changes. */
    private long unchanged() {
        return entries / 2 + 1;
    }

    private static Build withBytes(Build build, LiveIndex index) throws IOException {
        return new Build(build.seconds, build.cpuSeconds, index.bytes());
    }

    private static Build timed(ServerProcess server, Work work) throws IOException, InterruptedException {
        double cpu = server.cpuSeconds();
        long begin = System.nanoTime();
        work.run();
        return new Build((System.nanoTime() - begin) / 1e9, server.cpuSeconds() - cpu, 0);
    }

    private Beside beside(ServerProcess server, LoadedData data, Work work) throws IOException, InterruptedException {
        List<LdapConnection> searchers = new ArrayList<>();
        try (LdapConnection writer = LoadedData.ADMINISTRATOR.connect(server.port())) {
            for (int i = 0; i < SEARCHERS; i++) {
                searchers.add(new LdapConnection("127.0.0.1", server.port()));
            }
            long seed = options().seed() + idle.size() + building.size();
            PacedLoad searches = PacedLoad.start(searchers, searchesPerSecond, seed, new SampleSearches(data.users())::byUid);
            PacedLoad modifies = PacedLoad.start(List.of(writer), modifiesPerSecond, seed,
                    new SampleUpdates(new LdifGenerator(options().seed())).modifies(Math.max(1, entries / 2)));
            Build build;
            try {
                build = timed(server, work);
            } finally {
                // Also the other one ends where one of them has failed.
                modifies.end();
                searches.end();
            }
            return new Beside(latencies(searches), latencies(modifies), build);
        } finally {
            for (LdapConnection searcher : searchers) {
                searcher.close();
            }
        }
    }

    private static Latencies latencies(PacedLoad load) throws IOException, InterruptedException {
        Latencies latencies = new Latencies();
        load.stop().forEach(sample -> latencies.add(sample.nanos()));
        return latencies;
    }

    private static Latencies all(List<Beside> some, Function<Beside, Latencies> which) {
        Latencies all = new Latencies();
        some.forEach(each -> all.add(which.apply(each)));
        return all;
    }

    private ReportTable table(String title, Function<Beside, Latencies> which) {
        List<ReportRow> rows = new ArrayList<>();
        for (int i = 0; i < rounds; i++) {
            addRows(rows, "round " + (i + 1), which.apply(idle.get(i)), which.apply(building.get(i)));
        }
        addRows(rows, "all", all(idle, which), all(building, which));
        return new ReportTable(title, List.of("when", "beside"), List.of("requests", "p50 ms", "p99 ms", "longest ms", TargetSummary.INDEX_RATIO), rows);
    }

    private static void addRows(List<ReportRow> rows, String when, Latencies idle, Latencies building) {
        rows.add(row(when, "nothing", idle, 1));
        rows.add(row(when, "a build", building, building.percentileMillis(0.99) / idle.percentileMillis(0.99)));
    }

    private static ReportRow row(String when, String beside, Latencies latencies, double ratio) {
        return new ReportRow(List.of(when, beside), ReportRow.boxed(latencies.count(), latencies.percentileMillis(0.5),
                latencies.percentileMillis(0.99), latencies.percentileMillis(1), ratio), "");
    }

    private static double mean(List<Build> builds, ToDoubleFunction<Build> figure) {
        return builds.stream().mapToDouble(figure).average().orElse(Double.NaN);
    }

    /** @param otherCpu CPU seconds that other requests take in a second */
    private ReportRow buildRow(String beside, List<Build> builds, double otherCpu) {
        double its = mean(builds, Build::seconds);
        double cpu = mean(builds, Build::cpuSeconds) - otherCpu * its;
        return ReportRow.of(beside, "", its, cpu, cpu * 1e6 / entries, entries / its, mean(builds, Build::bytes) / MIB, mean(builds, Build::bytes) / entries);
    }

    private Report report(Machine machine) {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("entries", Long.toString(entries));
        parameters.put("index", attribute + " " + kinds);
        parameters.put("searches/s", Double.toString(searchesPerSecond));
        parameters.put("modifies/s", Double.toString(modifiesPerSecond));
        parameters.put("rounds", Integer.toString(rounds));
        parameters.put("seconds", Double.toString(seconds));
        parameters.put("seed", Long.toString(options().seed()));
        List<Build> asked = building.stream().map(Beside::build).toList();
        double otherCpu = idle.stream().mapToDouble(each -> each.build.cpuSeconds).sum() / idle.stream().mapToDouble(each -> each.build.seconds).sum();
        ReportTable builds = new ReportTable("The build, means of all rounds", List.of("beside"),
                List.of("seconds", "CPU seconds", "CPU us/entry", "entries/s", "MiB", "bytes/entry"),
                List.of(buildRow("the requests", asked, otherCpu), buildRow("nobody", alone, 0)));
        double ratio = all(building, Beside::searches).percentileMillis(0.99) / all(idle, Beside::searches).percentileMillis(0.99);
        return new Report("index", "Indexes built while the server is asked", machine, parameters, List.of(
                table(TargetSummary.INDEX_SEARCHES, Beside::searches), table("Modifies of one value beside a build", Beside::modifies), builds,
                TargetFigure.table("Against the target", "OpenLDAP", List.of(TargetFigure.INDEX_P99.row(Double.NaN, ratio)))), Map.of(),
                List.of("Requests come at a fixed rate, and one that had to wait for the one before it counts from when it was due. The CPU time of a build"
                        + " beside requests is the server's without what the same requests took in as much time before."));
    }
}
