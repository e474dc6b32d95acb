package org.alder.partition.jdbm.entry;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.alder.partition.entry.EntryRecord;

/**
 * The head of an entry file, and where its parts are (docs/format/entry-file.md; numbers big-endian; do not change without a new version):
 * <pre>
 * file      = header, group*, vocabulary, starts
 * header    = "ALDERENT", version u2 = 1, entries in a group u1 = 16, 0 u5, entry count u8, group count u8, offset of the vocabulary u8, its length
 *             u8, offset of starts u8, 0 u4, CRC32C of the 60 bytes before u4
 * group     = entry*, directory                                  16 entries, in the last group 1 to 16
 * entry     = coded entry ({@link EntryDecoder}), CRC32C of the entry's ID u8 and the coded entry u4; or nothing, where the entry is deleted
 * directory = flags u1, [(entries - 1) x distance of the ID from that of the first u4], entries x bytes from its start to the directory (u2 or u4)
 * starts    = group count x (ID of the group's first entry u8, offset of the directory u8)
 * </pre>
 *
 * @param entries deleted ones too
 */
record EntryFormat(long entries, int groups, long vocabularyOffset, int vocabularyLength, long startsOffset) {
    static final int HEADER_BYTES = 64;
    static final int GROUP_ENTRIES = 16;
    static final int START_BYTES = 2 * Long.BYTES;
    static final int CHECK_BYTES = Integer.BYTES;

    /** The IDs have gaps, and follow. */
    static final int GAPS = 1;
    /** Numbers of four bytes say where the entries are, not of two. */
    static final int LONG = 2;
    static final int MAX_DIRECTORY_BYTES = 1 + (2 * GROUP_ENTRIES - 1) * Integer.BYTES;
    /** What one entry takes at most: LZ4 and codes are used only where they make it smaller. */
    static final int MAX_ENTRY_BYTES = EntryRecord.MAX_BYTES + (1 << 16);

    private static final long MAGIC = 0x414C444552454E54L;
    private static final int VERSION = 1;
    private static final int CHECKED_BYTES = 60;

    void putHeader(ByteBuffer target) {
        int start = target.position();
        target.putLong(MAGIC).putShort((short) VERSION).put((byte) GROUP_ENTRIES).put((byte) 0).putInt(0).putLong(entries).putLong(groups)
                .putLong(vocabularyOffset).putLong(vocabularyLength).putLong(startsOffset).putInt(0);
        target.putInt(sum(target, start));
    }

    private static int sum(ByteBuffer bytes, int start) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.slice(start, CHECKED_BYTES));
        return (int) crc.getValue();
    }

    /** @throws IllegalArgumentException saying what is wrong */
    static EntryFormat read(ByteBuffer header, long fileBytes) {
        if (header.limit() < HEADER_BYTES || header.getLong(0) != MAGIC) {
            throw new IllegalArgumentException("expected the header of an entry file");
        }
        if (header.getShort(8) != VERSION || header.get(10) != GROUP_ENTRIES) {
            throw new IllegalArgumentException("found entry file format version " + header.getShort(8) + " with " + header.get(10)
                    + " entries in a group, this program reads " + VERSION + " with " + GROUP_ENTRIES);
        }
        int sum = sum(header, 0);
        if (header.getInt(CHECKED_BYTES) != sum) {
            throw new IllegalArgumentException("found the header checksum " + Integer.toHexString(header.getInt(CHECKED_BYTES))
                    + ", expected " + Integer.toHexString(sum));
        }
        long entries = header.getLong(16);
        long groups = header.getLong(24);
        long vocabulary = header.getLong(32);
        long vocabularyLength = header.getLong(40);
        long starts = header.getLong(48);
        if (entries < 0 || groups != (entries + GROUP_ENTRIES - 1) / GROUP_ENTRIES || groups > Integer.MAX_VALUE / GROUP_ENTRIES
                || vocabulary < HEADER_BYTES || vocabularyLength < 0 || vocabularyLength > Vocabulary.MAX_BYTES
                || starts != vocabulary + vocabularyLength || starts + groups * START_BYTES != fileBytes) {
            throw new IllegalArgumentException("found an impossible header of a file of " + fileBytes + " bytes: " + entries + " entries in "
                    + groups + " groups, " + vocabularyLength + " bytes of vocabulary at " + vocabulary + ", starts at " + starts);
        }
        return new EntryFormat(entries, (int) groups, vocabulary, (int) vocabularyLength, starts);
    }
}
