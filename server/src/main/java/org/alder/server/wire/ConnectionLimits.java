package org.alder.server.wire;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;

/**
 * How many connections there may be, and how long one may keep the server waiting. Immutable.
 *
 * @param connections most that are open at a time, at least 1
 * @param connectionsPerAddress most that one address has of them, at least 1
 * @param connectionsPerIdentity most that have bound as one, administrators apart, at least 1
 * @param connectionsBeforeBind most that have not bound, at least 1: where there is one more, the oldest gives way
 * @param operations requests of one connection that are under way at a time, at least 1
 * @param firstMessageSeconds time for the first whole message, 0 for no limit
 * @param messageSeconds time from the first byte of a message to its last, 0 for no limit
 * @param idleSecondsBeforeBind time without a request for a connection that has not authenticated, 0 for no limit
 * @param bindSeconds time until a connection has to have authenticated, whatever it asks for, 0 for no limit
 * @param idleSeconds the same as the one before that for one that has authenticated
 * @param answerSeconds time in which a client takes some of the answers that wait for it, 0 for no limit
 * @param stopSeconds time for operations to end when the server is stopped
 * @param handshakes most TLS handshakes that are under way at a time, at least 1; half of them with one address
 * @param handshakeSeconds time for one of them, 0 for no limit
 */
