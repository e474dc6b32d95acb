package org.alder.server.wire;

/**
 * What a connection tells the protocol. {@link #received} and {@link #malformed} come one after the other on the
 * connection's I/O thread, which serves other connections too: they must not block. {@link #overloaded} may come on that of another
 * connection, {@link #overdue} and {@link #isIdle} come on a thread of their own. {@link #closed} comes last, once.
 */
public interface MessageReceiver {
    /**
     * One whole message, tag and length included.
     *
     * @param bytes shared with the network layer: what is kept beyond the call must be copied
     */
    void received(byte[] bytes, int offset, int length);

    /**
     * The bytes are no message, or a larger one than is allowed. Nothing more will be received; the receiver closes the
     * connection.
     */
    void malformed(String reason);

    /** The server cannot afford the connection. Nothing more will be received; the receiver closes it. */
    void overloaded(String reason);

    /** The client has kept the server waiting for too long; the receiver closes the connection. */
    void overdue(String reason);

    /** Whether no request of the client is being answered. */
    boolean isIdle();

    /** The connection is gone; writes are void. */
    void closed();

    /** Gives each new connection its receiver. */
    @FunctionalInterface
    interface Factory {
        MessageReceiver opened(Connection connection);
    }
}
