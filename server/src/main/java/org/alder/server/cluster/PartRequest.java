package org.alder.server.cluster;

import java.nio.ByteBuffer;
import java.util.UUID;
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
    private static final int ID_BYTES = 16;
    private static final int MOST_SHARDS = 64;

    byte[] encode() {
        byte[] inner = request.encode();
        BerWriter out = new BerWriter(256 + inner.length);
        int outer = out.begin(TAG);
        out.integer(BerWriter.INTEGER, VERSION);
        out.string(BerWriter.OCTET_STRING, shard);
        out.octets(BerWriter.OCTET_STRING, ByteBuffer.allocate(ID_BYTES).putLong(id.uuid().getMostSignificantBits()).putLong(id.uuid().getLeastSignificantBits()).array());
        out.integer(BerWriter.INTEGER, id.coordinator());
        out.octets(BerWriter.OCTET_STRING, inner);
        out.end(outer);
        return out.toByteArray();
    }

    /** @throws BerException where it is none, or of another version */
    static PartRequest decode(byte[] bytes) throws BerException {
        BerReader in = new BerReader(bytes);
        int outer = in.enter(TAG);
        int version = in.readInt(BerWriter.INTEGER);
        require(version == VERSION, "a part of a transaction of version " + version + ", expected " + VERSION);
        String shard = in.readString(BerWriter.OCTET_STRING);
        byte[] uuid = in.readBytes(BerWriter.OCTET_STRING);
        int coordinator = in.readInt(BerWriter.INTEGER);
        require(uuid.length == ID_BYTES && coordinator >= 0 && coordinator < MOST_SHARDS, "a transaction of shard " + coordinator + ", with " + uuid.length + " bytes");
        ByteBuffer id = ByteBuffer.wrap(uuid);
        HandedRequest request = HandedRequest.decode(in.readBytes(BerWriter.OCTET_STRING));
        in.leaveFully(outer);
        require(!in.hasMore(), "bytes behind its end");
        return new PartRequest(shard, new TransactionId(new UUID(id.getLong(), id.getLong()), coordinator), request);
    }

    private static void require(boolean is, String otherwise) throws BerException {
        if (!is) {
            throw new BerException(otherwise);
        }
    }
}
