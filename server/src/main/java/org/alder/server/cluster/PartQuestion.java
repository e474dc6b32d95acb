package org.alder.server.cluster;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.alder.partition.PeerShards.Verdict;
import org.alder.partition.ShardWriters.Prepared;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.error.StoreException;
import org.alder.partition.prepared.LockedException;
import org.alder.partition.prepared.TransactionId;

/**
 * What the leader of a shard is asked about a transaction of several shards, and its answers (docs/format/member-questions.md; do not change without a new
 * version). Immutable.
 *
 * @param shard  the label of the one that is asked
 * @param isMade of the end of a part
 * @param work   of a part that is to be kept; empty else
 */
record PartQuestion(Kind kind, String shard, TransactionId id, boolean isMade, byte[] work) {
    /** [APPLICATION 7], constructed. */
    static final int TAG = 0x67;
    private static final int VERSION = 1;
    private static final int ID_BYTES = 16;
    private static final int MOST_SHARDS = 64;

    /** Of whoever writes the shard, by the numbers that stand for them. */
    private static final List<StoreException.Kind> FAILURES = List.of(StoreException.Kind.IO, StoreException.Kind.DISK_FULL, StoreException.Kind.READ_ONLY,
            StoreException.Kind.TOO_LARGE);

    enum Kind {
        /** What became of the transaction, of its coordinator. */
        VERDICT,
        /** To check a part, and keep it. */
        PREPARE,
        /** To do what was kept, or to forget it. */
        END
    }

    /** What a part came to. */
    private enum Result {
        KEPT, LOCKED, REFUSED, FAILED
    }

    byte[] encode() {
        BerWriter out = new BerWriter(256 + work.length);
        int outer = out.begin(TAG);
        out.integer(BerWriter.INTEGER, VERSION);
        out.integer(BerWriter.INTEGER, kind.ordinal());
        out.string(BerWriter.OCTET_STRING, shard);
        write(out, id);
        out.bool(BerWriter.BOOLEAN, isMade);
        out.octets(BerWriter.OCTET_STRING, work);
        out.end(outer);
        return out.toByteArray();
    }

    /** @throws BerException where it is none, or of another version */
    static PartQuestion decode(byte[] bytes) throws BerException {
        BerReader in = new BerReader(bytes);
        int outer = in.enter(TAG);
        int version = in.readInt(BerWriter.INTEGER);
        require(version == VERSION, "a question about a transaction of version " + version + ", expected " + VERSION);
        int kind = in.readInt(BerWriter.INTEGER);
        require(kind >= 0 && kind < Kind.values().length, "a question of kind " + kind);
        String shard = in.readString(BerWriter.OCTET_STRING);
        TransactionId id = readId(in);
        boolean isMade = in.readBoolean(BerWriter.BOOLEAN);
        byte[] work = in.readBytes(BerWriter.OCTET_STRING);
        in.leaveFully(outer);
        require(!in.hasMore(), "bytes behind its end");
        return new PartQuestion(Kind.values()[kind], shard, id, isMade, work);
    }

    static void write(BerWriter out, TransactionId id) {
        out.octets(BerWriter.OCTET_STRING, ByteBuffer.allocate(ID_BYTES).putLong(id.uuid().getMostSignificantBits()).putLong(id.uuid().getLeastSignificantBits()).array());
        out.integer(BerWriter.INTEGER, id.coordinator());
    }

    static TransactionId readId(BerReader in) throws BerException {
        byte[] uuid = in.readBytes(BerWriter.OCTET_STRING);
        int coordinator = in.readInt(BerWriter.INTEGER);
        require(uuid.length == ID_BYTES && coordinator >= 0 && coordinator < MOST_SHARDS, "a transaction of shard " + coordinator + ", with " + uuid.length + " bytes");
        ByteBuffer bytes = ByteBuffer.wrap(uuid);
        return new TransactionId(new UUID(bytes.getLong(), bytes.getLong()), coordinator);
    }

    static void require(boolean is, String otherwise) throws BerException {
        if (!is) {
            throw new BerException(otherwise);
        }
    }

    static byte[] encode(Verdict verdict) {
        return encodeNumber(verdict.ordinal());
    }

    static Verdict decodeVerdict(byte[] answer) throws BerException {
        long number = decodeNumber(answer);
        require(number >= 0 && number < Verdict.values().length, "a verdict " + number);
        return Verdict.values()[(int) number];
    }

    static byte[] encodeNumber(long number) {
        BerWriter out = new BerWriter(16);
        out.integer(BerWriter.INTEGER, number);
        return out.toByteArray();
    }

    static long decodeNumber(byte[] answer) throws BerException {
        BerReader in = new BerReader(answer);
        long number = in.readLong(BerWriter.INTEGER);
        require(!in.hasMore(), "bytes behind a number");
        return number;
    }

    static byte[] encode(Prepared prepared) {
        BerWriter out = new BerWriter(128);
        Exception refusal = prepared.refusal();
        Result result = refusal == null ? Result.KEPT : refusal instanceof LockedException ? Result.LOCKED : refusal instanceof DirectoryException ? Result.REFUSED
                : Result.FAILED;
        int outer = out.begin(BerWriter.SEQUENCE);
        out.integer(BerWriter.INTEGER, prepared.sequence());
        out.integer(BerWriter.INTEGER, result.ordinal());
        out.integer(BerWriter.INTEGER, refusal instanceof DirectoryException refused ? refused.resultCode().number() : failure(refusal));
        out.string(BerWriter.OCTET_STRING, refusal == null ? "" : String.valueOf(refusal.getMessage()));
        out.string(BerWriter.OCTET_STRING, refusal instanceof DirectoryException refused ? refused.matchedDn() : "");
        out.end(outer);
        return out.toByteArray();
    }

    private static int failure(Exception refusal) {
        int known = refusal instanceof StoreException store ? FAILURES.indexOf(store.kind()) : 0;
        return Math.max(known, 0);
    }

    private static StoreException.Kind failure(int code) throws BerException {
        require(code >= 0 && code < FAILURES.size(), "a failure " + code);
        return FAILURES.get(code);
    }

    private static ResultCode code(int number) throws BerException {
        ResultCode known = ResultCode.of(number);
        require(known != null && known != ResultCode.SUCCESS, "a refusal with result code " + number);
        return known;
    }

    /** @param locked what ends where another transaction is in the way */
    static Prepared decodePrepared(byte[] answer, Function<String, LockedException> locked) throws BerException {
        BerReader in = new BerReader(answer);
        int outer = in.enter(BerWriter.SEQUENCE);
        long sequence = in.readLong(BerWriter.INTEGER);
        int result = in.readInt(BerWriter.INTEGER);
        int code = in.readInt(BerWriter.INTEGER);
        String message = in.readString(BerWriter.OCTET_STRING);
        String matchedDn = in.readString(BerWriter.OCTET_STRING);
        in.leaveFully(outer);
        require(result >= 0 && result < Result.values().length, "a part that came to " + result);
        Exception refusal = switch (Result.values()[result]) {
            case KEPT -> null;
            case LOCKED -> locked.apply(message);
            case REFUSED -> new DirectoryException(code(code), message, matchedDn);
            case FAILED -> new StoreException(failure(code), message);
        };
        return new Prepared(sequence, refusal);
    }
}
