package org.alder.server.cluster;

import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;
import org.alder.server.control.ReadPoint;

/**
 * What the leader answers (docs/format/member-questions.md; do not change without a new version). Immutable.
 *
 * @param message the response to the last message
 * @param written the state in which what was asked for is done
 */
record HandedAnswer(byte[] message, ReadPoint written) {
    byte[] encode() {
        BerWriter out = new BerWriter(64 + message.length);
        int outer = out.begin(BerWriter.SEQUENCE);
        out.octets(BerWriter.OCTET_STRING, message);
        written.write(out);
        out.end(outer);
        return out.toByteArray();
    }

    static HandedAnswer decode(byte[] bytes) throws BerException {
        BerReader in = new BerReader(bytes);
        int outer = in.enter(BerWriter.SEQUENCE);
        byte[] message = in.readBytes(BerWriter.OCTET_STRING);
        ReadPoint written = ReadPoint.read(in);
        in.leaveFully(outer);
        return new HandedAnswer(message, written);
    }
}
