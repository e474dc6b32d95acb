package org.alder.server.protocol.operation;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.server.audit.AuditLevel;
import org.alder.server.audit.AuditLine;
import org.alder.server.audit.AuditedRequest;
import org.alder.server.control.ControlRegistry;
import org.alder.server.control.OperationKind;
import org.alder.server.directory.Directory;
import org.alder.server.extended.ExtendedOperation;
import org.alder.server.protocol.Exchange;
import org.alder.server.protocol.HandedUpdates;
import org.alder.server.protocol.LdapMessage;
import org.alder.server.protocol.QueuedUpdate;
import org.alder.server.protocol.LdapResult;
import org.alder.server.protocol.OpenTransaction;
import org.alder.server.protocol.Operation;
import org.alder.server.protocol.PreparedPart;
import org.alder.server.protocol.Responses;
import org.alder.server.protocol.StartTls;

/** Extended requests (RFC 4511 4.12): hands each to the operation with its OID, on a worker thread, since it may search. */
final class ExtendedOperations implements Operation {
    private static final String END_TRANSACTION = "1.3.6.1.1.21.3";
    /**
     * By OID what is about the connection's requests and not about the directory: cancel (RFC 3909), start and end of a transaction
     * (RFC 5805), start of TLS (RFC 4511 4.14).
     */
    private static final Map<String, Handler> OF_CONNECTIONS = Map.of(
            "1.3.6.1.1.8", (directory, exchange, value) -> exchange.cancelOther(messageToCancel(value)),
            "1.3.6.1.1.21.1", (directory, exchange, value) -> startTransaction(exchange, value),
            StartTls.OID, (directory, exchange, value) -> startTls(exchange, value));

    private static final int REQUEST_NAME = 0x80;
    private static final int REQUEST_VALUE = 0x81;

    private final Map<String, Handler> handlers = new HashMap<>(OF_CONNECTIONS);
    private final Map<String, ExtendedOperation> byOid = new HashMap<>();
    private final Directory directory;
    private final ControlRegistry controls;
    private final HandedUpdates handed;

    /** Answers one extended request. */
    @FunctionalInterface
    private interface Handler {
        /** @param value the request's value, null if absent */
        void handle(Directory directory, Exchange exchange, byte[] value) throws BerException, DirectoryException;
    }

    /** @param operations on the directory */
    ExtendedOperations(Directory directory, Collection<ExtendedOperation> operations, ControlRegistry controls, HandedUpdates handed) {
        this.handed = handed;
        this.directory = directory;
        this.controls = controls;
        handlers.put(END_TRANSACTION, this::endTransaction);
        handlers.put(PreparedPart.OID, this::prepareTransaction);
        operations.forEach(each -> {
            byOid.put(each.oid(), each);
            handlers.put(each.oid(), (asked, exchange, value) -> execute(each, exchange, value));
        });
    }

    /** The OIDs of all that there are with these of the directory. @param tls whether connections can start TLS */
    static List<String> oids(Collection<ExtendedOperation> operations, boolean tls) {
        return Stream.concat(operations.stream().map(ExtendedOperation::oid),
                Stream.concat(OF_CONNECTIONS.keySet().stream(), Stream.of(END_TRANSACTION)).filter(oid -> tls || !oid.equals(StartTls.OID)).sorted()).toList();
    }

    /** @param value null if absent */
    record Parameters(String oid, byte[] value) {
        static Parameters decode(BerReader reader) throws BerException {
            int outer = reader.enter(LdapMessage.EXTENDED);
            String oid = reader.readString(REQUEST_NAME);
            byte[] value = reader.peekTag() == REQUEST_VALUE ? reader.readBytes(REQUEST_VALUE) : null;
            reader.leave(outer);
            return new Parameters(oid, value);
        }
    }

    /** @param operation null for one that is about the connection */
    private record Audited(Parameters parameters, ExtendedOperation operation) implements AuditedRequest {
        @Override
        public AuditLevel level() {
            boolean changes = parameters.oid().equals(END_TRANSACTION) || operation != null && operation.changes();
            return changes ? AuditLevel.WRITES : AuditLevel.ALL;
        }

        @Override
        public void describe(AuditLine line) {
            line.text("oid", parameters.oid());
            if (operation != null) {
                operation.describe(parameters.value(), line);
            }
        }
    }

    @Override
    public OperationKind kind() {
        return OperationKind.EXTENDED;
    }

    @Override
    public int requestTag() {
        return LdapMessage.EXTENDED;
    }

    @Override
    public int responseTag() {
        return Responses.EXTENDED;
    }

    @Override
    public void handle(Exchange exchange, BerReader request) throws BerException, DirectoryException {
        Parameters parameters = Parameters.decode(request);
        exchange.about(new Audited(parameters, byOid.get(parameters.oid())));
        exchange.controls(controls);
        Handler handler = handlers.get(parameters.oid());
        if (handler == null) {
            throw unsupported(parameters.oid());
        }
        handler.handle(directory, exchange, parameters.value());
    }

    private static DirectoryException unsupported(String oid) {
        return new DirectoryException(ResultCode.PROTOCOL_ERROR, "extended operation " + oid + " is not supported");
    }

