package org.alder.server.protocol;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.server.access.Limit;
import org.alder.server.access.LimitKind;
import org.alder.server.access.LimitSet;
import org.alder.server.access.Requester;
import org.alder.server.audit.AuditedConnection;
import org.alder.server.auth.Identity;
import org.alder.server.directory.Administrators;
import org.alder.server.directory.Client;
import org.alder.server.login.SaslNegotiation;
import org.alder.server.resource.ClientMemory;
import org.alder.server.resource.FairWorkers;
import org.alder.server.resource.Holding;
import org.alder.server.resource.MemoryBudget;
import org.alder.server.wire.Connection;
import org.alder.server.wire.HandedClient;
import org.alder.server.wire.IdleLimit;
import org.alder.server.wire.PeerCredentials;

/**
 * Who is at the other end of a connection: as whom he has logged in and how (RFC 4511 4.2.1), and what he may take of what is limited.
 * Thread safe; the identity changes in binds alone, and nothing runs beside one.
 */
final class RemoteClient implements Client {
    private final LdapService service;
    private final Connection connection;
    private final Object source;
    private final Transactions transactions;
    private final FairWorkers.Lane lane;
    private final BooleanSupplier binding;
    /** Who he is, as long as nobody knows more than his address. */
    private final ClientMemory.Client unknown;
    private final Object lock = new Object();
    /** Whose memory requests take; null when the connection is gone. */
    private volatile ClientMemory.Client holder;
    private volatile Identity identity = Identity.ANONYMOUS;
    /** What its entry said of its limits when it has bound. */
    private volatile LimitSet ownLimits = LimitSet.EMPTY;
    /** As whose connection it counts; null for nobody's. Guarded by the lock. */
    private String countedAs;
    /** How the identity was proved, or is to be proved by the bind that is going on. */
    private volatile String mechanism = "";
    /** What that identity was when a request was begun last; null at first. */
    private volatile Administrators.Standing standing;
    /** What the audit log is told of the connection; null if nothing yet. */
    private volatile AuditedConnection audited;
    /** Null if no authentication is between two binds. */
    private volatile Negotiation negotiation;
    /** Why it is not known who he is for whom another member speaks; null otherwise. */
    private volatile DirectoryException refusal;

    /** @param transactions those of the connection  @param lane where its work waits  @param binding whether a bind is going on */
    RemoteClient(LdapService service, Connection connection, Transactions transactions, FairWorkers.Lane lane, BooleanSupplier binding) {
        this.service = service;
        this.connection = connection;
        this.source = connection.source();
        this.transactions = transactions;
        this.lane = lane;
        this.binding = binding;
        this.unknown = service.memory().client(source, false);
        this.holder = service.memory().client(source, false);
    }

    @Override
    public long connectionId() {
        return connection.id();
    }

    @Override
    public Object source() {
        return source;
    }

    @Override
    public InetAddress address() {
        return connection.remoteAddress() instanceof InetSocketAddress remote ? remote.getAddress() : null;
    }

    @Override
    public int strength() {
        return connection.strength();
    }

    @Override
    public boolean isTls() {
        return connection.isTls();
    }

    @Override
    public String mechanism() {
        return binding.getAsBoolean() || !identity.isAnonymous() ? mechanism : "";
    }

    @Override
    public boolean acceptsPasswords() {
        return connection.acceptsPasswords();
    }

    @Override
    public List<String> saslMechanisms() {
        return service.mechanisms().available(connection);
    }

    /** An authentication that goes on with the next bind (RFC 4513 5.2.1). @param memory what its state has */
    private record Negotiation(String mechanism, SaslNegotiation state, MemoryBudget.Share memory) {
    }

    /** @param memory what the state has, which is given back when the authentication goes on or ends */
    void setNegotiation(String mechanism, SaslNegotiation state, MemoryBudget.Share memory) {
        synchronized (lock) {
            endNegotiation();
            if (holder == null) {
                memory.close();
            } else {
                negotiation = new Negotiation(mechanism, state, memory);
            }
        }
    }

    void endNegotiation() {
        synchronized (lock) {
            if (negotiation != null) {
                negotiation.memory.close();
                negotiation = null;
            }
        }
    }

    /** What the authentication between two binds has of the server's memory. */
    long negotiationBytes() {
        Negotiation begun = negotiation;
        return begun == null ? 0 : begun.memory.bytes();
    }

    /** Whether an authentication is between two binds. */
    boolean isAuthenticating() {
        return negotiation != null;
    }

    /** @return null if none was begun by this mechanism */
    SaslNegotiation negotiation(String mechanism) {
        Negotiation begun = negotiation;
        return begun != null && begun.mechanism.equals(mechanism) ? begun.state : null;
    }

    /** He is who another member of the cluster says: of its configuration an administrator here, as everywhere, is who is one here. */
    void beHanded(HandedClient from) {
        mechanism = from.mechanism();
        try {
            Dn dn = service.identities().dn(from.dn());
            boolean administrator = from.isAdministrator() && service.administrators().isConfigured(dn);
            setIdentity(dn.isRoot() ? Identity.ANONYMOUS : new Identity(dn, administrator, from.mustChangePassword()));
        } catch (DirectoryException e) {
            refusal = e;
        }
    }

