package org.alder.perf;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.alder.ldif.LdifGenerator;
import org.alder.partition.error.DirectoryException;
import org.alder.perf.process.Machine;
import org.alder.perf.report.HtmlReport;
import org.alder.perf.report.Report;
import org.alder.server.cli.CommandException;
import org.alder.server.cli.Verb;
import org.alder.server.config.ConfigurationException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Runs every benchmark, one after the other, and writes one page with all tables and plots. What is done is written after each,
 * so a benchmark that fails costs only those after it.
 */
@Command(name = "all", mixinStandardHelpOptions = true,
        description = "Run all benchmarks and write one report: DIR/report.html, DIR/report.json, and each one's own files.")
final class AllVerb implements Verb {
    @Option(names = "--entries", paramLabel = "N", description = "Number of users. Default: ${DEFAULT-VALUE}.")
    private long entries = 100_000;

    @Option(names = "--seconds", paramLabel = "S",
            description = "Measured time of each line that is measured for a time. Default: ${DEFAULT-VALUE}.")
    private int seconds = 4;

    @Option(names = "--report", paramLabel = "DIR", required = true, description = "Where the report goes.")
    private Path report;

    @Option(names = "--work", paramLabel = "DIR",
            description = "Where data are kept while measuring. Default: a temporary folder.")
    private Path work;

    @Option(names = "--seed", paramLabel = "S", description = "Seed of the data set. Default: ${DEFAULT-VALUE}.")
    private long seed = LdifGenerator.DEFAULT_SEED;

    @Override
    public Integer call() throws IOException, InterruptedException, DirectoryException, ConfigurationException, CommandException {
        Machine machine = Machine.here();
        System.out.println(machine.line() + "\n" + entries + " entries, seed " + seed + "\n");
        List<Report> reports = new ArrayList<>();
        String size = Long.toString(entries);
        String time = Integer.toString(seconds);
        reports.add(run(machine, reports, new SeedTableVerb(), "--sizes", size));
        reports.add(run(machine, reports, new SearchRateVerb(), "--entries", size, "--seconds", time));
        reports.add(run(machine, reports, new AddRateVerb(), "--seconds", time));
        reports.add(run(machine, reports, new KeyLookupVerb(), "--entries", size, "--seconds", time));
        reports.add(run(machine, reports, new NearRealTimeVerb(), "--entries", size, "--seconds", time));
        reports.add(run(machine, reports, new CompressionVerb(), "--entries", size, "--seconds", time));
        reports.add(run(machine, reports, new InlineVerb(), "--entries", size, "--seconds", time));
        write(machine, reports);
        System.out.println("the whole report: " + report.resolve("report.html").toAbsolutePath().normalize());
        return 0;
    }

    private Report run(Machine machine, List<Report> before, BenchmarkVerb verb, String... arguments) throws IOException,
            InterruptedException, DirectoryException, ConfigurationException, CommandException {
        write(machine, before);
        List<String> all = new ArrayList<>(Arrays.asList(arguments));
        all.addAll(List.of("--report", report.toString(), "--seed", Long.toString(seed)));
        if (work != null) {
            all.addAll(List.of("--work", work.toString()));
        }
        new CommandLine(verb).parseArgs(all.toArray(String[]::new));
        Report result = verb.measure(machine);
        verb.options().write(result);
        System.out.println(result.text());
        return result;
    }

    private void write(Machine machine, List<Report> reports) throws IOException {
        HtmlReport page = new HtmlReport(machine, reports);
        PerfOptions.write(report, "report.html", page.html());
        PerfOptions.write(report, "report.json", page.json());
    }
}
