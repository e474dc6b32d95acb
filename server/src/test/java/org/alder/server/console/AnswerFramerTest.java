package org.alder.server.console;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.testing.Seed;
import org.junit.Test;

/** However the server's answers are cut, the messages are those that were sent, and one that is too large spoils no other. */
public class AnswerFramerTest {
    private static final int MOST = 2000;
    private static final int TAG = 0x64;

    private final List<String> got = new ArrayList<>();
    private final AnswerFramer framer = new AnswerFramer(MOST, new AnswerFramer.Receiver() {
        @Override
        public void received(int id, int tag, byte[] message) {
            got.add(id + " " + tag + " " + Arrays.hashCode(message));
        }

        @Override
        public void tooLarge(int id) {
            got.add(id + " too large");
        }
    });

    private static byte[] message(int id, int bytes) {
        BerWriter out = new BerWriter(bytes + 32);
        int message = out.begin(BerWriter.SEQUENCE);
        out.integer(BerWriter.INTEGER, id);
        byte[] content = new byte[bytes];
        Arrays.fill(content, (byte) id);
        out.octets(TAG, content);
        out.end(message);
        return out.toByteArray();
    }

    @Test
    public void messagesAreWhatWasSent() throws Exception {
        Random random = Seed.random(AnswerFramerTest.class);
        ByteArrayOutputStream sent = new ByteArrayOutputStream();
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 2000; i++) {
            int id = random.nextInt(1 << random.nextInt(31));
            byte[] message = message(id, random.nextInt(4) == 0 ? random.nextInt(10 * MOST) : random.nextInt(100));
            sent.writeBytes(message);
            expected.add(id + (message.length > MOST ? " too large" : " " + TAG + " " + Arrays.hashCode(message)));
        }
        byte[] all = sent.toByteArray();
        for (int from = 0; from < all.length; ) {
            int to = Math.min(all.length, from + 1 + random.nextInt(1 << random.nextInt(14)));
            framer.accept(Arrays.copyOfRange(all, from, to));
            from = to;
        }
        assertEquals(expected, got);
    }

    @Test
    public void byteByByteToo() throws Exception {
        for (byte[] message : List.of(message(1, 3), message(300, 5 * MOST), message(2, 130))) {
            for (byte each : message) {
                framer.accept(new byte[] {each});
            }
        }
        assertEquals(3, got.size());
        assertEquals("300 too large", got.get(1));
    }

    @Test
    public void whatIsNoMessageIsRefused() {
        for (byte[] nonsense : List.of(new byte[] {4, 1, 0}, new byte[] {0x30, (byte) 0x80, 0, 0}, new byte[] {0x30, (byte) 0x85, 1, 1, 1, 1, 1},
                new byte[] {0x30, 3, 4, 1, 1})) {
            assertThrows(Arrays.toString(nonsense), BerException.class, () -> new AnswerFramer(MOST, null).accept(nonsense));
        }
    }
}