    private static void startTls(Exchange exchange, byte[] value) throws DirectoryException {
        requireNoTransaction(exchange);
        if (!exchange.connection().offersTls()) {
            throw unsupported(StartTls.OID);
        }
        if (value != null) {
            throw new DirectoryException(ResultCode.PROTOCOL_ERROR, "a request for TLS has no value, found " + value.length
                    + " bytes");
        }
        exchange.startTls();
    }

    private void execute(ExtendedOperation operation, Exchange exchange, byte[] value) throws BerException, DirectoryException {
        if (exchange.isInTransaction()) {
            operation.requireUpdate(value);
            exchange.queue(operation.named(exchange.context(), value), handed.mayBePart(),
                    context -> operation.handle(directory, context, value).thenApply(none -> QueuedUpdate.Made.PLAIN));
        } else if (operation.changes() && handed.mayBe(exchange)) {
            byte[] request = exchange.request();
            exchange.leave(() -> handed.make(exchange, operation.target(directory, exchange.context(), value), request,
                    otherwise -> run(operation, exchange, value, otherwise)));
        } else {
            exchange.leave(() -> run(operation, exchange, value, failure -> false));
        }
    }

    private static void startTransaction(Exchange exchange, byte[] value) throws DirectoryException {
        requireNoTransaction(exchange);
        if (value != null) {
            throw new DirectoryException(ResultCode.PROTOCOL_ERROR, "a start transaction request has no value, found "
                    + value.length + " bytes");
        }
        if (exchange.context().identity().isAnonymous()) {
            throw new DirectoryException(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, "anonymous clients may not start transactions: bind first");
        }
        exchange.answerExtended(LdapResult.SUCCESS, exchange.transactions().start());
    }

    private void endTransaction(Directory asked, Exchange exchange, byte[] value)
            throws BerException, DirectoryException {
        requireNoTransaction(exchange);
        TransactionEnd.Parameters parameters = TransactionEnd.Parameters.decode(value);
        OpenTransaction transaction = exchange.transactions().end(parameters.id());
        if (parameters.commit()) {
            byte[] request = handed.mayBe(exchange) ? exchange.request() : null;
            leave(exchange, transaction, () -> end(exchange, transaction, request));
        } else {
            transaction.release();
            exchange.succeed();
        }
    }

    /** Asked by other members alone, who have told that they are. */
    private void prepareTransaction(Directory asked, Exchange exchange, byte[] value) throws BerException, DirectoryException {
        if (exchange.connection().handed() == null) {
            throw unsupported(PreparedPart.OID);
        }
        PreparedPart part = PreparedPart.decode(value);
        OpenTransaction transaction = exchange.transactions().end(part.transaction());
        leave(exchange, transaction, () -> end(exchange, transaction, each -> each.prepare(part), failure -> false));
    }

    private static void leave(Exchange exchange, OpenTransaction transaction, Exchange.Step ending) throws BerException, DirectoryException {
        boolean isLeft = false;
        try {
            exchange.leave(ending);
            isLeft = true;
        } finally {
            if (!isLeft) {
                transaction.release();
            }
        }
    }

    private static void requireNoTransaction(Exchange exchange) throws DirectoryException {
        if (exchange.isInTransaction()) {
            throw ExtendedOperation.noUpdate();
        }
    }

    /** @param request for another member, where one may lead */
    private void end(Exchange exchange, OpenTransaction transaction, byte[] request) {
        boolean isTaken = false;
        try {
            isTaken = handed.take(exchange, transaction, request, () -> commit(exchange, transaction, request));
        } catch (RuntimeException e) {
            transaction.release();
            throw e;
        }
        if (!isTaken) {
            commit(exchange, transaction, request);
        }
    }

    private void commit(Exchange exchange, OpenTransaction transaction, byte[] request) {
        end(exchange, transaction, TransactionEnd::commit, failure -> handed.takeLate(exchange, transaction, request, failure));
    }

    /** @param otherwise whether another one takes care of a failure, and answers */
    private void end(Exchange exchange, OpenTransaction transaction, Consumer<TransactionEnd> ending, Predicate<Throwable> otherwise) {
        try {
            ending.accept(new TransactionEnd(exchange, transaction, directory.begin(), handed, otherwise));
        } catch (RuntimeException | Error e) {
            transaction.release();
            exchange.fail(e);
        }
    }

    private static int messageToCancel(byte[] value) throws DirectoryException {
        if (value == null) {
            throw new DirectoryException(ResultCode.PROTOCOL_ERROR, "a cancel request without a value");
        }
        try {
            BerReader reader = new BerReader(value);
            int outer = reader.enter(BerWriter.SEQUENCE);
            int messageId = reader.readInt(BerWriter.INTEGER);
            reader.leaveFully(outer);
            return messageId;
        } catch (BerException e) {
            throw new DirectoryException(ResultCode.PROTOCOL_ERROR, "cancel request: " + e.getMessage());
        }
    }

    /** @param otherwise whether another one takes care of a failure, and answers */
    private void run(ExtendedOperation operation, Exchange exchange, byte[] requestValue, Predicate<Throwable> otherwise) throws DirectoryException {
        operation.handle(directory, exchange.context(), requestValue).whenComplete((value, failure) -> {
            if (failure == null) {
                exchange.answerExtended(LdapResult.SUCCESS, value);
            } else if (!otherwise.test(failure)) {
                exchange.fail(failure);
            }
        });
    }
}
