package org.alder.perf.client;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Sends requests over several connections at once, each from its own thread and each waiting for its answer before it sends the
 * next one (a closed loop). Immutable.
 *
 * @param port of a server on this machine
 * @param connections how many at once
 * @param warmUpNanos before the measured time
 * @param measuredNanos at least one request for each connection, however long it takes
 * @param seed of the random numbers the requests are made from; each connection has its own
 * @param login who each connection binds as; null for nobody
 * @param tls what all of them speak; null for LDAP in clear
 */
public record Load(int port, int connections, long warmUpNanos, long measuredNanos, long seed, Login login, TlsClient tls) {
    /** A name and its password (simple bind, RFC 4513 5.1.3). */
    public record Login(String dn, String password) {
        /** A new connection that is bound. The caller closes it. */
        public LdapConnection connect(int port) throws IOException {
            LdapConnection connection = new LdapConnection("127.0.0.1", port);
            try {
                connection.bind(dn, password).expect(0);
                return connection;
            } catch (IOException e) {
                connection.close();
                throw e;
            }
        }
    }

    /** In clear. */
    public Load(int port, int connections, long warmUpNanos, long measuredNanos, long seed, Login login) {
        this(port, connections, warmUpNanos, measuredNanos, seed, login, null);
    }

    /** Of anonymous requests. */
    public Load(int port, int connections, long warmUpNanos, long measuredNanos, long seed) {
        this(port, connections, warmUpNanos, measuredNanos, seed, null);
    }

    /** One request and the test of its answer. Called by several threads, each with its own connection and numbers. */
    @FunctionalInterface
    public interface Request {
        /** @throws IOException if the answer is not the right one, which ends the benchmark */
        LdapConnection.Result send(LdapConnection connection, SplittableRandom random) throws IOException;
    }

    /** Reads the CPU time of a process. */
    @FunctionalInterface
    public interface CpuClock {
        double seconds();
    }

    /**
     * What the measured time brought.
     *
     * @param serverSeconds CPU time of the server in the measured time
     * @param clientSeconds CPU time of this process in the measured time
     */
    public record Outcome(long operations, long entries, double seconds, double serverSeconds, double clientSeconds,
            Latencies latencies) {
        /** Both one after the other; the latencies of this one take in the other's. */
        public Outcome plus(Outcome other) {
            latencies.add(other.latencies);
            return new Outcome(operations + other.operations, entries + other.entries, seconds + other.seconds,
                    serverSeconds + other.serverSeconds, clientSeconds + other.clientSeconds, latencies);
        }

        /** Both at the same time, of which the longer one counts; the latencies of this one take in the other's. */
        Outcome beside(Outcome other) {
            latencies.add(other.latencies);
            return new Outcome(operations + other.operations, entries + other.entries, Math.max(seconds, other.seconds), serverSeconds + other.serverSeconds,
                    Double.NaN, latencies);
        }

        /** The same with what the servers used, as others have measured it. */
        public Outcome withServerSeconds(double measured) {
            return new Outcome(operations, entries, seconds, measured, clientSeconds, latencies);
        }

        public double operationsPerSecond() {
            return operations / seconds;
        }

        public double entriesPerSecond() {
            return entries / seconds;
        }

        public double serverMicrosPerOperation() {
            return serverSeconds * 1e6 / operations;
        }

        public double clientMicrosPerOperation() {
            return clientSeconds * 1e6 / operations;
        }

        /** NaN if no entries came back. */
        public double serverMicrosPerEntry() {
            return entries == 0 ? Double.NaN : serverSeconds * 1e6 / entries;
        }
    }

    private static final class Worker {
        private final Latencies latencies = new Latencies();
        private long entries;
    }

    /** Runs to its end; what a request threw ends all. */
    public Outcome run(Request request, CpuClock server) throws IOException, InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(connections);
        try {
            if (warmUpNanos > 0) {
                round(pool, request, warmUpNanos, seed + 1);
            }
            double serverStart = server.seconds();
            double clientStart = ownCpuSeconds();
            long start = System.nanoTime();
            List<Worker> workers = round(pool, request, measuredNanos, seed);
            double seconds = (System.nanoTime() - start) / 1e9;
            double serverSeconds = server.seconds() - serverStart;
            double clientSeconds = ownCpuSeconds() - clientStart;
            Latencies all = new Latencies();
            workers.forEach(worker -> all.add(worker.latencies));
            return new Outcome(all.count(), workers.stream().mapToLong(worker -> worker.entries).sum(), seconds, serverSeconds,
                    clientSeconds, all);
        } finally {
            pool.shutdownNow();
        }
    }

    private static double ownCpuSeconds() {
        return ProcessHandle.current().info().totalCpuDuration().map(used -> used.toNanos() / 1e9).orElse(Double.NaN);
    }

    private List<Worker> round(ExecutorService pool, Request request, long nanos, long roundSeed) throws IOException,
            InterruptedException {
        SplittableRandom random = new SplittableRandom(roundSeed);
        List<LdapConnection> opened = new ArrayList<>();
        try {
            List<Future<Worker>> running = new ArrayList<>();
            for (int i = 0; i < connections; i++) {
                opened.add(open());
            }
            long end = System.nanoTime() + nanos;
            for (LdapConnection connection : opened) {
                SplittableRandom own = random.split();
                running.add(pool.submit(() -> work(connection, own, request, end)));
            }
            List<Worker> workers = new ArrayList<>();
            for (Future<Worker> worker : running) {
                workers.add(worker.get());
            }
            return workers;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException fault ? fault : new IOException("a load thread failed: " + e.getCause(),
                    e.getCause());
        } finally {
            for (LdapConnection connection : opened) {
                connection.close();
            }
        }
    }

    private LdapConnection open() throws IOException {
        LdapConnection connection = tls == null ? new LdapConnection("127.0.0.1", port) : tls.connect(port);
        try {
            if (login != null) {
                connection.bind(login.dn(), login.password()).expect(0);
            }
            return connection;
        } catch (IOException e) {
            connection.close();
            throw e;
        }
    }

    private static Worker work(LdapConnection connection, SplittableRandom random, Request request, long end) throws IOException {
        Worker worker = new Worker();
        long before = System.nanoTime();
        do {
            LdapConnection.Result result = request.send(connection, random);
            long after = System.nanoTime();
            worker.latencies.add(after - before);
            worker.entries += result.entries();
            before = after;
        } while (before < end);
        return worker;
    }
}
