package org.alder.perf;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
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
import org.alder.server.cli.Verb;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Durable adds per second: each connection adds users of the data set one after the other and waits for each answer, with
 * durability {@code sync}, so that an acknowledged add is on disk. Every connection count starts on an empty partition.
 */
@Command(name = "add-rate", mixinStandardHelpOptions = true, description = "Durable adds per second by number of connections.")
final class AddRateVerb implements Verb {
    @Option(names = "--connections", paramLabel = "N", split = ",", description = "Default: ${DEFAULT-VALUE}.")
    private List<Integer> connections = List.of(1, 8);

    @Option(names = "--seconds", paramLabel = "S",
            description = "Measured time, after as much warm-up. Default: ${DEFAULT-VALUE}.")
    private int seconds = 10;

    @Mixin
    private PerfOptions options;

    private record Rate(int connections, double perSecond, double cpuMicros) {
    }

    @Override
    public Integer call() throws IOException, InterruptedException, ExecutionException {
        List<Rate> rates = new ArrayList<>();
        for (int count : connections) {
            Path work = options.workFolder();
            try {
                rates.add(measure(count, work));
            } finally {
                PerfOptions.delete(work);
            }
        }
        report(rates);
        return 0;
    }

    private void report(List<Rate> rates) throws IOException {
        StringBuilder text = new StringBuilder(Machine.here().line()).append("\ndurability sync, ").append(seconds)
                .append(" s after as much warm-up\nconnections   adds/s   server CPU us/add\n");
        List<String> json = new ArrayList<>();
        for (Rate rate : rates) {
            text.append(String.format(Locale.ROOT, "%11d %8.0f %19.0f%n", rate.connections, rate.perSecond, rate.cpuMicros));
            json.add(String.format(Locale.ROOT, "{\"connections\": %d, \"addsPerSecond\": %.1f, \"serverCpuMicros\": %.1f}",
                    rate.connections,
                    rate.perSecond, rate.cpuMicros));
        }
        System.out.print(text);
        options.writeReport("add-rate.txt", text.toString());
        options.writeReport("add-rate.json", "{\"benchmark\": \"add-rate\", \"machine\": \"" + Machine.here().line()
                + "\", \"rows\": ["
                + String.join(", ", json) + "]}\n");
    }

    private Rate measure(int count, Path work) throws IOException, InterruptedException, ExecutionException {
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

    private Rate run(int count, ServerProcess server, String password) throws IOException, InterruptedException,
            ExecutionException {
        LdifGenerator generator = new LdifGenerator(options.seed());
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
