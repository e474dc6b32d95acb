package org.alder.server.console;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpsExchange;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import javax.net.ssl.SSLSession;
import org.alder.partition.error.ResultCode;
import org.alder.partition.text.JsonText;
import org.alder.partition.text.Utf8;
import org.alder.server.client.LdapAnswer;
import org.alder.server.client.LdapCall;
import org.alder.server.console.LdapClient.AnswerTooLargeException;
import org.alder.server.extended.WhoAmI;
import org.alder.server.http.HttpPort;
import org.alder.server.resource.Quota;
import org.alder.server.wire.InnerConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The console below {@value #PATH} of the HTTP port (docs/console.md): a page that is the same for everybody, and what its script asks for
 * by POST, each time an object of JSON. Whoever logs in binds, by a connection that is the server's own client
 * ({@link LdapClient}); nothing is read or changed in any other way. What one client may take is bounded: a request in bytes, requests at
 * a time of all and of each address, sessions in number, idleness and life. Passwords come over TLS, or from this machine. Thread safe.
 */
public final class Console implements HttpHandler, AutoCloseable {
    /** All of it is below this. */
    public static final String PATH = "/console";
    static final String CSRF_HEADER = "X-Alder-Csrf";
    /** What the header says before there is a session. */
    static final String NO_TOKEN = "none";
    static final int MOST_BODY_BYTES = 256 << 10;
    static final int MOST_REQUESTS = 16;
    static final int MOST_REQUESTS_OF_ADDRESS = 8;
    private static final String CALLS = PATH + "/api/";
    private static final int OK = 200;
    private static final int MOVED = 308;
    private static final String JSON = "application/json";
    private static final int LOOK_SECONDS = 10;
    /** A host that cannot be somebody else's name for this machine, as names of the DNS can. */
    private static final Pattern OWN_HOST = Pattern.compile("(?:localhost|127\\.\\d+\\.\\d+\\.\\d+|\\[::1])(?::\\d+)?");
    private static final Logger LOG = LoggerFactory.getLogger(Console.class);

    private final Connections connections;
    private final ConsoleCalls calls;
    private final ConsoleSessions sessions;
    private final Quota requests = new Quota(() -> MOST_REQUESTS, () -> MOST_REQUESTS_OF_ADDRESS, "requests of the console",
            MOST_REQUESTS + " at a time", MOST_REQUESTS_OF_ADDRESS + " of an address at a time");
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(Console::thread);

    /** Opens connections to the server itself. */
    @FunctionalInterface
    public interface Connections {
        /** @param tls what protects the way from there; null if nothing does */
        InnerConnection open(InetSocketAddress from, SSLSession tls, InnerConnection.Client client);
    }

    /** @param isSecret whether values of an attribute are never shown */
    public Console(Connections connections, Predicate<String> isSecret) {
        this(connections, isSecret, System::nanoTime);
    }

    Console(Connections connections, Predicate<String> isSecret, LongSupplier clockNanos) {
        this.connections = connections;
        this.calls = new ConsoleCalls(isSecret);
        this.sessions = new ConsoleSessions(clockNanos);
        clock.scheduleWithFixedDelay(sessions::endOverdue, LOOK_SECONDS, LOOK_SECONDS, TimeUnit.SECONDS);
    }

    private static Thread thread(Runnable task) {
        Thread thread = new Thread(task, "alder-console");
        thread.setDaemon(true);
        return thread;
    }

    ConsoleSessions sessions() {
        return sessions;
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        setHeaders(exchange.getResponseHeaders());
        // The JDK's server closes the connection of who has not asked for the content, and does not say so before.
        exchange.getRequestBody();
        InetAddress source = exchange.getRemoteAddress().getAddress();
        String refusal = requests.add(source);
        try {
            if (refusal != null) {
                throw new ConsoleException(ConsoleException.TOO_MANY_REQUESTS, refusal);
            }
            answer(exchange);
        } catch (ConsoleException e) {
            LOG.debug("{} of {} is refused: {}", exchange.getRequestURI().getRawPath(), source, e.getMessage());
            exchange.getResponseHeaders().set("Connection", "close");
            send(exchange, e.status(), Map.of("error", e.getMessage()));
        } finally {
            if (refusal == null) {
                requests.remove(source);
            }
        }
    }

    private static void setHeaders(Headers headers) {
        headers.set("Content-Security-Policy", "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none';"
                + " frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'");
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("X-Frame-Options", "DENY");
        headers.set("Referrer-Policy", "no-referrer");
        headers.set("Cross-Origin-Opener-Policy", "same-origin");
        headers.set("Cross-Origin-Resource-Policy", "same-origin");
        headers.set("Cache-Control", "no-store");
    }

    private void answer(HttpExchange exchange) throws IOException, ConsoleException {
        requireSafeWay(exchange);
        String path = exchange.getRequestURI().getRawPath();
        boolean isRead = exchange.getRequestMethod().equals("GET") || exchange.getRequestMethod().equals("HEAD");
        if (path.startsWith(CALLS)) {
            requireMethod(exchange, exchange.getRequestMethod().equals("POST"), "POST");
            call(exchange, path.substring(CALLS.length()));
        } else if (path.equals(PATH)) {
            requireMethod(exchange, isRead, "GET, HEAD");
            exchange.getResponseHeaders().set("Location", PATH + "/");
            exchange.sendResponseHeaders(MOVED, -1);
        } else {
            Asset asset = Asset.BY_PATH.get(path);
            if (asset == null) {
                throw new ConsoleException(ConsoleException.NOT_FOUND, "the console has no such page");
            }
            requireMethod(exchange, isRead, "GET, HEAD");
            send(exchange, OK, asset.contentType(), asset.content());
        }
    }

    /** Neither may a password cross a network in clear, nor may a page of somebody else's name be one of this server. */
    private static void requireSafeWay(HttpExchange exchange) throws ConsoleException {
        if (exchange instanceof HttpsExchange) {
            return;
        }
        if (!exchange.getRemoteAddress().getAddress().isLoopbackAddress()) {
            throw new ConsoleException(ConsoleException.FORBIDDEN, "the console answers other machines by https alone");
        }
        String host = exchange.getRequestHeaders().getFirst("Host");
        if (host == null || !OWN_HOST.matcher(host).matches()) {
            throw new ConsoleException(ConsoleException.FORBIDDEN, "by http the console is called localhost, 127.0.0.1 or [::1]");
        }
    }

    private static void requireMethod(HttpExchange exchange, boolean isAllowed, String allowed) throws ConsoleException {
        if (!isAllowed) {
            exchange.getResponseHeaders().set("Allow", allowed);
            throw new ConsoleException(ConsoleException.METHOD_NOT_ALLOWED, "only " + allowed + " is answered here");
        }
    }

    private void call(HttpExchange exchange, String name) throws IOException, ConsoleException {
        // First: a connection with unread content ends before its answer is read.
        String body = body(exchange);
        requireOwnPage(exchange);
        Fields asked = Fields.parse(body);
        if (name.equals("login")) {
            login(exchange, asked);
            return;
        }
        String token = SessionCookie.token(exchange);
        ConsoleSession session = token == null ? null : sessions.find(token, !name.equals("figures"));
        if (session == null) {
            throw new ConsoleException(ConsoleException.NOT_LOGGED_IN, "there is no session, or not any more: log in");
        }
        if (name.equals("session")) {
            send(exchange, OK, facts(session));
            return;
        }
        if (!session.isCsrfToken(header(exchange, CSRF_HEADER))) {
            throw new ConsoleException(ConsoleException.FORBIDDEN, CSRF_HEADER + " is not that of the session");
        }
        if (name.equals("logout")) {
            sessions.endOfToken(token);
            SessionCookie.clear(exchange);
            send(exchange, OK, Map.of());
            return;
        }
        send(exchange, OK, switch (name) {
            case "search" -> calls.search(session.client(), asked);
            case "figures" -> calls.figures(session.client());
            case "below" -> calls.below(session.client(), asked);
            case "schema" -> calls.schema(session.client());
            case "indexes" -> calls.indexes(session.client());
            case "add" -> calls.add(session.client(), asked);
            case "modify" -> calls.modify(session.client(), asked);
            case "rename" -> calls.rename(session.client(), asked);
            case "delete" -> calls.delete(session.client(), asked);
            case "close" -> calls.close(session.client(), asked);
            case "cancel" -> calls.cancel(session.client(), asked);
            default -> throw new ConsoleException(ConsoleException.NOT_FOUND, "the console has no such call");
        });
    }

    /** No page of another origin can set the header, or send JSON, without asking first, and nobody answers that. */
    private static void requireOwnPage(HttpExchange exchange) throws ConsoleException {
        String scheme = exchange instanceof HttpsExchange ? "https://" : "http://";
        String origin = exchange.getRequestHeaders().getFirst("Origin");
        String site = exchange.getRequestHeaders().getFirst("Sec-Fetch-Site");
        if (header(exchange, CSRF_HEADER).isEmpty() || origin != null && !origin.equals(scheme + header(exchange, "Host"))
                || site != null && !site.equals("same-origin")) {
            throw new ConsoleException(ConsoleException.FORBIDDEN, "only the console's own page is answered, which sends " + CSRF_HEADER);
        }
        if (!header(exchange, "Content-Type").split(";", 2)[0].strip().equalsIgnoreCase(JSON)) {
            throw new ConsoleException(ConsoleException.UNSUPPORTED_MEDIA_TYPE, "expected " + JSON);
        }
    }

    /** Empty if there is none. */
    private static String header(HttpExchange exchange, String name) {
        String value = exchange.getRequestHeaders().getFirst(name);
        return value == null ? "" : value;
    }

    private static String body(HttpExchange exchange) throws IOException, ConsoleException {
        String length = header(exchange, "Content-Length");
        if (!length.matches("\\d{1,18}") || exchange.getRequestHeaders().containsKey("Transfer-Encoding")) {
            throw new ConsoleException(ConsoleException.LENGTH_REQUIRED, "a request says how long it is");
        }
        if (Long.parseLong(length) > MOST_BODY_BYTES) {
            throw new ConsoleException(ConsoleException.CONTENT_TOO_LARGE, "a request of " + length + " bytes; allowed are " + MOST_BODY_BYTES);
        }
        try {
            return Utf8.decode(exchange.getRequestBody().readNBytes(MOST_BODY_BYTES));
        } catch (CharacterCodingException e) {
            throw new ConsoleException(ConsoleException.BAD_REQUEST, "the request is not UTF-8", e);
        }
    }

    private void login(HttpExchange exchange, Fields asked) throws IOException, ConsoleException {
        String dn = asked.text("dn").strip();
        String password = asked.text("password");
        // A bind without one would be anonymous, and succeed whoever asks (RFC 4513 5.1.2).
        if (dn.isEmpty() || password.isEmpty()) {
            throw new ConsoleException(ConsoleException.BAD_REQUEST, "the console wants a DN and its password");
        }
        SSLSession tls = exchange instanceof HttpsExchange secure ? secure.getSSLSession() : null;
        LdapClient client = new LdapClient(answers -> connections.open(exchange.getRemoteAddress(), tls, answers));
        boolean begun = false;
        try {
            requireSuccess(client.ask(LdapCall.bind(dn, password)).result());
            LdapAnswer.Result self = client.ask(LdapCall.extended(WhoAmI.OID, null)).result();
            String identity = self.value() == null || self.value().length == 0 ? "dn:" + dn : Utf8.shown(self.value());
            String before = SessionCookie.token(exchange);
            ConsoleSessions.Begun session = sessions.begin(identity, client);
            begun = true;
            if (before != null) {
                sessions.endOfToken(before);
            }
            SessionCookie.set(exchange, session.token());
            send(exchange, OK, facts(session.session()));
        } catch (AnswerTooLargeException e) {
            throw new ConsoleException(ConsoleException.BAD_GATEWAY, "the answer to a bind is more than the console takes", e);
        } finally {
            if (!begun) {
                client.close();
            }
        }
    }

    private static void requireSuccess(LdapAnswer.Result bind) throws ConsoleException {
        if (!bind.is(ResultCode.SUCCESS)) {
            throw new ConsoleException(ConsoleException.NOT_LOGGED_IN, bind.is(ResultCode.INVALID_CREDENTIALS)
                    ? "the DN or the password is wrong, or the account cannot log in now"
                    : bind.name() + (bind.message().isEmpty() ? "" : ": " + bind.message()));
        }
    }

    private static Map<String, Object> facts(ConsoleSession session) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("identity", session.identity());
        facts.put("csrf", session.csrfToken());
        facts.put("connection", session.client().connectionId());
        facts.put("idleMinutes", ConsoleSessions.IDLE_MINUTES);
        return facts;
    }

    private static void send(HttpExchange exchange, int status, Map<String, Object> told) throws IOException {
        send(exchange, status, JSON, JsonText.of(told).getBytes(StandardCharsets.UTF_8));
    }

    private static void send(HttpExchange exchange, int status, String type, byte[] content) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        HttpPort.sendContent(exchange, status, content);
    }

    /** Ends all sessions. Idempotent. */
    @Override
    public void close() {
        clock.shutdownNow();
        sessions.close();
    }
}
