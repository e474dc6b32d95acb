package org.alder.server.protocol;

import java.net.InetAddress;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.alder.partition.error.ResultCode;
import org.alder.server.access.LimitPolicy;
import org.alder.server.auth.Identity;
import org.alder.server.directory.Administrators;
import org.alder.server.directory.AuthorizationIdentities;
import org.alder.server.login.SaslMechanisms;
import org.alder.server.resource.ClientMemory;
import org.alder.server.resource.FairWorkers;
import org.alder.server.resource.Lag;
import org.alder.server.resource.MemoryBudget;
import org.alder.server.resource.OpenSessions;
import org.alder.server.resource.Quota;
import org.alder.server.wire.Connection;
import org.alder.server.wire.ConnectionLimits;
import org.alder.server.wire.MessageReceiver;

/** Speaks LDAP on all connections: which class answers which request. Thread safe. */
public final class LdapService implements MessageReceiver.Factory {
    static final String SHUTTING_DOWN = "the server is shutting down";

    private static final int MOST_LAGS = 100;

    private final Operation[] operations = new Operation[256];
    private final FairWorkers workers;
    private final ClientMemory memory;
    private final Accounting accounting;
    private final Supplier<TransactionLimits> transactionLimits;
    private final Supplier<ConnectionLimits> connections;
    /** Connections by who has bound. */
    private final Quota identitiesBound;
    private final AuthorizationIdentities identities;
    private final SaslMechanisms mechanisms;
    private final Administrators administrators;
    private final LimitPolicy limits;
    private final OpenSessions sessions;
    private final OtherMembers members;
    private volatile boolean draining;

    /**
     * @param operations all that are answered
     * @param identities finds in whose name requests are, if not in that of who sends them
     * @param mechanisms by which clients can be authenticated
     * @param administrators tells who is an administrator when a request begins
     * @param limits says what clients may cost
     * @param accounting is told how each request ended
     * @param transactionLimits asked when a connection is opened
     * @param connections what one of them, and one identity, may have; asked whenever there is one more
     * @param workers runs what takes longer than an I/O thread may be kept
     * @param memory counts what requests hold
     * @param sessions gets the connections that are open
     * @param members who may lead what this one does not
     */
    public LdapService(List<Operation> operations, AuthorizationIdentities identities, SaslMechanisms mechanisms,
                       Administrators administrators, LimitPolicy limits, Accounting accounting,
                       Supplier<TransactionLimits> transactionLimits, Supplier<ConnectionLimits> connections, FairWorkers workers, MemoryBudget memory,
                       OpenSessions sessions, OtherMembers members) {
        operations.forEach(operation -> this.operations[operation.requestTag()] = operation);
        this.identities = identities;
        this.mechanisms = mechanisms;
        this.administrators = administrators;
        this.limits = limits;
        this.accounting = accounting;
        this.transactionLimits = transactionLimits;
        this.connections = connections;
        this.identitiesBound = new Quota(() -> Integer.MAX_VALUE, () -> connections.get().connectionsPerIdentity(), "connections", "maxConnections",
                "maxConnectionsPerIdentity");
        this.workers = workers;
        this.memory = new ClientMemory(memory);
        this.sessions = sessions;
        this.members = members;
    }

    @Override
    public MessageReceiver opened(Connection connection) {
        LdapSession session = new LdapSession(this, connection);
        session.client().limit(Identity.ANONYMOUS);
        if (connection.handed() != null) {
            session.client().beHanded(connection.handed());
        }
        sessions.add(session);
        if (draining) {
            session.drain();
        }
        return session;
    }

    /** Connections that are open. */
    public int sessionCount() {
        return sessions.count();
    }

    /** Requests that are being answered. */
    public long runningRequests() {
        return sessions.all().stream().mapToLong(session -> ((LdapSession) session).requests()).sum();
    }

    /** Those among them that go on for as long as their clients like. */
    public long followedSearches() {
        return sessions.all().stream().mapToLong(session -> ((LdapSession) session).lags().size()).sum();
    }

    /** How far they are behind, by the addresses of their clients: of each the search that is most; those that are furthest behind, not more than 100. */
    public Map<String, Lag> lags() {
        Map<String, Lag> all = new HashMap<>();
        for (OpenSessions.Session session : sessions.all()) {
            Connection connection = ((LdapSession) session).connection();
            ((LdapSession) session).lags().forEach(lag -> all.merge(address(connection.source()), lag, Lag::or));
        }
        Map<String, Lag> found = new TreeMap<>();
        all.entrySet().stream().sorted(Comparator.comparingLong((Map.Entry<String, Lag> each) -> each.getValue().nanos()).reversed()).limit(MOST_LAGS)
                .forEach(each -> found.put(each.getKey(), each.getValue()));
        return found;
    }

    private static String address(Object source) {
        return source instanceof InetAddress address ? address.getHostAddress() : source.toString();
    }

    /** Output that clients have not read yet, of the connection that has most. */
    public long mostQueuedBytes() {
        return sessions.all().stream().mapToLong(session -> ((LdapSession) session).connection().queuedBytes()).max().orElse(0);
    }

    /** Begins no more requests, and disconnects who waits for nothing; others when what they wait for has ended. */
    public void drain() {
        draining = true;
        sessions.all().forEach(session -> ((LdapSession) session).drain());
    }

    /** Tells all clients that the server goes away (RFC 4511 4.4.1). */
    public void disconnectAll() {
        sessions.all().forEach(session -> session.close(SHUTTING_DOWN));
    }

    /** @return null if no request has this tag */
    Operation operation(int tag) {
        return tag < 0 ? null : operations[tag];
    }

    AuthorizationIdentities identities() {
        return identities;
    }

    SaslMechanisms mechanisms() {
        return mechanisms;
    }

    Administrators administrators() {
        return administrators;
    }

    LimitPolicy limits() {
        return limits;
    }

    Accounting accounting() {
        return accounting;
    }

    TransactionLimits transactionLimits() {
        return transactionLimits.get();
    }

    OtherMembers members() {
        return members;
    }

    /** Requests of one connection that may be under way at a time. */
    int mostOperations() {
        return connections.get().operations();
    }

    Quota identitiesBound() {
        return identitiesBound;
    }

    FairWorkers workers() {
        return workers;
    }

    ClientMemory memory() {
        return memory;
    }

    void closed(LdapSession session) {
        sessions.remove(session);
    }
}
