package org.alder.server.protocol;

import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerTextException;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.server.auth.Identity;
import org.alder.server.control.OperationKind;
import org.alder.server.control.ReadPoint;
import org.alder.server.resource.FairWorkers;
import org.alder.server.resource.Holding;
import org.alder.server.resource.Holdings;
import org.alder.server.resource.Lag;
import org.alder.server.resource.OpenSessions;
import org.alder.server.wire.Connection;
import org.alder.server.wire.MessageReceiver;
import org.alder.server.wire.layer.SecurityLayer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one connection is waiting for. Requests run concurrently, up to a number, and begin in the order they came; a bind waits for
 * those before it and makes those after it wait. One that takes long to begin, because it is large or because it has to be found
 * out first in whose name it is, begins on a worker thread, and those after it wait for that. While any wait, the client is not
 * read.
 */
final class LdapSession implements MessageReceiver, OpenSessions.Session {
    private static final Logger LOG = LoggerFactory.getLogger(LdapSession.class);
    private static final int MOST_PERSISTENT = 64;

    private final LdapService service;
    private final Connection connection;
    private final FairWorkers.Lane lane;
    private final Instant opened = Instant.now();
    private final Transactions transactions;
    private final RemoteClient client;
    private final OwnWrites ownWrites;
    private final Map<Integer, Exchange> running = new ConcurrentHashMap<>();
    private final Object lock = new Object();
    private final WaitingRequests queue;
    /** Taken from the queue, and not yet among those that run; null if there is none. Written with the lock. */
    private volatile Next starting;
    /** Whether the one that is starting has been abandoned. */
    private boolean startingAbandoned;
    private int runningCount;
    /** Those that go on for ever, and count no longer. */
    private final Set<Exchange> persistent = new LinkedHashSet<>();
    private volatile boolean binding;
    /** Whether a request is being begun on a worker thread. */
    private boolean beginning;
    private boolean pumping;
    /** Whether nothing more is begun, and the connection is closed when what has begun has ended. */
    private volatile boolean draining;
    private volatile boolean ending;
    /** Null if there was no request yet. */
    private volatile OperationKind lastOperation;
    private volatile Instant lastRequest;

    /** A request that waited, and runs now. */
    private record Next(LdapMessage message, WaitingRequests.Waiting waited) {
    }

    LdapSession(LdapService service, Connection connection) {
        this.service = service;
        this.connection = connection;
        this.lane = service.workers().lane(connection.source());
        this.transactions = new Transactions(service.transactionLimits(), lane, this::tellAborted);
        this.client = new RemoteClient(service, connection, transactions, lane, () -> binding);
        this.queue = new WaitingRequests(client.openQueueMemory());
        this.ownWrites = new OwnWrites(service.members(), () -> lane.execute(this::pumpOnWorker));
    }

    private void tellAborted(String transaction, LdapResult reason) {
        if (!ending) {
            connection.write(Responses.abortedTransactionNotice(transaction, reason));
        }
    }

    Connection connection() {
        return connection;
    }

    RemoteClient client() {
        return client;
    }

    @Override
    public long id() {
        return connection.id();
    }

    @Override
    public OpenSessions.Facts facts() {
        Identity now = client.boundIdentity();
        OperationKind last = lastOperation;
        Holdings held = new Holdings();
        held.add(queue.memory());
        held.add(Holding.TRANSACTION, transactions.heldBytes());
        held.add(Holding.AUTHENTICATION, client.negotiationBytes());
        connection.addTo(held);
        running.values().forEach(exchange -> exchange.addTo(held));
        return new OpenSessions.Facts(connection.client(), now.authorizationId(), now.isAnonymous() ? "" : client.mechanism(), connection.tlsName(),
                opened, running.size(), held, last == null ? null : last.words(), last == null ? null : lastRequest);
    }

    @Override
    public List<OpenSessions.Running> running() {
        Map<Integer, OpenSessions.Running> found = new TreeMap<>();
        String by = client.boundIdentity().authorizationId();
        synchronized (lock) {
            if (starting != null) {
                found.put(starting.waited.id(), starting.waited.facts(service, by));
            }
            queue.forEach(each -> found.putIfAbsent(each.id(), each.facts(service, by)));
        }
        running.values().forEach(exchange -> found.put(exchange.messageId(), exchange.facts()));
        found.values().removeIf(Objects::isNull);
        return List.copyOf(found.values());
    }

    int requests() {
        return running.size();
    }

    /** How far each of its searches is behind that are told changes. */
    List<Lag> lags() {
        return running.values().stream().map(Exchange::lag).filter(Objects::nonNull).toList();
    }

