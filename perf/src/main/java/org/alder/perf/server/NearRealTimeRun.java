package org.alder.perf.server;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.alder.ldif.LdifGenerator;
import org.alder.perf.bench.LoadedData;
import org.alder.perf.bench.ServeVerb;
import org.alder.perf.client.Latencies;
import org.alder.perf.client.LdapConnection;
import org.alder.perf.client.Load;
import org.alder.perf.client.PacedLoad;
import org.alder.perf.client.SearchFilter;
import org.alder.perf.process.ServerProcess;

/**
 * One run of {@link NearRealTimeVerb}: searches at a fixed rate through all phases, writes through some. Used once, by one
 * thread.
 */
final class NearRealTimeRun {
    private static final int SEARCH_CONNECTIONS = 4;
    private static final int MIN_WARM_UP_SECONDS = 10;

    /**
     * @param entries    users in the data
     * @param searchRate searches a second
     * @param writeRate  modifies a second
     * @param seconds    the length of a phase
     * @param seed       of what is searched and written
     */
    record Rates(long entries, double searchRate, double writeRate, int seconds, long seed) {
    }

    enum Phase {
        WARM_UP("warm-up"),
        IDLE("searches only"),
        WRITES("with writes"),
        FLUSHES("with writes and a flush every second"),
        WRITES_AND_MERGE("with writes and a full merge"),
        MERGE("with a full merge"),
        IDLE_AGAIN("searches only, again");

        private final String text;

        Phase(String text) {
            this.text = text;
        }

        String text() {
            return text;
        }
    }

    /** A part of the run, as {@link System#nanoTime} says. */
    record Span(Phase phase, long fromNanos, long toNanos, double serverSeconds) {
        boolean has(long nanos) {
            return nanos >= fromNanos && nanos < toNanos;
        }
    }

    /** One write: when it was sent, when it was acknowledged, when a search had found it, and after how many searches. */
    record Write(long sentNanos, long acknowledgedNanos, long seenNanos, int searches) {
    }

    private final String name;
    private final Rates rates;
    private final List<Span> phases = new ArrayList<>();
    private final List<Span> background = new ArrayList<>();
    private final List<Write> writes = new ArrayList<>();
    private List<PacedLoad.Sample> searches = List.of();

    /** @param name a word that no other run on the same data has */
    NearRealTimeRun(String name, Rates rates) {
        this.name = name;
        this.rates = rates;
    }

    void measure(LoadedData data) throws IOException, InterruptedException {
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

    private void run(ServerProcess server, List<LdapConnection> connections) throws IOException, InterruptedException {
        PacedLoad searching = PacedLoad.start(connections, rates.searchRate, rates.seed, this::search);
        try {
            phase(server, Phase.WARM_UP, () -> warmUp(server));
            phase(server, Phase.IDLE, this::pause);
            try (LdapConnection writer = LoadedData.ADMINISTRATOR.connect(server.port());
                    LdapConnection reader = new LdapConnection("127.0.0.1", server.port())) {
                PacedLoad writing = PacedLoad.start(List.of(writer), rates.writeRate, rates.seed, writeAndSee(reader));
                try {
                    phase(server, Phase.WRITES, this::pause);
                    phase(server, Phase.FLUSHES, () -> flushEverySecond(server));
                    phase(server, Phase.WRITES_AND_MERGE, () -> command(server, Phase.WRITES_AND_MERGE, ServeVerb.COMPACT));
                } finally {
                    writing.stop();
                }
            }
            phase(server, Phase.MERGE, () -> command(server, Phase.MERGE, ServeVerb.COMPACT));
            phase(server, Phase.IDLE_AGAIN, this::pause);
        } finally {
            searches = searching.stop();
        }
    }

    /** At full speed, and a merge with it: the virtual machine is not to compile what is measured while it is. */
    private void warmUp(ServerProcess server) throws IOException, InterruptedException {
        long nanos = TimeUnit.SECONDS.toNanos(Math.max(MIN_WARM_UP_SECONDS, rates.seconds)) / 2;
        new Load(server.port(), SEARCH_CONNECTIONS, 0, nanos, rates.seed, null)
                .run(this::search, server::cpuSeconds);
        new Load(server.port(), SEARCH_CONNECTIONS, 0, nanos, rates.seed, LoadedData.ADMINISTRATOR)
                .run(this::write, server::cpuSeconds);
        server.command(ServeVerb.COMPACT);
        pause();
    }

    private LdapConnection.Result write(LdapConnection connection, SplittableRandom random) throws IOException {
        return connection.replace(randomDn(random), "mail", "warm.up@example.com").expect(0);
    }

    private String randomDn(SplittableRandom random) {
        return "uid=user." + (1 + random.nextLong(rates.entries)) + ",ou=users," + LdifGenerator.SUFFIX;
    }

    private LdapConnection.Result search(LdapConnection connection, SplittableRandom random) throws IOException {
        SearchFilter filter = SearchFilter.equal("uid", "user." + (1 + random.nextLong(rates.entries)));
        LdapConnection.Result result = connection.search(LdifGenerator.SUFFIX, filter, 0).expect(0);
        if (result.entries() != 1) {
            throw new IOException("a search by uid returned " + result.entries() + " entries, expected 1");
        }
        return result;
    }

    /** Runs on one thread, which alone writes {@link #writes} until it has ended. */
    private Load.Request writeAndSee(LdapConnection reader) {
        return (writer, random) -> {
            String mail = "probe." + name + "." + writes.size() + "@example.com";
            String dn = randomDn(random);
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
        System.err.println(name + ": " + phase.text);
        double cpu = server.cpuSeconds();
        long start = System.nanoTime();
        action.run();
        phases.add(new Span(phase, start, System.nanoTime(), server.cpuSeconds() - cpu));
    }

    private void pause() throws InterruptedException {
        TimeUnit.SECONDS.sleep(rates.seconds);
    }

    private void flushEverySecond(ServerProcess server) throws IOException, InterruptedException {
        long start = System.nanoTime();
        for (int i = 1; i <= rates.seconds; i++) {
            command(server, Phase.FLUSHES, ServeVerb.FLUSH);
            TimeUnit.NANOSECONDS.sleep(start + i * 1_000_000_000L - System.nanoTime());
        }
    }

    private void command(ServerProcess server, Phase phase, String command) throws IOException {
        long start = System.nanoTime();
        server.command(command);
        background.add(new Span(phase, start, System.nanoTime(), Double.NaN));
    }

    String name() {
        return name;
    }

    /** In their order, the warm-up first. */
    List<Span> phases() {
        return phases;
    }

    Span phase(Phase phase) {
        return phases.stream().filter(span -> span.phase == phase).findFirst().orElseThrow();
    }

    /** The flushes and the merge. */
    List<Span> background() {
        return background;
    }

    List<Write> writes(Span span) {
        return writes.stream().filter(write -> span.has(write.sentNanos)).toList();
    }

    List<PacedLoad.Sample> searches() {
        return searches;
    }

    Latencies latencies(Span span) {
        Latencies times = new Latencies();
        searches.stream().filter(sample -> span.has(sample.dueNanos())).forEach(sample -> times.add(sample.nanos()));
        return times;
    }
}
