package org.alder.perf.server;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.alder.ldif.LdifGenerator;
import org.alder.partition.error.DirectoryException;
import org.alder.perf.bench.BenchmarkVerb;
import org.alder.perf.bench.LoadedData;
import org.alder.perf.bench.PerfOptions;
import org.alder.perf.bench.WorkFolder;
import org.alder.perf.client.Latencies;
import org.alder.perf.client.PacedLoad;
import org.alder.perf.process.Machine;
import org.alder.perf.report.Report;
import org.alder.perf.report.ReportRow;
import org.alder.perf.report.ReportTable;
import org.alder.perf.report.TargetSummary;
import org.alder.perf.report.TimePlot;
import org.alder.perf.server.NearRealTimeRun.Phase;
import org.alder.perf.server.NearRealTimeRun.Span;
import org.alder.perf.server.NearRealTimeRun.Write;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * How soon an acknowledged write is seen by a search of another connection, and what writes, flushes and a full merge do to the
 * latency of searches at a fixed rate. Five phases after one another: idle, writes, writes with a flush every second, writes with
 * a full merge, idle again. A write sets the mail address of a user to one nobody has had; then another connection searches for
 * it until it is found. All of it twice: with merges that give way to clients, which is the default, and with merges that do not.
 */
@Command(name = "near-real-time", mixinStandardHelpOptions = true,
        description = "Time from acknowledged write to visible, and search latency during flushes and a full merge.")
public final class NearRealTimeVerb extends BenchmarkVerb {
    private static final int BUCKET_MILLIS = 100;
    private static final String PUBLISHED = "Lucene: a reopen takes 57 ms mean; 70 ms in a full merge limited to 10 MB/s";
    private static final String TARGET = "target: p99 in a merge at most 1.3 times that without";
    /** What {@code mergeBytesPerSecond} is in each run. */
    private static final Map<String, String> MERGES = new LinkedHashMap<>();

    static {
        MERGES.put("adaptive", "0");
        MERGES.put("unlimited", "100g");
    }

    @Option(names = "--entries", paramLabel = "N", description = "Number of users. Default: ${DEFAULT-VALUE}.")
    private long entries = 200_000;

    @Option(names = "--search-rate", paramLabel = "R", description = "Searches by uid per second. Default: ${DEFAULT-VALUE}.")
    private double searchRate = 500;

    @Option(names = "--write-rate", paramLabel = "R", description = "Modifies per second. Default: ${DEFAULT-VALUE}.")
    private double writeRate = 100;

    @Option(names = "--seconds", paramLabel = "S",
            description = "Length of each phase; the merge's ends with the merge. Default: ${DEFAULT-VALUE}.")
    private int seconds = 10;

    @Override
    public Report measure(Machine machine) throws IOException, InterruptedException, DirectoryException {
        List<NearRealTimeRun> runs = new ArrayList<>();
        try (WorkFolder work = options().workFolder()) {
            LoadedData data = LoadedData.load(work.path(), new LdifGenerator(options().seed()), entries, List.of());
            for (Map.Entry<String, String> merge : MERGES.entrySet()) {
                NearRealTimeRun run = new NearRealTimeRun(merge.getKey(),
                        new NearRealTimeRun.Rates(entries, searchRate, writeRate, seconds, options().seed()));
                run.measure(new LoadedData(data.folder(), PerfOptions.configuration(work.path(), merge.getKey() + ".conf.ldif",
                        List.of("mergeBytesPerSecond: " + merge.getValue())), data.users(), data.load()));
                runs.add(run);
            }
        }
        return report(machine, runs);
    }

    private Report report(Machine machine, List<NearRealTimeRun> runs) {
        List<ReportRow> merges = new ArrayList<>();
        List<ReportRow> latency = new ArrayList<>();
        List<ReportRow> visible = new ArrayList<>();
        List<ReportRow> background = new ArrayList<>();
        Map<String, String> plots = new LinkedHashMap<>();
        for (NearRealTimeRun run : runs) {
            merges.add(mergeRow(run));
            for (Span span : run.phases().subList(1, run.phases().size())) {
                latency.add(latencyRow(run, span));
                if (!run.writes(span).isEmpty()) {
                    visible.add(visibleRow(run, span));
                }
            }
            background.addAll(backgroundRows(run));
            plots.put("near-real-time-" + run.name(), plot(run).svg());
        }
        List<String> labels = List.of("merges", "phase");
        return new Report("near-real-time", "Near real time: from write to search", machine, parameters(), List.of(
                new ReportTable(TargetSummary.MERGES, List.of("merges"), List.of("merge s",
                        "p50 idle ms", "p50 merge ms", "p99 idle ms", "p99 merge ms", "p99 writes ms", "p99 both ms",
                        "p99.9 idle ms", "p99.9 merge ms", "p99.9 writes ms", "p99.9 both ms", TargetSummary.MERGE_RATIO,
                        "p99 both/writes"), merges),
                new ReportTable("Searches at a fixed rate", labels, List.of("searches", "p50 ms", "p99 ms", "p99.9 ms",
                        "longest ms", "server CPU us/op"), latency),
                new ReportTable("Writes, each on disk when it is acknowledged", labels, List.of("writes", "acknowledged p50 ms",
                        "acknowledged p99 ms", "then seen p50 ms", "then seen p99 ms", "most searches until seen"), visible),
                new ReportTable("In the background", List.of("merges", "what"), List.of("times", "mean ms", "longest ms"),
                        background)),
                plots, List.of("Open loop: a search counts from when it was due. Seen: from the acknowledgement to the end of the"
                        + " first search on another connection that finds the write. CPU: of all the server does, for each search"
                        + " and write and search for it. Idle: searches only; merge: searches and a full"
                        + " merge; writes: searches and writes; both: searches, writes and a full merge."));
    }

