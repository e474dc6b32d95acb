package org.alder.server.directory.own;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.request.SearchScope;
import org.alder.partition.schema.Schema;
import org.alder.server.audit.AuditTrail;
import org.alder.server.directory.Change;
import org.alder.server.directory.OperationContext;
import org.alder.server.directory.OperationOptions;
import org.alder.server.directory.SearchRequest;
import org.alder.server.resource.OpenSessions;

/**
 * The open connections as entries below {@code cn=connections,cn=Monitor}, and below each the requests of it that are being answered, or wait for that. To
 * delete the entry of a connection closes it, to delete that of a request ends it. Thread safe.
 */
public final class MonitoredConnections {
    private static final String NAME = "connections";
    private static final String DN = "cn=" + NAME + "," + Monitor.DN;
    private static final int DEPTH = 3;
    /** The IDs of connections' entries are behind those of all others, with room for those of requests between them. */
    private static final long FIRST_ID = 1L << 32;
    private static final int REQUEST_BITS = 20;
    private static final String NUMBER = "[1-9][0-9]{0,17}";

    private final Schema schema;
    private final OpenSessions sessions;

    MonitoredConnections(Schema schema, OpenSessions sessions) {
        this.schema = schema;
        this.sessions = sessions;
    }

    /** Whether the name is one that connections and their requests have. */
    public static boolean contains(Dn dn) {
        return (dn.size() == DEPTH || dn.size() == DEPTH + 1) && isAll(dn.ancestor(2));
    }

    private static boolean isAll(Dn dn) {
        return dn.size() == 2 && Monitor.contains(dn) && NAME.equals(ServerEntry.commonName(dn.rdn(0)));
    }

    /** Null if none that is open has this name, nor has a request of this name. */
    private OpenSessions.Session connection(Dn dn) {
        long id = contains(dn) ? number(dn, dn.size() - DEPTH) : 0;
        return id == 0 ? null : sessions.get(id);
    }

    /** Null if the name is not that of a request that is being answered. */
    private static OpenSessions.Running request(OpenSessions.Session connection, Dn dn) {
        long id = connection == null || dn.size() == DEPTH ? 0 : number(dn, 0);
        return id == 0 || id > Integer.MAX_VALUE ? null : connection.running((int) id);
    }

    /** 0 if that part of the name is not a number. */
    private static long number(Dn dn, int rdn) {
        String name = ServerEntry.commonName(dn.rdn(rdn));
        return name != null && name.matches(NUMBER) ? Long.parseLong(name) : 0;
    }

    /** Whether there is a connection, or a request, of this name. */
    boolean has(Dn dn) {
        OpenSessions.Session connection = connection(dn);
        return connection != null && (dn.size() == DEPTH || request(connection, dn) != null);
    }

    /** Those that a search finds, each made when it is its turn. */
    Stream<ServerEntry> inScope(SearchRequest request) {
        Dn base = request.base();
        SearchScope scope = request.scope();
        OpenSessions.Session named = connection(base);
        if (named != null) {
            return base.size() == DEPTH ? of(named, scope) : request(named, base, scope);
        }
        if (base.size() == 1 && (scope == SearchScope.SUBTREE || scope == SearchScope.CHILDREN) || isAll(base) && scope != SearchScope.BASE) {
            SearchScope each = scope == SearchScope.ONE_LEVEL ? SearchScope.BASE : SearchScope.SUBTREE;
            return sessions.all().stream().flatMap(session -> of(session, each));
        }
        return Stream.empty();
    }

    private Stream<ServerEntry> request(OpenSessions.Session connection, Dn dn, SearchScope scope) {
        OpenSessions.Running running = scope == SearchScope.BASE || scope == SearchScope.SUBTREE ? request(connection, dn) : null;
        return running == null ? Stream.empty() : Stream.of(entry(connection, running, 1));
    }

    /** A connection, or what is below it. */
    private Stream<ServerEntry> of(OpenSessions.Session connection, SearchScope scope) {
        Stream<ServerEntry> self = scope == SearchScope.BASE || scope == SearchScope.SUBTREE ? Stream.of(connection).map(this::entry) : Stream.empty();
        return scope == SearchScope.BASE ? self : Stream.concat(self, requests(connection));
    }

