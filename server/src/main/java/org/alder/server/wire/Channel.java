package org.alder.server.wire;

import java.util.concurrent.TimeUnit;

/** What belongs to one connection, and how long it keeps the server waiting. Receives on one thread; the rest is thread safe. */
final class Channel {
    private final Connection connection;
    private final MessageFramer framer;
    private final MessageReceiver receiver;
    private final ConnectionLimits limits;
    private volatile long lastNanos;

    Channel(Connection connection, MessageFramer framer, MessageReceiver receiver, ConnectionLimits limits, long nowNanos) {
        this.connection = connection;
        this.framer = framer;
        this.receiver = receiver;
        this.limits = limits;
        this.lastNanos = nowNanos;
    }

    MessageReceiver receiver() {
        return receiver;
    }

    void received(byte[] bytes, int offset, int length, long nowNanos) {
        boolean inside = framer.isInside();
        int before = framer.messages();
        framer.accept(bytes, offset, length, receiver);
        if (!inside || framer.messages() != before) {
            lastNanos = nowNanos;
        }
    }

    /** Ends the connection, telling the client why, if it has kept the server waiting for too long. */
    void endIfOverdue(long nowNanos) {
        if (connection.isSuspended() || !framer.isInside() && (!receiver.isIdle() || connection.queuedBytes() > 0)) {
            // The client waits for the server.
            lastNanos = nowNanos;
            return;
        }
        String reason = overdue(TimeUnit.NANOSECONDS.toSeconds(nowNanos - lastNanos));
        if (reason != null) {
            receiver.overdue(reason);
        }
    }

    private String overdue(long seconds) {
        if (framer.isInside()) {
            return overdue(seconds, limits.messageSeconds(), "a message that is not whole", "messageTimeoutSeconds");
        } else if (framer.messages() == 0) {
            return overdue(seconds, limits.firstMessageSeconds(), "no message", "firstMessageTimeoutSeconds");
        } else if (connection.isAuthenticated()) {
            return overdue(seconds, limits.idleSeconds(), "no request", "idleTimeoutSeconds");
        }
        return overdue(seconds, limits.idleSecondsBeforeBind(), "no request and no bind", "idleTimeoutSecondsBeforeBind");
    }

    private static String overdue(long seconds, int most, String what, String key) {
        return most == 0 || seconds < most ? null : "for " + seconds + " s there was " + what + "; allowed are " + most + " s ("
                + key + ")";
    }

    void closed() {
        framer.close();
        connection.closed();
        receiver.closed();
    }
}