    /** As whom another member of the cluster is to take him. */
    HandedClient handedTo(OtherMembers members) {
        Identity now = identity();
        PeerCredentials user = connection.peerCredentials();
        return new HandedClient(members.own(), connection.remoteAddress() instanceof InetSocketAddress remote ? remote : null,
                user == null ? "" : user.user(), user == null ? 0 : user.uid(), connection.isTls() ? connection.tlsName() : "", strength(),
                connection.isProtected(), acceptsPasswords(), now.isAnonymous() ? "" : now.dn().text(), now.administrator(),
                now.mustChangePassword(), mechanism());
    }

    /** @throws DirectoryException where it could not be found out who he is: no request of his may begin */
    void requireKnown() throws DirectoryException {
        if (refusal != null) {
            throw refusal;
        }
    }

    /** For requests that wait, and belong to an address alone. */
    MemoryBudget.Share openQueueMemory() {
        return unknown.open(Holding.WAITING_REQUEST);
    }

    /** For a request in the name of who is bound. */
    MemoryBudget.Share openMemory(Holding what) {
        ClientMemory.Client now = holder;
        return (now == null ? unknown : now).open(what);
    }

    /** Who has logged in, as it was then. */
    Identity boundIdentity() {
        return identity;
    }

    void setMechanism(String newMechanism) {
        mechanism = newMechanism;
    }

    /** In whose name a request is that begins now. Whoever was an administrator when he logged in may be none any more. */
    Identity identity() {
        Administrators.Standing last = standing;
        Administrators.Standing now = service.administrators().standing(identity, last);
        if (now != last) {
            standing = now;
            if (last != null && last.now().administrator() && !now.now().administrator()) {
                transactions.clear();
            }
        }
        return now.now();
    }

    /** What the audit log is told of the connection as it is now. */
    AuditedConnection audited() {
        AuditedConnection last = audited;
        String tls = connection.tlsName();
        String name = tls == null ? "none" : tls;
        String by = identity.isAnonymous() ? null : mechanism;
        if (last == null || !Objects.equals(last.mechanism(), by) || !last.tls().equals(name)) {
            last = new AuditedConnection(connection.id(), connection.client(), name, by);
            audited = last;
        }
        return last;
    }

    /**
     * Whoever the client was before, his transactions are forgotten.
     *
     * @throws DirectoryException busy if too many connections have bound as this one: then this one is anonymous
     */
    void setIdentity(Identity newIdentity) throws DirectoryException {
        transactions.clear();
        String refusal = count(newIdentity);
        if (refusal != null) {
            throw new DirectoryException(ResultCode.BUSY, refusal);
        }
        become(newIdentity);
    }

    /** Whoever the client was before, he is nobody from now on, and his transactions are forgotten. */
    void beAnonymous() {
        transactions.clear();
        count(Identity.ANONYMOUS);
        become(Identity.ANONYMOUS);
    }

    private void become(Identity newIdentity) {
        identity = newIdentity;
        limit(newIdentity);
        Object name = newIdentity.isAnonymous() ? source : newIdentity.dn();
        lane.belongTo(name);
        synchronized (lock) {
            if (holder != null) {
                holder.close();
                holder = service.memory().client(name, newIdentity.administrator());
            }
        }
        connection.setAuthenticated(!newIdentity.isAnonymous());
    }

    /** Counts the connection as one of this identity instead of that before; as nobody's, if that is refused, or it is closed. */
    private String count(Identity newIdentity) {
        synchronized (lock) {
            if (countedAs != null) {
                service.identitiesBound().unidentify(countedAs);
                countedAs = null;
            }
            if (holder == null || newIdentity.isAnonymous() || newIdentity.administrator()) {
                return null;
            }
            String refusal = service.identitiesBound().identify(newIdentity.authorizationId());
            countedAs = refusal == null ? newIdentity.authorizationId() : null;
            return refusal;
        }
    }

    /** From now on what holds for this identity holds for the connection. */
    void limit(Identity bound) {
        boolean unlimited = bound.administrator();
        ownLimits = unlimited ? LimitSet.EMPTY : service.limits().ofEntry(bound);
        Limit idle = unlimited ? null : service.limits().of(new Requester(bound, this), ownLimits).get(LimitKind.IDLE);
        connection.setIdleLimit(idle == null ? null : new IdleLimit(idle.hard() == Limit.NONE ? 0 : idle.hard(), idle.origin()));
    }

    @Override
    public LimitSet limits(Identity of) {
        return identity.isSameAs(of) ? ownLimits : LimitSet.EMPTY;
    }

    /** The connection is gone. */
    void closed() {
        count(Identity.ANONYMOUS);
        synchronized (lock) {
            endNegotiation();
            holder.close();
            holder = null;
        }
        unknown.close();
    }
}
