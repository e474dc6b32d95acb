package org.alder.perf;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.alder.ldif.LdifGenerator;
import org.alder.partition.error.DirectoryException;
import org.alder.perf.client.LdapConnection;
import org.alder.perf.client.Latencies;
import org.alder.perf.client.Load;
import org.alder.perf.client.PacedLoad;
import org.alder.perf.client.SearchFilter;
import org.alder.perf.process.Machine;
import org.alder.perf.process.ServerProcess;
import org.alder.perf.report.Report;
import org.alder.perf.report.ReportRow;
import org.alder.perf.report.ReportTable;
import org.alder.perf.report.TimePlot;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * How soon an acknowledged write is seen by a search of another connection, and what writes, flushes and a full merge do to the
 * latency of searches at a fixed rate. Five phases after one another: idle, writes, writes with a flush every second, writes with
 * a full merge, idle again. A write sets the mail address of a user to one nobody has had; then another connection searches for
 * it until it is found.
 */
@Command(name = "near-real-time", mixinStandardHelpOptions = true,
        description = "Time from acknowledged write to visible, and search latency during flushes and a full merge (seed 002).")
final class NearRealTimeVerb extends BenchmarkVerb {
    private static final int SEARCH_CONNECTIONS = 4;
    private static final int BUCKET_MILLIS = 100;
    private static final String SEED = "seed 002 (Lucene): a reopen takes 57 ms mean; 70 ms in a full merge limited to 10 MB/s";

    @Option(names = "--entries", paramLabel = "N", description = "Number of users. Default: ${DEFAULT-VALUE}.")
    private long entries = 200_000;

    @Option(names = "--search-rate", paramLabel = "R", description = "Searches by uid per second. Default: ${DEFAULT-VALUE}.")
    private double searchRate = 500;

    @Option(names = "--write-rate", paramLabel = "R", description = "Modifies per second. Default: ${DEFAULT-VALUE}.")
    private double writeRate = 100;

    @Option(names = "--seconds", paramLabel = "S",
            description = "Length of each phase; the merge's ends with the merge, but not earlier. Default: ${DEFAULT-VALUE}.")
    private int seconds = 10;

    private enum Phase { WARM_UP, IDLE, WRITES, FLUSHES, MERGE, IDLE_AGAIN }

    /** A part of the run, as {@link System#nanoTime} says. */
    private record Span(Phase phase, long fromNanos, long toNanos, double serverSeconds) {
        boolean has(long nanos) {
            return nanos >= fromNanos && nanos < toNanos;
        }
    }

    /** One write: when it was sent, when it was acknowledged, when a search had found it, and after how many searches. */
    private record Write(long sentNanos, long acknowledgedNanos, long seenNanos, int searches) {
    }

    private final List<Span> phases = new ArrayList<>();
    private final List<Span> background = new ArrayList<>();
    private final List<Write> writes = new ArrayList<>();
    private List<PacedLoad.Sample> searches = List.of();

    @Override
    Report measure(Machine machine) throws IOException, InterruptedException, DirectoryException {
        phases.clear();
        background.clear();
        writes.clear();
        try (WorkFolder work = options().workFolder()) {
            LoadedData data = LoadedData.load(work.path(), new LdifGenerator(options().seed()), entries, List.of());
            List<LdapConnection> connections = new ArrayList<>();
            try (ServerProcess server = data.serveWithCommands()) {
                for (int i = 0; i < SEARCH_CONNECTIONS; i++) {
                    connections.add(new LdapConnection("127.0.0.1", server.port()));
                }
                run(server, connections);
            } finally {
                for (LdapConnection connection : connections) {
                    connection.close();
                }
            }
        }
        return report(machine);
    }