    private Stream<ServerEntry> requests(OpenSessions.Session connection) {
        List<OpenSessions.Running> running = connection.running();
        return IntStream.range(0, running.size()).mapToObj(i -> entry(connection, running.get(i), Math.min(i + 1, (1 << REQUEST_BITS) - 1)));
    }

    private ServerEntry entry(OpenSessions.Session session) {
        OpenSessions.Facts facts = session.facts();
        Figures figures = new Figures("alderConnection", Long.toString(session.id()))
                .text("alderClient", facts.client())
                .text("alderStartTime", Subschema.GENERALIZED_TIME.format(facts.opened()))
                .number("alderOperations", facts.operations())
                .number("alderHeldBytes", facts.held().allBytes())
                .textIfAny("alderAuthorizationIdentity", facts.identity())
                .textIfAny("alderMechanism", facts.mechanism())
                .textIfAny("alderTls", facts.tls());
        facts.held().bytes().forEach((what, bytes) -> figures.value("alderHeldBytesOfKind", what.label() + " " + bytes));
        if (facts.lastOperation() != null) {
            figures.text("alderLastOperation", facts.lastOperation())
                    .text("alderLastRequestTime", Subschema.GENERALIZED_TIME.format(facts.lastRequest()));
        }
        return new ServerEntry(schema, figures.entry(FIRST_ID + (session.id() << REQUEST_BITS), "cn=" + session.id(), "," + DN));
    }

    private ServerEntry entry(OpenSessions.Session session, OpenSessions.Running running, int ordinal) {
        String name = Integer.toString(running.messageId());
        Figures figures = new Figures("alderOperation", name)
                .text("alderOperationKind", running.kind())
                .text("alderStartTime", Subschema.GENERALIZED_TIME.format(running.came()))
                .number("alderRunningMicros", running.micros())
                .textIfAny("alderRequest", running.request())
                .textIfAny("alderAuthorizationIdentity", running.identity())
                .text("alderOperationState", running.waiting() ? "waiting" : "running")
                .text("alderFollowed", running.lag() != null ? "TRUE" : "FALSE");
        if (running.lag() != null) {
            figures.number("alderLagChanges", running.lag().changes()).number("alderLagMillis", TimeUnit.NANOSECONDS.toMillis(running.lag().nanos()));
        }
        return new ServerEntry(schema, figures.entry(FIRST_ID + (session.id() << REQUEST_BITS) + ordinal, "cn=" + name, ",cn=" + session.id() + "," + DN));
    }

    /** Closes a connection, or ends a request of one; only for administrators. The audit log is told. */
    public CompletableFuture<Change> delete(OperationContext context, Dn dn) {
        try {
            OpenSessions.Session connection = connection(dn);
            OpenSessions.Running request = request(connection, dn);
            requireMayEnd(context, dn);
            if (connection == null || dn.size() > DEPTH && request == null) {
                throw DirectoryException.noSuchObject(dn.text(), connection == null ? DN : "cn=" + connection.id() + "," + DN);
            }
            OpenSessions.Facts facts = connection.facts();
            String whose = "the connection of " + facts.client() + (facts.identity().isEmpty() ? "" : " as " + facts.identity());
            if (request != null) {
                connection.end(request.messageId(), "an administrator has ended the " + request.kind());
                context.audit().tell(AuditTrail.Kind.CONFIGURATION, "operationEnded", dn.text(), "a " + request.kind() + " of " + whose);
            } else if (context.client() != null && connection.id() == context.client().connectionId()) {
                throw new DirectoryException(ResultCode.UNWILLING_TO_PERFORM,
                        "\"" + dn.text() + "\" is the connection that the request came over: unbind to close it");
            } else {
                context.audit().tell(AuditTrail.Kind.CONFIGURATION, "connectionClosed", dn.text(), whose);
                connection.close("an administrator has closed the connection");
            }
            return CompletableFuture.completedFuture(Change.UNSEEN);
        } catch (DirectoryException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private static void requireMayEnd(OperationContext context, Dn dn) throws DirectoryException {
        String what = dn.size() == DEPTH ? "a connection, which is closed" : "a request, which is ended";
        if (!context.identity().administrator()) {
            throw new DirectoryException(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, "only administrators may close connections and end their requests");
        }
        if (context.transaction() != null || context.options() != OperationOptions.NONE) {
            throw new DirectoryException(ResultCode.UNWILLING_TO_PERFORM, "\"" + dn.text() + "\" is " + what + " at once and without controls");
        }
    }
}
