package org.alder.partition.jdbm.log;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * The frame of a commit log file, version 3 (docs/format/commit-log.md; do not change without a new version). Numbers are big
 * endian. A file of version 2 has no end mark; it is read, and never written.
 * <pre>
 *   header   magic "ALDERLOG"(8)  version(4)  store UUID(16)  first sequence(8)  time before(8)  CRC32C of the 44 bytes before(4)
 *   record*  length of the payload(4)  CRC32C of the payload(4)  CRC32C of (UUID, offset(8), the 8 bytes before)(4)  payload
 *   end      length -1(4)  0(4)  CRC32C as above(4): the file is finished; what follows has no meaning
 *   zeros    where the file is not finished: room reserved for records to come, up to a multiple of 1 MiB
 * </pre>
 * The second checksum makes a length that was torn or flipped recognisable on its own, and because it covers the record's place
 * and the store, bytes of another log, or of this one stored as an attribute value, never look like a record.
 */
final class LogFormat {
    static final int HEADER_BYTES = 48;
    static final int FRAME_BYTES = 12;
    /** The longest payload: bounds what a damaged length can make a reader allocate. */
    static final int MAX_PAYLOAD_BYTES = 256 << 20;
    static final int VERSION = 3;
    /** The first version whose files are made whole before they get their names, and end in a mark. */
    static final int VERSION_WITH_END = 3;
    /** By how much a file grows at a time, counted from its start. */
    static final int STEP_BYTES = 1 << 20;
    private static final int OLDEST_VERSION = 2;
    private static final int END_LENGTH = -1;
    private static final int VERSION_OFFSET = 8;
    private static final int TIME_OFFSET = 36;

    private static final byte[] MAGIC = "ALDERLOG".getBytes(StandardCharsets.US_ASCII);
    static final String PREFIX = "log-";
    private static final int NAME_DIGITS = 16;

    private LogFormat() {
    }

    static String fileName(long firstSequence) {
        return PREFIX + String.format(Locale.ROOT, "%0" + NAME_DIGITS + "x", firstSequence);
    }

    /** The first sequence in a log file's name, or -1 if it is not one. */
    static long firstSequenceOf(Path file) {
        String name = file.getFileName().toString();
        if (!name.matches(PREFIX + "[0-9a-f]{" + NAME_DIGITS + "}")) {
            return -1;
        }
        return Long.parseUnsignedLong(name.substring(PREFIX.length()), 16);
    }

    /** @param timeBefore when the transaction before the first sequence was committed, in milliseconds since 1970 */
    static ByteBuffer header(UUID storeId, long firstSequence, long timeBefore) {
        return header(VERSION, storeId, firstSequence, timeBefore);
    }

    private static ByteBuffer header(int version, UUID storeId, long firstSequence, long timeBefore) {
        ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES).put(MAGIC).putInt(version);
        header.putLong(storeId.getMostSignificantBits()).putLong(storeId.getLeastSignificantBits()).putLong(firstSequence);
        header.putLong(timeBefore);
        return header.putInt(checksum(header.array(), 0, header.position())).flip();
    }

    /** The version in a header that nothing is wrong with. */
    static int version(ByteBuffer header) {
        return header.getInt(VERSION_OFFSET);
    }

    /** The time in a header that nothing is wrong with. */
    static long timeBefore(ByteBuffer header) {
        return header.getLong(TIME_OFFSET);
    }

    /** What is wrong with a header, or null if nothing is. */
    static String headerFault(ByteBuffer found, UUID storeId, long firstSequence) {
        if (found.remaining() < HEADER_BYTES) {
            return "a file of " + found.remaining() + " bytes, expected a header of " + HEADER_BYTES;
        }
        if (found.slice(0, MAGIC.length).equals(ByteBuffer.wrap(MAGIC)) && version(found) > 0 && version(found) < OLDEST_VERSION) {
            return "a header of version " + version(found) + ", which this program does not read: expected " + VERSION
                    + "; export the data with the program that wrote them, and import them";
        }
        if (found.getInt(HEADER_BYTES - 4) != checksum(found.array(), 0, HEADER_BYTES - 4)) {
            return "a header whose checksum is wrong";
        }
        int version = version(found) == OLDEST_VERSION ? OLDEST_VERSION : VERSION;
        if (!found.slice(0, HEADER_BYTES).equals(header(version, storeId, firstSequence, timeBefore(found)))) {
            return "a header of another store, version or sequence: found version " + version(found) + ", store "
                    + new UUID(found.getLong(12), found.getLong(20)) + ", first sequence " + found.getLong(28)
                    + ", expected version " + VERSION + ", store " + storeId + ", first sequence " + firstSequence;
        }
        return null;
    }

    /** What stands behind the last record of a finished file. */
    static ByteBuffer endMark(UUID storeId, long offset) {
        return ByteBuffer.allocate(FRAME_BYTES).putInt(END_LENGTH).putInt(0)
                .putInt(frameChecksum(storeId, offset, END_LENGTH, 0)).flip();
    }

    static boolean isEndMark(UUID storeId, long offset, int length, int payloadChecksum, int frameChecksum) {
        return length == END_LENGTH && payloadChecksum == 0 && frameChecksum == frameChecksum(storeId, offset, length, 0);
    }

    /**
     * Whether a number where the first record begins says that there was one, whole or not. Of an end mark there may be the first bytes
     * alone, if the power went while it was written: ones and then zeros, which is no length.
     */
    static boolean isLengthOfRecord(int length) {
        return length > 0 || Integer.bitCount(-length) > 1;
    }

    /** The least that a file that is not finished has where it was synced up to the given offset. */
    static long leastBytes(long durableOffset) {
        long needed = Math.max(durableOffset, HEADER_BYTES) + FRAME_BYTES;
        return (needed + STEP_BYTES - 1) / STEP_BYTES * STEP_BYTES;
    }

    static int checksum(byte[] bytes, int from, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, from, length);
        return (int) crc.getValue();
    }

    /** The checksum of a frame: of its store, its place, its length and its payload's checksum. */
    static int frameChecksum(UUID storeId, long offset, int length, int payloadChecksum) {
        ByteBuffer covered = ByteBuffer.allocate(32).putLong(storeId.getMostSignificantBits());
        covered.putLong(storeId.getLeastSignificantBits()).putLong(offset).putInt(length).putInt(payloadChecksum);
        return checksum(covered.array(), 0, covered.capacity());
    }
}
