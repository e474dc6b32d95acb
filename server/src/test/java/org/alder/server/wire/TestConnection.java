package org.alder.server.wire;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import org.alder.server.resource.MemoryBudget;
import org.apache.mina.core.buffer.IoBuffer;
import org.apache.mina.core.future.DefaultWriteFuture;
import org.apache.mina.core.future.WriteFuture;
import org.apache.mina.core.session.DummySession;

/** A connection without a socket, whose client is the test. Thread safe. */
public final class TestConnection {
    private final Client client = new Client();
    private final Connection connection;

    /** @param unread counts what the client has not read */
    public TestConnection(WireSettings settings, MemoryBudget unread) {
        connection = new Connection(client, settings, settings.listeners().get(0),
                Remote.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 5)), unread, new LongAdder());
    }

    public Connection connection() {
        return connection;
    }

    /** @param then what is done whenever the client has read something */
    public void whenRead(Runnable then) {
        client.whenRead = then;
    }

    /** What the client has read, as it was written. */
    public List<byte[]> read() {
        return client.read;
    }

    /** Whether the client reads what comes, and what has come; at first it does. */
    public void setClientReading(boolean reading) {
        client.setReading(reading);
    }

    /** Whether the server has asked to close the connection after what it wrote. */
    public boolean isEnding() {
        return client.isClosing();
    }

    /** Whether the server reads what the client sends. */
    public boolean isServerReading() {
        return !client.isReadSuspended();
    }

    private static final class Client extends DummySession {
        private final List<byte[]> read = new CopyOnWriteArrayList<>();
        private final Queue<IoBuffer> unread = new ArrayDeque<>();
        private final Queue<WriteFuture> futures = new ArrayDeque<>();
        private boolean reading = true;
        private volatile Runnable whenRead = () -> { };

        @Override
        public WriteFuture write(Object message) {
            WriteFuture future = new DefaultWriteFuture(this);
            synchronized (unread) {
                unread.add((IoBuffer) message);
                futures.add(future);
            }
            readWhatHasCome();
            return future;
        }

        void setReading(boolean on) {
            synchronized (unread) {
                reading = on;
            }
            readWhatHasCome();
        }

        private void readWhatHasCome() {
            for (WriteFuture future = readNext(); future != null; future = readNext()) {
                whenRead.run();
                future.setWritten();
            }
        }

        private WriteFuture readNext() {
            synchronized (unread) {
                if (!reading || unread.isEmpty()) {
                    return null;
                }
                IoBuffer buffer = unread.poll();
                byte[] bytes = new byte[buffer.remaining()];
                buffer.get(bytes);
                read.add(bytes);
                return futures.poll();
            }
        }
    }
}
