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
import org.alder.perf.bench.SampleUpdates;
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
 * Durable modifies per second: each connection replaces the description of users at random and waits for each answer, with
 * durability {@code sync}, so that an acknowledged modify is on disk. All connection counts on one bulk-loaded partition.
 */
@Command(name = "modify-rate", mixinStandardHelpOptions = true,
        description = "Durable modifies per second by number of connections.")
public final class ModifyRateVerb extends BenchmarkVerb {
    @Option(names = "--entries", paramLabel = "N", description = "Number of users. Default: ${DEFAULT-VALUE}.")
    private long entries = 200_000;

    @Option(names = "--connections", paramLabel = "N", split = ",", description = "Default: ${DEFAULT-VALUE}.")
    private List<Integer> connections = List.of(1, 8, 32);

    @Option(names = "--seconds", paramLabel = "S",
            description = "Measured time, after as much warm-up. Default: ${DEFAULT-VALUE}.")
    private int seconds = 10;

    @Override
    public Report measure(Machine machine) throws IOException, InterruptedException {
        List<ReportRow> rows = new ArrayList<>();
        LdifGenerator generator = new LdifGenerator(options().seed());
        try (WorkFolder work = options().workFolder()) {
            LoadedData data = LoadedData.load(work.path(), generator, entries, List.of("durability: sync"));
            long nanos = 1_000_000_000L * seconds;
            try (ServerProcess server = data.serve()) {
                for (int count : connections) {
                    System.err.println("measuring modifies over " + Counted.of(count, "connection"));
                    Load.Outcome outcome = new Load(server.port(), count, nanos, nanos, options().seed(),
                            LoadedData.ADMINISTRATOR).run(new SampleUpdates(generator).modifies(entries), server::cpuSeconds);
                    rows.add(ReportRow.of(Integer.toString(count), PeerFigures.modifies(count), outcome.operationsPerSecond(),
                            outcome.serverMicrosPerOperation(), outcome.latencies().percentileMillis(0.5),
                            outcome.latencies().percentileMillis(0.99)));
                }
            }
        }
        return report(machine, rows);
    }

    private Report report(Machine machine, List<ReportRow> rows) {
        ReportTable table = new ReportTable("Modifies, each on disk when it is acknowledged", List.of("connections"),
                List.of("modifies/s", "server CPU us/modify", "p50 ms", "p99 ms"), rows);
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("entries", Long.toString(entries));
        parameters.put("durability", "sync");
        parameters.put("seconds", seconds + " after as much warm-up");
        parameters.put("seed", Long.toString(options().seed()));
        BarPlot plot = new BarPlot("Durable modifies per second");
        rows.forEach(row -> plot.bar("Alder, connections: " + row.labels().get(0), row.figures().get(0)));
        return new Report("modify-rate", "Durable modifies per second", machine, parameters, List.of(table),
                Map.of("modify-rate", plot.svg()), List.of(PeerFigures.SOURCE));
    }
}
