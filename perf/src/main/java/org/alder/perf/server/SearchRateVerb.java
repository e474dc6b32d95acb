package org.alder.perf.server;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.alder.ldif.LdifGenerator;
import org.alder.partition.text.Counted;
import org.alder.perf.bench.BenchmarkVerb;
import org.alder.perf.bench.LoadedData;
import org.alder.perf.bench.SampleSearches;
import org.alder.perf.bench.SampleUsers;
import org.alder.perf.bench.WorkFolder;
import org.alder.perf.client.Load;
import org.alder.perf.process.Machine;
import org.alder.perf.process.ServerProcess;
import org.alder.perf.report.BarPlot;
import org.alder.perf.report.PeerFigures;
import org.alder.perf.report.Report;
import org.alder.perf.report.ReportRow;
import org.alder.perf.report.ReportTable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Searches per second against one server of its own process, after a bulk load and a warm-up: by uid over several connections, by
 * initials, ANDs of large sets, and without an index. The number of entries of each answer is held against the data set.
 */
@Command(name = "search-rate", mixinStandardHelpOptions = true,
        description = "Searches per second, latency and server CPU, by kind of search and number of connections.")
public final class SearchRateVerb extends BenchmarkVerb {
    /** The first measured line must not pay for the server's compilation. */
    private static final int WARM_UP_CONNECTIONS = 8;

    @Option(names = "--entries", paramLabel = "N", description = "Number of users. Default: ${DEFAULT-VALUE}.")
    private long entries = 200_000;

    @Option(names = "--connections", paramLabel = "N", split = ",",
            description = "For the searches by uid. Default: ${DEFAULT-VALUE}.")
    private List<Integer> connections = List.of(1, 8, 32);

    @Option(names = "--seconds", paramLabel = "S",
            description = "Measured time of each line, after half as much warm-up. Default: ${DEFAULT-VALUE}.")
    private double seconds = 5;

    private final List<ReportRow> rows = new ArrayList<>();

    @Override
    public Report measure(Machine machine) throws IOException, InterruptedException {
        rows.clear();
        try (WorkFolder work = options().workFolder()) {
            LoadedData data = LoadedData.load(work.path(), new LdifGenerator(options().seed()), entries, List.of());
            long residentBytes;
            try (ServerProcess server = data.serve()) {
                measureAll(server, data.users());
                residentBytes = server.residentBytes();
            }
            return report(machine, residentBytes);
        }
    }

    private void measureAll(ServerProcess server, SampleUsers users) throws IOException, InterruptedException {
        SampleSearches searches = new SampleSearches(users);
        System.err.println("warming up");
        new Load(server.port(), WARM_UP_CONNECTIONS, 0, (long) (2e9 * seconds), options().seed())
                .run(searches::byUid, server::cpuSeconds);
        for (int count : connections) {
            measure(server, "(uid=user.i)", count, PeerFigures.equality(count), searches::byUid);
        }
        measure(server, "(initials=xx), all attributes", 1, PeerFigures.INITIALS_ALL, searches::byInitials);
        measure(server, "(initials=xx), 1.1", 1, PeerFigures.INITIALS_NONE, searches::namesByInitials);
        measure(server, "(&(employeeType=alpha)(departmentNumber=3)), 1.1", 1, PeerFigures.AND_TWO, searches.andOfTwo());
        measure(server, "(&(employeeType=alpha)(departmentNumber=3)(initials=xx)), 1.1", 1, PeerFigures.AND_THREE,
                searches::andOfThree);
        measure(server, "(description=...), unindexed", 1, PeerFigures.UNINDEXED, searches::unindexed);
    }

    private void measure(ServerProcess server, String name, int count, String others, Load.Request request) throws IOException,
            InterruptedException {
        System.err.println("measuring " + name + " over " + Counted.of(count, "connection"));
        long nanos = (long) (seconds * 1e9);
        Load.Outcome outcome = new Load(server.port(), count, nanos / 2, nanos, options().seed())
                .run(request, server::cpuSeconds);
        rows.add(new ReportRow(List.of(name, Integer.toString(count)),
                ReportRow.boxed(outcome.operationsPerSecond(), outcome.entriesPerSecond(),
                        outcome.latencies().percentileMillis(0.5), outcome.latencies().percentileMillis(0.99),
                        outcome.serverMicrosPerOperation(), outcome.serverMicrosPerEntry(), outcome.clientMicrosPerOperation()),
                others));
    }

    private Report report(Machine machine, long residentBytes) {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("entries", Long.toString(entries));
        parameters.put("seconds", seconds + " after half as much warm-up");
        parameters.put("seed", Long.toString(options().seed()));
        ReportTable table = new ReportTable("Searches", List.of("search", "connections"),
                List.of("ops/s", "entries/s", "p50 ms", "p99 ms", "server CPU us/op", "server CPU us/entry", "client CPU us/op"),
                rows);
        ReportTable memory = new ReportTable("Server", List.of("after the searches"), List.of("resident MiB"),
                List.of(ReportRow.of("memory", "OpenLDAP 0.23 GB; 389 DS 1.5; OpenDJ 0.5-3.2",
                        residentBytes < 0 ? Double.NaN : residentBytes / (double) (1 << 20))));
        return new Report("search-rate", "Searches per second", machine, parameters, List.of(table, memory),
                Map.of("search-rate", plot().svg()), List.of(PeerFigures.SOURCE,
                        "Closed loop, one thread for each connection on the server's own machine: the client's CPU is taken"
                                + " from the server where there are few processors."));
    }

    private BarPlot plot() {
        BarPlot plot = new BarPlot("(uid=user.i): searches per second");
        for (ReportRow row : rows) {
            if (row.labels().get(0).startsWith("(uid=")) {
                plot.bar("Alder, " + row.labels().get(1) + " connections", row.figures().get(0));
            }
        }
        return plot;
    }
}
