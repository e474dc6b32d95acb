package org.alder.server.wire;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import org.apache.mina.core.buffer.IoBuffer;
import org.apache.mina.core.filterchain.DefaultIoFilterChain;
import org.apache.mina.core.filterchain.IoFilterChain;
import org.apache.mina.core.future.WriteFuture;
import org.apache.mina.core.service.IoHandler;
import org.apache.mina.core.service.IoProcessor;
import org.apache.mina.core.service.IoService;
import org.apache.mina.core.service.TransportMetadata;
import org.apache.mina.core.session.AbstractIoSession;
import org.apache.mina.core.session.DefaultIoSessionDataStructureFactory;
import org.apache.mina.core.session.DummySession;
import org.apache.mina.core.session.IoSession;
import org.apache.mina.core.session.IoSessionConfig;
import org.apache.mina.core.session.IoSessionDataStructureFactory;
import org.apache.mina.core.write.WriteRequest;

/**
 * A socket of a simulation, under MINA's own session: one end is the server's, and what its I/O thread does with it is done by whoever
 * calls {@link #work}; the other end is the client's. One thread at a time.
 */
public final class SimulatedSocket extends AbstractIoSession {
    private static final DummySession ANY = new DummySession();

    private final IoFilterChain chain = new DefaultIoFilterChain(this);
    private final IoSessionConfig config = new DummySession().getConfig();
    private final SessionHandler handler;
    private final SocketAddress address;
    /** What the client has sent, and the server has not read. */
    private byte[] sent = {};
    private final Client client;
    private long readBytes;
    private boolean clientReads = true;
    private boolean clientGone;
    private boolean removed;
    private boolean ended;

    /** The other end. */
    public interface Client {
        /** The server has written this, and the client will read it when it reads. */
        void written(byte[] bytes);

        /** The server has done what it does at once with so much of what was sent. */
        void processed(long bytes);
    }

    private SimulatedSocket(SessionHandler handler, SocketAddress address, Client client) {
        super(ANY.getService());
        this.client = client;
        this.handler = handler;
        this.address = address;
        IoSessionDataStructureFactory structures = new DefaultIoSessionDataStructureFactory();
        try {
            setAttributeMap(structures.getAttributeMap(this));
            setWriteRequestQueue(structures.getWriteRequestQueue(this));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** @param source the last byte of the client's address, which is that of another machine */
    static SimulatedSocket connect(SessionHandler handler, int source, int port, Client client) {
        try {
            InetAddress from = InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) source});
            return new SimulatedSocket(handler, new InetSocketAddress(from, port), client);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** The client sends. */
    public void send(byte[] bytes) {
        byte[] all = Arrays.copyOf(sent, sent.length + bytes.length);
        System.arraycopy(bytes, 0, all, sent.length, bytes.length);
        sent = all;
    }

    /** Whether the client reads what comes. */
    public void setClientReading(boolean reading) {
        clientReads = reading;
    }

    /** The client is gone, without a word. */
    public void vanish() {
        clientGone = true;
    }

    /** What the server has not read yet. */
    public int unreadBytes() {
        return sent.length;
    }

    /** Whether the server has closed it, and knows. */
    public boolean hasEnded() {
        return ended;
    }

    /** Whether the server does not read it for now. */
    public boolean isHeld() {
        return isReadSuspended();
    }

    private boolean canRead() {
        return sent.length > 0 && !isReadSuspended() && !isClosing();
    }

    private boolean canWrite() {
        return clientReads && !isClosing() && !getWriteRequestQueue().isEmpty(this);
    }

    /** Whether the I/O thread has something to do here. */
    public boolean hasWork() {
        return !ended && (removed || clientGone || canRead() || canWrite());
    }

    /**
     * Does one thing that the I/O thread has to do.
     *
     * @param choice of what there is to do
     * @param most bytes that are read at once
     */
    public void work(int choice, int most) {
        if (removed || clientGone) {
            end();
        } else if (canRead() && (choice % 2 == 0 || !canWrite())) {
            int count = Math.min(most, sent.length);
            byte[] bytes = Arrays.copyOf(sent, count);
            sent = Arrays.copyOfRange(sent, count, sent.length);
            handler.messageReceived(this, IoBuffer.wrap(bytes));
            readBytes += count;
            client.processed(readBytes);
        } else if (canWrite()) {
            write();
        }
    }

    /** Of a request to close, the queue makes the end. */
    private void write() {
        WriteRequest request = getWriteRequestQueue().poll(this);
        if (request != null) {
            increaseWrittenBytes(((IoBuffer) request.getMessage()).remaining(), 0);
            chain.fireMessageSent(request);
        }
    }

    private void end() {
        ended = true;
        sent = new byte[0];
        destroy();
        chain.fireSessionClosed();
    }

    @Override
    public WriteFuture write(Object message) {
        if (!isClosing() && isConnected()) {
            IoBuffer buffer = ((IoBuffer) message).duplicate();
            byte[] bytes = new byte[buffer.remaining()];
            buffer.get(bytes);
            client.written(bytes);
        }
        return super.write(message);
    }

    @Override
    public IoProcessor<IoSession> getProcessor() {
        return new Processor();
    }

    private final class Processor implements IoProcessor<IoSession> {
        @Override
        public boolean isDisposing() {
            return false;
        }

        @Override
        public boolean isDisposed() {
            return false;
        }

        @Override
        public void dispose() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void add(IoSession session) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void flush(IoSession session) {
            // The I/O thread looks itself.
        }

        @Override
        public void write(IoSession session, WriteRequest request) {
            getWriteRequestQueue().offer(session, request);
        }

        @Override
        public void updateTrafficControl(IoSession session) {
            // As flush.
        }

        @Override
        public void remove(IoSession session) {
            removed = true;
        }
    }

    @Override
    public IoFilterChain getFilterChain() {
        return chain;
    }

    @Override
    public IoHandler getHandler() {
        return handler;
    }

    @Override
    public IoSessionConfig getConfig() {
        return config;
    }

    @Override
    public IoService getService() {
        return ANY.getService();
    }

    @Override
    public TransportMetadata getTransportMetadata() {
        return ANY.getTransportMetadata();
    }

    @Override
    public SocketAddress getLocalAddress() {
        return ANY.getLocalAddress();
    }

    @Override
    public SocketAddress getRemoteAddress() {
        return address;
    }
}
