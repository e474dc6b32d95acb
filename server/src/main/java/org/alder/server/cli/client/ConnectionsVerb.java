package org.alder.server.cli.client;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.schema.Schema;
import org.alder.partition.schema.value.GeneralizedTimeForm;
import org.alder.partition.text.Counted;
import org.alder.partition.text.JsonReader;
import org.alder.partition.text.JsonText;
import org.alder.partition.text.Utf8;
import org.alder.server.cli.option.CommandException;
import org.alder.server.cli.option.DataOptions;
import org.alder.server.cli.option.JsonOption;
import org.alder.server.cli.option.Verb;
import org.alder.server.cli.option.WrongCallException;
import org.alder.server.cli.output.TerminalText;
import org.alder.server.client.LdapAnswer;
import org.alder.server.config.ConfigurationException;
import org.alder.server.wire.AddressRange;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Shows and closes the connections of a running server, and shows and ends what is being done for them: both are entries below
 * {@code cn=Monitor}.
 */
@Command(name = "connections", mixinStandardHelpOptions = true,
        description = "Show or close connections of the running server, and show or end their running requests, over LDAP.",
        footer = {"  alder connections --limit 10",
                "  alder connections --identity uid=alice,ou=users,dc=example,dc=com --idle 600",
                "  alder connections close --address 192.0.2.0/24",
                "  alder connections requests --running 10",
                "  alder connections cancel --id 4711 --message 17"})
public final class ConnectionsVerb implements Verb {
    private static final String BASE = "cn=connections,cn=Monitor";
    private static final String LINE = "%-8s %-24s %-9s %-10s %4s %10s  %-22s %s";

    private static final String REQUEST_LINE = "%-8s %-10s %-16s %10s  %-44s %s";
    private static final String SEARCH = "search";

    private enum Action {
        LIST, CLOSE, REQUESTS, CANCEL
    }

    @Mixin
    private DataOptions data;

    @Mixin
    private ServerOptions server;

    @Option(names = "--id", paramLabel = "N", description = "Only the connection with this number; may be repeated.")
    private List<Long> ids = List.of();

    @Option(names = "--identity", paramLabel = "DN", description = "Only those that have bound as this DN; \"\" for those that have not bound.")
    private String identity;

    @Option(names = "--address", paramLabel = "A", description = "Only those from this address, without a port, or from a range such as "
            + "192.0.2.0/24; unix:USER for unix-domain sockets.")
    private String address;

    @Option(names = "--idle", paramLabel = "S", description = "Only those that have been idle for at least this many seconds.")
    private Integer idleSeconds;

    @Option(names = "--message", paramLabel = "M", description = "requests, cancel: only the request with this message ID.")
    private Integer message;

    @Option(names = "--running", paramLabel = "S", description = "requests, cancel: only those that came at least this many seconds ago.")
    private Integer runningSeconds;

    @Option(names = "--limit", paramLabel = "N", defaultValue = "100", description = "How many are shown, those that hold most memory first, or "
            + "the requests that have run longest; 0 = all. Default: ${DEFAULT-VALUE}.")
    private int most;

    @Mixin
    private JsonOption json;

    @Parameters(index = "0", paramLabel = "ACTION", arity = "0..1", defaultValue = "list", description = "list: show connections. close: close "
            + "those that match all of --id, --identity, --address and --idle (at least one is needed), and print how many. requests: show running "
            + "requests. cancel: end the searches that match all of --id, --identity, --address, --message and --running (at least one is needed); "
            + "searches that follow changes only by --message.")
    private Action action;

    @Spec
    private CommandSpec command;

    /** One connection, as its entry says. */
    private record Row(String dn, long id, String client, String identity, Instant opened, Instant last, long heldBytes,
                       Map<String, String> all) {
        String get(String name) {
            return all.getOrDefault(name, "");
        }
    }

    /** A request of a connection that is being answered. */
    private record Running(Row connection, String dn, int message, String kind, boolean waiting, long micros, boolean followed, long lagChanges, long lagMillis,
                           String identity, String request) {
    }

