package org.alder.server.wire;

import static org.junit.Assert.assertEquals;

import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import org.alder.partition.testing.Await;
import org.alder.server.resource.Counters;
import org.alder.server.resource.MemoryBudget;
import org.junit.Test;

public class TrafficProcessorTest {
    /** More than the operating system takes at once, less than makes the connection hold back its reading by itself. */
    private static final int ANSWER_BYTES = 500_000;
    private static final byte[] REQUEST = {0x30, 3, 2, 1, 1};

    /** Answers each message with many bytes in one piece. */
    private record Talker(Connection connection) implements MessageReceiver {
        @Override
        public void received(byte[] bytes, int offset, int length) {
            connection.write(new byte[ANSWER_BYTES]);
        }

        @Override
        public void malformed(String reason) {
            connection.closeAfterWrites();
        }

        @Override
        public void overloaded(String reason) {
            connection.closeAfterWrites();
        }

        @Override
        public void overdue(String reason) {
            connection.closeAfterWrites();
        }

        @Override
        public boolean isIdle() {
            return true;
        }

        @Override
        public void closed() {
            // Nothing is kept.
        }
    }

    /** The rest of an answer was never sent when reading was suspended or resumed while the operating system had a part of it. */
    @Test
    public void anAnswerUnderWayIsSentToItsEndWhateverBecomesOfReading() throws Exception {
        CompletableFuture<Connection> opened = new CompletableFuture<>();
        try (Acceptor acceptor = Acceptor.start(WireSettings.of("127.0.0.1", 0), connection -> {
            opened.complete(connection);
            return new Talker(connection);
        }, new MemoryBudget("unfinished", 1 << 20), new MemoryBudget("unread", 64 << 20), new Counters());
                Socket socket = new Socket()) {
            socket.setReceiveBufferSize(4096);
            socket.setSoTimeout(Await.MILLIS);
            socket.connect(new InetSocketAddress("127.0.0.1", acceptor.port()));
            socket.getOutputStream().write(REQUEST);
            Connection connection = Await.result("a connection", opened);
            Await.until("a part of the answer", () -> socket.getInputStream().available() > 0);
            connection.setReading(false);
            // The loop looks at what it is to watch for at least once a second, also when nothing happens.
            Thread.sleep(2500);
            assertEquals(ANSWER_BYTES, socket.getInputStream().readNBytes(ANSWER_BYTES).length);
        }
    }
}
