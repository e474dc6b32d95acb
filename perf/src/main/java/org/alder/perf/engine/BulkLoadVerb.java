package org.alder.perf.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.alder.ldif.LdifGenerator;
import org.alder.perf.bench.BenchmarkVerb;
import org.alder.perf.bench.LoadedData;
import org.alder.perf.bench.SampleUsers;
import org.alder.perf.bench.WorkFolder;
import org.alder.perf.process.GcLog;
import org.alder.perf.process.Machine;
import org.alder.perf.process.ProcessRun;
import org.alder.perf.report.BarPlot;
import org.alder.perf.report.PeerFigures;
import org.alder.perf.report.Report;
import org.alder.perf.report.ReportRow;
import org.alder.perf.report.ReportTable;
import org.alder.perf.report.TargetSummary;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Bulk loads of several sizes, each by an {@code import} of its own process: entries per second, CPU and memory, which must not
 * grow with the number of entries.
 */
@Command(name = "bulk-load", mixinStandardHelpOptions = true,
        description = "Entries per second, CPU, heap and disk of the bulk load, by number of entries.")
public final class BulkLoadVerb extends BenchmarkVerb {
    private static final double MIB = 1 << 20;

    @Option(names = "--sizes", paramLabel = "N", split = ",", description = "Numbers of users. Default: ${DEFAULT-VALUE}.")
    private List<Long> sizes = List.of(200_000L, 2_000_000L);

    @Override
    public Report measure(Machine machine) throws IOException, InterruptedException {
        List<ReportRow> rows = new ArrayList<>();
        for (long entries : sizes) {
            System.err.println("measuring the load of " + entries);
            try (WorkFolder work = options().workFolder()) {
                rows.add(load(work.path(), entries));
            }
        }
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("seed", Long.toString(options().seed()));
        ReportTable table = new ReportTable("Bulk loads", List.of("entries"), List.of("seconds", "entries/s", "CPU us/entry",
                "peak resident MiB", "peak heap MiB", "heap kept MiB", "disk bytes/entry", "LDIF bytes/entry"), rows);
        BarPlot plot = new BarPlot("Bulk load, entries per second");
        rows.forEach(row -> plot.bar("Alder, " + row.labels().get(0), row.figures().get(1)));
        return new Report("bulk-load", "Bulk load by size", machine, parameters, List.of(table, flatness(rows)),
                Map.of("bulk-load", plot.svg()), List.of("Each load with the start of its process. Peak heap: the most in use"
                        + " when a garbage collection began, garbage included; kept: the most after one.", PeerFigures.SOURCE));
    }

    private ReportRow load(Path work, long entries) throws IOException, InterruptedException {
        Path ldif = work.resolve("data.ldif");
        SampleUsers users = SampleUsers.write(new LdifGenerator(options().seed()), entries, ldif);
        Path collections = work.resolve("gc.log");
        LoadedData data = LoadedData.load(work, users, ldif, "data", List.of(), GcLog.options(collections));
        ProcessRun run = data.load();
        GcLog heap = GcLog.read(collections);
        return ReportRow.of(Long.toString(entries), "", run.wallSeconds(), entries / run.wallSeconds(),
                run.cpuSeconds() * 1e6 / entries, run.peakResidentBytes() / MIB, heap.peakBytes() / MIB, heap.keptBytes() / MIB,
                (double) WorkFolder.sizeBytes(data.folder()) / entries, (double) Files.size(ldif) / entries);
    }

    private static ReportTable flatness(List<ReportRow> rows) {
        List<Double> small = rows.get(0).figures();
        List<Double> large = rows.get(rows.size() - 1).figures();
        boolean several = rows.size() > 1;
        return new ReportTable(TargetSummary.LOAD_FLATNESS, List.of("sizes"), List.of("entries/s", "CPU us/entry", "peak heap"),
                List.of(ReportRow.of("largest / smallest", "", several ? large.get(1) / small.get(1) : Double.NaN,
                        several ? large.get(2) / small.get(2) : Double.NaN,
                        several ? large.get(4) / small.get(4) : Double.NaN)));
    }
}
