package org.alder.perf.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.alder.ldif.LdifGenerator;
import org.alder.perf.bench.BenchmarkVerb;
import org.alder.perf.bench.LoadedData;
import org.alder.perf.bench.SampleSearches;
import org.alder.perf.bench.SampleUsers;
import org.alder.perf.bench.Side;
import org.alder.perf.bench.WorkFolder;
import org.alder.perf.client.LdapConnection;
import org.alder.perf.client.Load;
import org.alder.perf.process.Machine;
import org.alder.perf.process.OpenLdap;
import org.alder.perf.process.Peer;
import org.alder.perf.process.OwnUsage;
import org.alder.perf.report.Report;
import org.alder.perf.report.ReportRow;
import org.alder.perf.report.ReportTable;
import org.alder.server.cli.option.CommandException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * What connections cost that are open, have bound and ask for nothing, as those of pools do: memory, the CPU to open them and to keep
 * them, and what they do to the searches of others. Beside OpenLDAP where it is installed, with the same data, in turns.
 */
@Command(name = "connections", mixinStandardHelpOptions = true,
        description = "Thousands of open connections: memory for each, how fast they open, and searches beside them, beside OpenLDAP.")
public final class ManyConnectionsVerb extends BenchmarkVerb {
    private static final Load.Login PEER_ADMINISTRATOR = new Load.Login(OpenLdap.ADMINISTRATOR, Peer.PASSWORD);
    private static final int SEARCH_CONNECTIONS = 8;
    private static final int OPENING_THREADS = 8;
    /** Opened and closed before, so that what is measured is not what a server makes once. */
    private static final int WARM_UP_PART = 10;
    private static final double WARM_UP_SHARE = 0.5;
    /** Java compiles what searches need while they are made. */
    private static final double FIRST_WARM_UP_SHARE = 3;
    private static final int OTHER_DESCRIPTORS = 500;
    private static final double KIB = 1024;

    @Option(names = "--entries", paramLabel = "N", description = "Number of users. Default: ${DEFAULT-VALUE}.")
    private long entries = 100_000;

    @Option(names = "--connections", paramLabel = "N", description = "Connections that are open. Default: ${DEFAULT-VALUE}.")
    private int connections = 10_000;

    @Option(names = "--seconds", paramLabel = "S",
            description = "Measured time of searches for each line, after half as much warm-up. Default: ${DEFAULT-VALUE}.")
    private double seconds = 5;

    private final List<ReportRow> opened = new ArrayList<>();
    private final List<ReportRow> searched = new ArrayList<>();
    private SampleSearches samples;

    @Override
    public Report measure(Machine machine) throws IOException, InterruptedException, CommandException {
        opened.clear();
        searched.clear();
        requireDescriptors();
        OpenLdap installed = OpenLdap.installed().orElse(null);
        try (WorkFolder work = options().workFolder()) {
            Path ldif = work.path().resolve("data.ldif");
            SampleUsers users = SampleUsers.write(new LdifGenerator(options().seed()), entries, ldif);
            LoadedData data = LoadedData.load(work.path(), users, ldif, "data", List.of());
            Path peerFolder = work.path().resolve("openldap");
            if (installed != null) {
                installed.load(peerFolder, ldif, entries);
            }
            Files.delete(ldif);
            samples = new SampleSearches(users);
            try (Side own = Side.start(data::serve, LoadedData.ADMINISTRATOR);
                    Side peer = installed == null ? null : Side.start(() -> installed.serve(peerFolder), PEER_ADMINISTRATOR)) {
                measure("Alder", own);
                if (peer != null) {
                    measure("OpenLDAP", peer);
                }
            }
        }
        return report(machine, installed);
    }

    /** This process has one for each connection, and each server has as many as it. */
    private void requireDescriptors() throws CommandException {
        long most = OwnUsage.mostDescriptors();
        if (most < connections + OTHER_DESCRIPTORS) {
            throw new CommandException("--connections " + connections + ": a process may have " + most
                    + " file descriptors here, expected at least " + (connections + OTHER_DESCRIPTORS) + ": raise ulimit -n");
        }
    }

