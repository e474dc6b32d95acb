package org.alder.server.console;

import java.util.Arrays;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;

/**
 * Cuts what a server sends, which comes in any pieces, into messages (RFC 4511 5.1). One that is larger than allowed is passed over, and
 * said to be so: what follows it is none the worse. One thread at a time.
 */
final class AnswerFramer {
    /** Of the header of a message, and that of the ID in it. */
    private static final int MOST_HEADER_BYTES = 16;

    private final int mostBytes;
    private final Receiver receiver;
    private byte[] held = {};
    /** How much of a message that is too large is still to come. */
    private long passing;

    /** Gets what was cut. */
    interface Receiver {
        /** @param tag what it is  @param message all of it */
        void received(int id, int tag, byte[] message);

        /** A message for this request is larger than allowed. */
        void tooLarge(int id);
    }

    AnswerFramer(int mostBytes, Receiver receiver) {
        this.mostBytes = mostBytes;
        this.receiver = receiver;
    }

    /** @throws BerException if it is no message; nothing more can be cut then */
    void accept(byte[] bytes) throws BerException {
        int from = 0;
        if (passing > 0) {
            from = (int) Math.min(passing, bytes.length);
            passing -= from;
        }
        int old = held.length;
        held = Arrays.copyOf(held, old + bytes.length - from);
        System.arraycopy(bytes, from, held, old, bytes.length - from);
        int used = 0;
        for (int length = next(used); length > 0; length = next(used)) {
            used += length;
        }
        held = Arrays.copyOfRange(held, Math.min(used, held.length), held.length);
    }

    /** Takes the message that begins here. Returns how much of what is held that was, 0 if it is not whole. */
    private int next(int at) throws BerException {
        int have = held.length - at;
        if (have < 2) {
            return 0;
        }
        int first = held[at + 1] & 0xFF;
        int octets = first > 0x80 ? first & 0x7F : 0;
        if (held[at] != BerWriter.SEQUENCE || first == 0x80 || octets > 4) {
            throw new BerException("no message");
        }
        if (have < 2 + octets) {
            return 0;
        }
        long length = octets == 0 ? first : 0;
        for (int i = 0; i < octets; i++) {
            length = length << 8 | held[at + 2 + i] & 0xFF;
        }
        long whole = 2L + octets + length;
        if (have < Math.min(whole, MOST_HEADER_BYTES) || whole <= mostBytes && have < whole) {
            return 0;
        }
        BerReader reader = new BerReader(held, at + 2 + octets, (int) Math.min(length, have - 2L - octets));
        int id = reader.readInt(BerWriter.INTEGER);
        if (whole > mostBytes) {
            passing = Math.max(0, whole - have);
            receiver.tooLarge(id);
            return (int) Math.min(whole, have);
        }
        receiver.received(id, reader.peekTag(), Arrays.copyOfRange(held, at, at + (int) whole));
        return (int) whole;
    }
}
