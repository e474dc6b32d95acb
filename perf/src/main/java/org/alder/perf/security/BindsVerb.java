package org.alder.perf.security;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.alder.ldif.LdifGenerator;
import org.alder.perf.bench.BenchmarkVerb;
import org.alder.perf.bench.LoadedData;
import org.alder.perf.bench.SampleSearches;
import org.alder.perf.bench.Side;
import org.alder.perf.bench.WorkFolder;
import org.alder.perf.client.Latencies;
import org.alder.perf.client.LdapConnection;
import org.alder.perf.client.Load;
import org.alder.perf.client.PacedLoad;
import org.alder.perf.process.Machine;
import org.alder.perf.process.ServerProcess;
import org.alder.perf.report.Report;
import org.alder.perf.report.ReportRow;
import org.alder.perf.report.ReportTable;
import org.alder.perf.report.TargetFigure;
import org.alder.server.auth.NewPasswordScheme;
import org.alder.server.auth.PasswordSettings;
import org.alder.server.auth.Passwords;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Simple binds per second with each scheme that new passwords can be stored in, and how long searches take while others bind with
 * the slowest of them: hashes run on threads of their own, and may slow down binds alone.
 */
@Command(name = "binds", mixinStandardHelpOptions = true,
        description = "Binds per second with each password scheme, and the p99 of searches while clients bind with Argon2id.")
public final class BindsVerb extends BenchmarkVerb {
    private static final String P99 = "p99 ms";
    private static final String PASSWORD = "a password for benchmarks";
    private static final int SEARCH_CONNECTIONS = 8;

    @Option(names = "--entries", paramLabel = "N", description = "Number of users that are searched for. Default: ${DEFAULT-VALUE}.")
    private long entries = 20_000;

    @Option(names = "--clients", paramLabel = "N", description = "Clients that bind at a time. Default: ${DEFAULT-VALUE}.")
    private int clients = 8;

    @Option(names = "--searches", paramLabel = "R",
            description = "Searches per second beside the binds, over " + SEARCH_CONNECTIONS + " connections. Default: ${DEFAULT-VALUE}.")
    private double searchesPerSecond = 1000;

    @Option(names = "--seconds", paramLabel = "S",
            description = "Measured time of each line, after half as much warm-up. Default: ${DEFAULT-VALUE}.")
    private double seconds = 5;

    private final List<ReportRow> binds = new ArrayList<>();
    private final List<ReportRow> searches = new ArrayList<>();

    @Override
    public Report measure(Machine machine) throws IOException, InterruptedException {
        binds.clear();
        searches.clear();
        try (WorkFolder work = options().workFolder()) {
            LoadedData data = LoadedData.load(work.path(), new LdifGenerator(options().seed()), entries, List.of());
            try (ServerProcess server = data.serve()) {
                addUsers(server);
                for (NewPasswordScheme scheme : NewPasswordScheme.values()) {
                    System.err.println("measuring binds with " + name(scheme));
                    Load.Outcome outcome = load(server).run(bind(scheme), server::cpuSeconds);
                    binds.add(ReportRow.of(name(scheme), "", outcome.operationsPerSecond(), outcome.serverMicrosPerOperation(),
                            outcome.latencies().percentileMillis(0.5), outcome.latencies().percentileMillis(0.99)));
                }
                searchesBesideBinds(server, new SampleSearches(data.users()));
            }
        }
        return report(machine);
    }

    private static String name(NewPasswordScheme scheme) {
        return scheme == NewPasswordScheme.KEEP ? "clear text" : scheme.braces();
    }

    private static String user(NewPasswordScheme scheme) {
        return "cn=" + scheme.name() + "," + LdifGenerator.SUFFIX;
    }

