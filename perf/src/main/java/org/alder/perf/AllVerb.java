package org.alder.perf;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.alder.ldif.LdifGenerator;
import org.alder.partition.error.DirectoryException;
import org.alder.perf.bench.BenchmarkVerb;
import org.alder.perf.bench.PerfOptions;
import org.alder.perf.bystander.BystanderVerb;
import org.alder.perf.engine.BulkLoadVerb;
import org.alder.perf.engine.CompressionVerb;
import org.alder.perf.engine.InlineVerb;
import org.alder.perf.engine.KeyLookupVerb;
import org.alder.perf.engine.UpdateTableVerb;
import org.alder.perf.process.Machine;
import org.alder.perf.report.HtmlReport;
import org.alder.perf.report.Report;
import org.alder.perf.report.TargetSummary;
import org.alder.perf.security.AccessVerb;
import org.alder.perf.security.BindsVerb;
import org.alder.perf.security.TlsVerb;
import org.alder.perf.server.AddRateVerb;
import org.alder.perf.server.IndexBuildVerb;
import org.alder.perf.server.ManyConnectionsVerb;
import org.alder.perf.server.ModifyRateVerb;
import org.alder.perf.server.NearRealTimeVerb;
import org.alder.perf.server.OpenLdapVerb;
import org.alder.perf.server.SearchRateVerb;
import org.alder.perf.server.SearchTimesVerb;
import org.alder.server.cli.option.Verb;
import org.alder.server.cli.option.CommandException;
import org.alder.server.cli.option.WrongCallException;
import org.alder.server.config.ConfigurationException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Runs every benchmark, one after the other, and writes one page: the targets first, then all tables and plots. What is done is
 * written after each; a benchmark that fails is named on the page, and the others go on.
 */
@Command(name = "all", mixinStandardHelpOptions = true,
        description = "Run all benchmarks and write one report: DIR/report.html, DIR/report.json, and each one's own files. Exit"
                + " status 1 if one of them failed.")
final class AllVerb implements Verb {
    private static final double HUNDRED_THOUSAND = 100_000;
    private static final long SMALL_LOAD = 200_000;

    @Option(names = "--entries", paramLabel = "N", description = "Number of users. Default: ${DEFAULT-VALUE}.")
    private long entries = 200_000;

    @Option(names = "--seconds", paramLabel = "S",
            description = "Measured time of each line that is measured for a time. Default: ${DEFAULT-VALUE}.")
    private int seconds = 3;

    @Option(names = "--report", paramLabel = "DIR", required = true, description = "Where the report goes.")
    private Path report;

    @Option(names = "--work", paramLabel = "DIR",
            description = "Where data are kept while measuring. Default: a temporary folder.")
    private Path work;

    @Option(names = "--seed", paramLabel = "S", description = "Seed of the data set. Default: ${DEFAULT-VALUE}.")
    private long seed = LdifGenerator.DEFAULT_SEED;

    @Option(names = "--drop-page-cache", description = "Also measure with a cold disk, as the benchmarks' own option says.")
    private boolean dropPageCache;

    @Option(names = "--only", paramLabel = "NAME", split = ",", description = "Run these benchmarks alone.")
    private List<String> only = List.of();

    /**
     * One of the benchmarks.
     *
     * @param timedLines how many lines are measured for a time, warm-up included: for the time that is left
     * @param secondsPerHundredThousand what loads and the like take about for 100,000 entries
     */
    private record Benchmark(String name, BenchmarkVerb verb, double timedLines, double secondsPerHundredThousand,
            List<String> arguments) {
    }

    private final List<Report> reports = new ArrayList<>();
    private volatile Benchmark running;
    private volatile int done;
    private final List<String> failures = new ArrayList<>();