    @Override
    public OpenSessions.Running running(int messageId) {
        Exchange exchange = running.get(messageId);
        return exchange != null ? exchange.facts()
                : running().stream().filter(each -> each.messageId() == messageId).findFirst().orElse(null);
    }

    @Override
    public void end(int messageId, String reason) throws DirectoryException {
        Exchange exchange = running.get(messageId);
        if (exchange != null) {
            exchange.end(reason);
            return;
        }
        WaitingRequests.Waiting taken;
        synchronized (lock) {
            taken = queue.take(messageId);
        }
        if (taken != null) {
            refuse(taken.message(), new DirectoryException(ResultCode.UNWILLING_TO_PERFORM, reason));
            pump();
        } else if (running(messageId) != null) {
            throw new DirectoryException(ResultCode.UNWILLING_TO_PERFORM, "a request that is just being begun, or a bind, cannot be ended before it runs");
        }
    }

    @Override
    public void close(String reason) {
        disconnect(ResultCode.UNAVAILABLE, reason);
    }

    /** For what takes longer than an I/O thread may be kept. */
    FairWorkers.Lane lane() {
        return lane;
    }

    LdapService service() {
        return service;
    }

    Transactions transactions() {
        return transactions;
    }

    @Override
    public void received(byte[] bytes, int offset, int length) {
        if (ending) {
            return;
        }
        try {
            LdapMessage message = LdapMessage.decode(bytes, offset, length);
            if (message.tag() == LdapMessage.ABANDON) {
                abandon(message);
            } else if (message.tag() == LdapMessage.UNBIND) {
                disconnect();
            } else if (draining) {
                refuse(message, new DirectoryException(ResultCode.UNAVAILABLE, LdapService.SHUTTING_DOWN));
            } else if (message.tag() == LdapMessage.EXTENDED && StartTls.isIn(message)) {
                runAtOnce(message);
            } else if (!message.beginsSlowly() && admit(message)) {
                run(message, System.nanoTime(), 0, null);
            } else {
                enqueue(message);
            }
        } catch (BerException e) {
            malformed(e.getMessage());
        }
    }

    /** For a request that must not wait for others: it sees itself whether there are any. */
    private void runAtOnce(LdapMessage message) {
        synchronized (lock) {
            runningCount++;
        }
        run(message, System.nanoTime(), 0, null);
    }

    /**
     * Answers a request for TLS, and from then on speaks TLS (RFC 4511 4.14); or closes the connection, if the client did not wait
     * for the answer.
     *
     * @throws DirectoryException operationsError if something else is to be done for the client first, busy if there are too many
     *     handshakes
     */
    void startTls(byte[] response) throws DirectoryException {
        boolean alone;
        synchronized (lock) {
            alone = queue.isEmpty() && running.size() == 1;
        }
        if (!alone) {
            throw new DirectoryException(ResultCode.OPERATIONS_ERROR,
                    "TLS cannot start while other requests of the connection are to be answered (RFC 4511 4.14.1)");
        }
        if (!StartTls.begin(connection, response)) {
            disconnect(ResultCode.PROTOCOL_ERROR, "nothing may follow a request for TLS before its answer (RFC 4511 4.14.1)");
        }
    }

    /**
     * Answers a bind, and from then on sends and receives in a security layer; or closes the connection, if the client did not wait for
     * the answer: anybody on the way can have sent what came before it.
     */
    void protect(byte[] response, SecurityLayer layer) {
        boolean waited = connection.receiveIn(layer);
        synchronized (lock) {
            waited &= queue.isEmpty();
        }
        if (!waited || !connection.sendIn(layer, response)) {
            LOG.warn("{} is closed: the client did not wait for the answer to a bind with a security layer", connection);
            disconnect(ResultCode.PROTOCOL_ERROR, "nothing may follow a bind with a security layer before its answer (RFC 4511 4.2.1)");
        }
    }

    /** Answers a request that is not even begun; but for a bind, which ends what is not complete and is forgotten whoever was bound, as any. */
    private void refuse(LdapMessage message, DirectoryException reason) {
        if (message.tag() == LdapMessage.BIND) {
            enqueue(() -> queue.addRefused(message, reason));
            return;
        }
        Operation operation = service.operation(message.tag());
        if (operation == null || message.id() == 0) {
            malformed("tag 0x" + Integer.toHexString(message.tag()) + " with message ID " + message.id() + " is no request");
            return;
        }
        BerWriter out = new BerWriter(256);
        Responses.writeResult(out, message.id(), operation.responseTag(), LdapResult.of(reason), List.of());
        connection.write(out.toByteArray());
    }