    private void run(ServerProcess server, List<LdapConnection> connections) throws IOException, InterruptedException {
        PacedLoad searching = PacedLoad.start(connections, searchRate, options().seed(), this::search);
        try {
            phase(server, Phase.WARM_UP, this::pause);
            phase(server, Phase.IDLE, this::pause);
            try (LdapConnection writer = LoadedData.ADMINISTRATOR.connect(server.port());
                    LdapConnection reader = new LdapConnection("127.0.0.1", server.port())) {
                PacedLoad writing = PacedLoad.start(List.of(writer), writeRate, options().seed(), writeAndSee(reader));
                try {
                    phase(server, Phase.WRITES, this::pause);
                    phase(server, Phase.FLUSHES, () -> flushEverySecond(server));
                    phase(server, Phase.MERGE, () -> command(server, Phase.MERGE, ServeVerb.COMPACT));
                } finally {
                    writing.stop();
                }
            }
            phase(server, Phase.IDLE_AGAIN, this::pause);
        } finally {
            searches = searching.stop();
        }
    }

    private LdapConnection.Result search(LdapConnection connection, SplittableRandom random) throws IOException {
        SearchFilter filter = SearchFilter.equal("uid", "user." + (1 + random.nextLong(entries)));
        LdapConnection.Result result = connection.search(LdifGenerator.SUFFIX, filter, 0).expect(0);
        if (result.entries() != 1) {
            throw new IOException("a search by uid returned " + result.entries() + " entries, expected 1");
        }
        return result;
    }

    /** Runs on one thread, which alone writes {@link #writes} until it has ended. */
    private Load.Request writeAndSee(LdapConnection reader) {
        return (writer, random) -> {
            String mail = "probe." + writes.size() + "@example.com";
            String dn = "uid=user." + (1 + random.nextLong(entries)) + ",ou=users," + LdifGenerator.SUFFIX;
            long sent = System.nanoTime();
            LdapConnection.Result result = writer.replace(dn, "mail", mail).expect(0);
            long acknowledged = System.nanoTime();
            int tries = 0;
            do {
                tries++;
            } while (reader.search(LdifGenerator.SUFFIX, SearchFilter.equal("mail", mail), 0, "1.1").expect(0).entries() == 0);
            writes.add(new Write(sent, acknowledged, System.nanoTime(), tries));
            return result;
        };
    }

    /** What goes on during a phase; the phase ends with it. */
    @FunctionalInterface
    private interface Action {
        void run() throws IOException, InterruptedException;
    }

    private void phase(ServerProcess server, Phase phase, Action action) throws IOException, InterruptedException {
        System.err.println("phase: " + name(phase));
        double cpu = server.cpuSeconds();
        long start = System.nanoTime();
        action.run();
        phases.add(new Span(phase, start, System.nanoTime(), server.cpuSeconds() - cpu));
    }

    private void pause() throws InterruptedException {
        TimeUnit.SECONDS.sleep(seconds);
    }

    private void flushEverySecond(ServerProcess server) throws IOException, InterruptedException {
        long start = System.nanoTime();
        for (int i = 1; i <= seconds; i++) {
            command(server, Phase.FLUSHES, ServeVerb.FLUSH);
            TimeUnit.NANOSECONDS.sleep(start + i * 1_000_000_000L - System.nanoTime());
        }
    }

    private void command(ServerProcess server, Phase phase, String command) throws IOException {
        long start = System.nanoTime();
        server.command(command);
        background.add(new Span(phase, start, System.nanoTime(), Double.NaN));
    }

    private static String name(Phase phase) {
        return switch (phase) {
            case WARM_UP -> "warm-up";
            case IDLE -> "searches only";
            case WRITES -> "with writes";
            case FLUSHES -> "with writes and a flush every second";
            case MERGE -> "with writes and a full merge";
            case IDLE_AGAIN -> "searches only, again";
        };
    }

