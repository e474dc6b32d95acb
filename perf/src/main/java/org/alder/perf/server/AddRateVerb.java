package org.alder.perf.server;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.alder.ldif.LdifGenerator;
import org.alder.partition.text.Counted;
import org.alder.perf.bench.BenchmarkVerb;
import org.alder.perf.bench.LoadedData;
import org.alder.perf.bench.PerfOptions;
import org.alder.perf.bench.SampleUpdates;
import org.alder.perf.bench.WorkFolder;
import org.alder.perf.client.LdapConnection;
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
 * Durable adds per second: each connection adds users of the data set one after the other and waits for each answer, with
 * durability {@code sync}, so that an acknowledged add is on disk. Every connection count starts on an empty partition.
 */
@Command(name = "add-rate", mixinStandardHelpOptions = true, description = "Durable adds per second by number of connections.")
public final class AddRateVerb extends BenchmarkVerb {
    @Option(names = "--connections", paramLabel = "N", split = ",", description = "Default: ${DEFAULT-VALUE}.")
    private List<Integer> connections = List.of(1, 8, 32);

    @Option(names = "--seconds", paramLabel = "S",
            description = "Measured time, after as much warm-up. Default: ${DEFAULT-VALUE}.")
    private int seconds = 10;

    @Override
    public Report measure(Machine machine) throws IOException, InterruptedException {
        List<ReportRow> rows = new ArrayList<>();
        for (int count : connections) {
            System.err.println("measuring adds over " + Counted.of(count, "connection"));
            try (WorkFolder work = options().workFolder()) {
                Load.Outcome outcome = measure(count, work.path());
                rows.add(ReportRow.of(Integer.toString(count), PeerFigures.adds(count), outcome.operationsPerSecond(),
                        outcome.serverMicrosPerOperation()));
            }
        }
        ReportTable table = new ReportTable("Adds, each on disk when it is acknowledged", List.of("connections"),
                List.of("adds/s", "server CPU us/add"), rows);
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("durability", "sync");
        parameters.put("seconds", seconds + " after as much warm-up");
        parameters.put("seed", Long.toString(options().seed()));
        return new Report("add-rate", "Durable adds per second", machine, parameters, List.of(table),
                Map.of("add-rate", plot(rows).svg()), List.of(PeerFigures.SOURCE));
    }

    private static BarPlot plot(List<ReportRow> rows) {
        BarPlot plot = new BarPlot("Durable adds per second");
        rows.forEach(row -> plot.bar("Alder, connections: " + row.labels().get(0), row.figures().get(0)));
        return plot;
    }

    private Load.Outcome measure(int count, Path work) throws IOException, InterruptedException {
        Path data = work.resolve("data");
        Path configuration = PerfOptions.configuration(work, "sync.ldif", List.of("durability: sync"));
        LoadedData.writePassword(data);
        SampleUpdates updates = new SampleUpdates(new LdifGenerator(options().seed()));
        try (ServerProcess server = ServerProcess.start(data, configuration)) {
            try (LdapConnection client = LoadedData.ADMINISTRATOR.connect(server.port())) {
                SampleUpdates.addBase(client);
            }
            long nanos = 1_000_000_000L * seconds;
            return new Load(server.port(), count, nanos, nanos, options().seed(), LoadedData.ADMINISTRATOR)
                    .run(updates.adds(new AtomicLong(1)), server::cpuSeconds);
        }
    }
}