    /** Whether the message may run now; it then counts as running. */
    private boolean admit(LdapMessage message) {
        synchronized (lock) {
            return queue.isEmpty() && !pumping && start(message);
        }
    }

    private boolean start(LdapMessage message) {
        boolean bind = message.tag() == LdapMessage.BIND;
        if (binding || beginning || runningCount >= (bind ? 1 : service.mostOperations()) || !ownWrites.mayBegin(message)) {
            return false;
        }
        runningCount++;
        binding = bind;
        beginning = message.beginsSlowly();
        if (bind) {
            // What is not complete when a bind comes has to be abandoned (RFC 4511 4.2.1).
            persistent.forEach(Exchange::stop);
        }
        return true;
    }

    private void enqueue(LdapMessage message) {
        try {
            queue.grow(message.length());
        } catch (DirectoryException e) {
            refuse(message, e);
            return;
        }
        enqueue(() -> queue.add(message));
    }

    private void enqueue(Runnable adding) {
        synchronized (lock) {
            adding.run();
            connection.setReading(false);
        }
        pump();
    }

    /** Runs what waits and may run. One thread at a time: one that finds another at it leaves the work to that. */
    private void pump() {
        for (;;) {
            Next next;
            synchronized (lock) {
                if (pumping) {
                    return;
                }
                next = pollStartable();
                if (next == null) {
                    break;
                }
                pumping = true;
            }
            try {
                if (next.message.beginsSlowly()) {
                    lane.execute(() -> begin(next));
                } else {
                    run(next);
                }
            } finally {
                synchronized (lock) {
                    pumping = false;
                }
            }
        }
        resumeReading();
    }

    /** On a worker thread. */
    private void pumpOnWorker() {
        connection.turn().begin(System.nanoTime());
        pump();
    }

    /** On a worker thread. */
    private void begin(Next next) {
        connection.turn().begin(System.nanoTime());
        try {
            run(next);
        } finally {
            synchronized (lock) {
                beginning = false;
            }
            pump();
        }
    }

    private Next pollStartable() {
        WaitingRequests.Waiting first = queue.peek();
        if (first == null || ending) {
            return null;
        }
        LdapMessage message = first.message();
        if (!start(message)) {
            return null;
        }
        queue.poll();
        starting = new Next(message, first);
        return starting;
    }

    private void resumeReading() {
        synchronized (lock) {
            if (queue.isEmpty()) {
                connection.setReading(true);
            }
        }
    }

    private void run(Next next) {
        long arrivedNanos = next.waited.arrivedNanos();
        run(next.message, arrivedNanos, System.nanoTime() - arrivedNanos, next.waited.refusal());
    }

    private void run(LdapMessage message, long arrivedNanos, long queuedNanos, DirectoryException refusal) {
        Operation operation = service.operation(message.tag());
        if (operation == null || message.id() == 0) {
            malformed(operation == null ? "tag 0x" + Integer.toHexString(message.tag()) + " is no request" : "message ID 0");
            return;
        }
        Exchange exchange = new Exchange(this, message, operation, arrivedNanos, queuedNanos);
        lastRequest = exchange.context().time();
        lastOperation = operation.kind();
        if (message.tag() == LdapMessage.BIND) {
            // However it ends (RFC 4513 4).
            client.beAnonymous();
        }
        if (running.putIfAbsent(message.id(), exchange) != null) {
            exchange.answer(LdapResult.of(ResultCode.PROTOCOL_ERROR, "the message ID " + message.id()
                    + " is that of a request in progress"));
            return;
        }
        if (ending) {
            // The client went away, and those who run were told to stop, while this one was on its way.
            exchange.stop();
        }
        Next begun = starting;
        if (begun != null && begun.message == message && wasAbandoned()) {
            exchange.abandon();
        }
        try {
            if (refusal != null) {
                throw refusal;
            }
            if (message.isLarge()) {
                exchange.hold();
            }
            client.requireKnown();
            ownWrites.requireShown(message);
            if (client.isAuthenticating() && message.tag() != LdapMessage.BIND) {
                throw new DirectoryException(ResultCode.OPERATIONS_ERROR,
                        "an authentication is going on: end it, or give it up by another bind (RFC 4511 4.2.1)");
            }
            operation.begin(exchange, message);
        } catch (BerTextException e) {
            exchange.fail(new DirectoryException(ResultCode.PROTOCOL_ERROR, e.getMessage()));
        } catch (BerException e) {
            malformed(e.getMessage());
            // The notice is its answer; what it holds is given back.
            exchange.endStopped();
        } catch (DirectoryException | RuntimeException | Error e) {
            exchange.fail(e);
        }
    }