    private Report report(Machine machine) {
        List<ReportRow> latency = new ArrayList<>();
        List<ReportRow> visible = new ArrayList<>();
        for (Span span : phases) {
            if (span.phase != Phase.WARM_UP) {
                latency.add(latencyRow(span));
            }
            if (writes.stream().anyMatch(write -> span.has(write.sentNanos))) {
                visible.add(visibleRow(span));
            }
        }
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("entries", Long.toString(entries));
        parameters.put("searches/s", Double.toString(searchRate));
        parameters.put("writes/s", Double.toString(writeRate));
        parameters.put("seconds", seconds + " each phase");
        parameters.put("seed", Long.toString(options().seed()));
        return new Report("near-real-time", "Near real time: from write to search", machine, parameters, List.of(
                new ReportTable("Searches at a fixed rate", List.of("phase"), List.of("searches", "p50 ms", "p99 ms", "p99.9 ms",
                        "longest ms", "server CPU us/op"), latency),
                new ReportTable("Writes, each on disk when it is acknowledged", List.of("phase"), List.of("writes",
                "acknowledged p50 ms",
                        "acknowledged p99 ms", "then seen p50 ms", "then seen p99 ms", "most searches until seen"), visible),
                new ReportTable("In the background", List.of("what"), List.of("times", "mean ms", "longest ms"),
                backgroundRows())),
                Map.of("near-real-time", plot().svg()), List.of("Open loop: a search counts from when it was due. Seen: from the"
                        + " acknowledgement to the end of the first search on another connection that finds the write."
                        + " CPU: of all the server does, for each search and write and search for it."));
    }

    private ReportRow latencyRow(Span span) {
        Latencies times = new Latencies();
        searches.stream().filter(sample -> span.has(sample.dueNanos())).forEach(sample -> times.add(sample.nanos()));
        long operations = times.count();
        operations += writes.stream().filter(write -> span.has(write.sentNanos)).mapToLong(write -> 1 + write.searches).sum();
        return ReportRow.of(name(span.phase), "", times.count(), times.percentileMillis(0.5), times.percentileMillis(0.99),
                times.percentileMillis(0.999), times.percentileMillis(1), span.serverSeconds * 1e6 / operations);
    }

    private ReportRow visibleRow(Span span) {
        Latencies acknowledged = new Latencies();
        Latencies seen = new Latencies();
        int most = 0;
        for (Write write : writes) {
            if (span.has(write.sentNanos)) {
                acknowledged.add(write.acknowledgedNanos - write.sentNanos);
                seen.add(write.seenNanos - write.acknowledgedNanos);
                most = Math.max(most, write.searches);
            }
        }
        return ReportRow.of(name(span.phase), SEED, seen.count(), acknowledged.percentileMillis(0.5),
                acknowledged.percentileMillis(0.99),
                seen.percentileMillis(0.5), seen.percentileMillis(0.99), most);
    }

    private List<ReportRow> backgroundRows() {
        List<ReportRow> rows = new ArrayList<>();
        for (Phase phase : List.of(Phase.FLUSHES, Phase.MERGE)) {
            double[] millis = background.stream().filter(span -> span.phase == phase)
                    .mapToDouble(span -> (span.toNanos - span.fromNanos) / 1e6).toArray();
            double sum = 0;
            double most = 0;
            for (double time : millis) {
                sum += time;
                most = Math.max(most, time);
            }
            rows.add(ReportRow.of(phase == Phase.MERGE ? "full merge" : "flush", "", millis.length, sum / millis.length, most));
        }
        return rows;
    }

    private TimePlot plot() {
        long start = phases.get(1).fromNanos;
        double length = (phases.get(phases.size() - 1).toNanos - start) / 1e9;
        TimePlot plot = new TimePlot("Search latency in each " + BUCKET_MILLIS + " ms, " + searchRate + " searches/s", length);
        for (Span span : phases) {
            if (span.phase == Phase.WRITES || span.phase == Phase.FLUSHES || span.phase == Phase.MERGE) {
                plot.span("writes", "#aed6f1", (span.fromNanos - start) / 1e9, (span.toNanos - start) / 1e9);
            }
        }
        for (Span span : background) {
            boolean merge = span.phase == Phase.MERGE;
            plot.span(merge ? "full merge" : "flush", merge ? "#e74c3c" : "#d68910", (span.fromNanos - start) / 1e9,
                    (span.toNanos - start) / 1e9);
        }
        Map<Long, Latencies> buckets = new TreeMap<>();
        for (PacedLoad.Sample sample : searches) {
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

    private static List<double[]> percentiles(Map<Long, Latencies> buckets, double share) {
        List<double[]> points = new ArrayList<>();
        buckets.forEach((bucket, times) -> points
                .add(new double[] {(bucket + 0.5) * BUCKET_MILLIS / 1000, times.percentileMillis(share)}));
        return points;
    }
}
