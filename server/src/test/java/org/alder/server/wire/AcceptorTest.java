package org.alder.server.wire;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.alder.partition.testing.Await;
import org.alder.server.resource.Counters;
import org.alder.server.resource.MemoryBudget;
import org.apache.mina.core.service.IoHandlerAdapter;
import org.apache.mina.core.service.IoProcessor;
import org.apache.mina.core.service.SimpleIoProcessorPool;
import org.apache.mina.core.session.IoSession;
import org.apache.mina.transport.socket.nio.NioSession;
import org.junit.Test;

public class AcceptorTest {
    private static final byte[] FAULT = {0x30, 0x01, 'f'};
    private static final byte[] ECHO = {0x30, 0x01, 'e'};

    /** Answers each message with itself, but for those that make it fail. */
    private static void echo(Connection connection, byte[] message) {
        if (message[2] == 'f') {
            throw new StackOverflowError("a fault for the test");
        }
        connection.write(message);
    }

    private static Acceptor start(WireSettings settings) throws IOException {
        return Acceptor.start(() -> settings, connection -> new Talker(connection, AcceptorTest::echo), new MemoryBudget("unfinished", 1 << 20), new MemoryBudget("unread", 1 << 20),
                new Counters());
    }

    private static Socket connect(Acceptor acceptor) throws IOException {
        Socket socket = new Socket("127.0.0.1", acceptor.port());
        socket.setSoTimeout(Await.MILLIS);
        return socket;
    }

    private static void isServed(Socket socket) throws IOException {
        socket.getOutputStream().write(ECHO);
        assertEquals(0x30, socket.getInputStream().read());
        assertEquals(0x01, socket.getInputStream().read());
        assertEquals('e', socket.getInputStream().read());
    }

    /** MINA lets an Error end the thread that serves all connections of a processor. */
    @Test(timeout = Await.MILLIS)
    public void anErrorEndsOneConnectionAndNotTheThreadThatServesOthers() throws IOException {
        try (Acceptor acceptor = start(WireSettings.of("127.0.0.1", 0).withIoThreads(1)); Socket other = connect(acceptor)) {
            isServed(other);
            for (int i = 0; i < 3; i++) {
                try (Socket faulty = connect(acceptor)) {
                    isServed(faulty);
                    faulty.getOutputStream().write(FAULT);
                    assertEquals("closed", -1, faulty.getInputStream().read());
                }
            }
            isServed(other);
            try (Socket next = connect(acceptor)) {
                isServed(next);
            }
        }
    }

    /** MINA may start a second loop while it is disposed of; it warned, as of a fault, that the first one closes its selector. */
    @Test(timeout = Await.MILLIS)
    public void aLoopThatIsLeftWhenAnAcceptorIsDisposedOfEnds() throws Exception {
        SimpleIoProcessorPool<NioSession> loops = new SimpleIoProcessorPool<>(TrafficProcessor.class, 1);
        TcpAcceptor acceptor = new TcpAcceptor(loops, 1, new Descriptors(new Counters()));
        acceptor.dispose(true);
        assertEquals(0, acceptor.select());
        loops.dispose();
    }

    /** A loop begins with all new connections there are before it looks at what others have sent: it was kept at that by many who came. */
    @Test(timeout = Await.MILLIS)
    public void noMoreIsAcceptedThanTheLoopsCanTakeUp() throws Exception {
        int clients = 60;
        AtomicInteger arriving = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        CountDownLatch arrived = new CountDownLatch(clients);
        SimpleIoProcessorPool<NioSession> loops = new SimpleIoProcessorPool<>(TrafficProcessor.class, 2);
        TcpAcceptor acceptor = new TcpAcceptor(loops, 2, new Descriptors(new Counters())) {
            @Override
            NioSession take(IoProcessor<NioSession> to, ServerSocketChannel channel) throws Exception {
                NioSession session = super.take(to, channel);
                if (session != null) {
                    most.accumulateAndGet(arriving.incrementAndGet(), Math::max);
                }
                return session;
            }
        };
        List<Socket> sockets = new ArrayList<>();
        try {
            acceptor.setHandler(new IoHandlerAdapter() {
                @Override
                public void sessionCreated(IoSession session) throws InterruptedException {
                    // Slower than they are accepted.
                    Thread.sleep(2);
                    arriving.decrementAndGet();
                    arrived.countDown();
                }
            });
            acceptor.setBacklog(clients);
            acceptor.bind(new InetSocketAddress("127.0.0.1", 0));
            for (int i = 0; i < clients; i++) {
                sockets.add(new Socket("127.0.0.1", acceptor.getLocalAddress().getPort()));
            }
            arrived.await();
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
            acceptor.dispose(true);
            loops.dispose();
        }
        assertTrue(most + " at a time", most.get() <= 4 * TcpAcceptor.ARRIVALS_OF_LOOP);
    }
}
