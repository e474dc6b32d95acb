package org.alder.server.cluster;

import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.prepared.TransactionId;

/**
 * Asks the leader of a shard to check the updates that a transaction of several shards has there, and to keep them (docs/format/member-questions.md; do not change without
 * a new version). What is asked about them afterwards is a {@link PartQuestion}. Immutable.
 *
 * @param shard   the label of the one that is asked
 * @param request the updates, and who has sent them
 */
record PartRequest(String shard, TransactionId id, HandedRequest request) {
    /** [APPLICATION 8], constructed. */
    static final int TAG = 0x68;
    private static final int VERSION = 1;

    byte[] encode() {
        byte[] inner = request.encode();
        BerWriter out = new BerWriter(256 + inner.length);
        int outer = out.begin(TAG);
        out.integer(BerWriter.INTEGER, VERSION);
        out.string(BerWriter.OCTET_STRING, shard);
        PartQuestion.write(out, id);
        out.octets(BerWriter.OCTET_STRING, inner);
        out.end(outer);
        return out.toByteArray();
    }

    /** @throws BerException where it is none, or of another version */
    static PartRequest decode(byte[] bytes) throws BerException {
        BerReader in = new BerReader(bytes);
        int outer = in.enter(TAG);
        int version = in.readInt(BerWriter.INTEGER);
        PartQuestion.require(version == VERSION, "a part of a transaction of version " + version + ", expected " + VERSION);
        String shard = in.readString(BerWriter.OCTET_STRING);
        TransactionId id = PartQuestion.readId(in);
        HandedRequest request = HandedRequest.decode(in.readBytes(BerWriter.OCTET_STRING));
        in.leaveFully(outer);
        PartQuestion.require(!in.hasMore(), "bytes behind its end");
        return new PartRequest(shard, id, request);
    }
}
