package org.alder.server.directory.own;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.store.SharedSchema.Position;

/**
 * What a member that changes the schema asks those that lead (docs/format/member-questions.md; do not change without a new version). Immutable.
 *
 * @param id          of the hold
 * @param isRelease   whether updates are to go on; else they are to be held
 * @param member      who asks; only of a hold, as is the rest but the number
 * @param turn        of {@link org.alder.partition.store.SharedSchema#turn}
 * @param definitions that the version is to have; empty where a hold is renewed
 * @param partitions  whose updates are to be held; none where a hold is renewed
 * @param number      of the version that was made, of a release; 0 where none was
 */
record SchemaQuestion(UUID id, boolean isRelease, String member, long turn, byte[] definitions, List<String> partitions, long number) {
    /** [APPLICATION 3], constructed. */
    static final int HOLD_TAG = 0x63;
    /** [APPLICATION 4], constructed. */
    static final int RELEASE_TAG = 0x64;
    private static final int VERSION = 1;
    /** More than a version of the schema may have. */
    private static final int MOST_BYTES = 2 << 20;
    private static final int MOST_PARTITIONS = 1000;
    private static final int MOST_NAME = 255;
    private static final int ID_BYTES = 16;

    SchemaQuestion {
        partitions = List.copyOf(partitions);
    }

    static SchemaQuestion hold(UUID id, String member, long turn, byte[] definitions, List<String> partitions) {
        return new SchemaQuestion(id, false, member, turn, definitions, partitions, 0);
    }

    SchemaQuestion renewal() {
        return hold(id, member, turn, new byte[0], List.of());
    }

    static SchemaQuestion release(UUID id, long number) {
        return new SchemaQuestion(id, true, "", 0, new byte[0], List.of(), number);
    }

    boolean isRenewal() {
        return partitions.isEmpty();
    }

    byte[] encode() {
        BerWriter out = new BerWriter(256 + definitions.length);
        int outer = out.begin(isRelease ? RELEASE_TAG : HOLD_TAG);
        out.integer(BerWriter.INTEGER, VERSION);
        out.octets(BerWriter.OCTET_STRING, ByteBuffer.allocate(ID_BYTES).putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits()).array());
        if (isRelease) {
            out.integer(BerWriter.INTEGER, number);
        } else {
            out.string(BerWriter.OCTET_STRING, member);
            out.integer(BerWriter.INTEGER, turn);
            out.octets(BerWriter.OCTET_STRING, definitions);
            int all = out.begin(BerWriter.SEQUENCE);
            partitions.forEach(each -> out.string(BerWriter.OCTET_STRING, each));
            out.end(all);
        }
        out.end(outer);
        return out.toByteArray();
    }

    static SchemaQuestion decode(byte[] bytes) throws BerException {
        if (bytes.length > MOST_BYTES) {
            throw new BerException("a question of " + bytes.length + " bytes, and at most " + MOST_BYTES + " are read");
        }
        BerReader in = new BerReader(bytes);
        boolean isRelease = in.peekTag() == RELEASE_TAG;
        int outer = in.enter(isRelease ? RELEASE_TAG : HOLD_TAG);
        int version = in.readInt(BerWriter.INTEGER);
        if (version != VERSION) {
            throw new BerException("version " + version + ", expected " + VERSION);
        }
        byte[] id = in.readBytes(BerWriter.OCTET_STRING);
        if (id.length != ID_BYTES) {
            throw new BerException("an id of " + id.length + " bytes, expected " + ID_BYTES);
        }
        ByteBuffer numbers = ByteBuffer.wrap(id);
        UUID uuid = new UUID(numbers.getLong(), numbers.getLong());
        SchemaQuestion read = isRelease ? release(uuid, in.readLong(BerWriter.INTEGER)) : hold(uuid, name(in), in.readLong(BerWriter.INTEGER),
                in.readBytes(BerWriter.OCTET_STRING), names(in));
        in.leaveFully(outer);
        return read;
    }

    private static List<String> names(BerReader in) throws BerException {
        List<String> names = new ArrayList<>();
        int all = in.enter(BerWriter.SEQUENCE);
        while (in.hasMore()) {
            if (names.size() == MOST_PARTITIONS) {
                throw new BerException("more than " + MOST_PARTITIONS + " partitions");
            }
            names.add(name(in));
        }
        in.leave(all);
        return names;
    }

    private static String name(BerReader in) throws BerException {
        String name = in.readString(BerWriter.OCTET_STRING);
        if (name.isEmpty() || name.length() > MOST_NAME) {
            throw new BerException("a name of " + name.length() + " characters, expected 1 to " + MOST_NAME);
        }
        return name;
    }

    /** The answer where all is as asked. @param positions of the partitions whose updates are held */
    static byte[] answer(Map<String, Position> positions) {
        return answer(ResultCode.SUCCESS, "", positions);
    }

    /** The answer where nothing was done. */
    static byte[] answer(DirectoryException refusal) {
        return answer(refusal.resultCode(), refusal.getMessage(), Map.of());
    }

    private static byte[] answer(ResultCode code, String message, Map<String, Position> positions) {
        BerWriter out = new BerWriter(256);
        int outer = out.begin(BerWriter.SEQUENCE);
        out.integer(BerWriter.INTEGER, code.number());
        out.string(BerWriter.OCTET_STRING, message);
        int all = out.begin(BerWriter.SEQUENCE);
        positions.forEach((name, position) -> {
            int one = out.begin(BerWriter.SEQUENCE);
            out.string(BerWriter.OCTET_STRING, name);
            out.integer(BerWriter.INTEGER, position.epoch());
            out.integer(BerWriter.INTEGER, position.sequence());
            out.end(one);
        });
        out.end(all);
        out.end(outer);
        return out.toByteArray();
    }

    /**
     * What was answered.
     *
     * @throws DirectoryException the refusal of the one that was asked: busy, unavailable, or else unwillingToPerform
     */
    static Map<String, Position> positions(byte[] answer) throws BerException, DirectoryException {
        BerReader in = new BerReader(answer);
        int outer = in.enter(BerWriter.SEQUENCE);
        int code = in.readInt(BerWriter.INTEGER);
        String message = in.readString(BerWriter.OCTET_STRING);
        Map<String, Position> positions = new TreeMap<>();
        int all = in.enter(BerWriter.SEQUENCE);
        while (in.hasMore()) {
            if (positions.size() == MOST_PARTITIONS) {
                throw new BerException("more than " + MOST_PARTITIONS + " partitions");
            }
            int one = in.enter(BerWriter.SEQUENCE);
            positions.put(name(in), new Position(in.readLong(BerWriter.INTEGER), in.readLong(BerWriter.INTEGER)));
            in.leaveFully(one);
        }
        in.leave(all);
        in.leaveFully(outer);
        if (code != ResultCode.SUCCESS.number()) {
            throw new DirectoryException(code == ResultCode.BUSY.number() ? ResultCode.BUSY : code == ResultCode.UNAVAILABLE.number() ? ResultCode.UNAVAILABLE
                    : ResultCode.UNWILLING_TO_PERFORM, message);
        }
        return positions;
    }
}