    private void measure(String name, Side side) throws IOException, InterruptedException {
        System.err.println("measuring " + name + " without others");
        close(open(side, Math.max(1, connections / WARM_UP_PART)));
        addSearches(name, "", search(side, FIRST_WARM_UP_SHARE));
        long before = side.server().residentBytes();
        double cpuBefore = side.server().cpuSeconds();
        long start = System.nanoTime();
        System.err.println("opening " + connections + " connections to " + name);
        List<LdapConnection> held = open(side, connections);
        try {
            double openSeconds = (System.nanoTime() - start) / 1e9;
            double openCpu = side.server().cpuSeconds() - cpuBefore;
            double idlePercent = idlePercent(side);
            long after = side.server().residentBytes();
            opened.add(ReportRow.of(name, "", connections / openSeconds, openCpu * 1e6 / connections, before / KIB / KIB,
                    after / KIB / KIB, (after - before) / KIB / connections, idlePercent));
            System.err.println("measuring " + name + " beside them");
            addSearches(name, connections + " open", search(side, WARM_UP_SHARE));
            requireOpen(held);
        } finally {
            close(held);
        }
    }

    private List<LdapConnection> open(Side side, int count) throws IOException, InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(OPENING_THREADS);
        List<LdapConnection> all = new ArrayList<>();
        try {
            List<Future<List<LdapConnection>>> parts = new ArrayList<>();
            for (int i = 0; i < OPENING_THREADS; i++) {
                // As from several machines.
                String from = "127.0.0." + (i + 2);
                int part = count * (i + 1) / OPENING_THREADS - count * i / OPENING_THREADS;
                parts.add(pool.submit(() -> open(side, from, part)));
            }
            for (Future<List<LdapConnection>> part : parts) {
                all.addAll(part.get());
            }
            return all;
        } catch (ExecutionException e) {
            close(all);
            throw new IOException("after " + all.size() + " connections: " + e.getCause(), e.getCause());
        } finally {
            pool.shutdownNow();
        }
    }

    private static List<LdapConnection> open(Side side, String from, int count) throws IOException {
        List<LdapConnection> made = new ArrayList<>();
        boolean done = false;
        try {
            for (int i = 0; i < count; i++) {
                made.add(LdapConnection.from(from, "127.0.0.1", side.server().port()));
                made.get(i).bind(side.administrator().dn(), side.administrator().password()).expect(0);
            }
            done = true;
            return made;
        } finally {
            if (!done) {
                close(made);
            }
        }
    }

    private static void close(List<LdapConnection> connections) throws IOException {
        for (LdapConnection connection : connections) {
            connection.close();
        }
    }

    /** What the server does while nobody asks for anything, in percent of one processor. */
    private double idlePercent(Side side) throws InterruptedException {
        double before = side.server().cpuSeconds();
        Thread.sleep((long) (seconds * 1000));
        return 100 * (side.server().cpuSeconds() - before) / seconds;
    }

    /** Each of them answers. */
    private void requireOpen(List<LdapConnection> held) throws IOException {
        for (LdapConnection connection : held) {
            samples.byUid(connection, new SplittableRandom(options().seed()));
        }
    }

    private Load.Outcome search(Side side, double warmUpShare) throws IOException, InterruptedException {
        return side.run(SEARCH_CONNECTIONS, warmUpShare * seconds, seconds, options().seed(), null, samples::byUid);
    }

    private void addSearches(String name, String others, Load.Outcome outcome) {
        searched.add(new ReportRow(List.of(name, others), ReportRow.boxed(outcome.operationsPerSecond(), outcome.serverMicrosPerOperation(),
                outcome.latencies().percentileMillis(0.5), outcome.latencies().percentileMillis(0.99)), ""));
    }

    private Report report(Machine machine, OpenLdap installed) throws IOException {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("entries", Long.toString(entries));
        parameters.put("connections", Integer.toString(connections));
        parameters.put("seconds", Double.toString(seconds));
        parameters.put("seed", Long.toString(options().seed()));
        parameters.put("OpenLDAP", installed == null ? "not installed" : installed.version());
        ReportTable openTable = new ReportTable("Connections that have bound and ask for nothing", List.of("server"),
                List.of("opened/s", "server CPU us/connection", "resident MiB without", "with", "KiB/connection", "CPU % while idle"), opened);
        ReportTable searchTable = new ReportTable("Searches by uid over " + SEARCH_CONNECTIONS + " connections", List.of("server", "others"),
                List.of("searches/s", "server CPU us/search", "p50 ms", "p99 ms"), searched);
        return new Report("connections", "Many open connections", machine, parameters, List.of(openTable, searchTable), Map.of(),
                List.of("Each connection is opened, bound with a password in clear text and answered before the thread that opens it opens"
                        + " another; " + OPENING_THREADS + " do. Memory is what is resident: of Java with what its collector has not looked at yet."));
    }
}
