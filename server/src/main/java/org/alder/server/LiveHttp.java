package org.alder.server;

import java.io.IOException;
import java.util.Map;
import java.util.function.Supplier;
import org.alder.server.console.Console;
import org.alder.server.http.HttpPort;
import org.alder.server.http.HttpSettings;
import org.alder.server.http.Metrics;
import org.alder.server.http.Readiness;

/** The HTTP port of a server and its console, which may come, go and move while it runs. Thread safe; one change at a time. */
final class LiveHttp implements AutoCloseable {
    private final Metrics metrics;
    private final Readiness readiness;
    private final Supplier<Console> consoles;
    private volatile Open open = new Open(null, null, null);

    /** @param settings, port null if there is none  @param console null if it is off */
    private record Open(HttpSettings settings, HttpPort port, Console console) {
        boolean isAt(HttpSettings other) {
            return settings != null && other != null && settings.host().equals(other.host()) && settings.port() == other.port()
                    && settings.tls() == other.tls();
        }
    }

    /**
     * @param settings null for no port at first
     * @param consoles makes one
     * @throws IOException naming the address, if it cannot be listened on
     */
    LiveHttp(HttpSettings settings, Metrics metrics, Readiness readiness, Supplier<Console> consoles) throws IOException {
        this.metrics = metrics;
        this.readiness = readiness;
        this.consoles = consoles;
        prepare(settings).take().run();
    }

    /**
     * Opens what is to be open, before what is open now is closed. Only where both have one port, such as http that becomes https, it is
     * closed first, for a moment, and opened again where the other cannot be.
     *
     * @param settings null for no port
     * @throws IOException naming the address, if it cannot be listened on; then all is as before
     */
    LiveSettings.Prepared prepare(HttpSettings settings) throws IOException {
        Open now = open;
        if (settings == null ? now.settings == null : settings.equals(now.settings)) {
            return LiveSettings.Prepared.NOTHING;
        }
        boolean hasConsole = settings != null && settings.console();
        Console console = !hasConsole ? null : now.console != null ? now.console : consoles.get();
        boolean ready = false;
        try {
            HttpPort port = settings == null ? null : now.isAt(settings) ? now.port : moved(now, settings, console);
            ready = true;
            Open next = new Open(settings, port, console);
            return new LiveSettings.Prepared(() -> take(now, next), () -> giveUp(now, next));
        } finally {
            if (!ready && console != now.console) {
                console.close();
            }
        }
    }

    private HttpPort start(HttpSettings settings, Console console) throws IOException {
        return HttpPort.start(settings, metrics, readiness, console == null ? Map.of() : Map.of(Console.PATH, console));
    }

    private HttpPort moved(Open now, HttpSettings settings, Console console) throws IOException {
        if (now.port == null || settings.port() == 0 || now.settings.port() != settings.port()) {
            return start(settings, console);
        }
        now.port.close();
        try {
            return start(settings, console);
        } catch (IOException e) {
            reopen(now);
            throw e;
        }
    }

    /** @throws IOException if somebody else listens there meanwhile */
    private void reopen(Open closed) throws IOException {
        open = new Open(closed.settings, start(closed.settings, closed.console), closed.console);
    }

    private void take(Open last, Open next) {
        open = next;
        if (next.port != null && next.port == last.port) {
            if (next.console == null) {
                next.port.withdraw(Console.PATH);
            } else if (last.console == null) {
                next.port.serve(Console.PATH, next.console);
            }
        } else if (last.port != null) {
            last.port.retire();
        }
        if (last.console != null && last.console != next.console) {
            last.console.close();
        }
    }

    private void giveUp(Open last, Open next) {
        if (next.port != null && next.port != last.port) {
            next.port.close();
        }
        if (next.console != null && next.console != last.console) {
            next.console.close();
        }
        if (last.port != null && last.port.isClosed()) {
            try {
                reopen(last);
            } catch (IOException e) {
                throw new IllegalStateException("there is no HTTP port before the next start: " + e.getMessage(), e);
            }
        }
    }

    /** Null if there is no port. */
    String url() {
        HttpPort port = open.port;
        return port == null ? null : port.url();
    }

    /** Null if there is no console. */
    String consoleUrl() {
        Open now = open;
        return now.console == null ? null : now.port.url() + Console.PATH;
    }

    @Override
    public void close() {
        Open now = open;
        if (now.port != null) {
            now.port.close();
        }
        if (now.console != null) {
            now.console.close();
        }
    }
}
