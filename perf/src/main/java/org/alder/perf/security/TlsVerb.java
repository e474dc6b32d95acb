package org.alder.perf.security;

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
import org.alder.perf.bench.SampleSearches;
import org.alder.perf.bench.SampleUsers;
import org.alder.perf.bench.Side;
import org.alder.perf.bench.SideBySide;
import org.alder.perf.bench.WorkFolder;
import org.alder.perf.client.LdapConnection;
import org.alder.perf.client.Load;
import org.alder.perf.client.SearchFilter;
import org.alder.perf.client.TlsClient;
import org.alder.perf.process.Machine;
import org.alder.perf.process.OpenLdap;
import org.alder.perf.report.Report;
import org.alder.perf.report.ReportRow;
import org.alder.perf.report.ReportTable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * What TLS 1.3 costs: searches by uid in clear and over TLS, and connections with a handshake of their own, resumed or not, each
 * with one search. Beside OpenLDAP where it is installed, with the same data, key and certificate, in turns.
 */
@Command(name = "tls", mixinStandardHelpOptions = true,
        description = "Searches over TLS 1.3 against plain, and handshakes with and without resumption, beside OpenLDAP.")
public final class TlsVerb extends BenchmarkVerb {
    private static final Load.Login PEER_ADMINISTRATOR = new Load.Login(OpenLdap.ADMINISTRATOR, OpenLdap.PASSWORD);
    private static final int WARM_UP_ROUNDS = 2;
    private static final String OWN = "Alder";
    private static final String PEER = "OpenLDAP";

    @Option(names = "--entries", paramLabel = "N", description = "Number of users. Default: ${DEFAULT-VALUE}.")
    private long entries = 100_000;

    @Option(names = "--connections", paramLabel = "N",
            description = "Connections that search, and threads that connect, at a time. Default: ${DEFAULT-VALUE}.")
    private int connections = 8;

    @Option(names = "--seconds", paramLabel = "S",
            description = "Measured time of each server for each figure, after half as much warm-up. Default: ${DEFAULT-VALUE}.")
    private double seconds = 4;

    private final List<ReportRow> searches = new ArrayList<>();
    private final List<ReportRow> handshakes = new ArrayList<>();
    private OpenLdap installed;
    private TlsClient client;

