package org.alder.server.wire;

/**
 * How connections are accepted and how much of the heap one of them may hold.
 *
 * @param host name or address to listen on
 * @param port TCP port, 0 for any free one
 * @param backlog connections that may wait to be accepted
 * @param ioThreads threads that read and write
 * @param messageBytesBeforeBind largest LDAP message of a client that has not authenticated
 * @param messageBytes largest LDAP message of a client that has
 * @param highWaterBytes queued output at which a search pauses; at twice as much the connection's requests are not read either. The
 *     operating system is asked to hold no more than this for the connection on top
 * @param lowWaterBytes queued output at which both go on
 * @param writeTimeoutSeconds time without progress after which a connection with queued output is closed, 0 for never
 * @param limits how many connections there may be, and how long one may keep the server waiting
 */
public record WireSettings(String host, int port, int backlog, int ioThreads, int messageBytesBeforeBind, int messageBytes,
                           int highWaterBytes, int lowWaterBytes, int writeTimeoutSeconds, ConnectionLimits limits) {
    public WireSettings {
        if (lowWaterBytes < 0 || lowWaterBytes >= highWaterBytes) {
            throw new IllegalArgumentException("low water " + lowWaterBytes + ", expected less than high water "
                    + highWaterBytes);
        }
        if (messageBytesBeforeBind < 64 || messageBytes < messageBytesBeforeBind) {
            throw new IllegalArgumentException("message limits " + messageBytesBeforeBind + " and " + messageBytes
                    + ", expected at least 64 and ascending");
        }
    }

    /**
     * 64 KiB before bind, 16 MiB after it, 256 KiB and 64 KiB water marks, 120 s write timeout, one I/O thread a processor,
     * {@link ConnectionLimits#standard}.
     */
    public static WireSettings of(String host, int port) {
        return new WireSettings(host, port, 1024, Runtime.getRuntime().availableProcessors(), 64 << 10, 16 << 20,
                256 << 10, 64 << 10, 120, ConnectionLimits.standard());
    }

    public WireSettings withMessageBytes(int beforeBind, int afterBind) {
        return new WireSettings(host, port, backlog, ioThreads, beforeBind, afterBind, highWaterBytes, lowWaterBytes,
                writeTimeoutSeconds, limits);
    }

    /** With a low water mark of a quarter. */
    public WireSettings withHighWaterBytes(int bytes) {
        return new WireSettings(host, port, backlog, ioThreads, messageBytesBeforeBind, messageBytes, bytes, bytes / 4,
                writeTimeoutSeconds, limits);
    }

    public WireSettings withIoThreads(int threads) {
        return new WireSettings(host, port, backlog, threads, messageBytesBeforeBind, messageBytes, highWaterBytes,
                lowWaterBytes, writeTimeoutSeconds, limits);
    }

    public WireSettings withWriteTimeoutSeconds(int seconds) {
        return new WireSettings(host, port, backlog, ioThreads, messageBytesBeforeBind, messageBytes, highWaterBytes,
                lowWaterBytes, seconds, limits);
    }

    public WireSettings withLimits(ConnectionLimits other) {
        return new WireSettings(host, port, backlog, ioThreads, messageBytesBeforeBind, messageBytes, highWaterBytes,
                lowWaterBytes, writeTimeoutSeconds, other);
    }
}