    @Override
    public Integer call() throws IOException, InterruptedException, CommandException {
        Machine machine = Machine.here();
        System.out.println(machine.line() + "\n" + entries + " entries, seed " + seed + "\n");
        List<Benchmark> chosen = chosen();
        double estimate = chosen.stream().mapToDouble(this::estimatedSeconds).sum();
        double left = estimate;
        long start = System.nanoTime();
        for (int i = 0; i < chosen.size(); i++) {
            Benchmark benchmark = chosen.get(i);
            double elapsed = (System.nanoTime() - start) / 1e9;
            double pace = i == 0 ? 1 : elapsed / (estimate - left);
            System.err.printf(Locale.ROOT, "benchmark %d of %d: %s; %.0f s so far, about %.0f s left%n", i + 1, chosen.size(),
                    benchmark.name, elapsed, left * pace);
            running = benchmark;
            run(machine, benchmark);
            write(machine);
            done = i + 1;
            left -= estimatedSeconds(benchmark);
        }
        System.out.print(TargetSummary.report(machine, entries, reports, failures).text());
        System.out.println("the whole report: " + report.resolve("report.html").toAbsolutePath().normalize());
        return failures.isEmpty() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    @Override
    public String whenInterrupted() {
        Benchmark benchmark = running;
        if (benchmark == null) {
            return "stopped before the first benchmark";
        }
        int whole = done;
        return "stopped in the benchmark " + benchmark.name + ", of which nothing is kept; "
                + (whole == 0 ? "no other was done" : whole + " were done: " + report.resolve("report.html").toAbsolutePath().normalize() + " has them")
                + benchmark.verb.options().abandon();
    }

    private List<Benchmark> chosen() throws CommandException {
        List<Benchmark> all = benchmarks();
        List<String> names = all.stream().map(Benchmark::name).toList();
        for (String name : only) {
            if (!names.contains(name)) {
                throw new WrongCallException("--only " + name + ": expected some of " + String.join(", ", names));
            }
        }
        return all.stream().filter(benchmark -> only.isEmpty() || only.contains(benchmark.name)).toList();
    }

    private List<Benchmark> benchmarks() {
        String size = Long.toString(entries);
        String time = Integer.toString(seconds);
        List<String> sized = List.of("--entries", size, "--seconds", time);
        List<String> loads = List.of("--sizes", Math.max(1, Math.min(SMALL_LOAD, entries / 2)) + "," + size);
        return List.of(
                new Benchmark("openldap", new OpenLdapVerb(), 60, 16, sized),
                new Benchmark("search-times", new SearchTimesVerb(), 0, 20, List.of("--sizes", size)),
                new Benchmark("search-rate", new SearchRateVerb(), 14, 6, sized),
                new Benchmark("add-rate", new AddRateVerb(), 8, 0, List.of("--seconds", time)),
                new Benchmark("modify-rate", new ModifyRateVerb(), 6, 6, sized),
                new Benchmark("key-lookup", new KeyLookupVerb(), 15, 8, sized),
                new Benchmark("near-real-time", new NearRealTimeVerb(), 14, 12, sized),
                new Benchmark("index", new IndexBuildVerb(), 4, 16, sized),
                new Benchmark("compression", new CompressionVerb(), 10, 30, sized),
                new Benchmark("inline", new InlineVerb(), 15, 10, sized),
                new Benchmark("update-table", new UpdateTableVerb(), 35, 0, List.of("--seconds", time, "--rates", "10,1000",
                        "--flush-intervals", "1,5", "--sizes", "1000,100000,1000000")),
                new Benchmark("tls", new TlsVerb(), 32, 8, sized),
                new Benchmark("binds", new BindsVerb(), 16, 0, List.of("--seconds", time)),
                new Benchmark("access", new AccessVerb(), 18, 6, sized),
                new Benchmark("connections", new ManyConnectionsVerb(), 10, 8, sized),
                new Benchmark("bystander", new BystanderVerb(), 34, 6, sized),
                new Benchmark("bulk-load", new BulkLoadVerb(), 0, 9, loads));
    }

    private double estimatedSeconds(Benchmark benchmark) {
        return benchmark.timedLines * seconds + benchmark.secondsPerHundredThousand * entries / HUNDRED_THOUSAND;
    }

    /** Whatever one benchmark throws is its failure alone, but for an interrupt and what no program survives. */
    private void run(Machine machine, Benchmark benchmark) throws InterruptedException {
        List<String> arguments = new ArrayList<>(benchmark.arguments);
        arguments.addAll(List.of("--report", report.toString(), "--seed", Long.toString(seed)));
        if (work != null) {
            arguments.addAll(List.of("--work", work.toString()));
        }
        if (dropPageCache) {
            arguments.add("--drop-page-cache");
        }
        try {
            new CommandLine(benchmark.verb).parseArgs(arguments.toArray(String[]::new));
            Report result = benchmark.verb.measure(machine);
            benchmark.verb.options().write(result);
            reports.add(result);
            System.out.println(result.text());
        } catch (IOException | DirectoryException | ConfigurationException | CommandException | RuntimeException e) {
            failures.add(benchmark.name + " failed: " + (e.getMessage() == null ? e.toString() : e.getMessage()));
            e.printStackTrace();
        }
    }

    private void write(Machine machine) throws IOException {
        List<Report> pages = new ArrayList<>();
        pages.add(TargetSummary.report(machine, entries, reports, failures));
        pages.addAll(reports);
        HtmlReport page = new HtmlReport(machine, pages);
        PerfOptions.write(report, "report.html", page.html());
        PerfOptions.write(report, "report.json", page.json());
    }
}
