package org.alder.perf.security;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.alder.ldif.LdifGenerator;
import org.alder.perf.bench.BenchmarkVerb;
import org.alder.perf.bench.LoadedData;
import org.alder.perf.bench.SampleSearches;
import org.alder.perf.bench.SampleUsers;
import org.alder.perf.bench.Side;
import org.alder.perf.bench.WorkFolder;
import org.alder.perf.client.LdapConnection;
import org.alder.perf.client.Load;
import org.alder.perf.client.SearchFilter;
import org.alder.perf.client.TlsClient;
import org.alder.perf.process.Machine;
import org.alder.perf.process.OpenLdap;
import org.alder.perf.process.Peer;
import org.alder.perf.report.Report;
import org.alder.perf.report.ReportRow;
import org.alder.perf.report.ReportTable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * What TLS 1.3 costs: searches by uid in clear and over TLS, and connections with a handshake of their own, resumed or not, each
 * with one search. Beside OpenLDAP where it is installed, with the same data, key and certificate, in turns, once Java has compiled
 * what a handshake calculates.
 */
@Command(name = "tls", mixinStandardHelpOptions = true,
        description = "Searches over TLS 1.3 against plain, and handshakes with and without resumption, beside OpenLDAP.")
public final class TlsVerb extends BenchmarkVerb {
    private static final Load.Login PEER_ADMINISTRATOR = new Load.Login(OpenLdap.ADMINISTRATOR, Peer.PASSWORD);
    private static final int TURNS = 5;
    /** Of the time that is measured for each figure in all turns. */
    private static final double SHARE_BEFORE_TURN = 0.05;
    /** Before so many nothing is compiled as well as it can be. */
    private static final int LEAST_WARM_UP_HANDSHAKES = 2000;
    private static final int MOST_WARM_UP_ROUNDS = 15;
    /** A round whose handshakes cost no less than so much of the cheapest so far has found nothing new to compile. */
    private static final double STEADY = 0.95;
    private static final String OWN = "Alder";
    private static final String PEER = "OpenLDAP";

    @Option(names = "--entries", paramLabel = "N", description = "Number of users. Default: ${DEFAULT-VALUE}.")
    private long entries = 100_000;

    @Option(names = "--connections", paramLabel = "N",
            description = "Connections that search, and threads that connect, at a time. Default: ${DEFAULT-VALUE}.")
    private int connections = 8;

    @Option(names = "--seconds", paramLabel = "S",
            description = "Measured time of each server for each figure, in " + TURNS + " turns. Default: ${DEFAULT-VALUE}.")
    private double seconds = 5;

    private final Map<String, String> found = new LinkedHashMap<>();
    private OpenLdap installed;
    private SampleSearches samples;
    private TlsClient client;

    /** What is measured, with the names that it has in tables. */
    private enum Kind {
        PLAIN("plain"), TLS("TLS 1.3"), FULL("full"), RESUMED("resumed");

        private final String label;

        Kind(String label) {
            this.label = label;
        }
    }

    /** One turn of one kind with one server. */
    private record Turn(Load.Outcome outcome, double resumedPercent) {
    }

    /** All turns with one server. */
    private static final class Measured {
        private final String name;
        private final Side side;
        private final Map<Kind, List<Turn>> turns = new EnumMap<>(Kind.class);

        Measured(String name, Side side) {
            this.name = name;
            this.side = side;
            for (Kind kind : Kind.values()) {
                turns.put(kind, new ArrayList<>());
            }
        }

        double median(Kind kind, ToDoubleFunction<Turn> figure) {
            double[] figures = turns.get(kind).stream().mapToDouble(figure).sorted().toArray();
            return figures[figures.length / 2];
        }

        double medianOf(Kind kind, ToDoubleFunction<Load.Outcome> figure) {
            return median(kind, turn -> figure.applyAsDouble(turn.outcome));
        }
    }

