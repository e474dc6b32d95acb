package org.alder.server.cluster;

import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;

/**
 * Has the leader of a shard make changes of a followed server there, and what it answers (docs/format/member-questions.md; do not change without a new version).
 * Immutable.
 *
 * @param shard its label
 * @param work  a {@link org.alder.partition.update.copy.CopiedBatch}
 */
record CopyQuestion(String shard, byte[] work) {
    /** [APPLICATION 9], constructed. */
    static final int TAG = 0x69;
    private static final int VERSION = 1;

    byte[] encode() {
        BerWriter out = new BerWriter(256 + work.length);
        int outer = out.begin(TAG);
        out.integer(BerWriter.INTEGER, VERSION);
        out.string(BerWriter.OCTET_STRING, shard);
        out.octets(BerWriter.OCTET_STRING, work);
        out.end(outer);
        return out.toByteArray();
    }

    /** @throws BerException where it is none, or of another version */
    static CopyQuestion decode(byte[] bytes) throws BerException {
        BerReader in = new BerReader(bytes);
        int outer = in.enter(TAG);
        int version = in.readInt(BerWriter.INTEGER);
        PartQuestion.require(version == VERSION, "copied changes of version " + version + ", expected " + VERSION);
        CopyQuestion question = new CopyQuestion(in.readString(BerWriter.OCTET_STRING), in.readBytes(BerWriter.OCTET_STRING));
        in.leaveFully(outer);
        PartQuestion.require(!in.hasMore(), "bytes behind its end");
        return question;
    }

    /**
     * What came of it.
     *
     * @param sequence of the shard that shows it
     * @param made     empty where it is refused
     * @param refusal  null where it is made
     */
    record Answer(long sequence, byte[] made, DirectoryException refusal) {
        byte[] encode() {
            BerWriter out = new BerWriter(256 + made.length);
            int outer = out.begin(BerWriter.SEQUENCE);
            out.integer(BerWriter.INTEGER, sequence);
            out.integer(BerWriter.INTEGER, refusal == null ? 0 : refusal.resultCode().number());
            out.string(BerWriter.OCTET_STRING, refusal == null ? "" : String.valueOf(refusal.getMessage()));
            out.octets(BerWriter.OCTET_STRING, made);
            out.end(outer);
            return out.toByteArray();
        }

        static Answer decode(byte[] bytes) throws BerException {
            BerReader in = new BerReader(bytes);
            int outer = in.enter(BerWriter.SEQUENCE);
            long sequence = in.readLong(BerWriter.INTEGER);
            int code = in.readInt(BerWriter.INTEGER);
            String message = in.readString(BerWriter.OCTET_STRING);
            byte[] made = in.readBytes(BerWriter.OCTET_STRING);
            in.leaveFully(outer);
            ResultCode known = ResultCode.of(code);
            PartQuestion.require(known != null && !in.hasMore(), "a result code " + code + ", or bytes behind the answer");
            return new Answer(sequence, made, known == ResultCode.SUCCESS ? null : new DirectoryException(known, message));
        }
    }
}
