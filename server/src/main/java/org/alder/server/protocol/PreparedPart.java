package org.alder.server.protocol;

import java.nio.ByteBuffer;
import java.util.UUID;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;

/**
 * What ends a transaction of a connection that is a part of one of several shards: its updates are checked and kept, and another member decides. Members of a cluster ask
 * for it within themselves, on connections without a socket (an extended operation; the response is that of an end of the transaction, RFC 5805 2.5). Immutable.
 *
 * @param transaction its identifier on this connection
 * @param shard       the label of the one that keeps it
 * @param id          of the whole transaction
 * @param coordinator the number of the shard that decides
 */
public record PreparedPart(byte[] transaction, String shard, UUID id, int coordinator) {
    public static final String OID = "2.25.278641466010882381359084238697260762259.4.4";
    private static final int ID_BYTES = 16;

    byte[] encode() {
        BerWriter out = new BerWriter(128);
        int outer = out.begin(BerWriter.SEQUENCE);
        out.octets(BerWriter.OCTET_STRING, transaction);
        out.string(BerWriter.OCTET_STRING, shard);
        out.octets(BerWriter.OCTET_STRING, ByteBuffer.allocate(ID_BYTES).putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits()).array());
        out.integer(BerWriter.INTEGER, coordinator);
        out.end(outer);
        return out.toByteArray();
    }

    /** @param value null where there is none  @throws DirectoryException protocolError where it is no such request */
    public static PreparedPart decode(byte[] value) throws DirectoryException {
        try {
            BerReader in = new BerReader(value == null ? new byte[0] : value);
            int outer = in.enter(BerWriter.SEQUENCE);
            byte[] transaction = in.readBytes(BerWriter.OCTET_STRING);
            String shard = in.readString(BerWriter.OCTET_STRING);
            byte[] id = in.readBytes(BerWriter.OCTET_STRING);
            int coordinator = in.readInt(BerWriter.INTEGER);
            in.leaveFully(outer);
            if (id.length != ID_BYTES || coordinator < 0) {
                throw new BerException("a transaction of shard " + coordinator + ", with " + id.length + " bytes");
            }
            ByteBuffer bytes = ByteBuffer.wrap(id);
            return new PreparedPart(transaction, shard, new UUID(bytes.getLong(), bytes.getLong()), coordinator);
        } catch (BerException e) {
            throw new DirectoryException(ResultCode.PROTOCOL_ERROR, "a part of a transaction: " + e.getMessage());
        }
    }
}
