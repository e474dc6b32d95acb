package org.alder.server.protocol;

import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.alder.partition.error.DirectoryException;
import org.alder.server.auth.Identity;
import org.alder.server.control.ControlRegistry;
import org.alder.server.control.RequestControls;
import org.alder.server.directory.OperationContext;
import org.alder.server.wire.Connection;

/** One request that is being answered. Of the ways to end it, the first that is called counts. Thread safe. */
final class Exchange {
    private final LdapSession session;
    private final LdapMessage message;
    private final Operation operation;
    private final OperationContext context;
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile Runnable stop;
    private volatile boolean abandoned;

    Exchange(LdapSession session, LdapMessage message, Operation operation) {
        this.session = session;
        this.message = message;
        this.operation = operation;
        this.context = new OperationContext(session.identity(), Instant.now());
    }

    int messageId() {
        return message.id();
    }

    OperationContext context() {
        return context;
    }

    Connection connection() {
        return session.connection();
    }

    /** The controls that apply. @throws DirectoryException unavailableCriticalExtension or protocolError */
    RequestControls controls(ControlRegistry registry) throws DirectoryException {
        return registry.accept(message.controls(), operation.kind());
    }

    /** The identity of the requests after this one; only while the session runs nothing else, that is, in a bind. */
    void authenticated(Identity identity) {
        session.setIdentity(identity);
    }

    void succeed() {
        answer(LdapResult.SUCCESS);
    }

    void answer(LdapResult result) {
        respond(Responses.result(messageId(), operation.responseTag(), result));
    }

    void fail(Throwable failure) {
        answer(Faults.toResult(failure));
    }

    /** Answers with success or the failure when the future completes. */
    void answerWhen(CompletableFuture<Void> future) {
        future.whenComplete((nothing, failure) -> {
            if (failure == null) {
                succeed();
            } else {
                fail(failure);
            }
        });
    }

    /** Sends the final response. */
    void respond(byte[] response) {
        if (ended.compareAndSet(false, true)) {
            session.connection().write(response);
            session.ended(this);
        }
    }

    /** Ends without a response, as abandoned requests do. */
    void endSilently() {
        if (ended.compareAndSet(false, true)) {
            session.ended(this);
        }
    }

    /**
     * What to run if the client abandons the request or goes away; it ends the exchange. Without it the operation runs to its
     * end.
     */
    void onStop(Runnable action) {
        stop = action;
        if (abandoned) {
            action.run();
        }
    }

    /** Asks the operation to stop. */
    void stop() {
        abandoned = true;
        Runnable action = stop;
        if (action != null) {
            action.run();
        }
    }
}
