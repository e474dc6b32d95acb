package org.alder.server.wire;

import java.nio.channels.ClosedChannelException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.apache.mina.core.buffer.IoBuffer;
import org.apache.mina.core.filterchain.IoFilter;
import org.apache.mina.core.filterchain.IoFilterAdapter;
import org.apache.mina.core.future.DefaultWriteFuture;
import org.apache.mina.core.future.WriteFuture;
import org.apache.mina.core.session.DummySession;
import org.apache.mina.core.session.IoSession;

/**
 * A connection whose client is in this process, and speaks for somebody at another address: it has no socket, and is else as all
 * connections are, with what bounds these, and among those that are shown. What the client sends is begun with on the client's own
 * thread; answers come on any thread. Thread safe.
 */
public final class InnerConnection implements AutoCloseable {
    private final SessionHandler handler;
    private final Session session;
    private final Object sending = new Object();

    /** Gets what the server sends. Neither method may block, or send. */
    public interface Client {
        /** Bytes of one or several messages, or of a part of one; they come one after the other. */
        void answered(byte[] bytes);

        /** The connection is gone, whoever has closed it. Once. */
        void closed();
    }

    /**
     * @param remote whom the client speaks for
     * @param closer on which a connection ends, as those that have a socket end on an I/O thread: not amid what has it closed
     */
    InnerConnection(SessionHandler handler, Remote remote, Client client, Executor closer,
            Consumer<InnerConnection> whenClosed) {
        this.handler = handler;
        this.session = new Session(remote, client::answered);
        session.setHandler(handler);
        session.getFilterChain().addLast("closer", new IoFilterAdapter() {
            @Override
            public void filterClose(NextFilter next, IoSession closing) {
                try {
                    closer.execute(() -> end(next, closing));
                } catch (RejectedExecutionException e) {
                    // The server has stopped.
                    next.filterClose(closing);
                }
            }
        });
        session.getCloseFuture().addListener(closed -> {
            whenClosed.accept(this);
            client.closed();
        });
    }

    /** Not while the server begins with a message, as an I/O thread would do one after the other too. */
    private void end(IoFilter.NextFilter next, IoSession closing) {
        synchronized (sending) {
            next.filterClose(closing);
        }
    }

    void open() {
        handler.sessionCreated(session);
    }

    IoSession session() {
        return session;
    }

    /** As it is shown below cn=connections,cn=Monitor. */
    public long id() {
        return session.getId();
    }

    public boolean isOpen() {
        return !session.isClosing();
    }

    /** One whole message; void if the connection is closed. Who sends waits while the server begins with it, not for its answer. */
    public void send(byte[] message) {
        synchronized (sending) {
            if (isOpen()) {
                handler.messageReceived(session, IoBuffer.wrap(message));
            }
        }
    }

    /** Idempotent. */
    @Override
    public void close() {
        session.closeNow();
    }

    /** What MINA calls a session: whatever is written to it has been read at once. */
    static final class Session extends DummySession {
        private final Remote remote;
        private final Consumer<byte[]> reader;

        private Session(Remote remote, Consumer<byte[]> reader) {
            this.remote = remote;
            this.reader = reader;
        }

        Remote remote() {
            return remote;
        }

        @Override
        public WriteFuture write(Object message) {
            if (isClosing()) {
                return DefaultWriteFuture.newNotWrittenFuture(this, new ClosedChannelException());
            }
            IoBuffer buffer = (IoBuffer) message;
            byte[] bytes = new byte[buffer.remaining()];
            buffer.get(bytes);
            reader.accept(bytes);
            return DefaultWriteFuture.newWrittenFuture(this);
        }
    }
}
