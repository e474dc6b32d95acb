package org.alder.server.wire;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.apache.mina.core.buffer.IoBuffer;
import org.apache.mina.core.service.DefaultTransportMetadata;
import org.apache.mina.core.service.IoProcessor;
import org.apache.mina.core.service.TransportMetadata;
import org.apache.mina.transport.socket.DefaultSocketSessionConfig;
import org.apache.mina.transport.socket.SocketSessionConfig;
import org.apache.mina.transport.socket.nio.NioSession;

/**
 * MINA's acceptor on a unix-domain socket, which MINA does not know: its I/O loops take any channel, its acceptor has to be told how
 * one is opened and accepted. Thread safe.
 */
final class UnixAcceptor extends TcpAcceptor {
    private static final TransportMetadata METADATA = new DefaultTransportMetadata("nio", "unix", false, true,
            UnixDomainSocketAddress.class, SocketSessionConfig.class, IoBuffer.class);

    private final UnixSocket socket;
    private volatile SocketFile file;

    UnixAcceptor(IoProcessor<NioSession> loops, int loopCount, UnixSocket socket, Descriptors descriptors) {
        super(loops, loopCount, descriptors);
        this.socket = socket;
    }

    /** As the superclass's constructor asks. */
    @Override
    public TransportMetadata getTransportMetadata() {
        return METADATA;
    }

    @Override
    protected ServerSocketChannel open(SocketAddress address) throws Exception {
        ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        boolean opened = false;
        try {
            file = SocketFile.bind(socket, channel, getBacklog());
            channel.register(selector, SelectionKey.OP_ACCEPT);
            opened = true;
            return channel;
        } finally {
            if (!opened) {
                close(channel);
            }
        }
    }

    @Override
    protected SocketAddress localAddress(ServerSocketChannel channel) throws IOException {
        return channel.getLocalAddress();
    }

    /** On this acceptor's own thread, which may wait for the name service: the connections of others go on. */
    @Override
    NioSession take(IoProcessor<NioSession> loops, ServerSocketChannel channel) throws IOException {
        SocketChannel accepted = channel.accept();
        if (accepted == null) {
            return null;
        }
        boolean known = false;
        try {
            // The kernel would hold more for a client that does not read.
            accepted.setOption(StandardSocketOptions.SO_SNDBUF, getSessionConfig().getSendBufferSize());
            NioSession session = new UnixSession(loops, accepted, file.peer(accepted));
            known = true;
            return session;
        } finally {
            if (!known) {
                accepted.close();
            }
        }
    }

    @Override
    protected void close(ServerSocketChannel channel) throws Exception {
        super.close(channel);
        SocketFile made = file;
        file = null;
        if (made != null) {
            made.remove();
        }
    }

    /** A connection to the socket. */
    final class UnixSession extends NioSession {
        private final SocketChannel socketChannel;
        private final PeerCredentials peer;
        private final DefaultSocketSessionConfig sessionConfig = new DefaultSocketSessionConfig();

        private UnixSession(IoProcessor<NioSession> loops, SocketChannel socketChannel, PeerCredentials peer) {
            super(loops, UnixAcceptor.this, socketChannel);
            this.socketChannel = socketChannel;
            this.peer = peer;
            sessionConfig.init(UnixAcceptor.this);
            sessionConfig.setAll(UnixAcceptor.this.getSessionConfig());
            config = sessionConfig;
        }

        PeerCredentials peer() {
            return peer;
        }

        @Override
        public SocketChannel getChannel() {
            return socketChannel;
        }

        @Override
        public TransportMetadata getTransportMetadata() {
            return METADATA;
        }

        @Override
        public SocketSessionConfig getConfig() {
            return sessionConfig;
        }

        @Override
        public SocketAddress getLocalAddress() {
            return UnixDomainSocketAddress.of(socket.path());
        }

        /** Clients have no addresses of their own. */
        @Override
        public SocketAddress getRemoteAddress() {
            return getLocalAddress();
        }

        @Override
        public SocketAddress getServiceAddress() {
            return getLocalAddress();
        }
    }
}
