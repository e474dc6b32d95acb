package org.alder.perf.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.alder.perf.client.Latencies;
import org.alder.perf.client.LdapConnection;
import org.alder.perf.client.Load;
import org.alder.perf.client.PacedLoad;
import org.alder.perf.process.MeasuredServer;

/** One of two servers that are measured beside each other, with the same data: running until it is closed. One thread. */
public final class Side implements AutoCloseable {
    private final Start start;
    private final Load.Login administrator;
    private MeasuredServer server;

    /** Starts a server and waits until it answers. */
    @FunctionalInterface
    public interface Start {
        MeasuredServer start() throws IOException, InterruptedException;
    }

    private Side(Start start, Load.Login administrator) {
        this.start = start;
        this.administrator = administrator;
    }

    public static Side start(Start start, Load.Login administrator) throws IOException, InterruptedException {
        Side side = new Side(start, administrator);
        side.restart();
        return side;
    }

    /** A new server of the same kind. */
    void restart() throws IOException, InterruptedException {
        close();
        server = start.start();
    }

    public MeasuredServer server() {
        return server;
    }

    public Load.Login administrator() {
        return administrator;
    }

    /** @param login null for nobody */
    public Load.Outcome run(int connections, double warmUpSeconds, double seconds, long seed, Load.Login login,
            Load.Request request) throws IOException, InterruptedException {
        return new Load(server.port(), connections, nanos(warmUpSeconds), nanos(seconds), seed, login)
                .run(request, server::cpuSeconds);
    }

    /** At a fixed rate over several connections together, bound as nobody. CPU of this process is not measured. */
    Load.Outcome atRate(int connections, double seconds, long seed, Load.Request request, double perSecond) throws IOException,
            InterruptedException {
        List<LdapConnection> opened = new ArrayList<>();
        try {
            for (int i = 0; i < connections; i++) {
                opened.add(new LdapConnection("127.0.0.1", server.port()));
            }
            double cpu = server.cpuSeconds();
            long begin = System.nanoTime();
            PacedLoad load = PacedLoad.start(opened, perSecond, seed, request);
            TimeUnit.NANOSECONDS.sleep(nanos(seconds));
            Latencies latencies = new Latencies();
            load.stop().forEach(sample -> latencies.add(sample.nanos()));
            return new Load.Outcome(latencies.count(), 0, (System.nanoTime() - begin) / 1e9, server.cpuSeconds() - cpu, Double.NaN, latencies);
        } finally {
            for (LdapConnection each : opened) {
                each.close();
            }
        }
    }

    /** How long one request over a new connection takes. */
    public double millis(Load.Request request) throws IOException {
        try (LdapConnection client = new LdapConnection("127.0.0.1", server.port())) {
            long begin = System.nanoTime();
            request.send(client, new SplittableRandom(0));
            return (System.nanoTime() - begin) / 1e6;
        }
    }

    public static long nanos(double seconds) {
        return (long) (seconds * TimeUnit.SECONDS.toNanos(1));
    }

    /** Stops the server; {@link #restart} starts it again. */
    @Override
    public void close() {
        if (server != null) {
            server.close();
            server = null;
        }
    }
}
