package org.alder.server.wire;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.alder.server.resource.Holding;
import org.alder.server.resource.MemoryBudget;
import org.alder.server.wire.layer.SecurityLayer;
import org.junit.Test;

/** The order of what is written, and what becomes of who writes and who asks while the client does not read. */
public class ConnectionWritesTest {
    private static final int HIGH = 1000;

    private final MemoryBudget unread = new MemoryBudget("operationBytes", 1 << 20);
    private final WireSettings settings = WireSettings.of("127.0.0.1", 0).withHighWaterBytes(HIGH);
    private final TestConnection client = new TestConnection(settings, unread);
    private final Connection connection = client.connection();
    private final List<String> ran = new ArrayList<>();

    private void write(String text) {
        connection.write(text.getBytes(StandardCharsets.US_ASCII));
    }

    private String read() {
        return client.read().stream().map(bytes -> new String(bytes, StandardCharsets.US_ASCII)).collect(Collectors.joining(" "));
    }

    @Test
    public void whatOthersWriteFollowsTheLongMessage() {
        Connection.LongMessage message = connection.startLongMessage();
        message.write("long".getBytes(StandardCharsets.US_ASCII));
        write("other");
        assertNull("one at a time", connection.startLongMessage());
        connection.whenLongMessageMayStart(() -> ran.add("next"));
        message.write("end".getBytes(StandardCharsets.US_ASCII));
        assertEquals("long end", read());
        assertEquals("what waits counts, too", "other".length(), connection.queuedBytes());
        assertEquals(List.of(), ran);
        message.end();
        assertEquals("long end other", read());
        assertEquals(List.of("next"), ran);
        assertEquals(0, unread.heldBytes());
        assertNotNull(connection.startLongMessage());
    }

    @Test
    public void whoWritesMuchGoesOnWhenLittleIsUnread() {
        client.setClientReading(false);
        write("x".repeat(HIGH - Connection.WRITE_BYTES - 1));
        assertFalse(connection.isCongested());
        write("y");
        assertTrue(connection.isCongested());
        connection.whenDrained(() -> ran.add("more"));
        assertEquals(List.of(), ran);
        assertEquals("with what each write costs", HIGH + Connection.WRITE_BYTES, unread.heldBytes());
        client.setClientReading(true);
        assertEquals(List.of("more"), ran);
        assertEquals(0, unread.heldBytes());
        connection.whenDrained(() -> ran.add("at once"));
        assertEquals(List.of("more", "at once"), ran);
    }

    /** Each used to go on as soon as there was room for one. */
    @Test
    public void ofManyWhoWaitOnlySoManyGoOnAsThereIsRoomFor() {
        client.setClientReading(false);
        write("x".repeat(HIGH));
        for (int i = 0; i < 3; i++) {
            int number = i;
            connection.whenDrained(() -> {
                ran.add("writer " + number);
                client.setClientReading(false);
                write("x".repeat(HIGH));
            });
        }
        for (int i = 1; i <= 3; i++) {
            client.setClientReading(true);
            assertEquals(i, ran.size());
        }
    }

    @Test
    public void whoDoesNotReadIsNotReadUntilHeDoes() {
        client.setClientReading(false);
        write("x".repeat(2 * HIGH - Connection.WRITE_BYTES));
        assertTrue(client.isServerReading());
        write("y");
        assertFalse(client.isServerReading());
        connection.setReading(false);
        client.setClientReading(true);
        assertFalse("the protocol has its own reason", client.isServerReading());
        connection.setReading(true);
        assertTrue(client.isServerReading());
    }

    /** A request that was sent as soon as the answer had come was done as if there were no layer: TLS was started below it. */
    @Test
    public void whoReadsTheAnswerToABindIsInItsLayerAlready() {
        client.whenRead(() -> ran.add("in the layer: " + connection.hasLayer() + ", protected: " + connection.isProtected()));
        assertTrue(connection.sendIn(new SecurityLayer() {
            @Override
            public boolean isConfidential() {
                return true;
            }

            @Override
            public int mostBytes() {
                return HIGH;
            }

            @Override
            public byte[] protect(byte[] bytes, int offset, int length) {
                return "hidden".getBytes(StandardCharsets.US_ASCII);
            }

            @Override
            public byte[] reveal(byte[] bytes, int offset, int length) {
                throw new UnsupportedOperationException();
            }
        }, "answer".getBytes(StandardCharsets.US_ASCII)));
        assertEquals("as before", "answer", read());
        assertEquals(List.of("in the layer: true, protected: true"), ran);
        write("next");
        assertEquals("answer \0\0\0\6hidden", read());
    }

    /** A client that asked for little and read nothing had twenty times what was counted. */
    @Test
    public void shortAnswersCountForWhatTheyCost() {
        client.setClientReading(false);
        for (int i = 0; i < 10 && client.isServerReading(); i++) {
            write("short");
        }
        assertFalse(client.isServerReading());
        client.setClientReading(true);
        assertEquals(0, unread.heldBytes());
        assertEquals(0, connection.queuedBytes());
        assertTrue(client.isServerReading());
    }

    @Test
    public void whileMemoryIsScarceLittleIsMuch() {
        int usual = connection.chunkBytes();
        try (MemoryBudget.Share others = unread.open(Holding.UNREAD_ANSWER)) {
            others.take(2 << 20);
            TestConnection another = new TestConnection(WireSettings.of("127.0.0.1", 0), unread);
            another.setClientReading(false);
            another.connection().write(new byte[another.connection().chunkBytes()]);
            assertTrue(another.connection().isCongested());
            assertTrue(another.connection().chunkBytes() < usual);
            another.setClientReading(true);
            assertFalse(another.connection().isCongested());
        }
        assertEquals(usual, connection.chunkBytes());
    }

    @Test
    public void aClosedConnectionHoldsNothingAndNobodyWaitsForIt() {
        client.setClientReading(false);
        write("x".repeat(HIGH));
        assertNotNull(connection.startLongMessage());
        write("held");
        connection.whenDrained(() -> ran.add("drained"));
        connection.whenLongMessageMayStart(() -> ran.add("turn"));
        connection.closed();
        assertEquals(List.of("drained", "turn"), ran);
        assertEquals(0, unread.heldBytes());
        write("void");
        client.setClientReading(true);
        assertFalse(read(), read().contains("void"));
        assertTrue(connection.isClosed());
    }

    /** Another answer used to come between the notice of disconnection and the end, or another notice. */
    @Test
    public void nothingFollowsTheLastMessage() {
        write("answer");
        connection.writeLast("notice".getBytes(StandardCharsets.US_ASCII));
        write("answer");
        connection.writeLast("notice".getBytes(StandardCharsets.US_ASCII));
        assertEquals("answer notice", read());
    }

    @Test
    public void theEndComesAfterWhatWasWritten() {
        write("last");
        assertFalse(client.isEnding());
        connection.closeAfterWrites();
        assertTrue(client.isEnding());
        assertEquals("last", read());
    }
}
