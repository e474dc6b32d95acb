package org.alder.server.wire;

import java.util.List;
import org.alder.server.wire.layer.TlsEngines;

/**
 * How connections are accepted and how much of the heap one of them may hold.
 *
 * @param listeners where clients come in, at least one
 * @param tls makes the engines of TLS connections; null if there is no TLS
 * @param handshakeThreads how many TLS handshakes calculate at a time
 * @param backlog connections that may wait to be accepted, of each listener
 * @param ioThreads threads that read and write
 * @param messageBytesBeforeBind largest LDAP message of a client that has not authenticated
 * @param messageBytes largest LDAP message of a client that has
 * @param highWaterBytes queued output at which a search pauses; at twice as much the connection's requests are not read either. The
 *     operating system is asked to hold no more than this for the connection on top
 * @param lowWaterBytes queued output at which both go on
 * @param limits how many connections there may be, and how long one may keep the server waiting
 */
public record WireSettings(List<Listener> listeners, TlsEngines tls, int handshakeThreads, int backlog, int ioThreads,
                           int messageBytesBeforeBind, int messageBytes, int highWaterBytes, int lowWaterBytes,
                           ConnectionLimits limits) {
    public WireSettings {
        listeners = List.copyOf(listeners);
        if (listeners.isEmpty()) {
            throw new IllegalArgumentException("no listener, expected at least one");
        }
        if (tls == null && listeners.stream().anyMatch(each -> each.scheme() == Listener.Scheme.LDAPS)) {
            throw new IllegalArgumentException("a listener for TLS, and no TLS");
        }
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
     * One listener in clear, no TLS; 64 KiB before bind, 16 MiB after it, 256 KiB and 64 KiB water marks, one
     * I/O thread a processor, {@link ConnectionLimits#standard}.
     */
    public static WireSettings of(String host, int port) {
        int processors = Runtime.getRuntime().availableProcessors();
        return new WireSettings(List.of(Listener.of(Listener.Scheme.LDAP, host, port)), null, Math.max(1, processors / 2), 1024,
                processors, 64 << 10, 16 << 20, 256 << 10, 64 << 10, ConnectionLimits.standard());
    }

    /** @param engines null for no TLS */
    public WireSettings withListeners(List<Listener> others, TlsEngines engines) {
        return new WireSettings(others, engines, handshakeThreads, backlog, ioThreads, messageBytesBeforeBind, messageBytes,
                highWaterBytes, lowWaterBytes, limits);
    }

    public WireSettings withHandshakeThreads(int threads) {
        return new WireSettings(listeners, tls, threads, backlog, ioThreads, messageBytesBeforeBind, messageBytes, highWaterBytes,
                lowWaterBytes, limits);
    }

    public WireSettings withMessageBytes(int beforeBind, int afterBind) {
        return new WireSettings(listeners, tls, handshakeThreads, backlog, ioThreads, beforeBind, afterBind, highWaterBytes,
                lowWaterBytes, limits);
    }

    /** With a low water mark of a quarter. */
    public WireSettings withHighWaterBytes(int bytes) {
        return new WireSettings(listeners, tls, handshakeThreads, backlog, ioThreads, messageBytesBeforeBind, messageBytes, bytes,
                bytes / 4, limits);
    }

    public WireSettings withIoThreads(int threads) {
        return new WireSettings(listeners, tls, handshakeThreads, backlog, threads, messageBytesBeforeBind, messageBytes,
                highWaterBytes, lowWaterBytes, limits);
    }

    public WireSettings withLimits(ConnectionLimits other) {
        return new WireSettings(listeners, tls, handshakeThreads, backlog, ioThreads, messageBytesBeforeBind, messageBytes,
                highWaterBytes, lowWaterBytes, other);
    }
}