    @Override
    public Integer call() throws IOException, ConfigurationException, CommandException, DirectoryException {
        requireSense();
        Schema schema = data.schema();
        Dn wanted = identity == null ? null : Dn.parse(schema, identity);
        AddressRange range = range();
        Instant now = Instant.now();
        try (ServerConnection calls = server.open(data)) {
            List<Row> rows = new ArrayList<>();
            for (LdapAnswer.Entry entry : calls.children(BASE)) {
                Row row = row(entry);
                if (isMeant(schema, wanted, range, now, row)) {
                    rows.add(row);
                }
            }
            rows.sort(Comparator.comparingLong(Row::heldBytes).reversed().thenComparingLong(Row::id));
            switch (action) {
                case LIST -> print(rows);
                case CLOSE -> close(calls, rows);
                case REQUESTS -> printRequests(requests(calls, rows));
                case CANCEL -> cancel(calls, requests(calls, rows));
            }
        }
        return 0;
    }

    private void requireSense() throws CommandException {
        if (most < 0) {
            throw new WrongCallException("--limit " + most + ": expected a number that is not negative");
        }
        requireSeconds("--idle", idleSeconds);
        requireSeconds("--running", runningSeconds);
        boolean someConnections = !ids.isEmpty() || identity != null || address != null;
        boolean ofRequests = action == Action.REQUESTS || action == Action.CANCEL;
        if (!ofRequests && (message != null || runningSeconds != null)) {
            throw new WrongCallException("--message and --running are about requests: see alder connections requests");
        }
        if (ofRequests && idleSeconds != null) {
            throw new WrongCallException("--idle is about connections for which nothing is being done");
        }
        if (action == Action.CLOSE && !someConnections && idleSeconds == null) {
            throw new WrongCallException("close: say which with --id, --identity, --address or --idle");
        }
        if (action == Action.CANCEL && !someConnections && message == null && runningSeconds == null) {
            throw new WrongCallException("cancel: say which with --id, --identity, --address, --message or --running");
        }
    }

    private static void requireSeconds(String option, Integer seconds) throws CommandException {
        if (seconds != null && seconds < 0) {
            throw new WrongCallException(option + " " + seconds + ": expected seconds, not negative");
        }
    }

    /** Those that are meant, and have run longest first. */
    private List<Running> requests(ServerConnection calls, List<Row> connections) throws IOException, CommandException {
        List<Running> found = new ArrayList<>();
        for (Row row : connections) {
            if (!row.get("alderOperations").equals("0")) {
                // One that has been closed meanwhile is no fault.
                calls.childrenIfThere(row.dn).stream().map(entry -> running(row, entry)).filter(this::isMeant).forEach(found::add);
            }
        }
        found.sort(Comparator.comparingLong(Running::micros).reversed());
        return found;
    }

    private boolean isMeant(Running running) {
        return (message == null || message == running.message)
                && (runningSeconds == null || running.micros >= TimeUnit.SECONDS.toMicros(runningSeconds));
    }

    private static Running running(Row connection, LdapAnswer.Entry entry) {
        Map<String, String> all = texts(entry);
        return new Running(connection, entry.dn(), Integer.parseInt(all.get("cn")), all.get("alderOperationKind"),
                all.get("alderOperationState").equals("waiting"), Long.parseLong(all.get("alderRunningMicros")), all.get("alderFollowed").equals("TRUE"),
                Long.parseLong(all.getOrDefault("alderLagChanges", "0")), Long.parseLong(all.getOrDefault("alderLagMillis", "0")), all.getOrDefault("alderAuthorizationIdentity", ""),
                all.getOrDefault("alderRequest", "{}"));
    }

    private void printRequests(List<Running> requests) {
        PrintWriter out = command.commandLine().getOut();
        List<Running> shown = most == 0 ? requests : requests.subList(0, Math.min(most, requests.size()));
        if (json.isOn()) {
            shown.forEach(each -> out.println(JsonText.of(facts(each))));
        } else {
            out.println(String.format(Locale.ROOT, REQUEST_LINE, "id", "message", "kind", "ms", "identity", "request"));
            for (Running each : shown) {
                out.println(String.format(Locale.ROOT, REQUEST_LINE, each.connection.id, each.message, each.kind + standing(each),
                        each.micros / 1000, each.identity.isEmpty() ? "anonymous" : each.identity, TerminalText.shown(each.request)));
            }
            if (shown.size() < requests.size()) {
                out.println("and " + (requests.size() - shown.size()) + " more that came later: --limit 0 shows all");
            }
        }
        out.flush();
    }