    @Override
    public Report measure(Machine machine) throws IOException, InterruptedException {
        found.clear();
        installed = OpenLdap.installed().orElse(null);
        try (WorkFolder work = options().workFolder()) {
            Path ldif = work.path().resolve("data.ldif");
            SampleUsers users = SampleUsers.write(new LdifGenerator(options().seed()), entries, ldif);
            LoadedData data = LoadedData.load(work.path(), users, ldif, "data", List.of());
            Path peerFolder = work.path().resolve("openldap");
            if (installed != null) {
                installed.load(peerFolder, ldif, entries);
            }
            Files.delete(ldif);
            try (Side own = Side.start(data::serve, LoadedData.ADMINISTRATOR); Side peer = startPeer(peerFolder, data)) {
                samples = new SampleSearches(users);
                client = TlsClient.trusting(certificate(data));
                List<Measured> servers = new ArrayList<>(List.of(new Measured(OWN, own)));
                if (peer != null) {
                    servers.add(new Measured(PEER, peer));
                }
                found.put("key", client.key());
                for (Measured each : servers) {
                    found.put("TLS of " + each.name, client.terms(each.side.server().tlsPort()));
                }
                measure(servers);
                return report(machine, servers);
            }
        }
    }

    /** The server has made it at its start. */
    private static Path certificate(LoadedData data) {
        return data.folder().resolve("tls.crt");
    }

    private Side startPeer(Path folder, LoadedData data) throws IOException, InterruptedException {
        return installed == null ? null : Side.start(() -> installed.serve(folder, certificate(data).toAbsolutePath(),
                data.folder().resolve("tls.key").toAbsolutePath()), PEER_ADMINISTRATOR);
    }

    private void measure(List<Measured> servers) throws IOException, InterruptedException {
        found.put("warm-up", warmUp(servers));
        for (int turn = 0; turn < TURNS; turn++) {
            System.err.println("measuring, turn " + (turn + 1) + " of " + TURNS);
            for (Kind kind : Kind.values()) {
                for (Measured each : servers) {
                    each.turns.get(kind).add(run(each.side, kind, SHARE_BEFORE_TURN * seconds, seconds / TURNS, turn));
                }
            }
        }
    }

    /**
     * The TLS of Java is Java itself: a handshake costs ten times as much before its calculations are compiled, and that takes
     * thousands of handshakes.
     */
    private String warmUp(List<Measured> servers) throws IOException, InterruptedException {
        double least = Double.POSITIVE_INFINITY;
        long handshakes = 0;
        int steady = 0;
        for (int round = 1; round <= MOST_WARM_UP_ROUNDS; round++) {
            for (Measured each : servers) {
                for (Kind kind : List.of(Kind.PLAIN, Kind.TLS, Kind.RESUMED)) {
                    run(each.side, kind, 0, seconds / 4, -round);
                }
            }
            Load.Outcome full = run(servers.get(0).side, Kind.FULL, 0, seconds, -round).outcome;
            handshakes += full.operations();
            double micros = full.serverMicrosPerOperation();
            System.err.printf(Locale.ROOT, "warming up, round %d: %.0f us of CPU for a full handshake%n", round, micros);
            steady = micros >= STEADY * least ? steady + 1 : 0;
            least = Math.min(least, micros);
            if (handshakes >= LEAST_WARM_UP_HANDSHAKES && steady >= 2) {
                return handshakes + " full handshakes with " + OWN + ", until the last " + (steady + 1) + " rounds of " + seconds
                        + " s cost the same CPU each";
            }
        }
        return handshakes + " full handshakes with " + OWN + ", too few for their cost to stay the same";
    }

    private Turn run(Side side, Kind kind, double warmUp, double time, int turn) throws IOException, InterruptedException {
        long seed = options().seed() + turn;
        client.takeResumedPercent();
        Load.Outcome outcome = switch (kind) {
            case PLAIN -> side.run(connections, warmUp, time, seed, null, samples::byUid);
            case TLS -> new Load(side.server().tlsPort(), connections, Side.nanos(warmUp), Side.nanos(time), seed, null, client)
                    .run(samples::byUid, side.server()::cpuSeconds);
            case FULL -> connecting(side, warmUp, time, seed, client::connectAnew);
            case RESUMED -> connecting(side, warmUp, time, seed, client::connect);
        };
        return new Turn(outcome, client.takeResumedPercent());
    }

    /** How a client connects. */
    @FunctionalInterface
    private interface Connecting {
        LdapConnection connect(int port) throws IOException;
    }

