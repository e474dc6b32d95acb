package org.alder.partition.jdbm.log;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * The frame of a commit log file, version 2 (docs/format/commit-log.md; do not change without a new version). Numbers are big
 * endian.
 * <pre>
 *   header   magic "ALDERLOG"(8)  version(4)  store UUID(16)  first sequence(8)  time before(8)  CRC32C of the 44 bytes before(4)
 *   record*  length of the payload(4)  CRC32C of the payload(4)  CRC32C of (UUID, offset(8), the 8 bytes before)(4)  payload
 *   zeros    room reserved for records to come; a length of 0 ends the log
 * </pre>
 * The second checksum makes a length that was torn or flipped recognisable on its own, and because it covers the record's place
 * and the store, bytes of another log, or of this one stored as an attribute value, never look like a record.
 */
final class LogFormat {
    static final int HEADER_BYTES = 48;
    static final int FRAME_BYTES = 12;
    /** The longest payload: bounds what a damaged length can make a reader allocate. */
    static final int MAX_PAYLOAD_BYTES = 256 << 20;
    static final int VERSION = 2;
    private static final int TIME_OFFSET = 36;

    private static final byte[] MAGIC = "ALDERLOG".getBytes(StandardCharsets.US_ASCII);
    private static final String PREFIX = "log-";
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
        ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES).put(MAGIC).putInt(VERSION);
        header.putLong(storeId.getMostSignificantBits()).putLong(storeId.getLeastSignificantBits()).putLong(firstSequence);
        header.putLong(timeBefore);
        return header.putInt(checksum(header.array(), 0, header.position())).flip();
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
        if (found.slice(0, MAGIC.length).equals(ByteBuffer.wrap(MAGIC)) && found.getInt(MAGIC.length) > 0
                && found.getInt(MAGIC.length) < VERSION) {
            return "a header of version " + found.getInt(MAGIC.length) + ", which this program does not read: expected " + VERSION
                    + "; export the data with the program that wrote them, and import them";
        }
        if (found.getInt(HEADER_BYTES - 4) != checksum(found.array(), 0, HEADER_BYTES - 4)) {
            return "a header whose checksum is wrong";
        }
        if (!found.slice(0, HEADER_BYTES).equals(header(storeId, firstSequence, timeBefore(found)))) {
            return "a header of another store, version or sequence: found version " + found.getInt(8) + ", store "
                    + new UUID(found.getLong(12), found.getLong(20)) + ", first sequence " + found.getLong(28)
                    + ", expected version " + VERSION + ", store " + storeId + ", first sequence " + firstSequence;
        }
        return null;
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
