package org.alder.server.wire;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.alder.partition.ber.BerWriter;
import org.alder.server.resource.Holding;
import org.alder.server.resource.MemoryBudget;
import org.junit.Test;

public class MessageFramerTest {
    private static final int LIMIT = 1000;

    private final List<byte[]> received = new ArrayList<>();
    private final List<String> refused = new ArrayList<>();
    private final MessageFramer framer = new MessageFramer(() -> LIMIT, new MemoryBudget("unfinishedBytes", 10_000).open(Holding.UNFINISHED_REQUEST));

    private final MessageReceiver receiver = new MessageReceiver() {
        @Override
        public void received(byte[] bytes, int offset, int length) {
            received.add(Arrays.copyOfRange(bytes, offset, offset + length));
        }

        @Override
        public void malformed(String reason) {
            refused.add(reason);
        }

        @Override
        public void overloaded(String reason) {
            refused.add(reason);
        }

        @Override
        public void overdue(String reason) {
            throw new AssertionError("the framer has no clock");
        }

        @Override
        public boolean isIdle() {
            throw new AssertionError("the framer does not ask");
        }

        @Override
        public void closed() {
            throw new AssertionError("the framer does not close");
        }
    };

    private static byte[] message(int contentBytes) {
        BerWriter writer = new BerWriter(16);
        int sequence = writer.begin(BerWriter.SEQUENCE);
        writer.raw(new byte[contentBytes], 0, contentBytes);
        writer.end(sequence);
        return writer.toByteArray();
    }

    private static byte[] concat(byte[]... parts) {
        BerWriter writer = new BerWriter(16);
        for (byte[] part : parts) {
            writer.raw(part, 0, part.length);
        }
        return writer.toByteArray();
    }

    private void feed(int... bytes) {
        byte[] data = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            data[i] = (byte) bytes[i];
        }
        framer.accept(data, 0, data.length, receiver);
    }

    @Test
    public void cutsSeveralMessagesOfOneRead() {
        byte[] all = concat(message(0), message(5), message(127), message(128), message(300));
        framer.accept(all, 0, all.length, receiver);
        assertEquals(List.of(2, 7, 129, 131, 304), received.stream().map(each -> each.length).toList());
        assertTrue(refused.isEmpty());
    }

    @Test
    public void putsTogetherWhatWasSplitAnywhere() {
        byte[] all = concat(message(3), message(200), message(4));
        for (int first = 1; first < all.length; first++) {
            for (int second = first; second < all.length; second += 17) {
                received.clear();
                framer.accept(all, 0, first, receiver);
                framer.accept(all, first, second - first, receiver);
                framer.accept(all, second, all.length - second, receiver);
                assertArrayEquals("split at " + first + " and " + second, all, concat(received.toArray(new byte[0][])));
                assertEquals(3, received.size());
            }
        }
    }

    @Test
    public void putsTogetherSingleBytes() {
        byte[] all = concat(message(3), message(200), message(4));
        for (int i = 0; i < all.length; i++) {
            framer.accept(all, i, 1, receiver);
        }
        assertEquals(3, received.size());
    }

    @Test
    public void acceptsTheLimitAndRefusesOneByteMore() {
        byte[] largest = message(LIMIT - 4);
        framer.accept(largest, 0, largest.length, receiver);
        assertEquals(1, received.size());
        feed(0x30, 0x82, 0x03, 0xE5);
        assertEquals(List.of("a message of 1001 bytes, at most 1000 are allowed"
                + " (maxRequestBytes, before a bind maxRequestBytesBeforeBind)"), refused);
    }

    @Test
    public void refusesByTheLengthAloneWithoutWaitingForTheRest() {
        feed(0x30, 0x84, 0x7F, 0xFF, 0xFF, 0xFF);
        assertEquals(1, refused.size());
    }

    @Test
    public void refusesALengthWithTheHighestBit() {
        feed(0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF);
        assertEquals(1, refused.size());
    }

    @Test
    public void refusesAnotherTag() {
        feed('G', 'E', 'T', ' ');
        assertEquals(List.of("a message starts with byte 0x47, expected 0x30"), refused);
    }

    @Test
    public void refusesAnIndefiniteLength() {
        feed(0x30, 0x80);
        assertEquals(1, refused.size());
    }

    @Test
    public void refusesALengthOfMoreThanFourBytes() {
        feed(0x30, 0x85, 0, 0, 0, 0, 1);
        assertEquals(1, refused.size());
    }

    @Test
    public void saysNothingMoreAfterARefusal() {
        feed(0x31);
        feed(0x30, 0x00);
        feed(0x31);
        assertEquals(1, refused.size());
        assertTrue(received.isEmpty());
    }
}