    /** Each request is a connection with a handshake and one search, which reads what the server gives for the next handshake. */
    private Load.Outcome connecting(Side side, double warmUp, double time, long seed, Connecting connecting) throws IOException,
            InterruptedException {
        int port = side.server().tlsPort();
        Load.Request request = (unused, random) -> {
            try (LdapConnection connection = connecting.connect(port)) {
                return connection.search(LdifGenerator.SUFFIX, SearchFilter.equal("uid", "nobody"), 0).expect(0);
            }
        };
        return side.run(connections, warmUp, time, seed, null, request);
    }

    private static ReportRow searchRow(Measured server, Kind kind) {
        double[] ratios = new double[TURNS];
        for (int turn = 0; turn < TURNS; turn++) {
            ratios[turn] = server.turns.get(kind).get(turn).outcome.serverMicrosPerOperation()
                    / server.turns.get(Kind.PLAIN).get(turn).outcome.serverMicrosPerOperation();
        }
        Arrays.sort(ratios);
        return new ReportRow(List.of(server.name, kind.label), ReportRow.boxed(server.medianOf(kind, Load.Outcome::operationsPerSecond),
                server.medianOf(kind, Load.Outcome::serverMicrosPerOperation), kind == Kind.PLAIN ? Double.NaN : ratios[TURNS / 2],
                server.medianOf(kind, Load.Outcome::clientMicrosPerOperation),
                server.medianOf(kind, outcome -> outcome.latencies().percentileMillis(0.5)),
                server.medianOf(kind, outcome -> outcome.latencies().percentileMillis(0.99))), "");
    }

    private static ReportRow handshakeRow(Measured server, Kind kind) {
        return new ReportRow(List.of(server.name, kind.label), ReportRow.boxed(server.medianOf(kind, Load.Outcome::operationsPerSecond),
                server.medianOf(kind, Load.Outcome::serverMicrosPerOperation),
                server.medianOf(kind, Load.Outcome::clientMicrosPerOperation),
                server.medianOf(kind, outcome -> outcome.latencies().percentileMillis(0.5)),
                server.medianOf(kind, outcome -> outcome.latencies().percentileMillis(0.99)),
                server.median(kind, Turn::resumedPercent)), "");
    }

    private Report report(Machine machine, List<Measured> servers) throws IOException {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("entries", Long.toString(entries));
        parameters.put("connections", Integer.toString(connections));
        parameters.put("seconds", seconds + " in " + TURNS + " turns");
        parameters.put("seed", Long.toString(options().seed()));
        parameters.put(PEER, installed == null ? "not installed" : installed.version());
        parameters.putAll(found);
        List<ReportRow> searches = new ArrayList<>();
        List<ReportRow> handshakes = new ArrayList<>();
        for (Measured server : servers) {
            searches.add(searchRow(server, Kind.PLAIN));
            searches.add(searchRow(server, Kind.TLS));
            handshakes.add(handshakeRow(server, Kind.FULL));
            handshakes.add(handshakeRow(server, Kind.RESUMED));
        }
        ReportTable searchTable = new ReportTable("Searches by uid over open connections", List.of("server", "transport"),
                List.of("searches/s", "server CPU us/search", "TLS/plain CPU", "client CPU us/search", "p50 ms", "p99 ms"), searches);
        ReportTable handshakeTable = new ReportTable("Connections over TLS 1.3, with one search each", List.of("server", "handshake"),
                List.of("connections/s", "server CPU us/connection", "client CPU us/connection", "p50 ms", "p99 ms", "resumed %"),
                handshakes);
        return new Report("tls", "What TLS costs", machine, parameters, List.of(searchTable, handshakeTable), Map.of(),
                List.of("Figures are medians of " + TURNS + " turns, in which the servers take their turns at each. Both have the same key and"
                        + " certificate; the clients are Java's. CPU is user and system time of the server.",
                        "Closed loop on the server's own machine: the clients' CPU is taken from the server where there are few processors."
                        + " slapd with GnuTLS, as in Debian, resumes no sessions.",
                        "A server that has just started is slower: Java compiles what a handshake calculates while it is used."));
    }
}