public record ConnectionLimits(int connections, int connectionsPerAddress, int connectionsPerIdentity, int connectionsBeforeBind,
                               int operations, int firstMessageSeconds, int messageSeconds, int idleSecondsBeforeBind,
                               int bindSeconds, int idleSeconds, int answerSeconds, int stopSeconds, int handshakes, int handshakeSeconds) {
    /** What is kept of the descriptors for the store, its logs, and the program. */
    private static final long RESERVED_DESCRIPTORS = 256;
    /** About what an open connection that does nothing costs, with room for what it holds. */
    private static final long CONNECTION_BYTES = 48 << 10;
    /** What a TLS handshake holds on top, with room: it is about a third. And which part of the heap all of them may. */
    private static final long HANDSHAKE_BYTES = 32 << 10;
    private static final int HANDSHAKE_SHARE = 8;

    public ConnectionLimits {
        if (connections < 1 || connectionsPerAddress < 1) {
            throw new IllegalArgumentException("limits of " + connections + " connections and " + connectionsPerAddress
                    + " for one address, expected at least 1");
        }
        if (connectionsPerIdentity < 1 || connectionsBeforeBind < 1 || operations < 1) {
            throw new IllegalArgumentException("limits of " + connectionsPerIdentity + " connections for one identity, " + connectionsBeforeBind
                    + " before a bind and " + operations + " operations of one, expected at least 1");
        }
        if (handshakes < 1) {
            throw new IllegalArgumentException("a limit of " + handshakes + " TLS handshakes, expected at least 1");
        }
        if (firstMessageSeconds < 0 || messageSeconds < 0 || idleSecondsBeforeBind < 0 || bindSeconds < 0 || idleSeconds < 0 || answerSeconds < 0 || stopSeconds < 0 || handshakeSeconds < 0) {
            throw new IllegalArgumentException("a time limit below 0 s: " + firstMessageSeconds + ", " + messageSeconds + ", "
                    + idleSecondsBeforeBind + ", " + bindSeconds + ", " + idleSeconds + ", " + answerSeconds + ", " + stopSeconds + ", " + handshakeSeconds);
        }
    }

    /**
     * As many connections as this process can afford, half of them for one address, one identity and before a bind; 256 operations of
     * one; 30 s for the first message, 120 s for each, 300 s idle before a bind, and no limit after it; 120 s to take answers; 10 s
     * for what is done at a stop; half as many TLS handshakes, or fewer where the heap is small, 30 s each.
     */
    public static ConnectionLimits standard() {
        int connections = affordable();
        int half = Math.max(1, connections / 2);
        return new ConnectionLimits(connections, half, half, half, 256, 30, 120, 300, 0, 0, 120, 10, affordableHandshakes(connections), 30);
    }

    /** Bounded by the heap, and half of the connections. */
    public static int affordableHandshakes(int connections) {
        return (int) Math.max(1, Math.min(connections / 2, Runtime.getRuntime().maxMemory() / HANDSHAKE_SHARE / HANDSHAKE_BYTES));
    }

    /** Bounded by the descriptors the process may have, with a reserve for the store, and by the heap. */
    public static int affordable() {
        long byHeap = Runtime.getRuntime().maxMemory() / CONNECTION_BYTES;
        OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
        long byDescriptors = system instanceof UnixOperatingSystemMXBean unix
                ? withoutReserve(unix.getMaxFileDescriptorCount()) : byHeap;
        return (int) Math.max(16, Math.min(byHeap, byDescriptors));
    }

    static long withoutReserve(long descriptors) {
        return descriptors - descriptors / 8 - RESERVED_DESCRIPTORS;
    }

    /** As many of one identity and before a bind as there may be at all. */
    public ConnectionLimits withConnections(int all, int ofAddress) {
        return new ConnectionLimits(all, ofAddress, all, all, operations, firstMessageSeconds, messageSeconds, idleSecondsBeforeBind,
                bindSeconds, idleSeconds, answerSeconds, stopSeconds, handshakes, handshakeSeconds);
    }

    public ConnectionLimits withConnectionsOf(int identity, int nobody) {
        return new ConnectionLimits(connections, connectionsPerAddress, identity, nobody, operations, firstMessageSeconds, messageSeconds,
                idleSecondsBeforeBind, bindSeconds, idleSeconds, answerSeconds, stopSeconds, handshakes, handshakeSeconds);
    }

    public ConnectionLimits withOperations(int most) {
        return new ConnectionLimits(connections, connectionsPerAddress, connectionsPerIdentity, connectionsBeforeBind, most,
                firstMessageSeconds, messageSeconds, idleSecondsBeforeBind, bindSeconds, idleSeconds, answerSeconds, stopSeconds, handshakes, handshakeSeconds);
    }

    public ConnectionLimits withSeconds(int firstMessage, int message, int idleBeforeBind, int idle) {
        return new ConnectionLimits(connections, connectionsPerAddress, connectionsPerIdentity, connectionsBeforeBind, operations,
                firstMessage, message, idleBeforeBind, bindSeconds, idle, answerSeconds, stopSeconds, handshakes, handshakeSeconds);
    }

    public ConnectionLimits withBindSeconds(int seconds) {
        return new ConnectionLimits(connections, connectionsPerAddress, connectionsPerIdentity, connectionsBeforeBind, operations,
                firstMessageSeconds, messageSeconds, idleSecondsBeforeBind, seconds, idleSeconds, answerSeconds, stopSeconds, handshakes,
                handshakeSeconds);
    }

    public ConnectionLimits withAnswerSeconds(int seconds) {
        return new ConnectionLimits(connections, connectionsPerAddress, connectionsPerIdentity, connectionsBeforeBind, operations,
                firstMessageSeconds, messageSeconds, idleSecondsBeforeBind, bindSeconds, idleSeconds, seconds, stopSeconds, handshakes, handshakeSeconds);
    }

    public ConnectionLimits withStopSeconds(int seconds) {
        return new ConnectionLimits(connections, connectionsPerAddress, connectionsPerIdentity, connectionsBeforeBind, operations,
                firstMessageSeconds, messageSeconds, idleSecondsBeforeBind, bindSeconds, idleSeconds, answerSeconds, seconds, handshakes,
                handshakeSeconds);
    }

    public ConnectionLimits withHandshakes(int most, int seconds) {
        return new ConnectionLimits(connections, connectionsPerAddress, connectionsPerIdentity, connectionsBeforeBind, operations,
                firstMessageSeconds, messageSeconds, idleSecondsBeforeBind, bindSeconds, idleSeconds, answerSeconds, stopSeconds, most, seconds);
    }
}
