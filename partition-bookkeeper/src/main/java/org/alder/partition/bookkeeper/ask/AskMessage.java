package org.alder.partition.bookkeeper.ask;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;
import org.alder.partition.error.StoreException;

/**
 * A message between members that ask each other (docs/format/member-questions.md; do not change without a new version). Immutable.
 *
 * @param number which question it is, or is the answer to
 */
record AskMessage(byte kind, long number, byte[] content) {
    /** Each side's first message. */
    static final byte HELLO = 'H';
    static final byte QUESTION = 'Q';
    static final byte ANSWER = 'A';
    /** Nothing was done; the content says why. */
    static final byte REFUSED = 'R';
    /** What was done is not known; the content says why. */
    static final byte UNKNOWN = 'U';
    static final int MOST_HELLO_BYTES = 256;
    /** Of the content of one message. */
    static final int MOST_BYTES = 32 << 20;
    /** Of the questions of one member to another one that wait for their answers. */
    static final int MOST_QUESTIONS = 1000;
    static final long MOST_QUESTIONS_BYTES = 64 << 20;
    private static final int HEADER_BYTES = 1 + Long.BYTES;
    private static final int MOST_REASON_CHARACTERS = 500;

    /** What the one who connects says first. */
    static AskMessage hello(String from, String to) {
        return new AskMessage(HELLO, 0, ("alder-ask 1 from " + from + " to " + to).getBytes(StandardCharsets.UTF_8));
    }

    static AskMessage reason(byte kind, long number, String reason) {
        return new AskMessage(kind, number, reason.substring(0, Math.min(reason.length(), MOST_REASON_CHARACTERS)).getBytes(StandardCharsets.UTF_8));
    }

    String text() {
        return new String(content, StandardCharsets.UTF_8);
    }

    /** What a question failed with at the one who was asked. */
    StoreException failure() {
        return new StoreException(kind == REFUSED ? StoreException.Kind.NOT_LEADER : StoreException.Kind.OUTCOME_UNKNOWN, text());
    }

    /** @throws ProtocolException where it has more bytes than are expected: nothing is held of it then */
    static AskMessage read(DataInputStream in, int mostBytes) throws IOException {
        int bytes = in.readInt();
        if (bytes < HEADER_BYTES || bytes - HEADER_BYTES > mostBytes) {
            throw new ProtocolException("a message of " + bytes + " bytes, expected " + HEADER_BYTES + " to " + (HEADER_BYTES + mostBytes));
        }
        byte kind = in.readByte();
        long number = in.readLong();
        byte[] content = new byte[bytes - HEADER_BYTES];
        in.readFully(content);
        return new AskMessage(kind, number, content);
    }

    /** Whoever calls this flushes. */
    void write(DataOutputStream out) throws IOException {
        out.writeInt(HEADER_BYTES + content.length);
        out.writeByte(kind);
        out.writeLong(number);
        out.write(content);
    }
}
