package org.alder.partition.bookkeeper.log;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.log.GroupCodec;
import org.alder.partition.jdbm.log.LogGroup;

/**
 * One entry of a ledger, version 1 or 2 (docs/format/replicated-log.md; do not change without a new version byte). An entry is a group, or
 * where that is larger than {@link #MAX_PIECE_BYTES} one of its pieces, which follow each other in one ledger. Numbers are big endian.
 * <pre>
 *   version         1 byte, 1, or 2 where it has a schema
 *   reserved        1 byte, 0
 *   piece           2 bytes  number of the piece, from 0
 *   pieces          2 bytes  how many there are, from 1
 *   epoch           8 bytes  of the leader that wrote it
 *   first sequence  8 bytes  of the group's first transaction
 *   last sequence   8 bytes  of its last one
 *   schema          8 bytes  the version of the cluster's schema by which it was checked; only in version 2
 *   payload                  the piece of what {@link GroupCodec} writes
 * </pre>
 * BookKeeper keeps a CRC32C of ledger, entry and content, so there is none here.
 */
final class EntryFormat {
    /** Of what was checked by the schema of the files alone: members of before there was another one read it. */
    static final byte WITHOUT_SCHEMA = 1;
    static final byte VERSION = 2;
    static final int HEADER_BYTES = 30;
    static final int SCHEMA_BYTES = 8;
    /** Far below what a bookie takes as one entry, 5 MiB. */
    static final int MAX_PIECE_BYTES = 1 << 20;
    /** The largest group, as in a log file: bounds what a reader gathers. */
    static final int MAX_GROUP_BYTES = 256 << 20;
    private static final int PIECE_OFFSET = 2;
    private static final int PIECES_OFFSET = 4;
    private static final int EPOCH_OFFSET = 6;
    private static final int FIRST_OFFSET = 14;
    private static final int LAST_OFFSET = 22;

    private EntryFormat() {
    }

    /** What stands before an entry's payload. */
    record Header(int piece, int pieces, long epoch, long firstSequence, long lastSequence, long schema) {
        int bytes() {
            return schema == 0 ? HEADER_BYTES : HEADER_BYTES + SCHEMA_BYTES;
        }

        boolean isLastPiece() {
            return piece == pieces - 1;
        }
    }

    /**
     * The entries of a group.
     *
     * @param schema the version of the cluster's schema; 0 for none
     * @throws StoreException of kind TOO_LARGE where it takes more than 256 MiB
     */
    static List<byte[]> encode(long epoch, long schema, LogGroup group) {
        byte[] payload = GroupCodec.bytesOf(group);
        if (payload.length > MAX_GROUP_BYTES) {
            throw new StoreException(StoreException.Kind.TOO_LARGE, "a group of " + payload.length + " bytes for the log, allowed are "
                    + MAX_GROUP_BYTES);
        }
        int pieces = Math.max(1, (payload.length + MAX_PIECE_BYTES - 1) / MAX_PIECE_BYTES);
        List<byte[]> entries = new ArrayList<>(pieces);
        for (int i = 0; i < pieces; i++) {
            int from = i * MAX_PIECE_BYTES;
            int length = Math.min(MAX_PIECE_BYTES, payload.length - from);
            boolean isPlain = schema == 0;
            ByteBuffer entry = ByteBuffer.allocate((isPlain ? HEADER_BYTES : HEADER_BYTES + SCHEMA_BYTES) + length);
            entry.put(isPlain ? WITHOUT_SCHEMA : VERSION).put((byte) 0).putShort((short) i).putShort((short) pieces).putLong(epoch);
            entry.putLong(group.firstSequence()).putLong(group.lastSequence());
            if (!isPlain) {
                entry.putLong(schema);
            }
            entries.add(entry.put(payload, from, length).array());
        }
        return entries;
    }

    /** @param place named where the entry is malformed: the ledger and the entry's number */
    static Header header(byte[] entry, String place) {
        if (entry.length < HEADER_BYTES || entry[0] == VERSION && entry.length < HEADER_BYTES + SCHEMA_BYTES) {
            throw corrupt(place, "an entry of " + entry.length + " bytes, expected " + HEADER_BYTES + " or more, and with a schema "
                    + (HEADER_BYTES + SCHEMA_BYTES));
        }
        if (entry[0] > VERSION) {
            throw new StoreException(StoreException.Kind.REFUSED, place + ": an entry of version " + entry[0] + ", which a newer build of Alder wrote;"
                    + " this one reads up to version " + VERSION + ": start this member with the newer build");
        }
        if (entry[0] < WITHOUT_SCHEMA || entry[1] != 0) {
            throw corrupt(place, "an entry of version " + entry[0] + "." + entry[1] + ", expected " + WITHOUT_SCHEMA + ".0 or " + VERSION + ".0");
        }
        ByteBuffer in = ByteBuffer.wrap(entry);
        Header header = new Header(in.getShort(PIECE_OFFSET), in.getShort(PIECES_OFFSET), in.getLong(EPOCH_OFFSET),
                in.getLong(FIRST_OFFSET), in.getLong(LAST_OFFSET), entry[0] == VERSION ? in.getLong(HEADER_BYTES) : 0);
        if (entry[0] == VERSION && header.schema < 1) {
            throw corrupt(place, "version " + header.schema + " of the schema");
        }
        int mostPieces = MAX_GROUP_BYTES / MAX_PIECE_BYTES;
        if (header.pieces < 1 || header.pieces > mostPieces || header.piece < 0 || header.piece >= header.pieces) {
            throw corrupt(place, "piece " + header.piece + " of " + header.pieces + ", expected 1 to " + mostPieces);
        }
        if (header.firstSequence < 0 || header.lastSequence < header.firstSequence) {
            throw corrupt(place, "sequences " + header.firstSequence + " to " + header.lastSequence);
        }
        return header;
    }

    static StoreException corrupt(String place, String found) {
        return new StoreException(StoreException.Kind.CORRUPT, place + ": " + found);
    }
}