    private Map<String, String> parameters() {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("entries", Long.toString(entries));
        parameters.put("searches/s", Double.toString(searchRate));
        parameters.put("writes/s", Double.toString(writeRate));
        parameters.put("seconds", seconds + " each phase");
        parameters.put("seed", Long.toString(options().seed()));
        return parameters;
    }

    private static ReportRow mergeRow(NearRealTimeRun run) {
        Span span = run.phase(Phase.MERGE);
        Latencies idle = run.latencies(run.phase(Phase.IDLE));
        Latencies writes = run.latencies(run.phase(Phase.WRITES));
        Latencies merge = run.latencies(span);
        Latencies both = run.latencies(run.phase(Phase.WRITES_AND_MERGE));
        return ReportRow.of(run.name(), TARGET, (span.toNanos() - span.fromNanos()) / 1e9,
                idle.percentileMillis(0.5), merge.percentileMillis(0.5),
                idle.percentileMillis(0.99), merge.percentileMillis(0.99), writes.percentileMillis(0.99),
                both.percentileMillis(0.99),
                idle.percentileMillis(0.999), merge.percentileMillis(0.999), writes.percentileMillis(0.999),
                both.percentileMillis(0.999),
                merge.percentileMillis(0.99) / idle.percentileMillis(0.99),
                both.percentileMillis(0.99) / writes.percentileMillis(0.99));
    }

    private static ReportRow latencyRow(NearRealTimeRun run, Span span) {
        Latencies times = run.latencies(span);
        long operations = times.count() + run.writes(span).stream().mapToLong(write -> 1 + write.searches()).sum();
        return new ReportRow(List.of(run.name(), span.phase().text()), ReportRow.boxed(times.count(), times.percentileMillis(0.5),
                times.percentileMillis(0.99), times.percentileMillis(0.999), times.percentileMillis(1),
                span.serverSeconds() * 1e6 / operations), "");
    }

    private static ReportRow visibleRow(NearRealTimeRun run, Span span) {
        Latencies acknowledged = new Latencies();
        Latencies seen = new Latencies();
        int most = 0;
        for (Write write : run.writes(span)) {
            acknowledged.add(write.acknowledgedNanos() - write.sentNanos());
            seen.add(write.seenNanos() - write.acknowledgedNanos());
            most = Math.max(most, write.searches());
        }
        return new ReportRow(List.of(run.name(), span.phase().text()), ReportRow.boxed(seen.count(),
                acknowledged.percentileMillis(0.5), acknowledged.percentileMillis(0.99), seen.percentileMillis(0.5),
                seen.percentileMillis(0.99), most), PUBLISHED);
    }

    private static List<ReportRow> backgroundRows(NearRealTimeRun run) {
        List<ReportRow> rows = new ArrayList<>();
        for (Phase phase : List.of(Phase.FLUSHES, Phase.WRITES_AND_MERGE, Phase.MERGE)) {
            double[] millis = run.background().stream().filter(span -> span.phase() == phase)
                    .mapToDouble(span -> (span.toNanos() - span.fromNanos()) / 1e6).toArray();
            double sum = 0;
            double most = 0;
            for (double time : millis) {
                sum += time;
                most = Math.max(most, time);
            }
            rows.add(new ReportRow(List.of(run.name(), phase == Phase.FLUSHES ? "flush" : phase == Phase.MERGE ? "full merge"
                    : "full merge beside writes"),
                    ReportRow.boxed(millis.length, sum / millis.length, most), ""));
        }
        return rows;
    }

    private TimePlot plot(NearRealTimeRun run) {
        long start = run.phase(Phase.IDLE).fromNanos();
        double length = (run.phase(Phase.IDLE_AGAIN).toNanos() - start) / 1e9;
        TimePlot plot = new TimePlot("Search latency in each " + BUCKET_MILLIS + " ms, " + searchRate + " searches/s, merges "
                + run.name(), length);
        for (Phase phase : List.of(Phase.WRITES, Phase.FLUSHES, Phase.WRITES_AND_MERGE)) {
            shade(plot, "writes", "#aed6f1", run.phase(phase), start);
        }
        for (Span span : run.background()) {
            boolean merge = span.phase() != Phase.FLUSHES;
            shade(plot, merge ? "full merge" : "flush", merge ? "#e74c3c" : "#d68910", span, start);
        }
        Map<Long, Latencies> buckets = new TreeMap<>();
        for (PacedLoad.Sample sample : run.searches()) {
            if (sample.dueNanos() >= start) {
                buckets.computeIfAbsent((sample.dueNanos() - start) / (BUCKET_MILLIS * 1_000_000L), bucket -> new Latencies())
                        .add(sample.nanos());
            }
        }
        plot.line("longest", "#c0392b", percentiles(buckets, 1));
        plot.line("p90", "#d68910", percentiles(buckets, 0.9));
        plot.line("p50", "#1e8449", percentiles(buckets, 0.5));
        return plot;
    }

    private static void shade(TimePlot plot, String name, String color, Span span, long start) {
        plot.span(name, color, (span.fromNanos() - start) / 1e9, (span.toNanos() - start) / 1e9);
    }

    private static List<double[]> percentiles(Map<Long, Latencies> buckets, double share) {
        List<double[]> points = new ArrayList<>();
        buckets.forEach((bucket, times) -> points
                .add(new double[] {(bucket + 0.5) * BUCKET_MILLIS / 1000, times.percentileMillis(share)}));
        return points;
    }
}