    @Override
    public Report measure(Machine machine) throws IOException, InterruptedException {
        searches.clear();
        handshakes.clear();
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
                client = TlsClient.trusting(certificate(data));
                measure(new SideBySide(own, peer, seconds, options().seed()), new SampleSearches(users));
            }
        }
        return report(machine);
    }

    /** The server has made it at its start. */
    private static Path certificate(LoadedData data) {
        return data.folder().resolve("tls.crt");
    }

    private Side startPeer(Path folder, LoadedData data) throws IOException, InterruptedException {
        return installed == null ? null : Side.start(() -> installed.serve(folder, certificate(data).toAbsolutePath(),
                data.folder().resolve("tls.key").toAbsolutePath()), PEER_ADMINISTRATOR);
    }

    private void measure(SideBySide both, SampleSearches samples) throws IOException, InterruptedException {
        for (int round = 1; round <= WARM_UP_ROUNDS; round++) {
            System.err.println("warming up, round " + round + " of " + WARM_UP_ROUNDS);
            both.searches(connections, samples::byUid);
            overTls(both, samples::byUid);
            connecting(both, client::connectAnew);
            connecting(both, client::connect);
        }
        System.err.println("measuring searches in clear and over TLS");
        SideBySide.Outcomes plain = both.searches(connections, samples::byUid);
        SideBySide.Outcomes tls = overTls(both, samples::byUid);
        addSearches(OWN, plain.own(), tls.own());
        if (plain.peer() != null) {
            addSearches(PEER, plain.peer(), tls.peer());
        }
        System.err.println("measuring handshakes");
        addHandshakes(both, "full", client::connectAnew);
        addHandshakes(both, "resumed", client::connect);
    }

    private SideBySide.Outcomes overTls(SideBySide both, Load.Request request) throws IOException, InterruptedException {
        return both.inTurns((side, warmUp, time, seed) -> new Load(side.server().tlsPort(), connections, Side.nanos(warmUp),
                Side.nanos(time), seed, null, client).run(request, side.server()::cpuSeconds));
    }

    private void addSearches(String server, Load.Outcome plain, Load.Outcome tls) {
        double plainMicros = plain.serverMicrosPerOperation();
        double tlsMicros = tls.serverMicrosPerOperation();
        searches.add(searchRow(server, "plain", plain, Double.NaN));
        searches.add(searchRow(server, "TLS 1.3", tls, tlsMicros / plainMicros));
    }

    private static ReportRow searchRow(String server, String transport, Load.Outcome outcome, double ratio) {
        return new ReportRow(List.of(server, transport), ReportRow.boxed(outcome.operationsPerSecond(),
                outcome.serverMicrosPerOperation(), ratio, outcome.clientMicrosPerOperation(),
                outcome.latencies().percentileMillis(0.5), outcome.latencies().percentileMillis(0.99)), "");
    }

    /** How a client connects. */
    @FunctionalInterface
    private interface Connecting {
        LdapConnection connect(int port) throws IOException;
    }

    /** Each request is a connection with a handshake and one search, which reads what the server gives for the next handshake. */
    private SideBySide.Outcomes connecting(SideBySide both, Connecting connecting) throws IOException, InterruptedException {
        return both.inTurns((side, warmUp, time, seed) -> connecting(side, warmUp, time, seed, connecting));
    }

    private Load.Outcome connecting(Side side, double warmUp, double time, long seed, Connecting connecting) throws IOException,
            InterruptedException {
        int port = side.server().tlsPort();
        Load.Request request = (unused, random) -> {
            try (LdapConnection connection = connecting.connect(port)) {
                return connection.search(LdifGenerator.SUFFIX, SearchFilter.equal("uid", "nobody"), 0).expect(0);
            }
        };
        return new Load(side.server().port(), connections, Side.nanos(warmUp), Side.nanos(time), seed, null)
                .run(request, side.server()::cpuSeconds);
    }

    private void addHandshakes(SideBySide both, String kind, Connecting connecting) throws IOException, InterruptedException {
        double[] resumedPercent = {Double.NaN, Double.NaN};
        SideBySide.Outcomes outcomes = both.inTurns((side, warmUp, time, seed) -> {
            client.takeResumedPercent();
            Load.Outcome outcome = connecting(side, warmUp, time, seed, connecting);
            resumedPercent[side == both.own() ? 0 : 1] = client.takeResumedPercent();
            return outcome;
        });
        addHandshakes(OWN, kind, outcomes.own(), resumedPercent[0]);
        if (outcomes.peer() != null) {
            addHandshakes(PEER, kind, outcomes.peer(), resumedPercent[1]);
        }
    }

    private void addHandshakes(String server, String kind, Load.Outcome outcome, double resumedPercent) {
        handshakes.add(new ReportRow(List.of(server, kind), ReportRow.boxed(outcome.operationsPerSecond(),
                outcome.serverMicrosPerOperation(), outcome.clientMicrosPerOperation(), outcome.latencies().percentileMillis(0.5),
                outcome.latencies().percentileMillis(0.99), resumedPercent), ""));
    }

    private Report report(Machine machine) throws IOException {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("entries", Long.toString(entries));
        parameters.put("connections", Integer.toString(connections));
        parameters.put("seconds", Double.toString(seconds));
        parameters.put("seed", Long.toString(options().seed()));
        parameters.put(PEER, installed == null ? "not installed" : installed.version());
        ReportTable searchTable = new ReportTable("Searches by uid over open connections", List.of("server", "transport"),
                List.of("searches/s", "server CPU us/search", "TLS/plain CPU", "client CPU us/search", "p50 ms", "p99 ms"), searches);
        ReportTable handshakeTable = new ReportTable("Connections over TLS 1.3, with one search each", List.of("server", "handshake"),
                List.of("connections/s", "server CPU us/connection", "client CPU us/connection", "p50 ms", "p99 ms", "resumed %"),
                handshakes);
        return new Report("tls", "What TLS costs", machine, parameters, List.of(searchTable, handshakeTable), Map.of(),
                List.of("Both servers have the same key, of the curve P-256, and the same certificate; the clients are Java's. CPU is user"
                        + " and system time of the server.", "Closed loop on the server's own machine: the clients' CPU is taken"
                        + " from the server where there are few processors. slapd with GnuTLS, as in Debian, resumes no sessions."));
    }
}
