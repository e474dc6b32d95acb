package org.alder.perf.server;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.alder.ldif.LdifGenerator;
import org.alder.perf.bench.BenchmarkVerb;
import org.alder.perf.bench.LoadedData;
import org.alder.perf.bench.SampleSearches;
import org.alder.perf.bench.Side;
import org.alder.perf.bench.WorkFolder;
import org.alder.perf.client.LdapConnection;
import org.alder.perf.client.Load;
import org.alder.perf.process.Machine;
import org.alder.perf.process.ProcessRun;
import org.alder.perf.process.ServerProcess;
import org.alder.perf.report.Report;
import org.alder.perf.report.ReportRow;
import org.alder.perf.report.ReportTable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * What one waits for: a command that only prints, a server on a folder that is there, and its first searches, beside the same searches of
 * the same server when it is warm. {@code ALDER_SET_warmUpSeconds=0} shows what the warm-up of a start saves and costs. Medians of several starts; servers are started as this process was, with what {@code prepare} has kept.
 */
@Command(name = "start", mixinStandardHelpOptions = true,
        description = "Times of --version, from the start of a server to its listening, and of its first 1,000 searches beside warm ones.")
public final class StartTimesVerb extends BenchmarkVerb {
    private static final int SEARCHES = 1000;
    /** A thousand warm ones take as long as a few ticks of the clock by which the system tells CPU time. */
    private static final int WARM_ROUNDS = 10;
    private static final String WARM_UP = "ALDER_SET_warmUpSeconds";

    @Option(names = "--entries", paramLabel = "N", description = "Number of users. Default: ${DEFAULT-VALUE}.")
    private long entries = 200_000;

    @Option(names = "--rounds", paramLabel = "N", description = "Starts, of which the median counts. Default: ${DEFAULT-VALUE}.")
    private int rounds = 5;

    @Option(names = "--warm-up", paramLabel = "S",
            description = "Seconds of searches over four connections between the first and the warm ones. Default: ${DEFAULT-VALUE}.")
    private double warmUpSeconds = 10;

    /** Of one start, in seconds; the CPU time is the server's. */
    private record Round(double version, double listening, double first, double firstCpu, double warm, double warmCpu) {
    }

    @Override
    public Report measure(Machine machine) throws IOException, InterruptedException {
        Round[] all = new Round[rounds];
        boolean dropped = true;
        try (WorkFolder work = options().workFolder()) {
            LoadedData data = LoadedData.load(work.path(), new LdifGenerator(options().seed()), entries, List.of());
            for (int i = 0; i < rounds; i++) {
                System.err.println("start " + (i + 1) + " of " + rounds);
                dropped &= options().dropPageCache();
                all[i] = round(data, i);
            }
        }
        return report(machine, all, dropped);
    }

    private Round round(LoadedData data, int number) throws IOException, InterruptedException {
        double version = version();
        long begin = System.nanoTime();
        try (ServerProcess server = data.serve(); LdapConnection client = new LdapConnection("127.0.0.1", server.port())) {
            double listening = (System.nanoTime() - begin) / 1e9;
            SampleSearches searches = new SampleSearches(data.users());
            double[] first = searches(server, client, searches, SEARCHES, options().seed() + number);
            new Load(server.port(), 4, 0, Side.nanos(warmUpSeconds), options().seed()).run(searches::byUid, server::cpuSeconds);
            double[] warm = searches(server, client, searches, WARM_ROUNDS * SEARCHES, options().seed() + rounds + number);
            return new Round(version, listening, first[0], first[1], warm[0] / WARM_ROUNDS, warm[1] / WARM_ROUNDS);
        }
    }

    /** By the launcher, as it is called by hand, with this process's Java. */
    private static double version() throws IOException, InterruptedException {
        Path launcher = Path.of(System.getProperty("alder.home", "."), "bin", "alder");
        ProcessBuilder command = new ProcessBuilder(launcher.toString(), "--version").redirectOutput(ProcessBuilder.Redirect.DISCARD);
        command.environment().put("JAVA_HOME", System.getProperty("java.home"));
        return ProcessRun.of("alder --version", command).wallSeconds();
    }

    /** @return seconds, and those of the server's CPU */
    private static double[] searches(ServerProcess server, LdapConnection client, SampleSearches searches, int count, long seed)
            throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        double cpu = server.cpuSeconds();
        long begin = System.nanoTime();
        for (int i = 0; i < count; i++) {
            searches.byUid(client, random);
        }
        double wall = (System.nanoTime() - begin) / 1e9;
        return new double[] {wall, server.cpuSeconds() - cpu};
    }

    private Report report(Machine machine, Round[] all, boolean dropped) {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("entries", Long.toString(entries));
        parameters.put("starts", Integer.toString(rounds));
        parameters.put("page cache", dropped ? "dropped before each start" : "as it was");
        parameters.put("warm-up", System.getenv(WARM_UP) == null ? "as it is by default" : System.getenv(WARM_UP) + " s at most");
        parameters.put("classes", System.getProperty("java.vm.info", "unknown"));
        double first = median(all, Round::first);
        double warm = median(all, Round::warm);
        ReportTable times = new ReportTable("Until it answers", List.of("what"), List.of("seconds"), "target", List.of(
                ReportRow.of("alder --version", "0.3", median(all, Round::version)),
                ReportRow.of("from the start to listening", "", median(all, Round::listening))));
        ReportTable searches = new ReportTable("(uid=user.i), 1,000 searches over one connection", List.of("server"),
                List.of("ms", "server CPU ms"), "target", List.of(
                        ReportRow.of("just started", "", first * 1e3, median(all, Round::firstCpu) * 1e3),
                        ReportRow.of("after " + warmUpSeconds + " s of searches", "", warm * 1e3, median(all, Round::warmCpu) * 1e3),
                        ReportRow.of("ratio", "2", first / warm, median(all, Round::firstCpu) / median(all, Round::warmCpu))));
        return new Report("start", "Start", machine, parameters, List.of(times, searches), Map.of(), List.of());
    }

    @FunctionalInterface
    private interface Figure {
        double of(Round round);
    }

    private static double median(Round[] all, Figure figure) {
        double[] sorted = Arrays.stream(all).mapToDouble(figure::of).sorted().toArray();
        return sorted[sorted.length / 2];
    }
}