    private static String standing(Running running) {
        return running.waiting ? " (waits)" : running.followed ? " (on)" : "";
    }

    private static Map<String, Object> facts(Running running) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("id", running.connection.id);
        facts.put("client", running.connection.client);
        facts.put("message", running.message);
        facts.put("kind", running.kind);
        facts.put("identity", running.identity);
        facts.put("micros", running.micros);
        facts.put("waiting", running.waiting);
        facts.put("followed", running.followed);
        if (running.followed) {
            facts.put("lagChanges", running.lagChanges);
            facts.put("lagMillis", running.lagMillis);
        }
        facts.put("request", JsonReader.parse(running.request));
        return facts;
    }

    /** Those of other kinds are done whole; one that was named is a fault. */
    private void cancel(ServerConnection calls, List<Running> requests) throws IOException, CommandException {
        int canceled = 0;
        for (Running each : requests) {
            if (message != null && !each.kind.equals(SEARCH)) {
                throw new CommandException("request " + message + " of connection " + each.connection.id + " is a " + each.kind
                        + ", which is done whole once it has begun: only searches are canceled");
            }
            if (message != null || each.kind.equals(SEARCH) && !each.followed) {
                // One that has ended meanwhile is no fault.
                canceled += calls.deleteIfThere(each.dn) ? 1 : 0;
            }
        }
        tell("canceled", canceled, "request");
    }

    private static Map<String, String> texts(LdapAnswer.Entry entry) {
        Map<String, String> all = new LinkedHashMap<>();
        entry.byDescription().forEach((name, values) -> all.put(name,
                values.stream().map(Utf8::shown).collect(Collectors.joining(", "))));
        return all;
    }

    private static Row row(LdapAnswer.Entry entry) throws DirectoryException {
        Map<String, String> all = texts(entry);
        return new Row(entry.dn(), Long.parseLong(all.get("cn")), all.get("alderClient"), all.getOrDefault("alderAuthorizationIdentity", ""),
                time(all.get("alderStartTime")), time(all.get("alderLastRequestTime")), Long.parseLong(all.get("alderHeldBytes")), all);
    }

    /** Null for none. */
    private static Instant time(String text) throws DirectoryException {
        return text == null ? null : GeneralizedTimeForm.instant(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** Null if the address is not one of IP. */
    private AddressRange range() throws CommandException {
        if (address == null || address.startsWith("unix:")) {
            return null;
        }
        try {
            return AddressRange.parse(address);
        } catch (IllegalArgumentException e) {
            throw new WrongCallException("--address " + address + ": expected such as 192.0.2.7, 192.0.2.0/24, 2001:db8::/32 or unix:root", e);
        }
    }

    private boolean isMeant(Schema schema, Dn wanted, AddressRange range, Instant now, Row row) {
        return (ids.isEmpty() || ids.contains(row.id)) && (wanted == null || isOf(schema, wanted, row.identity))
                && (address == null || (range == null ? row.client.equals(address) : isIn(range, row.client)))
                && (idleSeconds == null || isIdle(row, now));
    }

    /** @param client an address and a port, or a user of the machine */
    private static boolean isIn(AddressRange range, String client) {
        String host = client.substring(0, Math.max(0, client.lastIndexOf(':')));
        String address = host.indexOf('%') < 0 ? host : host.substring(0, host.indexOf('%'));
        try {
            // A name would be looked up.
            AddressRange.parse(address);
            return range.contains(InetAddress.getByName(address));
        } catch (IllegalArgumentException | UnknownHostException e) {
            return false;
        }
    }

    private boolean isIdle(Row row, Instant now) {
        Instant since = row.last == null ? row.opened : row.last;
        return row.get("alderOperations").equals("0") && !since.isAfter(now.minusSeconds(idleSeconds));
    }

    private static boolean isOf(Schema schema, Dn wanted, String authorizationId) {
        try {
            return authorizationId.isEmpty() ? wanted.isRoot() : wanted.equals(Dn.parse(schema, authorizationId.substring("dn:".length())));
        } catch (DirectoryException e) {
            // The server knows attributes that this schema has not: then it is somebody else.
            return false;
        }
    }

    private void close(ServerConnection calls, List<Row> rows) throws IOException, CommandException {
        int closed = 0;
        for (Row row : rows) {
            // One that has gone meanwhile, and the one that asks, are no faults.
            closed += calls.deleteIfThere(row.dn) ? 1 : 0;
        }
        tell("closed", closed, "connection");
    }

    /** @throws CommandException if there were none: whoever wanted something ended believes that it is otherwise */
    private void tell(String done, int count, String what) throws CommandException {
        PrintWriter out = command.commandLine().getOut();
        if (json.isOn()) {
            out.println(JsonText.of(Map.of(done, count)));
        } else if (count > 0) {
            out.println(Counted.of(count, what) + " " + done);
        }
        out.flush();
        if (count == 0) {
            throw new CommandException(action.name().toLowerCase(Locale.ROOT) + ": no " + what + " was " + done + ": there is none that is meant, but perhaps"
                    + " that of this command, or one that is gone meanwhile (alder connections " + (action == Action.CLOSE ? "list" : "requests") + " shows them)");
        }
    }

    private void print(List<Row> rows) {
        PrintWriter out = command.commandLine().getOut();
        List<Row> shown = most == 0 ? rows : rows.subList(0, Math.min(most, rows.size()));
        Instant now = Instant.now();
        if (json.isOn()) {
            shown.forEach(row -> out.println(JsonText.of(facts(row, now))));
        } else {
            out.println(line("id", "client", "age", "TLS", "ops", "bytes", "last", "identity"));
            for (Row row : shown) {
                String tls = row.get("alderTls");
                out.println(line(row.id, row.client, duration(row.opened, now), tls.isEmpty() ? "none" : tls.substring(0, tls.indexOf(' ')),
                        row.get("alderOperations"), row.heldBytes, last(row, now), row.identity.isEmpty() ? "anonymous" : row.identity));
            }
            if (shown.size() < rows.size()) {
                out.println("and " + (rows.size() - shown.size()) + " more that hold less: --limit 0 shows all");
            }
        }
        out.flush();
    }

    private static String line(Object... columns) {
        return String.format(Locale.ROOT, LINE, columns).stripTrailing();
    }

    private static String last(Row row, Instant now) {
        String kind = row.get("alderLastOperation");
        return kind.isEmpty() ? "none" : kind + ", " + duration(row.last, now) + " ago";
    }

    private static String duration(Instant from, Instant to) {
        Duration age = Duration.between(from, to);
        return age.isNegative() ? "0s" : age.toDays() > 0 ? age.toDays() + "d" + age.toHoursPart() + "h"
                : age.toHours() > 0 ? age.toHours() + "h" + age.toMinutesPart() + "m"
                : age.toMinutes() > 0 ? age.toMinutes() + "m" + age.toSecondsPart() + "s" : age.toSeconds() + "s";
    }

    private static Map<String, Object> facts(Row row, Instant now) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("id", row.id);
        facts.put("client", row.client);
        facts.put("identity", row.identity);
        facts.put("mechanism", row.get("alderMechanism"));
        facts.put("tls", row.get("alderTls"));
        facts.put("ageSeconds", Duration.between(row.opened, now).toSeconds());
        facts.put("operations", Long.parseLong(row.get("alderOperations")));
        facts.put("heldBytes", row.heldBytes);
        facts.put("heldFor", row.get("alderHeldBytesOfKind"));
        facts.put("lastOperation", row.get("alderLastOperation"));
        facts.put("lastRequestTime", row.get("alderLastRequestTime"));
        return facts;
    }
}