    /** See {@link Exchange#wrote}. */
    void wrote(ReadPoint written) {
        ownWrites.add(written);
    }

    /** See {@link Exchange#persist}. */
    void persist(Exchange exchange) throws DirectoryException {
        boolean waiting;
        synchronized (lock) {
            if (persistent.size() >= MOST_PERSISTENT) {
                throw new DirectoryException(ResultCode.ADMIN_LIMIT_EXCEEDED, "the connection has " + MOST_PERSISTENT
                        + " searches that are told changes, as many as one may");
            }
            persistent.add(exchange);
            runningCount--;
            waiting = !queue.isEmpty() && !pumping;
        }
        if (waiting) {
            lane.execute(this::pumpOnWorker);
        }
    }

    /** The exchange is about to be answered: from then on the client may use its message ID again. */
    void forget(Exchange exchange) {
        running.remove(exchange.messageId(), exchange);
    }

    /** The exchange is answered or given up. */
    void ended(Exchange exchange) {
        boolean waiting;
        synchronized (lock) {
            if (persistent.remove(exchange)) {
                return;
            }
            runningCount--;
            binding = false;
            waiting = !queue.isEmpty() && !pumping;
        }
        if (waiting) {
            lane.execute(this::pumpOnWorker);
        } else if (draining) {
            drain();
        }
    }

    /** Begins nothing more; disconnects as soon as nobody waits for anything but changes. */
    void drain() {
        draining = true;
        boolean done;
        synchronized (lock) {
            done = runningCount == 0 && queue.isEmpty();
        }
        if (done) {
            close(LdapService.SHUTTING_DOWN);
        }
    }

    /** Stops a search with the result canceled, and answers whoever asked for that (RFC 3909). */
    void cancel(int messageId, Exchange by) {
        Exchange target = running.get(messageId);
        if (target == null) {
            by.answer(LdapResult.of(ResultCode.NO_SUCH_OPERATION, "no operation " + messageId + " is being done"));
        } else {
            target.cancel(by);
        }
    }

    private void abandon(LdapMessage message) throws BerException {
        int id = message.operation().readInt(LdapMessage.ABANDON);
        Exchange target = running.get(id);
        if (target == null) {
            target = abandonWaiting(id);
        }
        if (target != null) {
            target.abandon();
        }
    }

    /** Takes a request out of the queue, or has it end when it is begun. @return the request, if it has been begun meanwhile, or null */
    private Exchange abandonWaiting(int id) {
        boolean taken;
        synchronized (lock) {
            Exchange target = running.get(id);
            if (target != null) {
                return target;
            }
            if (starting != null && starting.message.id() == id) {
                startingAbandoned = true;
                return null;
            }
            taken = queue.take(id) != null;
        }
        if (taken) {
            pump();
        }
        return null;
    }

    /** Whether the request that was starting was abandoned meanwhile; from now on it is one of those that run. */
    private boolean wasAbandoned() {
        synchronized (lock) {
            boolean abandoned = startingAbandoned;
            starting = null;
            startingAbandoned = false;
            return abandoned;
        }
    }

    @Override
    public void malformed(String reason) {
        disconnect(ResultCode.PROTOCOL_ERROR, reason);
    }

    @Override
    public void overloaded(String reason) {
        disconnect(ResultCode.BUSY, reason);
    }

    @Override
    public void overdue(String reason) {
        disconnect(ResultCode.TIME_LIMIT_EXCEEDED, reason);
    }

    @Override
    public boolean isIdle() {
        synchronized (lock) {
            return runningCount == 0 && persistent.isEmpty() && queue.isEmpty();
        }
    }

    /** Tells the client why and closes the connection. */
    void disconnect(ResultCode code, String reason) {
        if (!ending) {
            LOG.debug("{} is closed: {}", connection, reason);
            connection.writeLast(Responses.noticeOfDisconnection(code, reason));
            disconnect();
        }
    }

    private void disconnect() {
        ending = true;
        connection.closeAfterWrites();
        stopAll();
    }

    @Override
    public void closed() {
        ending = true;
        service.closed(this);
        stopAll();
        client.closed();
    }

    private void stopAll() {
        running.values().forEach(Exchange::stop);
        transactions.clear();
        synchronized (lock) {
            queue.close();
        }
    }
}
