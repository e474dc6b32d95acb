package org.alder.server.wire;

import static org.junit.Assert.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.alder.server.resource.Holding;
import org.alder.server.resource.MemoryBudget;
import org.alder.server.wire.layer.SaslBuffers;
import org.alder.server.wire.layer.SecurityLayer;

/** Wherever the network cuts what comes, it is read as if it had come in one piece. */
public final class FramingFuzz {
    private static final int LIMIT_BYTES = 4096;
    private static final long BUDGET_BYTES = 1 << 20;
    private static final int MOST_BYTES_OF_PIECE = 16;

    private FramingFuzz() {
    }

    /** Notes what comes out, and how it ends. */
    private static final class Received implements MessageReceiver {
        private final List<ByteBuffer> messages = new ArrayList<>();
        private String refusal;

        @Override
        public void received(byte[] bytes, int offset, int length) {
            messages.add(ByteBuffer.wrap(Arrays.copyOfRange(bytes, offset, offset + length)));
        }

        @Override
        public void malformed(String reason) {
            assertEquals("refused a second time", null, refusal);
            refusal = reason;
        }

        @Override
        public void overloaded(String reason) {
            throw new AssertionError(reason);
        }

        @Override
        public void overdue(String reason) {
            throw new AssertionError(reason);
        }

        @Override
        public boolean isIdle() {
            return true;
        }

        @Override
        public void closed() {
            throw new AssertionError("a framer closes nothing");
        }
    }

    public static void messages(byte[] input) {
        Received whole = received(input, input.length);
        for (int most : new int[] {1, MOST_BYTES_OF_PIECE}) {
            Received pieces = received(input, most);
            assertEquals("messages", whole.messages, pieces.messages);
            assertEquals("refusal", whole.refusal, pieces.refusal);
        }
    }

    private static Received received(byte[] input, int mostAtOnce) {
        Received received = new Received();
        MemoryBudget budget = new MemoryBudget("unfinishedBytes", BUDGET_BYTES);
        MessageFramer framer = new MessageFramer(() -> LIMIT_BYTES, budget.open(Holding.UNFINISHED_REQUEST));
        for (int at = 0; at < input.length;) {
            int length = Math.min(input.length - at, pieceBytes(input[at], mostAtOnce));
            framer.accept(input, at, length, received);
            at += length;
        }
        assertEquals("whole messages", received.messages.size(), framer.messages());
        framer.close();
        assertEquals("bytes that are counted after the end", 0, budget.heldBytes());
        return received;
    }

    private static int pieceBytes(byte next, int most) {
        return most == MOST_BYTES_OF_PIECE ? 1 + (next & MOST_BYTES_OF_PIECE - 1) : Math.max(1, most);
    }

    public static void proxyHeader(byte[] input) {
        String whole = header(input, input.length);
        assertEquals(whole, header(input, 1));
        assertEquals(whole, header(input, MOST_BYTES_OF_PIECE));
    }

    /** What becomes of it: the client, a refusal, or nothing yet. */
    private static String header(byte[] input, int mostAtOnce) {
        ProxyHeader header = new ProxyHeader();
        int at = 0;
        try {
            while (at < input.length && !header.isComplete()) {
                int length = Math.min(input.length - at, pieceBytes(input[at], mostAtOnce));
                int used = header.accept(input, at, length);
                assertEquals("bytes that are left behind though the header goes on", length, header.isComplete() ? length : used);
                at += used;
            }
        } catch (ProtocolException e) {
            return e.getMessage();
        }
        return header.isComplete() ? at + " bytes of " + header.remote(Remote.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1)))
                : "goes on";
    }

    /** Protects nothing: what is revealed is what has come, but for its first byte, which says that it is genuine. */
    private static final class Marked implements SecurityLayer {
        private static final byte MARK = 'x';

        @Override
        public boolean isConfidential() {
            return true;
        }

        @Override
        public int mostBytes() {
            return MOST_BYTES_OF_PIECE;
        }

        @Override
        public byte[] protect(byte[] bytes, int offset, int length) {
            byte[] marked = new byte[1 + length];
            marked[0] = MARK;
            System.arraycopy(bytes, offset, marked, 1, length);
            return marked;
        }

        @Override
        public byte[] reveal(byte[] bytes, int offset, int length) throws IOException {
            if (length == 0 || bytes[offset] != MARK) {
                throw new IOException("a buffer that is not genuine");
            }
            return Arrays.copyOfRange(bytes, offset + 1, offset + length);
        }
    }

    /** Buffers of a security layer of SASL; what is sent in one is received as it was. */
    public static void saslLayer(byte[] input) throws IOException {
        String whole = revealed(input, input.length);
        assertEquals(whole, revealed(input, 1));
        assertEquals(whole, revealed(input, MOST_BYTES_OF_PIECE));
        byte[] sent = new SaslBuffers(new Marked(), () -> LIMIT_BYTES,
                new MemoryBudget("operationBytes", BUDGET_BYTES).open(Holding.UNREAD_ANSWER)).sent(input);
        assertEquals(hex(input), revealed(sent, sent.length));
    }

    /** What is revealed, and behind it why no more is. */
    private static String revealed(byte[] input, int mostAtOnce) {
        ByteArrayOutputStream plain = new ByteArrayOutputStream();
        MemoryBudget budget = new MemoryBudget("unfinishedBytes", BUDGET_BYTES);
        MemoryBudget.Share share = budget.open(Holding.UNFINISHED_REQUEST);
        SaslBuffers buffers = new SaslBuffers(new Marked(), () -> LIMIT_BYTES, share);
        String refusal = "";
        try {
            for (int at = 0; at < input.length;) {
                int length = Math.min(input.length - at, pieceBytes(input[at], mostAtOnce));
                buffers.received(input, at, length, plain::write);
                at += length;
            }
        } catch (IOException e) {
            refusal = e.getMessage();
        }
        share.close();
        assertEquals("bytes that are counted after the end", 0, budget.heldBytes());
        return hex(plain.toByteArray()) + refusal;
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }
}
