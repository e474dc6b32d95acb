package org.alder.server.protocol;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;

/**
 * The open transactions of one connection (RFC 5805): updates wait in them, unchecked, until they are ended. Whoever waits too
 * long or wants too much is told so by an aborted notice, and nothing of the transaction is done. Thread safe.
 */
public final class Transactions {
    private static final int MOST_OPEN = 16;

    private final TransactionLimits limits;
    private final Executor workers;
    private final BiConsumer<String, LdapResult> abortedNotice;
    private final Map<String, OpenTransaction> open = new HashMap<>();
    private long started;

    /** @param abortedNotice told the identifiers of transactions that the server gives up, and why */
    Transactions(TransactionLimits limits, Executor workers, BiConsumer<String, LdapResult> abortedNotice) {
        this.limits = limits;
        this.workers = workers;
        this.abortedNotice = abortedNotice;
    }

    /**
     * Starts one.
     *
     * @return its identifier
     * @throws DirectoryException busy if the connection has too many
     */
    public byte[] start() throws DirectoryException {
        OpenTransaction transaction;
        synchronized (this) {
            if (open.size() >= MOST_OPEN) {
                throw new DirectoryException(ResultCode.BUSY, "the connection has " + MOST_OPEN
                        + " open transactions: end one first");
            }
            transaction = new OpenTransaction(Long.toString(++started));
            open.put(transaction.id(), transaction);
        }
        transaction.end().copy().orTimeout(limits.seconds(), TimeUnit.SECONDS).whenComplete((none, timeout) -> {
            if (timeout != null) {
                workers.execute(() -> expire(transaction));
            }
        });
        return transaction.id().getBytes(StandardCharsets.US_ASCII);
    }

    private void expire(OpenTransaction transaction) {
        abort(transaction, LdapResult.of(ResultCode.TIME_LIMIT_EXCEEDED,
                "the transaction was open for " + limits.seconds() + " s, as long as is allowed (transactionSeconds)"));
    }

    private void abort(OpenTransaction transaction, LdapResult reason) {
        boolean removed;
        synchronized (this) {
            removed = open.remove(transaction.id(), transaction);
        }
        if (removed) {
            transaction.end().complete(null);
            transaction.release();
            abortedNotice.accept(transaction.id(), reason);
        }
    }

    /**
     * Puts an update in a transaction, which has its memory from then on; one that is refused has none any more.
     *
     * @throws DirectoryException operationsError for one that is not open; adminLimitExceeded if that would be too much: then the
     *     transaction is given up
     */
    void add(byte[] id, QueuedUpdate update) throws DirectoryException {
        boolean isAdded = false;
        try {
            put(id, update);
            isAdded = true;
        } finally {
            if (!isAdded) {
                update.memory().close();
            }
        }
    }

    private void put(byte[] id, QueuedUpdate update) throws DirectoryException {
        OpenTransaction transaction;
        LdapResult excess;
        synchronized (this) {
            transaction = find(id);
            excess = excess(update);
            if (excess == null) {
                transaction.add(update);
                return;
            }
        }
        abort(transaction, excess);
        throw new DirectoryException(ResultCode.ADMIN_LIMIT_EXCEEDED, excess.message());
    }

    private LdapResult excess(QueuedUpdate update) {
        long updates = open.values().stream().mapToLong(each -> each.updates().size()).sum() + 1;
        long bytes = open.values().stream().mapToLong(OpenTransaction::bytes).sum() + update.bytes();
        if (updates <= limits.updates() && bytes <= limits.bytes()) {
            return null;
        }
        return LdapResult.of(ResultCode.ADMIN_LIMIT_EXCEEDED, "the connection's transactions would have " + updates
                + " updates of " + bytes + " bytes; allowed are " + limits.updates() + " updates and " + limits.bytes()
                + " bytes (transactionUpdates, transactionBytes)");
    }

    private OpenTransaction find(byte[] id) throws DirectoryException {
        OpenTransaction transaction = open.get(new String(id, StandardCharsets.US_ASCII));
        if (transaction == null) {
            throw new DirectoryException(ResultCode.OPERATIONS_ERROR,
                    "no transaction with this identifier is open on this connection");
        }
        return transaction;
    }

    /** Of the requests that wait in them. */
    synchronized long heldBytes() {
        return open.values().stream().mapToLong(OpenTransaction::heldBytes).sum();
    }

    /** Takes a transaction that is ended. @throws DirectoryException operationsError for one that is not open */
    public OpenTransaction end(byte[] id) throws DirectoryException {
        OpenTransaction transaction;
        synchronized (this) {
            transaction = find(id);
            open.remove(transaction.id());
        }
        transaction.end().complete(null);
        return transaction;
    }

    /** Forgets all, when the client goes away or becomes somebody else. */
    void clear() {
        Map<String, OpenTransaction> forgotten;
        synchronized (this) {
            forgotten = Map.copyOf(open);
            open.clear();
        }
        forgotten.values().forEach(each -> {
            each.end().complete(null);
            each.release();
        });
    }
}
