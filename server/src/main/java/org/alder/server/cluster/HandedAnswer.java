package org.alder.server.cluster;

import java.util.Map;
import java.util.TreeMap;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;
import org.alder.server.protocol.ReadPoint;

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
        int all = out.begin(BerWriter.SEQUENCE);
        written.sequences().forEach((suffix, sequence) -> {
            int one = out.begin(BerWriter.SEQUENCE);
            out.string(BerWriter.OCTET_STRING, suffix);
            out.string(BerWriter.OCTET_STRING, Long.toString(sequence));
            out.end(one);
        });
        out.end(all);
        out.end(outer);
        return out.toByteArray();
    }

    static HandedAnswer decode(byte[] bytes) throws BerException {
        BerReader in = new BerReader(bytes);
        int outer = in.enter(BerWriter.SEQUENCE);
        byte[] message = in.readBytes(BerWriter.OCTET_STRING);
        Map<String, Long> sequences = new TreeMap<>();
        int all = in.enter(BerWriter.SEQUENCE);
        while (in.hasMore()) {
            int one = in.enter(BerWriter.SEQUENCE);
            String suffix = in.readString(BerWriter.OCTET_STRING);
            String sequence = in.readString(BerWriter.OCTET_STRING);
            if (!sequence.matches("[0-9]{1,18}")) {
                throw new BerException("a sequence number that is none");
            }
            sequences.put(suffix, Long.parseLong(sequence));
            in.leave(one);
        }
        in.leave(all);
        in.leaveFully(outer);
        return new HandedAnswer(message, new ReadPoint(sequences));
    }
}
