package org.alder.partition.jdbm.block;

import java.util.zip.CRC32C;

/**
 * The last four bytes of every record in a table file: CRC32C of the record ID (8 bytes, big-endian) followed by the record's
 * body, big-endian. The record ID is in the sum so that a damaged slot of a translation page, which leads to a sound but wrong
 * record, is found. JDBM2 itself does not see the check: its deserialisers stop before it.
 */
public final class RecordCheck {

    public static final int BYTES = 4;

    private RecordCheck() {
    }

    /** Writes the check into the last four bytes of the record. */
    public static void stamp(long recordId, byte[] record) {
        BigEndian.putInt(record, record.length - BYTES, sum(recordId, record));
    }

    public static boolean holds(long recordId, byte[] record) {
        return record.length >= BYTES && BigEndian.getInt(record, record.length - BYTES) == sum(recordId, record);
    }

    private static int sum(long recordId, byte[] record) {
        CRC32C crc = new CRC32C();
        for (int shift = 56; shift >= 0; shift -= 8) {
            crc.update((int) (recordId >>> shift));
        }
        crc.update(record, 0, record.length - BYTES);
        return (int) crc.getValue();
    }
}
