package org.alder.partition.jdbm.name;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The head of a name column and how its names are written (docs/format/name-column.md; numbers big-endian; do not change without a new
 * version):
 * <pre>
 * file   = header, group*, starts
 * header = "ALDERNAM", version u2 = 1, names in a group u1 = 16, 0 u5, name count u8, group count u4, 0 u4, offset of starts u8, CRC32C of the
 *          40 bytes before u4, 0 u4
 * group  = up to 16 names
 * name   = head u1, [ID distance varint], [parent ID varint], [shared varint], [suffix length varint, suffix]
 * starts = group count x (first ID u4, offset of the group in the file u4)
 * </pre>
 *
 * @param names of all entries, those without a name in the file included
 */
record NameFormat(long names, int groups, int startsOffset) {
    static final int HEADER_BYTES = 48;
    static final int GROUP_NAMES = 16;
    static final int START_BYTES = 8;

    /** The ID is not that of the name before + 1: the distance follows. Never in the first of a group, whose ID stands in the starts. */
    static final int DISTANCE = 0x80;
    /** The parent is not that of the name before: it follows. Always in the first of a group. */
    static final int PARENT = 0x40;
    /** The entry is deleted, and nothing follows but a distance. */
    static final int DELETED = 0x20;
    /** The name is longer than {@link #MAX_NAME_BYTES}: nothing follows but a distance, and the name is that of the record. */
    static final int ELSEWHERE = 0x10;
    /** How many bytes of the RDN are those of the name before, in the lowest bits; this many and more stand behind the head. */
    static final int SHARED = 0x0F;
    static final int MAX_NAME_BYTES = 1024;

    private static final long MAGIC = 0x414C4445524E414DL;
    private static final int VERSION = 1;
    private static final int CHECKED_BYTES = 40;

    void putHeader(ByteBuffer target) {
        int start = target.position();
        target.putLong(MAGIC).putShort((short) VERSION).put((byte) GROUP_NAMES).put((byte) 0).putInt(0).putLong(names).putInt(groups)
                .putInt(0).putLong(startsOffset);
        target.putInt(sum(target, start)).putInt(0);
    }

    private static int sum(ByteBuffer bytes, int start) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.slice(start, CHECKED_BYTES));
        return (int) crc.getValue();
    }

    /** @throws IllegalArgumentException saying what is wrong */
    static NameFormat read(ByteBuffer file) {
        if (file.limit() < HEADER_BYTES || file.getLong(0) != MAGIC) {
            throw new IllegalArgumentException("expected the header of a name column");
        }
        if (file.getShort(8) != VERSION || file.get(10) != GROUP_NAMES) {
            throw new IllegalArgumentException("found name column format version " + file.getShort(8) + " with " + file.get(10)
                    + " names in a group, this program reads " + VERSION + " with " + GROUP_NAMES);
        }
        int sum = sum(file, 0);
        if (file.getInt(CHECKED_BYTES) != sum) {
            throw new IllegalArgumentException("found the header checksum " + Integer.toHexString(file.getInt(CHECKED_BYTES))
                    + ", expected " + Integer.toHexString(sum));
        }
        long names = file.getLong(16);
        int groups = file.getInt(24);
        long starts = file.getLong(32);
        if (names < 0 || groups != (names + GROUP_NAMES - 1) / GROUP_NAMES || starts < HEADER_BYTES
                || starts + (long) groups * START_BYTES != file.limit()) {
            throw new IllegalArgumentException("found an impossible header of a file of " + file.limit() + " bytes: " + names + " names in "
                    + groups + " groups, their starts at " + starts);
        }
        return new NameFormat(names, groups, (int) starts);
    }
}
