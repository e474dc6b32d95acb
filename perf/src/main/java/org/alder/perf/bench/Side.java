package org.alder.perf.bench;

import java.io.IOException;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.alder.perf.client.LdapConnection;
import org.alder.perf.client.Load;
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
