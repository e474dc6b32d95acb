package org.alder.server.wire;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.alder.server.resource.Holding;
import org.alder.server.resource.MemoryBudget;
import org.apache.mina.core.session.DummySession;
import org.junit.Test;

/** When a connection has kept the server waiting for too long, by a clock that stands still. */
public class ChannelTest {
    private static final WireSettings SETTINGS = WireSettings.of("127.0.0.1", 0);
    private static final byte[] MESSAGE = {0x30, 0x02, 0x05, 0x00};

    private final MemoryBudget unfinished = new MemoryBudget("unfinishedBytes", 10_000);
    private final MemoryBudget unread = new MemoryBudget("operationBytes", 10_000);
    private final List<String> overdue = new ArrayList<>();
    private boolean idle = true;
    private long seconds = 100;
    private final Connection connection =
            new Connection(new DummySession(), SETTINGS, SETTINGS.listeners().get(0),
                    Remote.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 5)), unread, new LongAdder());
    private final Channel channel = new Channel(connection, new MessageFramer(connection::messageLimit, unfinished.open(Holding.UNFINISHED_REQUEST)),
            new Receiver(), new ConnectionLimits(10, 10, 10, 10, 256, 10, 20, 30, 0, 40, 60, 10, 10, 50), null, now());

    private final class Receiver implements MessageReceiver {
        @Override
        public void received(byte[] bytes, int offset, int length) {
            assertEquals(MESSAGE.length, length);
        }

        @Override
        public void malformed(String reason) {
            throw new AssertionError(reason);
        }

        @Override
        public void overloaded(String reason) {
            throw new AssertionError(reason);
        }

        @Override
        public void overdue(String reason) {
            overdue.add(reason);
        }

        @Override
        public boolean isIdle() {
            return idle;
        }

        @Override
        public void closed() {
            // Nothing is kept.
        }
    }

    private long now() {
        return TimeUnit.SECONDS.toNanos(seconds);
    }

    private void receive(int from, int to) {
        channel.received(MESSAGE, from, to - from, now());
    }

    /** Lets time pass, and looks a second before it is up and then. */
    private void isOverdueAfter(int most, String key) {
        seconds += most - 1;
        channel.endIfOverdue(now());
        assertEquals("a second before", List.of(), overdue);
        seconds++;
        channel.endIfOverdue(now());
        assertEquals(overdue.toString(), 1, overdue.size());
        assertTrue(overdue.get(0), overdue.get(0).contains("(" + key + ")") && overdue.get(0).contains(most + " s"));
    }

    @Test
    public void theFirstMessageIsAwaitedForAWhile() {
        isOverdueAfter(10, "firstMessageTimeoutSeconds");
    }

    @Test
    public void aMessageHasItsTimeFromItsFirstByteOn() {
        receive(0, 4);
        seconds += 5;
        receive(0, 1);
        seconds += 15;
        receive(1, 2);
        seconds -= 15;
        isOverdueAfter(20, "messageTimeoutSeconds");
    }

    @Test
    public void halfAMessageIsOverdueAlsoWhileOthersAreAnswered() {
        receive(0, 4);
        idle = false;
        receive(0, 3);
        isOverdueAfter(20, "messageTimeoutSeconds");
    }

    @Test
    public void idleIsWhoHasAskedForNothingSinceTheLastAnswer() {
        receive(0, 4);
        idle = false;
        seconds += 1000;
        channel.endIfOverdue(now());
        idle = true;
        isOverdueAfter(30, "idleTimeoutSecondsBeforeBind");
        overdue.clear();
        connection.setAuthenticated(true);
        receive(0, 4);
        isOverdueAfter(40, "idleTimeoutSeconds");
    }

    @Test
    public void whoIsNotReadIsNotWaitedFor() {
        receive(0, 4);
        receive(0, 2);
        connection.setReading(false);
        seconds += 1000;
        channel.endIfOverdue(now());
        connection.setReading(true);
        isOverdueAfter(20, "messageTimeoutSeconds");
    }

    @Test
    public void whatAClosedConnectionHeldIsGivenBack() {
        channel.received(new byte[] {0x30, (byte) 0x82, 0x20, 0x00}, 0, 4, now());
        channel.received(new byte[5000], 0, 5000, now());
        assertTrue("little more than has come: " + unfinished.heldBytes(),
                unfinished.heldBytes() >= 3980 && unfinished.heldBytes() < 6000);
        channel.closed();
        assertEquals(0, unfinished.heldBytes());
        connection.write(new byte[100]);
        assertEquals("nothing is written to a closed connection", 0, unread.heldBytes());
    }
}
