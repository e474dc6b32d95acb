package org.alder.server.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HTTP port for monitoring (docs/metrics.md): {@code /metrics}, {@code /healthz} and {@code /readyz}, read only, without a login; and
 * the console, if it is on, which sees to its own requests. It has threads of its own, so that nothing that is sent to it delays LDAP.
 * What one of its clients may take is bounded: a connection has one thread at most, and there are {@value #MOST_CONNECTIONS} of them; a
 * request has no content, a few headers, and {@value #REQUEST_SECONDS} seconds to come; its answer has {@value #ANSWER_SECONDS} seconds to
 * be taken. Thread safe.
 */
public final class HttpPort implements AutoCloseable {
    static final int MOST_CONNECTIONS = 64;
    static final int REQUEST_SECONDS = 5;
    private static final int ANSWER_SECONDS = 20;
    private static final int IDLE_SECONDS = 30;
    private static final int MOST_IDLE = 16;
    private static final int MOST_HEADERS = 50;
    private static final int HEADER_BYTES = 16 << 10;
    private static final int THREAD_IDLE_SECONDS = 30;
    /** How long requests may go on of a port that is given up. */
    private static final int RETIRE_SECONDS = 5;
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final int METHOD_NOT_ALLOWED = 405;
    private static final int CONTENT_TOO_LARGE = 413;
    private static final int UNAVAILABLE = 503;
    private static final String TEXT = "text/plain; charset=utf-8";
    private static final Logger LOG = LoggerFactory.getLogger(HttpPort.class);

    static {
        // The JDK's server reads its bounds from here, once in a process; all but some of them are none if nobody says so.
        bound("jdk.httpserver.maxConnections", MOST_CONNECTIONS);
        bound("sun.net.httpserver.maxIdleConnections", MOST_IDLE);
        bound("sun.net.httpserver.maxReqTime", REQUEST_SECONDS);
        bound("sun.net.httpserver.maxRspTime", ANSWER_SECONDS);
        bound("sun.net.httpserver.idleInterval", IDLE_SECONDS);
        bound("sun.net.httpserver.maxReqHeaders", MOST_HEADERS);
        bound("sun.net.httpserver.maxReqHeaderSize", HEADER_BYTES);
        bound("sun.net.httpserver.drainAmount", 0);
    }

    private final HttpServer server;
    private final ThreadPoolExecutor threads;
    private final String url;
    private final Metrics metrics;
    private final Readiness readiness;
    private volatile boolean closed;

    private HttpPort(HttpServer server, ThreadPoolExecutor threads, String url, Metrics metrics, Readiness readiness) {
        this.server = server;
        this.threads = threads;
        this.url = url;
        this.metrics = metrics;
        this.readiness = readiness;
    }

    private static void bound(String property, int value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, Integer.toString(value));
        }
    }

    /**
     * @param pages what answers below which paths, beside what the port answers itself
     * @throws IOException naming the address, if it cannot be listened on
     */
    public static HttpPort start(HttpSettings settings, Metrics metrics, Readiness readiness, Map<String, HttpHandler> pages)
            throws IOException {
        InetSocketAddress address = new InetSocketAddress(settings.host(), settings.port());
        HttpServer server;
        try {
            server = settings.tls() == null ? HttpServer.create(address, MOST_CONNECTIONS) : HttpsServer.create(address, MOST_CONNECTIONS);
        } catch (IOException | RuntimeException e) {
            throw new IOException("httpListener " + settings.host() + ":" + settings.port() + " cannot be listened on: " + e, e);
        }
        if (server instanceof HttpsServer secure) {
            secure.setHttpsConfigurator(new HttpsConfigurator(LiveTls.of(settings.tls())));
        }
        AtomicInteger made = new AtomicInteger();
        ThreadPoolExecutor threads = new ThreadPoolExecutor(1, MOST_CONNECTIONS, THREAD_IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(),
                work -> {
                    Thread thread = new Thread(work, "alder-http-" + made.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        String host = settings.host().indexOf(':') < 0 ? settings.host() : '[' + settings.host() + ']';
        HttpPort port = new HttpPort(server, threads, (settings.tls() == null ? "http://" : "https://") + host + ':' + server.getAddress().getPort(),
                metrics, readiness);
        server.setExecutor(threads);
        server.createContext("/", exchange -> handle(exchange, port::answer));
        pages.forEach(port::serve);
        server.start();
        return port;
    }

    /** Such as {@code http://127.0.0.1:9389}, with the port that is listened on. */
    public String url() {
        return url;
    }

    private static void handle(HttpExchange exchange, HttpHandler handler) throws IOException {
        try (exchange) {
            handler.handle(exchange);
        } catch (RuntimeException | Error e) {
            LOG.error("a request for {} could not be answered", exchange.getRequestURI().getPath(), e);
            throw e;
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        if (!exchange.getRequestMethod().equals("HEAD") && !exchange.getRequestMethod().equals("GET")) {
            exchange.getResponseHeaders().set("Allow", "GET, HEAD");
            send(exchange, METHOD_NOT_ALLOWED, TEXT, "only GET and HEAD are answered\n");
        } else if (hasContent(exchange)) {
            send(exchange, CONTENT_TOO_LARGE, TEXT, "a request has no content here\n");
        } else {
            switch (String.valueOf(exchange.getRequestURI().getPath())) {
                case "/metrics" -> sendMetrics(exchange);
                case "/healthz" -> send(exchange, OK, TEXT, "ok\n");
                case "/readyz" -> sendReadiness(exchange);
                default -> send(exchange, NOT_FOUND, TEXT, "there is /metrics, /healthz and /readyz\n");
            }
        }
    }

    private static boolean hasContent(HttpExchange exchange) {
        String length = exchange.getRequestHeaders().getFirst("Content-Length");
        return exchange.getRequestHeaders().containsKey("Transfer-Encoding") || length != null && !length.strip().equals("0");
    }

    private void sendMetrics(HttpExchange exchange) throws IOException {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        metrics.write(text);
        send(exchange, OK, Metrics.CONTENT_TYPE, text.toByteArray());
    }

    private void sendReadiness(HttpExchange exchange) throws IOException {
        List<String> missing = readiness.missing();
        send(exchange, missing.isEmpty() ? OK : UNAVAILABLE, TEXT, missing.isEmpty() ? "ready\n" : String.join("\n", missing) + '\n');
    }

    private static void send(HttpExchange exchange, int status, String type, String text) throws IOException {
        send(exchange, status, type, text.getBytes(StandardCharsets.UTF_8));
    }

    private static void send(HttpExchange exchange, int status, String type, byte[] content) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.getResponseHeaders().set("Cache-Control", "no-store");
        exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
        if (status != OK && status != UNAVAILABLE) {
            exchange.getResponseHeaders().set("Connection", "close");
        }
        sendContent(exchange, status, content);
    }

    /** Sends an answer whose headers say what it is; of the content its length alone to who asked for the headers (RFC 9110 9.3.2). */
    public static void sendContent(HttpExchange exchange, int status, byte[] content) throws IOException {
        if (exchange.getRequestMethod().equals("HEAD")) {
            exchange.getResponseHeaders().set("Content-Length", Integer.toString(content.length));
            exchange.sendResponseHeaders(status, -1);
        } else {
            exchange.sendResponseHeaders(status, content.length);
            exchange.getResponseBody().write(content);
        }
    }

    /** Has a page answer below a path from now on, where none does. */
    public void serve(String path, HttpHandler page) {
        server.createContext(path, exchange -> handle(exchange, page));
    }

    /** Has no page answer there any more. */
    public void withdraw(String path) {
        server.removeContext(path);
    }

    /** Listens no more from now on, and ends requests that are being answered a few seconds later: one of them may be the reason. */
    public void retire() {
        closed = true;
        Thread end = new Thread(() -> {
            server.stop(RETIRE_SECONDS);
            threads.shutdownNow();
        }, "alder-http-end");
        end.setDaemon(true);
        end.start();
    }

    public boolean isClosed() {
        return closed;
    }

    /** Idempotent. */
    @Override
    public void close() {
        closed = true;
        server.stop(0);
        threads.shutdownNow();
    }
}
