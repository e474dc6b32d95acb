package org.alder.partition.jdbm.segment;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.StoreException;
import org.alder.partition.id.IdSet;
import org.alder.partition.jdbm.block.BigEndian;
import org.alder.partition.jdbm.layer.EntryVersion;

/**
 * The pairs of a master table, as segments of version 3 have one (docs/format/segment.md; do not change): key = entry ID, 8 bytes, big endian, so that the order of
 * the keys is that of the IDs; value = the entry record, or no bytes at all for a deleted entry.
 *
 * <p>A record of more than {@link #PART_BYTES} is cut into parts of that size, because a table's value may not be larger than a
 * few MiB: the first part stands under the entry's key behind a byte 0x80 (no record version) and the record's length, 4 bytes;
 * the others under the key and the part's number from 1, 2 bytes.
 */
final class MasterKeys {
    static final int PART_BYTES = 1 << 20;
    /** More than any operation makes: see EntryRecord.MAX_BYTES. */
    private static final int MAX_RECORD_BYTES = EntryRecord.MAX_BYTES;

    private static final byte[] TOMBSTONE = {};
    private static final byte PARTED = (byte) 0x80;
    private static final int PARTED_HEAD_BYTES = 1 + Integer.BYTES;
    private static final int PART_KEY_BYTES = Long.BYTES + Short.BYTES;

    private MasterKeys() {
    }

    static byte[] key(long id) {
        return BigEndian.ofLong(id);
    }

    /** @throws StoreException of kind CORRUPT where the key is no entry ID */
    static long id(byte[] key) {
        long id = key.length == Long.BYTES ? ByteBuffer.wrap(key).getLong() : -1;
        if (id <= 0 || id > IdSet.MAX_ID) {
            throw new StoreException(StoreException.Kind.CORRUPT, "a key of " + key.length + " bytes that is no entry ID");
        }
        return id;
    }

    static byte[] partKey(long id, int part) {
        return ByteBuffer.allocate(PART_KEY_BYTES).putLong(id).putShort((short) part).array();
    }

    static boolean isPart(byte[] key) {
        return key.length == PART_KEY_BYTES;
    }

    /** The entry that a part's key belongs to. */
    static long idOfPart(byte[] key) {
        return ByteBuffer.wrap(key).getLong();
    }

    /** How many pairs follow the entry's own. */
    static int furtherParts(EntryVersion version) {
        return version.isDeleted() ? 0 : (version.record().length() - 1) / PART_BYTES;
    }

    /** What stands under the entry's key: the whole record, or its first part. */
    static byte[] value(EntryVersion version) {
        byte[] record = version.isDeleted() ? TOMBSTONE : version.record().bytes();
        if (record.length <= PART_BYTES) {
            return record;
        }
        return ByteBuffer.allocate(PARTED_HEAD_BYTES + PART_BYTES).put(PARTED).putInt(record.length).put(record, 0,
                PART_BYTES).array();
    }

    /** @param number 1 to {@link #furtherParts} */
    static byte[] part(EntryVersion version, int number) {
        byte[] record = version.record().bytes();
        return Arrays.copyOfRange(record, number * PART_BYTES, Math.min(record.length, (number + 1) * PART_BYTES));
    }

    static boolean isParted(byte[] buffer, int offset, int length) {
        return length == PARTED_HEAD_BYTES + PART_BYTES && buffer[offset] == PARTED;
    }

    /**
     * Puts a record's parts together.
     *
     * @param parts finds the value under a part's key, or null
     * @throws StoreException of kind CORRUPT where a part is missing or has another length than it should
     */
    static byte[] assemble(long id, byte[] firstValue, UnaryOperator<byte[]> parts) {
        int length = ByteBuffer.wrap(firstValue).getInt(1);
        if (length <= PART_BYTES || length > MAX_RECORD_BYTES) {
            throw new StoreException(StoreException.Kind.CORRUPT, "a record in parts of " + length + " bytes in all, expected "
                    + (PART_BYTES + 1) + " to " + MAX_RECORD_BYTES);
        }
        ByteBuffer record = ByteBuffer.allocate(length).put(firstValue, PARTED_HEAD_BYTES, PART_BYTES);
        for (int number = 1; record.hasRemaining(); number++) {
            byte[] part = parts.apply(partKey(id, number));
            if (part == null || part.length != Math.min(PART_BYTES, record.remaining())) {
                throw new StoreException(StoreException.Kind.CORRUPT, "part " + number + " of a record of " + length + " bytes "
                        + (part == null ? "is missing" : "has " + part.length + " bytes"));
            }
            record.put(part);
        }
        return record.array();
    }

    /** @throws StoreException of kind CORRUPT where the value is no entry record */
    static EntryVersion version(byte[] buffer, int offset, int length) {
        return length == 0 ? EntryVersion.DELETED : new EntryVersion(EntryRecord.of(buffer, offset, length));
    }
}