    /** One for each scheme, with a password that is hashed already, as the administrator may store it. */
    private static void addUsers(ServerProcess server) throws IOException {
        try (LdapConnection admin = LoadedData.ADMINISTRATOR.connect(server.port())) {
            for (NewPasswordScheme scheme : NewPasswordScheme.values()) {
                byte[] stored = new Passwords(PasswordSettings.STANDARD.withScheme(scheme))
                        .hashed(PASSWORD.getBytes(StandardCharsets.UTF_8));
                admin.add(user(scheme), List.of("objectClass", "cn", "sn", "userPassword"), List.of(List.of(bytes("person")),
                        List.of(bytes(scheme.name())), List.of(bytes("x")), List.of(stored))).expect(0);
            }
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static Load.Request bind(NewPasswordScheme scheme) {
        String user = user(scheme);
        return (connection, random) -> connection.bind(user, PASSWORD).expect(0);
    }

    private Load load(ServerProcess server) {
        return new Load(server.port(), clients, Side.nanos(seconds / 2), Side.nanos(seconds), options().seed());
    }

    private void searchesBesideBinds(ServerProcess server, SampleSearches samples) throws IOException, InterruptedException {
        System.err.println("measuring searches beside binds");
        addSearches("no binds", searches(server, samples, () -> Thread.sleep((long) (1500 * seconds))));
        addSearches(clients + " clients bind with " + name(NewPasswordScheme.ARGON2ID), searches(server, samples,
                () -> load(server).run(bind(NewPasswordScheme.ARGON2ID), server::cpuSeconds)));
    }

    /** What goes on beside the searches, for half as much warm-up and the measured time. */
    @FunctionalInterface
    private interface Beside {
        void run() throws IOException, InterruptedException;
    }

    /** What was measured of the searches. */
    private record Searched(Latencies latencies, double seconds) {
    }

    private Searched searches(ServerProcess server, SampleSearches samples, Beside beside) throws IOException, InterruptedException {
        List<LdapConnection> opened = new ArrayList<>();
        try {
            for (int i = 0; i < SEARCH_CONNECTIONS; i++) {
                opened.add(new LdapConnection("127.0.0.1", server.port()));
            }
            long measured = System.nanoTime() + Side.nanos(seconds / 2);
            PacedLoad searching = PacedLoad.start(opened, searchesPerSecond, options().seed(), samples::byUid);
            List<PacedLoad.Sample> found;
            try {
                beside.run();
            } finally {
                found = searching.stop();
            }
            double measuredSeconds = (System.nanoTime() - measured) / 1e9;
            Latencies latencies = new Latencies();
            found.stream().filter(sample -> sample.dueNanos() - measured >= 0).forEach(sample -> latencies.add(sample.nanos()));
            return new Searched(latencies, measuredSeconds);
        } finally {
            for (LdapConnection connection : opened) {
                connection.close();
            }
        }
    }

    private void addSearches(String beside, Searched searched) {
        Latencies latencies = searched.latencies();
        searches.add(ReportRow.of(beside, "", latencies.count() / searched.seconds(), latencies.percentileMillis(0.5),
                latencies.percentileMillis(0.99), latencies.percentileMillis(0.999)));
    }

    private Report report(Machine machine) {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("entries", Long.toString(entries));
        parameters.put("clients", Integer.toString(clients));
        parameters.put("searches/s", Double.toString(searchesPerSecond));
        parameters.put("seconds", Double.toString(seconds));
        parameters.put("seed", Long.toString(options().seed()));
        ReportTable bindTable = new ReportTable("Simple binds", List.of("stored password"),
                List.of("binds/s", "server CPU us/bind", "p50 ms", P99), binds);
        ReportTable searchTable = new ReportTable("Searches by uid beside binds", List.of("beside them"),
                List.of("searches/s", "p50 ms", P99, "p99.9 ms"), searches);
        double ratio = searches.get(1).figures().get(2) / searches.get(0).figures().get(2);
        return new Report("binds", "Binds, and searches beside them", machine, parameters, List.of(bindTable, searchTable,
                TargetFigure.table("Against the target", "OpenLDAP", List.of(TargetFigure.BINDS_P99.row(Double.NaN, ratio)))),
                Map.of(), List.of("Schemes have the cost that new passwords have by default. Searches come at a fixed rate, and one that had to wait"
                        + " for the one before it counts from when it was due."));
    }
}
