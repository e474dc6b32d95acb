package org.alder.server.protocol;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerTextException;
import org.alder.partition.error.DirectoryException;
import org.alder.server.auth.Identity;
import org.alder.server.directory.AuthorizationIdentities;
import org.alder.server.wire.Connection;
import org.alder.server.wire.MessageReceiver;
import org.apache.directory.api.ldap.model.message.ResultCodeEnum;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the server knows of one connection: who it is (RFC 4511 4.2.1) and what it is waiting for. Requests run concurrently, up
 * to a number, in the order they came; a bind waits for those before it and makes those after it wait. While any wait, the client
 * is not read.
 */
final class LdapSession implements MessageReceiver {
    private static final Logger LOG = LoggerFactory.getLogger(LdapSession.class);
    private static final int MOST_RUNNING = 256;
    private static final int MOST_PERSISTENT = 64;

    private final LdapService service;
    private final Connection connection;
    private final Transactions transactions;
    private final Map<Integer, Exchange> running = new ConcurrentHashMap<>();
    private final Object lock = new Object();
    private final Deque<byte[]> queue = new ArrayDeque<>();
    private int runningCount;
    /** Those that go on for ever, and count no longer. */
    private final Set<Exchange> persistent = new HashSet<>();
    private boolean binding;
    private boolean pumping;
    private volatile boolean ending;
    private volatile Identity identity = Identity.ANONYMOUS;

    LdapSession(LdapService service, Connection connection) {
        this.service = service;
        this.connection = connection;
        this.transactions = new Transactions(service.transactionLimits(), service::execute, this::tellAborted);
    }

    private void tellAborted(String transaction, LdapResult reason) {
        if (!ending) {
            connection.write(Responses.abortedTransactionNotice(transaction, reason));
        }
    }

    Connection connection() {
        return connection;
    }

    Transactions transactions() {
        return transactions;
    }

    AuthorizationIdentities identities() {
        return service.identities();
    }

    Identity identity() {
        return identity;
    }

    /** Whoever the client was before, his transactions are forgotten. */
    void setIdentity(Identity newIdentity) {
        transactions.clear();
        identity = newIdentity;
        connection.setAuthenticated(!newIdentity.isAnonymous());
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
            } else if (admit(message)) {
                run(message);
            } else {
                enqueue(Arrays.copyOfRange(bytes, offset, offset + length));
            }
        } catch (BerException e) {
            malformed(e.getMessage());
        }
    }

    /** Whether the message may run now; it then counts as running. */
    private boolean admit(LdapMessage message) {
        synchronized (lock) {
            return queue.isEmpty() && !pumping && start(message);
        }
    }

    private boolean start(LdapMessage message) {
        boolean bind = message.tag() == LdapMessage.BIND;
        if (binding || runningCount >= (bind ? 1 : MOST_RUNNING)) {
            return false;
        }
        runningCount++;
        binding = bind;
        if (bind) {
            // What is not complete when a bind comes has to be abandoned (RFC 4511 4.2.1).
            persistent.forEach(Exchange::stop);
        }
        return true;
    }

    private void enqueue(byte[] message) {
        synchronized (lock) {
            queue.add(message);
            connection.setReading(false);
        }
        pump();
    }

    /** Runs what waits and may run. One thread at a time: one that finds another at it leaves the work to that. */
    private void pump() {
        for (;;) {
            LdapMessage next;
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
                run(next);
            } finally {
                synchronized (lock) {
                    pumping = false;
                }
            }
        }
        resumeReading();
    }

    private LdapMessage pollStartable() {
        byte[] bytes = queue.peek();
        if (bytes == null || ending) {
            return null;
        }
        try {
            LdapMessage message = LdapMessage.decode(bytes, 0, bytes.length);
            if (!start(message)) {
                return null;
            }
            queue.poll();
            return message;
        } catch (BerException e) {
            throw new IllegalStateException("a message that was decoded before is now none: " + e.getMessage(), e);
        }
    }

    private void resumeReading() {
        synchronized (lock) {
            if (queue.isEmpty()) {
                connection.setReading(true);
            }
        }
    }

    private void run(LdapMessage message) {
        Operation operation = service.operation(message.tag());
        if (operation == null || message.id() == 0) {
            malformed(operation == null ? "tag 0x" + Integer.toHexString(message.tag()) + " is no request" : "message ID 0");
            return;
        }
        Exchange exchange = new Exchange(this, message, operation);
        if (running.putIfAbsent(message.id(), exchange) != null) {
            exchange.answer(LdapResult.of(ResultCodeEnum.PROTOCOL_ERROR, "the message ID " + message.id()
                    + " is that of a request in progress"));
            return;
        }
        if (ending) {
            // The client went away, and those who run were told to stop, while this one was on its way.
            exchange.stop();
        }
        try {
            operation.handle(exchange, message.operation());
        } catch (BerTextException e) {
            exchange.fail(new DirectoryException(ResultCodeEnum.PROTOCOL_ERROR, e.getMessage()));
        } catch (BerException e) {
            malformed(e.getMessage());
        } catch (DirectoryException | RuntimeException | Error e) {
            exchange.fail(e);
        }
    }

    /** See {@link Exchange#persist}. */
    void persist(Exchange exchange) throws DirectoryException {
        boolean waiting;
        synchronized (lock) {
            if (persistent.size() >= MOST_PERSISTENT) {
                throw new DirectoryException(ResultCodeEnum.ADMIN_LIMIT_EXCEEDED, "the connection has " + MOST_PERSISTENT
                        + " searches that go on with changes, as many as it may");
            }
            persistent.add(exchange);
            runningCount--;
            waiting = !queue.isEmpty() && !pumping;
        }
        if (waiting) {
            service.execute(this::pump);
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
            service.execute(this::pump);
        }
    }

    /** Stops a search with the result canceled, and answers whoever asked for that (RFC 3909). */
    void cancel(int messageId, Exchange by) {
        Exchange target = running.get(messageId);
        if (target == null) {
            by.answer(LdapResult.of(ResultCodeEnum.NO_SUCH_OPERATION, "no operation " + messageId + " is being done"));
        } else {
            target.cancel(by);
        }
    }

    private void abandon(LdapMessage message) throws BerException {
        Exchange target = running.get(message.operation().readInt(LdapMessage.ABANDON));
        if (target != null) {
            target.stop();
        }
    }

    @Override
    public void malformed(String reason) {
        LOG.debug("{} is closed: {}", connection, reason);
        disconnect(ResultCodeEnum.PROTOCOL_ERROR, reason);
    }

    /** Tells the client why and closes the connection. */
    void disconnect(ResultCodeEnum code, String reason) {
        if (!ending) {
            connection.write(Responses.noticeOfDisconnection(code, reason));
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
    }

    private void stopAll() {
        running.values().forEach(Exchange::stop);
        transactions.clear();
    }
}
