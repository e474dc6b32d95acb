package org.alder.server.protocol;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.error.StoreException;
import org.alder.partition.request.Patience;
import org.alder.server.audit.AuditEvent;
import org.alder.server.audit.AuditLog;
import org.alder.server.audit.AuditTrail;
import org.alder.server.audit.AuditedRequest;
import org.alder.server.auth.Identity;
import org.alder.server.control.ControlRegistry;
import org.alder.server.control.ManageDsaIt;
import org.alder.server.control.MarkerControl;
import org.alder.server.control.OperationKind;
import org.alder.server.control.PolicyControls;
import org.alder.server.control.ProxiedAuthorization;
import org.alder.server.control.ReadPoint;
import org.alder.server.control.RequestControls;
import org.alder.server.control.ResponseControl;
import org.alder.server.control.SessionTracking;
import org.alder.server.control.TransactionSpecification;
import org.alder.server.directory.OperationContext;
import org.alder.server.directory.SearchCost;
import org.alder.server.login.SaslNegotiation;
import org.alder.server.policy.PolicyNotice;
import org.alder.server.policy.PolicyRefusal;
import org.alder.server.resource.Holding;
import org.alder.server.resource.Holdings;
import org.alder.server.resource.Lag;
import org.alder.server.resource.MemoryBudget;
import org.alder.server.resource.OpenSessions;
import org.alder.server.wire.Connection;
import org.alder.server.wire.layer.SecurityLayer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One request that is being answered. Of the ways to end it, the first that is called counts. Thread safe. */
public final class Exchange implements AuditTrail, Patience {
    private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);
    private static final int ORDINARY_BYTES = 1024;

    private final LdapSession session;
    private final LdapMessage message;
    private final Operation operation;
    private final RequestMemory memory;
    /** Whether it is told changes. */
    private volatile boolean followed;
    /** How far it is behind with them, null while it tells what was there before. */
    private volatile Supplier<Lag> behind = () -> null;
    /** Whether it waits for a worker thread. */
    private volatile boolean waits;
    /** Null if there is none. */
    private final AuditLog audit;
    private final long arrivedNanos;
    /** Of whoever goes on with the request, as the two below. */
    private long queuedNanos;
    private long answerBytes;
    private SearchCost cost = SearchCost.NONE;
    private long returned;
    private volatile AuditedRequest audited;
    private volatile boolean isPolicyRefusal;
    private volatile OperationContext context;
    /** Whether the client wants to be told what a password policy says. */
    private volatile boolean asksForPolicy;
    /** The transaction that the request is part of, or null. */
    private byte[] transaction;
    private final AtomicBoolean ended = new AtomicBoolean();
    private final Stopping stopping = new Stopping();

    /**
     * @param arrivedNanos when the request had been read, as System.nanoTime says it
     * @param queuedNanos how long it waited before it was begun
     */
    Exchange(LdapSession session, LdapMessage message, Operation operation, long arrivedNanos, long queuedNanos) {
        this.session = session;
        this.message = message;
        this.operation = operation;
        this.memory = new RequestMemory(session.client());
        this.audit = session.service().accounting().audit();
        this.context = new OperationContext(session.client().identity(), Instant.now(), session.client(), audit.isOn() ? this : AuditTrail.NONE, this);
        this.arrivedNanos = arrivedNanos;
        this.queuedNanos = queuedNanos;
    }

    /** What the request asks for, as soon as that is known, for the audit log. */
    public void about(AuditedRequest request) {
        audited = request;
    }

    @Override
    public void tell(Kind kind, String event, String target, String detail) {
        OperationContext now = context;
        audit.tell(new AuditEvent(Instant.now(), session.client().audited(), messageId(), kind.name().toLowerCase(Locale.ROOT), event, null, target,
                now.identity().authorizationId(), null, null, 0, detail, -1, AuditEvent.BASE_BYTES));
    }

    /** What answering a search took, before it is answered. @param entries that were returned */
    public void searched(SearchCost searchCost, long entries) {
        cost = searchCost;
        returned = entries;
    }

    /** Whether somebody wants to know which indexes a search has used. */
    public boolean isDetailed() {
        return session.service().accounting().isDetailed();
    }

    AuditedRequest about() {
        return audited;
    }

    OperationKind kind() {
        return operation.kind();
    }

    RemoteClient client() {
        return session.client();
    }

    boolean isPolicyRefusal() {
        return isPolicyRefusal;
    }

    /** Whether it goes on for as long as the client likes. */
    public boolean isFollowed() {
        return followed;
    }

    /** When the request had been read, as System.nanoTime says it. */
    long arrivedNanos() {
        return arrivedNanos;
    }

    /** How long it waited for its turn. */
    long queuedNanos() {
        return queuedNanos;
    }

    long requestBytes() {
        return message.length();
    }

    /** Sent so far. */
    long answerBytes() {
        return answerBytes;
    }

    SearchCost cost() {
        return cost;
    }

    /** Entries that a search has returned. */
    long returned() {
        return returned;
    }

    public int messageId() {
        return message.id();
    }

    public OperationContext context() {
        return context;
    }

    public Connection connection() {
        return session.connection();
    }

    /** What is gathered for the answer has this of the server's memory; closed when the request is answered. */
    public MemoryBudget.Share memory() {
        return memory.gathered(followed ? Holding.FOLLOWED_SEARCH : Holding.SEARCH);
    }

    /** Adds what it has of the server's memory. */
    void addTo(Holdings holdings) {
        memory.addTo(holdings);
    }

    /**
     * Counts the request itself, once: a large one before it is decoded, others when they have to wait for something.
     *
     * @throws DirectoryException busy or adminLimitExceeded if there is no memory for it
     */
    public void hold() throws BerException, DirectoryException {
        memory.hold(message);
    }

    /** Whether what is made of the request can be far more than its bytes: the ordinary one is shorter. */
    public boolean mayBeWide() {
        return message.length() > ORDINARY_BYTES;
    }

    /**
     * Goes on with the request on a worker thread, where its turn comes among those of other connections.
     *
     * @throws DirectoryException as {@link #hold}, and busy if too much waits there
     */
    public void leave(Step next) throws BerException, DirectoryException {
        session.lane().requireRoom();
        hold();
        long leftNanos = System.nanoTime();
        waits = true;
        session.lane().execute(() -> {
            waits = false;
            queuedNanos += System.nanoTime() - leftNanos;
            try {
                next.run();
            } catch (DirectoryException | RuntimeException | Error e) {
                fail(e);
            }
        });
    }

    /** A part of answering a request. */
    @FunctionalInterface
    public interface Step {
        /** @throws DirectoryException the operation's result */
        void run() throws DirectoryException;
    }

    /** Runs the parts of this request that take longer than an I/O thread may be kept; what runs here answers for itself. */
    public Executor workers() {
        return session.lane();
    }

    /**
     * The controls that apply; from now on the context has what they ask of the directory.
     *
     * @throws DirectoryException unavailableCriticalExtension, protocolError or authorizationDenied
     */
    public RequestControls controls(ControlRegistry registry) throws DirectoryException {
        if (message.controls().isEmpty()) {
            return RequestControls.NONE;
        }
        RequestControls accepted = registry.accept(message.controls(), operation.kind());
        if (!accepted.isEmpty()) {
            asksForPolicy = accepted.has(MarkerControl.PASSWORD_POLICY);
            transaction = accepted.get(TransactionSpecification.CONTROL);
            context = context.withOptions(RequestOptions.of(accepted)).withManageDsaIt(accepted.has(ManageDsaIt.CONTROL));
            if (accepted.has(SessionTracking.CONTROL)) {
                LOG.debug("request {} of {} is for {}", messageId(), session.connection(), accepted.get(SessionTracking.CONTROL));
            }
            for (ProxiedAuthorization version : ProxiedAuthorization.VERSIONS) {
                if (accepted.has(version)) {
                    context = context.withIdentity(session.service().identities().proxied(context, accepted.get(version)));
                }
            }
        }
        return accepted;
    }

    /** By what the client is being authenticated: {@code SIMPLE} or a SASL mechanism; only in a bind. */
    public void authenticating(String mechanism) {
        session.client().setMechanism(mechanism.toUpperCase(Locale.ROOT));
    }

    /** Whether access rules let somebody log in here who has just shown who he is. */
    public boolean mayLogIn(Identity identity) {
        return session.service().identities().mayLogIn(context, identity);
    }

    /**
     * The identity of the requests after this one; only while the session runs nothing else, that is, in a bind.
     *
     * @throws DirectoryException busy if too many connections have bound as this one
     */
    public void authenticated(Identity identity) throws DirectoryException {
        session.client().setIdentity(identity);
    }

    /** The authentication that earlier binds have begun by this mechanism, or null. */
    public SaslNegotiation negotiation(String mechanism) {
        return session.client().negotiation(mechanism);
    }

    /** Answers a bind that is not the last one of its authentication. */
    public void answerChallenge(String mechanism, SaslNegotiation negotiation, byte[] credentials) {
        session.client().setNegotiation(mechanism, negotiation, memory.moved(Holding.AUTHENTICATION));
        answerBind(LdapResult.of(ResultCode.SASL_BIND_IN_PROGRESS, ""), credentials, List.of(), null);
    }

    /**
     * @param credentials of SASL, for the client; null for none
     * @param layer what all goes through from the answer on; null if it goes as before
     */
    public void answerBind(LdapResult result, byte[] credentials, List<ResponseControl> responseControls, SecurityLayer layer) {
        respond(result, Responses.bind(messageId(), result, credentials, responseControls), layer);
    }

    public void succeed() {
        answer(LdapResult.SUCCESS);
    }

    public void answer(LdapResult result) {
        answer(result, List.of());
    }

    public void answer(LdapResult result, List<ResponseControl> responseControls) {
        BerWriter out = new BerWriter(64);
        Responses.writeResult(out, messageId(), operation.responseTag(), result, responseControls);
        respond(result, out.toByteArray());
    }

    /** Ends with what this brings, or fails as it does. If the client goes away or gives up the request, it is cancelled. */
    public <T> void endWith(CompletableFuture<T> future, Consumer<T> answer) {
        onStop(() -> future.cancel(false));
        future.whenComplete((value, failure) -> {
            if (failure == null) {
                answer.accept(value);
            } else if (stopping.isAsked() && future.isCancelled()) {
                endStopped();
            } else {
                fail(failure);
            }
        });
    }

    public void fail(Throwable failure) {
        isPolicyRefusal = Faults.cause(failure) instanceof PolicyRefusal;
        answer(resultOf(failure), policyControls(failure));
    }

    /** What tells the client of the policy by which an operation failed, if it was one. */
    public List<ResponseControl> policyControls(Throwable failure) {
        return policyControls(Faults.cause(failure) instanceof PolicyRefusal refusal ? refusal.notice() : PolicyNotice.NONE);
    }

    /** What tells the client what a password policy says: nothing, if it does not ask and need not know. */
    public List<ResponseControl> policyControls(PolicyNotice notice) {
        return PolicyControls.of(notice, asksForPolicy, operation.kind() == OperationKind.BIND);
    }

    /** Whether the request is part of a transaction. */
    public boolean isInTransaction() {
        return transaction != null;
    }

    /**
     * Leaves an update to the transaction that it is part of, and answers with success at once.
     *
     * @param dn   of the entry; null where it has to be searched for
     * @param kept whether the whole request is kept for another member of the cluster, too
     * @throws DirectoryException the operation's result
     */
    public void queue(Dn dn, boolean kept, QueuedUpdate.Update update) throws BerException, DirectoryException {
        hold();
        session.transactions().add(transaction, new QueuedUpdate(messageId(), context, update, dn, kept ? message.copy() : null, message.length(),
                memory.moved(Holding.TRANSACTION)));
        succeed();
    }

    /**
     * Makes an update and answers when it is made, with success and the response's controls, or the failure.
     *
     * @param otherwise whether another one takes care of a failure, and answers
     * @throws DirectoryException the operation's result
     */
    public void update(QueuedUpdate.Update update, Predicate<Throwable> otherwise) throws DirectoryException {
        update.make(context).whenComplete((made, failure) -> {
            if (failure == null) {
                answer(made.note().isEmpty() ? LdapResult.SUCCESS : LdapResult.of(ResultCode.SUCCESS, made.note()), made.controls());
            } else if (!otherwise.test(failure)) {
                fail(failure);
            }
        });
    }

    /** The whole request, to be kept; only while it is being begun with. */
    public byte[] request() {
        return message.copy();
    }

    /** Whoever reads on this connection from now on is to see what another member has written for it. */
    void wrote(ReadPoint written) {
        session.wrote(written);
    }

    /** What the client is told of a failure. A member that has handed the request on is told in addition where nothing was done. */
    public LdapResult resultOf(Throwable failure) {
        if (connection().handed() != null && Faults.cause(failure) instanceof StoreException store && store.kind() == StoreException.Kind.NOT_LEADER) {
            connection().write(Responses.notLeaderNotice(store.getMessage()));
        }
        return Faults.toResult(failure);
    }

    /** Answers an extended request. @param value null for none */
    public void answerExtended(LdapResult result, byte[] value) {
        respond(result, Responses.extended(messageId(), result, null, value));
    }

    /** Sends a part of the answer. */
    public void send(byte[] part) {
        answerBytes += part.length;
        session.connection().write(part);
    }

    /** Sends the final response, which says this result. */
    public void respond(LdapResult result, byte[] response) {
        respond(result, response, null);
    }

    private void respond(LdapResult result, byte[] response, SecurityLayer layer) {
        if (ended.compareAndSet(false, true)) {
            if (operation.kind() == OperationKind.BIND && result.code() != ResultCode.SASL_BIND_IN_PROGRESS) {
                // Whatever a bind asks for and however it ends, it ends what those before it have begun (RFC 4511 4.2.1).
                session.client().endNegotiation();
            }
            answerBytes += response.length;
            session.service().accounting().ended(this, result);
            session.forget(this);
            if (layer == null) {
                session.connection().write(response);
            } else {
                session.protect(response, layer);
            }
            finish();
        }
    }

    private void finish() {
        memory.close();
        session.ended(this);
        refuseCancel();
    }

    /**
     * Answers with success, and from then on speaks TLS.
     *
     * @throws DirectoryException operationsError if that cannot be now
     */
    public void startTls() throws DirectoryException {
        session.startTls(Responses.extended(messageId(), LdapResult.SUCCESS, StartTls.OID, null));
        endAs(LdapResult.SUCCESS);
    }

    /** Ends as asked: canceled with that result, abandoned without a response. */
    public void endStopped() {
        Stopping.Cancellation by = stopping.cancellation();
        if (by != null) {
            stopping.carriedOut();
            answer(by.result());
            by.told().accept(LdapResult.SUCCESS);
        } else {
            endAs(null);
        }
    }

    /** With nothing to send any more. */
    private void endAs(LdapResult result) {
        if (ended.compareAndSet(false, true)) {
            session.service().accounting().ended(this, result);
            session.forget(this);
            finish();
        }
    }

    /** Asks the operation to end with the result canceled, if it is one that can, and answers the one who asks (RFC 3909). */
    void cancel(Exchange by) {
        OperationKind kind = operation.kind();
        if (kind == OperationKind.SEARCH
                && !cancel(LdapResult.of(ResultCode.CANCELED, "canceled by request " + by.messageId()), by::answer)) {
            by.answer(LdapResult.of(ResultCode.TOO_LATE, "another request cancels it already"));
        } else if (kind != OperationKind.SEARCH) {
            boolean never = kind == OperationKind.BIND || kind == OperationKind.EXTENDED;
            by.answer(LdapResult.of(never ? ResultCode.CANNOT_CANCEL : ResultCode.TOO_LATE, doneWhole()));
        }
    }

    private String doneWhole() {
        return "a request of this kind, " + operation.kind().words() + ", is done whole once it has begun";
    }

    /** Returns false if it is being cancelled already. */
    private boolean cancel(LdapResult result, Consumer<LdapResult> told) {
        if (!stopping.cancel(new Stopping.Cancellation(result, told))) {
            return false;
        }
        if (ended.get()) {
            refuseCancel();
        }
        return true;
    }

    private void refuseCancel() {
        Stopping.Cancellation by = stopping.cancellation();
        if (by != null) {
            by.told().accept(LdapResult.of(ResultCode.TOO_LATE, "request " + messageId() + " has ended"));
        }
    }

    /**
     * Asks the operation to end, for somebody who is not its client. That gets unwillingToPerform: canceled is for operations that their
     * own client has cancelled (RFC 3909 2), and none of the results by which it would take what it has got for all, or ask again.
     *
     * @throws DirectoryException unwillingToPerform for an operation of a kind that is done whole
     */
    void end(String reason) throws DirectoryException {
        if (operation.kind() != OperationKind.SEARCH) {
            throw new DirectoryException(ResultCode.UNWILLING_TO_PERFORM, doneWhole());
        }
        // However it ends from here on, and by whom, it does.
        cancel(LdapResult.of(ResultCode.UNWILLING_TO_PERFORM, reason), nobody -> { });
    }

    /** What it is at the moment, for administrators. */
    OpenSessions.Running facts() {
        AuditedRequest about = audited;
        return new OpenSessions.Running(messageId(), operation.kind().words(), waits, about == null ? null : session.service().accounting().shown(about),
                context.identity().authorizationId(), context.time(), TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - arrivedNanos), lag());
    }

    /** How far a search that is told changes is behind; null for all others. */
    Lag lag() {
        Lag lag = followed ? behind.get() : null;
        return !followed || lag != null ? lag : new Lag(0, System.nanoTime() - arrivedNanos);
    }

    /** From now on this says how far the search is behind; null while it tells what was there before. */
    public void tells(Supplier<Lag> lag) {
        behind = lag;
    }

    /**
     * Tells that this request goes on for as long as the client likes: no other waits for it.
     *
     * @throws DirectoryException adminLimitExceeded if the connection has too many of these
     */
    public void persist() throws DirectoryException {
        session.persist(this);
        followed = true;
    }

    /** Cancels another request of the connection and answers this one. */
    public void cancelOther(int messageId) {
        session.cancel(messageId, this);
    }

    /** Those of the connection. */
    public Transactions transactions() {
        return session.transactions();
    }

    /**
     * What to run if the client abandons the request or goes away; it ends the exchange. Without it the operation runs to its
     * end.
     */
    public void onStop(Runnable action) {
        stopping.onStop(action);
    }

    /** @throws DirectoryException canceled if the client does not wait for the answer any more */
    @Override
    public void check() throws DirectoryException {
        if (stopping.isAsked()) {
            throw new DirectoryException(ResultCode.CANCELED, "nobody waits for the answer");
        }
    }

    @Override
    public void hold(long bytes) throws DirectoryException {
        memory().grow(bytes);
    }

    @Override
    public void giveBack(long bytes) {
        memory().shrink(bytes);
    }

    public boolean isAbandoned() {
        return stopping.isAsked();
    }

    /** Binds cannot be abandoned (RFC 4511 4.11): their client would not know who it is. */
    void abandon() {
        if (operation.kind() != OperationKind.BIND) {
            stop();
        }
    }

    /** Asks the operation to stop. */
    void stop() {
        stopping.ask();
    }
}
