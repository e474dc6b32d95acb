package org.alder.perf;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.alder.ldif.LdifAttribute;
import org.alder.ldif.LdifEntry;
import org.alder.ldif.LdifGenerator;
import org.alder.perf.client.LdapConnection;
import org.alder.perf.process.Machine;
import org.alder.perf.process.ServerProcess;
import org.alder.perf.report.BarPlot;
import org.alder.perf.report.PeerFigures;
import org.alder.perf.report.Report;
import org.alder.perf.report.ReportRow;
import org.alder.perf.report.ReportTable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Durable adds per second: each connection adds users of the data set one after the other and waits for each answer, with
 * durability {@code sync}, so that an acknowledged add is on disk. Every connection count starts on an empty partition.
 */
@Command(name = "add-rate", mixinStandardHelpOptions = true, description = "Durable adds per second by number of connections.")
final class AddRateVerb extends BenchmarkVerb {
    @Option(names = "--connections", paramLabel = "N", split = ",", description = "Default: ${DEFAULT-VALUE}.")
    private List<Integer> connections = List.of(1, 8, 32);

    @Option(names = "--seconds", paramLabel = "S",
            description = "Measured time, after as much warm-up. Default: ${DEFAULT-VALUE}.")
    private int seconds = 10;

    private record Rate(int connections, double perSecond, double cpuMicros) {
    }

    @Override
    Report measure(Machine machine) throws IOException, InterruptedException {
        List<ReportRow> rows = new ArrayList<>();
        for (int count : connections) {
            System.err.println("measuring adds over " + count + (count == 1 ? " connection" : " connections"));
            try (WorkFolder work = options().workFolder()) {
                Rate rate = measure(count, work.path());
                rows.add(ReportRow.of(Integer.toString(count), PeerFigures.adds(count), rate.perSecond, rate.cpuMicros));
            }
        }
        ReportTable table = new ReportTable("Adds, each on disk when it is acknowledged", List.of("connections"),
                List.of("adds/s", "server CPU us/add"), rows);
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("durability", "sync");
        parameters.put("seconds", seconds + " after as much warm-up");
        parameters.put("seed", Long.toString(options().seed()));
        return new Report("add-rate", "Durable adds per second", machine, parameters, List.of(table),
                Map.of("add-rate", plot(rows).svg()), List.of(PeerFigures.SOURCE));
    }

    private static BarPlot plot(List<ReportRow> rows) {
        BarPlot plot = new BarPlot("Durable adds per second (others: 2026-11-20, another run)");
        rows.forEach(row -> plot.ours("Alder, connections: " + row.labels().get(0), row.figures().get(0)));
        return plot.others("OpenLDAP, connections: 8", 538).others("OpenDJ with fsync, connections: 8", 1613)
                .others("389 DS, connections: 8", 626);
    }

    private Rate measure(int count, Path work) throws IOException, InterruptedException {
        Path data = work.resolve("data");
        Path configuration = PerfOptions.configuration(work, "sync.ldif", List.of("durability: sync"));
        Path passwordFile = Files.writeString(Files.createDirectories(data).resolve("admin.password"), "benchmark");
        try (ServerProcess server = ServerProcess.start(data, configuration)) {
            String password = Files.readString(passwordFile);
            try (LdapConnection client = connect(server, password)) {
                for (LdifEntry entry : LdifGenerator.baseEntries()) {
                    add(client, entry).expect(0);
                }
            }
            return run(count, server, password);
        }
    }

    private static LdapConnection connect(ServerProcess server, String password) throws IOException {
        LdapConnection client = new LdapConnection("127.0.0.1", server.port());
        client.bind("cn=Directory Manager", password).expect(0);
        return client;
    }

    private Rate run(int count, ServerProcess server, String password) throws IOException, InterruptedException {
        LdifGenerator generator = new LdifGenerator(options().seed());
        AtomicLong next = new AtomicLong(1);
        AtomicLong done = new AtomicLong();
        long end = System.nanoTime() + 2_000_000_000L * seconds;
        ExecutorService pool = Executors.newFixedThreadPool(count);
        try {
            List<Future<?>> workers = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                workers.add(pool.submit(() -> addUntil(end, connect(server, password), generator, next, done)));
            }
            Thread.sleep(1000L * seconds);
            long startNanos = System.nanoTime();
            long startDone = done.get();
            double startCpu = server.cpuSeconds();
            for (Future<?> worker : workers) {
                worker.get();
            }
            long added = done.get() - startDone;
            return new Rate(count, added * 1e9 / (System.nanoTime() - startNanos),
                    (server.cpuSeconds() - startCpu) * 1e6 / added);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException fault ? fault : new IOException("an add failed: " + e.getCause(),
                    e.getCause());
        } finally {
            pool.shutdownNow();
        }
    }

    private static Void addUntil(long endNanos, LdapConnection connection, LdifGenerator generator, AtomicLong next,
            AtomicLong done)
            throws IOException {
        try (LdapConnection client = connection) {
            while (System.nanoTime() < endNanos) {
                add(client, generator.entry(next.getAndIncrement())).expect(0);
                done.incrementAndGet();
            }
            return null;
        }
    }

    private static LdapConnection.Result add(LdapConnection client, LdifEntry entry) throws IOException {
        Map<String, List<byte[]>> grouped = new LinkedHashMap<>();
        for (LdifAttribute attribute : entry.attributes()) {
            boolean password = attribute.description().equals("userPassword");
            byte[] value = password ? "{SSHA}4RxuTKyYJH7zyKlK8cnJXqLFzQp3bWtR".getBytes(StandardCharsets.UTF_8)
                    : attribute.value();
            grouped.computeIfAbsent(attribute.description(), description -> new ArrayList<>()).add(value);
        }
        return client.add(entry.dn(), List.copyOf(grouped.keySet()), List.copyOf(grouped.values()));
    }
}
